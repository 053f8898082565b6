"""The provider: the simulator, and a server that repeats one of its answers at almost no cost."""

import json
import urllib.parse
from dataclasses import dataclass

from . import nginx
from .browser import CONSENT, FORM, location
from .failure import Failure
from .programs import Programs
from .servers import Server, Servers
from .webserver import free_port
from .wire import Answer, Wire

# The name and the secret of the simulator's client.
CLIENT = "benchmark"
# The size of LinkedIn's key.
KEY_BITS = 4096
SCOPES = "openid profile email r_profile_basicinfo"
LISTENING = "listening on "
LIMIT = 60.0

CONFIGURATION = """\
    server {{
        default_type application/json;
        listen 127.0.0.1:{port};
        location = /authorization {{ return 302 "{redirect}?code=$request_id&state=$arg_state"; }}
        location = /token {{ return 200 '{token}'; }}
        location = /keys {{ return 200 '{keys}'; }}
    }}"""


@dataclass(frozen=True)
class Provider:
    """A server, and the settings of the product that lead to it."""

    server: Server
    settings: dict[str, str]


def start_simulator(
    servers: Servers, programs: Programs, redirect: str, name: str = "simulator", key_bits: int = 2048
) -> tuple[Server, str]:
    """Starts the simulator; returns it with its base URL."""
    client = ["--client-id", CLIENT, "--client-secret", CLIENT, "--redirect-uri", redirect]
    options = ["--port", "0", "--quiet", "--key-bits", str(key_bits)]
    server = servers.start(name, [str(programs.simulator), *options, *client])
    server.wait_until(lambda: LISTENING in server.log.read_text(encoding="utf-8"))
    lines = server.log.read_text(encoding="utf-8").splitlines()
    return server, next(line.removeprefix(LISTENING) for line in lines if line.startswith(LISTENING))


def change_simulator(base: str, settings: dict[str, object]) -> None:
    """Changes settings of the simulator."""
    address = urllib.parse.urlsplit(base)
    wire = Wire(address.hostname or "", address.port or 80, LIMIT)
    fields = {"Host": address.netloc, "Content-Type": "application/json"}
    wire.send("POST", "/control/settings", fields, json.dumps(settings))
    answer = wire.receive()
    wire.close()
    if answer.status != 200:
        raise Failure(f"the simulator answered {answer.status} to {settings}: {answer.body[:200]!r}")


def start_repeater(servers: Servers, programs: Programs, redirect: str) -> Provider:
    """Starts nginx, which answers every sign-in with what the simulator answered to the first one.

    LinkedIn's ID tokens contain nothing of the sign-in that they belong to, so the program accepts one of them as long as
    it is valid: for an hour. It is signed with a key as large as LinkedIn's.
    """
    simulator, base = start_simulator(servers, programs, redirect, "simulator-4096", KEY_BITS)
    token, keys = first_sign_in(base, redirect)
    servers.stop(simulator)
    port = free_port()
    text = CONFIGURATION.format(port=port, redirect=redirect, token=quoted(token), keys=quoted(keys))
    server = nginx.run(servers, "provider", port, 1, text).server
    address = f"http://127.0.0.1:{port}"
    return Provider(
        server,
        {
            "SIGNIN_AUTHORIZATION_ENDPOINT": f"{address}/authorization",
            "SIGNIN_TOKEN_ENDPOINT": f"{address}/token",
            "SIGNIN_JWKS_URI": f"{address}/keys",
            "SIGNIN_ISSUERS": f"{base}/oauth",
        },
    )


def first_sign_in(base: str, redirect: str) -> tuple[str, str]:
    """The token answer and the key set of the simulator."""
    address = urllib.parse.urlsplit(base)
    wire = Wire(address.hostname or "", address.port or 80, LIMIT)

    def ask(method: str, path: str, form: str = "") -> Answer:
        wire.send(method, path, {"Host": address.netloc, **(FORM if form else {})}, form)
        answer = wire.receive()
        if answer.status >= 400:
            raise Failure(f"the simulator answered {answer.status} to {method} {path}: {answer.body[:200]!r}")
        return answer

    client = {"client_id": CLIENT, "redirect_uri": redirect}
    question = {"response_type": "code", "scope": SCOPES, "state": "benchmark", **client}
    consent = ask("POST", f"/oauth/v2/authorization?{urllib.parse.urlencode(question)}", CONSENT)
    back = urllib.parse.urlsplit(location(consent, "the simulator"))
    code = urllib.parse.parse_qs(back.query)["code"][0]
    exchange = {"grant_type": "authorization_code", "code": code, "client_secret": CLIENT, **client}
    token = ask("POST", "/oauth/v2/accessToken", urllib.parse.urlencode(exchange))
    keys = ask("GET", "/oauth/openid/jwks")
    wire.close()
    return token.body.decode(), keys.body.decode()


def quoted(text: str) -> str:
    """A text between single quotes of nginx, which would read `$` as the start of a variable."""
    if "$" in text:
        raise Failure("an answer of the simulator cannot be repeated by nginx")
    return text.replace("\\", "\\\\").replace("'", "\\'")

"""OpenID providers that others wrote, on loopback, and a site that knows only the issuer of one."""

import json
import re
import shutil
import subprocess
import sys
from contextlib import ExitStack, contextmanager
from html import unescape
from pathlib import Path
from urllib.parse import parse_qs, urljoin, urlsplit

from .browser import NAVIGATION, Browser
from .process import REPOSITORY, Process, free_port, wait_until
from .responder import Responder
from .site import from_provider
from .webserver import WebServer

PACKAGES = REPOSITORY / ".build/providers"
CLIENT, SECRET = "client", "demo-secret"
# The settings of a responder that replace LinkedIn with the simulator.
LINKEDIN = [
    *("LINKEDIN_PRODUCT", "LINKEDIN_CLIENT_ID", "LINKEDIN_CLIENT_SECRET", "SIGNIN_AUTHORIZATION_ENDPOINT"),
    *("SIGNIN_TOKEN_ENDPOINT", "SIGNIN_INTROSPECTION_ENDPOINT", "SIGNIN_ISSUERS", "SIGNIN_USERINFO_ENDPOINT"),
    *("SIGNIN_JWKS_URI", "SIGNIN_PROFILE_ENDPOINT", "SIGNIN_PROFILE_CACHE"),
]


class Provider:
    """A provider on one port; each start makes new signing keys."""

    first_page = "/.well-known/openid-configuration"
    program = sys.executable
    environment = {"PYTHONPATH": str(PACKAGES), "PYTHONUNBUFFERED": "1"}

    def __init__(self, directory, redirect):
        self.directory, self.redirect = directory, redirect
        directory.mkdir(parents=True, exist_ok=True)
        self.port = free_port()
        self.issuer = f"http://127.0.0.1:{self.port}"
        self.process = None

    def start(self):
        self.process = Process("provider", [self.program, *self.command()], self.directory, self.environment)
        page = f"http://127.0.0.1:{self.port}{self.first_page}"
        wait_until(lambda: self.process.is_running and self.answers(page), "the start of the provider", 60)
        return self

    def stop(self):
        if self.process and self.process.is_running:
            self.process.stop()

    @staticmethod
    def answers(url):
        try:
            return Browser().get(url).status == 200
        except OSError:
            return False

    @property
    def requests(self):
        return self.process.log

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()


class Idpyoidc(Provider):
    """Requires PKCE with S256 and Basic authentication, signs with ES256; e-mail and name are only in userinfo."""

    secret = SECRET

    def command(self):
        return [Path(__file__).with_name("idpyoidc_provider.py"), self.port, CLIENT, self.secret, self.redirect]

    def consent(self, address):
        return Browser().get(address).location

    def end(self, number, query=""):
        """Ends the session of a sign-in at the provider; returns the logout token, and the status, fields and text of the
        site's response."""
        body, *answer = Browser().get(f"{self.issuer}/end?number={number}{query}").json
        return body.removeprefix("logout_token="), *answer


class PublicIdpyoidc(Idpyoidc):
    """The same for a client without a secret."""

    secret = ""


def make_key(path):
    """Makes a private key on the curve P-256, in the form of the files that Apple issues."""
    make = ["openssl", "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", path]
    subprocess.run(make, check=True, capture_output=True)
    path.chmod(0o600)
    return path


class KeyIdpyoidc(Idpyoidc):
    """The same for a client that signs assertions with a private key, which the provider knows."""

    def __init__(self, directory, redirect):
        super().__init__(directory, redirect)
        self.secret = make_key(directory / "client-key.pem")


class Apple(Provider):
    """What the documentation of Sign in with Apple says; its page sends the callback as a form."""

    team, key_id = "TEAM123456", "KEY1234567"

    def __init__(self, directory, redirect):
        super().__init__(directory, redirect)
        self.key = make_key(directory / "AuthKey.p8")
        self.settings = {
            "PROVIDER_PRESET": "apple",
            "PROVIDER_TEAM_ID": self.team,
            "PROVIDER_KEY_ID": self.key_id,
            "PROVIDER_CLIENT_SECRET": None,
            "PROVIDER_CLIENT_SECRET_FILE": self.key,
        }

    def command(self):
        script = Path(__file__).with_name("apple_provider.py")
        return [script, self.port, CLIENT, self.team, self.key_id, self.key, self.redirect]

    def form(self, address, name="allow"):
        """The fields of a form on the page of the provider."""
        answer = Browser().get(address)
        assert answer.status == 200, answer
        fields = re.search(f'<form id="{name}".*?</form>', answer.text)[0]
        return {key: unescape(value) for key, value in re.findall('name="([^"]+)" value="([^"]*)"', fields)}

    def post(self, address, name="allow"):
        """Sends the form as the page of the provider does: without cookies of the site, which are SameSite=Lax."""
        headers = {**NAVIGATION, "Origin": self.issuer, "Sec-Fetch-Site": "cross-site"}
        return Browser().post(self.redirect, self.form(address, name), headers)

    def consent(self, address):
        answer = self.post(address)
        assert answer.status == 303 and not answer.set_cookies, answer
        return urljoin(self.redirect, answer.location)


class GitHub(Provider):
    """The answers of GitHub's documentation."""

    first_page = "/"

    def __init__(self, directory, redirect):
        super().__init__(directory, redirect)
        self.issuer += "/login/oauth"
        self.others = directory / "answers.json"

    def command(self):
        return [Path(__file__).with_name("github_provider.py"), self.port, CLIENT, SECRET, self.others]

    def answer(self, **others):
        """Replaces the answers of paths below /api/v3/ from now on, and no others."""
        self.others.write_text(json.dumps({f"/api/v3/{path}": answer for path, answer in others.items()}))

    def consent(self, address):
        return Browser().get(address).location


class Mock(Provider):
    """oidc-provider-mock: requires a nonce, signs with RS256, has refresh tokens."""

    lifetime = 3600  # of access tokens, in seconds
    claims = {}  # of further members, by their subjects

    def command(self):
        ada = {"name": "Ada Lovelace", "email": "ada@example.org", "email_verified": True, "profile": "https://people.example.org/ada"}
        options = ["--port", self.port, "--require-nonce", "true", "--token-max-age", self.lifetime]
        for subject, claims in {"ada": ada, **self.claims}.items():
            options += ["--user-claims", json.dumps({"sub": subject, **ada, **claims})]
        return ["-m", "oidc_provider_mock", *options]

    def consent(self, address, subject="ada"):
        answer = Browser().post(address, {"sub": subject})
        assert answer.status in (302, 303), answer
        return answer.location


class ShortLivedMock(Mock):
    """The same with access tokens that end soon."""

    lifetime = 2


class NanoIDP(Provider):
    """nanoidp with its profile of OAuth 2.1: requires PKCE, and rotates refresh tokens, whose second use ends them."""

    password = "correct horse"

    def __init__(self, directory, redirect):
        super().__init__(directory, redirect)
        client = {"client_id": CLIENT, "client_secret": SECRET, "redirect_uris": [redirect]}
        oauth = {"issuer": self.issuer, "token_expiry_minutes": 1, "clients": [client]}
        server = {"host": "127.0.0.1", "port": self.port}
        keys = {"keys_dir": f"{directory}/keys"}
        settings = {"config_version": 1, "server": server, "security_profile": "oauth21", "oauth": oauth, "jwt": keys}
        users = {"ada": {"password": self.password, "email": "ada@example.org"}}
        # JSON is YAML too.
        (directory / "settings.yaml").write_text(json.dumps(settings))
        (directory / "users.yaml").write_text(json.dumps({"config_version": 1, "users": users}))

    def start(self):
        shutil.rmtree(self.directory / "keys", ignore_errors=True)
        return super().start()

    @property
    def keys(self):
        return Browser().get(f"{self.issuer}/.well-known/jwks.json").text

    def command(self):
        return ["-m", "nanoidp", "--config", self.directory, "--host", "127.0.0.1", "--port", self.port]

    def consent(self, address):
        browser = Browser()
        page = browser.get(address)
        transaction = re.search(r'name="transaction_id" value="([^"]+)"', page.text)[1]
        member = {"transaction_id": transaction, "username": "ada", "password": self.password}
        answer = browser.post(address, member)
        assert answer.status in (302, 303), answer
        return answer.location


def signing_key(directory):
    """A new RSA key and its public key."""
    key = directory / "key.pem"
    make = ["openssl", "genrsa", "-out", key, "2048"], ["openssl", "rsa", "-in", key, "-pubout", "-out", key.with_suffix(".pub")]
    for command in make:
        subprocess.run(command, check=True, capture_output=True)
    return key.read_text(), key.with_suffix(".pub").read_text()


class IssuerSite:
    """A web server and the program, with the issuer of a provider and without anything else about it."""

    def __init__(self, directory, kind, front="nginx", settings=None, wrapper=(), guard=(), edit=lambda text: text):
        self.directory, self.front, self.extra, self.wrapper = directory, front, settings or {}, wrapper
        self.guard, self.edit = guard, edit
        self.port = free_port()
        self.url = f"http://localhost:{self.port}"
        self.provider = kind(directory / "provider", f"{self.url}/oauth")

    def __enter__(self):
        with ExitStack() as stack:
            stack.enter_context(self.provider)
            settings = {
                **dict.fromkeys(LINKEDIN),
                "PROVIDER_ISSUER": self.provider.issuer,
                "PROVIDER_CLIENT_ID": CLIENT,
                "PROVIDER_CLIENT_SECRET": SECRET,
                **getattr(self.provider, "settings", {}),
                **self.extra,
            }
            place = self.directory / "responder"
            self.responder = stack.enter_context(Responder(place, self.url, "http://127.0.0.1:1", settings, self.wrapper))
            place = self.directory / "front", self.responder.socket, self.port
            self.server = WebServer(self.front, *place, guard=self.guard, edit=self.edit)
            stack.enter_context(self.server)
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *details):
        return self._stack.__exit__(*details)

    def serve(self, names):
        """Writes a file below each of these guarded locations; the web server logs that it rejects requests for them."""
        for name in names:
            folder = self.server.directory / "site" / name
            folder.mkdir(parents=True)
            (folder / "file").write_text(name)
        self.server.expected_errors.append("forbidden")

    def wait_for(self, event, count=1):
        wait_until(lambda: len(self.responder.lines_so_far(event)) >= count, f"{event} in the log")

    def begin(self, browser):
        """Starts a sign-in; returns the address at the provider and its parameters."""
        answer = browser.get(f"{self.url}/login")
        assert answer.status == 303, answer
        return answer.location, {name: values[0] for name, values in parse_qs(urlsplit(answer.location).query).items()}

    def sign_in(self, browser, *subject):
        address, _ = self.begin(browser)
        callback = self.provider.consent(address, *subject)
        assert callback.startswith(f"{self.url}/oauth?"), callback
        return browser.get(callback, headers=from_provider())

    def session(self, browser):
        return browser.get(f"{self.url}/session", headers={"Accept": "application/json", "Sec-Fetch-Site": "same-origin"}).json


@contextmanager
def running(directory, kind, front="nginx", settings=None, wrapper=(), **guards):
    """A site that has fetched the discovery document."""
    site = IssuerSite(directory, kind, front, settings, wrapper, **guards)
    site.provider.start()
    with site:
        site.wait_for("discovery-read")
        yield site

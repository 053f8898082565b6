"""A linkedin-signin process with its own settings, state directory and socket."""

import re
import uuid

from .fastcgi import exchange
from .log_tables import check_codes
from .process import BINARIES, Process, wait_until

ERROR_LINE = re.compile(r"\blevel=error\b|\b[Ff]atal error\b|Sanitizer")


class Responder:
    """A running process; as a context manager it must end with status 0 and without unexpected error lines."""

    def __init__(self, directory, base_url, simulator_url, settings=None, wrapper=()):
        directory.mkdir(parents=True, exist_ok=True)
        self.directory = directory
        self.socket = directory / "socket"
        self.state = directory / "state"
        self.expected_errors = []
        self.settings = {
            **provider(simulator_url, (settings or {}).get("LINKEDIN_PRODUCT", "verified")),
            "LINKEDIN_CLIENT_ID": "demo",
            "LINKEDIN_CLIENT_SECRET": "demo-secret",
            "SIGNIN_BASE_URL": base_url,
            "SIGNIN_LISTEN": f"unix:{self.socket}",
            "SIGNIN_STATE_DIRECTORY": str(self.state),
            "SIGNIN_LOG_LEVEL": "debug",
            # Tests of one address count lines within a minute.
            "SIGNIN_LOG_REPEATS": "yes",
            **(settings or {}),
        }
        self.wrapper = wrapper
        self.process = None
        self.options = {}  # options for the process, such as inherited descriptors
        self.predecessors = 0

    def write_settings(self):
        """Writes the settings file and returns its path."""
        settings = self.directory / "settings"
        settings.touch(mode=0o600)
        settings.write_text("".join(f"{name}={value}\n" for name, value in self.settings.items() if value is not None))
        return settings

    def launch(self, *options):
        self.state.mkdir(mode=0o700, exist_ok=True)
        settings = self.write_settings()
        command = [*self.wrapper, BINARIES / "linkedin-signin", "serve", "--settings-file", settings]
        name = "linkedin-signin"
        if self.process and self.process.is_running:
            self.predecessors += 1
            name += f"-{self.predecessors}"
        self.process = Process(name, [*command, *options], self.directory, **self.options)

    def start(self):
        self.launch()
        self.process.wait_for_listener(self.socket)
        return self

    def stop(self):
        status = self.process.stop()
        assert status == 0, f"linkedin-signin ended with {status}:\n{self.log}"

    def __enter__(self):
        return self.start()

    def __exit__(self, kind, *_):
        self.stop()
        if kind is None:
            self.check_log()

    def check_log(self):
        """Fails if the log has an unexpected error, an undocumented event or reason, or contains the client secret."""
        check_codes(self.log)
        for line in self.log.splitlines():
            if ERROR_LINE.search(line):
                assert any(re.search(expected, line) for expected in self.expected_errors), f"unexpected: {line}"
        assert "demo-secret" not in self.log

    @property
    def log(self):
        return self.process.log

    def ask(self, path, method="GET", **keywords):
        """Sends a request without a web server."""
        return exchange(self.socket, path, method, **keywords)

    def settled_log(self):
        """The log, complete up to now: waits because a running program writes it on another thread."""
        if not self.process.is_running:
            return self.log
        mark = f"mark-{uuid.uuid4().hex}"
        self.ask("/logout", "POST", headers={"Sec-Fetch-Site": "cross-site"}, extra={"REMOTE_ADDR": mark})
        wait_until(lambda: mark in self.log, "the line of the last request")
        return self.log

    def lines_of(self, event):
        """The log lines of an event, complete up to now."""
        return [line for line in self.settled_log().splitlines() if f"event={event}" in line]

    def lines_so_far(self, event):
        """The log lines of an event that the program has written, for a test that waits for one."""
        return [line for line in self.log.splitlines() if f"event={event}" in line]

    def sessions(self):
        """The files of stored sessions."""
        root = self.state / "sessions"
        return [path for path in root.rglob("*") if path.is_file() and not path.name.startswith(".")]


PROFILES = {"verified": "/rest/identityMe", "basic-profile": "/v2/me", "v1": "/v1/people/~:(public-profile-url)?format=json"}


def provider(simulator_url, product="verified"):
    """The settings that replace LinkedIn with the simulator, limited to those that the product uses."""
    settings = {
        "LINKEDIN_PRODUCT": product,
        "SIGNIN_AUTHORIZATION_ENDPOINT": f"{simulator_url}/oauth/v2/authorization",
        "SIGNIN_TOKEN_ENDPOINT": f"{simulator_url}/oauth/v2/accessToken",
        "SIGNIN_INTROSPECTION_ENDPOINT": f"{simulator_url}/oauth/v2/introspectToken",
        "SIGNIN_ISSUERS": f"{simulator_url}/oauth",
    }
    if product in PROFILES:
        settings["SIGNIN_PROFILE_ENDPOINT"] = f"{simulator_url}{PROFILES[product]}"
    if product in ("openid", "verified"):
        settings["SIGNIN_USERINFO_ENDPOINT"] = f"{simulator_url}/v2/userinfo"
    if product in ("openid", "verified"):
        settings["SIGNIN_JWKS_URI"] = f"{simulator_url}/oauth/openid/jwks"
    return settings

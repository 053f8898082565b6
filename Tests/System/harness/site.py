"""A complete site: a web server, linkedin-signin and the simulator."""

import functools
import subprocess
import tempfile
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit

from simulator import Simulator

from . import canaries
from .browser import NAVIGATION, Browser
from .process import BINARIES, free_port
from .responder import Responder
from .webserver import WebServer

SESSION = "__Host-session"


@functools.cache
def _signing_key():
    """The path of the key that every simulator begins with, because a new one takes longer than the rest of its start."""
    directory = tempfile.TemporaryDirectory(prefix="signin-key-")
    path = Path(directory.name) / "key.pem"
    subprocess.run(["openssl", "genrsa", "-out", path, "2048"], check=True, capture_output=True)
    return directory, path


class Site:
    def __init__(self, directory, front="nginx", settings=None, certificate=None, guard=(), edit=lambda text: text, wrapper=()):
        """`wrapper` starts the program; `guard` are options for deploy/render; `edit` changes the server's configuration."""
        self.directory = directory
        self.front = front
        self.settings = settings
        self.certificate = certificate
        self.guard = guard
        self.edit = edit
        self.wrapper = wrapper
        self.port = free_port()
        scheme = "https" if certificate else "http"
        self.url = f"{scheme}://localhost:{self.port}"
        self._stack = ExitStack()

    def __enter__(self):
        with ExitStack() as stack:
            redirect = f"{self.url}/oauth"
            options = ["--client-id", "demo", "--client-secret", "demo-secret", "--redirect-uri", redirect, "--quiet"]
            options += ["--signing-key", str(_signing_key()[1])]
            self.simulator = stack.enter_context(Simulator(*options, binary=str(BINARIES / "linkedin-simulator")))
            stack.push(self._check_tokens)
            self.responder = stack.enter_context(
                Responder(self.directory / "responder", self.url, self.simulator.url, self.settings, self.wrapper)
            )
            self.server = stack.enter_context(self.make_server())
            self._stack = stack.pop_all()
        return self

    def __exit__(self, kind, *details):
        if kind is not None:
            return self._stack.__exit__(kind, *details)
        # The servers end, whatever the check finds.
        with self._stack:
            if self.responder.process.is_running:
                canaries.check_process(self.responder.process.pid, canaries.issued(self.simulator))
        return None

    def _check_tokens(self, kind, *_):
        """Fails if a token is in an answer or a file of the site; runs when the program and the web server have ended."""
        if kind is None:
            tokens = canaries.issued(self.simulator)
            canaries.check_files(self.directory, tokens)
            canaries.check_answers(tokens)

    def make_server(self):
        place = self.directory / "front", self.responder.socket, self.port
        return WebServer(self.front, *place, self.certificate, self.guard, self.edit)

    def browser(self):
        return Browser()

    def begin(self, browser, query=""):
        """Starts a sign-in and returns the address at the provider."""
        answer = browser.get(f"{self.url}/login{query}")
        assert answer.status == 303, answer
        assert urlsplit(answer.location).netloc == urlsplit(self.simulator.url).netloc
        return answer.location

    def consent(self, address, member=1, decision="allow"):
        """Decides at the provider and returns the address of the callback."""
        answer = Browser().post(address, {"member": member, "decision": decision})
        assert answer.status in (302, 303), answer
        assert answer.location.startswith(f"{self.url}/oauth?"), answer.location
        return answer.location

    def sign_in(self, browser, member=1, query="", decision="allow"):
        """Signs in completely and returns the response to the callback."""
        callback = self.consent(self.begin(browser, query), member, decision)
        return browser.get(callback, headers=from_provider())

    def member(self, number=1):
        """A browser that is signed in."""
        browser = self.browser()
        assert self.sign_in(browser, number).status == 303
        return browser

    def sign_out(self, browser, headers=None):
        """Sends the sign-out form of the home page."""
        origin = {"Origin": self.url, "Sec-Fetch-Site": "same-origin"}
        return browser.post(f"{self.url}/logout", headers={**NAVIGATION, **origin, **(headers or {})})

    def is_signed_in(self, browser):
        answer = browser.get(f"{self.url}/profile", headers={"Accept": "application/json"})
        assert answer.status in (200, 401), answer
        return answer.status == 200


def pending(browser):
    """The names of the sign-in cookies."""
    return [name for name in browser.jar.get("localhost", {}) if name.startswith("__Host-signin-")]


def from_provider():
    """The headers that a browser sends when the provider redirects it."""
    return {**NAVIGATION, "Sec-Fetch-Site": "cross-site"}

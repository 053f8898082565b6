"""A site at which members sign in with the simulator of LinkedIn and with providers that files add."""

import signal
import threading
from contextlib import ExitStack, contextmanager
from urllib.parse import parse_qs, urlsplit

from .json_server import JSONServer
from .process import free_port, wait_until
from .providers import CLIENT, SECRET
from .site import Site, from_provider


class SeveralSite(Site):
    """`kinds` are the providers by ID. The web server knows the redirect addresses of all of them, also of those in `later`,
    whose files the test writes."""

    def __init__(self, directory, kinds, front="nginx", settings=None, later=(), guard=(), names=None, certificate=None):
        self.names = names or {}
        self.folder = directory / "provider-files"
        self.folder.mkdir(parents=True)
        self.later = later
        guard = [*guard, "--providers", str(self.folder)]
        settings = {"SIGNIN_PROVIDERS": str(self.folder), **(settings or {})}
        super().__init__(directory, front, settings, certificate, guard=guard)
        self.providers = {name: kind(directory / name, f"{self.url}/oauth/{name}") for name, kind in kinds.items()}

    def add(self, name, **more):
        """Writes the file that adds a provider."""
        provider = self.providers[name]
        lines = {"PROVIDER_ISSUER": provider.issuer, "PROVIDER_CLIENT_ID": CLIENT, "PROVIDER_CLIENT_SECRET": SECRET}
        lines |= getattr(provider, "settings", {}) | more
        if name in self.names:
            lines["PROVIDER_NAME"] = self.names[name]
        file = self.folder / name
        file.touch(mode=0o600)
        file.write_text("".join(f"{name}={value}\n" for name, value in lines.items() if value is not None))

    def __enter__(self):
        for name in self.providers:
            if name not in self.later:
                self.add(name)
        super().__enter__()
        for provider in self.providers.values():
            self._stack.enter_context(provider)
        return self

    def make_server(self):
        for name in self.later:
            self.add(name)
        server = super().make_server()
        for name in self.later:
            (self.folder / name).unlink()
        return server

    def wait_for_documents(self, names):
        for name in names:
            wait_until(lambda name=name: self.has("discovery-read", f"provider={name} "), f"the document of {name}")

    def has(self, event, text):
        return any(text in line for line in self.responder.lines_so_far(event))

    def reload(self):
        count = len(self.responder.lines_so_far("reloaded"))
        self.responder.process.child.send_signal(signal.SIGHUP)
        wait_until(lambda: len(self.responder.lines_so_far("reloaded")) > count, "the reload")

    def begin_at(self, name, browser, query=""):
        """Starts a sign-in; returns the address at the provider and its parameters."""
        answer = browser.get(f"{self.url}/login?provider={name}{query}")
        assert answer.status == 303, answer
        return answer.location, {name: values[0] for name, values in parse_qs(urlsplit(answer.location).query).items()}

    def sign_in_at(self, name, browser, query=""):
        address, _ = self.begin_at(name, browser, query)
        if name == "linkedin":
            callback = self.consent(address)
        else:
            callback = self.providers[name].consent(address)
            assert callback.startswith(f"{self.url}/oauth/{name}?"), callback
        return browser.get(callback, headers=from_provider())

    def session(self, browser):
        return browser.get(f"{self.url}/session", headers={"Accept": "application/json", "Sec-Fetch-Site": "same-origin"}).json


class Hostile:
    """A provider of an attacker: it has a correct document, records every request, and gives everybody a token."""

    def __init__(self, directory, redirect):
        self.port = free_port()
        self.issuer = f"http://127.0.0.1:{self.port}"
        self.document = {"issuer": self.issuer, "authorization_endpoint": f"{self.issuer}/authorize"}
        self.document |= {"token_endpoint": f"{self.issuer}/token", "jwks_uri": f"{self.issuer}/keys"}
        self.calls = []
        self.server = None

    def start(self):
        def answer(handler, body):
            self.calls.append(f"{handler.command} {handler.path} {body}".rstrip())
            return self.answer(handler.path, body)

        self.server = JSONServer(answer, self.port).__enter__()
        return self

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.server:
            self.server.__exit__()

    def answer(self, path, _):
        return {"error": "invalid_grant"} if path == "/token" else self.document


class Silent(Hostile):
    """The same, whose key set never arrives."""

    def answer(self, path, body):
        if path == "/keys":
            threading.Event().wait()
        return super().answer(path, body)


@contextmanager
def several(directory, kinds, front="nginx", **more):
    """A site that has the documents of all its providers, except those in `later`."""
    with serving(SeveralSite(directory, kinds, front, **more)) as site:
        yield site


@contextmanager
def serving(site):
    """Starts the providers before the program, which otherwise waits for seconds until it asks them again."""
    names = [name for name in site.providers if name not in site.later]
    with ExitStack() as stack:
        for name in names:
            stack.enter_context(site.providers[name].start())
        stack.enter_context(site)
        site.wait_for_documents(names)
        yield site

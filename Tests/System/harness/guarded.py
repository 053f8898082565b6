"""A guarded site: files and applications in locations with rules."""

import base64
import sys
from pathlib import Path
from urllib.parse import unquote

import pytest

from .guarding import CGI, FASTCGI, HTTP, Place, options, with_patience, with_places
from .included import IncludingGuards
from .process import Process, free_port
from .site import Site

GUARDS = ("nginx", "lighttpd")
# Also a site that nginx served before, with the include files of print-config --write.
ALL_GUARDS = (*GUARDS, "nginx-included")
# For cases that the program decides: nginx sends it the same parameters with and without the include files.
BY_PARAMETERS = pytest.mark.parametrize("guarded", GUARDS, indirect=True)
PROGRAM = Path(__file__).with_name("application.py")
CANARY = b"the canary that nobody may hear"
# The simulator's pairwise subjects for the client `demo`, which never change.
SUBJECTS = dict(enumerate("anmrXZnj8P EzlNPoVB0N w_JfdvjZFg HJMhs1MwYD o9TcCZcn5- BQZhWWH2em 0VFL7u-g7V".split(), 1))
EMAILS = {1: "maya.lindqvist@example.com", 2: "zhang.wei@example.com", 3: "zoe+in@example.co.uk", 4: "teguh@example.id"}
EMAILS |= {5: None, 6: "bobby.o'tables@example.com", 7: None}  # the last is not verified


def canary(place):
    """The unique content of the file in a location."""
    return CANARY + f" but in {place}".encode()


class Guarded(Site):
    """The site with guarded locations; a web server waits `patience` seconds for the program.

    `verdicts` is the time for which nginx keeps verdicts.
    """

    def __init__(self, directory, front="nginx", settings=None, patience=None, certificate=None, wrapper=(), verdicts=None):
        self.allowed, self.denied = directory / "allowed", directory / "denied"
        self.application, self.backend = directory / "application", free_port()
        self.patience = patience
        self.behind = []
        self.kind = front.split("-")[0]
        self.places = self.make_places(HTTP if self.kind == "nginx" else CGI)
        settings = {"SIGNIN_CONTACT": "help@example.com", **(settings or {})}
        guard = [*options(self.places), *(["--cache-verdicts", verdicts] if verdicts else [])]
        super().__init__(directory, front, settings, certificate, guard=guard, edit=self.with_places, wrapper=wrapper)

    def make_places(self, chained):
        """The first location is the shortest: both configurations explain themselves there."""
        return [
            Place("app", "member", FASTCGI),
            Place("open", "anyone", FASTCGI),
            Place("other", "member", chained),
            Place("public", "anyone", chained),
            Place("member", "member", admitted=(1, 2, 3, 4, 5, 6, 7)),
            Place("domain", "email-domain=example.co.uk,EXAMPLE.ID", admitted=(3, 4)),
            Place("maya", f"subject={SUBJECTS[1]}", admitted=(1,)),
            Place("address", f"email={EMAILS[1]},Zoe+In@example.co.uk", admitted=(1, 3)),
            Place("both", "email-domain=example.com subject=" + SUBJECTS[2], admitted=(2,)),
            Place("listed", f"allow={self.allowed} deny={self.denied}", admitted=(1,)),
            Place("anyone", "anyone"),
            Place("recent", "signed-in-within=15m"),
            Place("shared", "member preflight", FASTCGI),
            Place("missing", None, is_mistaken=True),
            Place("empty", "", is_mistaken=True),
            Place("broken", "membre", is_mistaken=True),
            Place("unknown", action="authorise"),
        ]

    @property
    def addresses(self):
        """The address of each application, by protocol."""
        return {FASTCGI: self.application, HTTP: f"127.0.0.1:{self.backend}"}

    def with_places(self, text):
        """The printed configuration with the operator's additions."""
        text = with_places(text, self.kind, self.places, self.addresses)
        return with_patience(text, self.kind, self.patience) if self.patience else text

    def __enter__(self):
        self.directory.mkdir(parents=True, exist_ok=True)
        self.allowed.write_text(f"subject={SUBJECTS[1]}\n")
        self.denied.write_text("# nobody\n")
        for kind, address in (("http", self.backend), ("fastcgi", self.application)):
            process = Process(f"application-{kind}", [sys.executable, PROGRAM, kind, address], self.directory)
            self.behind.append(process)
            process.wait_for_listener(("127.0.0.1", address) if kind == "http" else address)
        return super().__enter__()

    def __exit__(self, *details):
        try:
            return super().__exit__(*details)
        finally:
            for process in self.behind:
                process.child.terminate()
                process.child.wait()

    def make_server(self):
        if self.front == "nginx-included":
            place = self.directory / "front", self.responder.socket, self.port
            server = IncludingGuards(*place, self.guard, self.places, self.addresses, self.patience)
        else:
            server = super().make_server()
        for place in self.places:
            directory = server.directory / "site" / place.name
            directory.mkdir()
            (directory / "canary.txt").write_bytes(canary(place.name))
            if place.behind == CGI:
                (directory / "index.py").symlink_to(PROGRAM)
        return server

    def url_of(self, place, rest="canary.txt"):
        if rest == "" and self.front == "lighttpd" and place in ("other", "public"):
            rest = "index.py"  # a CGI program is a file
        return f"{self.url}/{place}/{rest}"

    def ask(self, place, rest="", browser=None, **keywords):
        """The response of an application; fails if the application received no request."""
        method = keywords.pop("method", "GET")
        answer = (browser or self.browser()).request(method, self.url_of(place, rest), **keywords)
        assert answer.status == 200, (answer.status, answer.text)
        return Received(answer)

class Received:
    """The request as the application received it."""

    def __init__(self, answer):
        content = answer.json
        self.kind, self.received = content["kind"], [(name, value) for name, value in content["received"]]
        self.body = base64.b64decode(content["body"])

    def all(self, name):
        """Every value of a name, in the order in which an application reads them."""
        return [value for key, value in self.received if key.lower() == name.lower()]

    @property
    def identity(self):
        """Subject, e-mail address and name from the documented variables or headers; None if missing.

        Of one name that comes twice PHP and Perl take the last, which is the one that the configuration sets.
        """
        names = ("REMOTE_USER", "AUTH_EMAIL", "AUTH_NAME")
        if self.kind == "http":
            names = ("X-Auth-Subject", "X-Auth-Email", "X-Auth-Name")
            assert all(len(self.all(name)) <= 1 for name in names), self.received
        return tuple(decoded((self.all(name) or [""])[-1]) or None for name in names)


def decoded(value):
    """The value, decoded if it is encoded as in RFC 8187 section 3.2."""
    return unquote(value[7:], errors="strict") if value.startswith("UTF-8''") else value

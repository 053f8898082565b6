"""Two gateways on one PostgreSQL database, as docs/several-machines.md sets them up."""

import json
import re
import subprocess
import time
from contextlib import contextmanager

from .browser import NAVIGATION
from .process import BINARIES, REPOSITORY, free_port, surroundings, wait_until
from .responder import Responder
from .site import SESSION, Site, from_provider
from .webserver import WebServer

PAGE = (REPOSITORY / "docs/several-machines.md").read_text()
ROLES, RIGHTS, WAIT_FOR_STANDBY, PROMOTE = re.findall(r"^```sql\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
MIGRATE, MAKE_KEY, BACK_UP, RESTORE, END_ALL = re.findall(r"^```sh\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
# A gateway that starts without the database reads the server keys later, and compares its address at the next start.
OUTAGE = ["event=store-lost", "event=store-failed", "event=sweep-failed", "event=server-keys-failed"]
OUTAGE.append("event=store-claim-failed reason=store-unreachable")


def prepare(server):
    server.run(ROLES)
    assert migrate(server).returncode == 0
    server.run(RIGHTS, "signin_owner", "signin")
    return server


def migrate(server, *options):
    """The command of the page, for this server."""
    return documented(" ".join([MIGRATE.strip(), *options]), server, None)


def documented(text, server, directory, settings_file=""):
    """Runs commands of the page for this server, with files in a directory."""
    text = text.replace("postgresql://signin_owner@db1.example/signin", f"'{server.address('signin_owner')}'").replace("sudo ", "")
    # Without an option, the commands of the page use the settings of the installed package.
    if settings_file:
        text = re.sub(r"^(linkedin-signin .*)$", rf"\1 --settings-file {settings_file}", text, flags=re.MULTILINE)
    environment = {**surroundings(), "PATH": f"{BINARIES}:{surroundings()['PATH']}"}
    return subprocess.run(["bash", "-euc", text], capture_output=True, text=True, env=environment, cwd=directory)


def command(settings, *words, **options):
    environment = {**surroundings(), **settings}
    return subprocess.run([BINARIES / "linkedin-signin", *words], capture_output=True, text=True, env=environment, **options)


def check(settings):
    required = {"LINKEDIN_CLIENT_ID": "a", "LINKEDIN_CLIENT_SECRET": "b", "SIGNIN_BASE_URL": "https://a.example"}
    return command({**required, **settings}, "check")


class Machines:
    """A site, and a second gateway with a web server of its own on the same database."""

    def __init__(self, directory, database, front, other=None, wrapper=(), **settings):
        """`other` has settings of the second gateway only; `wrapper` starts both."""
        self.settings = {"SIGNIN_STORE": database.address("signin"), **settings}
        self.others = {**self.settings, **(other or {})}
        self.site = Site(directory / "a", front, self.settings, wrapper=wrapper)
        self.wrapper = wrapper
        self.directory = directory

    def __enter__(self):
        self.site.__enter__()
        place = self.directory / "b", self.site.url, self.site.simulator.url
        self.other = Responder(*place, self.others, self.wrapper).start()
        port = free_port()
        self.front = WebServer(self.site.front, self.directory / "fb", self.other.socket, port, None, (), lambda text: text)
        self.front.__enter__()
        self.second = f"http://localhost:{port}"
        return self

    def __exit__(self, *details):
        self.front.__exit__(*details)
        self.other.__exit__(*details)
        self.site.__exit__(*details)

    def expect_outage(self):
        for responder in (self.site.responder, self.other):
            responder.expected_errors += OUTAGE
            # A sign-out that the database did not acknowledge.
            responder.expected_errors.append("event=signed-out .*reason=store-unreachable")

    def status_of(self, url, ticket):
        """The status of the check of a cookie that a browser may have lost."""
        return checked(self.site.browser().get(f"{url}/session", headers={"Cookie": f"{SESSION}={ticket}"}))

    def profile_of(self, url, ticket):
        """The status of the member's page, which needs a token."""
        headers = {"Cookie": f"{SESSION}={ticket}", "Accept": "application/json"}
        return self.site.browser().get(f"{url}/profile", headers=headers).status

    def remember(self, url, ticket):
        """Makes a machine keep a session in memory."""
        assert self.status_of(url, ticket) == 200

    def sign_in_at(self, url, browser):
        """Signs in with a callback at one of the machines, and returns the response to it."""
        callback = self.site.consent(self.site.begin(browser))
        return browser.get(callback.replace(self.site.url, url), headers=from_provider())

    def sign_out_at(self, url, browser, fields=None, path="/logout"):
        origin = {"Origin": self.site.url, "Sec-Fetch-Site": "same-origin"}
        return browser.post(f"{url}{path}", fields, headers={**NAVIGATION, **origin})

    def watch(self, url, ticket, seconds):
        """The statuses that a cookie gets until some time has passed."""
        deadline, seen = time.monotonic() + seconds, set()
        while time.monotonic() < deadline:
            seen.add(self.status_of(url, ticket))
        return seen

    def status(self, url, browser):
        return checked(browser.get(f"{url}/session"))


def checked(answer):
    """The status of an answer of GET /session, and 401 if nobody is signed in."""
    return 401 if answer.status == 200 and not json.loads(answer.body)["signed_in"] else answer.status


@contextmanager
def synchronous_standby(directory, database):
    with database.copy(directory / "db2") as standby:
        database.run(WAIT_FOR_STANDBY)
        wait_until(lambda: database.run("SELECT sync_state FROM pg_stat_replication") == ["sync"], "replication")
        yield standby


def both(directory):
    """The address of both servers."""
    place = str(directory).replace("/", "%2F")
    return f"postgresql://signin@{place}%2Fdb,{place}%2Fdb2/signin"

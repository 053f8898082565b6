"""Existing sites of lighttpd that include the files of print-config --write."""

import re
import subprocess
from contextlib import ExitStack

import pytest

from harness.process import BINARIES, Process, free_port, surroundings
from harness.raw import NAVIGATING, request, send, status
from harness.recorder import Recorder
from harness.records import AUTHORIZER

SITES = ("a.example", "b.example")
CODE = "the-code-that-no-log-may-hold"
# The beginning of Debian's file, with the access log of its 10-accesslog.conf.
MAIN = """
server.modules = ( "mod_indexfile", "mod_access", "mod_alias", "mod_redirect" )
server.document-root = "{0}/c"
index-file.names = ( "index.html" )
server.errorlog = "{0}/error.log"
server.pid-file = "{0}/pid"
server.upload-dirs = ( "{0}" )
server.bind = "127.0.0.1"
server.port = {1}
server.http-parseopts = (
    "header-strict" => "enable", "host-strict" => "enable", "host-normalize" => "enable",
    "url-normalize-unreserved" => "enable", "url-normalize-required" => "enable", "url-ctrls-reject" => "enable",
    "url-path-2f-decode" => "enable", "url-path-dotseg-remove" => "enable",
)
url.access-deny = ( "~", ".inc" )
mimetype.assign = ( ".txt" => "text/plain" )
{2}
server.modules += ( "mod_accesslog", "mod_staticfile" )
accesslog.filename = "{0}/access.log"
{3}
"""
SITE = """
$HTTP["host"] == "{1}" {{
    server.document-root = "{0}/{1}"
    fastcgi.server = ( "/private/app" => (( "socket" => "{0}/{1}.app", "check-local" => "disable" )) )
{2}
}}
"""


class Program(Recorder):
    """A guard that admits visitors with a cookie of its name, and pages that name their site."""

    def __init__(self, directory, name):
        self.name = name
        super().__init__(directory / f"{name}.socket", self.said)

    def said(self, asked):
        is_in = asked.parameters.get("HTTP_COOKIE") == f"__Host-session={self.name}"
        if asked.role == AUTHORIZER and not is_in:
            return b"Status: 401 Unauthorized\r\n\r\n"
        return f"Status: 200 OK\r\nVariable-REMOTE_USER: {self.name}\r\n\r\npage of {self.name}".encode()


class Sites:
    def __init__(self, directory, isIncluded=True, takesHome=False):
        self.takesHome = takesHome
        self.directory, self.port = directory, free_port()
        sites, top = "", ""
        for name in (*SITES, "c"):
            (directory / name / "private").mkdir(parents=True)
            for path in ("private/file.txt", "file.txt", "index.html"):
                (directory / name / path).write_text(f"file of {name}")
        for name in SITES:
            lines = self.written(name) if isIncluded else ["", ""]
            top += lines[0] + "\n"
            sites += SITE.format(directory, name, "\n".join(lines[1:]))
        self.configuration = directory / "lighttpd.conf"
        self.configuration.write_text(MAIN.format(directory, self.port, top, sites))

    def written(self, name):
        """The lines that the command prints for the operator."""
        options = ["--location", "/private/", "--location", "/members", "--require", f"email-domain={name}", "--write", self.directory]
        settings = {"SIGNIN_BASE_URL": f"https://{name}", "SIGNIN_LISTEN": f"unix:{self.directory}/{name}.socket"}
        command = [BINARIES / "linkedin-signin", "print-config", "lighttpd", *options]
        done = subprocess.run(command, capture_output=True, text=True, env={"PATH": "/usr/bin:/bin", **settings})
        assert (done.returncode, done.stderr) == (0, "")
        lines = re.findall(r"^ *(include .*)$", done.stdout, re.MULTILINE)
        assert len(lines) == len(list(self.directory.glob(f"linkedin-signin-{name}-*.conf"))) == 6
        assert "-home.conf" in lines[-2] and "-health.conf" in lines[-1]
        return lines if self.takesHome else [*lines[:-2], lines[-1]]

    def __enter__(self):
        self.process = Process("lighttpd", ["lighttpd", "-D", "-f", self.configuration], self.directory)
        self.process.wait_for_listener(("127.0.0.1", self.port))
        return self

    def __exit__(self, *_):
        assert self.process.stop() in (0, 1)

    def ask(self, host, target, headers=()):
        return send(self.port, request(target, [*NAVIGATING, *headers], host=host))


@pytest.fixture
def sites(directory):
    with ExitStack() as stack:
        programs = {name: stack.enter_context(Program(directory, name)) for name in SITES}
        applications = {
            name: stack.enter_context(Recorder(directory / f"{name}.app", lambda asked: b"Status: 200 OK\r\n\r\napplication"))
            for name in SITES
        }
        yield stack.enter_context(Sites(directory)), programs, applications


def test_health_is_that_of_the_instance_of_the_site(sites):
    server, programs, _ = sites
    for name in SITES:
        assert f"page of {name}".encode() in server.ask(name, "/healthz")
        assert programs[name].requests[-1].parameters["REQUEST_URI"] == "/healthz"


def test_each_guard_asks_the_instance_of_its_own_site(sites):
    server, programs, applications = sites
    for name, other in (SITES, SITES[::-1]):
        for path in ("/private/file.txt", "/members", "/members/x"):
            for program in programs.values():
                program.requests.clear()
            assert status(server.ask(name, path)) == 401
            assert status(server.ask(name, path, [("Cookie", f"__Host-session={other}")])) == 401
            assert not programs[other].requests
            rules = {asked.parameters["SIGNIN_REQUIRE"] for asked in programs[name].requests}
            assert rules == {f"email-domain={name}"} and len(programs[name].requests) == 2
        cookie = [("Cookie", f"__Host-session={name}")]
        assert f"file of {name}".encode() in server.ask(name, "/private/file.txt", cookie)
        assert f"page of {name}".encode() in server.ask(name, "/login")
        assert b"application" in server.ask(name, "/private/app", cookie)
        assert applications[name].requests[-1].parameters["REMOTE_USER"] == name
        applications[name].requests.clear()
        assert status(server.ask(name, "/private/app")) == 401 and not applications[name].requests


def test_the_rest_of_the_sites_does_not_change(sites, directory):
    server, _, _ = sites
    before = directory / "before"
    before.mkdir()
    with Sites(before, isIncluded=False) as plain:
        for host in (*SITES, "c"):
            for target in ("/", "/file.txt", "/none", "/x~", "/a.inc", "/file.txt?a=b"):
                answers = [re.sub(rb"(?im)^(date|last-modified|etag):.*\r\n", b"", each.ask(host, target)) for each in (server, plain)]
                assert answers[0] == answers[1], target
        assert status(server.ask("c", "/file.txt", [("X-Auth-Email", "a")])) == 200
    for name in SITES:
        assert status(server.ask(name, "/file.txt", [("X-Auth-Email", "a")])) == 403
        assert status(server.ask(name, "/file.txt?a=b?")) == 200
        assert status(server.ask(name, "/private/..%2ffile.txt")) == 400


def test_home_page_of_the_program_replaces_that_of_the_site_only_if_it_is_included(directory):
    for takesHome, home in ((False, b"file of a.example"), (True, b"page of a.example")):
        folder = directory / str(takesHome)
        folder.mkdir()
        with Program(folder, "a.example"), Sites(folder, takesHome=takesHome) as server:
            assert server.ask("a.example", "/").endswith(home)
            assert server.ask("a.example", "/login").endswith(b"page of a.example")
            assert server.ask("a.example", "/file.txt").endswith(b"file of a.example")


def test_no_log_contains_the_query_of_a_callback(directory):
    with Sites(directory) as server:
        for name in SITES:
            assert status(server.ask(name, f"/oauth?code={CODE}")) == 503, "nothing listens"
            assert status(server.ask(name, "/file.txt?seen=yes")) == 200
    logs = {path.name: path.read_text() for path in directory.glob("*.log")}
    assert "GET /file.txt?seen=yes" in logs["access.log"] and "GET /oauth HTTP" in logs["access.log"]
    assert not [name for name, text in logs.items() if CODE in text]


def test_check_finds_nothing_in_the_included_sites(directory):
    configuration = Sites(directory).configuration
    text = subprocess.run(["lighttpd", "-pp", "-f", configuration], capture_output=True, text=True, env=surroundings())
    assert text.returncode == 0, text.stderr
    command = [BINARIES / "linkedin-signin", "check", "--lighttpd", "-"]
    done = subprocess.run(command, input=text.stdout, capture_output=True, text=True, env={"PATH": "/usr/bin:/bin"})
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    missing = re.sub(r'"socket" *=> "[^"]*/b.example.socket",\n( *"mode")', rf'"socket" => "{directory}/a.example.socket",\n\1', text.stdout)
    assert missing != text.stdout
    done = subprocess.run(command, input=missing, capture_output=True, text=True, env={"PATH": "/usr/bin:/bin"})
    assert done.returncode == 78 and "The guard of a site must ask the program of the same site" in done.stderr


def test_findings_name_the_files_of_debian(directory):
    command = [BINARIES / "linkedin-signin", "print-config", "lighttpd", "--write", "--dry-run"]
    settings = {"PATH": "/usr/bin:/bin", "SIGNIN_BASE_URL": "https://example.com/account"}
    done = subprocess.run(command, capture_output=True, text=True, env=settings)
    paths = {line.removeprefix("+++ ") for line in done.stdout.splitlines() if line.startswith("+++ ")}
    assert paths == {
        "/etc/lighttpd/conf-enabled/09-linkedin-signin-example.com+account-global.conf",
        "/etc/lighttpd/linkedin-signin-example.com+account-site.conf",
        "/etc/lighttpd/linkedin-signin-example.com+account-health.conf",
    }

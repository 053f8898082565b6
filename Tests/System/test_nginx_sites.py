"""Existing sites of nginx that include the files of print-config --write."""

import subprocess
import tempfile
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from harness.browser import NAVIGATION, Browser
from harness.included import IncludedSite, IncludingNginx
from harness.process import free_port, surroundings, wait_until
from harness.raw import NAVIGATING, request, send, status
from harness.recorder import HTTPRecorder, Recorder
from harness.responder import Responder
from harness.site import from_provider
from simulator import Simulator

GUARD = ["--location", "/private", "--location", "/api/"]
# PHP in a nested location, and an HTTP application whose location already sets a header.
LINES = """
        location = /private { include {files}-guard-private.conf; try_files /private/page.html =404; }
        location ^~ /private/ {
            include {files}-guard-private.conf;
            location ~ [.]php$ { include {files}-fastcgi.conf; fastcgi_pass unix:APPLICATION; }
        }
        location ^~ /api/ {
            include {files}-guard-api.conf;
            include {files}-proxy.conf;
            proxy_set_header Host $host;
            proxy_pass http://127.0.0.1:BACKEND;
        }
        location ~ [.]php$ { fastcgi_pass unix:APPLICATION; }
        location /open/ { proxy_set_header Host $host; proxy_pass http://127.0.0.1:BACKEND; }
"""


class Pair:
    """Two sites of one nginx, each with its own instance, and two applications that both use."""

    def __init__(self, directory):
        self.directory = directory

    def __enter__(self):
        with ExitStack() as stack:
            self.application = stack.enter_context(Recorder(self.directory / "application"))
            self.backend = stack.enter_context(HTTPRecorder())
            lines = LINES.replace("APPLICATION", str(self.application.socket)).replace("BACKEND", str(self.backend.port))
            ports = [free_port(), free_port()]
            redirects = [word for port in ports for word in ("--redirect-uri", f"http://localhost:{port}/oauth")]
            simulator = Simulator("--client-id", "demo", "--client-secret", "demo-secret", "--quiet", *redirects)
            self.simulator = stack.enter_context(simulator)
            self.programs, self.sites = [], []
            for port in ports:
                place = self.directory / str(port)
                program = Responder(place, f"http://localhost:{port}", self.simulator.url)
                self.programs.append(stack.enter_context(program))
                self.sites.append(IncludedSite(self.directory, program.socket, GUARD, lines, port))
            self.nginx = stack.enter_context(IncludingNginx(self.directory, self.sites))
            for site in self.sites:
                (site.root / "index.html").write_text("the site's own home")
                (site.root / "private").mkdir()
                (site.root / "private" / "page.html").write_text("for members")
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *details):
        return self._stack.__exit__(*details)

    def sign_in(self, browser, url):
        """Opens a guarded address, consents at the provider and follows the redirects back."""
        answer = browser.get(url)
        assert answer.status == 303 and answer.location.startswith(self.simulator.url), answer
        consented = Browser().post(answer.location, {"member": 1, "decision": "allow"})
        back = browser.get(consented.location, headers=from_provider())
        assert (back.status, back.location) == (303, urlsplit(url).path)
        return browser.follow(back)


@pytest.fixture(scope="module")
def pair():
    # Short: the path of a socket has at most 107 bytes.
    with tempfile.TemporaryDirectory(prefix="signin-") as directory, Pair(Path(directory)) as pair:
        yield pair


def test_each_guard_asks_the_instance_of_its_own_site(pair):
    first, second = pair.sites
    browser = Browser()
    assert pair.sign_in(browser, f"{first.url}/private/page.html").text == "for members"
    # The browser sends its cookie to the other port of this host too.
    assert browser.get(f"{second.url}/private/page.html").status == 303
    assert pair.sign_in(browser, f"{second.url}/private/page.html").text == "for members"
    assert browser.get(f"{first.url}/private/page.html").status == 303, "the session belongs to the other instance"


@pytest.mark.parametrize("number", [0, 1])
def test_one_include_line_passes_the_identity_to_the_application(pair, number):
    site, browser = pair.sites[number], Browser()
    received = pair.sign_in(browser, f"{site.url}/private/page.php").json
    assert received["AUTH_EMAIL"] == "maya.lindqvist@example.com" and received["REMOTE_USER"]
    basic = {**NAVIGATION, "Authorization": "Basic bWFsbG9yeTp4"}
    assert browser.get(f"{site.url}/private/page.php", headers=basic).json["REMOTE_USER"] == received["REMOTE_USER"]
    names = [name for name, _ in pair.application.requests[-1].pairs]
    assert names.count(b"REMOTE_USER") == 1, "with two values, an application could read the client's"
    fields = browser.get(f"{site.url}/api/", headers=NAVIGATION).json
    assert dict(fields)["X-Auth-Email"] == "maya.lindqvist@example.com" and ["Host", "localhost"] in fields


@pytest.mark.parametrize("path", ["/", "/open/", "/page.php", "/private/page.php", "/api/", "/login", "/none"])
def test_an_identity_header_from_a_client_is_rejected_everywhere(pair, path):
    asked = len(pair.backend.requests) + len(pair.application.requests)
    for name in ("X-Auth-Subject", "x-auth-email", "X-AUTH-NAME"):
        for value in ("forged", "0"):
            answer = send(pair.nginx.port, request(path, [*NAVIGATING, (name, value)]))
            assert status(answer) == 400, (name, value)
    assert status(send(pair.nginx.port, request("/private/..%2fopen/", NAVIGATING))) == 400
    assert len(pair.backend.requests) + len(pair.application.requests) == asked


@pytest.mark.parametrize("path", ["/private", "/private/", "/private/page.html"])
def test_a_guarded_address_leads_to_sign_in_with_and_without_a_slash(pair, path):
    browser = Browser()
    answer = pair.sign_in(browser, pair.sites[0].url + path)
    assert answer.status == {"/private": 200, "/private/": 403, "/private/page.html": 200}[path]


def test_the_rest_of_the_site_does_not_change(pair):
    site, browser = pair.sites[0], Browser()
    home = browser.get(f"{site.url}/")
    assert home.text == "the site's own home" and home.header("Cache-Control") == "max-age=2592000"
    assert home.header("Strict-Transport-Security") is None
    # Larger than the limit of the program's own locations.
    assert browser.post(f"{site.url}/none", {"text": "x" * 500_000}).status != 413
    assert browser.get(f"{site.url}/login").header("Cache-Control") == "no-store"
    assert browser.get(f"{site.url}/.linkedin-signin/localhost_{site.port}/private").status == 404
    assert pair.sign_in(browser, f"{site.url}/private/page.html").header("Cache-Control") == "no-cache"


def test_no_log_contains_the_query_of_the_callback(directory):
    with Pair(directory) as pair:
        site = pair.sites[0]
        pair.nginx.expected_errors.append(".")
        browser = Browser()
        for headers in ({}, {"X-Auth-Email": "a"}, {"X-Auth-Email": "0"}):
            browser.get(f"{site.url}/oauth?code=canary&state=canary", headers={**NAVIGATION, **headers})
        pair.programs[0].stop()
        assert browser.get(f"{site.url}/oauth?code=canary&state=canary").status == 502
        browser.post(f"{site.url}/oauth?code=canary", {"text": "x" * 500_000})
        assert browser.get(f"{site.url}/private/page.html").status == 500, "closed while the program is down"
        pair.programs[0].start()
        assert browser.get(f"{site.url}/open/?seen").status == 200
        # nginx writes a line when it has sent the answer.
        wait_until(lambda: "/open/?seen" in pair.nginx.logs(), "the last line of the log")
        assert "canary" not in pair.nginx.logs()
        assert '"GET /oauth HTTP/1.1" 502' in pair.nginx.logs()


def test_nginx_rejects_a_guard_without_the_server_include_file(directory):
    site = IncludedSite(directory, directory / "socket", GUARD[:2], "location /private/ { include {files}-guard-private.conf; }")
    nginx = IncludingNginx(directory, [site])
    command = ["nginx", "-t", "-e", nginx.error_log, "-c", nginx.configuration]
    assert subprocess.run(command, capture_output=True, env=surroundings()).returncode == 0
    nginx.configuration.write_text(nginx.configuration.read_text().replace("-server.conf;", "-none*.conf;"))
    done = subprocess.run(command, capture_output=True, text=True, env=surroundings())
    assert done.returncode == 1 and 'unknown "signin_localhost_' in done.stderr, done.stderr


def test_a_guard_removed_from_print_config_stays_closed(directory):
    old, new = "-guard-private.conf;", "-guard-old.conf;"
    lines = """
        location ^~ /private/ {
            include {files}-guard-private.conf;
            location ~ [.]html$ { }
        }
        location / { try_files $uri /index.html; }
    """

    def answer(asked):
        return b"Status: 200 OK\r\n\r\n" if asked.parameters["SIGNIN_ACTION"] == "authorize" else b"Status: 403 No\r\n\r\n"

    with Recorder(directory / "socket", answer) as recorder:
        site = IncludedSite(directory, recorder.socket, ["--location", "/private/"], lines)
        nginx = IncludingNginx(directory, [site])
        guard = directory / f"snippets/linkedin-signin-localhost_{site.port}-guard-private.conf"
        guard.with_name(guard.name.replace("private", "old")).write_text(guard.read_text().replace("/private/;", "/old/;"))
        text = nginx.configuration.read_text()
        assert old in text
        nginx.configuration.write_text(text.replace(old, new))
        nginx.expected_errors.append(".")
        (site.root / "private").mkdir()
        for name in ("index.html", "private/page.html", "private/index.html"):
            (site.root / name).write_text("open")
        with nginx:
            for path in ("/private/page.html", "/private/", "/private/none"):
                answer = Browser().get(site.url + path)
                assert answer.status in (403, 404, 500) and "open" not in answer.text, (path, answer)

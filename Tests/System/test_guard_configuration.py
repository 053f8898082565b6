"""Guarded locations behind real servers, in the configuration that print-config prints."""

import re
import socket

import pytest

from harness.browser import NAVIGATION, Browser
from harness.fastcgi import AUTHORIZER
from harness.recorder import HTTPRecorder, Recorder
from harness.site import from_provider
from harness.webserver import FRONTS, WebServer

CANARY = "the canary behind the guard"
GUARD = ["--location", "/private/", "--require", "email-domain=example.com"]
RULE = "email-domain=example.com,example.net subject=A,B"
# Every way to write /private/file.txt that a server may take for it.
SPELLINGS = [
    "/private/file.txt",
    "/private/file.txt?a=b",
    "/private/file.txt#a",
    "//private/file.txt",
    "/private//file.txt",
    "/%70rivate/file.txt",
    "/priv%61te/%66ile.txt",
    "/private%2ffile.txt",
    "/private%2Ffile.txt",
    "/%2fprivate/file.txt",
    "/./private/file.txt",
    "/%2e/private/file.txt",
    "/private/./file.txt",
    "/open/../private/file.txt",
    "/open/%2e%2e/private/file.txt",
    "/open/..%2fprivate/file.txt",
    "/open/..//private/file.txt",
    "/open%23/../private/file.txt",
    "/none/../private/file.txt",
    "/private/none/../file.txt",
    "/../private/file.txt",
    "/..//private/file.txt",
    "http://localhost/private/file.txt",
    "http://localhost//private/file.txt",
    "/private/",
]
REFUSED_BY_NGINX = {"/../private/file.txt", "/..//private/file.txt"}
# Ways that lead somewhere else, or nowhere.
OTHERS = [
    "/Private/file.txt",
    "/private;a/file.txt",
    "/private/;a/file.txt",
    "/private%00/file.txt",
    "/private\\file.txt",
    "/private%5cfile.txt",
    "/%2570rivate/file.txt",
    "/open/...//private/file.txt",
    "/private%0a/file.txt",
    "/private",
    "private/file.txt",
    "/privateer/file.txt",
]
# What a client would have to send to be taken for somebody by an application that reads X-Auth-Subject.
FORGED = ["X-Auth-Subject", "X_Auth_Subject", "x-auth-subject", "X-Auth-Email", "X_Auth_Email", "X-Auth-Name", "X_Auth_Name"]
FORGED_AT_NGINX = [*FORGED, "X.Auth.Subject", "X-Auth_Subject", "X_Auth-Email", "X.Auth-Email", "X!Auth!Subject"]


def guarding(request):
    """Says 200 to a visitor with a cookie, and 401 to one without."""
    if request.parameters.get("HTTP_COOKIE") != "in=1":
        return b"Status: 401 Unauthorized\r\n\r\n"
    return b"Status: 200 OK\r\n\r\n"


@pytest.fixture(params=["nginx", "lighttpd"])
def recorded(request, directory):
    """A server that guards /private/ and asks a recorder."""
    guard = ["--location", "/private/", "--require", RULE]
    with Recorder(directory / "socket", guarding) as recorder:
        with WebServer(request.param, directory / "front", recorder.socket, guard=guard) as server:
            server.expected_errors.append(r"auth request unexpected status|string:")
            fill(server)
            yield server, recorder


def fill(server):
    for name in ("private", "privateer", "open"):
        (server.directory / "site" / name).mkdir(parents=True)
    for name in ("private/file.txt", "private/index.html", "private/page.php"):
        (server.directory / "site" / name).write_text(CANARY)
    for name in ("privateer/file.txt", "open/file.txt"):
        (server.directory / "site" / name).write_text("for everybody")


def ask(port, target, cookie=""):
    """A request whose target is sent as it is."""
    with socket.create_connection(("127.0.0.1", port)) as peer:
        peer.settimeout(10)
        head = f"GET {target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{cookie}\r\n"
        peer.sendall(head.encode())
        answer = b""
        while piece := peer.recv(65536):
            answer += piece
    return int(answer.split()[1]), CANARY.encode() in answer


def test_no_spelling_of_a_path_leads_past_the_guard(recorded):
    server, recorder = recorded
    for target in SPELLINGS + OTHERS:
        assert not ask(server.port, target)[1], target
    asked = [request.parameters for request in recorder.requests if request.parameters["REQUEST_URI"] in SPELLINGS]
    assert asked and all(parameters["SIGNIN_REQUIRE"] == RULE for parameters in asked)


def test_guard_is_asked_with_the_rule_whatever_the_spelling(recorded):
    server, recorder = recorded
    elsewhere = set()
    for target in SPELLINGS:
        recorder.requests.clear()
        status, is_served = ask(server.port, target, "Cookie: in=1\r\n")
        if not is_served:
            elsewhere.add(target)
            continue
        # nginx asks again for the index of a directory.
        assert recorder.requests, target
        for question in recorder.requests:
            assert question.parameters["SIGNIN_REQUIRE"] == RULE, target
            action = "authorize" if server.kind == "nginx" else None
            assert question.parameters.get("SIGNIN_ACTION") == action and question.body == b""
            assert (question.role == AUTHORIZER) == (server.kind == "lighttpd")
    assert elsewhere == (REFUSED_BY_NGINX if server.kind == "nginx" else set())


def test_guarded_file_is_asked_for_again_by_every_cache(recorded):
    server, _ = recorded
    answer = Browser().get(f"http://localhost:{server.port}/private/file.txt", headers={"Cookie": "in=1"})
    assert answer.status == 200 and answer.header("Cache-Control") in ("no-cache", "max-age=0")


def test_php_location_of_the_site_takes_nothing_from_the_guard(directory):
    def edit(text):
        return text.replace("    root ", "    location ~ [.]php$ { }\n    root ", 1)

    with Recorder(directory / "socket", guarding) as recorder:
        with WebServer("nginx", directory / "front", recorder.socket, edit=edit) as server:
            fill(server)
            assert not ask(server.port, "/private/page.php")[1]
            assert len(recorder.requests) == 2


def test_what_is_beside_the_guarded_location_is_open(recorded):
    server, recorder = recorded
    assert ask(server.port, "/privateer/file.txt") == (200, False)
    assert ask(server.port, "/open/file.txt") == (200, False)
    assert not recorder.requests


@pytest.fixture(params=FRONTS)
def guarded(request, make_site, directory):
    """A site whose application prints its environment, behind a guard for whose e-mail is at example.com."""
    with Recorder(directory / "application") as application:

        def edit(text):
            return with_application(text, "2", "/run/application/socket", application.socket)

        with make_site(front=request.param, guard=GUARD, edit=edit) as site:
            yield site, application


def with_application(text, way, example, address):
    """The printed configuration with one of its commented ways to reach an application turned on."""
    lines = []
    current = None
    for line in text.splitlines():
        bare = line.strip()
        if found := re.match(r"# (\d)\. ", bare):
            current = found[1]
        elif bare == "}":
            current = None
        is_setting = bare.startswith("#") and not bare.startswith("# ")
        if is_setting and (current == way or bare.startswith('#"/private/"')):
            line = line.replace("#", "", 1).replace(example, str(address))
        lines.append(line)
    assert str(address) in "\n".join(lines)
    return "\n".join(lines) + "\n"


def test_visitor_signs_in_on_the_way_and_the_application_learns_who(guarded):
    site, application = guarded
    browser = site.browser()
    page = f"{site.url}/private/page?a=b%20c"
    answer = browser.get(page)
    assert answer.status == 303 and answer.location.startswith(site.simulator.url), answer
    assert answer.header("Cache-Control") == "no-store"
    assert not application.requests
    back = browser.get(site.consent(answer.location), headers=from_provider())
    assert (back.status, back.location) == (303, "/private/page?a=b%20c")
    environment = dict(browser.follow(back).json)
    assert environment["REQUEST_URI"] == "/private/page?a=b%20c"
    assert environment["REMOTE_USER"] and environment["AUTH_EMAIL"].endswith("@example.com")
    assert environment["AUTH_NAME"] == "Maya Lindqvist"


def test_no_header_of_a_client_becomes_an_identity(guarded):
    site, application = guarded
    browser = site.browser()
    site.sign_in(browser)
    genuine = browser.get(f"{site.url}/private/").json
    names = FORGED if site.front == "lighttpd" else FORGED_AT_NGINX
    forged = {name: "forged" for name in [*names, "Proxy", "Remote-User", "Auth-Email"]}
    for headers in (forged, *({name: "forged"} for name in forged)):
        environment = browser.get(f"{site.url}/private/", headers={**NAVIGATION, **headers}).json
        got = {name for name, value in environment.items() if value == "forged"}
        assert got <= {"HTTP_REMOTE_USER", "HTTP_AUTH_EMAIL"}, headers
        for name in ("REMOTE_USER", "AUTH_EMAIL", "AUTH_NAME"):
            assert environment[name] == genuine[name], headers


def test_member_who_is_not_admitted_is_told_so(guarded):
    site, application = guarded
    browser = site.browser()
    site.sign_in(browser, member=3)
    answer = browser.get(f"{site.url}/private/page")
    assert answer.status == 403 and answer.is_html
    assert answer.header("Cache-Control") == "no-store"
    assert not application.requests


def test_large_form_of_a_member_reaches_the_application_and_no_other_does(guarded):
    site, application = guarded
    browser = site.browser()
    # Larger than any form of linkedin-signin, and than what its own locations take.
    answer = browser.post(f"{site.url}/private/form", {"text": "x" * 500_000})
    assert answer.status == 401 and not application.requests
    site.sign_in(browser)
    answer = browser.post(f"{site.url}/private/form", {"text": "x" * 500_000})
    assert answer.status == 200 and len(application.requests[-1].body) == 500_005


def test_application_on_http_learns_who_from_nginx_alone(make_site):
    with HTTPRecorder() as application:

        def edit(text):
            return with_application(text, "3", "127.0.0.1:3000", f"127.0.0.1:{application.port}")

        with make_site(front="nginx", guard=GUARD, edit=edit) as site:
            browser = site.browser()
            assert browser.get(f"{site.url}/private/page").status == 303 and not application.requests
            site.sign_in(browser)
            forged = {name: "forged" for name in [*FORGED_AT_NGINX, "Proxy"]}
            for headers in (forged, *({name: "forged"} for name in forged)):
                got = browser.get(f"{site.url}/private/page", headers={**NAVIGATION, **headers}).json
                assert "forged" not in [value for _, value in got], headers
                fields = dict(got)
                assert fields["X-Auth-Subject"] and fields["X-Auth-Email"] == "maya.lindqvist@example.com"
                assert fields["X-Auth-Name"] == "Maya Lindqvist"

"""What is guarded in the configuration that print-config prints: every spelling of a path, and no other path."""

import re
import socket

import pytest

from harness.browser import Browser
from harness.guarding import replaced
from harness.included import IncludedSite, IncludingNginx
from harness.recorder import Recorder
from harness.records import AUTHORIZER
from harness.site import from_provider
from harness.webserver import WebServer

CANARY = "the canary behind the guard"
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
# Both servers refuse them, for they would hand them to an application as they were sent.
WITH_DOT_SEGMENTS = {target for target in SPELLINGS if re.search(r"(?:/|%2f)(?:\.|%2e){1,2}/|/\.\.%2f", target)}
# lighttpd refuses them with the same option.
WITH_TWO_SLASHES = {target for target in SPELLINGS if re.search(r"(?:/|%2f){2}", target.removeprefix("http://"))}
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


def guarding(request):
    """Says 200 to a visitor with a cookie, and 401 to one without."""
    if request.parameters.get("HTTP_COOKIE") != "in=1":
        return b"Status: 401 Unauthorized\r\n\r\n"
    return b"Status: 200 OK\r\n\r\n"


# A location of the site takes files of the guarded one, and a nested one sets what it likes.
INCLUDED = """
        location ^~ /private/ {
            include {files}-guard-private.conf;
            location ~ [.]txt$ { set $anything 1; }
        }
        location ~ [.](php|txt)$ { }
"""


@pytest.fixture(params=["nginx", "nginx-included", "lighttpd"])
def recorded(request, directory):
    """A server that guards /private/ and asks a recorder."""
    guard = ["--location", "/private/", "--require", RULE]
    with Recorder(directory / "socket", guarding) as recorder:
        if request.param == "nginx-included":
            site = IncludedSite(directory, recorder.socket, guard, INCLUDED)
            with IncludingNginx(directory, [site]) as server:
                server.expected_errors.append(r"auth request unexpected status|string:")
                fill(site.root)
                yield server, recorder
            return
        with WebServer(request.param, directory / "front", recorder.socket, guard=guard) as server:
            server.expected_errors.append(r"auth request unexpected status|string:")
            fill(server.directory / "site")
            yield server, recorder


def fill(root):
    for name in ("private", "privateer", "open"):
        (root / name).mkdir(parents=True)
    for name in ("private/file.txt", "private/index.html", "private/page.php"):
        (root / name).write_text(CANARY)
    for name in ("privateer/file.txt", "open/file.txt"):
        (root / name).write_text("for everybody")


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
    assert len(WITH_DOT_SEGMENTS) >= 12
    assert elsewhere == WITH_DOT_SEGMENTS | (WITH_TWO_SLASHES if server.kind == "lighttpd" else set())


def test_guarded_file_is_asked_for_again_by_every_cache(recorded):
    server, _ = recorded
    answer = Browser().get(f"http://localhost:{server.port}/private/file.txt", headers={"Cookie": "in=1"})
    assert answer.status == 200 and answer.header("Cache-Control") in ("no-cache", "max-age=0")


def test_php_location_of_the_site_takes_nothing_from_the_guard(directory):
    def edit(text):
        return replaced(text, "    root ", "    location ~ [.]php$ { }\n    root ")

    with Recorder(directory / "socket", guarding) as recorder:
        with WebServer("nginx", directory / "front", recorder.socket, edit=edit) as server:
            fill(server.directory / "site")
            assert not ask(server.port, "/private/page.php")[1]
            assert len(recorder.requests) == 2


def test_what_is_beside_the_guarded_location_is_open(recorded):
    server, recorder = recorded
    assert ask(server.port, "/privateer/file.txt") == (200, False)
    assert ask(server.port, "/open/file.txt") == (200, False)
    assert not recorder.requests


@pytest.mark.parametrize("position", ["first", "further"])
@pytest.mark.parametrize("front", ["nginx", "lighttpd"])
def test_location_without_a_slash_is_the_path_and_what_is_below(front, position, directory):
    guard = ["--location", "/private", "--location", "/single.txt", "--require", RULE]
    guard = guard if position == "first" else ["--location", "/z/", *guard]
    with Recorder(directory / "socket", guarding) as recorder:
        with WebServer(front, directory / "front", recorder.socket, guard=guard) as server:
            fill(server.directory / "site")
            place = server.directory / "site"
            for name in ("single.txt", "singlextxt", "single.txt.old"):
                (place / name).write_text(CANARY if name == "single.txt" else "for everybody")
            for path in ("/private", "/private?a", "/%70rivate", "/private/file.txt", "/private/none"):
                assert ask(server.port, path) == (401, False), path
            asked = len(recorder.requests)
            assert asked and all(request.parameters["SIGNIN_REQUIRE"] == RULE for request in recorder.requests)
            for path in ("/privateer/file.txt", "/open/file.txt", "/singlextxt", "/single.txt.old"):
                assert ask(server.port, path) == (200, False), path
            assert len(recorder.requests) == asked
            assert ask(server.port, "/single.txt") == (401, False)
            assert ask(server.port, "/single.txt", "Cookie: in=1\r\n") == (200, True)
            assert ask(server.port, "/private", "Cookie: in=1\r\n")[0] == 301, "a directory"


@pytest.mark.parametrize("front", ["nginx", "lighttpd"])
def test_routes_are_below_the_prefix_and_nowhere_else(front, directory):
    options = ["--prefix", "/my.account", "--location", "/private/"]
    with Recorder(directory / "socket") as recorder:
        with WebServer(front, directory / "front", recorder.socket, guard=options) as server:
            routes = ["/", "/login", "/oauth?code=a", "/profile", "/logout", "/session"]
            for route in routes:
                assert ask(server.port, f"/my.account{route}")[0] == 200
            asked = [request.parameters["REQUEST_URI"] for request in recorder.requests]
            assert asked == [f"/my.account{route}" for route in routes]
            for path in ("/login", "/myxaccount/login", "/my.account/auth", "/auth", "/my.account/login/", "/my.account"):
                assert ask(server.port, path)[0] in (301, 403, 404), path
            assert len(recorder.requests) == len(routes)


@pytest.mark.parametrize("front", ["nginx", "lighttpd"])
def test_guard_of_the_whole_site_leaves_the_way_in_open(make_site, front):
    with make_site(front=front, guard=["--location", "/", "--require", "email-domain=example.com"]) as site:
        fill(site.server.directory / "site")
        browser = site.browser()
        assert browser.get(f"{site.url}/").status == 200
        answer = browser.get(f"{site.url}/open/file.txt")
        assert answer.status == 303
        back = browser.get(site.consent(answer.location), headers=from_provider())
        assert browser.follow(back).text == "for everybody"
        assert site.sign_out(browser).status == 303
        assert browser.get(f"{site.url}/open/file.txt").status == 303

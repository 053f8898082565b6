"""The path of a guarded location: no spelling of it bypasses the guard, and no other path is guarded."""

import re
import socket
from concurrent.futures import ThreadPoolExecutor
from itertools import product

import pytest

from corpus.paths import PATH, spellings
from harness.browser import Browser
from harness.guarded import GUARDS, canary
from harness.guarding import replaced
from harness.included import IncludedSite, IncludingNginx
from harness.raw import NAVIGATING, cookies, request, send, status
from harness.recorder import Recorder
from harness.records import AUTHORIZER
from harness.site import from_provider
from harness.webserver import WebServer

ALL = list(dict.fromkeys(spellings()))


@pytest.fixture(scope="module")
def answers(guarded_alone):
    """The responses to every spelling: for Maya, for another member and without a session."""
    clients = {"maya": guarded_alone.member(1), "else": guarded_alone.member(4), "nobody": guarded_alone.browser()}
    guarded_alone.responder.expected_errors.append("rule-missing")
    guarded_alone.server.expected_errors.append("invalid|failed|not found|forbidden")
    fields = {name: [*NAVIGATING, *cookies(browser)] for name, browser in clients.items()}
    with ThreadPoolExecutor(8) as pool:
        asked = {
            (name, path): pool.submit(send, guarded_alone.port, request(path, fields[name]))
            for name, path in product(clients, ALL)
        }
        return {key: future.result() for key, future in asked.items()}


def reads(answer):
    return canary("maya") in answer


def test_no_spelling_of_a_path_opens_the_file_to_others(answers):
    assert len(ALL) >= 300
    for path in ALL:
        for client in ("else", "nobody"):
            assert canary("maya") not in answers[client, path], (client, path)
            # No byte of the file, and the same response as for a missing file, wherever the member can read it.
            if reads(answers["maya", path]):
                assert status(answers[client, path]) in ((303, 401) if client == "nobody" else (403,)), (client, path)


def test_many_spellings_of_a_path_open_the_file_to_the_member(answers):
    found = {path for path in ALL if reads(answers["maya", path])}
    assert len(found) > 30, "otherwise nothing was tested"
    assert {"/%6daya/canary.txt", "/maya%2fcanary.txt"} <= found


def test_a_path_with_dot_segments_is_rejected_for_everyone(answers, guarded_alone):
    """An application would receive the path unchanged and could resolve it differently from the web server."""
    for path, client in product(ALL, ("maya", "nobody")):
        plain = re.sub("%2e", ".", re.split("[?]", path)[0], flags=re.IGNORECASE) + " "
        if path.startswith("/") and re.search(r"(/|%2f|\\|%5c)\.\.?(/|%2f|\\|%5c|[;# ])", plain, re.IGNORECASE):
            assert status(answers[client, path]) in (400, 403, 404), (client, path)


@pytest.mark.parametrize("method", [b"HEAD", b"POST", b"OPTIONS", b"PROPFIND", b"get", b"QUERY"])
def test_no_request_method_opens_the_file(guarded_alone, method):
    for path in (PATH, "//maya/./canary.txt", "/anyone/%2e%2e/maya/canary.txt"):
        answer = send(guarded_alone.port, request(path, NAVIGATING, method, body=b"a=b" if method == b"POST" else b""))
        assert status(answer) >= 300 and canary("maya") not in answer
        assert f"Content-Length: {len(canary('maya'))}\r\n".encode() not in answer


CANARY = "the canary behind the guard"
RULE = "email-domain=example.com,example.net subject=A,B"
# Spellings that a web server can resolve to /private/file.txt.
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
# Both web servers reject these, because an application would receive them unchanged.
WITH_DOT_SEGMENTS = {target for target in SPELLINGS if re.search(r"(?:/|%2f)(?:\.|%2e){1,2}/|/\.\.%2f", target)}
# nginx rejects two slashes at the beginning, where they begin a host in a URL; lighttpd rejects them everywhere.
WITH_TWO_SLASHES = {
    "nginx": {target for target in SPELLINGS if re.match(r"(?:http://localhost)?/(?:/|%2f)", target)},
    "lighttpd": {target for target in SPELLINGS if re.search(r"(?:/|%2f){2}", target.removeprefix("http://"))},
}
# Paths that lead to another file or to none.
ELSEWHERE = [
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
    """Answers 200 to a visitor with a cookie and 401 to others."""
    if request.parameters.get("HTTP_COOKIE") != "in=1":
        return b"Status: 401 Unauthorized\r\n\r\n"
    return b"Status: 200 OK\r\n\r\n"


# One location of the site matches files of the guarded one; a nested location sets a variable.
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
    """Sends a request with an unchanged target."""
    with socket.create_connection(("127.0.0.1", port)) as peer:
        peer.settimeout(10)
        head = f"GET {target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{cookie}\r\n"
        peer.sendall(head.encode())
        answer = b""
        while piece := peer.recv(65536):
            answer += piece
    return int(answer.split()[1]), CANARY.encode() in answer


def test_no_spelling_of_a_path_bypasses_the_guard(recorded):
    server, recorder = recorded
    for target in SPELLINGS + ELSEWHERE:
        assert not ask(server.port, target)[1], target
    asked = [request.parameters for request in recorder.requests if request.parameters["REQUEST_URI"] in SPELLINGS]
    assert asked and all(parameters["SIGNIN_REQUIRE"] == RULE for parameters in asked)


def test_the_guard_receives_the_rule_for_every_spelling(recorded):
    server, recorder = recorded
    unserved = set()
    for target in SPELLINGS:
        recorder.requests.clear()
        status, is_served = ask(server.port, target, "Cookie: in=1\r\n")
        if not is_served:
            unserved.add(target)
            continue
        # nginx asks a second time for the index of a directory.
        assert recorder.requests, target
        for question in recorder.requests:
            assert question.parameters["SIGNIN_REQUIRE"] == RULE, target
            action = "authorize" if server.kind == "nginx" else None
            assert question.parameters.get("SIGNIN_ACTION") == action and question.body == b""
            assert (question.role == AUTHORIZER) == (server.kind == "lighttpd")
    assert len(WITH_DOT_SEGMENTS) >= 12
    assert unserved == WITH_DOT_SEGMENTS | WITH_TWO_SLASHES[server.kind] and len(WITH_TWO_SLASHES[server.kind]) >= 3


def test_caches_revalidate_a_guarded_file(recorded):
    server, _ = recorded
    answer = Browser().get(f"http://localhost:{server.port}/private/file.txt", headers={"Cookie": "in=1"})
    assert answer.status == 200 and answer.header("Cache-Control") in ("no-cache", "max-age=0")


def test_a_php_location_of_the_site_does_not_bypass_the_guard(directory):
    def edit(text):
        return replaced(text, "    root ", "    location ~ [.]php$ { }\n    root ")

    with Recorder(directory / "socket", guarding) as recorder:
        with WebServer("nginx", directory / "front", recorder.socket, edit=edit) as server:
            fill(server.directory / "site")
            assert not ask(server.port, "/private/page.php")[1]
            assert len(recorder.requests) == 2


def test_files_outside_the_guarded_location_are_open(recorded):
    server, recorder = recorded
    assert ask(server.port, "/privateer/file.txt") == (200, False)
    assert ask(server.port, "/open/file.txt") == (200, False)
    assert not recorder.requests


@pytest.mark.parametrize("front", GUARDS)
def test_a_redirect_of_the_whole_configuration_to_the_path_with_a_slash_names_no_host(front, make_guarded):
    with make_guarded(front) as site:
        # An application on FastCGI, one on HTTP, and a directory.
        for name in ("app", "other", "member"):
            answer = send(site.port, request(f"/{name}?a=b", host="evil.example:1"))
            assert status(answer) == 301 and f"\r\nLocation: /{name}/?a=b\r\n".encode() in answer, answer


@pytest.mark.parametrize("position", ["first", "further"])
@pytest.mark.parametrize("front", ["nginx", "lighttpd"])
def test_a_location_without_a_slash_guards_the_path_and_everything_below(front, position, directory):
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
def test_routes_exist_only_below_the_prefix(front, directory):
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
def test_guarding_the_whole_site_leaves_the_sign_in_open(make_site, front):
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

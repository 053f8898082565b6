"""No request target opens a guarded page of an application that reads the target as a URL."""

from concurrent.futures import ThreadPoolExecutor
from itertools import product

import pytest

from corpus.paths import HOSTS, targets
from harness.raw import NAVIGATING, request, send, status
from harness.recorder import Recorder
from harness.routers import APPLICATIONS, PAGE, Router
from harness.webserver import WebServer

ALL = list(dict.fromkeys(targets("private", "x")))
# Targets that the applications themselves read as the guarded page, although they are not its path.
READ = {
    "node": ["//e/private/x", "/\\e/private/x", "/private\\x", "//e:80/private/x", "/\\/e/private/x", "http://h//e/private/x"],
    "python": ["//e/private/x", "//e:80/private/x", "//@/private/x"],
    "php": ["//e/private/x", "//e:80/private/x", "/%2fe/private/x"],
}


def guarding(asked):
    """Answers 200 to a visitor with a cookie and 401 to others."""
    return b"Status: 200 OK\r\n\r\n" if asked.parameters.get("HTTP_COOKIE") == "in=1" else b"Status: 401 Unauthorized\r\n\r\n"


@pytest.fixture(params=product(["nginx", "lighttpd"], APPLICATIONS), ids="-".join)
def routed(request, directory):
    """A web server that guards /private/ and passes all other requests to the same application."""
    kind, name = request.param
    with Router(name, directory) as router, Recorder(directory / "socket", guarding) as recorder:
        server = WebServer(
            kind, directory / "front", recorder.socket, guard=["--location", "/private/", "--require", "member"],
            edit=lambda text: router.with_routes(kind, text),
        )
        server.expected_errors.append("invalid|client sent|string:|host")
        with server:
            yield server, router


def shows(answer):
    return PAGE.encode() in answer


def test_no_target_opens_a_guarded_page_without_a_session(routed):
    server, router = routed
    hosts = [host.format(path) for host in HOSTS for path in ("/private/x", "\\private\\x", "%5cprivate%5cx")]
    asked = [(target, "localhost") for target in ALL] + [("/open", host) for host in hosts]
    assert len(asked) > 600
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda each: send(server.port, request(each[0], NAVIGATING, host=each[1])), asked))
    opened = [each for each, answer in zip(asked, answers) if shows(answer)]
    assert opened == []
    # The same application shows the page to a member, and an open page to everyone.
    assert shows(send(server.port, request("/private/x", [("Cookie", "in=1")])))
    assert b"open to everyone" in send(server.port, request("/open"))
    if router.protocol == "http":
        for target in READ[router.language]:
            assert shows(send(router.address, request(target))) == (not target.startswith("http:")), target


def test_a_web_server_refuses_what_an_application_could_read_as_another_path(routed):
    server, router = routed
    refused = {"nginx": [400], "lighttpd": [400, 403]}[server.kind]
    for target in READ[router.language] + ["/a\\b", "/a%5cb?c", "/%2Fa"]:
        assert status(send(server.port, request(target))) in refused, target
    for target in ("/a?b=//c\\d", "/a//b", "/a?//e/private/x", "/a/b%2fc"):
        assert status(send(server.port, request(target))) in (200, 400 if server.kind == "lighttpd" else 200), target

"""What the printed configuration of lighttpd rejects, leaves unchanged and keeps out of the logs."""

import subprocess
from collections import Counter
from contextlib import ExitStack
from itertools import product
from urllib.parse import parse_qs, urlsplit

import pytest

from harness.raw import NAVIGATING, request, send, status
from harness.recorder import Recorder
from harness.records import AUTHORIZER
from harness.site import Site
from harness.webserver import WebServer

CANARY = "what only members may read"
CODE = "the-code-that-no-log-may-hold"
IDENTITY = [
    f"X{first}Auth{second}{name}"
    for name, first, second in product(("Subject", "Email", "Name", "Groups"), ("-", "_", "."), ("-", "_", "."))
]


def ask(port, target, headers=()):
    answer = send(port, request(target, [*NAVIGATING, *headers]))
    return status(answer), answer


def fill(server):
    for place, text in (("private", CANARY), ("open", "for everybody")):
        (server.directory / "site" / place).mkdir()
        (server.directory / "site" / place / "file.txt").write_text(text)
    (server.directory / "site/open.html").write_text("for everybody")


@pytest.fixture(scope="module")
def lighttpd(tmp_path_factory):
    """lighttpd with a guard that admits nobody and an application for every other address."""

    def answer(asked):
        if asked.role == AUTHORIZER:
            return b"Status: 401 Unauthorized\r\nContent-Type: text/plain\r\n\r\nno"
        return b"Status: 200 OK\r\nContent-Type: text/plain\r\n\r\n" + CANARY.encode()

    directory = tmp_path_factory.mktemp("l")
    with Recorder(directory / "s", answer) as recorder:
        everything = f'$HTTP["url"] !~ "^/(private|open)" {{ fastcgi.server = ( "/" => (( "socket" => "{directory}/s", '
        everything += '"check-local" => "disable" )) ) }\n'

        def edit(text):
            # The site's own configuration comes first, as in a site that includes the printed files last.
            return text.replace("# Rejected everywhere", everything + "# Rejected everywhere", 1)

        with WebServer("lighttpd", directory / "front", recorder.socket, edit=edit) as server:
            fill(server)
            yield server, recorder


@pytest.mark.parametrize("target", ["/open.html?q=really?", "/open.html?a?b?c", "/open.html??", "/open/file.txt?x=/..?"])
def test_a_question_mark_in_a_query_does_not_change_the_path(lighttpd, target):
    server, _ = lighttpd
    code, answer = ask(server.port, target)
    assert code == 200 and b"for everybody" in answer


def test_a_return_path_with_a_query_is_kept(directory):
    with Site(directory, "lighttpd") as site:
        browser = site.browser()
        answer = browser.get(f"{site.url}/login?return_to=/a?b")
        assert answer.status == 303
        state = parse_qs(urlsplit(answer.location).query)["state"]
        assert state
        back = browser.get(site.consent(answer.location))
        assert (back.status, back.location) == (303, "/a?b")


REFUSED = [
    "/private/secret/..%2f..%2fopen", "/private/../open/file.txt", "/open/..%2Fprivate/file.txt", "/open/./file.txt",
    "/open/%2e%2e/private/file.txt", "/..", "/open/..", "/open/.", "/open/..%5cprivate/file.txt", "/open\\..\\private",
    "/open/..;/private/file.txt", "/open/..;a=b/private/file.txt", "/x%2f..%2fprivate/file.txt", "/open/..%23/a",
    "/open/..%3f/a",
]


@pytest.mark.parametrize("target", REFUSED)
def test_a_path_with_dot_segments_is_rejected(lighttpd, target):
    server, recorder = lighttpd
    recorder.requests.clear()
    code, answer = ask(server.port, target)
    assert code in (400, 403) and CANARY.encode() not in answer and not recorder.requests


@pytest.mark.parametrize("target", ["/private/file.txt?/../../open?", "/private/secret?/../../open?", "/private/file.txt?/.."])
def test_dot_segments_in_a_query_do_not_change_the_path(lighttpd, target):
    server, recorder = lighttpd
    recorder.requests.clear()
    assert ask(server.port, target)[0] == 401
    assert [asked.role for asked in recorder.requests] == [AUTHORIZER]


@pytest.mark.parametrize("target", ["/open/..file.txt", "/open/a..", "/open/...", "/open/.file", "/open/file.txt?a=../b"])
def test_dots_within_names_are_not_dot_segments(lighttpd, target):
    server, _ = lighttpd
    assert ask(server.port, target)[0] in (200, 404)


@pytest.mark.parametrize("name", [*IDENTITY, "x-auth-subject", "X-AUTH-NAME"])
def test_an_identity_header_from_a_client_is_rejected_everywhere(lighttpd, name):
    server, recorder = lighttpd
    recorder.requests.clear()
    for target in ("/open/file.txt", "/private/file.txt", "/application", "/login"):
        assert ask(server.port, target, [(name, "Mallory")])[0] == 403, target
    assert not recorder.requests


def test_headers_similar_to_identity_headers_pass(lighttpd):
    server, recorder = lighttpd
    fields = [("X-Auth", "a"), ("X-Auth-Token", "a"), ("Authorization", "Basic YTpi"), ("X-Auth-Subjects", "a"), ("X-Auth-Name", "")]
    for field in fields:
        recorder.requests.clear()
        assert ask(server.port, "/application", [field])[0] == 200, field
        assert recorder.requests


def without_format(text):
    """Removes the format of the access log, so lighttpd uses its default."""
    return "\n".join(line for line in text.split("\n") if not line.startswith("accesslog.format"))


@pytest.mark.parametrize("prefix", ["", "/my.account"])
@pytest.mark.parametrize("is_down", [False, True], ids=["running", "down"])
def test_no_log_contains_the_query_of_the_callback(directory, prefix, is_down):
    guard = ["--prefix", prefix] if prefix else []
    with ExitStack() as stack:
        if not is_down:
            stack.enter_context(Recorder(directory / "s"))
        server = WebServer("lighttpd", directory / "front", directory / "s", guard=guard, edit=without_format)
        stack.enter_context(server)
        server.expected_errors.append("all handlers|establishing connection|refused|No such file|is down|disabled")
        expected = 503 if is_down else 200
        for target in (f"{prefix}/oauth", f"{prefix}/%6fauth"):
            for _ in range(3):
                assert ask(server.port, f"{target}?code={CODE}&state=x")[0] == expected
        assert ask(server.port, f"{prefix}/session?seen=yes")[0] == expected
        server.process.stop()
        logs = {path.name: path.read_text(errors="replace") for path in server.directory.glob("*.log")}
    assert f"GET {prefix}/session?seen=yes" in logs["lighttpd-access.log"], "other lines are unchanged"
    assert f"GET {prefix}/oauth HTTP/1.1" in logs["lighttpd-access.log"]
    assert not [name for name, text in logs.items() if CODE in text], logs


@pytest.mark.parametrize("front", ["nginx", "lighttpd"])
def test_the_prefix_without_its_slash_leads_to_the_home_page(directory, front):
    with Recorder(directory / "s") as recorder:
        with WebServer(front, directory / "front", recorder.socket, guard=["--prefix", "/my.account"]) as server:
            for query in ("", "?a=b", "?a=/x?y"):
                code, answer = ask(server.port, f"/my.account{query}")
                location = answer.split(b"ocation: ")[1].split(b"\r\n")[0].decode()
                place = urlsplit(location)
                assert code == 301
                assert (place.path, place.query) == ("/my.account/", query[1:])
                assert place.netloc in ("", f"localhost:{server.port}", "localhost")
            assert not recorder.requests
            assert ask(server.port, "/my.accountant")[0] == 404


def curl(url, *options):
    form = ["--silent", "--insecure", "--http2", "--output", "/dev/null", "--write-out", "%{http_code}"]
    done = subprocess.run(["curl", *form, *options, url], capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout


def test_curl_gets_a_response_to_every_http_2_upload(directory, certificate):
    """200 requests, most with a body: curl 7.88 loses a response that arrives before the body was sent."""
    body = directory / "body"
    body.write_bytes(b"a" * 1_000_000)
    with Site(directory, "lighttpd", certificate=certificate) as site:
        fill(site.server)
        upload = ["--data-binary", f"@{body}"]
        small = ["--data", "a=b"]
        asked = [
            ("/private/file.txt", upload, "401"),
            ("/private/file.txt", ["--upload-file", body], "401"),
            ("/private/file.txt", small, "401"),
            ("/open/file.txt", small, "200"),
            ("/open/file.txt", [], "200"),
            ("/logout", small, "303"),
            ("/session", [], "200"),
            ("/private/file.txt", ["--data", "a=b", "--http1.1"], "401"),
        ]
        for path, options, expected in asked:
            answers = Counter(curl(f"{site.url}{path}", *options) for _ in range(25))
            assert answers == {(0, expected): 25}, (path, options)


UPLOAD = """
const done = arguments[arguments.length - 1];
const protocol = () => performance.getEntriesByType("resource").at(-1).nextHopProtocol;
fetch(arguments[0], {method: "POST", body: new Uint8Array(1000000)})
    .then((answer) => answer.text().then(() => done([answer.status, protocol()])), (error) => done([String(error)]));
"""


def with_http_2(text):
    line = 'server.feature-flags = ( "server.h2proto" => "disable" )\n'
    assert text.count(line) == 1
    return text.replace(line, "")


def test_chromium_shows_the_answer_to_an_upload_that_lighttpd_answers_early_over_http_2(chromium, directory, certificate):
    """The session has ended, so the guard answers before the body has arrived; curl 7.88 loses this answer."""
    with Site(directory, "lighttpd", certificate=certificate, edit=with_http_2) as site:
        fill(site.server)
        chromium.open(f"{site.url}/open/file.txt")
        chromium.driver.add_cookie({"name": "__Host-session", "value": "A" * 43, "secure": True, "path": "/"})
        answers = [chromium.driver.execute_async_script(UPLOAD, "/private/file.txt") for _ in range(10)]
        assert answers == [[401, "h2"]] * 10

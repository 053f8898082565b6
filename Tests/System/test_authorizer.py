"""Locations behind lighttpd's authorizer and nginx's auth_request stay closed when the program fails."""

import os
import signal

import pytest

from harness.browser import Browser
from harness.process import BINARIES, Process, free_port
from harness.responder import Responder

CANARY = "the canary that nobody may hear"
FAILURES = ["at-once", "after-waiting", "while-answering", "cancelled", "header-too-long"]

LIGHTTPD = """
server.document-root = "{root}"
server.port = {port}
server.bind = "127.0.0.1"
server.modules = ("mod_fastcgi")
server.errorlog = "{directory}/lighttpd-error.log"
mimetype.assign = (".txt" => "text/plain")
fastcgi.server = ("/" => (("socket" => "{socket}", "mode" => "authorizer", "check-local" => "disable")))
"""

NGINX = """
daemon off;
worker_processes 1;
pid {directory}/nginx.pid;
error_log {directory}/nginx-error.log;
{user}
events {{}}
http {{
    access_log off;
    client_body_temp_path {directory}/body;
    fastcgi_temp_path {directory}/fastcgi;
    proxy_temp_path {directory}/proxy;
    uwsgi_temp_path {directory}/uwsgi;
    scgi_temp_path {directory}/scgi;
    server {{
        listen 127.0.0.1:{port};
        root {root};
        location / {{ auth_request /check; }}
        location = /check {{
            internal;
            fastcgi_pass unix:{socket};
            fastcgi_pass_request_body off;
            fastcgi_param REQUEST_METHOD GET;
            fastcgi_param SCRIPT_NAME $request_uri;
        }}
    }}
}}
"""


def guard(kind, directory, socket):
    """A web server that asks the listener of a socket before it serves a file with a canary."""
    root = directory / "root"
    root.mkdir()
    for name in ["allowed", *FAILURES, "other"]:
        (root / f"{name}.txt").write_text(CANARY)
    port = free_port()
    user = "user root;" if os.geteuid() == 0 else ""
    template = LIGHTTPD if kind == "lighttpd" else NGINX
    configuration = directory / f"{kind}.conf"
    configuration.write_text(template.format(root=root, port=port, directory=directory, socket=socket, user=user))
    option = ["-D", "-f"] if kind == "lighttpd" else ["-e", directory / "nginx-error.log", "-c"]
    server = Process(kind, [kind, *option, configuration], directory)
    server.wait_for_listener(("127.0.0.1", port))
    return server, f"http://127.0.0.1:{port}"


@pytest.fixture(params=["lighttpd", "nginx"])
def failing(request, directory):
    socket = directory / "socket"
    with Process("responder", [BINARIES / "failing-responder", socket], directory) as responder:
        responder.wait_for_listener(socket)
        server, url = guard(request.param, directory, socket)
        with server:
            yield responder, url


def test_a_guarded_file_is_served_when_the_guard_allows_it(failing):
    answer = Browser().get(f"{failing[1]}/allowed.txt")
    assert answer.status == 200 and answer.text == CANARY


@pytest.mark.parametrize("method", ["GET", "HEAD", "POST", "RANGE"])
@pytest.mark.parametrize("failure", FAILURES)
def test_a_failing_handler_opens_nothing(failing, failure, method):
    url, body = f"{failing[1]}/{failure}.txt", b"a=b" if method == "POST" else None
    headers = {"Range": "bytes=0-9"} if method == "RANGE" else {}
    answer = Browser().request("GET" if method == "RANGE" else method, url, headers, body)
    assert answer.status == 500 and CANARY not in answer.text
    assert answer.header("Location") is None


@pytest.mark.parametrize("name", ["SIGKILL", "SIGSTOP"])
def test_a_stopped_or_silent_program_opens_nothing(failing, name):
    responder, url = failing
    browser = Browser(timeout=2)
    responder.signal(getattr(signal, name))
    try:
        answer = browser.get(f"{url}/allowed.txt")
        assert answer.status in (500, 502, 503, 504) and CANARY not in answer.text
    except TimeoutError:
        assert name == "SIGSTOP"
    finally:
        responder.child.kill()


@pytest.mark.parametrize("kind", ["lighttpd", "nginx"])
def test_a_location_without_a_rule_admits_nobody(kind, directory):
    with Responder(directory / "r", "http://localhost:8080", "http://127.0.0.1:9") as responder:
        responder.expected_errors = ["reason=rule-missing"]
        server, url = guard(kind, directory, responder.socket)
        with server:
            answer = Browser().get(f"{url}/other.txt")
            assert answer.status in (403, 500) and CANARY not in answer.text

"""Health and readiness: for load balancers through a web server, and only from this machine by default."""

import errno
import json
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import pytest

from harness.browser import Browser
from harness.machines import Machines
from harness.process import free_port, wait_until
from harness.providers import PACKAGES, Mock
from harness.responder import Responder
from harness.several import Silent, several
from test_systemd import hanging  # noqa: F401

OK = {"status": "ok"}


def unavailable(*reasons):
    return {"status": "unavailable", "reasons": list(reasons)}


def ask(site, path, source=None):
    """The status and, if it is the program's, the JSON of the answer."""
    answer = Browser(source=source).get(f"{site.url}{path}", headers={})
    is_json = answer.header("Content-Type") == "application/json"
    return answer.status, answer.json if is_json else None


def test_a_working_site_is_healthy_and_ready(shared_site):
    for path in ("/healthz", "/readyz"):
        assert ask(shared_site, path) == (200, OK)
        answer = shared_site.browser().get(f"{shared_site.url}{path}", method="HEAD")
        assert (answer.status, answer.body, answer.header("Cache-Control")) == (200, b"", "no-store")


def test_other_machines_are_rejected_by_the_web_server(shared_site):
    shared_site.server.expected_errors.append("access forbidden by rule, client: 127.0.0.2")
    for path in ("/healthz", "/readyz"):
        assert ask(shared_site, path, source="127.0.0.2") == (403, None)
    assert ask(shared_site, "/healthz/x")[0] == 404


def test_other_machines_are_rejected_by_include_files_too(guarded):
    guarded.server.expected_errors.append("access forbidden by rule, client: 127.0.0.2")
    for path in ("/healthz", "/readyz"):
        assert ask(guarded, path) == (200, OK)
        assert ask(guarded, path, source="127.0.0.2")[0] == 403


def test_health_has_no_other_methods(shared_site):
    for path in ("/healthz", "/readyz"):
        answer = shared_site.responder.ask(path, "POST")
        assert (answer.status, answer.header("Allow")) == (405, "GET, HEAD")


@pytest.mark.parametrize("fault", ["status", "empty", "close"])
def test_a_site_without_the_keys_of_the_provider_is_healthy_and_not_ready(site, fault):
    site.simulator.fault("jwks", fault, **({"status": 503} if fault == "status" else {}))
    assert ask(site, "/readyz") == (503, unavailable("keys-unavailable"))
    assert ask(site, "/healthz") == (200, OK)
    site.simulator.clear_faults()
    wait_until(lambda: ask(site, "/readyz") == (200, OK), "readiness")
    # Keys that are known stay known.
    site.simulator.fault("jwks", "status", status=503)
    before = site.simulator.count("jwks")
    assert ask(site, "/readyz") == (200, OK) and site.simulator.count("jwks") == before


@pytest.mark.skipif(not PACKAGES.exists(), reason="deploy/packages test could not download the providers")
def test_the_keys_of_one_provider_are_enough_and_nobody_waits_for_the_others(directory):
    with several(directory, {"mute": Silent, "mock": Mock}, settings={"SIGNIN_TOTAL_TIMEOUT": "8s"}) as site:
        site.simulator.fault("jwks", "hang")
        began = time.monotonic()
        assert ask(site, "/readyz") == (200, OK) and time.monotonic() - began < 6


def test_providers_that_do_not_respond_are_waited_for_at_the_same_time(directory):
    with several(directory, {"mute": Silent, "silent": Silent}, settings={"SIGNIN_TOTAL_TIMEOUT": "5s"}) as site:
        site.simulator.fault("jwks", "hang")
        began = time.monotonic()
        assert ask(site, "/readyz") == (503, unavailable("keys-unavailable")) and time.monotonic() - began < 9


def test_many_questions_at_once_are_one_call_to_the_provider(site):
    site.simulator.fault("jwks", "delay", ms=500)
    with ThreadPoolExecutor(20) as pool:
        assert set(pool.map(lambda _: ask(site, "/readyz")[0], range(20))) == {200}
    assert site.simulator.count("jwks") == 1


def test_a_product_without_id_tokens_needs_no_keys(make_site):
    with make_site(settings={"LINKEDIN_PRODUCT": "basic-profile"}) as site:
        assert ask(site, "/readyz") == (200, OK)


def test_a_site_whose_sessions_cannot_be_read_is_not_ready(site):
    site.responder.expected_errors.append("store-")
    sessions = site.responder.state / "sessions"
    sessions.rename(sessions.with_name("away"))
    sessions.touch()
    wait_until(lambda: ask(site, "/readyz") == (503, unavailable("store-unusable")), "the finding")
    assert ask(site, "/healthz") == (200, OK)


def test_a_site_whose_database_is_down_is_not_ready(directory, database):
    with Machines(directory, database, "nginx") as machines:
        machines.expect_outage()
        responder = machines.site.responder
        assert responder.ask("/readyz").json == OK
        database.kill()
        wait_until(lambda: responder.ask("/readyz").json == unavailable("store-unreachable"), "the finding")
        assert responder.ask("/healthz").json == OK
        database.start()
        wait_until(lambda: responder.ask("/readyz").json == OK, "readiness")


@pytest.fixture
def responder(directory):
    """A program whose sign-in is not used; its provider does not answer."""
    return Responder(directory / "r", "http://localhost:8080", "http://127.0.0.1:9")


def monitored(responder, kind):
    """Lets the program listen for monitoring, and returns a function that sends bytes there and returns the whole answer."""
    port = free_port()
    address = ("127.0.0.1", port) if kind == "tcp" else str(responder.directory / "admin")
    responder.settings["SIGNIN_ADMIN_LISTEN"] = f"tcp:127.0.0.1:{port}" if kind == "tcp" else f"unix:{address}"

    def send(data, patience=10):
        with socket.socket(socket.AF_INET if kind == "tcp" else socket.AF_UNIX) as peer:
            peer.settimeout(patience)
            # The program binds this address a moment after the web server's.
            wait_until(lambda: peer.connect_ex(address) in (0, errno.EISCONN), "monitoring")
            peer.sendall(data)
            received = b""
            while part := peer.recv(65536):
                received += part
            return received

    return send


@pytest.mark.parametrize("kind", ["tcp", "unix"])
def test_monitoring_needs_no_web_server(responder, kind):
    send = monitored(responder, kind)
    with responder:
        head, _, body = send(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n").partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 200 \r\nContent-Type: application/json\r\n") and json.loads(body) == OK
        head, _, body = send(b"GET /readyz?verbose HTTP/1.0\r\n\r\n").partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 503 ") and json.loads(body) == unavailable("keys-unavailable")
        assert send(b"HEAD /healthz HTTP/1.1\r\n\r\n").endswith(b"\r\n\r\n")
    assert not (responder.directory / "admin").exists()


WRONG = {
    b"POST /healthz HTTP/1.1\r\n\r\n": 405,
    b"GET / HTTP/1.1\r\n\r\n": 404,
    b"GET /auth HTTP/1.1\r\n\r\n": 404,
    b"GET /healthz\r\n\r\n": 400,
    b"GET http://a/healthz HTTP/1.1\r\n\r\n": 400,
    b"\x16\x03\x01\x02\r\n\r\n": 400,
    b"GET /healthz HTTP/1.1\r\nX: " + b"x" * 8200 + b"\r\n\r\n": 431,
}


@pytest.mark.parametrize("data", WRONG, ids=[str(status) + str(number) for number, status in enumerate(WRONG.values())])
def test_other_requests_to_monitoring_are_rejected(responder, data):
    send = monitored(responder, "tcp")
    with responder:
        assert send(data).startswith(b"HTTP/1.1 %d " % WRONG[data])


def test_silent_peers_of_monitoring_delay_nobody_and_are_closed(responder):
    send = monitored(responder, "unix")
    with responder, ThreadPoolExecutor(6) as pool:
        began = time.monotonic()
        silent = [pool.submit(send, b"GET /hea") for _ in range(6)]
        assert send(b"GET /healthz HTTP/1.1\r\n\r\n").startswith(b"HTTP/1.1 200 ")
        assert responder.ask("/").status == 200
        assert time.monotonic() - began < 1.5
        assert {peer.result() for peer in silent} == {b""}


def test_more_silent_peers_than_monitoring_has_threads_delay_nobody(responder):
    send = monitored(responder, "unix")
    with responder, ExitStack() as stack:
        assert send(b"GET /healthz HTTP/1.1\r\n\r\n").startswith(b"HTTP/1.1 200 ")
        for _ in range(60):
            peer = stack.enter_context(socket.socket(socket.AF_UNIX))
            peer.connect(str(responder.directory / "admin"))
            peer.sendall(b"GET /hea")
        # 60 peers, 8 at a time, for 2 seconds each.
        assert send(b"GET /healthz HTTP/1.1\r\n\r\n", patience=5).startswith(b"HTTP/1.1 200 ")


def test_monitoring_reports_a_worker_that_hangs(responder, directory, hanging):
    responder.expected_errors.append("event=thread-hung reason=worker")
    send = monitored(responder, "unix")
    members = directory / "members"
    members.write_text("subject=nobody\n")
    responder.settings.update(SIGNIN_REQUEST_TIMEOUT="1s", SIGNIN_TOTAL_TIMEOUT="1s", SIGNIN_CONNECT_TIMEOUT="1s", SIGNIN_WORKERS="2")
    responder.options = {"environment": {"NOTIFY_SOCKET": str(directory / "none"), "WATCHDOG_USEC": "200000"}}
    responder.wrapper = ["env", f"LD_PRELOAD={hanging}", f"HANG_AT={members}"]
    with responder, ThreadPoolExecutor(2) as pool:
        guard = {"SIGNIN_ACTION": "authorize", "SIGNIN_REQUIRE": f"allow={members}"}
        both = [pool.submit(responder.ask, "/auth", extra=guard) for _ in range(2)]
        wait_until(lambda: b'{"reasons":["worker"],"status":"unavailable"}' in send(b"GET /healthz HTTP/1.1\r\n\r\n"), "the finding")
        members.with_name("members.answer").touch()
        assert {asked.result().status for asked in both} == {401}
        wait_until(lambda: send(b"GET /healthz HTTP/1.1\r\n\r\n").startswith(b"HTTP/1.1 200 "), "health")


@pytest.mark.parametrize("address", ["tcp:0.0.0.0:9000", "tcp:192.0.2.1:9000", "inherited", "unix:relative", "9000", "same"])
def test_monitoring_listens_on_this_machine_only(responder, address):
    responder.settings["SIGNIN_ADMIN_LISTEN"] = f"unix:{responder.socket}" if address == "same" else address
    responder.launch()
    assert responder.process.child.wait(10) == 78
    assert "SIGNIN_ADMIN_LISTEN: " in responder.log

"""What the program tells systemd (sd_notify(3)): ready, reloading, stopping, its status, and that all threads make progress."""

import os
import re
import signal
import socket
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from harness.process import wait_until
from harness.responder import Responder
from test_reload import reload

pytestmark = pytest.mark.extended

HANG_AT = Path(__file__).parent / "harness/hang_at.c"


class Manager:
    """A socket like systemd's, and the messages that came."""

    def __init__(self, name):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(name)
        self.messages = []

    def receive(self, variable, seconds=10):
        """The next message with a variable; None if none comes in time."""
        deadline = time.monotonic() + seconds
        while (left := deadline - time.monotonic()) > 0:
            self.socket.settimeout(left)
            try:
                message = dict(line.split("=", 1) for line in self.socket.recv(4096).decode().splitlines())
            except TimeoutError:
                return None
            self.messages.append(message)
            if variable in message:
                return message

    def drain(self):
        """Forgets the messages that have come."""
        self.socket.setblocking(False)
        try:
            while True:
                self.socket.recv(4096)
        except BlockingIOError:
            pass


@pytest.fixture
def responder(directory):
    """A program whose sign-in is not used."""
    return Responder(directory / "r", "http://localhost:8080", "http://127.0.0.1:9")


def started_by(responder, name, watchdog="300000"):
    manager = Manager(name)
    address = "@" + name[1:] if name.startswith("\0") else name
    responder.options = {"environment": {"NOTIFY_SOCKET": address, "WATCHDOG_USEC": watchdog}}
    return manager


@pytest.mark.parametrize("kind", ["path", "abstract"])
def test_systemd_hears_that_the_program_is_ready_and_stops(responder, directory, kind):
    manager = started_by(responder, str(directory / "notify") if kind == "path" else f"\0signin-{os.getpid()}")
    with responder:
        ready = manager.receive("READY")
        assert ready == {"READY": "1", "STATUS": "0 requests served; sessions in files"}
        assert "event=listening" in responder.settled_log()
    assert manager.receive("STOPPING") == {"STOPPING": "1", "STATUS": "Finishing requests"}


def test_systemd_hears_when_a_reload_begins_and_ends(responder, directory):
    responder.expected_errors.append("reload-refused")
    manager = started_by(responder, str(directory / "notify"))
    with responder:
        manager.receive("READY")
        before = time.monotonic_ns() // 1000
        reload(responder, SIGNIN_SITE_NAME="New")
        assert before <= int(manager.receive("RELOADING")["MONOTONIC_USEC"]) <= time.monotonic_ns() // 1000
        assert "refused" not in manager.receive("READY")["STATUS"]
        reload(responder, "reload-refused", SIGNIN_HOME="//evil")
        assert manager.receive("RELOADING")
        assert manager.receive("READY")["STATUS"].endswith("the last reload was refused, see the log")
        reload(responder, SIGNIN_HOME=None)
        assert manager.receive("RELOADING") and "refused" not in manager.receive("READY")["STATUS"]


def test_the_status_says_what_the_program_does(responder, directory):
    manager = started_by(responder, str(directory / "notify"))
    with responder:
        for _ in range(7):
            responder.ask("/")
        wait_until(lambda: manager.receive("STATUS")["STATUS"].startswith("7 requests served; 0 of 2 workers busy;"), "the status")


def test_a_sign_of_life_comes_twice_in_the_time_of_the_watchdog(responder, directory):
    manager = started_by(responder, str(directory / "notify"), watchdog="1000000")
    with responder:
        times = []
        for _ in range(6):
            assert manager.receive("WATCHDOG", 2)
            times.append(time.monotonic())
        # A busy machine can delay one of them.
        assert 0.3 < sorted(late - early for early, late in zip(times, times[1:]))[2] < 0.9


def test_no_sign_of_life_for_another_process(responder, directory):
    manager = started_by(responder, str(directory / "notify"), watchdog="100000")
    responder.options["environment"]["WATCHDOG_PID"] = "1"
    with responder:
        manager.receive("READY")
        assert manager.receive("WATCHDOG", 1) is None


def test_the_program_needs_no_systemd(responder):
    responder.options = {"environment": {"NOTIFY_SOCKET": "/nonexistent", "WATCHDOG_USEC": "x"}}
    with responder:
        assert responder.ask("/").status == 200


@pytest.fixture(scope="session")
def hanging(tmp_path_factory):
    library = tmp_path_factory.mktemp("hang") / "hang_at.so"
    subprocess.run(["cc", "-Wall", "-Werror", "-O1", "-shared", "-fPIC", "-o", library, HANG_AT, "-ldl"], check=True)
    return library


def test_a_worker_that_hangs_ends_the_signs_of_life(responder, directory, hanging):
    responder.expected_errors.append("event=thread-hung reason=worker")
    manager = started_by(responder, str(directory / "notify"), watchdog="200000")
    members = directory / "members"
    members.write_text("subject=nobody\n")
    responder.settings.update(SIGNIN_REQUEST_TIMEOUT="1s", SIGNIN_TOTAL_TIMEOUT="1s", SIGNIN_CONNECT_TIMEOUT="1s", SIGNIN_WORKERS="2")
    responder.wrapper = ["env", f"LD_PRELOAD={hanging}", f"HANG_AT={members}"]
    with responder, ThreadPoolExecutor(1) as pool:
        assert manager.receive("WATCHDOG")
        guard = {"SIGNIN_ACTION": "authorize", "SIGNIN_REQUIRE": f"allow={members}"}
        under_way = pool.submit(responder.ask, "/auth", extra=guard)
        wait_until(lambda: responder.lines_so_far("thread-hung"), "the finding")
        manager.drain()
        assert manager.receive("WATCHDOG", 1) is None
        assert "; 1 of 2 workers busy; hung: worker; " in manager.receive("STATUS")["STATUS"]
        assert responder.ask("/").status == 200, "the other worker answers"
        members.with_name("members.answer").touch()
        assert manager.receive("WATCHDOG"), "the worker goes on"
        assert under_way.result().status == 401
    assert len(responder.lines_of("thread-hung")) == len(responder.lines_of("thread-resumed")) == 1


def test_a_long_request_at_the_provider_is_not_a_hang(make_site, directory):
    manager = Manager(str(directory / "notify"))
    settings = {"SIGNIN_REQUEST_TIMEOUT": "1s", "SIGNIN_TOTAL_TIMEOUT": "1s", "SIGNIN_CONNECT_TIMEOUT": "1s"}
    with make_site(settings=settings) as site:
        site.responder.stop()
        site.responder.options = {"environment": {"NOTIFY_SOCKET": str(directory / "notify"), "WATCHDOG_USEC": "200000"}}
        site.responder.start()
        site.responder.expected_errors.append("token-unavailable")
        browser = site.browser()
        callback = site.consent(site.begin(browser))
        site.simulator.fault("token", "hang")
        assert browser.get(callback).status >= 500
        assert manager.receive("WATCHDOG", 2)
        assert not site.responder.lines_of("thread-hung")


def test_a_stopped_process_gives_no_sign_of_life(responder, directory):
    manager = started_by(responder, str(directory / "notify"), watchdog="200000")
    with responder:
        assert manager.receive("WATCHDOG")
        responder.process.signal(signal.SIGSTOP)
        manager.drain()
        assert manager.receive("WATCHDOG", 1) is None
        responder.process.signal(signal.SIGCONT)
        assert manager.receive("WATCHDOG", 2)


def test_the_units_use_what_the_program_says():
    for name in ("linkedin-signin", "linkedin-signin@"):
        text = (Path(__file__).parents[2] / f"deploy/{name}.service").read_text()
        assert "\nType=notify\n" in text and int(re.search(r"^WatchdogSec=(\d+)s$", text, re.MULTILINE)[1]) >= 10

"""Restarts fail no request, do not wait for hanging sign-ins, and take no file of another process."""

import os
import signal
import socket
import threading
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from harness.browser import SCRIPT, Browser
from harness.process import can_connect, free_port, wait_until
from harness.raw import request, status
from harness.responder import Responder
from harness.site import Site, from_provider

pytestmark = pytest.mark.extended

FRONTS = ("nginx", "lighttpd")
# Like systemd: descriptor 3 and the process id of the program itself.
BY_SYSTEMD = ["bash", "-c", 'exec 3<&"$0"; LISTEN_PID=$$ LISTEN_FDS=1 exec "$@"']


@pytest.fixture
def responder(directory):
    """A program whose sign-in is not used."""
    return Responder(directory / "r", "http://localhost:8080", "http://127.0.0.1:9")


class RestartedSite(Site):
    """A site with a guarded file and a replaceable program; `how` says where its socket comes from."""

    def __init__(self, directory, front, how, settings):
        super().__init__(directory, front, settings, guard=["--location", "/private/"])
        self.how = how

    def __enter__(self):
        super().__enter__()
        if self.how == "systemd":
            self.responder.stop()
            self.inherited = socket.socket(socket.AF_UNIX)
            self.inherited.bind(str(self.responder.socket))
            self.inherited.listen(4096)
            self.responder.settings["SIGNIN_LISTEN"] = "inherited"
            self.responder.wrapper = [*BY_SYSTEMD, self.inherited.fileno()]
            self.responder.options = {"pass_fds": [self.inherited.fileno()]}
            self.responder.start()
        place = self.server.directory / "site/private"
        place.mkdir()
        (place / "file").write_text("file")
        return self

    def __exit__(self, *details):
        try:
            return super().__exit__(*details)
        finally:
            if self.how == "systemd":
                self.inherited.close()

    def restart(self):
        """Starts another process and returns the previous one, which may still have requests."""
        old = self.responder.process
        if self.how == "replace":
            self.responder.launch("--replace")
            wait_until(lambda: "event=listening" in self.responder.log, "the new process")
            return old
        old.child.send_signal(signal.SIGTERM)
        if self.how == "systemd":
            old.child.wait(20)
        self.responder.launch()
        wait_until(lambda: "event=listening" in self.responder.log, "the new process")
        return old


class Visitors:
    """Members who request a guarded file repeatedly; records each status and duration."""

    def __init__(self, site, members):
        self.site, self.members = site, members
        self.failures, self.times = [], []
        self.leaving = threading.Event()

    def __enter__(self):
        self.threads = [threading.Thread(target=self.visit, args=[member]) for member in self.members]
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.leaving.set()
        for thread in self.threads:
            thread.join()

    def visit(self, member):
        while not self.leaving.is_set():
            began = time.monotonic()
            try:
                status = member.get(f"{self.site.url}/private/file", headers=SCRIPT).status
            except OSError as error:
                status = error
            self.times.append(time.monotonic() - began)
            if status != 200:
                self.failures.append(status)


@pytest.mark.parametrize("how", ["replace", "systemd"])
@pytest.mark.parametrize("front", FRONTS)
def test_a_restart_fails_no_request(directory, front, how):
    with RestartedSite(directory, front, how, {}) as site:
        members = [site.browser() for _ in range(3)]
        for member in members:
            site.sign_in(member)
        with Visitors(site, members) as visitors:
            for _ in range(5):
                seen = len(visitors.times)
                old = site.restart()
                assert old.child.wait(5) == 0
                wait_until(lambda: len(visitors.times) > seen + 5, "visits")
        assert visitors.failures == []


def test_a_replacement_takes_over_the_address_for_monitoring(directory):
    admin = free_port()
    with RestartedSite(directory, "nginx", "replace", {"SIGNIN_ADMIN_LISTEN": f"tcp:127.0.0.1:{admin}"}) as site:
        member = site.member()
        assert site.restart().child.wait(5) == 0
        with urllib.request.urlopen(f"http://127.0.0.1:{admin}/readyz", timeout=10) as answer:
            assert answer.status == 200
        assert member.get(f"{site.url}/private/file", headers=SCRIPT).status == 200


def test_a_replacement_with_a_wrong_address_for_monitoring_leaves_the_running_process(responder):
    with responder:
        first = responder.process
        responder.settings["SIGNIN_ADMIN_LISTEN"] = f"unix:{responder.directory}/missing/socket"
        responder.launch("--replace")
        assert responder.process.child.wait(5) == 69
        assert responder.ask("/healthz").status == 200
        responder.process = first


@pytest.mark.parametrize("how", ["replace", "systemd", "stop"])
@pytest.mark.parametrize("front", FRONTS)
def test_a_restart_during_hanging_sign_ins_does_not_delay_others(directory, front, how):
    limits = {"SIGNIN_TOTAL_TIMEOUT": "3s", "SIGNIN_CONNECT_TIMEOUT": "1s", "SIGNIN_STOP_GRACE": "8s"}
    with RestartedSite(directory, front, how, limits) as site:
        site.responder.expected_errors.append(".")
        member = site.browser()
        site.sign_in(member)
        before = len(site.simulator.requests("token"))
        site.simulator.fault("token", "hang")
        browsers = [Browser() for _ in range(8)]
        callbacks = [site.consent(site.begin(browser)) for browser in browsers]
        with ThreadPoolExecutor(8) as pool:
            hanging = [pool.submit(browser.get, url, from_provider()) for browser, url in zip(browsers, callbacks)]
            assert len(site.simulator.requests("token", at_least=before + 8)) == before + 8
            with Visitors(site, [member]) as visitors:
                old = site.restart()
                if how != "systemd":
                    assert old.is_running, "the old process finishes its sign-ins"
                assert old.child.wait(15) == 0
            assert {answer.result().status for answer in hanging} == {504}
        assert visitors.failures == [] and len(visitors.times) > 20
        assert max(visitors.times) < 2, "a sign-in that hangs takes 3 s"


def test_a_running_process_is_not_replaced_by_accident(responder):
    with responder:
        first = responder.process
        responder.launch()
        assert responder.process.child.wait(5) == 69
        assert f"process {first.pid} listens there" in responder.log
        responder.process = first
        assert responder.ask("/").status == 200


def test_a_replaced_process_leaves_the_new_socket_alone(responder):
    with responder:
        for _ in range(3):
            old = responder.process
            responder.launch("--replace")
            assert old.child.wait(5) == 0
            assert responder.ask("/").status == 200
            assert f"event=predecessor-stopping pid={old.pid}" in responder.settled_log()
    assert list(responder.directory.glob("socket*")) == []


def test_files_of_killed_processes_are_replaced(responder):
    with responder:
        responder.process.signal(signal.SIGKILL)
        assert responder.socket.exists() and not can_connect(responder.socket)
        with socket.socket(socket.AF_UNIX) as stale:
            stale.bind(f"{responder.socket}.new")
        responder.start()
        assert responder.ask("/").status == 200
        assert os.listdir(responder.directory).count("socket.new") == 0


def test_two_processes_starting_at_once_do_not_take_each_others_socket(responder):
    with responder:
        responder.process.signal(signal.SIGKILL)
        second = Responder(responder.directory / "2", "http://localhost:8080", "http://127.0.0.1:9")
        second.settings["SIGNIN_LISTEN"] = f"unix:{responder.socket}"
        both = [responder, second]
        for each in both:
            each.launch()
        wait_until(lambda: any(not each.process.is_running for each in both), "the end of one of them")
        (loser,) = [each for each in both if not each.process.is_running]
        winner = both[1 - both.index(loser)]
        winner.process.wait_for_listener(responder.socket)
        assert loser.process.child.wait() == 69 and "listens there" in loser.log
        responder.process = winner.process
        assert responder.ask("/").status == 200


def test_a_reload_of_nginx_cuts_no_page(directory):
    """A stopping worker of nginx closes a connection on which it has sent only a part of its first response."""
    with Site(directory) as site:
        def is_accepted(visitor):
            """The kernel gives the connection an inode when a worker accepts it."""
            ends = f" 0100007F:{site.server.port:04X} 0100007F:{visitor.getsockname()[1]:04X} "
            return any(line.split()[9] != "0" for line in open("/proc/net/tcp") if ends in line)

        def stopping():
            """The workers that stop. A list of children can lack some while another one exits, so each look reads it again."""
            master = site.server.process.child.pid
            workers = Path(f"/proc/{master}/task/{master}/children").read_text().split()
            return {worker for worker in workers if "shutting down" in command_line(worker)}

        for _ in range(8):
            master = site.server.process.child.pid
            before = stopping()
            with socket.create_connection(("127.0.0.1", site.server.port), 20) as visitor:
                wait_until(lambda: is_accepted(visitor), "nginx accepts the connection")
                os.kill(master, signal.SIGHUP)
                wait_until(lambda: stopping() - before, "a worker that stops")
                visitor.sendall(request("/"))
                answer = b""
                while piece := visitor.recv(65536):
                    answer += piece
            assert status(answer) == 200 and answer.endswith(b"\r\n0\r\n\r\n"), f"{len(answer)} bytes"


def command_line(process):
    try:
        return Path(f"/proc/{process}/cmdline").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return ""


def test_a_socket_from_systemd_elsewhere_than_the_setting_says_is_rejected(responder):
    """Otherwise the web server would wait at one socket and the program at the other."""
    given = responder.directory / "given"
    with socket.socket(socket.AF_UNIX) as inherited:
        inherited.bind(str(given))
        inherited.listen(16)
        responder.wrapper = [*BY_SYSTEMD, inherited.fileno()]
        responder.options = {"pass_fds": [inherited.fileno()]}
        responder.launch()
        assert responder.process.child.wait(5) == 78
        words = f"SIGNIN_LISTEN is unix:{responder.socket}, but the program was started with the socket {given}: remove SIGNIN_LISTEN"
        assert words in responder.log
        responder.settings["SIGNIN_LISTEN"], responder.socket = f"unix:{given}", given
        with responder:
            assert responder.ask("/login").status == 303

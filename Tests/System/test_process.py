"""The program as a process: its sockets, signals, and how it stops."""

import os
import re
import signal
import socket
import stat
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from harness.process import can_connect, wait_until
from harness.responder import Responder
from harness.site import from_provider


@pytest.fixture
def responder(directory):
    """A program whose sign-in is not used."""
    return Responder(directory / "r", "http://localhost:8080", "http://127.0.0.1:9")


def test_a_socket_from_systemd_is_used(responder):
    responder.settings["SIGNIN_LISTEN"] = "inherited"
    responder.wrapper = ["systemd-socket-activate", "-l", responder.socket]
    responder.expected_errors.append("Communication attempt")
    with responder:
        for _ in range(5):
            assert responder.ask("/").status == 200
    assert responder.socket.exists(), "the socket is systemd's"


def test_a_socket_from_spawn_fcgi_is_used(responder):
    responder.settings["SIGNIN_LISTEN"] = "inherited"
    responder.wrapper = ["spawn-fcgi", "-n", "-s", responder.socket, "--"]
    with responder:
        for _ in range(5):
            assert responder.ask("/").status == 200


def test_its_own_socket_is_open_to_the_group_only(responder):
    with responder:
        assert stat.S_IMODE(os.stat(responder.socket).st_mode) == 0o660
    assert not responder.socket.exists()


def test_the_socket_of_a_running_process_is_not_taken(responder):
    with responder:
        second = Responder(responder.directory / "2", "http://localhost:8080", "http://127.0.0.1:9")
        second.socket = responder.socket
        second.settings["SIGNIN_LISTEN"] = f"unix:{responder.socket}"
        second.launch()
        assert second.process.child.wait(5) != 0
        assert "socket" in second.log
        assert responder.ask("/").status == 200


def test_a_file_at_the_socket_path_is_not_removed(responder):
    responder.socket.write_text("precious")
    responder.launch()
    assert responder.process.child.wait(5) != 0
    assert responder.socket.read_text() == "precious"


@pytest.mark.parametrize("limit", [20, 63])
def test_a_program_with_too_few_file_descriptors_says_so_and_does_not_start(responder, limit):
    responder.wrapper = ["prlimit", f"--nofile={limit}", "--"]
    responder.launch()
    assert responder.process.child.wait(20) == 69
    assert responder.log.startswith(f"linkedin-signin: the program may open {limit} file descriptors, and needs at least 64: raise")


def test_sessions_survive_a_killed_process(site):
    browser = site.browser()
    site.sign_in(browser)
    for _ in range(5):
        site.responder.process.child.send_signal(signal.SIGKILL)
        site.responder.process.child.wait()
        assert not can_connect(site.responder.socket)
        site.server.expected_errors.append("connect")
        began = time.monotonic()
        site.responder.start()
        assert time.monotonic() - began < 2
        assert site.is_signed_in(browser)
    assert site.sign_in(site.browser()).status == 303


def test_stopping_waits_for_a_sign_in_under_way(make_site):
    with make_site(settings={"SIGNIN_STOP_GRACE": "8s"}) as site:
        browser = site.browser()
        callback = site.consent(site.begin(browser))
        site.simulator.fault("token", "delay", ms=1500)
        with ThreadPoolExecutor(1) as pool:
            answer = pool.submit(browser.get, callback, headers=from_provider())
            assert site.simulator.requests("token", at_least=1)
            site.responder.stop()
            assert answer.result().status == 303
        site.responder.start()
        assert site.is_signed_in(browser)


def test_stopping_takes_no_longer_than_the_grace_period(make_site):
    with make_site(settings={"SIGNIN_STOP_GRACE": "1s", "SIGNIN_TOTAL_TIMEOUT": "30s"}) as site:
        site.responder.expected_errors.append(".")
        site.server.expected_errors.append(".")
        browser = site.browser()
        callback = site.consent(site.begin(browser))
        site.simulator.fault("token", "hang")
        with ThreadPoolExecutor(1) as pool:
            pool.submit(browser.get, callback, headers=from_provider())
            assert site.simulator.requests("token", at_least=1)
            began = time.monotonic()
            site.responder.stop()
            assert time.monotonic() - began < 3


def test_silent_connections_do_not_stop_others(responder):
    with responder:
        peers = [socket.socket(socket.AF_UNIX) for _ in range(50)]
        for number, peer in enumerate(peers):
            peer.connect(str(responder.socket))
            peer.sendall(b"\x01\x01\x00\x01\x00\x08\x00\x00"[: number % 9])
        began = time.monotonic()
        for _ in range(20):
            assert responder.ask("/").status == 200
        assert time.monotonic() - began < 2
        for peer in peers:
            peer.close()


def test_the_state_directory_can_be_a_link_as_systemd_makes_it(responder, directory):
    (directory / "private").mkdir(mode=0o700)
    (directory / "link").symlink_to(directory / "private")
    responder.settings["SIGNIN_STATE_DIRECTORY"] = str(directory / "link")
    with responder:
        assert responder.ask("/").status == 200
    assert (directory / "private" / "server-key").exists()


@pytest.mark.parametrize("name", ["SIGUSR1", "SIGUSR2"])
def test_an_unsupported_signal_does_not_stop_the_program(responder, name):
    event = "signal-ignored"
    with responder:
        for count in (1, 2):
            responder.process.child.send_signal(getattr(signal, name))
            wait_until(lambda: len(responder.lines_so_far(event)) == count, "a line about the signal")
            assert responder.ask("/").status == 200
    assert all("reason=no-effect" in line for line in responder.lines_of(event))


@pytest.mark.parametrize("name", ["SIGHUP", "SIGUSR1", "SIGUSR2"])
def test_a_signal_right_after_the_start_does_not_stop_the_program(responder, name):
    with responder:
        responder.stop()
        for _ in range(10):
            responder.launch()
            mask = f"/proc/{responder.process.pid}/status"
            wait_until(lambda: blocks(mask, getattr(signal, name)), "the signal is blocked")
            responder.process.child.send_signal(getattr(signal, name))
            responder.process.wait_for_listener(responder.socket)
            responder.stop()
        responder.start()


def blocks(status, number):
    (mask,) = re.findall(r"^SigBlk:\s*([0-9a-f]+)$", open(status).read(), re.MULTILINE)
    return int(mask, 16) >> (number - 1) & 1

"""The program as a process: sockets it is given, the ways it ends, and what it leaves in files and logs."""

import os
import signal
import socket
import stat
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from harness.process import can_connect
from harness.responder import Responder
from harness.site import SESSION, from_provider
from harness.webserver import FRONTS


@pytest.fixture
def responder(directory):
    """A responder that nothing signs in at."""
    return Responder(directory / "r", "http://localhost:8080", "http://127.0.0.1:9")


def test_socket_given_by_systemd(responder):
    responder.settings["SIGNIN_LISTEN"] = "inherited"
    responder.wrapper = ["systemd-socket-activate", "-l", responder.socket]
    responder.expected_errors.append("Communication attempt")
    with responder:
        for _ in range(5):
            assert responder.ask("/").status == 200
    assert responder.socket.exists(), "the socket is systemd's"


def test_socket_given_by_spawn_fcgi(responder):
    responder.settings["SIGNIN_LISTEN"] = "inherited"
    responder.wrapper = ["spawn-fcgi", "-n", "-s", responder.socket, "--"]
    with responder:
        for _ in range(5):
            assert responder.ask("/").status == 200


def test_socket_of_its_own_lets_the_group_in_and_nobody_else(responder):
    with responder:
        assert stat.S_IMODE(os.stat(responder.socket).st_mode) == 0o660
    assert not responder.socket.exists()


def test_socket_of_a_running_responder_is_not_taken(responder):
    with responder:
        second = Responder(responder.directory / "2", "http://localhost:8080", "http://127.0.0.1:9")
        second.socket = responder.socket
        second.settings["SIGNIN_LISTEN"] = f"unix:{responder.socket}"
        second.launch()
        assert second.process.child.wait(5) != 0
        assert "socket" in second.log
        assert responder.ask("/").status == 200


def test_file_at_the_place_of_the_socket_is_not_removed(responder):
    responder.socket.write_text("precious")
    responder.launch()
    assert responder.process.child.wait(5) != 0
    assert responder.socket.read_text() == "precious"


def test_killed_and_started_again(site):
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


def test_stop_waits_for_a_sign_in_under_way(make_site):
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


def test_stop_waits_no_longer_than_its_grace(make_site):
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


def test_silent_peers_stop_nobody(responder):
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


def test_state_directory_may_be_a_link_as_systemd_makes_it(responder, directory):
    (directory / "private").mkdir(mode=0o700)
    (directory / "link").symlink_to(directory / "private")
    responder.settings["SIGNIN_STATE_DIRECTORY"] = str(directory / "link")
    with responder:
        assert responder.ask("/").status == 200
    assert (directory / "private" / "server-key").exists()


def test_stored_files_are_for_the_program_alone(site):
    site.sign_in(site.browser())
    entries = [site.responder.state, *site.responder.state.rglob("*")]
    assert len(entries) > 3
    for entry in entries:
        allowed = 0o700 if entry.is_dir() else 0o600
        assert stat.S_IMODE(entry.stat().st_mode) == allowed, entry


@pytest.mark.parametrize("front", FRONTS)
def test_nothing_secret_is_written_down(make_site, front):
    with make_site(front=front, settings={"SIGNIN_LOG_LEVEL": "debug"}) as site:
        site.responder.expected_errors.append(".")
        browser = site.browser()
        address = site.begin(browser)
        secrets = set(browser.jar["localhost"].values())
        callback = site.consent(address)
        secrets |= {part.split("=", 1)[1] for part in callback.split("?")[1].split("&")}
        browser.get(callback, headers=from_provider())
        secrets |= set(browser.jar["localhost"].values())
        browser.get(f"{site.url}/profile")
        browser.get(callback, headers=from_provider())
        site.sign_in(site.browser(), decision="cancel")
        browser.get(f"{site.url}/oauth?code=canary-code&state=canary-state&error=canary-error")
        site.sign_out(browser)
        tokens = site.simulator.requests("identityMe") + site.simulator.requests("userinfo")
        secrets |= {call["headers"]["authorization"].split()[1] for call in tokens}
    secrets |= {"demo-secret", "canary-code", "canary-state", "canary-error"}
    assert len(secrets) >= 8
    for log in (site.responder.process.log_path, site.server.access_log, site.server.error_log):
        text = log.read_text()
        assert not [secret for secret in secrets if secret in text], log


def test_log_keeps_one_line_for_one_event(site):
    forged = "/login?return_to=/%0aforged%20line%1b[31m"
    before = len(site.responder.log.splitlines())
    site.browser().get(f"{site.url}{forged}", {"User-Agent": "a\u0085forged line"})
    added = site.responder.log.splitlines()[before:]
    assert not [line for line in added if line.startswith("forged") or "\x1b" in line]


def test_disk_holds_no_session_cookie_and_no_token(site):
    browser = site.browser()
    site.sign_in(browser)
    browser.get(f"{site.url}/profile")
    cookie = browser.jar["localhost"][SESSION].encode()
    (call, *_) = site.simulator.requests("identityMe")
    token = call["headers"]["authorization"].split()[1].encode()
    for path in site.responder.state.rglob("*"):
        assert cookie.decode() not in str(path)
        if path.is_file():
            content = path.read_bytes()
            assert cookie not in content and token not in content, path

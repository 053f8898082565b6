"""How the process behaves toward the system that runs it: signals, the journal, a full disk."""

import re
import signal
import subprocess

import pytest

from harness.process import BINARIES, surroundings, wait_until
from harness.responder import Responder

PRIORITY = re.compile(r"<[0-7]>")
# Dash sets the variable for the program alone: it names the file behind standard error, as systemd does.
IN_JOURNAL = ["sh", "-c", 'JOURNAL_STREAM=$(stat -L -c %d:%i /dev/stderr) exec "$@"', "sh"]
ELSEWHERE = ["env", "JOURNAL_STREAM=1:1"]


@pytest.fixture
def responder(directory):
    """A responder that nobody signs in at."""
    return Responder(directory / "r", "http://localhost:8080", "http://127.0.0.1:9")


def lines_of(responder, event):
    return [line for line in responder.log.splitlines() if f"event={event}" in line]


@pytest.mark.parametrize("name", ["SIGHUP", "SIGUSR1", "SIGUSR2"])
def test_signal_of_other_daemons_does_not_stop_the_program(responder, name):
    event = "reload-skipped" if name == "SIGHUP" else "signal-ignored"
    with responder:
        for count in (1, 2):
            responder.process.child.send_signal(getattr(signal, name))
            wait_until(lambda: len(lines_of(responder, event)) == count, "a line about the signal")
            assert responder.ask("/").status == 200
    reason = "not-supported" if name == "SIGHUP" else "no-effect"
    assert all(f"reason={reason}" in line for line in lines_of(responder, event))


@pytest.mark.parametrize("name", ["SIGHUP", "SIGUSR1", "SIGUSR2"])
def test_signal_right_after_the_start_does_not_stop_the_program(responder, name):
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


def test_lines_in_the_journal_carry_their_priority(responder):
    responder.wrapper = IN_JOURNAL
    with responder:
        responder.process.child.send_signal(signal.SIGHUP)
        wait_until(lambda: lines_of(responder, "reload-skipped"), "a line about the signal")
    lines = responder.log.splitlines()
    assert lines and all(PRIORITY.match(line) for line in lines), responder.log
    (skipped,) = lines_of(responder, "reload-skipped")
    (listening,) = lines_of(responder, "listening")
    assert skipped.startswith("<4>time=") and listening.startswith("<6>time=")


def test_complaint_at_the_start_carries_its_priority(responder):
    responder.wrapper = IN_JOURNAL
    responder.settings["SIGNIN_WORKERS"] = "many"
    responder.launch()
    assert responder.process.child.wait(5) == 78
    assert all(line.startswith("<3>linkedin-signin: ") for line in responder.log.splitlines())


@pytest.mark.parametrize("wrapper", [(), ELSEWHERE], ids=["none", "of-another-stream"])
def test_lines_elsewhere_carry_no_priority(responder, wrapper):
    responder.wrapper = wrapper
    with responder:
        assert responder.ask("/").status == 200
    assert responder.log and not PRIORITY.search(responder.log)


PRINTING = [("--help",), ("--version",), ("serve", "--help"), ("check", "--help"), ("check",), ("print-config", "nginx")]


@pytest.mark.parametrize("arguments", PRINTING, ids=" ".join)
def test_output_that_cannot_be_written_is_an_error(directory, arguments):
    settings = {
        "LINKEDIN_CLIENT_ID": "demo",
        "LINKEDIN_CLIENT_SECRET": "demo-secret",
        "SIGNIN_BASE_URL": "http://localhost:8080",
        "SIGNIN_STATE_DIRECTORY": str(directory / "state"),
    }
    environment = {**surroundings(), **settings}
    command = [BINARIES / "linkedin-signin", *arguments]
    assert subprocess.run(command, env=environment, capture_output=True, timeout=20).returncode == 0
    with open("/dev/full", "wb") as full:
        done = subprocess.run(command, env=environment, stdout=full, stderr=subprocess.PIPE, text=True, timeout=20)
    assert done.returncode == 74
    assert done.stderr.count("standard output") == 1 and "No space left on device" in done.stderr


@pytest.mark.parametrize("method, body", [("", b""), ("POST", b"x" * 2_000_000)], ids=["no-method", "large-body"])
def test_line_about_a_rejected_request_has_the_address_of_its_client(responder, method, body):
    with responder:
        assert responder.ask("/", method, body=body).status in (400, 413)
        wait_until(lambda: lines_of(responder, "request-rejected"), "a line about the request")
        assert " remote=192.0.2.1" in lines_of(responder, "request-rejected")[0]


UNREADABLE = {
    "missing": (lambda path: None, "does not exist"),
    "directory": (lambda path: path.mkdir(), "is a directory"),
    "utf-16": (lambda path: path.write_text("SIGNIN_WORKERS=2\n", encoding="utf-16"), "UTF-16"),
    "latin-1": (lambda path: path.write_bytes(b"A=1\nSIGNIN_CONTACT=Zo\xeb\n"), "line 2 is not valid UTF-8"),
}


@pytest.mark.parametrize("kind", UNREADABLE)
def test_settings_file_that_cannot_be_read_is_told_apart(directory, kind):
    make, words = UNREADABLE[kind]
    path = directory / "settings"
    make(path)
    command = [BINARIES / "linkedin-signin", "check", "--settings-file", path]
    done = subprocess.run(command, env=surroundings(), capture_output=True, text=True, timeout=20)
    assert done.returncode == 78 and f"linkedin-signin: {path}: " in done.stderr and words in done.stderr


def test_error_at_the_start_names_the_path_the_user_and_a_command_that_repairs_it(responder):
    place = responder.directory / "missing place"
    responder.settings["SIGNIN_LISTEN"] = f"unix:{place}/socket"
    responder.launch()
    assert responder.process.child.wait(5) == 69
    (command,) = re.findall(r"; run: ([^;\n]*)\)$", responder.log, re.MULTILINE)
    assert f"cannot bind {place}/socket: ENOENT (user " in responder.log
    subprocess.run(["sh", "-c", command], check=True)
    responder.launch()
    responder.process.wait_for_listener(place / "socket")
    responder.stop()


def test_command_for_a_state_directory_that_others_may_read_repairs_it(responder):
    responder.state.mkdir(mode=0o755)
    responder.launch()
    assert responder.process.child.wait(5) == 69
    (command,) = re.findall(r"; run: (.*)$", responder.log, re.MULTILINE)
    assert str(responder.state) in command
    subprocess.run(["sh", "-c", command], check=True)
    responder.start()
    responder.stop()

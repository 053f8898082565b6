"""Messages of the program: priorities in the journal, errors at the start and errors of output."""

import os
import re
import signal
import socket
import subprocess

import pytest

from harness.process import BINARIES, surroundings, wait_until
from harness.responder import Responder

PRIORITY = re.compile(r"<[0-7]>")
# Sets the variable to the file behind standard error, as systemd does.
IN_JOURNAL = ["sh", "-c", 'JOURNAL_STREAM=$(stat -L -c %d:%i /dev/stderr) exec "$@"', "sh"]
ELSEWHERE = ["env", "JOURNAL_STREAM=1:1"]


@pytest.fixture
def responder(directory):
    """A program whose sign-in is not used."""
    return Responder(directory / "r", "http://localhost:8080", "http://127.0.0.1:9")


def test_log_lines_in_the_journal_have_a_priority(responder):
    responder.wrapper = IN_JOURNAL
    with responder:
        responder.settings["SIGNIN_WORKERS"] = "3"
        responder.write_settings()
        responder.process.child.send_signal(signal.SIGHUP)
        wait_until(lambda: responder.lines_so_far("restart-needed"), "a line about the settings")
    lines = responder.log.splitlines()
    assert lines and all(PRIORITY.match(line) for line in lines), responder.log
    (needed,) = responder.lines_of("restart-needed")
    (listening,) = responder.lines_of("listening")
    assert needed.startswith("<4>time=") and listening.startswith("<6>time=")


def test_an_error_at_the_start_has_a_priority_in_the_journal(responder):
    responder.wrapper = IN_JOURNAL
    responder.settings["SIGNIN_WORKERS"] = "many"
    responder.launch()
    assert responder.process.child.wait(5) == 78
    assert all(line.startswith("<3>linkedin-signin: ") for line in responder.log.splitlines())


@pytest.mark.parametrize("wrapper", [(), ELSEWHERE], ids=["none", "of-another-stream"])
def test_log_lines_elsewhere_have_no_priority(responder, wrapper):
    responder.wrapper = wrapper
    with responder:
        assert responder.ask("/").status == 200
    assert responder.log and not PRIORITY.search(responder.log)


PRINTING = [("--help",), ("--version",), ("serve", "--help"), ("check", "--help"), ("check",), ("print-config", "nginx")]


@pytest.mark.parametrize("arguments", PRINTING, ids=" ".join)
def test_unwritable_output_is_an_error(directory, arguments):
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
def test_the_log_line_of_a_rejected_request_has_the_client_address(responder, method, body):
    with responder:
        assert responder.ask("/", method, body=body).status in (400, 413)
        wait_until(lambda: responder.lines_so_far("request-rejected"), "a line about the request")
        assert " remote=192.0.2.1" in responder.lines_of("request-rejected")[0]


def test_a_bind_error_names_the_path_the_user_and_a_repair_command(responder):
    place = responder.directory / "missing place"
    responder.settings["SIGNIN_LISTEN"] = f"unix:{place}/socket"
    responder.launch()
    assert responder.process.child.wait(5) == 69
    (command,) = re.findall(r"; run: ([^;\n]*)\)$", responder.log, re.MULTILINE)
    assert f"cannot bind {place}/socket: No such file or directory (user " in responder.log
    subprocess.run(["sh", "-c", command], check=True)
    responder.launch()
    responder.process.wait_for_listener(place / "socket")
    responder.stop()


def test_the_suggested_command_repairs_a_state_directory_that_others_can_read(responder):
    responder.state.mkdir(mode=0o755)
    responder.launch()
    assert responder.process.child.wait(5) == 69
    (command,) = re.findall(r"; run: (.*)$", responder.log, re.MULTILINE)
    assert str(responder.state) in command
    subprocess.run(["sh", "-c", command], check=True)
    responder.start()
    responder.stop()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can run a command as another user")
def test_a_port_that_cannot_be_used_is_reported_with_its_cause(responder):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        responder.settings["SIGNIN_ADMIN_LISTEN"] = f"tcp:127.0.0.1:{port}"
        responder.launch()
        assert responder.process.child.wait(5) == 69
        assert f"SIGNIN_ADMIN_LISTEN: cannot bind 127.0.0.1:{port}: Address already in use (another process listens there; run: ss -ltnp sport = {port})" in responder.log
    responder.settings["SIGNIN_ADMIN_LISTEN"] = "tcp:127.0.0.1:81"
    responder.wrapper = ["setpriv", "--bounding-set=-all", "--inh-caps=-all"]
    responder.launch()
    assert responder.process.child.wait(5) == 78
    assert "SIGNIN_ADMIN_LISTEN: cannot bind 127.0.0.1:81: Permission denied (only root may listen at ports below 1024; use another port" in responder.log


def test_a_service_of_systemd_is_not_told_to_change_the_owner_of_a_directory(responder):
    place = responder.directory / "foreign"
    place.mkdir(mode=0o555)
    responder.settings["SIGNIN_ADMIN_LISTEN"] = f"unix:{place}/socket"
    responder.wrapper = ["setpriv", "--bounding-set=-all", "--inh-caps=-all", "env", "INVOCATION_ID=0"]
    responder.launch()
    assert responder.process.child.wait(5) == 78
    assert f"may not write in {place}; use a directory that RuntimeDirectory= in the unit names" in responder.log
    assert "chown" not in responder.log

"""deploy/debian13 says why it was not run, and deploy/test repeats that."""

import http.server
import os
import subprocess
import threading

import pytest

from harness.process import REPOSITORY, free_port

pytestmark = pytest.mark.extended


@pytest.fixture
def tools(directory):
    """All commands of this machine except debootstrap."""
    commands = directory / "commands"
    commands.mkdir()
    for place in os.environ["PATH"].split(":") + ["/usr/sbin", "/sbin"]:
        for name in os.listdir(place) if os.path.isdir(place) else ():
            if name != "debootstrap" and not (commands / name).is_symlink():
                (commands / name).symlink_to(f"{place}/{name}")
    return commands


def run(command, *arguments, **environment):
    environment = {**os.environ, **environment}
    return subprocess.run([REPOSITORY / command, *arguments], capture_output=True, text=True, env=environment)


def test_debian13_names_a_mirror_that_does_not_answer(directory):
    mirror = f"http://127.0.0.1:{free_port()}/debian"
    done = run("deploy/debian13", "--root", directory / "root", "--mirror", mirror, "--compile")
    last = done.stderr.splitlines()[-1]
    assert done.returncode == 69, done.stderr
    assert last == f"deploy/debian13: not run: {mirror}/dists/trixie/InRelease does not answer"


def test_debian13_without_debootstrap_is_not_run(directory, tools):
    done = run("deploy/debian13", "--root", directory / "root", "--compile", PATH=str(tools))
    assert (done.returncode, done.stderr) == (69, "deploy/debian13: not run: debootstrap is not installed\n")


def test_a_directory_with_other_files_is_left_alone(directory):
    (directory / "kept").touch()
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Mirror) as mirror:
        threading.Thread(target=mirror.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{mirror.server_port}/debian"
        done = run("deploy/debian13", "--root", directory, "--mirror", address, "--compile")
        mirror.shutdown()
    assert (done.returncode, list(directory.iterdir())) == (1, [directory / "kept"]), done.stderr
    assert done.stderr == f"deploy/debian13: {directory} is not empty, and this script did not create it\n"


class Mirror(http.server.BaseHTTPRequestHandler):
    """Answers every request with an empty file."""

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


def test_a_step_that_was_not_run_does_not_count_as_passed(directory, tools):
    (tools / "unshare").unlink()
    # The same step may be writing its log in .build/test-logs.
    done = run("deploy/test", "debian13", PATH=str(tools), TEST_LOGS=str(directory / "logs"))
    assert done.returncode == 0, done.stderr
    assert "deploy/debian13: not run: the right to mount is missing: " in done.stdout
    assert done.stdout.splitlines()[-1].startswith("deploy/test: passed nothing in ")
    assert done.stdout.splitlines()[-1].endswith("; not run: debian13")

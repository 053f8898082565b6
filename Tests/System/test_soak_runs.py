"""Whole runs of Tests/soak."""

import os
import signal
import subprocess
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from harness.process import REPOSITORY, wait_until

pytestmark = pytest.mark.nightly


@contextmanager
def soak(seconds, directory):
    """A run in a process group of its own, of which nothing is left."""
    command = [REPOSITORY / "Tests/soak", "--seconds", str(seconds), "--seed", "4"]
    log, environment = directory / "soak.txt", {**os.environ, "TMPDIR": str(directory)}
    with log.open("w") as output:
        child = subprocess.Popen(command, stdout=output, stderr=output, env=environment, start_new_session=True)
    try:
        yield child, log
    finally:
        for number in (signal.SIGTERM, signal.SIGKILL):
            with suppress(ProcessLookupError, subprocess.TimeoutExpired):
                os.killpg(child.pid, number)
                child.wait(60)


def programs(group):
    """The names of the processes of a group."""
    found = set()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        # A process can end between glob and read.
        with suppress(OSError):
            name, rest = stat.read_text().split("(", 1)[1].rsplit(") ", 1)
            if rest.split()[2] == str(group):
                found.add(name)
    return found


def test_a_short_run_finds_nothing_wrong(directory):
    with soak(20, directory) as (child, log):
        status = child.wait(120)
    text = log.read_text()
    assert status == 0, text[-10_000:]
    assert "verdict: nothing failed" in text.splitlines()[-1]


def test_a_run_that_is_terminated_stops_what_it_started(directory):
    with soak(600, directory) as (child, log):
        wait_until(lambda: {"nginx", "linkedin-signin"} <= programs(child.pid), "the start of the site", 60)
        child.terminate()
        assert child.wait(60) == 128 + signal.SIGTERM, log.read_text()
        assert programs(child.pid) == set()
        assert "ended early" in log.read_text()
    assert [path.name for path in directory.iterdir()] == ["soak.txt"]

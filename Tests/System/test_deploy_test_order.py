"""deploy/test runs the steps that a change needs, `extended` the others, `all` both, and `nightly` what can wait for the night."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from harness.process import REPOSITORY, unassigned_ports, wait_until

pytestmark = pytest.mark.nightly

PASSING = {
    "bin/swift": "",
    ".build/debug/linkedin-signinPackageTests.xctest": "echo Test run with 1 test",
    ".build-sanitizer/debug/linkedin-signinPackageTests.xctest": "echo Test run with 1 test",
    "bin/clang": "",
    "deploy/packages": "",
    "deploy/debian13": "",
    "Tests/Fuzz/run": "echo 3 passed, 0 failed",
}
TESTS = """\
import pytest

def test_one():
    assert True

def test_two():
    assert True

@pytest.mark.extended
def test_three():
    assert True

@pytest.mark.nightly
@pytest.mark.parametrize("number", range(4))
def test_four(number):
    assert True
"""
BY_ARGUMENTS = {
    (): ["packages", "lint", "build", "system", "unit"],
    ("extended",): ["packages", "build", "system-extended", "threads", "debian13", "fuzz"],
    # The step threads runs the tests of the step unit.
    ("all",): ["packages", "lint", "build", "system", "system-extended", "threads", "debian13", "fuzz"],
    ("nightly",): ["packages", "build", "system-nightly"],
}


def in_system(directory, command):
    """A compiler that runs a command of the shell when the step system builds, which is the second build of `deploy/test all`."""
    built = directory / "built"
    return f"""case $* in
*sanitizer*) ;;
build*) if [ -e {built} ]; then {command}; fi; touch {built} ;;
esac"""


@pytest.fixture
def repository(directory):
    """A repository with the real deploy/test and one system test, where compilers do nothing."""

    def make(system_tests=TESTS, arguments=("all",), **changed):
        for name, text in {**PASSING, **changed}.items():
            path = directory / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"#!/bin/sh\n{text}\n")
            path.chmod(0o755)
        for name in ("Package.swift", "deploy/test", "Tests/report"):
            shutil.copy(REPOSITORY / name, directory / name)
        (directory / "Tests/HTTPTests").mkdir()
        (directory / "Tests/System").mkdir()
        (directory / "Tests/System/test_one.py").write_text(system_tests)
        (directory / "pytest.ini").write_text("[pytest]\nmarkers =\n  extended\n  nightly\n")
        for command in (["init", "-q"], ["add", "-A"]):
            subprocess.run(["git", *command], cwd=directory, check=True)
        environment = {**os.environ, "PATH": f"{directory}/bin:{os.environ['PATH']}"}
        return subprocess.run(["deploy/test", *arguments], cwd=directory, capture_output=True, text=True, env=environment, timeout=60)

    return make


@pytest.mark.parametrize("arguments", BY_ARGUMENTS, ids=["none", "extended", "all", "nightly"])
def test_the_argument_selects_the_steps_and_the_summary_names_each_once(repository, arguments):
    steps = BY_ARGUMENTS[arguments]
    done = repository(arguments=arguments)
    assert done.returncode == 0, done.stdout + done.stderr
    assert [line[3:] for line in done.stdout.splitlines() if line.startswith("== ")] == steps
    assert f"deploy/test: passed {' '.join(steps)} in " in done.stdout.splitlines()[-1]
    assert ("3 passed, 0 failed" in done.stdout) == ("fuzz" in steps)
    assert ("\n2 passed in " in done.stdout) == ("system" in steps), "the tests without the marker"
    assert ("\n1 passed in " in done.stdout) == ("system-extended" in steps), "the test with the marker extended"
    assert ("\n4 passed in " in done.stdout) == ("system-nightly" in steps), "the tests with the marker nightly"


def test_a_step_that_cannot_run_beside_the_others_is_in_the_summary(repository):
    done = repository(**{"deploy/debian13": "echo 'deploy/debian13: not run: no root'; exit 69"})
    assert done.returncode == 0, done.stdout + done.stderr
    assert "deploy/debian13: not run: no root" in done.stdout
    assert done.stdout.splitlines()[-1].endswith("; not run: debian13")


def test_a_step_that_fails_beside_the_others_fails_all_and_is_explained(repository):
    done = repository(**{"Tests/Fuzz/run": "echo 'cookie: crash-1 failed'; exit 1"})
    assert done.returncode == 1, done.stdout + done.stderr
    assert "Tests/Fuzz/Corpora/cookie/crash-1: cookie" in done.stdout
    assert "deploy/test: fuzz failed" in done.stdout and "deploy/test: passed" not in done.stdout.splitlines()[-1]


def test_no_step_begins_after_a_failure_beside_the_others(repository, directory):
    beside = directory / "beside"
    fuzz = f"cut -d ' ' -f 5 /proc/$$/stat >{beside}; echo 'cookie: crash-1 failed'; exit 1"
    # This step ends after the steps beside it: the process whose group they are is gone.
    gone = f'[ -s {beside} ] && [ ! -e "/proc/$(cat {beside})" ]'
    swift = in_system(directory, f"for _ in $(seq 1000); do if {gone}; then break; fi; sleep 0.01; done")
    done = repository(**{"Tests/Fuzz/run": fuzz, "bin/swift": swift})
    assert done.returncode == 1, done.stdout + done.stderr
    assert "system passed" in done.stdout and "deploy/test: fuzz failed" in done.stdout
    assert "== system-extended" not in done.stdout, "a step began although fuzz had failed"


def test_a_system_test_that_ends_its_process_ends_the_step_and_is_named(repository):
    crash = "import os\n\n\ndef test_one():\n    os._exit(9)\n\n\ndef test_two():\n    assert True\n"
    done = repository(crash)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "Tests/System/test_one.py:4: test_one" in done.stderr
    assert "1 failed in " in done.stderr, "a test ran in a process that had no share of the ports"


def test_a_step_that_fails_ends_what_runs_beside_it(repository, directory):
    begun = directory / "begun"
    failing = in_system(directory, f"for _ in $(seq 1000); do if [ -s {begun} ]; then exit 1; fi; sleep 0.01; done; exit 2")
    swift = failing.replace("*sanitizer*)", f"*sanitizer*) echo $$ >{begun}; exec sleep 50")
    done = repository(**{"bin/swift": swift})
    assert done.returncode == 1, done.stdout + done.stderr
    assert "deploy/test: system failed" in done.stderr
    process = Path("/proc", begun.read_text().strip())
    wait_until(lambda: not process.exists(), "the end of the step beside")


def test_the_processes_of_one_run_use_different_ports(monkeypatch):
    monkeypatch.setenv("PYTEST_XDIST_WORKER_COUNT", "2")
    shares = []
    for worker in ("gw0", "gw1"):
        monkeypatch.setenv("PYTEST_XDIST_WORKER", worker)
        shares.append(set(unassigned_ports()))
    assert not shares[0] & shares[1] and all(len(share) > 10_000 for share in shares)

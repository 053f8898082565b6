"""deploy/test runs one target, names what failed last, and says what was not run."""

import os
import subprocess

import pytest

from harness.process import BINARIES, REPOSITORY

pytestmark = pytest.mark.nightly

WITHOUT_MOUNTS = ["setpriv", "--bounding-set", "-sys_admin", "--inh-caps", "-sys_admin"]


@pytest.fixture
def deploy_test(directory):
    """Runs deploy/test with its own directory for logs."""

    def run(*arguments, prefix=()):
        environment = {**os.environ, "SYSTEM_TEST_BINARIES": str(BINARIES), "TEST_LOGS": str(directory)}
        command = [*prefix, REPOSITORY / "deploy/test", *arguments]
        return subprocess.run(command, capture_output=True, text=True, env=environment)

    return run


def report(kind, log):
    done = subprocess.run([REPOSITORY / "Tests/report", kind, log], capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


@pytest.fixture
def logged(directory):
    """Writes the text of a log and returns the path."""

    def write(text, step="unit"):
        path = directory / f"{step}.log"
        path.write_text(text)
        return path

    return write


def test_one_file_of_system_tests_runs_by_itself(deploy_test):
    done = deploy_test("system", "test_help.py")
    assert done.returncode == 0, done.stderr
    assert " passed in " in done.stdout
    assert done.stdout.splitlines()[-1].startswith("deploy/test: passed system in ")


@pytest.mark.parametrize(
    "arguments, known",
    [
        (("unit", "Nonsense"), ["HTTP", "Sessions", "SignIn"]),
        (("threads", "http"), ["HTTP", "Sessions", "SignIn"]),
        (("fuzz", "Cookie"), ["cookie", "return-path"]),
        (("system", "test_nonsense.py"), ["test_guard.py", "test_docs.py"]),
        (("nonsense",), ["lint", "unit", "system"]),
    ],
    ids="-".join,
)
def test_an_unknown_name_is_rejected_with_the_known_ones(deploy_test, arguments, known):
    done = deploy_test(*arguments)
    assert (done.returncode, done.stdout) == (64, "")
    assert f"'{arguments[-1]}'" in done.stderr
    assert set(known) <= set(done.stderr.partition(": ")[2].split())


def test_a_pattern_that_matches_no_test_fails(deploy_test, directory):
    done = deploy_test("system", "-k", "nothing_has_this_name")
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == f"log: {directory}/system.log"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give up the right to mount and keep the others")
def test_a_missing_right_is_named_and_the_other_tests_run(deploy_test):
    done = deploy_test("system", "-k", "few_inodes or unknown_name", prefix=WITHOUT_MOUNTS)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "not run: 1, because the right to mount (CAP_SYS_ADMIN) is missing; start the container with " in done.stdout
    assert " passed, 1 skipped" in done.stdout
    assert done.stdout.splitlines()[-1].endswith("; not run: 1 of system")


SWIFT_LOG = """\
◇ Test run started.
◇ Test "a good test" started.
✔ Test "a good test" passed after 0.001 seconds.
◇ Test "a full disk refuses new sessions, keeps the others, and recovers when there is space" started.
✘ Test "a full disk refuses new sessions, keeps the others, and recovers when there is space" recorded an issue at \
FullDiskTests.swift:33:9: Expectation failed: (answer → "ok") == "error full"
↳ a comment
✘ Test "a full disk refuses new sessions, keeps the others, and recovers when there is space" failed after 0.3 seconds with 1 issue.
✘ Test run with 2 tests in 1 suite failed after 0.3 seconds with 1 issue.
"""


def test_a_failed_unit_test_is_named_with_file_and_line(logged):
    name = '"a full disk refuses new sessions, keeps the others, and recovers when there is space"'
    assert report("failed", logged(SWIFT_LOG)) == [f"Tests/SessionsTests/FullDiskTests.swift:33: {name}"]


def test_a_unit_test_that_ended_the_process_is_named(logged):
    text = '◇ Test run started.\n◇ Test "a crash" started.\nerror: Exited with unexpected signal code 4\n'
    assert report("failed", logged(text)) == ['"a crash" did not end']


@pytest.mark.parametrize("processes", [[], ["-n", "2", "--dist", "loadfile"]], ids=["one process", "two processes"])
def test_a_failed_system_test_is_named_with_file_and_line(directory, logged, processes):
    folder = directory / "Tests/System"
    folder.mkdir(parents=True)
    lines = ["def helper():", "    assert False", "def test_one():", "    helper()", "def test_two():", "    assert 1 == 2"]
    lines += ["import pytest", "@pytest.mark.parametrize('width', ['320 px'])", "def test_three(width):", "    helper()"]
    (folder / "test_made_up.py").write_text("\n".join(lines))
    command = ["/usr/bin/python3", "-m", "pytest", "-q", "-rfEs", "-p", "no:cacheprovider", *processes, "Tests/System"]
    done = subprocess.run(command, cwd=directory, capture_output=True, text=True)
    assert report("failed", logged(done.stdout, "system")) == [
        "Tests/System/test_made_up.py:4: test_one",
        "Tests/System/test_made_up.py:6: test_two",
        "Tests/System/test_made_up.py:10: test_three[320 px]",
    ]


@pytest.mark.parametrize(
    "step, line, expected",
    [
        ("build", f"{REPOSITORY}/Sources/HTTP/Request.swift:3:4: error: no such type", "Sources/HTTP/Request.swift:3: no such type"),
        ("lint", "Sources/HTTP/Request.swift:3:4: error: [Indentation] indent", None),
        ("lint", "In deploy/test line 7:", "deploy/test:7: shellcheck"),
        ("lint", "deploy/test: 500 lines; at most 400 are allowed", None),
        ("fuzz", "cookie: crash-1 failed", "Tests/Fuzz/Corpora/cookie/crash-1: cookie"),
        ("threads", "SUMMARY: ThreadSanitizer: data race Engine.swift:5 in Engine.stop()", "ThreadSanitizer: data race Engine.swift:5 in Engine.stop()"),
    ],
)
def test_a_failure_of_another_step_is_named(logged, step, line, expected):
    assert report("failed", logged(f"before\n{line}\nafter\n", step)) == [expected or line]


def test_skipped_tests_are_counted_by_reason(logged):
    text = '➜ Test "one" skipped: "no right"\n➜ Suite A skipped: "no right"\nSKIPPED [2] Tests/System/conftest.py:60: no right\n'
    assert report("not-run", logged(text)) == ["not run: 3, because no right"]

"""`sessions`: the operator administers the sessions of a running program, in files and in PostgreSQL."""

import subprocess

import pytest

from harness.browser import SCRIPT
from harness.guarded import SUBJECTS
from harness.machines import Machines
from harness.process import BINARIES, surroundings, wait_until
from harness.tokens import access_token, cookie_in, sessions


def test_forgetting_a_member_ends_every_session_of_that_member_and_no_other(each_site):
    site = each_site
    browsers, other = [site.member() for _ in range(3)], site.member(2)
    done = sessions(site.responder, "forget", "--subject", SUBJECTS[1])
    assert (done.returncode, done.stdout, done.stderr) == (0, "sessions removed: 3\n", "")
    assert not any(site.is_signed_in(browser) for browser in browsers)
    assert site.is_signed_in(other) and len(site.responder.sessions()) == 1
    for path in site.responder.state.rglob("*"):
        assert not path.is_file() or SUBJECTS[1].encode() not in path.read_bytes(), path
    again = sessions(site.responder, "forget", "--subject", SUBJECTS[1])
    assert (again.returncode, again.stdout) == (65, "")


def test_forgetting_removes_imported_sessions_and_those_of_every_accepted_issuer(make_site):
    with make_site() as site:
        browser = site.member()
        imported = sessions(site.responder, "import", text=access_token(site))
        site.responder.stop()
        site.responder.settings["SIGNIN_ISSUERS"] = "https://new.example," + site.responder.settings["SIGNIN_ISSUERS"]
        site.responder.start()
        assert sessions(site.responder, "forget", "--subject", SUBJECTS[1]).stdout == "sessions removed: 2\n"
        answer = site.browser().get(f"{site.url}/profile", headers={**SCRIPT, **cookie_in(imported.stdout)})
        assert answer.status == 401 and not site.is_signed_in(browser)


@pytest.mark.parametrize("command", ["forget", "revoke"])
def test_sessions_of_an_issuer_that_is_no_longer_accepted_are_removed_too(make_site, command):
    with make_site() as site:
        site.member(), site.member(2)
        site.responder.stop()
        site.responder.settings["SIGNIN_ISSUERS"] = "https://new.example"
        site.responder.start()
        done = sessions(site.responder, command, "--subject", SUBJECTS[1])
        assert (done.returncode, done.stdout) == (0, "sessions removed: 1\n"), done.stderr
        assert len(site.responder.sessions()) == 1


def test_forgetting_needs_only_the_settings_of_the_store_and_the_address_of_the_site(site):
    site.member()
    environment = {**surroundings(), "SIGNIN_STATE_DIRECTORY": str(site.responder.state)}
    environment["SIGNIN_BASE_URL"] = site.responder.settings["SIGNIN_BASE_URL"]
    environment["SIGNIN_ISSUERS"] = site.responder.settings["SIGNIN_ISSUERS"]
    environment["LINKEDIN_CLIENT_SECRET_FILE"] = "/nonexistent"
    command = [BINARIES / "linkedin-signin", "sessions", "forget", "--subject", SUBJECTS[1]]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "sessions removed: 1\n"), done.stderr
    done = subprocess.run(command, env={**environment, "SIGNIN_IDLE_LIMIT": "soon"}, capture_output=True, text=True)
    assert done.returncode == 78 and "SIGNIN_IDLE_LIMIT" in done.stderr


def test_a_store_that_cannot_be_used_is_reported(directory):
    (directory / "state").mkdir(mode=0o755)
    environment = {**surroundings(), "SIGNIN_STATE_DIRECTORY": str(directory / "state")}
    command = [BINARIES / "linkedin-signin", "sessions", "forget", "--subject", "a"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (69, "") and "chmod 700" in done.stderr


def test_import_and_forget_take_effect_on_every_machine(directory, database):
    with Machines(directory, database, "nginx") as machines:
        site = machines.site
        urls = site.url, machines.second
        imported = sessions(site.responder, "import", text=access_token(site))
        assert imported.returncode == 0, imported.stderr
        ticket = cookie_in(imported.stdout)["Cookie"].partition("=")[2]
        browser, other = site.member(), site.member(2)
        for url in urls:
            assert machines.status_of(url, ticket) == machines.status(url, browser) == 200
        # While the sessions are in the memory of both machines.
        done = sessions(machines.other, "forget", "--subject", SUBJECTS[1])
        assert (done.returncode, done.stdout) == (0, "sessions removed: 2\n"), done.stderr
        for url in urls:
            wait_until(lambda: machines.status_of(url, ticket) == machines.status(url, browser) == 401, "the end", 0.5)
            assert machines.status(url, other) == 200
    assert database.run("SELECT count(*) FROM linkedin_signin.session", database="signin") == ["1"]


WRONG = [
    (), ("forget",), ("forget", "--subject"), ("forget", "--subject", "a", "b"), ("forget", "--subject", ""),
    ("forget", "--subject", "a", "--subject", "b"), ("forget", "--email", "maya"),
    ("forget", "--subject", "a", "--email", "a@example.com"), ("forget", "--all"),
]  # fmt: skip


@pytest.mark.parametrize("words", WRONG, ids=" ".join)
def test_a_wrong_command_line_changes_nothing(site, words):
    browser = site.member()
    command = [BINARIES / "linkedin-signin", "sessions", *words]
    environment = {**surroundings(), "SIGNIN_STATE_DIRECTORY": str(site.responder.state)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == (64 if words else 0)
    assert site.is_signed_in(browser)

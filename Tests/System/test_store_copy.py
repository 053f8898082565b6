"""Sessions that move from files to the database and back."""

import fcntl
import os
import signal
import subprocess
from contextlib import contextmanager, nullcontext

import pytest

from harness.guarded import SUBJECTS
from harness.machines import MAKE_KEY, command
from harness.personal_tokens import accepting, bearer, made, tokens
from harness.pooler import pooler
from harness.process import BINARIES, surroundings, wait_until
from harness.responder import Responder
from harness.site import SESSION, Site, from_provider


LOCKED = "store copy --finish moves its sessions: try again when store copy --finish has ended"


def places(responder):
    """The settings of the state directory and of the site to which it belongs."""
    return {name: responder.settings[name] for name in ("SIGNIN_STATE_DIRECTORY", "SIGNIN_BASE_URL")}


def test_sessions_and_sign_ins_under_way_move_to_the_database_and_back(directory, database):
    key = directory / "store-key"
    subprocess.run(["bash", "-c", MAKE_KEY], cwd=directory, check=True)
    with Site(directory, "nginx") as site:
        responder = site.responder
        database_settings = {"SIGNIN_STORE": database.address("signin"), "SIGNIN_STORE_KEY_FILE": str(key)}

        def copy(*options):
            done = command({**database_settings, **places(responder)}, "store", "copy", *options)
            assert done.returncode == 0, done.stderr
            return done.stdout

        members = [site.browser() for _ in range(6)]
        for browser in members:
            assert site.sign_in(browser).status == 303
        tickets = [browser.jar["localhost"][SESSION] for browser in members]
        assert copy("--to", "database") == "6 sessions are in the database\n"
        # What happens after the first copy counts: a sign-out, a use that changes the session, and a sign-in.
        assert site.sign_out(members[0]).status == 303
        assert site.is_signed_in(members[1])
        late, begun = site.browser(), site.browser()
        assert site.sign_in(late).status == 303
        address = site.begin(begun)
        responder.stop()
        assert copy("--to", "database", "--finish") == "6 sessions are in the database\n"
        assert responder.sessions() == []
        responder.settings.update(database_settings)
        responder.start()
        for browser in (*members[1:], late):
            assert site.is_signed_in(browser)
        status = site.browser().get(f"{site.url}/profile", headers={"Cookie": f"{SESSION}={tickets[0]}"}).status
        assert status in (303, 401)
        assert begun.get(site.consent(address), headers=from_provider()).status == 303
        # Nothing is left that a second copy could bring back.
        assert site.sign_out(members[2]).status == 303
        responder.stop()
        assert copy("--to", "database", "--finish") == "0 sessions are in the database\n"
        assert copy("--to", "files", "--finish") == "6 sessions are in the state directory\n"
        assert database.run("SELECT count(*) FROM linkedin_signin.session", database="signin") == ["0"]
        for name in database_settings:
            del responder.settings[name]
        responder.start()
        for browser in (members[1], *members[3:], late, begun):
            assert site.is_signed_in(browser)
        assert not site.is_signed_in(members[2])


def test_root_copies_as_the_owner_of_the_state_directory(directory, database):
    with Site(directory, "nginx") as site:
        site.member()
        responder = site.responder
        responder.stop()
        settings = {"SIGNIN_STORE": database.address("signin"), **places(responder)}
        state = responder.settings["SIGNIN_STATE_DIRECTORY"]
        subprocess.run(["chown", "-R", "nobody", state], check=True)
        for target, where in (("database", "database"), ("files", "state directory")):
            done = command(settings, "store", "copy", "--to", target, "--finish")
            assert (done.returncode, done.stdout) == (0, f"1 sessions are in the {where}\n"), done.stderr
        owners = subprocess.run(["find", state, "-printf", "%u\n"], capture_output=True, text=True, check=True).stdout.split()
        assert set(owners) == {"nobody"}


def test_last_copy_refuses_while_a_server_runs_with_either_place(directory, database):
    with Site(directory, "nginx") as site:
        responder = site.responder
        database_settings = {"SIGNIN_STORE": database.address("signin")}
        browser = site.member()

        def finish(target):
            place = {"SIGNIN_STATE_DIRECTORY": str(responder.state), "SIGNIN_BASE_URL": site.url}
            return command({**database_settings, **place}, "store", "copy", "--to", target, "--finish")

        def refusal(target):
            done = finish(target)
            assert done.returncode == 69 and done.stdout == "" and site.is_signed_in(browser)
            return done.stderr

        for target in ("database", "files"):
            assert "is locked: serve uses it: stop serve" in refusal(target)
        # The second of two servers, of which one has replaced the other, keeps the lock.
        predecessor = responder.process
        responder.launch("--replace")
        assert predecessor.child.wait(20) == 0
        assert "is locked: serve uses it: stop serve" in refusal("database")
        responder.stop()
        assert finish("database").returncode == 0
        responder.settings.update(database_settings)
        responder.start()
        assert site.is_signed_in(browser)
        for target in ("database", "files"):
            assert "serve runs with this database: stop serve on all machines" in refusal(target)


def test_server_does_not_start_while_the_last_copy_moves_its_sessions(directory):
    responder = Responder(directory / "r", "http://localhost:8080", "http://127.0.0.1:9", {})
    responder.state.mkdir(mode=0o700)
    held = os.open(responder.state, os.O_RDONLY)
    try:
        # As the command does while it moves sessions.
        fcntl.flock(held, fcntl.LOCK_EX)
        responder.launch()
        assert responder.process.child.wait(10) == 69 and LOCKED in responder.log
        done = command(responder.settings, "sessions", "import", input="a-token\n")
        assert done.returncode == 69 and f"the state directory {responder.state} is locked: {LOCKED}\n" in done.stderr, done.stderr
    finally:
        os.close(held)


@contextmanager
def stopped_copy(database, settings, target):
    """The last copy, stopped at its first change of a session in the database; at the end, it continues and exits."""
    psql = ["psql", "-X", "-q", "-h", database.directory, "-U", "postgres", "signin"]
    words = ["store", "copy", "--to", target, "--finish"]
    with subprocess.Popen(psql, stdin=subprocess.PIPE, text=True, env=surroundings()) as holder:
        holder.stdin.write("BEGIN; LOCK TABLE linkedin_signin.session IN SHARE MODE;\n")
        holder.stdin.flush()
        locks = "SELECT count(*) FROM pg_locks WHERE relation = 'linkedin_signin.session'::regclass AND {}"
        wait_until(lambda: database.run(locks.format("mode = 'ShareLock'"), database="signin") == ["1"], "the lock of the table")
        copy = subprocess.Popen(
            [BINARIES / "linkedin-signin", *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**surroundings(), **settings},
        )
        wait_until(lambda: database.run(locks.format("NOT granted"), database="signin") == ["1"], "the first change")
        copy.send_signal(signal.SIGSTOP)
        holder.stdin.close()
    try:
        yield copy
    finally:
        copy.send_signal(signal.SIGCONT)
        copy.output, copy.errors = copy.communicate(timeout=60)


@pytest.mark.parametrize("target", ["database", "files"])
@pytest.mark.parametrize("pooled", [False, True], ids=["direct", "pooled"])
def test_server_does_not_start_while_the_last_copy_uses_its_database(directory, database, target, pooled):
    way = pooler(directory, database) if pooled else nullcontext(database.address("signin"))
    with way as address, Site(directory, "nginx") as site:
        responder, browser = site.responder, site.member()
        settings = {"SIGNIN_STORE": address}
        responder.stop()
        if target == "files":
            assert command({**settings, **places(responder)}, "store", "copy", "--to", "database", "--finish").returncode == 0
        responder.settings.update(settings)
        with stopped_copy(database, {**settings, **places(responder)}, target) as copy:
            responder.launch()
            assert responder.process.child.wait(20) == 69, responder.log
            assert f"the database is locked: {LOCKED}" in responder.log
            done = command(responder.settings, "sessions", "import", input="a-token\n")
            assert done.returncode == 69 and f"the database is locked: {LOCKED}\n" in done.stderr, done.stderr
        assert copy.returncode == 0, copy.errors
        if target == "files":
            del responder.settings["SIGNIN_STORE"]
        responder.start()
        assert site.is_signed_in(browser)


@pytest.mark.parametrize("target", ["database", "files"])
def test_last_copy_that_loses_its_lock_erases_nothing_more(directory, database, target):
    with Site(directory, "nginx") as site:
        responder = site.responder
        browsers = [site.member() for _ in range(4)]
        settings = {"SIGNIN_STORE": database.address("signin"), **places(responder)}
        responder.stop()
        if target == "files":
            assert command(settings, "store", "copy", "--to", "database", "--finish").returncode == 0
        with stopped_copy(database, settings, target) as copy:
            lost = "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND mode = 'ExclusiveLock'"
            assert database.run(lost, database="signin") == ["t"]
        assert copy.returncode == 69, (copy.output, copy.errors)
        left = database.run("SELECT count(*) FROM linkedin_signin.session", database="signin")
        # The shard of the first change in the database was erased before the lock was lost.
        assert left == ["3"] if target == "files" else len(responder.sessions()) == 4
        done = command(settings, "store", "copy", "--to", target, "--finish")
        assert done.returncode == 0, done.stderr
        if target == "database":
            responder.settings.update(settings)
        responder.start()
        assert all(site.is_signed_in(browser) for browser in browsers)


def test_personal_tokens_move_to_the_database_and_back(directory, database):
    key = directory / "store-key"
    subprocess.run(["bash", "-c", MAKE_KEY], cwd=directory, check=True)
    with accepting(directory, "nginx") as site:
        responder = site.responder
        database_settings = {"SIGNIN_STORE": database.address("signin"), "SIGNIN_STORE_KEY_FILE": str(key)}
        site.member()
        kept, revoked = (made(site, SUBJECTS[1], name=name) for name in ("kept", "revoked"))

        def opens(token):
            return site.browser().get(site.url_of("address"), headers=bearer(token)).status == 200

        def copy(target):
            done = command({**database_settings, **places(responder)}, "store", "copy", "--to", target, "--finish")
            assert done.returncode == 0, done.stderr

        def listed():
            return tokens(responder, "list", "--json").stdout

        assert opens(kept) and opens(revoked)
        responder.stop()
        before = listed()
        copy("database")
        assert list((responder.state / "tokens").iterdir()) == [] and listed() == "[]\n"
        responder.settings.update(database_settings)
        responder.start()
        assert listed() == before and opens(kept) and opens(revoked)
        (entry,) = [line for line in before.splitlines() if '"revoked"' in line]
        assert tokens(responder, "revoke", entry.split('"id":"')[1][:32]).returncode == 0
        responder.stop()
        copy("files")
        for name in database_settings:
            del responder.settings[name]
        responder.start()
        assert opens(kept) and not opens(revoked)
        assert database.run("SELECT count(*) FROM linkedin_signin.token_owner", database="signin") == ["0"]


def test_copy_back_needs_that_nothing_serves(directory):
    done = command({"SIGNIN_STORE": "postgresql://db/signin"}, "store", "copy", "--to", "files")
    assert done.returncode == 64 and "needs --finish" in done.stderr
    done = command({"SIGNIN_STATE_DIRECTORY": str(directory)}, "store", "copy", "--to", "database")
    assert done.returncode == 78 and "SIGNIN_STORE is empty" in done.stderr

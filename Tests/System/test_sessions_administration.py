"""`sessions list`, `show`, `count`, `revoke` and `sweep`: the operator sees and ends sessions while the program serves."""

import json
import os
import subprocess
from concurrent.futures import ThreadPoolExecutor

import pytest

from harness.browser import SCRIPT
from harness.clock import Clock
from harness.guarded import SUBJECTS
from harness.machines import Machines
from harness.process import BINARIES, surroundings, wait_until
from harness.site import SESSION
from harness.tokens import sessions, without_store


def run(site, *words):
    done = sessions(site.responder, *words)
    assert (done.returncode, done.stderr) == (0, ""), done
    return done.stdout


def listed(site, *filters):
    return json.loads(run(site, "list", "--json", *filters))


def test_the_list_shows_every_session_and_nothing_that_opens_it(each_site):
    site = each_site
    browsers = [site.member(number) for number in (1, 2, 1)]
    rows = listed(site)
    assert [row["subject"] for row in rows] == [SUBJECTS[1], SUBJECTS[2], SUBJECTS[1]]
    assert {row["id"] for row in rows} == {path.parent.name + path.name for path in site.responder.sessions()}
    assert set(rows[0]) == {"id", "subject", "issuer", "name", "email", "email_verified", "signed_in", "last_used", "ends"}
    shown = site.browser().get(f"{site.url}/session", headers={**SCRIPT, "Cookie": cookie(browsers[0])}).json
    assert {name: rows[2][name] for name in ("subject", "name", "email", "email_verified")} | {"expires": rows[2]["ends"]} == {
        name: shown[name] for name in ("subject", "name", "email", "email_verified", "expires")
    }
    table = run(site, "list")
    lines = table.splitlines()
    assert lines[0].split() == ["ID", "SIGNED", "IN", "(UTC)", "LAST", "USED", "(UTC)", "SUBJECT", "E-MAIL"]
    for row, line in zip(rows, lines[1:], strict=True):
        date = row["signed_in"][:16].replace("T", " ")
        assert line.split("  ")[0] == row["id"][:12] and date in line and row["subject"] in line and row["email"] in line
    everything = table + json.dumps(rows) + run(site, "show", rows[0]["id"])
    for browser in browsers:
        assert browser.jar["localhost"][SESSION] not in everything
    for row in rows:
        answer = site.browser().get(f"{site.url}/session", headers={**SCRIPT, "Cookie": f"{SESSION}={row['id']}"})
        assert answer.json["signed_in"] is False
    assert all(site.is_signed_in(browser) for browser in browsers)


def cookie(browser):
    return f"{SESSION}={browser.jar['localhost'][SESSION]}"


def test_the_list_is_filtered_by_subject_address_age_and_last_use(make_site, directory):
    clock = Clock(directory)
    with make_site(wrapper=clock.wrapper, settings={"SIGNIN_SESSION_LIFETIME": "30d", "SIGNIN_IDLE_LIMIT": "10d"}) as site:
        old, other = site.member(), site.member(2)
        clock.advance(site, days=2)
        new = site.member()
        assert site.is_signed_in(other)
        everyone = clocked(clock, site, "list", "--json")
        address = everyone[0]["email"]
        expected = {
            ("--subject", SUBJECTS[1]): 2,
            ("--subject", SUBJECTS[2]): 1,
            ("--subject", SUBJECTS[2].swapcase()): 0,
            ("--email", address.upper()): 2,
            ("--email", "nobody@example.com"): 0,
            ("--older-than", "1d"): 2,
            ("--newer-than", "1d"): 1,
            ("--unused-for", "1d"): 1,
            ("--used-within", "1h"): 2,
            ("--older-than", "1d", "--used-within", "1h"): 1,
            ("--older-than", "3d"): 0,
        }
        found = {words: len(clocked(clock, site, "list", "--json", *words)) for words in expected}
        assert len(everyone) == 3 and found == expected
        assert everyone[0]["signed_in"] > everyone[1]["signed_in"] >= everyone[2]["signed_in"]
        clock.advance(site, days=9)
        assert clocked(clock, site, "list", "--json", "--subject", SUBJECTS[2]) != []
        counted = clocked(clock, site, "count", "--json")
        # The sweeper of the program may have removed the ended one.
        assert counted.pop("ended") in (0, 1) and counted == {"sessions": 2, "members": 2, "unreadable": 0}
        assert [site.is_signed_in(browser) for browser in (old, other, new)] == [False, True, True]


def clocked(clock, site, *words):
    """Runs a command that sees the clock of the site."""
    command = [*clock.wrapper, BINARIES / "linkedin-signin", "sessions", *words]
    command += ["--settings-file", site.responder.directory / "settings"]
    done = subprocess.run(command, capture_output=True, text=True, env=surroundings(), timeout=60)
    assert (done.returncode, done.stderr) == (0, ""), done
    return json.loads(done.stdout)


def test_an_empty_store_has_no_sessions(site):
    done = sessions(site.responder, "list")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "linkedin-signin: no sessions\n")
    assert listed(site) == [] and run(site, "count") == "sessions: 0\nmembers: 0\nended: 0\nunreadable: 0\n"
    assert run(site, "revoke", "--all") == "sessions removed: 0\n"


def test_one_session_is_shown_and_ended_by_the_first_digits_of_its_id(site):
    first, second = site.member(), site.member()
    rows = listed(site)
    chosen = rows[1]["id"]
    page = run(site, "show", chosen[:12])
    assert f"id: {chosen}\n" in page and f"subject: {SUBJECTS[1]}\n" in page and "(verified)" in page
    assert json.loads(run(site, "show", "--json", chosen.upper())) == rows[1]
    assert run(site, "revoke", chosen[:12]) == "sessions removed: 1\n"
    assert not site.is_signed_in(first) and site.is_signed_in(second)
    for command in ("show", "revoke"):
        done = sessions(site.responder, command, chosen)
        assert (done.returncode, done.stdout, done.stderr) == (65, "", f"linkedin-signin: no session has the ID {chosen}\n")
    # With an unknown ID, none ends.
    assert sessions(site.responder, "revoke", rows[0]["id"], chosen).returncode == 65 and site.is_signed_in(second)
    assert run(site, "revoke", rows[0]["id"], rows[0]["id"][:8]) == "sessions removed: 1\n"
    assert not site.is_signed_in(second)


def test_digits_that_several_ids_begin_with_choose_none(site):
    browser = site.member()
    (record,) = site.responder.sessions()
    twin = record.with_name(record.name[:-1] + ("0" if record.name[-1] != "0" else "1"))
    twin.write_bytes(record.read_bytes())
    twin.chmod(0o600)
    owner = record.stat()
    subprocess.run(["chown", f"{owner.st_uid}:{owner.st_gid}", twin], check=True)
    done = sessions(site.responder, "revoke", record.parent.name + record.name[:10])
    assert (done.returncode, done.stdout) == (65, "") and "2 sessions have IDs that begin with" in done.stderr
    assert site.is_signed_in(browser) and len(site.responder.sessions()) == 2


def test_sessions_of_a_subject_an_address_or_everyone_are_ended(each_site):
    site = each_site
    one, two, three = site.member(), site.member(2), site.member(3)
    address = next(row["email"] for row in listed(site) if row["subject"] == SUBJECTS[2])
    assert run(site, "revoke", "--subject", SUBJECTS[1]) == "sessions removed: 1\n"
    assert [site.is_signed_in(browser) for browser in (one, two, three)] == [False, True, True]
    assert run(site, "revoke", "--email", address.upper()) == "sessions removed: 1\n"
    assert [site.is_signed_in(browser) for browser in (two, three)] == [False, True]
    damaged = site.responder.sessions()[0].with_name("0" * 30)
    damaged.write_bytes(b"LISS")
    assert "unreadable: 1\n" in run(site, "count")
    assert run(site, "revoke", "--all") == "sessions removed: 2\n"
    assert not site.is_signed_in(three) and site.responder.sessions() == []
    assert site.is_signed_in(site.member())


def test_a_sweep_removes_only_what_has_ended(make_site, directory):
    clock = Clock(directory)
    with make_site(wrapper=clock.wrapper, settings={"SIGNIN_SESSION_LIFETIME": "1d"}) as site:
        site.member()
        clock.advance(site, days=2)
        browser = site.member()
        words = [*clock.wrapper, BINARIES / "linkedin-signin", "sessions", "sweep"]
        words += ["--settings-file", site.responder.directory / "settings"]
        done = subprocess.run(words, capture_output=True, text=True, env=surroundings(), timeout=60)
        assert done.returncode == 0 and without_store(done, site.responder).stderr == ""
        # The sweeper of the program may have been there before.
        assert done.stdout.splitlines()[1] == "left: 1 sessions, 0 damaged, 0 of a newer version"
        assert len(site.responder.sessions()) == 1 and site.is_signed_in(browser)


def test_a_name_cannot_change_the_terminal_of_the_operator(site):
    browser = site.member()
    (record,) = site.responder.sessions()
    content = record.read_bytes()
    subject = SUBJECTS[1].encode()
    hostile = b"\x1b[2J\x07\xe2\x80\xae"
    assert content.count(subject) >= 1 and len(subject) >= len(hostile)
    changed = content.replace(subject, hostile + subject[len(hostile) :], 1)
    record.write_bytes(changed)
    for text in (run(site, "list"), run(site, "list", "--json"), run(site, "show", record.parent.name + record.name)):
        assert not [character for character in text if not character.isprintable() and character != "\n"], repr(text)
    assert listed(site)[0]["subject"].encode() == hostile + subject[len(hostile) :]
    # A changed record opens no session.
    assert not site.is_signed_in(browser)


def test_sessions_end_on_every_machine(directory, database):
    with Machines(directory, database, "nginx", SIGNIN_STORE_CACHE="5s") as machines:
        site = machines.site
        urls = site.url, machines.second
        browsers = [site.member(number) for number in (1, 1, 2, 3)]
        tickets = [browser.jar["localhost"][SESSION] for browser in browsers]

        def statuses():
            return {url: [machines.status_of(url, ticket) for ticket in tickets] for url in urls}

        assert statuses() == {url: [200] * 4 for url in urls}, "now in both caches"
        rows = json.loads(sessions(machines.other, "list", "--json").stdout)
        assert [row["subject"] for row in rows] == [SUBJECTS[number] for number in (3, 2, 1, 1)]
        address = next(row["email"] for row in rows if row["subject"] == SUBJECTS[2])
        steps = [
            ([rows[3]["id"][:12]], [401, 200, 200, 200]),
            (["--subject", SUBJECTS[1]], [401, 401, 200, 200]),
            (["--email", address], [401, 401, 401, 200]),
            (["--all"], [401] * 4),
        ]
        for words, expected in steps:
            done = sessions(machines.other, "revoke", *words)
            assert (done.returncode, done.stdout) == (0, "sessions removed: 1\n"), done.stderr
            wait_until(lambda: statuses() == {url: expected for url in urls}, f"the end of {words}", 1)
        assert sessions(machines.other, "count").stdout.startswith("sessions: 0\n")
        assert sessions(machines.other, "sweep").stdout.endswith("left: 0 sessions, 0 damaged, 0 of a newer version\n")
    assert database.run("SELECT count(*) FROM linkedin_signin.session", database="signin") == ["0"]


def test_an_unreachable_database_is_reported(directory, database):
    with Machines(directory, database, "nginx") as machines:
        machines.expect_outage()
        database.kill()
        for words in (("list",), ("count",), ("show", "abcd"), ("revoke", "--all"), ("sweep",)):
            done = sessions(machines.other, *words)
            assert (done.returncode, done.stdout) == (69, "") and "PostgreSQL" in done.stderr, done
        database.start()
        wait_until(lambda: sessions(machines.other, "count").returncode == 0, "recovery", 5)


WRONG = [
    ("show",), ("show", "abc"), ("show", "abcg"), ("show", "0" * 33), ("revoke",), ("revoke", "--all", "abcd"),
    ("revoke", "--subject", "a", "--all"), ("revoke", "../x"), ("list", "--older-than", "soon"), ("list", "x"),
    ("revoke", "--subject", ""), ("revoke", "--subject", "a", "--subject", "b"), ("revoke", "--email", ""),
    ("revoke", "--email", "maya"), ("revoke", "--email", "a@example.com", "--email", "b@example.com"),
    ("list", "--subject", ""), ("list", "--email", "maya"), ("list", "--subject", "a", "--subject", "b"),
    ("revoke", "--everything"), ("revoke", "abcd", "--everything"), ("revoke", "--subject", "a", "--email", "a@example.com"),
]  # fmt: skip


@pytest.mark.parametrize("words", WRONG, ids=" ".join)
def test_a_wrong_command_line_changes_nothing(site, words):
    browser = site.member()
    done = sessions(site.responder, *words)
    assert (done.returncode, done.stdout) == (64, "") and site.is_signed_in(browser)


# Locks the table until a connection that is newer than the lock has waited for longer than a second: the connection of the command, and
# not that of a sweeper in a running program.
HOLD = """
    DO $$ BEGIN
        LOCK TABLE linkedin_signin.session;
        WHILE NOT EXISTS (
            SELECT FROM pg_locks JOIN pg_stat_activity USING (pid)
            WHERE NOT granted AND waitstart < clock_timestamp() - interval '1.2 seconds' AND backend_start > now()
        ) LOOP PERFORM pg_sleep(0.05); END LOOP;
    END $$"""
LOCKED = "SELECT count(*) FROM pg_locks WHERE mode = 'AccessExclusiveLock' AND relation = 'linkedin_signin.session'::regclass"


def test_a_long_walk_reports_its_progress(directory, database):
    with Machines(directory, database, "nginx") as machines, ThreadPoolExecutor(1) as pool:
        held = pool.submit(database.run, HOLD, database="signin")
        wait_until(lambda: database.run(LOCKED, database="signin") == ["1"], "the lock")
        done = sessions(machines.other, "sweep")
        assert done.returncode == 0 and done.stdout.startswith("removed: 0 expired, 0 unused\n")
        assert done.stderr.startswith("linkedin-signin: swept 1 of 256 parts of the store\n"), done
        held.result()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can run a command as another user")
def test_a_user_who_cannot_enter_the_state_directory_is_told_to_become_root(directory):
    (directory / "private/state").mkdir(mode=0o700, parents=True)
    (directory / "private").chmod(0o700)
    (directory / "link").symlink_to("private/state")
    as_nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    environment = {**surroundings(), "SIGNIN_STATE_DIRECTORY": str(directory / "link")}
    command = [*as_nobody, BINARIES / "linkedin-signin", "sessions", "count"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 69 and "user nobody cannot enter it; run the command as root" in done.stderr, done.stderr

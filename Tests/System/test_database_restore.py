"""What docs/several-machines.md says about the backup of a database, and about a sign-out without one."""

import pytest

from harness.browser import NAVIGATION
from harness.guarded import SUBJECTS
from harness.machines import BACK_UP, END_ALL, RESTORE, ROLES, Machines, check, documented
from harness.personal_tokens import ACCEPTING, made, tokens
from harness.postgresql import PostgreSQL
from harness.process import wait_until
from harness.site import SESSION
from harness.tokens import sessions

pytestmark = pytest.mark.extended


def test_a_restored_database_serves_new_sign_ins_and_nothing_that_came_back_with_the_backup(directory, database):
    with PostgreSQL(directory / "new") as server, Machines(directory, database, "nginx", **ACCEPTING) as machines:
        site, programs = machines.site, (machines.site.responder, machines.other)
        leaves, stays = site.member(1), site.member(2)
        tickets = [browser.jar["localhost"][SESSION] for browser in (leaves, stays)]
        made(site, SUBJECTS[1])
        done = documented(BACK_UP, database, directory)
        assert (done.returncode, done.stderr) == (0, ""), done
        assert (directory / "linkedin-signin.dump").stat().st_mode & 0o777 == 0o600
        assert site.sign_out(leaves).status == 303 and tokens(site.responder, "revoke", "--all").returncode == 0
        for program in programs:
            program.stop()
        # The server of the backup, and a new one.
        server.run(ROLES)
        for place in (database, server):
            done = documented(RESTORE, place, directory)
            assert done.returncode == 0 and done.stdout.endswith(": nothing to do\n"), done
            for program in programs:
                program.settings["SIGNIN_STORE"] = place.address("signin")
                program.write_settings()
            assert sessions(site.responder, "count").stdout.startswith("sessions: 2\n"), "one of them was signed out"
            done = documented(END_ALL, place, directory, site.responder.directory / "settings")
            assert (done.returncode, done.stdout) == (0, "sessions removed: 2\npersonal tokens revoked: 1\n"), done
            assert "linkedin_signin" not in check({"SIGNIN_STORE": place.address("signin")}).stderr
        for program in programs:
            program.start()
        for ticket in tickets:
            assert machines.status_of(site.url, ticket) == machines.status_of(machines.second, ticket) == 401
        assert site.is_signed_in(site.member(3))


def test_a_sign_out_while_the_database_is_away_deletes_the_cookie_but_not_the_session(directory, database):
    with Machines(directory, database, "nginx") as machines:
        machines.expect_outage()
        browser, everywhere = machines.site.member(), machines.site.member(2)
        tickets = [each.jar["localhost"][SESSION] for each in (browser, everywhere)]
        database.kill()
        wait_until(lambda: machines.status_of(machines.site.url, tickets[0]) == 503, "the outage", 3)
        assert browser.get(f"{machines.site.url}/profile", headers=NAVIGATION).status == 503
        assert browser.jar["localhost"][SESSION] == tickets[0], "other requests delete no cookie"
        answer = machines.site.sign_out(browser)
        assert answer.status == 503 and "You are signed out in this browser only" in answer.text
        assert SESSION not in browser.jar["localhost"]
        own = {**NAVIGATION, "Sec-Fetch-Site": "same-origin", "Origin": machines.site.url}
        assert everywhere.post(f"{machines.site.url}/logout", {"everywhere": "yes"}, headers=own).status == 503
        assert everywhere.jar["localhost"][SESSION] == tickets[1]
        database.start()
        wait_until(lambda: machines.status_of(machines.site.url, tickets[0]) == 200, "the end of the outage", 5)

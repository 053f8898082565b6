"""What the program asks a PostgreSQL server, as the server's own log has it."""

import re
from concurrent.futures import ThreadPoolExecutor

from harness.machines import Machines
from harness.pooler import pooler
from harness.process import wait_until
from harness.site import SESSION

# A look-up of sessions: by name if the server has planned it already.
LOOK_UP = re.compile(r"execute (\S+): SELECT timeline, id, record")

# What the cleaning of one of 256 parts begins with.
CLEANING = re.compile(r"WITH ended AS|SELECT count\(\*\) FILTER|DELETE FROM linkedin_signin\.|SELECT count\(\*\)|FROM linkedin_signin\.kept")


class Statements:
    """The statements since this was made."""

    def __init__(self, database):
        self.log = database.directory / "server.log"
        database.run("ALTER SYSTEM SET log_statement = 'all'")
        database.run("SELECT pg_reload_conf()")
        wait_until(lambda: database.run("SHOW log_statement") == ["all"], "the log of statements")
        self.start = self.log.stat().st_size

    @property
    def lines(self):
        return self.log.read_bytes()[self.start :].decode().splitlines()

    @property
    def look_ups(self):
        """The name of each look-up's statement."""
        return [found[1] for found in map(LOOK_UP.search, self.lines) if found]

    def others(self):
        """The statements of the program that are not look-ups."""
        return [line for line in self.lines if " execute " in line and not LOOK_UP.search(line)]


def test_thousand_checks_are_a_thousand_planned_look_ups_and_little_else(directory, database):
    with Machines(directory, database, "nginx", SIGNIN_STORE_CACHE="0") as machines:
        browser = machines.site.member()
        ticket = browser.jar["localhost"][SESSION]
        machines.remember(machines.second, ticket)
        # Long enough ago that each check is a use to write down.
        database.run("UPDATE linkedin_signin.session SET used = now() - interval '10 minutes'", database="signin")
        statements = Statements(database)
        assert {machines.status_of(machines.second, ticket) for _ in range(1_000)} == {200}
        look_ups = statements.look_ups
        assert len(look_ups) == 1_000 and len(set(look_ups)) == 1 and look_ups[0].startswith("linkedin_signin_")
        # Uses of a session are one note, which is written after 5 seconds.
        wait_until(lambda: any("SET used" in line for line in statements.others()), "the note of the uses", 15)
        others = statements.others()
        assert sum("SET used" in line for line in others) <= 2, others
        # The others prove the primary four times a second. After the start, the program also cleans up without a pause.
        assert sum(not CLEANING.search(line) for line in others) < 300, others


def test_look_ups_that_wait_at_the_same_time_are_one_statement(directory, database):
    with Machines(directory, database, "nginx", SIGNIN_STORE_CACHE="0") as machines:
        tickets = [machines.site.member().jar["localhost"][SESSION] for _ in range(8)]
        for ticket in tickets:
            machines.remember(machines.second, ticket)
        stranger = "A" * 43
        statements = Statements(database)
        with ThreadPoolExecutor(16) as pool:
            answers = pool.map(lambda ticket: machines.status_of(machines.second, ticket), [*tickets, stranger] * 50)
            assert list(answers) == [*[200] * 8, 401] * 50
        assert 1 < len(statements.look_ups) < 450


def test_pooler_that_hides_planned_statements_harms_no_request(directory, database):
    with (
        pooler(directory, database) as address,
        Machines(directory, database, "nginx", SIGNIN_STORE=address, SIGNIN_STORE_CACHE="0") as machines,
    ):
        ticket = machines.site.member().jar["localhost"][SESSION]
        machines.remember(machines.second, ticket)
        statements = Statements(database)
        with ThreadPoolExecutor(16) as pool:
            urls = [machines.site.url, machines.second] * 200
            # The pooler sends a name to a connection that has no statement of the name, or one, only if requests overlap.
            for _ in range(20):
                assert set(pool.map(lambda url: machines.status_of(url, ticket), urls)) == {200}
                if "<unnamed>" in statements.look_ups:
                    break
        # Both machines gave the name up then.
        assert re.search(r"prepared statement \S+ (does not exist|already exists)", statements.log.read_text())
        assert "<unnamed>" in statements.look_ups

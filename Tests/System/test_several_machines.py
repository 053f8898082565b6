"""Two gateways on one PostgreSQL database, as docs/several-machines.md sets them up."""

import re
import subprocess

import pytest

from harness.browser import NAVIGATION
from harness.postgresql import AS_POSTGRES, PostgreSQL
from harness.process import BINARIES, REPOSITORY, Process, free_port, surroundings, wait_until
from harness.responder import Responder
from harness.site import SESSION, Site
from harness.webserver import WebServer

PAGE = (REPOSITORY / "docs/several-machines.md").read_text()
ROLES, RIGHTS = re.findall(r"^```sql\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
(MIGRATE,) = re.findall(r"^```sh\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


@pytest.fixture
def server(directory):
    directory.chmod(0o711)  # the server's own user has to get in
    with PostgreSQL(directory / "db") as server:
        yield server


@pytest.fixture
def database(server):
    """A server with the roles, the tables and the rights that the page describes."""
    server.run(ROLES)
    assert migrate(server).returncode == 0
    server.run(RIGHTS, "signin_owner", "signin")
    return server


def migrate(server, *options):
    """The command of the page, for this server."""
    line = MIGRATE.strip().replace("postgresql://signin_owner@db1.example/signin", f"'{server.address('signin_owner')}'")
    environment = {**surroundings(), "PATH": f"{BINARIES}:{surroundings()['PATH']}"}
    script = " ".join([line, *options])
    return subprocess.run(["bash", "-c", script], capture_output=True, text=True, env=environment)


def command(settings, *words):
    environment = {**surroundings(), **settings}
    return subprocess.run([BINARIES / "linkedin-signin", *words], capture_output=True, text=True, env=environment)


def check(settings):
    required = {"LINKEDIN_CLIENT_ID": "a", "LINKEDIN_CLIENT_SECRET": "b", "SIGNIN_BASE_URL": "https://a.example"}
    return command({**required, **settings}, "check")


class Machines:
    """A site, and a second gateway with a web server of its own on the same database."""

    def __init__(self, directory, database, front, **settings):
        self.settings = {"SIGNIN_STORE": database.address("signin"), **settings}
        self.site = Site(directory / "a", front, self.settings)
        self.directory = directory

    def __enter__(self):
        self.site.__enter__()
        self.other = Responder(self.directory / "b", self.site.url, self.site.simulator.url, self.settings).start()
        port = free_port()
        self.front = WebServer(self.site.front, self.directory / "fb", self.other.socket, port, None, (), lambda text: text)
        self.front.__enter__()
        self.second = f"http://localhost:{port}"
        return self

    def __exit__(self, *details):
        self.front.__exit__(*details)
        self.other.__exit__(*details)
        self.site.__exit__(*details)

    def expect_outage(self):
        for responder in (self.site.responder, self.other):
            responder.expected_errors += ["event=store-lost", "event=store-failed", "event=sweep-failed"]

    def status_of(self, url, ticket):
        """The status for a cookie that a browser may have lost."""
        headers = {"Cookie": f"{SESSION}={ticket}", "Accept": "application/json"}
        return self.site.browser().get(f"{url}/profile", headers=headers).status

    def status(self, url, browser):
        return browser.get(f"{url}/profile", headers={"Accept": "application/json"}).status


def test_member_who_signed_in_at_one_machine_is_signed_in_at_the_other_until_signing_out(directory, database):
    with Machines(directory, database, "nginx") as machines:
        browser = machines.site.browser()
        assert machines.site.sign_in(browser).status == 303
        assert machines.status(machines.site.url, browser) == machines.status(machines.second, browser) == 200
        ticket = browser.jar["localhost"][SESSION]
        assert machines.site.sign_out(browser).status == 303
        # The browser has no cookie any more: the old one opens nothing, at either machine.
        for url in (machines.site.url, machines.second):
            wait_until(lambda: machines.status_of(url, ticket) == 401, "sign-out", 0.5)
        assert list(machines.site.responder.state.glob("sessions/*/*")) == []
    assert database.run("SELECT count(*) FROM linkedin_signin.session", database="signin") == ["0"]


def test_member_who_deletes_their_data_at_one_machine_is_forgotten_by_the_other(directory, database):
    with Machines(directory, database, "nginx", SIGNIN_STORE_CACHE="5s") as machines:
        site = machines.site
        browsers = [site.browser() for _ in range(3)]
        for browser, number in zip(browsers, (1, 1, 2)):
            assert site.sign_in(browser, number).status == 303
        tickets = [browser.jar["localhost"][SESSION] for browser in browsers[:2]]
        for url in (site.url, machines.second):
            assert [machines.status_of(url, ticket) for ticket in tickets] == [200, 200], "now in both caches"
        answer = browsers[0].post(f"{site.url}/forget", headers={**NAVIGATION, "Sec-Fetch-Site": "same-origin"})
        assert answer.status == 200 and "2 sessions were deleted" in answer.text
        assert [machines.status_of(site.url, ticket) for ticket in tickets] == [401, 401]
        for ticket in tickets:
            wait_until(lambda: machines.status_of(machines.second, ticket) == 401, "the other machine forgets", 1)
        assert machines.status(machines.second, browsers[2]) == 200
    assert database.run("SELECT count(*) FROM linkedin_signin.session", database="signin") == ["1"]


@pytest.mark.parametrize("outage", ["killed", "stalled"])
def test_outage_of_the_database_signs_nobody_out(directory, database, outage):
    with Machines(directory, database, "nginx") as machines:
        machines.expect_outage()
        browser = machines.site.browser()
        machines.site.sign_in(browser)
        database.kill() if outage == "killed" else database.stall()
        for url in (machines.site.url, machines.second):
            wait_until(lambda: machines.status(url, browser) == 503, "503")
            answer = browser.get(f"{url}/", headers=NAVIGATION)
            assert answer.status == 503 and answer.header("Retry-After") and answer.header("Set-Cookie") is None
            # Whoever has no session needs no database.
            assert machines.site.browser().get(f"{url}/").status == 200
        assert browser.jar["localhost"][SESSION]
        database.start() if outage == "killed" else database.resume()
        for url in (machines.site.url, machines.second):
            wait_until(lambda: machines.status(url, browser) == 200, "recovery", 3)
        assert "event=store-reachable" in machines.other.settled_log()


def test_failover_keeps_acknowledged_sign_ins_and_sign_outs(directory, database):
    standby = database.copy(directory / "db2").start()
    try:
        database.run("ALTER SYSTEM SET synchronous_standby_names = '*'")
        database.run("SELECT pg_reload_conf()")
        wait_until(lambda: database.run("SELECT sync_state FROM pg_stat_replication") == ["sync"], "replication")
        place = str(directory).replace("/", "%2F")
        address = f"postgresql://signin@{place}%2Fdb,{place}%2Fdb2/signin"
        assert "synchronous replication is off" not in check({"SIGNIN_STORE": address}).stdout
        with Machines(directory, database, "nginx", SIGNIN_STORE=address) as machines:
            machines.expect_outage()
            members = [machines.site.browser() for _ in range(20)]
            for browser in members:
                assert machines.site.sign_in(browser).status == 303, machines.site.responder.log
            tickets = [browser.jar["localhost"][SESSION] for browser in members]
            for browser in members[:10]:
                assert machines.site.sign_out(browser).status == 303
            database.kill()
            wait_until(lambda: machines.status(machines.second, members[-1]) == 503, "503")
            assert standby.run("SELECT pg_promote()") == ["t"]
            for url in (machines.site.url, machines.second):
                wait_until(lambda: machines.status(url, members[-1]) == 200, "recovery", 3)
                seen = [machines.status_of(url, ticket) for ticket in tickets]
                assert seen == [401] * 10 + [200] * 10
            assert all(SESSION in browser.jar["localhost"] for browser in members[10:])
            assert machines.site.sign_in(machines.site.browser()).status == 303
    finally:
        standby.stop()


def test_gateways_share_sessions_behind_a_pooler_that_gives_each_transaction_another_connection(directory, database):
    pooler = directory / "pooler"
    subprocess.run(["install", "-d", "-o", "postgres", "-g", "postgres", pooler], check=True)
    (pooler / "users").write_text('"signin" ""\n')
    (pooler / "pgbouncer.ini").write_text(
        f"""[databases]
signin = host={database.directory} dbname=signin
[pgbouncer]
listen_addr =
unix_socket_dir = {pooler}
auth_type = trust
auth_file = {pooler}/users
pool_mode = transaction
default_pool_size = 2
"""
    )
    command = [*AS_POSTGRES, "pgbouncer", pooler / "pgbouncer.ini"]
    with Process("pgbouncer", command, directory) as bouncer:
        bouncer.wait_for_listener(pooler / ".s.PGSQL.6432")
        address = f"postgresql://signin@{str(pooler).replace('/', '%2F')}:6432/signin"
        with Machines(directory, database, "nginx", SIGNIN_STORE=address) as machines:
            for _ in range(5):
                browser = machines.site.browser()
                assert machines.site.sign_in(browser).status == 303
                ticket = browser.jar["localhost"][SESSION]
                assert machines.status(machines.site.url, browser) == machines.status(machines.second, browser) == 200
                assert machines.site.sign_out(browser).status == 303
                assert machines.status_of(machines.site.url, ticket) == 401
                # Without a message of the sign-out, the other machine learns of it when it reads again.
                wait_until(lambda: machines.status_of(machines.second, ticket) == 401, "sign-out", 2)


def test_serve_and_check_name_the_command_that_creates_the_tables(directory, server):
    server.run(ROLES)
    settings = {"SIGNIN_STORE": server.address("signin")}
    done = check(settings)
    message = "the database has no tables of this program; as their owner, run: linkedin-signin store migrate"
    assert done.returncode == 78 and message in done.stderr
    responder = Responder(directory / "r", "http://localhost:8080", "http://127.0.0.1:9", settings)
    responder.launch()
    assert responder.process.child.wait(10) == 78 and message in responder.log
    assert migrate(server, "--sql").stdout.startswith("BEGIN;\nCREATE SCHEMA")
    assert server.run("SELECT to_regclass('linkedin_signin.session')", database="signin") == [""]
    assert migrate(server).stdout == "the tables have version 1 now\n"
    assert migrate(server).stdout == "the tables have version 1: nothing to do\n"
    server.run("UPDATE linkedin_signin.version SET version = 9", database="signin")
    done = check({"SIGNIN_STORE": server.address("signin_owner")})
    assert done.returncode == 78 and "the tables have version 9, and this program knows 1" in done.stderr


def test_check_names_missing_rights_and_a_failover_that_loses_writes(database):
    settings = {"SIGNIN_STORE": database.address("signin")}
    done = check(settings)
    assert "SIGNIN_STORE: synchronous replication is off" in done.stdout and "linkedin_signin" not in done.stderr
    database.run("REVOKE DELETE, UPDATE ON linkedin_signin.session FROM signin", database="signin")
    done = check(settings)
    assert "SIGNIN_STORE: the role lacks DELETE, UPDATE ON linkedin_signin.session" in done.stderr
    done = check({"SIGNIN_STORE": database.address("postgres")})
    assert "the role is a superuser" in done.stdout


def test_role_of_the_program_can_change_no_table(database):
    for sql in ("DROP TABLE linkedin_signin.session", "CREATE TABLE linkedin_signin.x ()", "TRUNCATE linkedin_signin.spent",
                "DELETE FROM linkedin_signin.version", "ALTER TABLE linkedin_signin.kept ADD x int"):
        with pytest.raises(subprocess.CalledProcessError) as failed:
            database.run(sql, "signin", "signin")
        assert "permission denied" in failed.value.stderr or "must be owner" in failed.value.stderr


@pytest.mark.parametrize(
    "address, message",
    [
        ("postgresql://a:pass-canary@db/signin", "contains a password"),
        ("postgresql://db/signin?password=pass-canary", "contains a password"),
        ("mysql://db/signin", "is not an address such as"),
        ("postgresql://db:nonsense/%zz", "libpq does not understand this address"),
    ],
)
def test_address_that_cannot_be_used_is_named_and_its_password_is_not(address, message):
    done = check({"SIGNIN_STORE": address})
    assert done.returncode == 78 and message in done.stderr
    assert "canary" not in done.stdout + done.stderr


def test_database_that_does_not_answer_is_reported_by_check(directory):
    done = check({"SIGNIN_STORE": f"postgresql://signin@{str(directory).replace('/', '%2F')}/signin"})
    assert done.returncode == 78 and "SIGNIN_STORE: PostgreSQL: connection to server on socket" in done.stderr

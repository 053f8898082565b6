"""Tables, rights and addresses of a PostgreSQL database, as `serve`, `check` and `store migrate` see them."""

import re
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor

import pytest

from harness.machines import ROLES, Machines, check, command, migrate, prepare
from harness.postgresql import PostgreSQL
from harness.process import free_port, wait_until
from harness.responder import Responder
from harness.site import SESSION

pytestmark = pytest.mark.extended


def test_serve_and_check_name_the_command_that_creates_the_tables(directory, postgresql):
    postgresql.run(ROLES)
    settings = {"SIGNIN_STORE": postgresql.address("signin")}
    done = check(settings)
    message = "the database has no tables of this program; run: SIGNIN_STORE=postgresql://OWNER@HOST/DATABASE linkedin-signin store migrate"
    assert done.returncode == 78 and message in done.stderr
    responder = Responder(directory / "r", "http://localhost:8080", "http://127.0.0.1:9", settings)
    responder.launch()
    assert responder.process.child.wait(10) == 78 and message in responder.log
    assert migrate(postgresql, "--sql").stdout.startswith("BEGIN;\nCREATE SCHEMA")
    assert postgresql.run("SELECT to_regclass('linkedin_signin.session')", database="signin") == [""]
    assert migrate(postgresql).stdout == "the tables have version 4 now\n"
    assert migrate(postgresql).stdout == "the tables have version 4: nothing to do\n"
    postgresql.run("INSERT INTO linkedin_signin.version (version) VALUES (9)", database="signin")
    done = check({"SIGNIN_STORE": postgresql.address("signin_owner")})
    assert done.returncode == 78 and "the tables have version 9, and this program knows 4" in done.stderr


def test_tables_of_an_earlier_version_are_upgraded_with_the_rights_of_the_roles(database):
    count = "SELECT count(*) FROM linkedin_signin.version"
    database.run(
        "DROP TABLE linkedin_signin.server_key, linkedin_signin.token, linkedin_signin.token_owner, linkedin_signin.site;"
        "DROP FUNCTION linkedin_signin.prove(), linkedin_signin.timeline();"
        "DELETE FROM linkedin_signin.version WHERE version >= 2",
        "signin_owner",
        "signin",
    )
    settings = {"SIGNIN_STORE": database.address("signin")}
    done = check(settings)
    assert done.returncode == 78 and "the tables have version 1, and this program needs 4" in done.stderr
    assert migrate(database).stdout == "the tables have version 4 now\n"
    assert database.run(count, database="signin") == ["4"]
    assert "linkedin_signin" not in check(settings).stderr


def test_gateway_serves_while_its_tables_get_a_newer_version_and_names_that_version_at_its_next_start(directory, database):
    with Machines(directory, database, "nginx", SIGNIN_STORE_CACHE="0") as machines:
        ticket = machines.site.member().jar["localhost"][SESSION]
        machines.remember(machines.second, ticket)
        with ThreadPoolExecutor(1) as pool:
            seen = pool.submit(machines.watch, machines.second, ticket, 5)
            assert migrate(database).stdout == "the tables have version 4: nothing to do\n"
            # What a later version may do: each step leaves what the gateways of the version before use.
            database.run(
                "BEGIN; ALTER TABLE linkedin_signin.session ADD COLUMN later text;"
                "CREATE INDEX later ON linkedin_signin.session (expires);"
                "INSERT INTO linkedin_signin.version (version) VALUES (5); COMMIT",
                "signin_owner",
                "signin",
            )
            assert machines.site.sign_in(machines.site.browser()).status == 303
            assert seen.result() == {200}
        next_start = Responder(directory / "r", machines.site.url, machines.site.simulator.url, machines.settings)
        next_start.launch()
        assert next_start.process.child.wait(10) == 78
        assert "the tables have version 5, and this program knows 4: install a newer linkedin-signin" in next_start.log


def test_of_several_migrations_at_once_one_makes_the_tables_and_all_succeed(postgresql):
    postgresql.run(ROLES)
    locks = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND granted = {}"
    command = ["psql", "-X", "-q", "-h", postgresql.directory, "-U", "postgres", "signin"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True) as first:
        # As a command that changes the tables, so that all others have found none.
        first.stdin.write("SELECT pg_advisory_lock(1279873875, 1);\n")
        first.stdin.flush()
        wait_until(lambda: postgresql.run(locks.format(True)) == ["1"], "the lock")
        with ThreadPoolExecutor(4) as pool:
            commands = [pool.submit(migrate, postgresql) for _ in range(4)]
            try:
                wait_until(lambda: postgresql.run(locks.format(False)) == ["4"], "commands that wait for the lock")
            finally:
                first.stdin.close()
            assert [each.result().returncode for each in commands] == [0] * 4
    assert "nothing to do" in migrate(postgresql).stdout


def test_server_does_not_start_with_a_role_that_lacks_a_right(directory, database):
    database.run("REVOKE DELETE ON linkedin_signin.kept FROM signin", database="signin")
    settings = {"SIGNIN_STORE": database.address("signin")}
    responder = Responder(directory / "r", "http://localhost:8080", "http://127.0.0.1:9", settings)
    responder.launch()
    assert responder.process.child.wait(10) == 78
    assert "SIGNIN_STORE: the role lacks DELETE ON linkedin_signin.kept: grant these rights" in responder.log


def test_role_of_the_program_can_change_no_table(database):
    for sql in ("DROP TABLE linkedin_signin.session", "CREATE TABLE linkedin_signin.x ()", "TRUNCATE linkedin_signin.spent",
                "DELETE FROM linkedin_signin.version", "ALTER TABLE linkedin_signin.kept ADD x int"):
        with pytest.raises(subprocess.CalledProcessError) as failed:
            database.run(sql, "signin", "signin")
        assert "permission denied" in failed.value.stderr or "must be owner" in failed.value.stderr


def test_check_names_missing_rights_and_a_failover_that_loses_writes(database):
    settings = {"SIGNIN_STORE": database.address("signin")}
    done = check(settings)
    assert "SIGNIN_STORE: synchronous replication is off" in done.stdout and "linkedin_signin" not in done.stderr
    database.run("REVOKE DELETE, UPDATE ON linkedin_signin.session FROM signin", database="signin")
    done = check(settings)
    assert "SIGNIN_STORE: the role lacks DELETE, UPDATE ON linkedin_signin.session" in done.stderr
    done = check({"SIGNIN_STORE": database.address("postgres")})
    assert "the role is a superuser" in done.stdout


def test_check_compares_the_clock_of_the_database_with_this_machine(database):
    settings = {"SIGNIN_STORE": database.address("signin")}
    assert "the clock of the database" not in check(settings).stderr
    # Found before PostgreSQL's own function, so that this server's clock is wrong for the role.
    database.run(
        "CREATE FUNCTION public.clock_timestamp() RETURNS timestamptz LANGUAGE sql"
        " RETURN pg_catalog.clock_timestamp() - interval '10 seconds';"
        "ALTER ROLE signin SET search_path = public, pg_catalog",
        database="signin",
    )
    done = check(settings)
    assert done.returncode == 78 and re.search("the clock of the database .* differ by (9|10) s", done.stderr)


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


def make_certificate(base):
    """A certificate for localhost and its key, which PostgreSQL can read."""
    names = "-subj /CN=localhost -addext subjectAltName=DNS:localhost".split()
    files = ["-keyout", f"{base}.key", "-out", f"{base}.pem"]
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", *names, *files]
    subprocess.run(command, check=True, capture_output=True)
    subprocess.run(["chown", "postgres", f"{base}.key"], check=True)


def test_server_has_to_prove_its_name_and_the_program_its_password(directory, monkeypatch):
    directory.chmod(0o711)
    port = free_port()
    monkeypatch.setenv("PGPORT", str(port))
    for name in ("server", "other"):
        make_certificate(directory / name)
    files = f"ssl_cert_file={directory}/server.pem", f"ssl_key_file={directory}/server.key"
    with PostgreSQL(directory / "db", "listen_addresses=127.0.0.1", "ssl=on", *files) as server:
        prepare(server)
        rules = directory / "db/data/pg_hba.conf"
        rules.write_text("local all all trust\nhostssl signin signin 127.0.0.1/32 scram-sha-256\n")
        server.run("ALTER ROLE signin PASSWORD 'pass-canary'")
        server.run("SELECT pg_reload_conf()")
        password = directory / "password"
        password.touch(mode=0o600)

        def fault(host="localhost", root="server", text="pass-canary"):
            password.write_text(text)
            address = f"postgresql://signin@{host}:{port}/signin?sslmode=verify-full&sslrootcert={directory}/{root}.pem"
            done = check({"SIGNIN_STORE": address, "SIGNIN_STORE_PASSWORD_FILE": str(password)})
            assert "canary" not in done.stdout + done.stderr
            return "".join(line for line in done.stderr.splitlines(keepends=True) if "SIGNIN_STORE" in line)

        assert fault() == ""
        # A command of root connects as the owner of the state directory, who may not enter the home directory of root.
        state, home = directory / "state", directory / "home"
        state.mkdir(mode=0o700)
        home.mkdir(mode=0o700)
        shutil.chown(state, "nobody")
        monkeypatch.setenv("HOME", str(home))
        address = f"postgresql://signin@localhost:{port}/signin?sslmode=verify-full&sslrootcert={directory}/server.pem"
        settings = {"SIGNIN_STORE": address, "SIGNIN_STORE_PASSWORD_FILE": str(password), "SIGNIN_BASE_URL": "https://a.example"}
        done = command({**settings, "SIGNIN_STATE_DIRECTORY": str(state)}, "sessions", "count")
        assert done.returncode == 0 and "sessions: 0\n" in done.stdout, done.stderr
        assert 'does not match host name "127.0.0.1"' in fault(host="127.0.0.1")
        assert "certificate verify failed" in fault(root="other")
        assert "password authentication failed" in fault(text="other-canary")


def test_database_that_does_not_answer_is_reported_by_check(directory):
    done = check({"SIGNIN_STORE": f"postgresql://signin@{str(directory).replace('/', '%2F')}/signin"})
    assert done.returncode == 78 and "SIGNIN_STORE: PostgreSQL: connection to server on socket" in done.stderr

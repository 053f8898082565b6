"""Two gateways on one PostgreSQL database, as docs/several-machines.md sets them up."""

import re
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from harness.browser import NAVIGATION
from harness.clock import Clock
from harness.machines import MAKE_KEY, ROLES, Machines, both, command, migrate, prepare, synchronous_standby
from harness.postgresql import AS_POSTGRES, PostgreSQL
from harness.process import Process, surroundings, wait_until
from harness.responder import Responder
from harness.site import SESSION, Site, from_provider
from harness.stalling_proxy import StallingProxy


@pytest.fixture
def server(directory):
    directory.chmod(0o711)  # the server's own user has to get in
    with PostgreSQL(directory / "db") as server:
        yield server


@pytest.fixture
def database(server):
    """A server with the roles, the tables and the rights that the page describes."""
    return prepare(server)


def check(settings):
    required = {"LINKEDIN_CLIENT_ID": "a", "LINKEDIN_CLIENT_SECRET": "b", "SIGNIN_BASE_URL": "https://a.example"}
    return command({**required, **settings}, "check")


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


@pytest.fixture
def standby(directory, database):
    """A standby that the server's commits wait for."""
    with synchronous_standby(directory, database) as standby:
        yield standby


def test_gateway_that_is_cut_off_with_the_former_primary_allows_nobody_beyond_the_limit(directory, database, standby):
    other = {"SIGNIN_STORE": standby.address("signin")}
    with Machines(directory, database, "nginx", other) as machines:
        machines.expect_outage()
        browser, stays = machines.site.browser(), machines.site.browser()
        for each in (browser, stays):
            assert machines.site.sign_in(each).status == 303, machines.site.responder.log
        tickets = [each.jar["localhost"][SESSION] for each in (browser, stays)]
        assert machines.status(machines.site.url, browser) == 200
        # From here on, each gateway has a primary of its own.
        assert standby.run("SELECT pg_promote()") == ["t"]
        wait_until(lambda: machines.status(machines.second, browser) == 200, "second primary", 3)
        assert machines.sign_out_at(machines.second, browser).status == 303
        for ticket in tickets:
            wait_until(lambda: machines.status_of(machines.site.url, ticket) == 503, "denial", 2)
            assert machines.watch(machines.site.url, ticket, 3) == {503}
        assert machines.site.browser().get(f"{machines.site.url}/").status == 200
        assert machines.status(machines.second, stays) == 200
        # Sign-outs are not acknowledged either.
        machines.site.responder.expected_errors.append("event=signed-out")
        answer = machines.sign_out_at(machines.site.url, stays)
        assert answer.status == 503 or machines.status_of(machines.second, tickets[1]) == 401


@pytest.mark.parametrize("replication", ["asynchronous", "synchronous"])
def test_former_primary_that_comes_back_alone_opens_no_session(directory, database, standby, replication):
    if replication == "asynchronous":
        database.run("ALTER SYSTEM RESET synchronous_standby_names")
        database.run("SELECT pg_reload_conf()")
    with Machines(directory, database, "nginx", SIGNIN_STORE=both(directory)) as machines:
        machines.expect_outage()
        browser, stays = machines.site.browser(), machines.site.browser()
        for each in (browser, stays):
            assert machines.site.sign_in(each).status == 303
        ticket = browser.jar["localhost"][SESSION]
        wait_until(lambda: standby.run("SELECT count(*) FROM linkedin_signin.session", database="signin") == ["2"], "copy")
        database.kill()
        assert standby.run("SELECT pg_promote()") == ["t"]
        for url in (machines.site.url, machines.second):
            wait_until(lambda: machines.status(url, browser) == 200, "failover", 3)
        assert machines.site.sign_out(browser).status == 303
        standby.kill()
        database.start()
        if replication == "synchronous":
            # A gateway that starts now has not seen the newer primary.
            machines.other.stop()
            machines.other.start()
        for url in (machines.site.url, machines.second):
            wait_until(lambda: machines.status(url, stays) == 503, "outage", 5)
            assert machines.watch(url, ticket, 3) == {503}
        assert "the server is a former primary" in machines.site.responder.settled_log()
        database.kill()
        standby.start()
        for url in (machines.site.url, machines.second):
            wait_until(lambda: machines.status(url, stays) == 200, "recovery", 5)
            assert machines.status_of(url, ticket) == 401


def test_network_that_carries_nothing_to_the_database_harms_one_machine_only(directory, database):
    limit = 5
    with StallingProxy(directory / "proxy", database) as proxy:
        settings = {"SIGNIN_STORE": proxy.address("signin"), "SIGNIN_STORE_CACHE": f"{limit}s"}
        with Machines(directory, database, "nginx", {"SIGNIN_STORE": database.address("signin")}, **settings) as machines:
            machines.expect_outage()
            browser, stays = machines.site.browser(), machines.site.browser()
            for each in (browser, stays):
                assert machines.site.sign_in(each).status == 303, machines.site.responder.log
                assert machines.status(machines.site.url, each) == 200
            ticket = browser.jar["localhost"][SESSION]
            # The first request of a session may fetch the profile, which changes the session.
            assert machines.status_of(machines.site.url, ticket) == 200
            proxy.stall()
            assert machines.status_of(machines.site.url, ticket) == 200
            assert machines.sign_out_at(machines.second, browser).status == 303
            start = time.monotonic()
            while machines.status_of(machines.site.url, ticket) == 200:
                assert time.monotonic() - start < limit
            for _ in range(20):
                begin = time.monotonic()
                assert machines.status_of(machines.site.url, ticket) == 503
                assert machines.site.browser().get(f"{machines.site.url}/").status == 200
                assert machines.site.browser().get(f"{machines.site.url}/login").status == 303
                assert machines.status(machines.second, stays) == 200
                # The first one notices that nobody answers; the others need not wait for that.
                assert time.monotonic() - begin < 3
            answer = stays.get(f"{machines.site.url}/", headers=NAVIGATION)
            assert answer.status == 503 and answer.header("Set-Cookie") is None
            proxy.heal()
            wait_until(lambda: machines.status(machines.site.url, stays) == 200, "recovery", 2)
            assert machines.status_of(machines.site.url, ticket) == 401


def test_full_disk_of_the_database_stops_sign_ins_only(directory, mount_namespace):
    directory.chmod(0o711)
    place = directory / "full"
    (place / "data").mkdir(parents=True)
    mount = 'mount -t tmpfs -o size=160m,mode=0700,uid=$(id -u postgres),gid=$(id -g postgres) none "$0" && exec "$@"'
    with PostgreSQL(place, wrapper=[*mount_namespace, "bash", "-c", mount, place / "data"]) as server:
        prepare(server)
        with Machines(directory, server, "nginx", SIGNIN_STORE_CACHE="0") as machines:
            machines.expect_outage()
            browser = machines.site.browser()
            assert machines.site.sign_in(browser).status == 303
            # Not logged, so that the space for PostgreSQL's own log is not used up.
            server.run("CREATE UNLOGGED TABLE filler (content text)")
            for size in (8 << 20, 1 << 20, 64 << 10, 8 << 10):
                with pytest.raises(subprocess.CalledProcessError, match="") as failed:
                    while True:
                        server.run(
                            "ALTER TABLE filler ALTER content SET STORAGE PLAIN;"
                            f"INSERT INTO filler SELECT repeat('x', 7000) FROM generate_series(1, {size // 8192})"
                        )
                assert "No space left on device" in failed.value.stderr
            # There is some room in pages that exist.
            statuses = [machines.site.sign_in(machines.site.browser()).status for _ in range(30)]
            assert statuses[-1] == 503 and set(statuses) <= {303, 503}
            for url in (machines.site.url, machines.second):
                assert machines.watch(url, browser.jar["localhost"][SESSION], 3) == {200}
            assert "reason=store-full" in machines.site.responder.settled_log()
            server.run("DROP TABLE filler")
            wait_until(lambda: machines.site.sign_in(machines.site.browser()).status == 303, "recovery", 5)


def test_of_50_requests_at_two_machines_one_refreshes_an_expired_token(directory, database):
    clock = Clock(directory / "clock")
    long = {"SIGNIN_SESSION_LIFETIME": "365d", "SIGNIN_IDLE_LIMIT": "365d"}
    with Machines(directory, database, "nginx", wrapper=clock.wrapper, **long) as machines:
        machines.site.simulator.settings(refresh_tokens=True, rotate_refresh_tokens=True)
        browser = machines.site.browser()
        assert machines.site.sign_in(browser).status == 303
        assert machines.status(machines.site.url, browser) == 200
        ticket = browser.jar["localhost"][SESSION]
        for _ in range(3):
            clock.advance(machines.site, days=61)
            machines.site.simulator.clear_requests()
            with ThreadPoolExecutor(50) as pool:
                urls = [machines.site.url, machines.second] * 25
                statuses = set(pool.map(lambda url: machines.status_of(url, ticket), urls))
            refreshes = [each for each in machines.site.simulator.requests("token") if ["grant_type", "refresh_token"] in each["form"]]
            assert statuses == {200}, machines.other.log
            assert len(refreshes) == 1


def test_sign_out_reaches_the_other_machine_within_50_ms(directory, database):
    with Machines(directory, database, "nginx", SIGNIN_STORE_CACHE="5s") as machines:
        delays = []
        for _ in range(11):
            browser = machines.site.browser()
            assert machines.site.sign_in(browser).status == 303
            ticket = browser.jar["localhost"][SESSION]
            assert machines.status_of(machines.second, ticket) == 200
            assert machines.site.sign_out(browser).status == 303
            start = time.monotonic()
            while machines.status_of(machines.second, ticket) != 401:
                # Without the message of the other machine it would take the whole limit.
                assert time.monotonic() - start < 2
            delays.append(time.monotonic() - start)
        # Most, because other work on this machine can delay one of them.
        assert sorted(delays)[5] < 0.05, delays


def test_failover_keeps_acknowledged_sign_ins_and_sign_outs(directory, database, standby):
    address = both(directory)
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
    assert migrate(server).stdout == "the tables have version 2 now\n"
    assert migrate(server).stdout == "the tables have version 2: nothing to do\n"
    server.run("INSERT INTO linkedin_signin.version (version) VALUES (9)", database="signin")
    done = check({"SIGNIN_STORE": server.address("signin_owner")})
    assert done.returncode == 78 and "the tables have version 9, and this program knows 2" in done.stderr


def test_tables_of_an_earlier_version_are_upgraded_with_the_rights_of_the_roles(database):
    count = "SELECT count(*) FROM linkedin_signin.version"
    database.run(
        "DROP TABLE linkedin_signin.server_key; DROP FUNCTION linkedin_signin.prove(), linkedin_signin.timeline();"
        "DELETE FROM linkedin_signin.version WHERE version = 2",
        "signin_owner",
        "signin",
    )
    settings = {"SIGNIN_STORE": database.address("signin")}
    done = check(settings)
    assert done.returncode == 78 and "the tables have version 1, and this program needs 2" in done.stderr
    assert migrate(database).stdout == "the tables have version 2 now\n"
    assert database.run(count, database="signin") == ["2"]
    assert "linkedin_signin" not in check(settings).stderr


def server_keys(database):
    return int(database.run("SELECT count(*) FROM linkedin_signin.server_key", database="signin")[0])


def test_rotation_of_the_server_key_interrupts_no_sign_in_and_signs_nobody_out(directory, database):
    key = directory / "store-key"
    subprocess.run(["bash", "-c", MAKE_KEY], cwd=directory, check=True)
    settings = {"SIGNIN_STORE_KEY_FILE": str(key)}
    with Machines(directory, database, "nginx", **settings) as machines:
        assert server_keys(database) == 1 and not (machines.site.responder.state / "server-key").exists()
        member = machines.site.browser()
        assert machines.site.sign_in(member).status == 303
        begun = [(machines.site.browser(), machines.site.url), (machines.site.browser(), machines.second)]
        addresses = [browser.get(f"{url}/login").location for browser, url in begun]
        done = command({"SIGNIN_STORE": database.address("signin"), **settings}, "key", "rotate")
        assert done.returncode == 0 and done.stdout == "all machines seal with a new server key in 30 s\n"
        for responder in (machines.site.responder, machines.other):
            wait_until(lambda: "event=server-keys-read keys=2" in responder.log, "new key", 5)
        # As if the 30 seconds were over: what the machines have read counts.
        database.run("UPDATE linkedin_signin.server_key SET seals_from = now()", database="signin")
        for responder in (machines.site.responder, machines.other):
            responder.stop()
            responder.start()
        begun.append((machines.site.browser(), machines.site.url))
        addresses.append(begun[-1][0].get(f"{machines.site.url}/login").location)
        # Each sign-in ends at the other machine.
        for (browser, url), address in zip(begun, addresses, strict=True):
            callback = machines.site.consent(address)
            other = machines.second if url == machines.site.url else machines.site.url
            answer = browser.get(callback.replace(machines.site.url, other), headers=from_provider())
            assert answer.status == 303, machines.site.responder.log + machines.other.log
            assert machines.status(other, browser) == 200
        assert machines.status(machines.second, member) == 200


def test_sessions_and_sign_ins_under_way_move_to_the_database_and_back(directory, database):
    key = directory / "store-key"
    subprocess.run(["bash", "-c", MAKE_KEY], cwd=directory, check=True)
    with Site(directory, "nginx") as site:
        responder = site.responder
        database_settings = {"SIGNIN_STORE": database.address("signin"), "SIGNIN_STORE_KEY_FILE": str(key)}

        def copy(*options):
            done = command({**database_settings, "SIGNIN_STATE_DIRECTORY": str(responder.state)}, "store", "copy", *options)
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
        assert copy("--to", "database", "--finish") == "0 sessions are in the database\n"
        assert not site.is_signed_in(members[2])
        responder.stop()
        assert copy("--to", "files", "--finish") == "6 sessions are in the state directory\n"
        assert database.run("SELECT count(*) FROM linkedin_signin.session", database="signin") == ["0"]
        for name in database_settings:
            del responder.settings[name]
        responder.start()
        for browser in (members[1], *members[3:], late, begun):
            assert site.is_signed_in(browser)


def test_copy_back_needs_that_nothing_serves(directory):
    done = command({"SIGNIN_STORE": "postgresql://db/signin"}, "store", "copy", "--to", "files")
    assert done.returncode == 64 and "needs --finish" in done.stderr
    done = command({"SIGNIN_STATE_DIRECTORY": str(directory)}, "store", "copy", "--to", "database")
    assert done.returncode == 78 and "SIGNIN_STORE is empty" in done.stderr


def test_machine_with_another_key_does_not_start(directory, database):
    keys = [directory / name for name in ("first", "second")]
    for key in keys:
        key.touch(mode=0o600)
        subprocess.run(["bash", "-c", MAKE_KEY.replace("> store-key", f"> {key}")], check=True)
    settings = {"SIGNIN_STORE": database.address("signin")}
    assert command({**settings, "SIGNIN_STORE_KEY_FILE": str(keys[0])}, "key", "rotate").returncode == 0
    settings["SIGNIN_STORE_KEY_FILE"] = str(keys[1])
    responder = Responder(directory / "r", "http://localhost:8080", "http://127.0.0.1:9", settings)
    responder.launch()
    assert responder.process.child.wait(10) == 78
    assert "SIGNIN_STORE_KEY: a server key in the database was sealed with another key" in responder.log
    assert "was sealed with another key" in check(settings).stderr
    keys[1].write_text("too-short")
    assert "SIGNIN_STORE_KEY: is not a key of 32 bytes" in check(settings).stderr


def test_rotation_of_the_key_file_takes_effect_at_a_restart(directory):
    with Site(directory, "nginx") as site:
        member, begun = site.browser(), site.browser()
        assert site.sign_in(member).status == 303
        address = site.begin(begun)
        state = site.responder.state
        done = command({"SIGNIN_STATE_DIRECTORY": str(state)}, "key", "rotate")
        assert done.returncode == 0 and "has a new server key: restart linkedin-signin" in done.stdout
        assert len((state / "server-key").read_text().split()) == 2
        site.responder.stop()
        site.responder.start()
        assert begun.get(site.consent(address), headers=from_provider()).status == 303
        assert site.is_signed_in(begun) and site.is_signed_in(member)
        assert command({"SIGNIN_STATE_DIRECTORY": str(state)}, "key", "rotate").returncode == 0
        assert len((state / "server-key").read_text().split()) == 2


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

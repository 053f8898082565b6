"""Two gateways whose PostgreSQL database is lost, cut off, full or replaced: nobody is signed out, and nobody is let in again."""

import re
import subprocess
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from harness.browser import NAVIGATION
from harness.machines import MAKE_KEY, PAGE, PROMOTE, Machines, both, check, prepare
from harness.postgresql import PostgreSQL
from harness.process import wait_until
from harness.raw import NAVIGATING, cookies, request, send, status
from harness.site import SESSION
from harness.stalling_proxy import StallingProxy

pytestmark = pytest.mark.extended

# The backends whose deletion waits for a standby: this statement is the last one of its transaction.
DELETING = "FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND query = 'SELECT linkedin_signin.timeline()'"
STOP_WAITING = "ALTER SYSTEM RESET synchronous_standby_names; SELECT pg_reload_conf();"


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
            # A visitor without a session needs no database.
            assert machines.site.browser().get(f"{url}/").status == 200
        assert browser.jar["localhost"][SESSION]
        database.start() if outage == "killed" else database.resume()
        for url in (machines.site.url, machines.second):
            wait_until(lambda: machines.status(url, browser) == 200, "recovery", 3)
        assert "event=store-reachable" in machines.other.settled_log()


def test_network_that_carries_nothing_to_the_database_harms_one_machine_only(directory, database):
    limit = 5
    with StallingProxy(directory / "proxy", database) as proxy:
        settings = {"SIGNIN_STORE": proxy.address("signin"), "SIGNIN_STORE_CACHE": f"{limit}s"}
        with Machines(directory, database, "nginx", {"SIGNIN_STORE": database.address("signin")}, **settings) as machines:
            machines.expect_outage()
            browser, stays = machines.site.browser(), machines.site.browser()
            for each in (browser, stays):
                assert machines.site.sign_in(each).status == 303, machines.site.responder.log
                machines.remember(machines.site.url, each.jar["localhost"][SESSION])
            ticket = browser.jar["localhost"][SESSION]
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
            # However many ask, the gateway tries one connection at a time, twice a second.
            accepted, begin = proxy.accepted, time.monotonic()
            with ThreadPoolExecutor(20) as pool:
                assert set(pool.map(machines.status_of, [machines.site.url] * 200, [ticket] * 200)) == {503}
            assert proxy.accepted - accepted <= 2 * (time.monotonic() - begin) + 1
            answer = stays.get(f"{machines.site.url}/", headers=NAVIGATION)
            assert answer.status == 503 and answer.header("Set-Cookie") is None
            proxy.heal()
            wait_until(lambda: machines.status(machines.site.url, stays) == 200, "recovery", 2)
            assert machines.status_of(machines.site.url, ticket) == 401


def test_member_at_a_guarded_location_reads_503_and_never_403_while_the_database_comes_back(database, make_guarded):
    with make_guarded(settings={"SIGNIN_STORE": database.address("signin"), "SIGNIN_STORE_CACHE": "0"}) as site:
        site.responder.expected_errors += ["event=store-lost", "event=store-failed", "event=sweep-failed"]
        page = request("/maya/canary.txt", [*NAVIGATING, *cookies(site.member())])
        seen, is_over = [], threading.Event()

        def look():
            while not is_over.is_set():
                seen.append(status(send(site.port, page)))

        with ThreadPoolExecutor(8) as pool:
            looks = [pool.submit(look) for _ in range(8)]
            try:
                for _ in range(4):
                    database.kill()
                    wait_until(lambda: seen[-1:] == [503], "outage")
                    database.start()
                    wait_until(lambda: set(seen[-40:]) == {200}, "recovery")
            finally:
                is_over.set()
            assert [each.result() for each in looks] == [None] * 8
        assert set(seen) == {200, 503}


def fill(path):
    """Writes a file until its file system has no space."""
    with path.open("wb", buffering=0) as file, pytest.raises(OSError, match="No space left on device"):
        while True:
            file.write(bytes(1 << 12))


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
            # Pages that exist get their place on the disk now, and PostgreSQL's own log a file of 16 MiB.
            server.run("SELECT pg_switch_wal()")
            server.run("CHECKPOINT")
            # The file system of the server, which no other process sees.
            filler = Path(f"/proc/{server.pid}/root{place}/data/filler")
            fill(filler)
            # There is some room in pages that exist.
            statuses = [machines.site.sign_in(machines.site.browser()).status for _ in range(30)]
            assert statuses[-1] == 503 and set(statuses) <= {303, 503}
            for url in (machines.site.url, machines.second):
                assert machines.watch(url, browser.jar["localhost"][SESSION], 3) == {200}
            assert "reason=store-full" in machines.site.responder.settled_log()
            filler.unlink()
            wait_until(lambda: machines.site.sign_in(machines.site.browser()).status == 303, "recovery", 5)


def test_standby_that_commits_wait_for_must_not_be_missing(directory, database, standby):
    with Machines(directory, database, "nginx") as machines:
        machines.expect_outage()
        browser = machines.site.browser()
        assert machines.site.sign_in(browser).status == 303
        for end_outage in (standby.start, lambda: database.run(STOP_WAITING)):
            standby.kill()
            for url in (machines.site.url, machines.second):
                wait_until(lambda: machines.status(url, browser) == 503, "outage")
            answer = browser.get(f"{machines.site.url}/", headers=NAVIGATION)
            assert answer.status == 503 and answer.header("Set-Cookie") is None
            assert machines.site.sign_in(machines.site.browser()).status == 503
            end_outage()
            for url in (machines.site.url, machines.second):
                wait_until(lambda: machines.status(url, browser) == 200, "recovery", 5)
        assert machines.site.sign_in(machines.site.browser()).status == 303


def test_lost_standby_leaves_connections_of_the_primary_to_other_roles(directory, database, standby):
    (most,) = map(int, re.findall(r"at most (\d+)\s+connections", PAGE))
    subprocess.run(["bash", "-c", MAKE_KEY], cwd=directory, check=True)
    settings = {"SIGNIN_STORE_KEY_FILE": str(directory / "store-key"), "SIGNIN_STORE_CACHE": "0"}
    with Machines(directory, database, "nginx", **settings) as machines:
        machines.expect_outage()
        urls = [machines.site.url, machines.second]
        members = [machines.site.member(number) for number in (1, 2, 3) * 8]
        seen, is_over, counts = set(), threading.Event(), []

        def visit(url, member):
            while not is_over.is_set():
                seen.add(machines.sign_in_at(url, machines.site.browser()).status)
                seen.add(machines.status(url, member))
                seen.add(machines.sign_out_at(url, member, {"everywhere": "yes"}).status)

        def count():
            counts.append(int(database.run("SELECT count(*) FROM pg_stat_activity WHERE usename = 'signin'")[0]))
            assert database.run("SELECT 1", "signin_owner", "signin") == ["1"]

        with ThreadPoolExecutor(24) as pool:
            standby.kill()
            visits = [pool.submit(visit, url, member) for url, member in zip(urls * 12, members)]
            try:
                begin = time.monotonic()
                while time.monotonic() - begin < 25:
                    count()
            finally:
                is_over.set()
            assert [each.result() for each in visits] == [None] * 24
        for _ in range(3):
            machines.other.stop()
            machines.other.start()
            wait_until(lambda: machines.status(machines.second, members[0]) == 503, "outage after a start")
            count()
        assert 5 * len(urls) < max(counts) <= most * len(urls)
        assert seen | {200} == {200, 503}, "only a check that needs no new proof gets 200"
        standby.start()
        for url in urls:
            wait_until(lambda: machines.sign_in_at(url, machines.site.browser()).status == 303, "recovery", 5)


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
        assert standby.run(PROMOTE) == ["t"]
        for url in (machines.site.url, machines.second):
            wait_until(lambda: machines.status(url, members[-1]) == 200, "recovery", 3)
            seen = [machines.status_of(url, ticket) for ticket in tickets]
            assert seen == [401] * 10 + [200] * 10
        assert all(SESSION in browser.jar["localhost"] for browser in members[10:])
        assert machines.site.sign_in(machines.site.browser()).status == 303


SECOND = {"here": ({}, "/logout"), "everywhere": ({"everywhere": "yes"}, "/logout"), "forget": ({}, "/forget")}


@pytest.mark.parametrize(("fields", "path"), SECOND.values(), ids=SECOND)
def test_sign_out_that_a_failover_undoes_was_not_acknowledged(directory, database, standby, fields, path):
    with Machines(directory, database, "nginx", SIGNIN_STORE=both(directory), SIGNIN_STORE_CACHE="5s") as machines:
        machines.expect_outage()
        browser = machines.site.browser()
        assert machines.site.sign_in(browser).status == 303
        ticket = browser.jar["localhost"][SESSION]
        for url in (machines.site.url, machines.second):
            machines.remember(url, ticket)
        standby.kill()
        with ThreadPoolExecutor(1) as pool:
            first = pool.submit(machines.sign_out_at, machines.site.url, browser, fields)
            wait_until(lambda: database.run(f"SELECT count(*) {DELETING}") == ["1"], "deletion that waits")
            # Now everyone sees the deletion, which no standby has.
            database.run(f"SELECT pg_terminate_backend(pid) {DELETING}")
            assert first.result().status == 503
        assert database.run("SELECT count(*) FROM linkedin_signin.session", database="signin") == ["0"]
        for url in (machines.site.url, machines.second):
            again = machines.site.browser()
            again.jar["localhost"] = {SESSION: ticket}
            assert machines.sign_out_at(url, again, fields, path).status == 503
        database.kill()
        standby.start()
        assert standby.run(PROMOTE) == ["t"]
        for url in (machines.site.url, machines.second):
            wait_until(lambda: machines.status_of(url, ticket) == 200, "recovery", 5)


def test_gateways_move_from_a_former_primary_that_still_answers_to_the_new_one(directory, database, standby):
    with Machines(directory, database, "nginx", SIGNIN_STORE=both(directory)) as machines:
        machines.expect_outage()
        stays, leaves = machines.site.browser(), machines.site.browser()
        for each in (stays, leaves):
            assert machines.site.sign_in(each).status == 303
        ticket = leaves.jar["localhost"][SESSION]
        assert standby.run(PROMOTE) == ["t"]
        wait_until(lambda: machines.site.sign_in(machines.site.browser()).status == 303, "new primary", 8)
        assert machines.sign_out_at(machines.site.url, leaves).status == 303
        # The next start finds the former primary first.
        machines.other.stop()
        machines.other.start()
        wait_until(lambda: machines.status(machines.second, stays) == 200, "new primary after a start", 8)
        assert machines.status_of(machines.second, ticket) == 401
        log = machines.site.responder.settled_log()
        assert "event=store-lost" in log and "the server acknowledges no write" in log and "event=store-reachable" in log
        assert "SIGNIN_STORE" not in check({"SIGNIN_STORE": both(directory)}).stderr
        begin = time.monotonic()
        former = check({"SIGNIN_STORE": database.address("signin")})
        assert 8 <= time.monotonic() - begin < 12
        assert former.returncode == 78 and "SIGNIN_STORE: PostgreSQL: the server acknowledges no write" in former.stderr


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
        assert standby.run(PROMOTE) == ["t"]
        wait_until(lambda: machines.status(machines.second, browser) == 200, "second primary", 3)
        assert machines.sign_out_at(machines.second, browser).status == 303
        for ticket in tickets:
            wait_until(lambda: machines.status_of(machines.site.url, ticket) == 503, "denial", 2)
            assert machines.watch(machines.site.url, ticket, 3) == {503}
        assert machines.site.browser().get(f"{machines.site.url}/").status == 200
        assert machines.status(machines.second, stays) == 200
        # Sign-outs are not acknowledged either.
        answer = machines.sign_out_at(machines.site.url, stays)
        assert answer.status == 503 or machines.status_of(machines.second, tickets[1]) == 401


@pytest.mark.parametrize("replication", ["asynchronous", "synchronous"])
def test_former_primary_that_comes_back_alone_opens_no_session(directory, database, standby, replication):
    if replication == "asynchronous":
        database.run(STOP_WAITING)
    with Machines(directory, database, "nginx", SIGNIN_STORE=both(directory)) as machines:
        machines.expect_outage()
        browser, stays = machines.site.browser(), machines.site.browser()
        for each in (browser, stays):
            assert machines.site.sign_in(each).status == 303
        ticket = browser.jar["localhost"][SESSION]
        wait_until(lambda: standby.run("SELECT count(*) FROM linkedin_signin.session", database="signin") == ["2"], "copy")
        database.kill()
        assert standby.run(PROMOTE) == ["t"]
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

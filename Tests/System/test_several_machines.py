"""Two gateways on one PostgreSQL database, as docs/several-machines.md sets them up."""

import signal
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor

from harness.browser import NAVIGATION, Browser
from harness.clock import Clock
from harness.machines import MAKE_KEY, Machines
from harness.pooler import pooler
from harness.process import wait_until
from harness.site import SESSION, from_provider


def signed_out_at_the_first(machines):
    """The ticket of a member whose session the second machine still remembers."""
    browser = machines.site.member()
    ticket = browser.jar["localhost"][SESSION]
    machines.remember(machines.second, ticket)
    assert machines.site.sign_out(browser).status == 303
    return ticket


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


def test_members_of_a_machine_that_is_killed_continue_at_the_other(directory, database):
    subprocess.run(["bash", "-c", MAKE_KEY], cwd=directory, check=True)
    with Machines(directory, database, "nginx", SIGNIN_STORE_KEY_FILE=str(directory / "store-key")) as machines:
        site = machines.site
        browsers = [site.browser() for _ in range(10)]
        for browser in browsers:
            assert site.sign_in(browser).status == 303
        begun = site.browser()
        callback = site.consent(site.begin(begun))
        site.responder.process.signal(signal.SIGKILL)
        assert [machines.status(machines.second, browser) for browser in browsers] == [200] * 10
        answer = begun.get(callback.replace(site.url, machines.second), headers=from_provider())
        assert answer.status == 303 and machines.status(machines.second, begun) == 200
        site.responder.start()
        assert [machines.status(site.url, browser) for browser in (*browsers, begun)] == [200] * 11


def test_server_without_timelines_and_messages_ends_sessions_within_the_limit(directory, database):
    # As other makers' servers that speak the protocol.
    database.run(
        """
        CREATE OR REPLACE FUNCTION linkedin_signin.timeline() RETURNS text LANGUAGE sql RETURN NULL;
        CREATE OR REPLACE FUNCTION linkedin_signin.prove() RETURNS text LANGUAGE sql RETURN NULL;
        CREATE FUNCTION public.pg_notify(text, text) RETURNS void LANGUAGE sql BEGIN ATOMIC END;
        GRANT EXECUTE ON FUNCTION public.pg_notify TO signin;
        ALTER ROLE signin SET search_path = public, pg_catalog
        """,
        database="signin",
    )
    with Machines(directory, database, "nginx") as machines:
        ticket = signed_out_at_the_first(machines)
        start = time.monotonic()
        assert machines.status_of(machines.site.url, ticket) == 401
        while machines.status_of(machines.second, ticket) != 401:
            # The limit is a second; the rest is for this machine's other work.
            assert time.monotonic() - start < 2


def test_callback_that_is_sent_to_both_machines_at_once_signs_in_once(directory, database):
    subprocess.run(["bash", "-c", MAKE_KEY], cwd=directory, check=True)
    with Machines(directory, database, "nginx", SIGNIN_STORE_KEY_FILE=str(directory / "store-key")) as machines:
        site = machines.site
        for _ in range(5):
            site.simulator.clear_requests()
            browser = site.browser()
            callback = site.consent(site.begin(browser))
            cookies = "; ".join(f"{name}={value}" for name, value in browser.jar["localhost"].items())

            def send(url, callback=callback, cookies=cookies):
                headers = {**from_provider(), "Cookie": cookies}
                return Browser().get(callback.replace(site.url, url), headers=headers)

            with ThreadPoolExecutor(16) as pool:
                answers = list(pool.map(send, [site.url, machines.second] * 8))
            assert [SESSION in answer.set_cookies for answer in answers].count(True) == 1
            assert len(site.simulator.requests("token")) == 1
    assert database.run("SELECT count(*) FROM linkedin_signin.session", database="signin") == ["5"]


def test_member_who_deletes_their_data_at_one_machine_is_forgotten_by_the_other(directory, database):
    with Machines(directory, database, "nginx", SIGNIN_STORE_CACHE="5s") as machines:
        site = machines.site
        browsers = [site.browser() for _ in range(3)]
        for browser, number in zip(browsers, (1, 1, 2)):
            assert site.sign_in(browser, number).status == 303
        tickets = [browser.jar["localhost"][SESSION] for browser in browsers[:2]]
        for url in (site.url, machines.second):
            for ticket in tickets:
                machines.remember(url, ticket)
        answer = browsers[0].post(f"{site.url}/forget", headers={**NAVIGATION, "Sec-Fetch-Site": "same-origin"})
        assert answer.status == 303 and "You are signed out in 2 browsers." in browsers[0].follow(answer).text
        assert [machines.status_of(site.url, ticket) for ticket in tickets] == [401, 401]
        for ticket in tickets:
            wait_until(lambda: machines.status_of(machines.second, ticket) == 401, "the other machine forgets", 1)
        assert machines.status(machines.second, browsers[2]) == 200
    assert database.run("SELECT count(*) FROM linkedin_signin.session", database="signin") == ["1"]


def test_sign_out_reaches_the_other_machine_within_50_ms(directory, database):
    with Machines(directory, database, "nginx", SIGNIN_STORE_CACHE="5s") as machines:
        delays = []
        for _ in range(11):
            ticket = signed_out_at_the_first(machines)
            start = time.monotonic()
            while machines.status_of(machines.second, ticket) != 401:
                # Without the message of the other machine it would take the whole limit.
                assert time.monotonic() - start < 2
            delays.append(time.monotonic() - start)
        # Most, because other work on this machine can delay one of them.
        assert sorted(delays)[5] < 0.05, delays


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
                statuses = set(pool.map(lambda url: machines.profile_of(url, ticket), urls))
            refreshes = [each for each in machines.site.simulator.requests("token") if ["grant_type", "refresh_token"] in each["form"]]
            assert statuses == {200}, machines.other.log
            assert len(refreshes) == 1


def test_gateways_share_sessions_behind_a_pooler_that_gives_each_transaction_another_connection(directory, database):
    with pooler(directory, database) as address, Machines(directory, database, "nginx", SIGNIN_STORE=address) as machines:
        for _ in range(5):
            browser = machines.site.browser()
            assert machines.site.sign_in(browser).status == 303
            ticket = browser.jar["localhost"][SESSION]
            assert machines.status(machines.site.url, browser) == machines.status(machines.second, browser) == 200
            assert machines.site.sign_out(browser).status == 303
            assert machines.status_of(machines.site.url, ticket) == 401
            # Without a message of the sign-out, the other machine learns of it when it reads again.
            wait_until(lambda: machines.status_of(machines.second, ticket) == 401, "sign-out", 2)

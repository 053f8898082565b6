"""A hanging or unreachable provider affects only visitors who sign in."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from harness.browser import Browser
from harness.site import Site

pytestmark = pytest.mark.extended

LIMITS = {"SIGNIN_CONNECT_TIMEOUT": "1s", "SIGNIN_TOTAL_TIMEOUT": "2s"}
ANYTHING = "."


def test_hanging_sign_ins_do_not_delay_other_requests(directory):
    with Site(directory, settings=LIMITS | {"SIGNIN_TOTAL_TIMEOUT": "4s"}) as site:
        site.responder.expected_errors.append(ANYTHING)
        member = site.browser()
        site.sign_in(member)
        member.get(f"{site.url}/profile")
        site.simulator.fault("token", "hang")
        # From several addresses, because each address has a share of the calls.
        browsers = [Browser(source=f"127.0.1.{number % 4 + 1}") for number in range(40)]
        callbacks = [site.consent(site.begin(browser)) for browser in browsers]
        with ThreadPoolExecutor(40) as pool:
            waiting = [pool.submit(browser.get, callback) for browser, callback in zip(browsers, callbacks)]
            assert len(site.simulator.requests("token", at_least=41)) == 41
            for _ in range(50):
                began = time.monotonic()
                assert member.get(f"{site.url}/profile").status == 200
                assert time.monotonic() - began < 2, "a sign-in that hangs takes 4 s"
            assert {future.result().status for future in waiting} == {504}


def test_first_provider_calls_do_not_wait_for_each_other(directory):
    with Site(directory, settings=LIMITS) as site:
        site.responder.expected_errors.append(ANYTHING)
        site.simulator.fault("token", "hang", count=1)
        browsers = [site.browser() for _ in range(2)]
        callbacks = [site.consent(site.begin(browser)) for browser in browsers]
        with ThreadPoolExecutor(2) as pool:
            first = pool.submit(browsers[0].get, callbacks[0])
            assert site.simulator.requests("token", at_least=1)
            began = time.monotonic()
            assert browsers[1].get(callbacks[1]).status == 303
            assert time.monotonic() - began < 1
            assert first.result().status == 504


def test_provider_calls_over_the_limit_are_rejected_at_once(directory):
    with Site(directory, settings=LIMITS | {"SIGNIN_UPSTREAM_CALLS": "2", "SIGNIN_TOTAL_TIMEOUT": "5s"}) as site:
        site.responder.expected_errors.append(ANYTHING)
        assert site.sign_in(site.browser()).status == 303
        site.simulator.clear_requests()
        site.simulator.fault("token", "hang")
        browsers = [site.browser() for _ in range(3)]
        callbacks = [site.consent(site.begin(browser)) for browser in browsers]
        with ThreadPoolExecutor(2) as pool:
            waiting = [pool.submit(browsers[number].get, callbacks[number]) for number in (0, 1)]
            assert len(site.simulator.requests("token", at_least=2)) == 2
            began = time.monotonic()
            answer = browsers[2].get(callbacks[2])
            assert time.monotonic() - began < 1
            assert answer.status == 503 and int(answer.header("Retry-After")) > 0
            assert {future.result().status for future in waiting} == {504}


def test_an_unreachable_provider_gets_a_page_at_once(directory):
    with Site(directory, settings=LIMITS) as site:
        site.responder.expected_errors.append(ANYTHING)
        browser = site.browser()
        callback = site.consent(site.begin(browser))
        site.simulator.stop()
        began = time.monotonic()
        answer = browser.get(callback)
        assert answer.status == 502 and time.monotonic() - began < 1

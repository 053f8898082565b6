"""One client cannot stop the sign-in of others, whatever the web server limits."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

import pytest

from harness.browser import Browser
from harness.site import SESSION, Site, from_provider
from harness.webserver import FRONTS

ATTACKER, HONEST = "127.0.0.2", "127.0.0.3"
CONNECTIONS = 150


class Flood:
    """Connections that finish one junk sign-in after the other, until they are told to stop."""

    def __init__(self, site, count):
        self.site = site
        self.statuses = []
        self.is_over = threading.Event()
        self.threads = [threading.Thread(target=self.work) for _ in range(count)]

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.is_over.set()
        for thread in self.threads:
            thread.join()

    def work(self):
        number = 0
        while not self.is_over.is_set():
            browser = Browser(source=ATTACKER)
            state = state_of(self.site.begin(browser))
            number += 1
            callback = f"{self.site.url}/oauth?code=junk-{number}&state={state}"
            answer = browser.get(callback, headers=from_provider())
            # One who is past the bound tries the same address again, as a browser's reload does.
            while answer.status == 429 and not self.is_over.is_set():
                self.statuses.append(answer.status)
                answer = browser.get(callback, headers=from_provider())
            self.statuses.append(answer.status)


def state_of(address):
    return dict(pair.split("=", 1) for pair in urlsplit(address).query.split("&"))["state"]


def sign_in(site, member):
    """The answer of the callback, without a second try."""
    browser = Browser(source=HONEST)
    return browser, site.sign_in(browser, member)


def test_junk_callbacks_of_one_address_stop_nobody_elses_sign_in(directory):
    with Site(directory, "lighttpd") as site:
        site.responder.expected_errors.append("event=sign-in-failed .*reason=token-code-refused")
        assert sign_in(site, 1)[1].status == 303
        site.simulator.fault("token", "delay", ms=300)
        with Flood(site, CONNECTIONS) as flood:
            deadline = time.monotonic() + 20
            while len(flood.statuses) < CONNECTIONS:
                assert time.monotonic() < deadline, f"{len(flood.statuses)} answers to the flood"
                time.sleep(0.01)
            with ThreadPoolExecutor(8) as pool:
                visits = list(pool.map(lambda number: sign_in(site, number % 3 + 1), range(8)))
        assert [answer.status for _, answer in visits] == [303] * 8
        assert all(site.is_signed_in(browser) for browser, _ in visits)
        assert set(flood.statuses) <= {429, 502, 503}, set(flood.statuses)
        assert 429 in flood.statuses


@pytest.mark.parametrize("front", ["nginx-limited" if front == "nginx-kept" else front for front in FRONTS])
def test_a_client_past_its_share_gets_a_page_and_can_try_the_same_address_again(directory, front):
    with Site(directory, front, {"SIGNIN_UPSTREAM_CALLS": "8", "SIGNIN_TOTAL_TIMEOUT": "60s"}) as site:
        site.responder.expected_errors.append("event=sign-in-failed")
        assert sign_in(site, 1)[1].status == 303
        browsers = [Browser(source=ATTACKER) for _ in range(17)]
        callbacks = [site.consent(site.begin(browser)) for browser in browsers]
        site.simulator.clear_requests()
        # Four wait for the provider, and twelve for them.
        site.simulator.fault("token", "delay", ms=6000)
        with ThreadPoolExecutor(16) as pool:
            waiting = [pool.submit(browser.get, callback) for browser, callback in zip(browsers[:16], callbacks[:16])]
            assert len(site.simulator.requests("token", at_least=4)) == 4
            browser, callback = browsers[16], callbacks[16]
            cookies = dict(browser.jar["localhost"])
            answer = browser.get(callback, headers=from_provider())
            assert answer.status == 429 and int(answer.header("Retry-After")) > 0 and answer.is_html
            assert answer.header("Cache-Control") == "no-store" and answer.header("Content-Security-Policy")
            assert "Too many requests from your network" in answer.text and "code=" not in answer.text
            assert browser.jar["localhost"] == cookies
            statuses = [future.result().status for future in waiting]
        assert set(statuses) == {303, 429}, statuses
        site.simulator.clear_faults()
        again = browser.get(callback, headers=from_provider())
        assert again.status == 303 and SESSION in again.set_cookies

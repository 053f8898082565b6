"""Limits for each client: one client cannot stop the sign-in of others."""

import os
import threading
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

import pytest

from harness.browser import NAVIGATION, Browser
from harness.form_application import URLENCODED
from harness.form_site import FormSite
from harness.process import wait_until
from harness.site import SESSION, Site, from_provider
from harness.webserver import FRONTS

pytestmark = pytest.mark.extended

ATTACKER, HONEST = "127.0.0.2", "127.0.0.3"
CONNECTIONS = 150


class Flood:
    """Connections that finish junk sign-ins one after another until stopped."""

    def __init__(self, site, count, queries=("code=junk-{}",)):
        """`queries` are the queries of the callbacks, used in turn."""
        self.site = site
        self.queries = queries
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

    def wait_for(self, count, seconds):
        wait_until(lambda: len(self.statuses) >= count, f"response {count} to the flood", seconds)

    def work(self):
        number = 0
        while not self.is_over.is_set():
            browser = Browser(source=ATTACKER)
            state = state_of(self.site.begin(browser))
            query = self.queries[number % len(self.queries)].format(number)
            number += 1
            callback = f"{self.site.url}/oauth?{query}&state={state}"
            answer = browser.get(callback, headers=from_provider())
            # A client over the limit loads the same address again, like a browser's reload.
            while answer.status == 429 and not self.is_over.is_set():
                self.statuses.append(answer.status)
                answer = browser.get(callback, headers=from_provider())
            self.statuses.append(answer.status)


def state_of(address):
    return dict(pair.split("=", 1) for pair in urlsplit(address).query.split("&"))["state"]


def sign_in(site, member):
    """A browser and the response to its callback, without a second attempt."""
    browser = Browser(source=HONEST)
    return browser, site.sign_in(browser, member)


def test_junk_callbacks_from_one_address_do_not_stop_other_sign_ins(directory):
    with Site(directory, "lighttpd") as site:
        site.responder.expected_errors.append("event=sign-in-failed .*reason=token-code-refused")
        assert sign_in(site, 1)[1].status == 303
        site.simulator.fault("token", "delay", ms=300)
        with Flood(site, CONNECTIONS) as flood:
            flood.wait_for(CONNECTIONS, 30)
            with ThreadPoolExecutor(8) as pool:
                visits = list(pool.map(lambda number: sign_in(site, number % 3 + 1), range(8)))
        assert [answer.status for _, answer in visits] == [303] * 8
        assert all(site.is_signed_in(browser) for browser, _ in visits)
        assert set(flood.statuses) <= {429, 502, 503}, set(flood.statuses)
        assert 429 in flood.statuses


@pytest.mark.parametrize("front", ["nginx-limited" if front == "nginx-kept" else front for front in FRONTS])
def test_a_client_over_its_share_gets_a_page_and_can_load_the_same_address_again(directory, front):
    with Site(directory, front, {"SIGNIN_UPSTREAM_CALLS": "8", "SIGNIN_TOTAL_TIMEOUT": "60s"}) as site:
        site.responder.expected_errors.append("event=sign-in-failed")
        assert sign_in(site, 1)[1].status == 303
        browsers = [Browser(source=ATTACKER) for _ in range(17)]
        callbacks = [site.consent(site.begin(browser)) for browser in browsers]
        site.simulator.clear_requests()
        # Four wait for the provider, and twelve wait for those four.
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


def test_a_state_directory_with_few_inodes_survives_a_flood(directory, mount_namespace):
    state = directory / "responder/state"
    mount = 'mount -t tmpfs -o nr_inodes=3000,mode=700 none "$1" && shift && exec "$@"'
    wrapper = [*mount_namespace, "sh", "-c", mount, "sh", state]
    with Site(directory, "lighttpd", wrapper=wrapper) as site:
        site.responder.expected_errors.append("event=sign-in-failed .*reason=(token-code-refused|provider-)")
        early = [sign_in(site, number % 3 + 1) for number in range(4)]
        # Every second callback has an error instead of a code and needs no file.
        with Flood(site, 32, ("code=junk-{}", "error=user_cancelled_login&number={}")) as flood:
            flood.wait_for(6000, 200)
            visits = [sign_in(site, number % 3 + 1) for number in range(8)]
        assert [answer.status for _, answer in early + visits] == [303] * 12
        assert all(site.is_signed_in(browser) for browser, _ in early + visits), "a session was lost"
        room = os.statvfs(f"/proc/{site.responder.process.pid}/root{state}")
        assert room.f_files == 3000 and room.f_ffree > 1000, room
        assert "reason=spent-states-share" in site.responder.settled_log()


def test_junk_forms_from_one_address_leave_room_for_others(directory):
    with FormSite(directory) as site:

        def post(browser, body=b"text=junk"):
            headers = {**NAVIGATION, "Sec-Fetch-Site": "same-origin", "Content-Type": URLENCODED}
            return browser.request("POST", f"{site.url}/proxied/note", headers, body)

        with ThreadPoolExecutor(4) as pool:
            answers = list(pool.map(lambda _: post(Browser(source=ATTACKER)), range(4096)))
        statuses = [answer.status for answer in answers]
        assert set(statuses) == {303, 429}, set(statuses)
        assert statuses.count(303) == len(site.kept()) == 1024
        refused = next(answer for answer in answers if answer.status == 429)
        assert refused.is_html and int(refused.header("Retry-After")) > 0
        assert "Too many forms from your network" in refused.text
        browser = Browser(source=HONEST)
        answer = post(browser, b"text=kept")
        assert answer.status == 303
        page = browser.follow(browser.get(site.consent(answer.location), headers=from_provider()))
        assert page.status == 200 and "/proxied/note" in page.text


@pytest.mark.parametrize("path", ["/login?return_to=/canary", "/oauth?code=canary&state=canary"])
def test_a_flood_of_sign_ins_gets_429_from_nginx(make_site, path):
    with make_site(front="nginx-limited") as site:
        browser = site.browser()
        # The burst is large enough for an office behind one address, and for the logout tokens of a provider.
        burst = 300 if "/oauth" in path else 60
        usual = browser.get(f"{site.url}{path}").status
        # More pass than the burst, because five more may pass in each second.
        passed = next(number for number in range(1, 3 * burst) if (limited := browser.get(f"{site.url}{path}")).status != usual)
        assert usual in (303, 400) and limited.status == 429 and passed >= burst
        other = "/login" if "/oauth" in path else "/oauth"
        assert browser.get(f"{site.url}{other}").status != 429, "callbacks and logout tokens keep nobody from a sign-in"
        assert limited.is_html and limited.header("Cache-Control") == "no-store" and int(limited.header("Retry-After")) > 0
        assert "wait" in limited.text and "canary" not in limited.text and "Set-Cookie" not in dict(limited.headers)
        policy = limited.header("Content-Security-Policy").split("; ")
        assert {"default-src 'none'", "frame-ancestors 'none'"} < set(policy) and "light dark" in limited.text
        assert limited.header("X-Content-Type-Options") == "nosniff" and len(limited.body) < 1024
        assert site.browser().get(f"{site.url}/").status == 200, "cheap pages have no limit"
        wait_until(lambda: browser.get(f"{site.url}{path}").status == usual, "the end of the limit")
        assert "canary" not in site.server.errors() + site.server.access_log.read_text()

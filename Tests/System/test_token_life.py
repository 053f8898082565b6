"""What a member and a script meet when an access token ends, is revoked or lacks a scope."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from urllib.parse import urljoin

import pytest

from harness.browser import NAVIGATION, SCRIPT
from harness.clock import LONG, Clock, OwnClock
from harness.guarded import GUARDS, Guarded, canary
from harness.killer import Killer
from harness.process import wait_until
from harness.responder import Responder
from harness.site import SESSION, Site

STRICT = {**LONG, "SIGNIN_REQUIRE_LIVE_TOKEN": "yes"}


class Aging(OwnClock, Guarded):
    """A guarded site whose tokens age."""

    def after(self, **duration):
        self.clock.advance(self, **duration)

    def member(self, number=1):
        """A browser in which a member is signed in here and at the provider."""
        browser = self.browser()
        page = self.walk(browser, f"{self.url}/login?return_to=/member/canary.txt", number)
        assert page.body == canary("member")
        return browser

    def walk(self, browser, url, member=1):
        """Follows redirects like a browser, and allows what the provider asks; returns the page at the end."""
        self.asked = 0
        answer = browser.get(url)
        for _ in range(12):
            if answer.location:
                site = "cross-site" if answer.url.startswith(self.simulator.url) else "same-origin"
                answer = browser.get(urljoin(answer.url, answer.location), {**NAVIGATION, "Sec-Fetch-Site": site})
            elif answer.url.startswith(self.simulator.url):
                self.asked += 1
                answer = browser.post(answer.url, {"member": member, "decision": "allow"})
            else:
                return answer
        raise AssertionError(f"too many redirects: {answer}")

    def refreshes(self):
        return [call for call in self.simulator.requests("token") if ("grant_type", "refresh_token") in map(tuple, call["form"])]


@pytest.fixture(params=GUARDS)
def aging(request, directory):
    with Aging(directory, request.param, LONG) as site:
        yield site


@pytest.fixture(params=GUARDS)
def strict(request, directory):
    with Aging(directory, request.param, STRICT) as site:
        yield site


def is_login(answer):
    return (answer.status, answer.location) == (303, "/login?return_to=%2Fprofile")


# The end of a token without a refresh token


def test_a_session_goes_on_after_its_token_and_the_profile_leads_through_sign_in(aging):
    browser = aging.member()
    aging.after(days=59)
    assert aging.walk(browser, f"{aging.url}/profile").status == 200 and aging.asked == 0
    assert aging.simulator.count("authorization") == 1
    aging.after(days=1)
    assert browser.get(aging.url_of("member")).body == canary("member"), "guarded locations need no token"
    script = browser.get(f"{aging.url}/profile", headers=SCRIPT)
    assert script.status == 401 and script.json["login_url"] == f"{aging.url}/login"
    assert is_login(browser.get(f"{aging.url}/profile"))
    page = aging.walk(browser, f"{aging.url}/profile")
    assert page.status == 200 and page.url == f"{aging.url}/profile" and "Maya Lindqvist" in page.text
    aging.after(days=61)
    assert browser.get(aging.url_of("member")).status == 200
    page = aging.walk(browser, f"{aging.url}/profile")
    assert page.status == 200 and "Maya Lindqvist" in page.text
    aging.responder.settled_log()
    assert [" reason=token-ended " in line for line in aging.responder.lines_of("sign-in-repeated")] == [True] * 2
    assert aging.responder.lines_of("profile-failed") == []


def test_minutes_before_its_end_a_token_is_replaced_without_a_question(aging):
    browser = aging.member()
    aging.after(days=60, minutes=-4)
    page = aging.walk(browser, f"{aging.url}/profile")
    assert page.status == 200 and aging.asked == 0 and aging.simulator.count("authorization") == 2
    aging.after(days=59)
    assert aging.walk(browser, f"{aging.url}/profile").status == 200
    assert aging.simulator.count("authorization") == 2, "the new token has its own sixty days"


def test_another_member_may_come_back_from_the_provider(aging):
    browser = aging.member(1)
    aging.after(days=60)
    page = aging.walk(browser, f"{aging.url}/profile", member=2)
    assert page.status == 200 and "张" in page.text and "Maya" not in page.text


# Refresh tokens


@pytest.mark.parametrize("rotates", [False, True], ids=["same", "rotated"])
def test_a_refresh_token_renews_the_tokens_for_a_year(aging, rotates):
    aging.simulator.settings(refresh_tokens=True, rotate_refresh_tokens=rotates)
    browser = aging.member()
    aging.after(days=59)
    assert browser.get(f"{aging.url}/profile").status == 200 and aging.refreshes() == []
    for times in range(1, 4):
        aging.after(days=61)
        assert browser.get(f"{aging.url}/profile").status == 200
        assert browser.get(f"{aging.url}/profile", headers=SCRIPT).status == 200
        assert len(aging.refreshes()) == times
    assert aging.simulator.count("authorization") == 1
    assert len(aging.responder.sessions()) == 1
    sent = [dict(call["form"])["refresh_token"] for call in aging.refreshes()]
    assert len(set(sent)) == (3 if rotates else 1)
    assert not any(token in aging.responder.settled_log() for token in sent)


@pytest.mark.parametrize("fault", [("status", {"status": 500}), ("garbage", {}), ("status", {"status": 429})], ids=str)
def test_a_token_that_cannot_be_renewed_yet_is_used_to_its_end(aging, fault):
    aging.simulator.settings(refresh_tokens=True)
    browser = aging.member()
    aging.after(days=60, minutes=-3)
    kind, options = fault
    aging.simulator.fault("token", kind, **options)
    assert browser.get(f"{aging.url}/profile", headers=SCRIPT).status == 200
    assert len(aging.refreshes()) == 1 and len(aging.responder.sessions()) == 1
    aging.responder.settled_log()
    (line,) = aging.responder.lines_of("tokens-not-renewed")
    assert "level=warning" in line and " reason=token-" in line and aging.responder.lines_of("profile-failed") == []
    aging.simulator.clear_faults()
    aging.after(days=1)
    assert browser.get(f"{aging.url}/profile", headers=SCRIPT).status == 200 and len(aging.refreshes()) == 2


def test_an_answer_that_renews_nothing_leads_through_sign_in(aging):
    aging.simulator.settings(refresh_tokens=True)
    browser = aging.member()
    aging.after(days=60)
    aging.simulator.fault("token", "garbage")
    assert is_login(browser.get(f"{aging.url}/profile")) and is_login(browser.get(f"{aging.url}/profile"))
    script = browser.get(f"{aging.url}/profile", headers=SCRIPT)
    assert script.status == 401 and script.json["login_url"] == f"{aging.url}/login"
    assert len(aging.refreshes()) == 1, "LinkedIn is asked once a minute"
    assert browser.get(aging.url_of("member")).status == 200
    aging.simulator.clear_faults()
    assert aging.walk(browser, f"{aging.url}/profile").status == 200
    aging.responder.settled_log()
    (line,) = aging.responder.lines_of("tokens-not-renewed")
    assert " reason=token-malformed " in line and aging.responder.lines_of("profile-failed") == []


def test_tokens_renewed_during_a_sign_out_are_revoked_too(aging):
    aging.simulator.settings(refresh_tokens=True, rotate_refresh_tokens=True)
    aging.responder.stop()
    aging.responder.settings |= {"SIGNIN_REVOCATION_ENDPOINT": f"{aging.simulator.url}/oauth/v2/revoke"}
    aging.responder.start()
    browser, same = aging.member(), aging.browser()
    same.jar = {"localhost": dict(browser.jar["localhost"])}
    aging.after(days=60)
    aging.simulator.clear_requests()
    # The provider renews the tokens at once; its answer takes seconds.
    aging.simulator.fault("token", "drip", ms=3)
    with ThreadPoolExecutor(1) as pool:
        page = pool.submit(browser.get, f"{aging.url}/profile")
        aging.simulator.requests("token", at_least=1)
        assert aging.sign_out(same).status == 303
        assert is_login(page.result())
    assert len(aging.simulator.requests("revocation", at_least=4)) == 4
    assert aging.responder.sessions() == [] and all(token["revoked"] for token in aging.simulator.issued())
    aging.responder.settled_log()
    assert aging.responder.lines_of("tokens-renewed") == []


def test_an_expired_refresh_token_leads_through_sign_in(aging):
    aging.simulator.settings(refresh_tokens=True, refresh_token_lifetime=86400)
    browser = aging.member()
    aging.after(days=60)
    assert is_login(browser.get(f"{aging.url}/profile")) and aging.refreshes() == []
    assert aging.walk(browser, f"{aging.url}/profile").status == 200


# Revocation


@pytest.mark.parametrize("refresh", [False, True], ids=["without", "with"])
def test_revoked_tokens_leave_the_session_and_the_next_profile_leads_through_sign_in(aging, refresh):
    aging.simulator.settings(refresh_tokens=refresh)
    browser = aging.member()
    aging.after(days=10)
    assert aging.simulator.revoke() == 1 + refresh
    assert browser.get(f"{aging.url}/profile", headers=SCRIPT).status == 401
    assert is_login(browser.get(f"{aging.url}/profile"))
    assert aging.simulator.count("identityMe") == 1 and len(aging.refreshes()) == refresh, "LinkedIn is asked once"
    assert browser.get(aging.url_of("member")).status == 200 and "Maya" in browser.get(f"{aging.url}/").text
    page = aging.walk(browser, f"{aging.url}/profile")
    assert page.status == 200 and aging.asked == 1
    reason = "token-refresh-refused" if refresh else "resource-token-refused"
    (line,) = [line for line in aging.responder.settled_log().splitlines() if "event=tokens-removed" in line]
    assert f" reason={reason} " in line


def test_a_revoked_access_token_is_renewed_for_the_same_page(aging):
    aging.simulator.settings(refresh_tokens=True, rotate_refresh_tokens=True)
    browser = aging.member()
    aging.after(days=10)
    aging.simulator.revoke(kind="access")
    assert browser.get(f"{aging.url}/profile").status == 200 and len(aging.refreshes()) == 1


# Guarded locations that require a live token


def test_with_a_live_token_required_guarded_locations_lead_through_sign_in_and_back(strict):
    browser = strict.member()
    strict.after(days=59)
    assert browser.get(strict.url_of("member")).status == 200
    strict.after(days=1)
    script = browser.get(strict.url_of("member"), headers=SCRIPT)
    assert script.status == 401 and script.json["login_url"] == f"{strict.url}/login"
    assert strict.ask("public", browser=browser).identity == (None, None, None), "nobody is signed in"
    calls = strict.simulator.count()
    assert browser.get(strict.url_of("member")).status == 303
    assert strict.simulator.count() == calls, "the check asks LinkedIn nothing"
    page = strict.walk(browser, strict.url_of("member"))
    assert page.body == canary("member") and page.url == strict.url_of("member")
    assert browser.get(strict.url_of("member")).status == 200


def test_with_a_live_token_required_a_refresh_token_is_enough(strict):
    strict.simulator.settings(refresh_tokens=True)
    browser = strict.member()
    strict.after(days=61)
    assert browser.get(strict.url_of("member")).status == 200 and strict.refreshes() == []
    strict.after(days=305)
    assert browser.get(strict.url_of("member")).status == 303


def test_tokens_that_end_at_once_cause_no_endless_redirects(strict):
    strict.simulator.settings(access_token_lifetime=1)
    browser = strict.member()
    strict.after(seconds=2)
    assert browser.get(strict.url_of("member")).status == 200
    browser.get(f"{strict.url}/profile")
    strict.after(hours=2)
    assert strict.walk(browser, strict.url_of("member")).body == canary("member")
    strict.after(seconds=5)
    strict.simulator.fault("identityMe", "revoked")
    page = strict.walk(browser, f"{strict.url}/profile")
    assert page.is_html and page.status == 502 and page.location is None


# Scopes


@pytest.mark.parametrize("front", GUARDS)
def test_another_product_leads_sessions_of_fewer_scopes_through_sign_in(directory, front):
    with Aging(directory, front, {**LONG, "LINKEDIN_PRODUCT": "openid"}) as site:
        browser = site.member()
        assert browser.get(f"{site.url}/profile", headers=SCRIPT).json["profile_url"] is None
        site.responder.stop()
        for name in ("SIGNIN_USERINFO_ENDPOINT", "LINKEDIN_PRODUCT"):
            del site.responder.settings[name]
        site.responder.settings |= {
            "LINKEDIN_PRODUCT": "verified",
            "SIGNIN_PROFILE_ENDPOINT": f"{site.simulator.url}/rest/identityMe",
        }
        site.responder.start()
        site.after(minutes=2)
        assert browser.get(site.url_of("member")).status == 200, "guarded locations need no scope"
        assert browser.get(f"{site.url}/profile", headers=SCRIPT).status == 401
        page = site.walk(browser, f"{site.url}/profile")
        assert page.status == 200 and "profile-thirdparty-redirect" in page.text and site.asked == 1
        assert "reason=scopes-missing" in site.responder.settled_log()


REFUSALS = {
    "product": ({}, ["openid", "profile", "email"], "scope-refused", ["r_profile_basicinfo", "“Verified on LinkedIn”"]),
    "unknown": ({"SIGNIN_SCOPES": "openid profile r_nothing"}, None, "scope-unknown", ["r_nothing", "SIGNIN_SCOPES"]),
    "alone": ({"SIGNIN_SCOPES": "openid"}, None, "scope-insufficient", ["profile or email"]),
}


@pytest.mark.parametrize("kind", REFUSALS)
def test_a_refused_scope_is_explained_to_the_member_and_to_the_operator(make_site, kind):
    settings, granted, reason, words = REFUSALS[kind]
    with make_site(settings=settings) as site:
        site.responder.expected_errors.append(f"reason=provider-{reason}")
        if granted:
            site.simulator.settings(scopes=granted)
        browser = site.browser()
        page = browser.follow(browser.get(site.begin(browser)))
        assert page.status == 502 and "asked LinkedIn for more than LinkedIn allows" in page.text
        assert not any(word in page.text for word in words if "_" in word)
        site.responder.settled_log()
        (line,) = site.responder.lines_of("sign-in-failed")
        assert f"reason=provider-{reason} " in line and all(word in line for word in words), line


# Many requests, and crashes


class Pair(Site):
    """Two programs with one state directory, the first of which can be killed at a step."""

    def __init__(self, directory, rotates):
        self.clock = Clock(directory)
        self.killer = Killer(directory, self.clock)
        self.rotates = rotates
        super().__init__(directory, settings=LONG, wrapper=self.killer.wrapper)

    def __enter__(self):
        super().__enter__()
        settings = {**self.responder.settings, "SIGNIN_LISTEN": f"unix:{self.directory}/second/socket"}
        settings["SIGNIN_STATE_DIRECTORY"] = str(self.responder.state)
        self.second = Responder(self.directory / "second", self.url, self.simulator.url, settings, self.clock.wrapper)
        self.second.start()
        self.simulator.settings(refresh_tokens=True, rotate_refresh_tokens=self.rotates)
        return self

    def __exit__(self, *details):
        self.second.__exit__(*details)
        return super().__exit__(*details)

    def ask_second(self, browser, headers=SCRIPT):
        return self.second.ask("/profile", headers={**headers, "Cookie": f"{SESSION}={browser.jar['localhost'][SESSION]}"})

    def refreshes(self):
        return [call for call in self.simulator.requests("token") if dict(call["form"])["grant_type"] == "refresh_token"]


@pytest.fixture(params=[False, True], ids=["same", "rotated"])
def pair(request, directory):
    with Pair(directory, request.param) as site:
        yield site


def test_fifty_requests_at_two_processes_renew_an_ending_token_once(pair):
    browser = pair.browser()
    pair.sign_in(browser)
    pair.clock.advance(pair, days=60)
    pair.simulator.fault("token", "delay", ms=300)
    asks = [lambda: browser.get(f"{pair.url}/profile", headers=SCRIPT), lambda: pair.ask_second(browser)]
    with ThreadPoolExecutor(50) as pool:
        answers = [pool.submit(asks[number % 2]) for number in range(50)]
        assert {answer.result().status for answer in answers} == {200}
    assert len(pair.refreshes()) == 1
    assert pair.simulator.count("identityMe") == 1


def test_a_program_killed_at_any_step_of_a_renewal_leaves_the_member_a_way_on(pair):
    steps, killed, lost = 0, True, 0
    pair.server.expected_errors.append(".")
    while killed:
        browser = pair.browser()
        pair.sign_in(browser)
        pair.clock.advance(pair, days=60)
        before = len(pair.refreshes())
        pair.killer.arm(steps)
        answer = browser.get(f"{pair.url}/profile", headers=NAVIGATION)
        pair.killer.disarm()
        killed = answer.status == 502
        if killed:
            pair.responder.process.child.wait(10)
        assert killed or answer.status == 200, (steps, answer)
        # The other process answers at once: the lock ended with the process that held it.
        after = pair.ask_second(browser, NAVIGATION)
        if after.status == 303:
            assert is_login(after), (steps, after)
            assert pair.rotates and len(pair.refreshes()) == before + 2, "the only new refresh token was lost"
            lost += 1
            pair.second.settled_log()
        else:
            assert after.status == 200 and len(pair.refreshes()) in (before + 1, before + 2), (steps, after)
        if killed:
            pair.responder.start()
        if after.status == 303:
            pair.sign_in(browser)
        page = browser.get(f"{pair.url}/profile")
        assert page.status == 200 and "Maya Lindqvist" in page.text, steps
        steps += 1
    assert steps > 8, "the renewal has so many steps"
    assert (lost > 0) == pair.rotates

"""Signing out destroys the tokens here, and revokes them at a provider that has an endpoint for it."""

import re
import time

import pytest

from harness.browser import NAVIGATION
from harness.memory import OVERWRITING, places
from harness.process import wait_until
from harness.site import SESSION, from_provider

REVOCATION = "/oauth/v2/revoke"


def with_revocation(site, **settings):
    """Restarts the program of a site with the simulator's revocation endpoint; members get refresh tokens."""
    site.simulator.settings(refresh_tokens=True)
    site.responder.stop()
    site.responder.settings |= {"SIGNIN_REVOCATION_ENDPOINT": site.simulator.url + REVOCATION, **settings}
    site.responder.start()


def copies(site, token):
    """Where the memory of the program contains a token: its beginning, middle or end.

    Pieces of a quarter, because a few dozen bytes may stay behind on a thread's stack and open nothing.
    """
    pid = site.responder.process.pid
    return [place for part in (0, 180, 360) for place in places(pid, token[part : part + 120].encode())]


# All sessions of a member


def test_one_button_signs_a_member_out_in_all_browsers(each_site):
    site = each_site
    browsers, other = [site.member() for _ in range(3)], site.member(2)
    page = browsers[0].get(f"{site.url}/").text
    assert "3 browsers are signed in to your account." in page and 'name="everywhere"' in page
    assert 'name="everywhere"' not in other.get(f"{site.url}/").text, "this is the only session"
    own = {**NAVIGATION, "Sec-Fetch-Site": "same-origin", "Origin": site.url}
    answer = browsers[0].post(f"{site.url}/logout", {"everywhere": "yes"}, headers=own)
    assert (answer.status, answer.location) == (303, "/logout")
    page = browsers[0].get(f"{site.url}{answer.location}").text
    assert page.count("You are signed out in all browsers") == 2, "the title and the heading"
    assert "all browsers" not in browsers[1].get(f"{site.url}/logout").text
    assert not any(site.is_signed_in(browser) for browser in browsers)
    assert site.is_signed_in(other) and len(site.responder.sessions()) == 1
    assert re.search(r"event=signed-out .*sessions=3\b", site.responder.settled_log())


def test_a_sign_out_of_nobody_is_not_logged(each_site):
    site = each_site
    member, stranger = site.member(), site.browser()
    assert site.sign_out(member).status == 303
    assert site.sign_out(member).status == 303 and site.sign_out(stranger).status == 303
    assert site.responder.settled_log().count("level=info event=signed-out") == 1


# The tokens here


@pytest.mark.parametrize("product", ["verified", "openid", "basic-profile"])
def test_after_signing_out_no_token_is_in_a_file_or_in_memory_in_use(make_site, product):
    with make_site(wrapper=OVERWRITING, settings={"LINKEDIN_PRODUCT": product}) as site:
        site.simulator.settings(refresh_tokens=True)
        browser = site.member()
        assert browser.get(f"{site.url}/profile").status == 200
        assert len(site.responder.sessions()) == 1
        assert site.sign_out(browser).status == 303
        tokens = [entry["token"] for entry in site.simulator.issued()]
        assert len(tokens) == 2
        assert site.responder.sessions() == []
        for token in tokens:
            assert copies(site, token) == []
            assert not [path for path in site.responder.state.rglob("*") if path.is_file() and token.encode() in path.read_bytes()]


def test_a_token_in_use_is_found_in_memory(make_site):
    """The search of the test above finds a token that the program still needs."""
    with make_site(wrapper=OVERWRITING, settings={"LINKEDIN_PRODUCT": "basic-profile"}) as site:
        site.responder.expected_errors.append("event=sign-in-failed")
        browser = site.browser()
        callback = site.consent(site.begin(browser))
        site.simulator.fault("me", "status", status=500)
        assert browser.get(callback, headers=from_provider()).status == 502
        (token,) = [entry["token"] for entry in site.simulator.issued()]
        assert len(copies(site, token)) >= 3, "kept for the next attempt"
        site.simulator.clear_faults()
        assert browser.get(callback, headers=from_provider()).status == 303
        assert copies(site, token) == []


# The tokens at the provider


@pytest.mark.parametrize("path", ["/logout", "/forget"])
def test_tokens_are_revoked_at_the_provider_after_the_session_has_ended(each_site, path):
    site = each_site
    with_revocation(site)
    browser, other = site.member(), site.member(2)
    site.simulator.fault("revocation", "delay", ms=300)
    answer = browser.post(f"{site.url}{path}", headers={"Origin": site.url, "Sec-Fetch-Site": "same-origin", "Accept": "text/html"})
    assert answer.status in (200, 303)
    site.simulator.requests("revocation", at_least=1)
    assert len(site.responder.sessions()) == 1 and site.is_signed_in(other)
    wait_until(lambda: site.responder.lines_so_far("tokens-revoked"), "both revocations")
    calls = [dict(call["form"]) for call in site.simulator.requests("revocation")]
    own = {entry["kind"]: entry for entry in site.simulator.issued() if entry["member"] == 1}
    assert [call["token"] for call in calls] == [own["refresh"]["token"], own["access"]["token"]]
    assert all(set(call) == {"token", "client_id", "client_secret"} for call in calls)
    assert [entry["revoked"] for entry in site.simulator.issued() if entry["member"] == 2] == [False, False]
    assert own["access"]["revoked"] and own["refresh"]["revoked"]


def test_the_page_after_signing_out_is_the_same_with_and_without_revocation(site):
    texts = []
    for begin in (lambda: None, lambda: with_revocation(site)):
        begin()
        browser = site.member()
        texts.append(browser.follow(site.sign_out(browser)).text)
        assert len(site.responder.lines_of("signed-out")) == 1
    assert texts[0] == texts[1] and "may still be signed in at LinkedIn" in texts[0]
    wait_until(lambda: site.responder.lines_so_far("tokens-revoked"), "the revocation")
    assert site.simulator.count("revocation") == 2, "none before the setting"


FAULTS = {
    "hang": ({}, "token-unavailable"),
    "close": ({}, "token-malformed"),
    "status": ({"status": 503}, "token-unavailable"),
    "redirect": ({}, "token-malformed"),
    "answer": ({"status": 400, "body": '{"error":"unsupported_token_type"}'}, "token-revocation-refused"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_faulty_revocation_endpoint_neither_delays_nor_fails_a_sign_out(make_site, fault):
    options, reason = FAULTS[fault]
    with make_site() as site:
        with_revocation(site, SIGNIN_TOTAL_TIMEOUT="2s", SIGNIN_CONNECT_TIMEOUT="2s")
        browser = site.member()
        ticket = browser.jar["localhost"][SESSION]
        site.simulator.fault("revocation", fault, **options)
        start = time.monotonic()
        answer = site.sign_out(browser)
        assert answer.status == 303 and time.monotonic() - start < 1
        assert site.responder.ask("/profile", headers={"Cookie": f"{SESSION}={ticket}", "Accept": "application/json"}).status == 401
        wait_until(lambda: site.responder.lines_so_far("tokens-not-revoked"), "a line about the failure")
        (line,) = site.responder.lines_of("tokens-not-revoked")
        assert f"reason={reason}" in line and "level=warning" in line


def test_a_revocation_endpoint_that_hangs_delays_no_sign_in(make_site):
    with make_site() as site:
        with_revocation(site, SIGNIN_TOTAL_TIMEOUT="5s", SIGNIN_UPSTREAM_CALLS="4")
        site.simulator.fault("revocation", "hang")
        for _ in range(6):
            start = time.monotonic()
            assert site.sign_out(site.member()).status == 303
            assert time.monotonic() - start < 2
        site.simulator.clear_faults("revocation")
        wait_until(lambda: len(site.responder.lines_so_far("tokens-revoked")) == 6, "what waited for its turn", 30)
        lines = site.responder.lines_of("tokens-not-revoked")
        assert len(lines) == 4 and all("reason=token-unavailable" in line and "tokens=1 " in line for line in lines)


def test_no_sign_out_of_a_burst_loses_its_tokens_at_a_slow_endpoint(make_site):
    with make_site() as site:
        with_revocation(site)
        browsers = [site.member() for _ in range(20)]
        site.simulator.fault("revocation", "delay", ms=1000)
        for browser in browsers:
            assert site.sign_out(browser).status == 303
        wait_until(lambda: len(site.responder.lines_so_far("tokens-revoked")) == 20, "all revocations", 60)
        assert all(token["revoked"] for token in site.simulator.issued())
        assert site.responder.lines_of("tokens-not-revoked") == []


def test_the_log_counts_the_sessions_whose_tokens_could_not_be_revoked(site):
    with_revocation(site)
    browsers = [site.member() for _ in range(3)]
    own = {**NAVIGATION, "Sec-Fetch-Site": "same-origin", "Origin": site.url}
    assert browsers[0].post(f"{site.url}/logout", {"everywhere": "yes"}, headers=own).status == 303
    wait_until(lambda: site.responder.lines_so_far("tokens-revoked"), "the tokens of this browser")
    (line,) = site.responder.lines_of("tokens-not-revoked")
    assert " reason=tokens-sealed " in line and line.rstrip().endswith("sessions=2"), line
    assert [token["revoked"] for token in site.simulator.issued() if token["kind"] == "refresh"].count(True) == 1

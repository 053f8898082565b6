"""Attacks on signing in and out."""

from concurrent.futures import ThreadPoolExecutor
from urllib.parse import parse_qs, quote, urlsplit

import pytest

from harness.site import SESSION, from_provider, pending


HOSTILE = ["https://evil.example/", "//evil.example/", "/\\evil.example", "/%5cevil.example", "/%09/evil.example"]
HOSTILE += ["javascript:alert(1)", "/\t/evil.example", "/%2f%2fevil.example", "evil.example", "/@evil.example:x//y\\z"]
HOSTILE += ["/a%0d%0aSet-Cookie:%20a=b", "/.//evil.example", "/%2e%2e//evil.example", "\\\\evil.example"]


@pytest.mark.parametrize("path", HOSTILE, ids=range(len(HOSTILE)))
def test_a_sign_in_never_returns_to_another_site(site, path):
    answer = site.sign_in(site.browser(), query=f"?return_to={quote(path, safe='')}")
    assert answer.status == 303
    assert answer.location.startswith("/") and answer.location[1:2] not in ("/", "\\")
    assert "\\" not in answer.location and "a" not in answer.set_cookies


def test_a_callback_works_once(each_site):
    site = each_site
    browser = site.browser()
    callback = site.consent(site.begin(browser))
    cookies = dict(browser.jar["localhost"])
    assert browser.get(callback, headers=from_provider()).status == 303
    browser.jar["localhost"] = cookies
    again = browser.get(callback, headers=from_provider())
    assert again.status == 400 and again.is_html and SESSION not in again.set_cookies
    assert len(site.simulator.requests("token")) == 1
    assert len(site.responder.sessions()) == 1


def test_a_callback_sent_fifty_times_simultaneously_works_once(each_site):
    site = each_site
    browser = site.browser()
    callback = site.consent(site.begin(browser))
    cookies = dict(browser.jar["localhost"])

    def send(_):
        copy = site.browser()
        copy.jar["localhost"] = dict(cookies)
        return copy.get(callback, headers=from_provider())

    with ThreadPoolExecutor(50) as pool:
        answers = list(pool.map(send, range(50)))
    assert sorted(answer.status for answer in answers) == [303] + [400] * 49
    assert sum(SESSION in answer.set_cookies for answer in answers) == 1
    assert len(site.simulator.requests("token")) == 1
    assert len(site.responder.sessions()) == 1


def test_a_callback_in_another_browser_is_rejected(each_site):
    site = each_site
    attacker, victim = site.browser(), site.browser()
    callback = site.consent(site.begin(attacker))
    site.begin(victim)
    answer = victim.get(callback, headers=from_provider())
    assert answer.status == 400
    assert not site.is_signed_in(victim)
    assert site.simulator.requests("token") == []
    assert attacker.get(callback, headers=from_provider()).status == 303, "the rejected attempt did not use the code"


def test_a_state_with_the_cookie_of_another_tab_is_rejected(site):
    browser = site.browser()
    first = site.consent(site.begin(browser))
    (first_name,) = pending(browser)
    site.begin(browser)
    (second_name,) = set(pending(browser)) - {first_name}
    jar = browser.jar["localhost"]
    jar[first_name] = jar.pop(second_name)
    assert browser.get(first, headers=from_provider()).status == 400
    assert site.simulator.requests("token") == []


def test_a_state_leads_only_to_its_own_return_path(site):
    """Without the sign-in cookie, only a browser with a session is redirected, and only by a state that this site made."""
    callback = site.consent(site.begin(site.browser(), "?return_to=/private/a"))
    state = parse_qs(urlsplit(callback).query)["state"][0]
    random, sealed = state.split(".")
    member = site.browser()
    site.sign_in(member)
    session = member.jar["localhost"][SESSION]
    answer = member.get(callback, headers=from_provider())
    assert (answer.status, answer.location) == (303, "/private/a") and not answer.set_cookies
    assert len(site.simulator.requests("token")) == 1, "no further code is redeemed"
    other = site.begin(site.browser(), "?return_to=//evil.example")
    other_random, other_sealed = parse_qs(urlsplit(other).query)["state"][0].split(".")
    for forged in (random, f"{random}.", f"{other_random}.{sealed}", f"{random}.{other_sealed}", f"{state}A", f".{sealed}"):
        answer = member.get(f"{site.url}/oauth?code=x&state={forged}", headers=from_provider())
        assert answer.status == 400 and answer.location is None, forged
    assert site.browser().get(callback, headers=from_provider()).status == 400
    assert member.jar["localhost"][SESSION] == session and site.is_signed_in(member)


@pytest.mark.parametrize("planted", ["A" * 43, "../../etc/passwd", "%2e%2e%2f", '"quoted"', "A" * 4000])
def test_a_planted_session_cookie_is_never_accepted(shared_site, planted):
    site = shared_site
    browser = site.browser()
    browser.jar["localhost"] = {SESSION: planted}
    assert not site.is_signed_in(browser)
    site.sign_in(browser)
    assert browser.jar["localhost"][SESSION] != planted
    assert site.is_signed_in(browser)
    browser.jar["localhost"] = {SESSION: planted}
    assert not site.is_signed_in(browser)


def test_signing_in_again_ends_the_previous_session(each_site):
    site = each_site
    browser = site.browser()
    site.sign_in(browser)
    old = browser.jar["localhost"][SESSION]
    site.sign_in(browser, member=2)
    assert browser.jar["localhost"][SESSION] != old
    assert len(site.responder.sessions()) == 1
    stale = site.browser()
    stale.jar["localhost"] = {SESSION: old}
    assert not site.is_signed_in(stale)


def test_the_sign_in_cookies_of_many_tabs_stay_small(site):
    browser = site.browser()
    addresses = [site.begin(browser, f"?return_to=/{'a' * 1000}{number}") for number in range(24)]
    assert len(pending(browser)) <= 12
    jar = browser.jar["localhost"]
    assert sum(len(name) + len(jar[name]) for name in pending(browser)) < 4096
    assert browser.get(site.consent(addresses[-1]), headers=from_provider()).status == 303


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"},
        {"Origin": "https://evil.example", "Sec-Fetch-Site": None},
        {"Origin": "null", "Sec-Fetch-Site": None},
        {"Sec-Fetch-Site": "cross-site", "Origin": None},
        {"Sec-Fetch-Site": "same-site", "Origin": "http://localhost"},
    ],
    ids=["both", "origin", "null", "fetch", "same-site"],
)
def test_another_site_cannot_sign_a_member_out(shared_site, headers):
    browser = shared_site.browser()
    shared_site.sign_in(browser)
    answer = shared_site.sign_out(browser, headers)
    assert answer.status == 403
    assert shared_site.is_signed_in(browser)


def test_a_session_cookie_is_useless_after_sign_out(site):
    browser = site.browser()
    site.sign_in(browser)
    kept = dict(browser.jar["localhost"])
    site.sign_out(browser)
    browser.jar["localhost"] = kept
    assert not site.is_signed_in(browser)
    assert browser.get(f"{site.url}/profile").status == 303


def test_each_sign_in_has_a_new_state(site):
    states = {parse_qs(urlsplit(site.begin(site.browser())).query)["state"][0] for _ in range(50)}
    assert len(states) == 50

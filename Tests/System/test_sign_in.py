"""Signing in and out, and the requests that the provider receives."""

import re
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import quote, urlsplit

import pytest

from harness.browser import RESOURCES, SCRIPT
from harness.site import SESSION, from_provider, pending


def test_sign_in_profile_and_sign_out(each_site):
    site = each_site
    browser = site.browser()
    answer = site.sign_in(browser)
    assert (answer.status, answer.location) == (303, "/")
    assert not urlsplit(answer.location).query
    value, attributes = answer.set_cookies[SESSION]
    assert re.fullmatch(r"[A-Za-z0-9_-]{43}", value), "32 random bytes"
    assert {name: attributes.get(name) for name in ("path", "secure", "httponly", "samesite")} == {
        "path": "/",
        "secure": "",
        "httponly": "",
        "samesite": "Lax",
    }
    assert "domain" not in attributes
    assert pending(browser) == [], "no sign-in cookie is left"
    assert len(site.responder.sessions()) == 1

    profile = browser.get(f"{site.url}/profile")
    assert profile.status == 200
    link = re.search(r'href="([^"]*/profile-thirdparty-redirect/[^"]*)"', profile.text)
    assert link and browser.get(link[1]).status in (200, 301, 302, 303)
    assert f'href="{link[1]}"' in browser.get(f"{site.url}/").text, "the home page shows the link after it was fetched"

    answer = site.sign_out(browser)
    assert answer.status == 303
    assert SESSION not in browser.jar["localhost"]
    assert site.responder.sessions() == []
    assert not site.is_signed_in(browser)


def test_requests_to_the_provider_follow_linkedins_rules(site):
    browser = site.browser()
    site.sign_in(browser)
    (token,) = site.simulator.requests("token")
    form = dict(token["form"])
    assert form["grant_type"] == "authorization_code"
    assert form["redirect_uri"] == f"{site.url}/oauth"
    assert (form["client_id"], form["client_secret"]) == ("demo", "demo-secret")
    assert "code_verifier" not in form and "authorization" not in token["headers"] and not token["query"]
    (authorization,) = site.simulator.requests("consent")
    assert not {"nonce", "code_challenge"} & set(dict(authorization["query"]))
    browser.get(f"{site.url}/profile")
    for call in site.simulator.requests("userinfo") + site.simulator.requests("identityMe"):
        assert call["headers"]["authorization"].startswith("Bearer ") and "access_token" not in dict(call["query"])


@pytest.mark.parametrize(
    "headers",
    [
        # If the operator's web server forbids referrers, browsers send the origin null with a form.
        {"Origin": "null", "Sec-Fetch-Site": "same-origin"},
        # Safari before 16.4 sends only the origin.
        {"Sec-Fetch-Site": None, "Sec-Fetch-Mode": None, "Sec-Fetch-Dest": None},
    ],
    ids=["null", "old"],
)
def test_the_home_page_can_sign_out_in_every_browser(site, headers):
    browser = site.browser()
    site.sign_in(browser)
    assert site.sign_out(browser, headers).status == 303
    assert not site.is_signed_in(browser)


@pytest.mark.parametrize("kind", [*RESOURCES, "fetch"])
def test_only_a_tab_starts_a_sign_in_at_login(shared_site, kind):
    answer = shared_site.browser().get(f"{shared_site.url}/login", headers={**RESOURCES, "fetch": SCRIPT}[kind])
    assert (answer.status, answer.set_cookies, answer.location) == (401, {}, None)


@pytest.mark.parametrize("path", ["/profile", "/a/b?x=1&y=%2F&z=%E5%BC%A0", "/?q=a%20b"])
def test_a_sign_in_returns_to_the_page_it_started_from(each_site, path):
    browser = each_site.browser()
    answer = each_site.sign_in(browser, query=f"?return_to={quote(path, safe='')}")
    assert (answer.status, answer.location) == (303, path)


@pytest.mark.parametrize("decision", ["cancel", "deny"])
def test_after_cancelling_the_visitor_can_try_again(each_site, decision):
    site = each_site
    browser = site.browser()
    answer = site.sign_in(browser, decision=decision)
    assert answer.status == 403 and answer.is_html
    assert "href=\"/login" in answer.text, "the page offers another attempt"
    assert "user_cancelled" not in answer.text and "The user cancelled" not in answer.text
    assert not site.is_signed_in(browser)
    assert site.simulator.requests("token") == []
    assert site.sign_in(browser).status == 303


@pytest.mark.parametrize("product", ["openid", "verified", "basic-profile", "v1"])
def test_every_product_returns_a_profile(make_site, product):
    with make_site(settings={"LINKEDIN_PRODUCT": product}) as site:
        site.simulator.settings(v1=True)
        browser = site.browser()
        assert site.sign_in(browser).status == 303
        answer = browser.get(f"{site.url}/profile", headers=SCRIPT)
        assert answer.status == 200
        assert (answer.json["profile_url"] is None) == (product == "openid")


def test_a_scope_the_application_was_not_granted_gets_a_page(make_site):
    with make_site(settings={"SIGNIN_SCOPES": "openid profile r_liteprofile"}) as site:
        site.responder.expected_errors.append("reason=provider-scope-refused")
        browser = site.browser()
        refused = browser.get(site.begin(browser))
        assert refused.status in (302, 303) and "unauthorized_scope_error" in refused.location
        answer = browser.get(refused.location, headers=from_provider())
        assert answer.status == 502 and answer.is_html
        assert "r_liteprofile" not in answer.text and "&amp;quot;" not in answer.text
        assert not site.is_signed_in(browser)


def test_a_sign_in_that_began_at_another_host_name_gets_a_page_with_the_address_of_the_site(make_site, certificate):
    with make_site(certificate=certificate) as site:
        browser = site.browser()
        start = browser.get(site.url.replace("localhost", "127.0.0.1") + "/login?return_to=/a")
        page = browser.get(site.consent(start.location), headers=from_provider())
        assert page.status == 400 and f"Try again in this browser at {site.url}." in page.text
        assert "or at another address of this site." in page.text and 'href="/login?return_to=%2Fa"' in page.text


def test_five_tabs_can_finish_in_any_order(each_site):
    site = each_site
    browser = site.browser()
    callbacks = [site.consent(site.begin(browser, f"?return_to=/tab{number}")) for number in range(5)]
    for number in (4, 2, 0, 3, 1):
        answer = browser.get(callbacks[number], headers=from_provider())
        assert (answer.status, answer.location) == (303, f"/tab{number}")
    assert site.is_signed_in(browser)
    assert pending(browser) == [] and len(site.responder.sessions()) == 1


def test_twelve_tabs_that_finish_at_once_return_to_their_own_addresses(each_site):
    """This happens when the provider no longer asks the member and redirects every tab at once."""
    site = each_site
    browser = site.browser()
    callbacks = [site.consent(site.begin(browser, f"?return_to=/profile%3Ftab{number}")) for number in range(12)]

    def finish(number):
        answer = browser.get(callbacks[number], headers=from_provider())
        assert (answer.status, answer.location) == (303, f"/profile?tab{number}")
        page = browser.follow(answer)
        assert page.status == 200 and "Maya Lindqvist" in page.text
        return page.url

    with ThreadPoolExecutor(4) as pool:
        assert len(set(pool.map(finish, range(12)))) == 12
    assert pending(browser) == []


def test_the_profile_is_fetched_only_now_and_then(site):
    browser = site.browser()
    site.sign_in(browser)
    site.simulator.clear_requests()
    for _ in range(5):
        assert browser.get(f"{site.url}/profile", headers=SCRIPT).status == 200
    assert len(site.simulator.requests("identityMe")) <= 1


def test_a_hundred_visitors_at_once_keep_their_own_identity(site):
    names = {1: "Maya Lindqvist", 2: "张", 4: "Teguh", 5: "Олена"}

    def visit(number):
        member = list(names)[number % len(names)]
        browser = site.browser()
        assert site.sign_in(browser, member=member).status == 303
        for _ in range(5):
            assert names[member] in browser.get(f"{site.url}/profile").text
        return browser.jar["localhost"][SESSION]

    with ThreadPoolExecutor(20) as pool:
        assert len(set(pool.map(visit, range(100)))) == 100
    assert len(site.responder.sessions()) == 100


def test_sessions_survive_a_restart(site):
    browser = site.browser()
    site.sign_in(browser)
    address = site.begin(other := site.browser())
    site.responder.stop()
    site.responder.start()
    assert site.is_signed_in(browser)
    assert other.get(site.consent(address), headers=from_provider()).status == 303, "a sign-in under way survives too"


def test_removing_session_files_ends_the_sessions(site):
    browsers = [site.browser() for _ in range(3)]
    for browser, member in zip(browsers, (1, 2, 2)):
        site.sign_in(browser, member=member)
    for record in site.responder.sessions():
        if b"zhang.wei@example.com" in record.read_bytes():
            record.unlink()
    assert [site.is_signed_in(browser) for browser in browsers] == [True, False, False]
    for record in site.responder.sessions():
        record.unlink()
    assert not site.is_signed_in(browsers[0])

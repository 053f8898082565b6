"""A browser that signs in again and again without its session cookie gets a page with the reason."""

import pytest

from harness.browser import NAVIGATION, SCRIPT
from harness.process import wait_until
from harness.site import SESSION, from_provider


@pytest.fixture
def site(guarded_alone):
    return guarded_alone


def go_round(site, browser, after):
    """Signs in from a guarded location, then calls `after` with the browser."""
    answer = browser.get(site.url_of("member"))
    if answer.status != 303:
        return answer
    back = browser.get(site.consent(answer.location), headers=from_provider())
    assert (back.status, back.location) == (303, "/member/canary.txt")
    after()
    return answer


def test_the_third_sign_in_without_the_session_cookie_names_the_cookie(site):
    site.responder.expected_errors.append("sign-in-loop.*session-cookie-missing")
    browser = site.browser()
    lose = lambda: browser.jar["localhost"].pop(SESSION)
    assert [go_round(site, browser, lose).status for _ in range(3)] == [303] * 3
    page = browser.get(site.url_of("member"))
    assert page.is_html and page.status >= 400 and "your browser does not remember your sign-in" in page.text
    assert page.location is None
    wait_until(lambda: "session-cookie-missing" in site.responder.log, "a line about it")
    assert browser.get(site.url_of("member")).status == 303, "a further attempt is allowed"


def test_lost_sessions_get_a_different_page(site):
    site.responder.expected_errors.append("sign-in-loop.*session-unknown")
    browser = site.browser()

    def empty():
        for record in site.responder.sessions():
            record.unlink()

    assert [go_round(site, browser, empty).status for _ in range(3)] == [303] * 3
    page = browser.get(site.url_of("member"))
    assert page.is_html and page.status >= 400 and "your browser remembers your sign-in, but this site does not" in page.text
    assert page.location is None
    wait_until(lambda: "session-unknown" in site.responder.log, "a line about it")


def test_signing_in_and_out_repeatedly_is_not_a_loop(site):
    browser = site.browser()
    for _ in range(5):
        assert site.sign_in(browser).status == 303
        assert browser.get(site.url_of("member")).status == 200
        assert site.sign_out(browser).status == 303


def test_only_the_same_site_can_read_the_session(site):
    browser, url = site.member(), f"{site.url}/session"
    for headers in ({}, {"Sec-Fetch-Site": "same-origin"}, {"Sec-Fetch-Site": "same-site"}, {"Sec-Fetch-Site": "none"}):
        answer = browser.get(url, headers={"Accept": "application/json", **headers})
        assert answer.status == 200 and answer.json["signed_in"] and answer.json["name"] == "Maya Lindqvist"
        assert answer.header("Access-Control-Allow-Origin") is None and answer.header("Cache-Control") == "no-store"
    for headers in ({"Sec-Fetch-Site": "cross-site"}, {"Origin": "https://evil.example"}):
        answer = browser.get(url, headers={"Accept": "application/json", **headers})
        assert answer.status == 403 and "Maya" not in answer.text
    nobody = site.browser().get(url, headers=SCRIPT)
    assert nobody.status == 200 and nobody.json == {"signed_in": False, "login_url": f"{site.url}/login"}
    assert site.browser().get(url, headers={**NAVIGATION, "Sec-Fetch-Site": "cross-site"}).status == 403

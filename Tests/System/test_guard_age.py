"""A rule with signed-in-within= asks a member whose sign-in is too old to sign in again."""

import pytest

from harness.browser import SCRIPT
from harness.clock import Clock
from harness.guarded import ALL_GUARDS, CANARY, Guarded, canary
from harness.site import SESSION, from_provider


@pytest.fixture(params=ALL_GUARDS)
def later(request, directory):
    """A guarded site twenty minutes after a member has signed in, and the browser of the member."""
    clock = Clock(directory / "clock")
    with Guarded(directory, request.param, wrapper=clock.wrapper) as site:
        browser = site.member()
        assert browser.get(site.url_of("recent")).body == canary("recent")
        clock.advance(site, minutes=20)
        yield site, browser


def test_a_member_who_signed_in_too_long_ago_signs_in_again_and_returns(later):
    site, browser = later
    assert browser.get(site.url_of("member")).body == canary("member"), "other rules still admit the session"
    old = browser.jar["localhost"][SESSION]
    answer = browser.get(site.url_of("recent", "canary.txt?x=1"))
    assert answer.status == 303 and answer.location.startswith(site.simulator.url) and CANARY not in answer.body
    back = browser.get(site.consent(answer.location), headers=from_provider())
    assert (back.status, back.location) == (303, "/recent/canary.txt?x=1")
    assert browser.get(site.url_of("recent")).body == canary("recent")
    assert browser.jar["localhost"][SESSION] != old
    browser.jar["localhost"][SESSION] = old
    assert browser.get(site.url_of("member")).status == 303, "the old session has ended"


def test_a_script_of_a_member_who_signed_in_too_long_ago_gets_401(later):
    site, browser = later
    answer = browser.get(site.url_of("recent"), headers=SCRIPT)
    assert answer.status == 401 and answer.json["login_url"] == f"{site.url}/login"
    assert answer.location is None and answer.set_cookies == {} and CANARY not in answer.body

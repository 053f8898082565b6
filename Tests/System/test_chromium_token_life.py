"""A page that stays open in Chromium until its member's access token has ended is used again without an error."""

import pytest

from harness.clock import LONG, OwnClock
from harness.form_site import FormSite
from harness.process import wait_until

pytestmark = pytest.mark.extended

ALLOW = 'button[name="decision"][value="allow"]'
PROFILE = 'a[href="/profile"]'
SIGN_IN = 'a[href="/login"]'


class AgingForms(OwnClock, FormSite):
    """An application behind nginx, with a clock that the program and the provider share."""

    def __init__(self, directory, settings):
        super().__init__(directory, settings={**LONG, **settings})


def sign_in(chromium, site):
    chromium.open(f"{site.url}/")
    chromium.click(SIGN_IN)
    chromium.click(ALLOW)
    assert chromium.url == f"{site.url}/"


@pytest.mark.parametrize("minutes", [-4, 0], ids=["before", "after"])
def test_an_open_page_leads_to_the_profile_after_sixty_days(directory, chromium, minutes):
    with AgingForms(directory, {}) as site:
        sign_in(chromium, site)
        site.clock.advance(site, days=60, minutes=minutes)
        chromium.click(PROFILE)
        if minutes == 0:
            # The provider asks again, because the permission has ended too.
            assert chromium.url.startswith(site.simulator.url)
            chromium.click(ALLOW)
        assert chromium.url == f"{site.url}/profile" and "Maya Lindqvist" in chromium.text
        assert chromium.complaints() == []
        chromium.screenshot("profile-after-sixty-days")
        assert site.simulator.count("authorization") == 2


@pytest.mark.parametrize("required", ["no", "yes"])
def test_a_form_in_an_open_page_arrives_once_after_sixty_days(directory, chromium, required):
    with AgingForms(directory, {"SIGNIN_REQUIRE_LIVE_TOKEN": required}) as site:
        sign_in(chromium, site)
        chromium.open(f"{site.url}/public/form?urlencoded&action=/proxied/note")
        site.clock.advance(site, days=60)
        chromium.click("button")
        if required == "yes":
            assert chromium.url.startswith(site.simulator.url)
            chromium.click(ALLOW)
        chromium.wait_for(lambda: chromium.url.endswith("/public/done"), "/public/done shown")
        wait_until(site.application.posts, "the form at the application")
        (post,) = site.application.posts()
        assert post.uri == "/proxied/note" and post.body.startswith(b"text=Gr%C3%BC")
        assert site.kept() == []

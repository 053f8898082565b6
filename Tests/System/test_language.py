"""The language menu: plain links that set a cookie and lead back to the same page."""

import pytest

from harness.browser import NAVIGATION
from harness.guarded import GUARDS, Guarded

GERMAN = {**NAVIGATION, "Accept-Language": "de"}


def test_a_visitor_changes_the_language_without_javascript_and_keeps_it(shared_site, make_chromium):
    chromium = make_chromium(javascript=False)
    chromium.open(f"{shared_site.url}/logout")
    chromium.click('nav a[lang="ja"]')
    assert chromium.one("html").get_attribute("lang") == "ja"
    chromium.open(f"{shared_site.url}/logout?a=1")
    assert chromium.one("html").get_attribute("lang") == "ja"
    chromium.click('nav a[lang="en"]')
    assert chromium.one("html").get_attribute("lang") == "en"


def test_the_chosen_language_is_stronger_than_the_browser_s(shared_site):
    browser = shared_site.browser()
    assert browser.get(f"{shared_site.url}/", headers=GERMAN).header("Content-Language") == "de"
    browser.get(f"{shared_site.url}/language?tag=fr")
    assert browser.get(f"{shared_site.url}/", headers=GERMAN).header("Content-Language") == "fr"


def test_a_link_of_another_site_does_not_change_the_language(shared_site):
    browser = shared_site.browser()
    for site in ("cross-site", "same-site"):
        answer = browser.get(f"{shared_site.url}/language?tag=fr&return_to=/logout", headers={**GERMAN, "Sec-Fetch-Site": site})
        assert (answer.status, answer.location) == (303, "/logout")
        language = "de" if site == "cross-site" else "fr"
        assert browser.get(f"{shared_site.url}/", headers=GERMAN).header("Content-Language") == language


# The program reads the cookie; the web server passes it.
@pytest.mark.parametrize("shared_site", ["nginx"], indirect=True)
@pytest.mark.parametrize("value", ["xx", "en-US", "", "de; Path=/", "../en"])
def test_a_cookie_with_another_text_has_no_effect(shared_site, value):
    headers = {**GERMAN, "Cookie": f"__Host-language={value}"}
    assert shared_site.browser().get(f"{shared_site.url}/", headers=headers).header("Content-Language") == "de"


@pytest.mark.parametrize("place, target", [("/profile?a=1", "/profile?a=1"), ("//evil.example/", "/"), ("/logout?a=1", "/logout?a=1"), ("/login", "/"), ("/oauth?error=x", "/")])
def test_the_change_returns_to_a_page_of_this_site_only(shared_site, place, target):
    answer = shared_site.browser().get(f"{shared_site.url}/language?tag=de&return_to={place.replace('/', '%2F')}")
    assert (answer.status, answer.location) == (303, target)


@pytest.mark.parametrize("path, status, has_menu", [("/language?tag=xx", 404, True), ("/oauth?code=a&state=b", 400, False), (f"/login?return_to=/{'a' * 3000}", 414, False)])
def test_a_page_without_a_menu_is_one_that_a_link_cannot_show_again(shared_site, path, status, has_menu):
    page = shared_site.browser().get(f"{shared_site.url}{path}")
    assert page.status == status and ("/language?" in page.text) == has_menu


@pytest.mark.parametrize("front", GUARDS)
def test_the_page_of_a_rejected_member_returns_to_the_guarded_page(directory, front):
    with Guarded(directory, front) as site:
        url = site.url_of("domain")
        page = site.member().get(url)
        assert page.status == 403
        path = url.removeprefix(site.url).replace("/", "%2F")
        assert f'/language?tag=de&amp;return_to={path}"' in page.text

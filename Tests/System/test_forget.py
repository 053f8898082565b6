"""A member deletes what the site stores about them, behind every web server and on several machines."""

import re
import secrets
import threading
import time

import pytest

from harness.browser import NAVIGATION, SCRIPT
from harness.guarded import GUARDS
from harness.site import SESSION, from_provider

OWN = {**NAVIGATION, "Sec-Fetch-Site": "same-origin"}


def delete(site, browser, headers=None):
    """Presses the button of the page that asks; the response after a deletion is the page to which it leads."""
    question = browser.get(f"{site.url}/forget")
    assert question.status == 200 and 'action="/forget"' in question.text, question
    answer = browser.post(f"{site.url}/forget", headers={**OWN, "Origin": site.url, **(headers or {})})
    return browser.follow(answer) if answer.status == 303 else answer


def test_deleting_signs_a_member_out_everywhere_at_once(each_site):
    site = each_site
    browsers, other = [site.member() for _ in range(3)], site.member(2)
    for browser in browsers:
        assert 'href="/forget"' in browser.get(f"{site.url}/").text
    answer = delete(site, browsers[0])
    assert answer.status == 200 and "You are signed out in 3 browsers." in answer.text
    assert SESSION not in browsers[0].jar["localhost"]
    assert not any(site.is_signed_in(browser) for browser in browsers)
    assert site.is_signed_in(other) and len(site.responder.sessions()) == 1
    for path in site.responder.state.rglob("*"):
        assert not path.is_file() or b"maya.lindqvist@example.com" not in path.read_bytes(), path
    assert site.sign_in(browsers[1]).status == 303, "the member can come back"


def test_a_form_of_another_site_deletes_nothing(each_site):
    browser = each_site.member()
    for forged in ({"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": None, "Origin": "https://evil.example"}):
        answer = delete(each_site, browser, forged)
        assert answer.status == 403 and "Nothing was deleted" in answer.text
    assert each_site.is_signed_in(browser)


def test_the_page_after_a_deletion_can_be_loaded_again_and_deletes_nothing(each_site):
    site, browser = each_site, each_site.member()
    answer = browser.post(f"{site.url}/forget", headers={**OWN, "Origin": site.url})
    assert (answer.status, answer.location) == (303, "/forget")
    assert answer.set_cookies[SESSION][1]["max-age"] == "0" and answer.header("Clear-Site-Data") == '"cache"'
    for _ in range(2):
        page = browser.follow(answer)
        assert page.status == 200 and "Your data is deleted" in page.text and "/language?" in page.text
    german = browser.follow(browser.get(f"{site.url}/language?tag=de&return_to=%2Fforget"))
    assert german.status == 200 and "Ihre Daten sind gelöscht" in german.text
    assert site.sign_in(browser).status == 303
    assert 'method="post" action="/forget"' in browser.follow(answer).text and site.is_signed_in(browser)


def test_an_address_alone_reports_no_deletion_and_no_sign_out_of_other_browsers(each_site):
    """Anyone can write a link: only a cookie of this browser proves what has ended."""
    site = each_site
    for headers in (NAVIGATION, OWN, from_provider()):
        linked = site.browser().get(f"{site.url}/forget?sessions=7&tokens=9", headers)
        assert linked.location == "/login?return_to=%2Fforget"
        assert "all browsers" not in site.browser().get(f"{site.url}/logout?everywhere=yes", headers).text


def test_a_visitor_signs_in_before_the_question(each_site):
    browser = each_site.browser()
    answer = browser.get(f"{each_site.url}/forget")
    assert (answer.status, answer.location) == (303, "/login?return_to=%2Fforget")
    assert each_site.sign_in(browser, query="?return_to=%2Fforget").location == "/forget"
    assert browser.get(f"{each_site.url}/forget", SCRIPT).status == 200


def test_a_script_without_a_session_learns_where_to_sign_in(each_site):
    for method in ("GET", "POST"):
        answer = each_site.browser().request(method, f"{each_site.url}/forget", {**SCRIPT, "Origin": each_site.url}, b"")
        assert (answer.status, answer.json) == (401, {"error": "unauthorized", "login_url": f"{each_site.url}/login"})


@pytest.mark.parametrize("front", GUARDS)
def test_a_guarded_location_is_closed_at_the_next_request(make_guarded, front):
    with make_guarded(front) as site:
        browsers = [site.member(), site.member()]
        assert [browser.get(site.url_of("member")).status for browser in browsers] == [200, 200]
        assert delete(site, browsers[0]).status == 200
        assert [browser.get(site.url_of("member")).status for browser in browsers] == [303, 303]


def test_deleting_among_many_sessions_takes_seconds_and_delays_nobody(site):
    browser, other = site.member(), site.member(2)
    (record,) = [path.read_bytes() for path in site.responder.sessions() if b"zhang.wei" in path.read_bytes()]
    for number in range(20_000):
        shard = site.responder.state / f"sessions/{number % 256:02x}"
        shard.mkdir(mode=0o700, exist_ok=True)
        (shard / secrets.token_hex(15)).write_bytes(record)
    answers = []
    deletion = threading.Thread(target=lambda: answers.append(delete(site, browser)))
    start = time.monotonic()
    deletion.start()
    slowest = 0
    while deletion.is_alive():
        before = time.monotonic()
        assert site.is_signed_in(other)
        slowest = max(slowest, time.monotonic() - before)
    assert time.monotonic() - start < 10 and slowest < 1
    assert answers[0].status == 200 and "You are signed out. Your name" in answers[0].text
    assert len(site.responder.sessions()) == 20_001
    assert re.search(r"event=data-deleted .*sessions=1\b", site.responder.settled_log())

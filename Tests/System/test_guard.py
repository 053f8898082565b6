"""What a guard answers behind both web servers: to visitors without a session and to members."""

import os
import re
from itertools import product

import pytest

from harness.browser import NAVIGATION, RESOURCES, SCRIPT
from harness.guarded import ALL_GUARDS, BY_PARAMETERS, CANARY, EMAILS, SUBJECTS, canary
from harness.process import wait_until
from harness.site import from_provider

NAMES = {1: "Maya Lindqvist", 4: "Teguh", 5: "Олена Коваленко"}
ADDRESSES = [
    "/app/a?x=1&y=2&&z=%26",
    "/app/a%2Fb%2fc/d",
    "/app/with%20space?and=%20+%20",
    "/app/curly?q={a}|b`c^d",
    "/app/%7Bcurly%7D%7Cbar",
    "/app/a|b^c?back\\slash",
    "/app/quotes?q=%22a%22'b'",
    "/app/?" + "&".join(f"n{number}=%E2%82%AC" for number in range(105)),
    "/app/?return_to=https://evil.example/&return_to=//evil.example",
    "/app/%E5%BC%A0;v=1/@:$,=?%zz&a[]=1",
]
SCRIPTS = {
    "fetch": SCRIPT,
    "xhr": {"Accept": "*/*", "X-Requested-With": "XMLHttpRequest"},
    "curl": {"Accept": "*/*", "User-Agent": "curl/8"},
}


@pytest.mark.parametrize("address", ADDRESSES, ids=range(len(ADDRESSES)))
def test_a_visitor_signs_in_and_returns_to_the_guarded_address(guarded, address):
    browser = guarded.browser()
    answer = browser.get(guarded.url + address)
    assert answer.status == 303 and answer.location.startswith(guarded.simulator.url), answer
    back = browser.get(guarded.consent(answer.location), headers=from_provider())
    assert (back.status, back.location) == (303, address)
    there = guarded.ask("app", address.removeprefix("/app/"), browser)
    assert there.all("REQUEST_URI") == [address]


@BY_PARAMETERS
@pytest.mark.parametrize("kind", SCRIPTS)
def test_a_script_gets_401_and_json_with_login_url(guarded, kind):
    answer = guarded.browser().get(guarded.url_of("member"), headers=SCRIPTS[kind])
    assert answer.status == 401 and answer.json["login_url"] == f"{guarded.url}/login"
    assert answer.set_cookies == {} and answer.location is None


@BY_PARAMETERS
@pytest.mark.parametrize("kind", RESOURCES)
def test_a_request_without_a_viewer_starts_no_sign_in(guarded, kind):
    answer = guarded.browser().get(guarded.url_of("member"), headers=RESOURCES[kind])
    assert answer.status == 401 and CANARY not in answer.body
    assert answer.set_cookies == {} and answer.location is None


def test_lighttpd_rejects_a_form_that_it_cannot_keep(guarded):
    if guarded.front != "lighttpd":
        return  # nginx passes it to the program, which keeps it
    answer = guarded.browser().post(guarded.url_of("app", ""), {"a": "b"})
    assert answer.status == 401 and answer.is_html and answer.set_cookies == {}


def test_a_member_gets_the_guarded_file(guarded):
    browser = guarded.member()
    answer = browser.get(guarded.url_of("member"))
    assert answer.status == 200 and answer.body == canary("member")
    assert answer.header("Cache-Control") in ("no-cache", "max-age=0"), "every cache revalidates"
    part = browser.get(guarded.url_of("member"), headers={**NAVIGATION, "Range": "bytes=4-9"})
    assert part.status == 206 and part.body == CANARY[4:10]
    assert browser.get(guarded.url_of("member"), method="HEAD").status == 200


@pytest.mark.parametrize("number", NAMES)
@pytest.mark.parametrize("place", ["app", "other"])
def test_an_application_receives_the_identity(guarded, place, number):
    received = guarded.ask(place, browser=guarded.member(number))
    assert received.identity == (SUBJECTS[number], EMAILS[number], NAMES[number])


@pytest.mark.parametrize("place", ["app", "other"])
def test_the_body_of_a_member_reaches_the_application_complete(guarded, place):
    browser = guarded.member()
    for size in (0, 1, 100, 70_000, 1_500_000):
        body = bytes(number * 7 % 251 for number in range(256)) * (size // 256 + 1)
        headers = {**NAVIGATION, "Content-Type": "application/octet-stream"}
        received = guarded.ask(place, "", browser, method="POST", headers=headers, body=body[:size])
        assert received.body == body[:size]


@pytest.mark.parametrize("place", ["app", "other"])
def test_cache_headers_of_an_application_stay(guarded, place):
    answer = guarded.member().get(guarded.url_of(place, ""))
    assert (answer.status, answer.all("Cache-Control"), answer.all("Expires")) == (200, ["private, no-store"], [])


def test_anyone_passes_with_or_without_a_name(guarded):
    assert guarded.browser().get(guarded.url_of("anyone")).body == canary("anyone")
    assert guarded.ask("open").identity == (None, None, None)
    assert guarded.ask("open", browser=guarded.member()).identity == (SUBJECTS[1], EMAILS[1], NAMES[1])


@BY_PARAMETERS
@pytest.mark.parametrize("number", range(1, 8))
def test_a_rule_admits_only_the_named_members(guarded, number):
    browser = guarded.member(number)
    places = [place for place in guarded.places if place.admitted]
    assert len(places) >= 6
    for place in places:
        answer = browser.get(guarded.url_of(place.name))
        assert answer.status == (200 if number in place.admitted else 403), (place, answer.text)
        assert (CANARY in answer.body) == (number in place.admitted)


def test_the_denied_page_names_the_account_and_what_to_do(guarded):
    browser = guarded.member(4)
    answer = browser.get(guarded.url_of("maya", "canary.txt?x=1"))
    assert answer.status == 403 and answer.is_html and answer.header("Cache-Control") == "no-store"
    # The name and the address are apart, so that a name written from right to left does not reorder the address.
    assert "<bdi>Teguh</bdi><br><bdi>teguh@example.id</bdi>" in answer.text.replace("<wbr>", "")
    assert "Use another account" in answer.text and 'name="return_to" value="/maya/canary.txt?x=1"' in answer.text
    assert 'href="mailto:help@example.com"' in answer.text
    script = browser.get(guarded.url_of("maya"), headers=SCRIPT)
    assert script.status == 403 and "Teguh" not in script.text and script.json["error"]
    image = browser.get(guarded.url_of("maya"), headers=RESOURCES["image"])
    assert image.status == 403 and "Teguh" not in image.text


@pytest.mark.parametrize("number, title", [(5, "LinkedIn sent no e-mail address"), (7, "Your e-mail address is not confirmed")])
def test_the_denied_page_says_whether_linkedin_sent_an_address(guarded, number, title):
    browser, url = guarded.member(number), guarded.url_of("domain", "?x=1")
    page = browser.get(url)
    assert f"<h1>{title}</h1>" in page.text
    (path,) = re.findall(r'<a class="control primary" href="([^"]+)">Sign in again</a>', page.text)
    assert guarded.sign_in(browser, number, query=path.removeprefix("/login")).location == url.removeprefix(guarded.url)


CLOSED = {"missing": "rule-missing", "empty": "rule-missing", "broken": "rule-invalid", "unknown": "action-unknown"}


@pytest.mark.parametrize("front", ALL_GUARDS)
def test_a_misconfigured_guard_admits_nobody_and_is_logged(make_guarded, front):
    with make_guarded(front) as site:
        site.responder.expected_errors.append("access-denied")
        # An authorizer's action follows from its FastCGI role.
        places = CLOSED if front != "lighttpd" else CLOSED.keys() - {"unknown"}
        member, nobody = site.member(), site.browser()
        for place, browser in product(places, (member, nobody)):
            lines = lambda: len(re.findall(f"access-denied.*reason={CLOSED[place]}", site.responder.log))
            before = lines()
            answer = browser.get(site.url_of(place))
            # The rule beside the unknown action is valid, so the visitor is asked to sign in.
            assert answer.status == (303 if place == "unknown" and browser is nobody else 403)
            assert CANARY not in answer.body and "Maya" not in answer.text and "another account" not in answer.text
            wait_until(lambda: lines() > before, f"a line with {CLOSED[place]}")


def test_using_a_guarded_location_keeps_the_session_alive(guarded):
    before = set(guarded.responder.sessions())
    browser = guarded.member()
    (record,) = set(guarded.responder.sessions()) - before
    an_hour_ago = record.stat().st_mtime - 3600
    os.utime(record, (an_hour_ago, an_hour_ago))
    answer = browser.get(guarded.url_of("member"))
    assert answer.status == 200 and answer.set_cookies == {}
    assert record.stat().st_mtime > an_hour_ago + 3000
    os.utime(record, (1, 1))
    assert browser.get(guarded.url_of("member")).status == 303, "an idle session has ended"

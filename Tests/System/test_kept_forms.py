"""Kept forms behind nginx: a form sent without a session is kept, encrypted, and sent after sign-in."""

import shutil

import pytest

from harness.form_application import URLENCODED
from harness.browser import NAVIGATION, Browser
from harness.form_site import FormSite
from harness.process import wait_until
from harness.site import SESSION, from_provider

MEBIBYTE = 1 << 20
SAME_ORIGIN = {**NAVIGATION, "Sec-Fetch-Site": "same-origin"}


@pytest.fixture
def site(directory):
    with FormSite(directory) as site:
        yield site


def send(site, browser, target="/proxied/note", body=b"text=1", headers=SAME_ORIGIN, kind=URLENCODED):
    return browser.request("POST", f"{site.url}{target}", {**headers, "Content-Type": kind}, body)


def resume(site, browser, answer):
    """Signs in and opens the page that sends the form."""
    callback = site.consent(answer.location)
    return browser.follow(browser.get(callback, headers=from_provider()))


def field(page):
    value = page.text.partition('name="linkedin-signin-form" value="')[2].partition('"')[0]
    return f"linkedin-signin-form={value}\r\n".encode()


def test_a_form_from_another_site_is_not_kept(site):
    for origin in ("same-site", "none"):
        answer = send(site, Browser(), headers={**NAVIGATION, "Sec-Fetch-Site": origin})
        assert answer.status == 401 and "sends the form again" in answer.text
        assert 'target="_blank">Open sign-in in a new tab</a>' in answer.text
    # The browser would not send the session cookie with the form after a sign-in either.
    answer = send(site, Browser(), headers={**NAVIGATION, "Sec-Fetch-Site": "cross-site"})
    assert answer.status == 403 and "did not come from this site" in answer.text
    assert "Open the form on this site again" in answer.text and "/login" not in answer.text
    wait_until(lambda: site.responder.log.count("reason=cross-site") == 3, "a line for each")
    assert site.kept() == []


def test_a_form_over_the_limit_is_not_kept_and_gets_a_page(site):
    browser = Browser()
    assert send(site, browser, body=b"x" * MEBIBYTE).status == 303
    for size in (MEBIBYTE + 1, 3 * MEBIBYTE):
        answer = send(site, browser, body=b"x" * size)
        assert answer.status == 401 and "sends the form again" in answer.text
        assert 'target="_blank">Open sign-in in a new tab</a>' in answer.text
    assert len(site.kept()) == 1


def test_a_kept_form_is_encrypted_and_private(site):
    browser = Browser()
    page = resume(site, browser, send(site, browser, body=b"text=canary"))
    (path,) = site.kept()
    assert path.stat().st_mode & 0o7777 == 0o600 and path.parent.stat().st_mode & 0o7777 == 0o700
    assert b"canary" not in path.read_bytes() and b"/proxied" not in path.read_bytes()
    assert send(site, browser, body=field(page), kind="text/plain").location == "/public/done"
    assert site.kept() == [] and "canary" not in site.responder.log


def test_a_damaged_kept_form_gets_a_page_that_asks_to_fill_it_in_again(directory):
    with FormSite(directory) as site:
        site.responder.expected_errors.append("event=form-damaged .*reason=store-damaged")
        browser = Browser()
        page = resume(site, browser, send(site, browser))
        (path,) = site.kept()
        # In one step, and with the time at which the form ends, because the sweeper removes a form that has ended.
        damaged = directory / "damaged"
        damaged.write_bytes(path.read_bytes()[:-1])
        shutil.copystat(path, damaged)
        damaged.replace(path)
        answer = send(site, browser, body=field(page), kind="text/plain")
        assert answer.status == 500 and "could not be opened" in answer.text and "Fill in the form" in answer.text
        assert site.application.posts() == [] and site.kept() == []
        assert site.responder.settled_log().count("event=form-damaged") == 1


def test_a_response_header_can_be_as_large_as_nginx_allows(site):
    site.application.reply = (200, [(f"X-Field-{number}", "v" * 1000) for number in range(25)], b"large")
    browser = Browser()
    page = resume(site, browser, send(site, browser))
    answer = send(site, browser, body=field(page), kind="text/plain")
    assert answer.status == 200 and answer.body == b"large" and len(answer.header("X-Field-24")) == 1000


def test_an_unreachable_application_gives_its_own_error_page(site):
    browser = Browser()
    page = resume(site, browser, send(site, browser))
    site.server.expected_errors.append("prematurely closed|Connection refused|upstream")
    site.application.reply = (502, [], b"the application's own")
    answer = send(site, browser, body=field(page), kind="text/plain")
    assert answer.status == 502 and answer.body == b"the application's own"


def test_a_session_that_ends_first_leaves_the_form_unsent(site):
    browser = Browser()
    page = resume(site, browser, send(site, browser))
    browser.jar["localhost"].pop(SESSION)
    answer = send(site, browser, body=field(page), kind="text/plain")
    assert answer.status == 303 and answer.location.startswith("/resume?form=")
    login = browser.follow(browser.follow(answer))
    assert login.status == 303
    page = resume(site, browser, login)
    assert send(site, browser, body=field(page), kind="text/plain").location == "/public/done"
    assert len(site.application.posts()) == 1


def test_a_form_is_sent_over_tls_and_http2(directory, certificate):
    with FormSite(directory, {"SIGNIN_CA_FILE": f"{certificate}.pem"}, certificate=certificate) as site:
        browser = Browser()
        page = resume(site, browser, send(site, browser, body=b"x" * MEBIBYTE))
        assert send(site, browser, body=field(page), kind="text/plain").location == "/public/done"
        assert [len(post.body) for post in site.application.posts()] == [MEBIBYTE]


def test_an_untrusted_certificate_of_the_site_keeps_the_form_unsent(directory, certificate):
    with FormSite(directory, certificate=certificate) as site:
        site.responder.expected_errors.append("event=form-failed .*reason=untrusted")
        browser = Browser()
        page = resume(site, browser, send(site, browser))
        answer = send(site, browser, body=field(page), kind="text/plain")
        assert answer.status == 503 and "/resume?form=" in answer.text
        assert site.application.posts() == [] and len(site.kept()) == 1


def test_the_address_of_a_form_arrives_unchanged(site):
    browser = Browser()
    target = "/proxied/a/b%2Fc..//d?e=/../f&g=%20+"
    page = resume(site, browser, send(site, browser, target))
    send(site, browser, target, body=field(page), kind="text/plain")
    assert [post.uri for post in site.application.posts()] == [target]


def test_a_form_of_a_rejected_member_is_not_sent(directory):
    with FormSite(directory, rule="subject=nobody") as site:
        browser = Browser()
        page = resume(site, browser, send(site, browser))
        assert send(site, browser, body=field(page), kind="text/plain").status == 403
        assert site.application.posts() == [] and len(site.kept()) == 1


def test_the_log_line_of_a_sent_form_names_the_location_and_the_rule(site):
    browser = Browser()
    page = resume(site, browser, send(site, browser, "/proxied/note?canary"))
    send(site, browser, "/proxied/note?canary", body=field(page), kind="text/plain")
    (line,) = [line for line in site.responder.settled_log().splitlines() if "event=form-replayed" in line]
    assert " location=/proxied/note rule=member " in line and "canary" not in line

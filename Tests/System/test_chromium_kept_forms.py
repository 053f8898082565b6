"""A form sent without a session arrives after sign-in, in Chromium with and without scripts."""

import hashlib
import os
import threading
from urllib.parse import quote

import pytest
from selenium.webdriver.common.action_chains import ActionChains

from harness.form_site import FormSite
from harness.process import wait_until

pytestmark = pytest.mark.extended

MEBIBYTE = 1 << 20
ALLOW = 'button[name="decision"][value="allow"]'
CANCEL = 'button[name="decision"][value="cancel"]'
BUTTON = "form[name=resume] button"


@pytest.fixture
def site(directory):
    with FormSite(directory) as site:
        yield site


@pytest.fixture(params=[True, False], ids=["script", "no-script"])
def javascript(request):
    return request.param


def fill(chromium, site, target, kind="multipart", file=None):
    chromium.open(f"{site.url}/public/form?{kind}&action={target}")
    if file:
        chromium.one("input[type=file]").send_keys(str(file))
    chromium.click("button")
    assert chromium.url.startswith(site.simulator.url), chromium.url


def consent(chromium, javascript, wanted="/public/done"):
    chromium.click(ALLOW)
    if not javascript:
        assert "/resume?form=" in chromium.url
        chromium.click(BUTTON)
    chromium.wait_for(lambda: chromium.url.endswith(wanted), f"{wanted} shown")


def multipart(boundary, text, name, content):
    """The body that Chromium sends for the form (RFC 7578)."""
    head = f'--{boundary}\r\nContent-Disposition: form-data; name="text"\r\n\r\n{text}\r\n--{boundary}\r\n'
    head += f'Content-Disposition: form-data; name="file"; filename="{name}"\r\n'
    head += "Content-Type: application/octet-stream\r\n\r\n"
    return head.encode() + content + f"\r\n--{boundary}--\r\n".encode()


@pytest.mark.parametrize("target", ["/proxied/upload?a=1&b=%C3%BC", "/served/upload"])
def test_a_form_of_a_mebibyte_with_a_file_arrives_unchanged(site, make_chromium, directory, javascript, target):
    boundary = "-" * 4 + "WebKitFormBoundary" + "x" * 16
    overhead = len(multipart(boundary, site.application.text, "random.octets", b""))
    file = directory / "random.octets"
    file.write_bytes(os.urandom(MEBIBYTE - overhead))
    chromium = make_chromium(javascript=javascript)
    fill(chromium, site, target, file=file)
    consent(chromium, javascript)
    (post,) = site.application.posts()
    assert len(post.body) == MEBIBYTE and post.uri == target
    boundary = post.headers["content-type"].partition("boundary=")[2]
    expected = multipart(boundary, site.application.text, file.name, file.read_bytes())
    assert hashlib.sha256(post.body).digest() == hashlib.sha256(expected).digest()
    assert file.read_bytes() in post.body
    assert post.headers["origin"] == site.url and post.headers["x-forwarded-for"].startswith("127.0.0.1")
    assert post.headers.get("x-auth-subject") or post.headers.get("remote-user")
    assert site.kept() == []
    assert chromium.cookies()["flash"]["value"] == "saved", "the application's own cookie"
    assert [line for line in chromium.complaints() if "Content Security" in line] == []


def test_a_form_that_is_not_kept_arrives_after_a_sign_in_in_a_new_tab_and_a_reload(make_chromium, directory, javascript):
    file = directory / "small.octets"
    file.write_bytes(os.urandom(10_000))
    chromium = make_chromium(javascript=javascript)
    with FormSite(directory, settings={"SIGNIN_KEPT_BODY": "0"}) as site:
        chromium.open(f"{site.url}/public/form?multipart&action=/proxied/upload")
        chromium.one("input[type=file]").send_keys(str(file))
        chromium.click("button")
        assert chromium.heading == "Your form was not sent"
        form = chromium.driver.current_window_handle
        chromium.one("a.primary").click()
        wait_until(lambda: len(chromium.driver.window_handles) == 2, "a new tab")
        (other,) = set(chromium.driver.window_handles) - {form}
        chromium.driver.switch_to.window(other)
        chromium.wait_for(lambda: chromium.url.startswith(site.simulator.url), "LinkedIn's page")
        chromium.click(ALLOW)
        chromium.wait_for(lambda: chromium.url.startswith(site.url), "the end of the sign-in")
        chromium.driver.switch_to.window(form)
        assert site.application.posts() == []
        # Sends the form again without the question that a person gets.
        chromium.driver.refresh()
        chromium.wait_for(lambda: chromium.url.endswith("/public/done"), "the page after the form")
        (post,) = site.application.posts()
    assert file.read_bytes() in post.body and post.headers.get("x-auth-subject")


def test_a_urlencoded_form_with_umlauts_arrives_unchanged(site, make_chromium, javascript):
    chromium = make_chromium(javascript=javascript)
    fill(chromium, site, "/proxied/note", kind="urlencoded")
    consent(chromium, javascript)
    (post,) = site.application.posts()
    assert post.headers["content-type"] == "application/x-www-form-urlencoded"
    assert post.body == b"text=" + quote(site.application.text, safe="").replace("%20", "+").encode()
    wait_until(lambda: all(f"form-{what}" in site.responder.log for what in ("kept", "replayed")), "a line about it")
    assert "Gr%C3%BC" not in site.responder.log and "Grüße" not in site.responder.log


def test_a_page_in_response_is_shown_at_the_address_of_the_form(site, make_chromium, javascript):
    site.application.reply = (200, [("Content-Type", "text/html")], b"<!DOCTYPE html><h1>Saved</h1><a href=next>n</a>")
    chromium = make_chromium(javascript=javascript)
    fill(chromium, site, "/proxied/page", kind="urlencoded")
    consent(chromium, javascript, wanted="/proxied/page")
    assert chromium.heading == "Saved"
    assert chromium.one("a").get_attribute("href") == f"{site.url}/proxied/next"
    chromium.driver.refresh()
    chromium.wait_for(lambda: "already" in chromium.heading, "the reload explained")
    assert len(site.application.posts()) == 1


def test_reload_and_back_do_not_send_the_form_again(site, make_chromium):
    chromium = make_chromium(javascript=False)
    fill(chromium, site, "/proxied/note", kind="urlencoded")
    chromium.click(ALLOW)
    resume = chromium.url
    chromium.driver.refresh()
    chromium.screenshot("form-kept")
    assert chromium.url == resume and len(chromium.find(BUTTON)) == 1
    assert site.application.posts() == []
    chromium.click(BUTTON)
    chromium.wait_for(lambda: chromium.url.endswith("/public/done"), "sent")
    chromium.driver.back()
    chromium.wait_for(lambda: chromium.url == resume, "back")
    assert "already" in chromium.heading
    chromium.open(resume)
    assert "already" in chromium.heading and len(site.application.posts()) == 1


def test_back_after_an_automatic_submission_does_not_send_again(site, make_chromium):
    chromium = make_chromium()
    fill(chromium, site, "/proxied/note", kind="urlencoded")
    consent(chromium, True)
    chromium.driver.back()
    assert len(site.application.posts()) == 1


def test_a_double_click_sends_the_form_once(site, make_chromium):
    chromium = make_chromium(javascript=False)
    fill(chromium, site, "/proxied/note", kind="urlencoded")
    chromium.click(ALLOW)
    site.application.gate.clear()
    # Both clicks in one command, which returns when the new page has loaded.
    clicks = ActionChains(chromium.driver).double_click(chromium.one(BUTTON))
    thread = threading.Thread(target=clicks.perform)
    thread.start()
    wait_until(site.application.posts, "the form at the application")
    site.application.gate.set()
    thread.join(30)
    # The response, or the page that says the form was already sent if the second click was later.
    chromium.wait_for(lambda: chromium.url.endswith("/public/done") or "already" in chromium.heading, "the answer")
    assert len(site.application.posts()) == 1


def test_a_cancelled_sign_in_keeps_the_form_for_the_next_one(site, make_chromium, javascript):
    chromium = make_chromium(javascript=javascript)
    fill(chromium, site, "/proxied/note", kind="urlencoded")
    chromium.click(CANCEL)
    chromium.click('main a[href^="/login"]')
    consent(chromium, javascript)
    assert len(site.application.posts()) == 1


def test_two_tabs_keep_two_forms(site, make_chromium, javascript):
    chromium = make_chromium(javascript=javascript)
    fill(chromium, site, "/proxied/one", kind="urlencoded")
    first = chromium.driver.current_window_handle
    chromium.driver.switch_to.new_window("tab")
    fill(chromium, site, "/served/two", kind="urlencoded")
    if javascript:
        consent(chromium, True)
        chromium.driver.switch_to.window(first)
        consent(chromium, True)
    else:
        second = chromium.driver.current_window_handle
        for tab in (second, first):
            chromium.driver.switch_to.window(tab)
            chromium.click(ALLOW)
        for tab in (second, first):
            chromium.driver.switch_to.window(tab)
            chromium.click(BUTTON)
            assert chromium.url.endswith("/public/done")
    assert sorted(post.uri for post in site.application.posts()) == ["/proxied/one", "/served/two"]

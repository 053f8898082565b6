"""Sign in with Apple, whose callback is a form that a page of another site sends."""

import re
from urllib.parse import unquote

import pytest

from harness.browser import NAVIGATION, Browser
from harness.doctor import diagnose
from harness.guarding import replaced
from harness.process import wait_until
from harness.providers import PACKAGES, Apple, running
from harness.several import several
from harness.site import SESSION, from_provider
from harness.tokens import sessions

pytestmark = pytest.mark.skipif(not PACKAGES.exists(), reason="deploy/packages test could not download the providers")
FRONTS = ["nginx", "lighttpd"]
SUBJECT = "apple::001999.0123456789abcdef0123456789abcdef.0815"
SETTINGS = {"PROVIDER_ID": "apple", "PROVIDER_CLAIMS": "is_private_email name"}


@pytest.mark.parametrize("front", FRONTS)
def test_p24_p26_a_member_signs_in_with_apple(directory, front):
    with running(directory, Apple, front, {**SETTINGS, "PROVIDER_TRUSTS_EMAIL": "yes"}) as site:
        browser = Browser()
        address, parameters = site.begin(browser)
        assert (parameters["response_mode"], parameters["scope"]) == ("form_post", "name email")
        fields = site.provider.form(address)
        posted = Browser().post(site.provider.redirect, fields, {**NAVIGATION, "Origin": site.provider.issuer, "Sec-Fetch-Site": "cross-site"})
        assert posted.status == 303 and not posted.set_cookies
        assert posted.location.startswith("/oauth?answer=") and fields["code"] not in unquote(posted.location)
        answer = browser.get(site.url + posted.location, headers=from_provider())
        assert answer.status == 303 and SESSION in browser.jar["localhost"]
        session = site.session(browser)
        assert (session["subject"], session["email"], session["email_verified"]) == (SUBJECT, "q7x@privaterelay.appleid.com", True)
        # The same form again, and the same address again, are late.
        for location in (Browser().post(site.provider.redirect, fields).location, posted.location):
            assert browser.get(site.url + location, headers=from_provider()).location == "/"
        assert site.provider.requests.count("POST /auth/token") == 1
        wait_until(lambda: "GET /oauth" in site.server.access_log.read_text(), "the callback in the access log")
        for text in (site.responder.settled_log(), site.server.access_log.read_text(), site.server.errors()):
            assert fields["code"] not in text and "Lovelace" not in text and "answer=" not in text


def test_p25_the_name_beside_the_first_code_is_shown_and_no_rule_uses_it(directory):
    with running(directory, Apple, settings=SETTINGS) as site:
        first, later = Browser(), Browser()
        assert site.sign_in(first).status == site.sign_in(later).status == 303
        assert (site.session(first)["name"], site.session(later).get("name")) == ("Ada Lovelace", None)
        assert {site.session(browser)["email"] for browser in (first, later)} == {"q7x@privaterelay.appleid.com"}
        assert "Ada Lovelace" in first.get(f"{site.url}/profile").text
        listed = sessions(site.responder, "list", "--json").stdout
        assert "Ada Lovelace" in listed and "attacker@example.org" not in listed


def test_a_cancelled_sign_in_is_explained(directory):
    with running(directory, Apple, settings=SETTINGS) as site:
        browser = Browser()
        address, _ = site.begin(browser)
        location = site.provider.post(address, "cancel").location
        answer = browser.get(site.url + location, headers=from_provider())
        assert answer.status == 403 and "reason=provider-cancelled" in site.responder.settled_log()


@pytest.mark.parametrize("front", FRONTS)
def test_p24_only_a_form_of_this_browsers_sign_in_is_accepted(directory, front):
    with several(directory, {"apple": Apple}, front) as site:
        victim, attacker = Browser(), Browser()
        address, _ = site.begin_at("apple", attacker)
        site.begin_at("apple", victim)
        fields = site.providers["apple"].form(address)
        # The form of the attacker in the browser of the victim.
        posted = victim.post(f"{site.url}/oauth/apple", fields, {**NAVIGATION, "Sec-Fetch-Site": "cross-site"})
        assert victim.get(site.url + posted.location, headers=from_provider()).status == 400
        # A callback by GET, and forms at the address of another provider.
        plain = f"{site.url}/oauth/apple?code={fields['code']}&state={fields['state']}"
        assert attacker.get(plain, headers=from_provider()).status == 400
        refused = attacker.post(f"{site.url}/oauth", fields)
        assert (refused.status, refused.header("Allow")) == (405, "GET, HEAD")
        assert attacker.get(site.url + posted.location.replace("/oauth/apple", "/oauth"), headers=from_provider()).status == 400
        assert "POST /auth/token" not in site.providers["apple"].requests
        assert SESSION not in victim.jar["localhost"] and SESSION not in attacker.jar["localhost"]
        # Too large for the printed configuration.
        assert victim.post(f"{site.url}/oauth/apple", {**fields, "more": "a" * 70_000}).status == 413
        reasons = re.findall("event=sign-in-failed .*?reason=([a-z-]+)", site.responder.settled_log())
        assert reasons == ["state-missing", "callback-malformed", "callback-malformed"]


def test_p26_each_token_is_revoked_with_a_new_client_secret(directory):
    with running(directory, Apple, settings=SETTINGS) as site:
        browser = Browser()
        assert site.sign_in(browser).status == 303
        own = {**NAVIGATION, "Origin": site.url, "Sec-Fetch-Site": "same-origin"}
        assert browser.post(f"{site.url}/logout", headers=own).status == 303
        site.wait_for("tokens-revoked")
        assert site.provider.requests.count("revoked access") == site.provider.requests.count("revoked refresh") == 1
        assert "client refused" not in site.provider.requests


def test_a_wrong_key_of_the_client_is_reported(directory):
    with running(directory, Apple, settings={**SETTINGS, "PROVIDER_KEY_ID": "KEY7654321"}) as site:
        site.responder.expected_errors.append("event=sign-in-failed .*reason=token-client-refused")
        assert site.sign_in(Browser()).status == 502
        assert "reason=token-client-refused" in site.responder.settled_log()


def test_with_a_scope_that_needs_no_form_the_callback_is_a_redirect(directory):
    with running(directory, Apple, settings={**SETTINGS, "SIGNIN_SCOPES": "openid"}) as site:
        browser = Browser()
        address, parameters = site.begin(browser)
        assert "response_mode" not in parameters
        callback = Browser().get(address).location
        assert browser.get(callback, headers=from_provider()).status == 303
        assert (site.session(browser)["subject"], site.session(browser).get("email")) == (SUBJECT, None)
        assert Browser().post(f"{site.url}/oauth", {"code": "a", "state": "b"}).status == 405


@pytest.mark.parametrize("front", FRONTS)
def test_doctor_asks_the_endpoints_of_apple_and_sends_a_form(directory, front):
    with running(directory, Apple, front, SETTINGS) as site:
        found = diagnose(site.responder, "--url", site.url)
        assert found.faults == set(), found.text
        passed = {entry["subject"]: entry["what"] for entry in found.report["passed"]}
        assert passed[f"{site.url}/oauth"] == "the sign-in cookie and the query come back"
        assert "reason=provider-cancelled" in site.responder.settled_log()


def test_doctor_finds_a_server_that_passes_no_form(directory):
    edit = lambda text: replaced(text, "location = /oauth {", "location = /oauth {\n limit_except GET { deny all; }")  # noqa: E731
    with running(directory, Apple, settings=SETTINGS, edit=edit) as site:
        site.server.expected_errors.append("access forbidden by rule")
        finding = diagnose(site.responder, "--url", site.url).finding("site-route-missing")
        assert finding["subject"] == f"POST {site.url}/oauth" and "HTTP 403" in finding["what"]


@pytest.mark.parametrize("front", FRONTS)
def test_p24_a_browser_sends_its_cookies_after_the_form_of_another_site(directory, front, engine, certificate):
    """The session of the other provider ends, so the session cookie arrived too; both cookies are SameSite=Lax."""
    with several(directory, {"apple": Apple}, front, certificate=certificate) as site:
        engine.forget_cookies(f"{site.url}/")
        engine.open(f"{site.url}/login?provider=linkedin")
        engine.click('button[name="decision"][value="allow"]')
        engine.wait_for(lambda: SESSION in engine.cookies(), "the session at the other provider")
        former = engine.cookies()[SESSION]["value"]
        engine.open(f"{site.url}/login?provider=apple&return_to=%2Fprofile")
        assert engine.url.startswith(site.providers["apple"].issuer)
        engine.click("#allow button")
        engine.wait_for(lambda: engine.url == f"{site.url}/profile", "the profile")
        cookies = engine.cookies()
        assert "Ada Lovelace" in engine.text and cookies[SESSION]["value"] != former
        assert {cookie["sameSite"] for cookie in cookies.values()} == {"Lax"}
        assert not [name for name in cookies if name.startswith("__Host-signin-")]
        assert SUBJECT in sessions(site.responder, "list").stdout and len(site.responder.sessions()) == 1

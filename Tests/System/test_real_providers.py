"""Sign-in at identity providers that sites run: Glewlwyd and LemonLDAP::NG of Debian, and Canaille."""

import re
from urllib.parse import parse_qs, urlsplit

import pytest

from harness.browser import Browser
from harness.canaille import Canaille
from harness.clock import Clock
from harness.doctor import diagnose
from harness.glewlwyd import Glewlwyd
from harness.lemonldap import LemonLDAP
from harness.providers import CLIENT, PACKAGES, IssuerSite, Mock, NanoIDP, running
from harness.several import several
from harness.site import from_provider

needs_canaille = pytest.mark.skipif(not (PACKAGES / "canaille").exists(), reason="deploy/packages test could not download Canaille")
needs_nanoidp = pytest.mark.skipif(not (PACKAGES / "nanoidp").exists(), reason="deploy/packages test could not download nanoidp")
KINDS = [Glewlwyd, LemonLDAP, pytest.param(Canaille, marks=needs_canaille)]
each_kind = pytest.mark.parametrize("kind", KINDS)


@each_kind
@pytest.mark.parametrize("front", ["nginx", "lighttpd"])
def test_a_member_signs_in_with_pkce_and_a_nonce(directory, kind, front):
    with running(directory, kind, front, {"PROVIDER_ID": "own"}) as site:
        browser = Browser()
        address, parameters = site.begin(browser)
        assert parameters["code_challenge_method"] == "S256" and len(parameters["nonce"]) == 43
        callback = site.provider.consent(address)
        sent = parse_qs(urlsplit(callback).query)
        assert sent.get("iss") == ([site.provider.issuer] if kind.sends_issuer else None)
        assert browser.get(callback, headers=from_provider()).status == 303
        session = site.session(browser)
        assert re.fullmatch(f"own::{kind.subject}", session["subject"]), session
        assert (session["name"], session["email"]) == (kind.name, kind.email)
        # None of them says that the address is verified (P15).
        assert session["email_verified"] is False
        # A callback names the issuer of the provider, also where the provider does not name it.
        _, parameters = site.begin(browser)
        forged = f"{site.url}/oauth?code=stolen&state={parameters['state']}&iss=https%3A%2F%2Fattacker.example"
        assert browser.get(forged, headers=from_provider()).status == 400
        assert "reason=callback-issuer" in site.responder.settled_log()


# Canaille itself rejects about one in six of the access tokens that it has just renewed.
@pytest.mark.extended
@pytest.mark.parametrize("kind", [Glewlwyd, LemonLDAP])
def test_an_access_token_is_renewed_and_the_last_refresh_token_is_used(directory, kind):
    # Only the clock of the program advances.
    settings = {"PROVIDER_CLOCK_LEEWAY": "300s", "SIGNIN_PROFILE_CACHE": "0"}
    clock = Clock(directory / "clock")
    with running(directory, kind, settings=settings, wrapper=clock.wrapper) as site:
        browser = Browser()
        assert site.sign_in(browser).status == 303
        for _ in range(3):
            clock.advance(seconds=61)
            profile = browser.get(f"{site.url}/profile")
            assert profile.status == 200 and kind.name in profile.text
        log = site.responder.settled_log()
        assert log.count("event=tokens-renewed") == 3 and "event=tokens-removed" not in log


@pytest.mark.extended
@pytest.mark.parametrize("kind", [*KINDS, pytest.param(NanoIDP, marks=needs_nanoidp)])
def test_new_keys_are_fetched(directory, kind):
    with running(directory, kind) as site:
        assert site.sign_in(Browser()).status == 303
        before = site.provider.keys
        site.provider.stop()
        site.provider.start()
        assert site.provider.keys != before
        browser = Browser()
        assert site.sign_in(browser).status == 303
        assert site.session(browser)["signed_in"]


@pytest.mark.extended
@each_kind
def test_a_wrong_secret_is_reported(directory, kind):
    with running(directory, kind, settings={"PROVIDER_CLIENT_SECRET": "wrong"}) as site:
        site.responder.expected_errors.append("event=sign-in-failed .*reason=token-client-refused")
        browser = Browser()
        assert site.sign_in(browser).status == 502
        assert "reason=token-client-refused" in site.responder.settled_log()
        assert not site.session(browser)["signed_in"]


@pytest.mark.extended
@each_kind
def test_doctor_finds_no_fault_but_a_wrong_secret(directory, kind):
    with running(directory, kind) as site:
        found = diagnose(site.responder)
        assert not found.faults, found.text
        passed = {entry["subject"] for entry in found.report["passed"]}
        assert {"client ID and secret", "key set"} <= passed, passed
        found = diagnose(site.responder, changes={"PROVIDER_CLIENT_SECRET": "wrong"})
        assert found.faults == {"client-refused"}, found.text


@pytest.mark.extended
@pytest.mark.parametrize("kind", [KINDS[0], KINDS[2]])
def test_signing_out_revokes_the_tokens(directory, kind):
    with running(directory, kind) as site:
        browser = Browser()
        assert site.sign_in(browser).status == 303
        assert browser.post(f"{site.url}/logout", headers={"Sec-Fetch-Site": "same-origin", "Origin": site.url}).status == 303
        site.wait_for("tokens-revoked")
        assert " tokens=2" in site.responder.lines_of("tokens-revoked")[0]
        assert not site.responder.lines_of("tokens-not-revoked")


@pytest.mark.extended
@pytest.mark.parametrize("kind", KINDS[1:])
def test_a_member_who_denies_the_consent_is_not_signed_in(directory, kind):
    with running(directory, kind) as site:
        browser = Browser()
        address, _ = site.begin(browser)
        callback = site.provider.consent(address, decision="deny")
        assert parse_qs(urlsplit(callback).query)["error"], callback
        answer = browser.get(callback, headers=from_provider())
        assert answer.status in (400, 403) and "reason=provider-cancelled" in site.responder.settled_log(), answer
        assert not site.session(browser)["signed_in"] and not site.responder.sessions()
        assert site.sign_in(browser).status == 303


@pytest.mark.extended
def test_a_member_who_grants_only_the_identity_is_signed_in_without_name_and_address(directory):
    with running(directory, Glewlwyd) as site:
        browser = Browser()
        address, _ = site.begin(browser)
        answer = browser.get(site.provider.consent(address, decision="deny"), headers=from_provider())
        assert answer.status == 303
        session = site.session(browser)
        assert session["signed_in"] and not {"name", "email"} & {name for name, value in session.items() if value}, session


@pytest.mark.extended
@each_kind
def test_no_code_comes_to_a_redirect_url_that_is_not_registered(directory, kind):
    site = IssuerSite(directory, kind)
    site.provider.redirect = "https://other.example/oauth"
    site.provider.start()
    with site:
        site.wait_for("discovery-read")
        browser = Browser()
        address, parameters = site.begin(browser)
        assert parameters["redirect_uri"] == f"{site.url}/oauth"
        assert "code=" not in (site.provider.consent(address) or "")


# The fields that a visitor fills in, page by page, and the button that sends them; a space ticks a box.
PAGES = {
    Canaille: [({"#login": "ada"}, "[type=submit]"), ({"#password": Canaille.password}, "[type=submit]"), ({}, "#accept")],
    Mock: [({"[type=text]": "ada"}, "form:has([type=text]) button")],
    NanoIDP: [({"#username": "ada", "#password": NanoIDP.password}, "form:has(#password) [type=submit]")],
    LemonLDAP: [({"#userfield": "dwho", "#passwordfield": "dwho"}, "#lform [type=submit]"), ({}, "#form .positive")],
    Glewlwyd: [
        ({"#username": "ada", "#password": Glewlwyd.password}, "#loginbut"),
        ({"#grant-profile": " ", "#grant-email": " "}, ".card-body .btn-primary"),
        ({}, "#userCard:not(:has(#grant-profile)) .btn-success"),
    ],
}
NEEDS = {Canaille: needs_canaille, NanoIDP: needs_nanoidp}


def sign_in_with_pages(site, chromium, kind):
    chromium.open(f"{site.url}/")
    chromium.click('a[href="/login"]')
    for fields, button in PAGES[kind]:
        # Scripts of Glewlwyd replace the page in place.
        chromium.wait_for(lambda: all(chromium.find(element) for element in (*fields, button)), f"the page with {button}")
        for field, text in fields.items():
            chromium.one(field).send_keys(text)
        chromium.one(button).click()
    chromium.wait_for(lambda: chromium.url == f"{site.url}/", "the end of the sign-in")


@pytest.mark.extended
@pytest.mark.parametrize("front", ["nginx", "lighttpd"])
@pytest.mark.parametrize("kind", [pytest.param(kind, marks=NEEDS.get(kind, ())) for kind in PAGES])
def test_a_visitor_signs_in_with_the_pages_of_the_provider(directory, chromium, kind, front):
    with running(directory, kind, front, settings={"PROVIDER_NAME": "Example", "PROVIDER_ID": "own"}) as site:
        sign_in_with_pages(site, chromium, kind)
        assert getattr(kind, "email", "ada@example.org") in chromium.text, chromium.text
        assert "__Host-session" in chromium.cookies() and len(site.responder.lines_of("signed-in")) == 1


# The button that ends the session at the provider, after the provider has asked.
ENDS = {Canaille: "#logout", LemonLDAP: ".btn-success"}


@pytest.mark.extended
@pytest.mark.parametrize("kind", [pytest.param(kind, marks=NEEDS.get(kind, ())) for kind in ENDS])
def test_a_member_who_has_signed_out_signs_out_at_the_provider_too(directory, chromium, kind):
    with running(directory, kind, settings={"PROVIDER_NAME": "Example"}) as site:
        sign_in_with_pages(site, chromium, kind)
        (first_field, *_), _ = PAGES[kind][0]
        chromium.click("form[action='/logout'] button")
        chromium.wait_for(lambda: chromium.url == f"{site.url}/logout", "the page after the sign-out")
        link = chromium.one("main .actions a[target]")
        assert link.text == "Sign out at Example"
        page = link.get_attribute("href")
        assert page.startswith(site.provider.issuer) and parse_qs(urlsplit(page).query) == {"client_id": [CLIENT]}
        # The member is still signed in there, and no form asks for a name.
        chromium.open(f"{site.url}/login")
        assert chromium.url == f"{site.url}/" and not chromium.find(first_field)
        chromium.open(page)
        chromium.click(ENDS[kind])
        chromium.open(f"{site.url}/login")
        chromium.wait_for(lambda: chromium.find(first_field), "the form of the provider")


@pytest.mark.extended
@pytest.mark.parametrize("front", ["nginx", "lighttpd"])
def test_members_of_two_of_them_and_of_linkedin_sign_in_at_one_site(directory, front):
    kinds = {"glewlwyd": Glewlwyd, "lemon": LemonLDAP}
    with several(directory, kinds, front) as site:
        browsers = {name: Browser() for name in ("linkedin", *kinds)}
        for name, browser in browsers.items():
            assert site.sign_in_at(name, browser).status == 303
        for name, kind in kinds.items():
            session = site.session(browsers[name])
            assert re.fullmatch(f"{name}::{kind.subject}", session["subject"]) and session["name"] == kind.name
        assert len(site.responder.sessions()) == 3
        # A callback of one provider at the address of the other.
        browser = Browser()
        address, _ = site.begin_at("lemon", browser)
        callback = site.providers["lemon"].consent(address).replace("/oauth/lemon", "/oauth/glewlwyd")
        assert browser.get(callback, headers=from_provider()).status == 400
        assert "reason=state-provider" in site.responder.settled_log()
        assert site.sign_out(browsers["glewlwyd"]).status == 303
        assert [site.session(browsers[name])["signed_in"] for name in browsers] == [True, False, True]

"""Sign-in at providers that differ from others, and with settings beyond the issuer and the client."""

import re
import signal

import pytest

from harness.browser import Browser
from harness.clock import Clock
from harness.doctor import diagnose
from harness.providers import CLIENT, PACKAGES, GitHub, IssuerSite, KeyIdpyoidc, Mock, NanoIDP, running
from harness.site import from_provider

needs_packages = pytest.mark.skipif(not PACKAGES.exists(), reason="deploy/packages test could not download the providers")
needs_nanoidp = pytest.mark.skipif(not (PACKAGES / "nanoidp").exists(), reason="deploy/packages test could not download nanoidp")
FRONTS = ["nginx", "lighttpd"]


def at_github(directory, front="nginx", **settings):
    site = IssuerSite(directory, GitHub, front, {"PROVIDER_PRESET": "github", "PROVIDER_ID": "github", **settings})
    site.provider.start()
    return site


@pytest.mark.parametrize("front", FRONTS)
def test_p27_a_member_signs_in_with_github(directory, front):
    with at_github(directory, front, PROVIDER_TRUSTS_EMAIL="yes") as site:
        browser = Browser()
        _, parameters = site.begin(browser)
        assert parameters["scope"] == "user:email" and parameters["code_challenge_method"] == "S256"
        assert parameters["client_id"] == CLIENT and "nonce" not in parameters
        assert site.sign_in(browser).status == 303
        session = site.session(browser)
        assert session["subject"] == "github::583231" and session["name"] == "Ada Lovelace"
        assert (session["email"], session["email_verified"]) == ("ada@example.org", True)
        profile = browser.get(f"{site.url}/profile")
        assert profile.status == 200 and 'href="https://github.com/ada"' in profile.text
        assert "linkedin" not in profile.text.lower().replace("linkedin-signin", "")


def test_p28_a_wrong_secret_is_reported_although_github_answers_200(directory):
    with at_github(directory, PROVIDER_CLIENT_SECRET="wrong") as site:
        browser = Browser()
        site.responder.expected_errors.append("event=sign-in-failed .*reason=token-client-refused")
        answer = site.sign_in(browser)
        assert answer.status == 502 and "reason=token-client-refused" in site.responder.settled_log()
        assert not site.session(browser)["signed_in"]


def test_a_callback_that_names_another_server_than_github_is_rejected(directory):
    with at_github(directory) as site:
        browser = Browser()
        address, _ = site.begin(browser)
        callback = re.sub("iss=[^&]+", "iss=https%3A%2F%2Fattacker.example", site.provider.consent(address))
        assert browser.get(callback, headers=from_provider()).status == 400
        assert "POST /login/oauth/access_token" not in site.provider.requests


def test_doctor_asks_the_endpoints_of_github_and_those_that_the_operator_sets(directory):
    with at_github(directory) as site:
        found = diagnose(site.responder)
        assert not {"endpoint-unexpected", "endpoint-unreachable", "discovery-unavailable"} & set(found.codes), found.text
        site.responder.settings["SIGNIN_TOKEN_ENDPOINT"] = "http://127.0.0.1:1/login/oauth/access_token"
        site.responder.write_settings()
        assert "SIGNIN_TOKEN_ENDPOINT" in diagnose(site.responder).finding("endpoint-unreachable")["subject"]


def test_p11_the_id_of_a_github_server_is_not_given_to_another_one(directory):
    with at_github(directory) as site:
        assert site.sign_in(Browser()).status == 303
        site.responder.settings["PROVIDER_ISSUER"] = "https://github.com/login/oauth"
        site.responder.write_settings()
        site.responder.expected_errors.append("event=reload-refused")
        site.responder.process.child.send_signal(signal.SIGHUP)
        site.wait_for("reload-refused")
        assert f"store adopt --provider github --from {site.provider.issuer} --settings-file" in site.responder.log
        site.responder.settings["PROVIDER_ISSUER"] = site.provider.issuer
        site.responder.write_settings()
        site.responder.process.child.send_signal(signal.SIGHUP)
        site.wait_for("reloaded")


@needs_packages
def test_p9_a_client_signs_in_with_a_private_key(directory):
    key = directory / "provider/client-key.pem"
    settings = {"PROVIDER_CLIENT_SECRET": None, "PROVIDER_CLIENT_SECRET_FILE": key}
    with running(directory, KeyIdpyoidc, settings=settings) as site:
        for _ in range(2):
            browser = Browser()
            assert site.sign_in(browser).status == 303
            assert site.session(browser)["name"] == "Ada Lovelace"


@needs_packages
def test_p21_a_member_without_the_domain_in_hd_gets_the_page_without_access(directory):
    settings = {"PROVIDER_HOSTED_DOMAINS": "example.org", "PROVIDER_AUTHORIZATION_PARAMETERS": "prompt=select_account"}
    with running(directory, Mock, settings=settings) as site:
        browser = Browser()
        _, parameters = site.begin(browser)
        assert (parameters["hd"], parameters["prompt"]) == ("example.org", "select_account")
        answer = site.sign_in(browser)
        assert answer.status == 403 and "reason=id-token-claim" in site.responder.settled_log()
        assert not site.session(browser)["signed_in"]


@needs_nanoidp
def test_a_member_signs_in_with_max_age_and_refresh_tokens_are_rotated(directory):
    settings = {
        "PROVIDER_AUTHORIZATION_PARAMETERS": "max_age=300",
        # Only the clock of the program advances.
        "PROVIDER_CLOCK_LEEWAY": "300s",
        "SIGNIN_PROFILE_CACHE": "0",
        "SIGNIN_SCOPES": "openid profile email offline_access",
    }
    clock = Clock(directory / "clock")
    with running(directory, NanoIDP, settings=settings, wrapper=clock.wrapper) as site:
        browser = Browser()
        _, parameters = site.begin(browser)
        assert parameters["max_age"] == "300" and parameters["code_challenge_method"] == "S256"
        assert site.sign_in(browser).status == 303
        assert site.session(browser)["email"] == "ada@example.org"
        # Each access token lives for a minute, and each refresh token is accepted once.
        for _ in range(3):
            clock.advance(seconds=61)
            assert browser.get(f"{site.url}/profile").status == 200
        log = site.responder.settled_log()
        assert log.count("event=tokens-renewed") == 3 and "event=tokens-removed" not in log

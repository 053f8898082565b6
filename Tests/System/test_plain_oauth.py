"""Sign-in at servers of plain OAuth 2.0 by endpoints and names of claims, at real servers whose ID tokens are ignored."""

from contextlib import contextmanager

import pytest

from harness.browser import Browser
from harness.doctor import diagnose
from harness.guarding import Place, options, with_places
from harness.providers import PACKAGES, Idpyoidc, IssuerSite, KeyIdpyoidc, Mock, NanoIDP, PublicIdpyoidc
from harness.several import SeveralSite

pytestmark = pytest.mark.skipif(not (PACKAGES / "nanoidp").exists(), reason="deploy/packages test could not download the providers")
CLAIMS = {
    "PROVIDER_PRESET": "oauth2",
    "PROVIDER_SUBJECT_CLAIM": "sub",
    "PROVIDER_NAME_CLAIM": "display name",
    "PROVIDER_EMAIL_CLAIM": "email",
    "PROVIDER_EMAIL_VERIFIED_CLAIM": "email_verified",
    "PROVIDER_PROFILE_CLAIM": "profile",
    "PROVIDER_GROUPS_CLAIM": "groups",
}
OPENID, PLAIN = {"SIGNIN_SCOPES": "openid profile email"}, {"SIGNIN_SCOPES": "profile email"}
RULES = {"staff": "group=staff", "mail": "email-domain=example.org"}


class Numbered(Mock):
    """Its members have the subject in a nested object."""

    claims = {
        "number": {"account": {"number": 4711}, "display": "Grace Hopper", "groups": ["staff"]},
        "text": {"account": {"number": "4711"}, "email_verified": "false"},
        "flag": {"account": {"number": True}},
        "fraction": {"account": {"number": 4711.5}},
        "large": {"account": {"number": 9007199254740993}},
        "zero": {"account": {"number": 0}},
        "empty": {"account": {"number": ""}},
        "list": {"account": [4711]},
        "error": {"account": {"number": 4711}, "error": "invalid_token"},
    }


def endpoints(provider):
    """What an operator takes from the documentation of the server."""
    document = Browser().get(f"{provider.issuer}/.well-known/openid-configuration").json
    names = ["authorization_endpoint", "token_endpoint", "userinfo_endpoint"]
    return {f"SIGNIN_{name.upper()}": document[name] for name in names}


@contextmanager
def at_server(directory, kind, front="nginx", **settings):
    places = [Place(name, rule) for name, rule in RULES.items()]
    edit = lambda text: with_places(text, front, places, {})
    site = IssuerSite(directory, kind, front, guard=options(places), edit=edit)
    site.provider.start()
    site.extra = {**CLAIMS, "PROVIDER_ID": "chat", **endpoints(site.provider), **settings}
    with site:
        site.serve(RULES)
        yield site


@pytest.mark.parametrize("front", ["nginx", "lighttpd"])
@pytest.mark.parametrize("kind, settings", [(Idpyoidc, OPENID), (NanoIDP, OPENID), (Mock, PLAIN)])
def test_a_member_signs_in_with_pkce_and_without_an_id_token(directory, kind, settings, front):
    with at_server(directory, kind, front, PROVIDER_TRUSTS_EMAIL="yes", **settings) as site:
        browser = Browser()
        _, parameters = site.begin(browser)
        assert parameters["code_challenge_method"] == "S256" and len(parameters["state"]) > 42
        assert "nonce" not in parameters and parameters["scope"] == settings["SIGNIN_SCOPES"]
        assert site.sign_in(browser).status == 303
        session = site.session(browser)
        assert session["subject"].startswith("chat::") and session["email"] == "ada@example.org"
        verified = kind is not NanoIDP or session["email_verified"]
        assert session["email_verified"] == verified
        assert browser.get(f"{site.url}/mail/file").status == (200 if verified else 403)
        assert browser.get(f"{site.url}/staff/file").status == (200 if kind is Idpyoidc else 403)
        profile = browser.get(f"{site.url}/profile")
        assert profile.status == 200 and ('href="https://people.example.org/ada"' in profile.text) == (kind is not NanoIDP)
        assert "linkedin" not in profile.text.lower().replace("linkedin-signin", "")
        assert "jwks" not in site.provider.requests, "no ID token is verified"


@pytest.mark.parametrize("kind, secret", [(PublicIdpyoidc, False), (KeyIdpyoidc, True)])
def test_a_client_without_a_secret_or_with_a_private_key_signs_in(directory, kind, secret):
    key = {"PROVIDER_CLIENT_SECRET_FILE": directory / "provider/client-key.pem"} if secret else {}
    with at_server(directory, kind, PROVIDER_CLIENT_SECRET=None, **key, **OPENID) as site:
        browser = Browser()
        assert site.sign_in(browser).status == 303 and site.session(browser)["name"] == "Ada Lovelace"


def test_p29_the_subject_is_text_or_a_whole_number_and_an_address_is_not_verified_by_other_words(directory):
    settings = {"PROVIDER_SUBJECT_CLAIM": "account.number", "PROVIDER_TRUSTS_EMAIL": "yes", **PLAIN}
    with at_server(directory, Numbered, **settings) as site:
        site.responder.expected_errors.append("event=sign-in-failed")
        browser = Browser()
        assert site.sign_in(browser, "number").status == 303
        session = site.session(browser)
        assert (session["subject"], session["name"]) == ("chat::4711", "Grace Hopper")
        assert browser.get(f"{site.url}/staff/file").status == 200 and browser.get(f"{site.url}/mail/file").status == 200
        browser = Browser()
        assert site.sign_in(browser, "text").status == 303
        assert not site.session(browser)["email_verified"] and browser.get(f"{site.url}/mail/file").status == 403
        for subject in ("flag", "fraction", "large", "zero", "empty", "list", "error", "ada"):
            browser = Browser()
            assert site.sign_in(browser, subject).status == 502, subject
            assert not site.session(browser)["signed_in"]
            assert "reason=resource-malformed" in site.responder.lines_of("sign-in-failed")[-1]


@pytest.mark.parametrize("verified", ["email_verified", None])
def test_addresses_are_untrusted_without_a_setting(directory, verified):
    with at_server(directory, Mock, PROVIDER_EMAIL_VERIFIED_CLAIM=verified, **PLAIN) as site:
        browser = Browser()
        assert site.sign_in(browser).status == 303
        assert site.session(browser)["email_verified"] is False
        page = browser.get(f"{site.url}/mail/file")
        title = "This account has no access" if verified else "Your e-mail address is not confirmed"
        assert page.status == 403 and f"<h1>{title}</h1>" in page.text
        expected = "email-untrusted" if verified else "email-unverified"
        assert f"reason={expected} " in site.responder.lines_of("access-denied")[-1]


def test_a_file_adds_a_server_with_its_own_redirect_address(directory):
    with SeveralSite(directory, {"chat": Mock}, later=["chat"], names={"chat": "Chat"}) as site:
        provider = site.providers["chat"].start()
        site.add("chat", **CLAIMS, **endpoints(provider), **PLAIN)
        site.reload()
        browser = Browser()
        _, parameters = site.begin_at("chat", browser)
        assert parameters["redirect_uri"] == f"{site.url}/oauth/chat"
        assert site.sign_in_at("chat", browser).status == 303
        assert site.session(browser)["subject"] == "chat::ada"
        linkedin = Browser()
        assert site.sign_in_at("linkedin", linkedin).status == 303
        assert not site.session(linkedin)["subject"].startswith("chat::")


def test_doctor_asks_the_endpoints_and_names_the_documentation_of_the_server(directory):
    with at_server(directory, Mock, **PLAIN) as site:
        found = diagnose(site.responder)
        assert not {"endpoint-unexpected", "endpoint-unreachable", "discovery-unavailable"} & set(found.codes), found.text
        site.responder.settings["SIGNIN_USERINFO_ENDPOINT"] = f"{site.provider.issuer}/elsewhere"
        site.responder.write_settings()
        finding = diagnose(site.responder).finding("endpoint-unexpected")
        assert "SIGNIN_USERINFO_ENDPOINT" in finding["subject"]
        assert "documentation of the provider" in str(finding["remedies"]), finding

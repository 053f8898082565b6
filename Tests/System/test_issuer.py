"""Sign-in with an OpenID provider of which the settings have only the issuer, at real providers."""

import json
import re
import signal
import subprocess
from contextlib import contextmanager
from urllib.parse import urlsplit

import pytest

from harness.browser import Browser
from harness.json_server import JSONServer
from harness.process import BINARIES, surroundings, wait_until
from harness.providers import CLIENT, PACKAGES, Idpyoidc, IssuerSite, Mock, PublicIdpyoidc, ShortLivedMock, make_key, running
from harness.site import from_provider
from test_docs import blocks

pytestmark = pytest.mark.skipif(not PACKAGES.exists(), reason="deploy/packages test could not download the providers")
KINDS = [Idpyoidc, Mock]
LOGIN_FAILS = r"event=sign-in-failed .*reason=discovery-unavailable"


@pytest.mark.parametrize("front", ["nginx", "lighttpd"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_member_signs_in_with_pkce_and_a_nonce(directory, kind, front):
    with running(directory, kind, front) as site:
        browser = Browser()
        _, parameters = site.begin(browser)
        assert parameters["code_challenge_method"] == "S256" and len(parameters["code_challenge"]) == 43
        assert len(parameters["nonce"]) == 43 and parameters["scope"] == "openid profile email"
        assert parameters["client_id"] == CLIENT and parameters["redirect_uri"] == f"{site.url}/oauth"
        assert site.sign_in(browser).status == 303
        session = site.session(browser)
        assert session["name"] == "Ada Lovelace"
        assert (session["email"], session["email_verified"]) == ("ada@example.org", False), "the settings do not trust addresses"
        assert re.fullmatch(r"127-0-0-1-[0-9a-f]{8}::\S+", session["subject"]), session
        profile = browser.get(f"{site.url}/profile")
        assert profile.status == 200 and 'href="https://people.example.org/ada"' in profile.text


@pytest.mark.parametrize("kind", KINDS)
def test_pages_name_the_provider_and_not_linkedin(directory, kind):
    with running(directory, kind, settings={"PROVIDER_NAME": "Example Identity"}) as site:
        browser = Browser()
        home = browser.get(f"{site.url}/")
        assert "Example Identity" in home.text
        assert site.sign_in(browser).status == 303
        cancelled, _ = site.begin(browser)
        state = re.search(r"state=([^&]+)", cancelled)[1]
        iss = f"&iss={site.provider.issuer}"
        denied = browser.get(f"{site.url}/oauth?error=access_denied&state={state}{iss}", headers=from_provider())
        out = browser.post(f"{site.url}/logout", headers={"Sec-Fetch-Site": "same-origin"})
        pages = [home, browser.get(f"{site.url}/profile"), denied, out, browser.get(f"{site.url}/?signed_out")]
        for page in pages:
            assert "linkedin" not in page.text.lower().replace("linkedin-signin", ""), page


@pytest.mark.parametrize("kind", KINDS)
def test_new_keys_of_the_provider_are_fetched(directory, kind):
    with running(directory, kind) as site:
        assert site.sign_in(Browser()).status == 303
        site.provider.stop()
        site.provider.start()
        browser = Browser()
        assert site.sign_in(browser).status == 303
        assert site.session(browser)["signed_in"]


def test_a_public_client_signs_in_without_a_secret(directory):
    with running(directory, PublicIdpyoidc, settings={"PROVIDER_CLIENT_SECRET": None}) as site:
        browser = Browser()
        assert site.sign_in(browser).status == 303
        assert site.session(browser)["signed_in"]


@pytest.mark.parametrize("iss", ["", "&iss=https%3A%2F%2Fattacker.example", "&iss={issuer}%2F"])
@pytest.mark.parametrize("outcome", ["code=stolen", "error=access_denied"])
def test_p2_p3_a_callback_without_the_issuer_or_with_another_one_is_rejected(directory, iss, outcome):
    with running(directory, Idpyoidc) as site:
        browser = Browser()
        _, parameters = site.begin(browser)
        query = f"{outcome}&state={parameters['state']}" + iss.format(issuer=site.provider.issuer)
        answer = browser.get(f"{site.url}/oauth?{query}", headers=from_provider())
        assert answer.status == 400 and "reason=callback-issuer" in site.responder.settled_log()
        assert "POST /token" not in site.provider.requests


def test_p5_a_document_of_another_issuer_is_rejected(directory):
    site = IssuerSite(directory, Mock)
    issuer = site.provider.issuer
    site.extra["PROVIDER_ISSUER"] = issuer.replace("127.0.0.1", "localhost") + "/"
    site.provider.start()
    with site:
        site.responder.expected_errors.append(LOGIN_FAILS)
        site.wait_for("discovery-failed")
        assert "reason=discovery-issuer" in site.responder.log
        assert Browser().get(f"{site.url}/login").status == 502


def test_a_start_without_the_document_succeeds_and_later_members_sign_in(directory):
    with IssuerSite(directory, Mock) as site:
        site.responder.expected_errors.append(LOGIN_FAILS)
        site.wait_for("discovery-failed")
        browser = Browser()
        answer = browser.get(f"{site.url}/login")
        assert answer.status == 502 and not [name for name in browser.jar.get("localhost", {}) if "signin" in name]
        assert browser.get(f"{site.url}/").status == 200
        site.provider.start()
        site.wait_for("discovery-read")
        assert site.sign_in(browser).status == 303


def test_with_the_document_on_disk_a_provider_that_is_down_does_not_matter(directory):
    with running(directory, Mock) as site:
        browser = Browser()
        assert site.sign_in(browser).status == 303
        kept = list(site.responder.state.glob("provider-*.json"))
        assert len(kept) == 1 and json.loads(kept[0].read_text())["issuer"] == site.provider.issuer
        site.provider.stop()
        site.responder.stop()
        site.responder.start()
        site.wait_for("discovery-failed")
        address, _ = site.begin(Browser())
        assert urlsplit(address).netloc == urlsplit(site.provider.issuer).netloc
        assert site.session(browser)["signed_in"]
        site.provider.start()
        assert site.sign_in(Browser()).status == 303


def test_a_reload_fetches_the_document_again_and_a_changed_one_is_used(directory):
    with changing(directory) as (site, document):
        address, _ = site.begin(Browser())
        assert urlsplit(address).path == "/first"
        document["authorization_endpoint"] = f"{site.provider.issuer}/second"
        site.responder.process.child.send_signal(signal.SIGHUP)
        site.wait_for("discovery-read", 2)
        address, _ = site.begin(Browser())
        assert urlsplit(address).path == "/second"
        document["issuer"] = "https://attacker.example"
        site.responder.process.child.send_signal(signal.SIGHUP)
        site.wait_for("discovery-failed")
        assert urlsplit(site.begin(Browser())[0]).path == "/second"


def test_the_id_of_an_issuer_is_not_given_to_another_one(directory):
    with running(directory, Mock, settings={"PROVIDER_ID": "own"}) as site:
        assert site.sign_in(Browser()).status == 303
        kept = site.responder.state / "provider-own.json"
        site.responder.settings["PROVIDER_ISSUER"] = site.provider.issuer + "/other"
        site.responder.write_settings()
        site.responder.expected_errors.append("event=reload-refused")
        site.responder.process.child.send_signal(signal.SIGHUP)
        site.wait_for("reload-refused")
        assert f"store adopt --provider own --from {site.provider.issuer} --settings-file" in site.responder.log
        kept.unlink()
        site.responder.process.child.send_signal(signal.SIGHUP)
        site.wait_for("reloaded")


@pytest.mark.parametrize("block", blocks("docs/providers.md", "ini"))
def test_the_settings_of_the_page_are_valid(directory, block):
    settings = directory / "settings"
    lines = {"SIGNIN_BASE_URL": "https://example.com", "SIGNIN_STATE_DIRECTORY": f"{directory}/state"}
    lines |= dict(line.split("=", 1) for line in block.splitlines())
    settings.write_text("".join(f"{name}={value}\n" for name, value in lines.items()))
    command = [BINARIES / "linkedin-signin", "check", "--settings-file", settings]
    # Apple's client secret is a private key.
    secret = make_key(directory / "key.p8").read_text() if "PROVIDER_TEAM_ID" in lines else "demo-secret"
    environment = {**surroundings(), "PROVIDER_CLIENT_SECRET": secret}
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    assert f"register this redirect URL at {lines['PROVIDER_NAME']}: https://example.com/oauth" in done.stdout
    notes = [line for line in done.stdout.splitlines() if line.startswith("note:")]
    assert not [note for note in notes if "LinkedIn" in note], notes


@contextmanager
def changing(directory):
    """A site at a provider that has only a discovery document, which the test changes."""
    site = IssuerSite(directory, Mock)
    issuer = site.provider.issuer
    document = {"issuer": issuer, "authorization_endpoint": f"{issuer}/first", "token_endpoint": f"{issuer}/token", "jwks_uri": f"{issuer}/keys"}

    with JSONServer(lambda *_: document, site.provider.port), site:
        site.wait_for("discovery-read")
        yield site, document


def test_an_ended_access_token_is_renewed(directory):
    with running(directory, ShortLivedMock, settings={"SIGNIN_PROFILE_CACHE": "0"}) as site:
        browser = Browser()
        assert site.sign_in(browser).status == 303

        def is_renewed():
            profile = browser.get(f"{site.url}/profile")
            assert profile.status == 200, profile
            return "event=tokens-renewed" in site.responder.log

        wait_until(is_renewed, "the renewal")

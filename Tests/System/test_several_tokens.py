"""Tokens of several providers: each token goes only to the provider that issued it."""

import base64
import hashlib
import secrets
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest

from harness.browser import NAVIGATION, Browser
from harness.json_server import JSONServer
from harness.process import wait_until
from harness.providers import CLIENT, PACKAGES, SECRET, NanoIDP
from harness.several import several
from harness.tokens import access_token as linkedin_token
from harness.tokens import cookie_in, sessions

pytestmark = pytest.mark.skipif(not (PACKAGES / "nanoidp").exists(), reason="deploy/packages test could not download nanoidp")
OFFLINE = {"SIGNIN_SCOPES": "openid profile email offline_access"}
BASIC = {"Authorization": "Basic " + base64.b64encode(f"{CLIENT}:{SECRET}".encode()).decode()}


def post(provider, path, **fields):
    return Browser().post(provider.issuer + path, fields, {**NAVIGATION, **BASIC, "Accept": "application/json"}).json


def knows(provider, token):
    return post(provider, "/introspect", token=token)["active"]


def access_token(provider):
    """Signs the member in at a provider, without the program."""
    verifier = secrets.token_urlsafe(32)
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")
    query = {"client_id": CLIENT, "redirect_uri": provider.redirect, "response_type": "code", "scope": "openid profile email"}
    query |= {"code_challenge": challenge, "code_challenge_method": "S256", "state": "a"}
    callback = provider.consent(f"{provider.issuer}/authorize?{urlencode(query)}")
    code = parse_qs(urlsplit(callback).query)["code"][0]
    granted = {"grant_type": "authorization_code", "code": code, "redirect_uri": provider.redirect, "code_verifier": verifier}
    return post(provider, "/token", **granted)["access_token"]


def send(site, token, query="", browser=None):
    headers = {"Authorization": f"Bearer {token}", "Accept": "application/json"}
    return (browser or Browser()).request("POST", f"{site.url}/session{query}", headers, b"")


@pytest.fixture
def site(directory):
    settings = {"SIGNIN_TOKEN_SESSIONS": "yes"}
    with several(directory, {"nano": NanoIDP, "twin": NanoIDP}, settings=settings, guard=["--token-sessions"]) as site:
        yield site


def test_signing_out_revokes_the_tokens_of_the_session_at_its_own_provider(site):
    calls = {"nano": [], "twin": []}

    def record(name):
        return JSONServer(lambda handler, body: calls[name].append((handler.headers["Authorization"], parse_qs(body)["token"][0])))

    with record("nano") as nano, record("twin") as twin:
        for name, server in (("nano", nano), ("twin", twin)):
            site.add(name, SIGNIN_REVOCATION_ENDPOINT=f"http://127.0.0.1:{server.port}/revoke", **OFFLINE)
        site.simulator.settings(refresh_tokens=True)
        site.responder.settings["SIGNIN_REVOCATION_ENDPOINT"] = f"{site.simulator.url}/oauth/v2/revoke"
        site.responder.write_settings()
        site.reload()
        browsers = {name: Browser() for name in ("linkedin", "nano", "twin")}
        for name, browser in browsers.items():
            assert site.sign_in_at(name, browser).status == 303
        assert site.sign_out(browsers["nano"]).status == 303
        wait_until(lambda: len(calls["nano"]) == 2, "both revocations at the provider of the session")
        providers = site.providers
        assert {name for name, _ in calls["nano"]} == {BASIC["Authorization"]}
        assert all(knows(providers["nano"], token) and not knows(providers["twin"], token) for _, token in calls["nano"])
        assert not calls["twin"] and not site.simulator.count("revocation")
        assert site.sign_out(browsers["linkedin"]).status == 303
        site.simulator.requests("revocation", at_least=2)
        assert all(token["revoked"] for token in site.simulator.issued())
        wait_until(lambda: len(site.responder.lines_so_far("tokens-revoked")) == 2, "the lines about both sign-outs")
        assert len(calls["nano"]) == 2 and not calls["twin"] and site.session(browsers["twin"])["signed_in"]


def test_an_app_names_the_provider_of_its_token(site):
    site.responder.expected_errors.append("event=token-refused")
    app = Browser()
    answer = send(site, access_token(site.providers["nano"]), "?provider=nano", app)
    assert (answer.status, answer.json["subject"]) == (200, "nano::ada"), answer
    assert site.session(app)["subject"] == "nano::ada"
    (line,) = site.responder.lines_of("signed-in")
    assert " provider=nano " in line and " by=token" in line, line
    # The token of another provider, and a token without the name of its provider.
    for query, asked in (("?provider=twin", "twin"), ("", "linkedin")):
        answer = send(site, access_token(site.providers["nano"]), query)
        assert (answer.status, answer.json["error"]) == (401, "invalid_token") and not answer.set_cookies, answer
        assert f" provider={asked}" in site.responder.lines_of("token-refused")[-1]
    assert send(site, linkedin_token(site)).status == 200
    before = site.providers["nano"].requests
    answer = send(site, access_token(site.providers["twin"]), "?provider=other")
    assert answer.status == 404 and not answer.set_cookies
    assert site.providers["nano"].requests == before


def test_the_import_names_the_provider_of_the_token(site):
    done = sessions(site.responder, "import", "--provider", "nano", text=access_token(site.providers["nano"]))
    assert done.returncode == 0 and "imported a session of subject nano::ada" in done.stderr, done.stderr
    answer = Browser().get(f"{site.url}/session", {"Accept": "application/json", "Sec-Fetch-Site": "same-origin", **cookie_in(done.stdout)})
    assert answer.json["subject"] == "nano::ada"
    for provider in ("twin", "linkedin"):
        done = sessions(site.responder, "import", "--provider", provider, text=access_token(site.providers["nano"]))
        assert done.returncode == 65 and not done.stdout and "access-token-inactive" in done.stderr, done.stderr
    done = sessions(site.responder, "import", "--provider", "other", text=access_token(site.providers["nano"]))
    assert done.returncode == 78 and "--provider: the site has the providers linkedin, nano, twin" in done.stderr
    assert len(site.responder.sessions()) == 1

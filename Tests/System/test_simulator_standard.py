"""With --oidc the simulator is a standard OpenID provider."""

import base64
import hashlib
import urllib.parse

import pytest

import id_token
from simulator import Simulator, query_of

pytestmark = pytest.mark.nightly

VERIFIER = "dBjftJeZ4CVP-mBJ92K27uhbUJU1p1r_wW1gFWFOEjXk"
# RFC 7636, appendix B.
CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
RFC_VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
PKCE = {"code_challenge": CHALLENGE, "code_challenge_method": "S256"}


@pytest.fixture(scope="module")
def provider():
    with Simulator("--oidc", client_id="a client", client_secret="s:e%c+r é") as simulator:
        yield simulator


def basic(provider, secret=None):
    halves = [urllib.parse.quote_plus(half) for half in [provider.client_id, secret or provider.client_secret]]
    return {"Authorization": "Basic " + base64.b64encode(":".join(halves).encode()).decode()}


def exchange(provider, code, verifier=RFC_VERIFIER, **more):
    return provider.exchange(code, code_verifier=verifier, **more)


def test_a_sign_in_is_complete(provider):
    location = provider.decide(provider.authorization_url(nonce="a-nonce", **PKCE), member=3)
    answer = query_of(location)
    assert (answer["state"], answer["iss"]) == ("a-state", f"{provider.url}/oauth")
    reply = exchange(provider, answer["code"], headers=basic(provider), client_id=None, client_secret=None)
    assert reply.status == 200
    assert (reply.json["token_type"], reply.json["scope"]) == ("Bearer", "email openid profile")
    claims = id_token.claims(reply.json["id_token"])
    assert (claims["nonce"], claims["email_verified"], claims["aud"]) == ("a-nonce", True, "a client")
    digest = hashlib.sha256(reply.json["access_token"].encode()).digest()[:16]
    assert id_token.base64url(claims["at_hash"]) == digest
    assert "zip" not in id_token.header(reply.json["id_token"])
    profile = provider.get("/v2/userinfo", token=reply.json["access_token"]).json
    assert profile["locale"] == "en-GB"
    assert provider.get(profile["profile"]).status == 200


@pytest.mark.parametrize(
    "changes",
    [
        {"code_challenge": None},
        {"code_challenge_method": None},
        {"code_challenge_method": "plain"},
        {"code_challenge": "short"},
    ],
)
def test_the_challenge_is_required(provider, changes):
    location = provider.get(provider.authorization_url(**{**PKCE, **changes})).headers["location"]
    assert query_of(location)["error"] == "invalid_request"
    assert "iss" in query_of(location)


@pytest.mark.parametrize("verifier", [None, "", VERIFIER, RFC_VERIFIER + "A", "x" * 129])
def test_the_verifier_must_belong_to_the_challenge(provider, verifier):
    reply = exchange(provider, provider.code(**PKCE), verifier=verifier)
    assert (reply.status, reply.json["error"]) == (400, "invalid_grant")


def test_a_self_made_challenge_is_accepted(provider):
    verifier = "-._~" * 11
    digest = hashlib.sha256(verifier.encode()).digest()
    challenge = base64.urlsafe_b64encode(digest).decode().rstrip("=")
    code = provider.code(code_challenge=challenge, code_challenge_method="S256")
    assert exchange(provider, code, verifier=verifier).status == 200


def test_a_wrong_secret_gets_a_challenge(provider):
    headers = basic(provider, secret="wrong")
    reply = exchange(provider, provider.code(**PKCE), headers=headers, client_id=None, client_secret=None)
    assert (reply.status, reply.json["error"]) == (401, "invalid_client")
    assert reply.headers["www-authenticate"].startswith("Basic")


def test_errors_follow_the_specification(provider):
    assert exchange(provider, "unknown").json["error"] == "invalid_grant"
    refused = query_of(provider.decide(provider.authorization_url(**PKCE), decision="cancel"))
    assert refused["error"] == "access_denied"
    location = provider.get(provider.authorization_url(scope="openid nonsense", **PKCE)).headers["location"]
    assert query_of(location)["error"] == "invalid_scope"
    reply = provider.get("/v2/userinfo", token="nonsense")
    assert (reply.status, reply.headers["www-authenticate"]) == (401, 'Bearer error="invalid_token"')


def test_discovery_describes_the_standard_provider(provider):
    document = provider.get("/oauth/.well-known/openid-configuration").json
    assert document["token_endpoint_auth_methods_supported"] == ["client_secret_basic", "client_secret_post"]
    assert document["code_challenge_methods_supported"] == ["S256"]
    assert document["authorization_response_iss_parameter_supported"] is True
    key = provider.get("/oauth/openid/jwks").json["keys"][0]
    assert (key["use"], key["alg"]) == ("sig", "RS256")


def test_the_standard_mode_can_be_switched(provider):
    provider.settings(oidc=False)
    try:
        answer = provider.tokens()
    finally:
        provider.settings(oidc="true")
    assert "token_type" not in answer
    assert exchange(provider, provider.code(**PKCE)).json["token_type"] == "Bearer"

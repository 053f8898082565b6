"""Faults of JSON, ID tokens and key sets."""

import hashlib
import hmac
import json
import time

import pytest

import id_token

pytestmark = pytest.mark.nightly

JWKS = "/oauth/openid/jwks"
VERSION = {"LinkedIn-Version": "202510.03"}


# In the JSON


def test_a_json_array_can_replace_an_object(linkedin):
    linkedin.fault("jwks", "json-array", count=1)
    assert set(linkedin.get(JWKS).json[0]) == {"keys"}


def test_json_can_be_deeply_nested(linkedin):
    linkedin.fault("jwks", "deep", count=1)
    body = linkedin.get(JWKS).body
    assert body.startswith(b'{"keys":')
    assert b"[" * 100000 + b"]" * 100000 in body


def test_json_can_repeat_a_key(linkedin):
    code = linkedin.code()
    linkedin.fault("token", "duplicate-keys", count=1)
    pairs = json.loads(linkedin.exchange(code).body, object_pairs_hook=list)
    tokens = [value for name, value in pairs if name == "access_token"]
    assert tokens[0].startswith("AQ")
    assert tokens[1] == "duplicate"


def test_members_of_the_token_response_can_be_changed(linkedin):
    answers = {}
    for fault in ["no-id-token", "missing-access-token", "mac-token-type", "absurd-expires-in"]:
        linkedin.fault("token", fault, count=1)
        answers[fault] = linkedin.tokens()
    assert "id_token" not in answers["no-id-token"]
    assert "access_token" not in answers["missing-access-token"]
    assert "id_token" in answers["missing-access-token"]
    assert answers["mac-token-type"]["token_type"] == "mac"
    assert answers["absurd-expires-in"]["expires_in"] == 1e300


def test_another_subject_can_be_returned(linkedin):
    tokens = linkedin.tokens()
    linkedin.fault("userinfo", "other-sub", count=1)
    claims = linkedin.get("/v2/userinfo", token=tokens["access_token"]).json
    assert claims["name"] == "Maya Lindqvist"
    assert claims["sub"] not in ["", id_token.claims(tokens["id_token"])["sub"]]


def test_names_can_contain_markup_and_script(linkedin):
    for endpoint in ["token", "userinfo", "identityMe", "me"]:
        linkedin.fault(endpoint, "xss")
    tokens = linkedin.tokens(scope="openid profile email r_profile_basicinfo r_basicprofile")
    token = tokens["access_token"]
    assert "<script>" in id_token.claims(tokens["id_token"])["name"]
    claims = linkedin.get("/v2/userinfo", token=token).json
    assert "<script>" in claims["name"]
    assert claims["picture"].startswith("javascript:")
    info = linkedin.get("/rest/identityMe", token=token, headers=VERSION).json["basicInfo"]
    assert "<script>" in info["firstName"]["localized"]["en_US"]
    assert info["profilePicture"]["croppedImage"]["downloadUrl"].startswith("javascript:")
    assert "<script>" in linkedin.get("/v2/me", token=token).json["localizedLastName"]


def test_links_can_be_hostile(linkedin):
    linkedin.settings(v1=True)
    for endpoint in ["userinfo", "identityMe", "me", "v1"]:
        linkedin.fault(endpoint, "evil-link")
    token = linkedin.tokens(scope="openid profile r_profile_basicinfo r_basicprofile")["access_token"]
    assert linkedin.get("/v2/userinfo", token=token).json["profile"].startswith("javascript:")
    info = linkedin.get("/rest/identityMe", token=token, headers=VERSION).json["basicInfo"]
    assert info["profileUrl"].startswith("javascript:")
    assert linkedin.get("/v2/me", token=token).json["vanityName"].startswith("../../")
    assert linkedin.get("/v1/people/~:(public-profile-url)?format=json", token=token).json["publicProfileUrl"].startswith("java")
    linkedin.settings(v1=False)


# In the ID token


def spoiled(linkedin, fault, **options):
    """An ID token with a fault, and the published key."""
    linkedin.fault("token", fault, count=1, **options)
    return linkedin.tokens()["id_token"], linkedin.get(JWKS).json["keys"][0]


def test_a_signature_that_does_not_fit(linkedin):
    token, key = spoiled(linkedin, "wrong-signature")
    assert not id_token.verifies(token, key)
    assert id_token.header(token)["kid"] == key["kid"]
    assert len(id_token.base64url(token.split(".")[2])) == 256


@pytest.mark.parametrize(
    ("fault", "claim", "value"),
    [
        ("wrong-aud", "aud", "another-client"),
        ("wrong-iss", "iss", "https://issuer.example"),
        ("wrong-nonce", "nonce", "another-nonce"),
        ("no-iat", "iat", None),
        ("no-sub", "sub", None),
    ],
)
def test_a_wrong_claim_is_signed(linkedin, fault, claim, value):
    token, key = spoiled(linkedin, fault)
    assert id_token.claims(token).get(claim) == value
    assert id_token.verifies(token, key)


def test_times_can_be_past_or_future(linkedin):
    now = time.time()
    token, key = spoiled(linkedin, "expired")
    assert id_token.claims(token)["exp"] < now - 3600
    assert id_token.verifies(token, key)
    token, key = spoiled(linkedin, "not-yet")
    assert id_token.claims(token)["nbf"] == id_token.claims(token)["iat"] > now + 3600
    assert id_token.verifies(token, key)


def test_any_claim_can_be_set(linkedin):
    token, key = spoiled(linkedin, "claims", claims={"exp": "soon", "aud": ["a", "b"], "email": None, "azp": 1.5})
    claims = id_token.claims(token)
    assert (claims["exp"], claims["aud"], claims["azp"]) == ("soon", ["a", "b"], 1.5)
    assert "email" not in claims
    assert id_token.verifies(token, key)


def test_a_token_can_have_no_signature(linkedin):
    token, _ = spoiled(linkedin, "alg-none")
    assert id_token.header(token)["alg"] == "none"
    assert token.endswith(".")


def test_a_token_can_be_signed_with_the_public_key_as_secret(linkedin):
    token, key = spoiled(linkedin, "alg-hs256")
    assert id_token.header(token)["alg"] == "HS256"
    signed, _, signature = token.rpartition(".")
    secrets = [id_token.pem(key), id_token.pem(key).strip()]
    digests = [hmac.new(secret.encode(), signed.encode(), hashlib.sha256).digest() for secret in secrets]
    assert id_token.base64url(signature) in digests


def test_key_names_can_be_changed(linkedin):
    token, key = spoiled(linkedin, "unknown-kid")
    assert id_token.header(token)["kid"] != key["kid"]
    assert id_token.verifies(token, key)
    token, key = spoiled(linkedin, "no-kid")
    assert "kid" not in id_token.header(token)
    assert id_token.verifies(token, key)


# In the key set


def test_key_sets_can_be_broken(linkedin):
    [right] = linkedin.get(JWKS).json["keys"]
    sets = {}
    for fault in ["other-key", "broken-key", "many-keys"]:
        linkedin.fault("jwks", fault, count=1)
        sets[fault] = linkedin.get(JWKS).json["keys"]
    assert [key["kid"] for key in sets["other-key"]] == [right["kid"]]
    assert sets["other-key"][0]["n"] != right["n"]
    assert sets["broken-key"][-1] == right
    assert {"kty": "RSA", "kid": "broken", "e": "AQAB", "n": "!"} in sets["broken-key"]
    assert len({key["kid"] for key in sets["many-keys"]}) == 10001

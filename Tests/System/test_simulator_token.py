"""The simulator's token endpoint answers as LinkedIn's does."""

import re
import time
import urllib.parse

import pytest

import id_token
from simulator import Simulator

pytestmark = pytest.mark.nightly


def test_the_token_response_has_linkedins_shape(linkedin):
    answer = linkedin.tokens(scope="profile openid email")
    assert list(answer) == ["access_token", "expires_in", "scope", "id_token"]
    assert answer["expires_in"] == 5184000
    assert answer["scope"] == "email,openid,profile"
    assert len(answer["access_token"]) > 350


def test_a_sign_in_without_openid_has_no_id_token(linkedin):
    assert list(linkedin.tokens(scope="r_basicprofile")) == ["access_token", "expires_in", "scope"]


def test_the_id_token_has_linkedins_shape(linkedin):
    token = linkedin.tokens()["id_token"]
    key = linkedin.get("/oauth/openid/jwks").json["keys"][0]
    assert id_token.header(token) == {"alg": "RS256", "typ": "JWT", "kid": key["kid"], "zip": "RS256"}
    claims = id_token.claims(token)
    assert claims == {
        "iss": f"{linkedin.url}/oauth",
        "aud": linkedin.client_id,
        "iat": claims["iat"],
        "exp": claims["iat"] + 3600,
        "sub": claims["sub"],
        "name": "Maya Lindqvist",
        "given_name": "Maya",
        "family_name": "Lindqvist",
        "picture": claims["picture"],
        "email": "maya.lindqvist@example.com",
        "email_verified": "true",
        "locale": "en_US",
    }
    assert abs(claims["iat"] - time.time()) < 5
    assert re.fullmatch("[A-Za-z0-9_-]{10}", claims["sub"])


def test_the_id_token_is_signed_with_the_published_key(linkedin):
    key = linkedin.get("/oauth/openid/jwks").json["keys"][0]
    assert set(key) == {"kty", "e", "kid", "n"}
    assert len(id_token.base64url(key["n"])) == 256
    token = linkedin.tokens()["id_token"]
    assert id_token.verifies(token, key)
    assert not id_token.verifies(token.replace(".", ".A", 1), key)


def test_a_rotated_key_signs_the_next_tokens(linkedin):
    old = linkedin.get("/oauth/openid/jwks").json["keys"][0]
    identifier = linkedin.rotate_key()
    new = linkedin.get("/oauth/openid/jwks").json["keys"][0]
    assert new["kid"] == identifier != old["kid"]
    token = linkedin.tokens()["id_token"]
    assert id_token.header(token)["kid"] == identifier
    assert id_token.verifies(token, new)
    assert not id_token.verifies(token, old)


def test_another_application_sees_another_subject(linkedin):
    with Simulator(client_id="another-client") as other:
        subjects = [id_token.claims(simulator.tokens()["id_token"])["sub"] for simulator in [linkedin, other]]
    assert subjects[0] != subjects[1]


MISMATCH = (
    "Unable to retrieve access token: appid/redirect uri/code verifier does not match authorization code. "
    "Or authorization code expired. Or external member binding exists"
)


@pytest.mark.parametrize(
    ("changes", "status", "error", "description"),
    [
        ({"grant_type": None}, 400, "invalid_request", 'A required parameter "grant_type" is missing'),
        ({"client_id": None}, 400, "invalid_request", 'A required parameter "client_id" is missing'),
        ({"client_secret": None}, 400, "invalid_request", 'A required parameter "client_secret" is missing'),
        ({"code": ""}, 400, "invalid_request", 'A required parameter "code" is missing'),
        ({"redirect_uri": None}, 400, "invalid_request", 'A required parameter "redirect_uri" is missing'),
        ({"client_id": "x"}, 401, "invalid_client_id", 'The passed in client_id is invalid "x"'),
        ({"client_secret": "x"}, 401, "invalid_client", "Client authentication failed"),
        ({"code_verifier": "x" * 43}, 401, "invalid_client", "Client authentication failed"),
        ({"redirect_uri": "http://127.0.0.1:8080/oauth/"}, 400, "invalid_redirect_uri", MISMATCH),
        (
            {"code": "unknown"},
            401,
            "invalid_request",
            "Unable to retrieve access token: authorization code not found",
        ),
        ({"grant_type": "password"}, 400, "unsupported_grant_type", "The authorization grant type is not supported"),
    ],
)
def test_a_wrong_token_request_gets_linkedins_error_text(linkedin, changes, status, error, description):
    reply = linkedin.exchange(**{"code": linkedin.code(), **changes})
    assert (reply.status, reply.json) == (status, {"error": error, "error_description": description})


def test_http_basic_gets_the_error_of_a_missing_client_id(linkedin):
    basic = {"Authorization": "Basic c2ltdWxhdGVkLWNsaWVudDpzaW11bGF0ZWQtc2VjcmV0"}
    reply = linkedin.exchange(linkedin.code(), headers=basic, client_id=None, client_secret=None)
    assert reply.json["error_description"] == 'A required parameter "client_id" is missing'


def test_parameters_outside_of_the_form_do_not_count(linkedin):
    form = {"grant_type": "authorization_code", "code": linkedin.code()}
    reply = linkedin.request("POST", "/oauth/v2/accessToken?" + urllib.parse.urlencode(form))
    assert reply.json["error_description"] == 'A required parameter "grant_type" is missing'
    reply = linkedin.request("POST", "/oauth/v2/accessToken", form=form, headers={"Content-Type": "text/plain"})
    assert reply.json["error_description"] == 'A required parameter "grant_type" is missing'


def test_a_code_works_once(linkedin):
    code = linkedin.code()
    assert linkedin.exchange(code).status == 200
    assert linkedin.exchange(code).json["error_description"].endswith("authorization code not found")


def test_a_code_expires(linkedin):
    linkedin.settings(code_lifetime=0)
    try:
        assert linkedin.exchange(linkedin.code()).json["error"] == "invalid_redirect_uri"
    finally:
        linkedin.settings(code_lifetime=1800)


def test_a_token_request_by_get_is_rejected(linkedin):
    reply = linkedin.get("/oauth/v2/accessToken?grant_type=authorization_code")
    assert (reply.status, reply.headers["allow"]) == (405, "POST")


def test_refreshing_is_for_approved_applications(linkedin):
    refresh = {"grant_type": "refresh_token", "code": None, "redirect_uri": None, "refresh_token": "x"}
    assert linkedin.exchange(**refresh).json["error_description"] == "Refresh token not allowed"
    linkedin.settings(refresh_tokens=True)
    try:
        first = linkedin.tokens()
        second = linkedin.exchange(**{**refresh, "refresh_token": first["refresh_token"]}).json
        invalid = linkedin.exchange(**refresh)
    finally:
        linkedin.settings(refresh_tokens=False)
    assert second["refresh_token"] == first["refresh_token"]
    assert second["access_token"] != first["access_token"]
    assert 0 < second["refresh_token_expires_in"] <= first["refresh_token_expires_in"] == 31536000
    assert (invalid.status, invalid.json["error"]) == (400, "invalid_request")


def test_the_key_can_be_as_large_as_linkedins(linkedin):
    linkedin.settings(key_bits=4096)
    try:
        linkedin.rotate_key()
        key = linkedin.get("/oauth/openid/jwks").json["keys"][0]
        signature = linkedin.tokens()["id_token"].rpartition(".")[2]
    finally:
        linkedin.settings(key_bits=2048)
        linkedin.rotate_key()
    assert len(key["n"]) == len(signature) == 683, "512 bytes"

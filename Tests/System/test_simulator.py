"""The simulator answers as LinkedIn does."""

import html
import re
import signal
import subprocess
import time
import urllib.parse

import pytest

import id_token
from simulator import BINARY, Simulator, query_of


@pytest.fixture(scope="module")
def running():
    with Simulator() as simulator:
        yield simulator


@pytest.fixture
def linkedin(running):
    running.clear_faults()
    running.clear_requests()
    return running


# The command


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_with_status_0(number):
    with Simulator() as simulator:
        simulator.process.send_signal(number)
        assert simulator.process.wait(timeout=5) == 0


def test_it_listens_in_well_under_a_second():
    start = time.monotonic()
    with Simulator():
        assert time.monotonic() - start < 1


def test_a_port_that_is_taken_is_an_error(linkedin):
    port = linkedin.url.rpartition(":")[2]
    run = subprocess.run([BINARY, "--port", port], capture_output=True, text=True, timeout=5)
    assert run.returncode != 0
    assert "listening" not in run.stdout
    assert run.stderr.startswith("Error:")


def test_help_names_every_path_of_the_journal():
    run = subprocess.run([BINARY, "--help"], capture_output=True, text=True, timeout=5)
    for path in ["/oauth/v2/authorization", "/rest/identityMe", "/control/faults", "decision", "wrong-signature"]:
        assert path in run.stdout


def test_quiet_says_nothing_about_requests():
    with Simulator("--quiet") as quiet, Simulator() as talkative:
        for simulator in [quiet, talkative]:
            simulator.get("/oauth/openid/jwks")
        assert "jwks" in talkative.messages()
        assert quiet.messages() == ""


# Authorization


@pytest.mark.parametrize("changes", [{"client_id": "another"}, {"client_id": None}, {"redirect_uri": None}])
def test_an_unknown_application_gets_a_page_and_no_redirect(linkedin, changes):
    reply = linkedin.get(linkedin.authorization_url(**changes))
    assert reply.status == 400
    assert "Bummer, something went wrong" in reply.text
    assert "location" not in reply.headers


@pytest.mark.parametrize("change", ["/", "?", "/../oauth", "%20"])
def test_the_redirect_uri_is_compared_exactly(linkedin, change):
    reply = linkedin.get(linkedin.authorization_url(redirect_uri=linkedin.redirect_uri + change))
    assert reply.status == 400
    assert "redirect_uri does not match" in reply.text


@pytest.mark.parametrize(
    ("scope", "error"),
    [
        ("r_liteprofile", "unauthorized_scope_error"),
        ("openid nonsense", "invalid_scope_error"),
        ("openid", "openid_insufficient_scope_error"),
        (None, "invalid_request"),
    ],
)
def test_a_wrong_scope_goes_back_to_the_application(linkedin, scope, error):
    location = linkedin.get(linkedin.authorization_url(scope=scope)).headers["location"]
    assert location.startswith(linkedin.redirect_uri + "?")
    answer = query_of(location)
    assert answer["error"] == error
    assert answer["state"] == "a-state"
    assert "code" not in answer


def test_a_refused_scope_is_described_with_html_entities(linkedin):
    location = linkedin.get(linkedin.authorization_url(scope="r_liteprofile")).headers["location"]
    assert "error_description=Scope+%26quot%3Br_liteprofile%26quot%3B+is+not+authorized+for+your+application" in location


def test_another_response_type_goes_back_to_the_application(linkedin):
    location = linkedin.get(linkedin.authorization_url(response_type="token")).headers["location"]
    assert query_of(location)["error"] == "unsupported_response_type"


def test_the_consent_page_offers_every_member_and_runs_nothing(linkedin):
    reply = linkedin.get(linkedin.authorization_url())
    assert reply.status == 200
    assert len(re.findall('<input type="radio" name="member"', reply.text)) == 7
    for name in ["Maya Lindqvist", "伟 张", "Zoë 🚀 O’Connor-Núñez 👩🏽‍🔬", "Teguh", "Олена Коваленко", "محمد الفارسي"]:
        assert f"<bdi>{name}</bdi>" in reply.text
    assert html.escape("<script>alert(2)</script>") in reply.text
    assert "<script" not in reply.text
    assert not re.search(r'(src|href|action)="(?!/dms/)', reply.text)
    assert "default-src 'none'" in reply.headers["content-security-policy"]


@pytest.mark.parametrize(
    ("decision", "error"),
    [
        ("cancel", ("user_cancelled_login", "The user cancelled LinkedIn login")),
        ("deny", ("user_cancelled_authorize", "The user cancelled the authorization")),
    ],
)
def test_a_member_may_refuse(linkedin, decision, error):
    answer = query_of(linkedin.decide(linkedin.authorization_url(), decision=decision))
    assert answer == {"error": error[0], "error_description": error[1], "state": "a-state"}


def test_a_member_may_consent_without_being_asked(linkedin):
    linkedin.settings(consenting_member=3)
    try:
        code = query_of(linkedin.get(linkedin.authorization_url()).headers["location"])["code"]
    finally:
        linkedin.settings(consenting_member=0)
    assert id_token.claims(linkedin.exchange(code).json["id_token"])["given_name"] == "Zoë 🚀"


def test_a_sign_in_without_state_has_none_in_the_answer(linkedin):
    assert set(query_of(linkedin.decide(linkedin.authorization_url(state=None)))) == {"code"}


# The token endpoint


def test_the_token_answer_has_the_shape_of_linkedin_s(linkedin):
    answer = linkedin.tokens(scope="profile openid email")
    assert list(answer) == ["access_token", "expires_in", "scope", "id_token"]
    assert answer["expires_in"] == 5184000
    assert answer["scope"] == "email,openid,profile"
    assert len(answer["access_token"]) > 350


def test_a_sign_in_without_openid_has_no_id_token(linkedin):
    assert list(linkedin.tokens(scope="r_basicprofile")) == ["access_token", "expires_in", "scope"]


def test_the_id_token_has_the_shape_of_linkedin_s(linkedin):
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


def test_a_rotated_key_signs_what_follows(linkedin):
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
def test_a_wrong_token_request_gets_linkedin_s_words(linkedin, changes, status, error, description):
    reply = linkedin.exchange(**{"code": linkedin.code(), **changes})
    assert (reply.status, reply.json) == (status, {"error": error, "error_description": description})


def test_a_client_that_uses_http_basic_is_told_that_its_identifier_is_missing(linkedin):
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


def test_a_token_request_by_get_is_refused(linkedin):
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

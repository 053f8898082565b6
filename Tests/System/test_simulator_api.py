"""The simulator's API answers as LinkedIn's does."""

import urllib.parse

import pytest

import id_token
from simulator import Simulator

pytestmark = pytest.mark.nightly

VERSION = {"LinkedIn-Version": "202510.03"}
V1 = "/v1/people/~:(public-profile-url)?format=json"


@pytest.fixture(scope="module")
def linkedin():
    with Simulator() as simulator:
        yield simulator


@pytest.fixture(scope="module")
def token(linkedin):
    return linkedin.tokens(scope="openid profile email r_profile_basicinfo")["access_token"]


@pytest.fixture(scope="module")
def basic_profile(linkedin):
    return linkedin.tokens(member=3, scope="r_basicprofile")["access_token"]


# UserInfo


def test_userinfo_has_linkedins_shape(linkedin):
    tokens = linkedin.tokens()
    claims = linkedin.get("/v2/userinfo", token=tokens["access_token"]).json
    assert claims.pop("picture").startswith(linkedin.url + "/dms/image/")
    assert claims == {
        "sub": id_token.claims(tokens["id_token"])["sub"],
        "email_verified": True,
        "email": "maya.lindqvist@example.com",
        "name": "Maya Lindqvist",
        "locale": {"country": "US", "language": "en"},
        "given_name": "Maya",
        "family_name": "Lindqvist",
    }


def test_claims_follow_the_scopes(linkedin):
    answer = linkedin.tokens(scope="openid email")
    assert set(linkedin.get("/v2/userinfo", token=answer["access_token"]).json) == {"sub", "email", "email_verified"}
    assert "name" not in id_token.claims(answer["id_token"])
    assert "email" in id_token.claims(answer["id_token"])


def test_members_differ_in_what_they_have(linkedin):
    claims = [linkedin.get("/v2/userinfo", token=linkedin.tokens(member)["access_token"]).json for member in range(1, 8)]
    assert len({member["sub"] for member in claims}) == 7
    assert [number for number, member in enumerate(claims, 1) if "picture" not in member] == [4, 7]
    assert [number for number, member in enumerate(claims, 1) if "email" not in member] == [5]
    assert [number for number, member in enumerate(claims, 1) if member.get("email_verified") is False] == [7]
    assert [number for number, member in enumerate(claims, 1) if not member["family_name"]] == [4]
    assert [number for number, member in enumerate(claims, 1) if "<script>" in member["name"]] == [6]


def test_the_picture_is_an_image(linkedin, token):
    reply = linkedin.get(linkedin.get("/v2/userinfo", token=token).json["picture"])
    assert (reply.status, reply.headers["content-type"]) == (200, "image/svg+xml")


# Refusals

INVALID = {"status": 401, "serviceErrorCode": 65600, "code": "INVALID_ACCESS_TOKEN", "message": "Invalid access token"}
EMPTY = {"status": 401, "serviceErrorCode": 65604, "message": "Empty oauth2 access token"}


@pytest.mark.parametrize("path", ["/v2/userinfo", "/rest/identityMe", "/v2/me"])
@pytest.mark.parametrize(
    ("authorization", "envelope"),
    [(None, EMPTY), ("Bearer ", EMPTY), ("Basic eDp5", EMPTY), ("Bearer nonsense", INVALID)],
)
def test_a_bad_token_gets_linkedins_error_envelope(linkedin, path, authorization, envelope):
    headers = VERSION | ({"Authorization": authorization} if authorization else {})
    reply = linkedin.get(path, headers=headers)
    assert (reply.status, reply.json) == (401, envelope)


def test_a_token_in_the_query_is_ignored(linkedin, token):
    assert linkedin.get(f"/v2/userinfo?access_token={token}").json == EMPTY


def test_an_expired_token_gets_its_own_error(linkedin):
    linkedin.settings(access_token_lifetime=0)
    try:
        expired = linkedin.tokens(member=2)["access_token"]
    finally:
        linkedin.settings(access_token_lifetime=5184000)
    answer = linkedin.get("/v2/userinfo", token=expired).json
    assert (answer["serviceErrorCode"], answer["code"]) == (65602, "EXPIRED_ACCESS_TOKEN")


def test_other_scopes_revoke_the_earlier_tokens_of_the_member(linkedin):
    first = linkedin.tokens(member=5)["access_token"]
    bystander = linkedin.tokens(member=7)["access_token"]
    same = linkedin.tokens(member=5)["access_token"]
    assert linkedin.get("/v2/userinfo", token=first).status == 200
    linkedin.tokens(member=5, scope="openid profile")
    for revoked in [first, same]:
        answer = linkedin.get("/v2/userinfo", token=revoked).json
        assert (answer["serviceErrorCode"], answer["code"]) == (65601, "REVOKED_ACCESS_TOKEN")
    assert linkedin.get("/v2/userinfo", token=bystander).status == 200


@pytest.mark.parametrize(
    ("path", "resource"), [("/v2/userinfo", "userinfo"), ("/rest/identityMe", "identityMe")]
)
def test_a_missing_scope_is_a_missing_permission(linkedin, basic_profile, path, resource):
    reply = linkedin.get(path, token=basic_profile, headers=VERSION)
    assert reply.status == 403
    assert reply.json == {
        "status": 403,
        "serviceErrorCode": 100,
        "code": "ACCESS_DENIED",
        "message": f"Not enough permissions to access: {resource}.GET.NO_VERSION",
    }


def test_me_rejects_the_sign_in_scopes(linkedin, token):
    reply = linkedin.get("/v2/me", token=token)
    assert reply.json["message"] == "Not enough permissions to access: me.GET.NO_VERSION"


# The profile link


def test_identity_me_leads_to_the_profile(linkedin, token):
    answer = linkedin.get("/rest/identityMe", token=token, headers=VERSION).json
    info = answer["basicInfo"]
    assert set(answer) == {"lastRefreshedAt", "id", "basicInfo"}
    assert info["firstName"] == {
        "localized": {"en_US": "Maya"},
        "preferredLocale": {"country": "US", "language": "en"},
    }
    assert info["primaryEmailAddress"] == "maya.lindqvist@example.com"
    assert set(info["profilePicture"]["croppedImage"]) == {"downloadUrl", "downloadUrlExpiresAt"}
    assert info["profileUrl"].startswith(linkedin.url + "/profile-thirdparty-redirect/")
    location = linkedin.get(info["profileUrl"]).headers["location"]
    assert location == "/in/maya-lindqvist"
    assert "<h1 dir=\"auto\">Maya Lindqvist</h1>" in linkedin.get(location).text


@pytest.mark.parametrize(
    ("version", "status"), [(None, 400), ("", 400), ("202401", 426), ("latest", 426), ("202513", 426), ("202607", 200)]
)
def test_identity_me_needs_a_version(linkedin, token, version, status):
    headers = {} if version is None else {"LinkedIn-Version": version}
    assert linkedin.get("/rest/identityMe", token=token, headers=headers).status == status


def test_me_has_the_vanity_name(linkedin, basic_profile):
    answer = linkedin.get("/v2/me", token=basic_profile).json
    assert answer["vanityName"] == "zoë-o-connor"
    assert answer["localizedFirstName"] == answer["firstName"]["localized"]["en_GB"] == "Zoë 🚀"
    assert answer["profilePicture"]["displayImage"].startswith("urn:li:digitalmediaAsset:")
    assert linkedin.get("/in/" + urllib.parse.quote(answer["vanityName"])).status == 200
    assert linkedin.get("/in/nobody").status == 404


def test_version_1_is_gone(linkedin, basic_profile):
    reply = linkedin.get(V1, token=basic_profile)
    assert reply.status == 410
    assert reply.json["message"] == "This resource is no longer available under v1 APIs"
    assert set(reply.json) == {"errorCode", "message", "requestId", "status", "timestamp"}


def test_version_1_can_be_enabled(linkedin, basic_profile):
    linkedin.settings(v1=True)
    try:
        answer = linkedin.get(V1, token=basic_profile).json
        encoded = linkedin.get("/v1/people/~%3A%28public-profile-url%29?format=json", token=basic_profile).json
    finally:
        linkedin.settings(v1=False)
    assert answer == {"publicProfileUrl": f"{linkedin.url}/in/zo%C3%AB-o-connor"} == encoded


def test_version_1_returns_xml_without_the_format_parameter(linkedin, basic_profile):
    linkedin.settings(v1=True)
    try:
        answer = linkedin.get(V1.partition("?")[0], token=basic_profile)
    finally:
        linkedin.settings(v1=False)
    assert answer.headers["content-type"].startswith("text/xml")
    assert f"<public-profile-url>{linkedin.url}/in/zo%C3%AB-o-connor</public-profile-url>" in answer.text


# Introspection


def introspect(linkedin, **changes):
    form = {"client_id": linkedin.client_id, "client_secret": linkedin.client_secret, **changes}
    return linkedin.request("POST", "/oauth/v2/introspectToken", form=form)


def test_introspection_describes_a_token(linkedin):
    tokens = linkedin.tokens(member=4)
    facts = introspect(linkedin, token=tokens["access_token"]).json
    assert facts.pop("expires_at") - facts.pop("created_at") == 5_184_000
    assert facts.pop("authorized_at") > 0
    assert facts == {
        "active": True,
        "client_id": linkedin.client_id,
        "status": "active",
        "scope": "email,openid,profile",
        "auth_type": "3L",
    }
    linkedin.tokens(member=4, scope="openid profile")
    facts = introspect(linkedin, token=tokens["access_token"]).json
    assert (facts["active"], facts["status"]) == (False, "revoked")


def test_introspection_reveals_nothing_about_foreign_tokens(linkedin):
    assert introspect(linkedin, token="x").json == {"active": False}
    assert introspect(linkedin).status == 400
    assert introspect(linkedin, token="x", client_secret="wrong").status == 401


# Discovery


def test_discovery_matches_linkedins(linkedin):
    document = linkedin.get("/oauth/.well-known/openid-configuration").json
    assert document["issuer"] == f"{linkedin.url}/oauth"
    for name in ["authorization_endpoint", "token_endpoint", "userinfo_endpoint", "jwks_uri"]:
        assert linkedin.get(document[name]).status != 404
    assert "token_endpoint_auth_methods_supported" not in document
    assert "code_challenge_methods_supported" not in document
    assert document["subject_types_supported"] == ["pairwise"]


def test_the_issuer_can_be_chosen():
    with Simulator("--issuer", "https://www.linkedin.com") as linkedin:
        document = linkedin.get("/oauth/.well-known/openid-configuration").json
        assert document["issuer"] == "https://www.linkedin.com"
        assert id_token.claims(linkedin.tokens()["id_token"])["iss"] == "https://www.linkedin.com"


def test_head_has_the_length_and_no_body(linkedin):
    whole = linkedin.get("/oauth/openid/jwks")
    head = linkedin.request("HEAD", "/oauth/openid/jwks")
    assert head.body == b""
    assert head.headers["content-length"] == str(len(whole.body))


def test_an_unknown_path_is_not_found(linkedin):
    reply = linkedin.get("/v2/nothing")
    assert (reply.status, reply.json["status"]) == (404, 404)

"""The life of a token at the simulator: consent, refresh, revocation and expiry, as LinkedIn documents them."""

import pytest

from harness.browser import Browser
from harness.clock import Clock
from harness.site import from_provider
from simulator import Simulator

pytestmark = pytest.mark.nightly

DAY = 86400
REVOKED = {
    "status": 401,
    "serviceErrorCode": 65601,
    "code": "REVOKED_ACCESS_TOKEN",
    "message": "The token used in the request has been revoked by the user",
}
EXPIRED = {
    "status": 401,
    "serviceErrorCode": 65602,
    "code": "EXPIRED_ACCESS_TOKEN",
    "message": "The token used in the request has expired",
}
REFUSED = {
    "error": "invalid_request",
    "error_description": "The provided authorization grant or refresh token is invalid, expired or revoked",
}


@pytest.fixture
def linkedin():
    with Simulator() as simulator:
        yield simulator


def userinfo(linkedin, tokens):
    reply = linkedin.get("/v2/userinfo", token=tokens["access_token"])
    return reply.status if reply.status == 200 else reply.json


def is_refused(reply):
    return (reply.status, reply.json) == (400, REFUSED)


# Consent


def signed_in(linkedin, member=2, **parameters):
    """A browser in which a member has signed in and the application has redeemed the code."""
    browser = Browser()
    answer = browser.post(linkedin.authorization_url(**parameters), {"member": member, "decision": "allow"})
    assert linkedin.exchange(answer.location.split("code=")[1].split("&")[0]).status == 200
    return browser


def test_the_consent_page_is_skipped_while_a_token_for_the_same_scopes_is_valid(linkedin):
    linkedin.settings(remember_consent=True)
    browser = signed_in(linkedin)
    answer = browser.get(linkedin.authorization_url(state="b", scope="email openid profile"))
    assert answer.status == 302 and answer.location.endswith("&state=b")
    tokens = linkedin.exchange(answer.location.split("code=")[1].split("&")[0]).json
    assert linkedin.get("/v2/userinfo", token=tokens["access_token"]).json["email"] == "zhang.wei@example.com"
    linkedin.settings(time_shift=60 * DAY + 60)
    assert browser.get(linkedin.authorization_url()).status == 200, "the token has expired"


def test_the_consent_page_is_shown_for_other_scopes_and_other_browsers_and_after_revocation(linkedin):
    linkedin.settings(remember_consent=True)
    browser = signed_in(linkedin)
    assert Browser().get(linkedin.authorization_url()).status == 200
    assert browser.get(linkedin.authorization_url(scope="openid profile")).status == 200
    assert browser.get(linkedin.authorization_url()).status == 302
    linkedin.revoke(member=1)
    assert browser.get(linkedin.authorization_url()).status == 302
    linkedin.revoke(member=2)
    assert browser.get(linkedin.authorization_url()).status == 200


def test_the_consent_page_is_always_shown_unless_consent_is_remembered(linkedin):
    assert signed_in(linkedin).get(linkedin.authorization_url()).status == 200


# Refresh


def test_a_refresh_token_stays_valid_without_rotation(linkedin):
    linkedin.settings(refresh_tokens=True)
    first = linkedin.tokens()
    linkedin.settings(time_shift=100 * DAY)
    for _ in range(2):
        answer = linkedin.refresh(first["refresh_token"]).json
        assert answer["refresh_token"] == first["refresh_token"]
        assert 265 * DAY - 5 <= answer["refresh_token_expires_in"] <= 265 * DAY
        assert userinfo(linkedin, answer) == 200


def test_a_rotated_refresh_token_is_refused_and_the_new_one_lives_no_longer(linkedin):
    linkedin.settings(refresh_tokens=True, rotate_refresh_tokens=True)
    first = linkedin.tokens()
    linkedin.settings(time_shift=100 * DAY)
    second = linkedin.refresh(first["refresh_token"]).json
    assert second["refresh_token"] != first["refresh_token"]
    assert 265 * DAY - 5 <= second["refresh_token_expires_in"] <= 265 * DAY
    assert is_refused(linkedin.refresh(first["refresh_token"]))
    assert linkedin.refresh(second["refresh_token"]).status == 200


def test_a_refresh_token_ends_a_year_after_the_consent(linkedin):
    linkedin.settings(refresh_tokens=True)
    token = linkedin.tokens()["refresh_token"]
    linkedin.settings(time_shift=365 * DAY - 60)
    assert linkedin.refresh(token).status == 200
    linkedin.settings(time_shift=365 * DAY)
    assert is_refused(linkedin.refresh(token))


# Expiry and revocation


def test_an_access_token_ends_after_60_days_of_the_simulators_clock(linkedin):
    tokens = linkedin.tokens()
    linkedin.settings(time_shift=59 * DAY)
    assert userinfo(linkedin, tokens) == 200
    linkedin.settings(time_shift=60 * DAY)
    assert userinfo(linkedin, tokens) == EXPIRED


def test_revoked_tokens_get_linkedins_errors(linkedin):
    linkedin.settings(refresh_tokens=True)
    tokens, other = linkedin.tokens(member=2), linkedin.tokens(member=3)
    assert linkedin.revoke(member=2) == 2
    assert userinfo(linkedin, tokens) == REVOKED
    assert is_refused(linkedin.refresh(tokens["refresh_token"]))
    assert userinfo(linkedin, other) == 200
    assert linkedin.revoke() == 2
    assert userinfo(linkedin, other) == REVOKED


def test_one_kind_of_token_can_be_revoked(linkedin):
    linkedin.settings(refresh_tokens=True)
    tokens = linkedin.tokens()
    assert linkedin.revoke(kind="access") == 1
    assert userinfo(linkedin, tokens) == REVOKED
    renewed = linkedin.refresh(tokens["refresh_token"]).json
    assert linkedin.revoke(kind="refresh") == 1
    assert userinfo(linkedin, renewed) == 200
    assert is_refused(linkedin.refresh(tokens["refresh_token"]))


@pytest.mark.parametrize(
    ("fields", "words"), [({"member": 8}, "member cannot be"), ({"kind": "id"}, "kind cannot be"), ({"who": 1}, "no field")]
)
def test_an_impossible_revocation_is_rejected(linkedin, fields, words):
    with pytest.raises(ValueError, match=words):
        linkedin.control("POST", "revoke", fields)


def test_other_scopes_revoke_the_earlier_refresh_tokens(linkedin):
    linkedin.settings(refresh_tokens=True)
    earlier = linkedin.tokens()
    later = linkedin.tokens(scope="openid profile")
    assert userinfo(linkedin, earlier) == REVOKED
    assert is_refused(linkedin.refresh(earlier["refresh_token"]))
    assert linkedin.refresh(later["refresh_token"]).status == 200
    assert userinfo(linkedin, later) == 200


def test_an_application_can_revoke_a_token(linkedin):
    linkedin.settings(refresh_tokens=True)

    def revoke(token, **changes):
        form = {"client_id": linkedin.client_id, "client_secret": linkedin.client_secret, "token": token, **changes}
        return linkedin.request("POST", "/oauth/v2/revoke", form=form)

    tokens = linkedin.tokens()
    assert revoke(tokens["access_token"], client_secret="wrong").status == 401
    assert userinfo(linkedin, tokens) == 200
    reply = revoke(tokens["access_token"])
    assert (reply.status, reply.body) == (200, b"")
    assert userinfo(linkedin, tokens) == REVOKED
    renewed = linkedin.refresh(tokens["refresh_token"]).json
    assert revoke(renewed["refresh_token"]).status == 200
    assert userinfo(linkedin, renewed) == REVOKED, "RFC 7009 section 2.1"
    assert is_refused(linkedin.refresh(tokens["refresh_token"]))
    assert revoke("unknown").status == 200, "RFC 7009 section 2.2"


def test_all_issued_tokens_are_listed(linkedin):
    linkedin.settings(refresh_tokens=True)
    tokens = linkedin.tokens(member=4)
    linkedin.revoke(kind="access")
    listed = {entry["kind"]: entry for entry in linkedin.issued()}
    assert listed["access"]["token"] == tokens["access_token"] and listed["access"]["revoked"]
    assert listed["refresh"]["token"] == tokens["refresh_token"] and not listed["refresh"]["revoked"]
    assert listed["refresh"]["expires"] - listed["access"]["expires"] == 305 * DAY
    assert {entry["member"] for entry in listed.values()} == {4}


# The clock of both


def test_the_program_and_the_simulator_share_an_advanced_clock(directory, make_site):
    clock = Clock(directory)
    with make_site(wrapper=clock.wrapper) as site:
        browser = site.browser()
        assert site.sign_in(browser).status == 303
        clock.advance(site, days=400)
        assert not site.is_signed_in(browser)
        callback = site.consent(site.begin(browser))
        assert browser.get(callback, headers=from_provider()).status == 303
        assert site.is_signed_in(browser)
        first, last = site.responder.settled_log().splitlines()[:1], site.responder.lines_of("signed-in")[-1:]
        years = [int(line.partition("time=")[2][:4]) for line in first + last]
        assert years[1] - years[0] in (1, 2)

"""Control of the simulator: faults, the journal of requests, and settings."""

import threading

import pytest

import id_token

pytestmark = pytest.mark.nightly


def statuses(linkedin, count):
    return [linkedin.get("/oauth/openid/jwks").status for _ in range(count)]


# Faults


def test_a_counted_fault_ends(linkedin):
    linkedin.fault("jwks", "status", count=2, status=503)
    assert statuses(linkedin, 3) == [503, 503, 200]


def test_an_uncounted_fault_lasts_until_it_is_cleared(linkedin):
    linkedin.fault("jwks", "status", status=503)
    assert statuses(linkedin, 3) == [503, 503, 503]
    assert linkedin.clear_faults() == {"faults": []}
    assert statuses(linkedin, 1) == [200]


def test_faults_come_in_the_order_they_were_set(linkedin):
    linkedin.fault("jwks", "status", count=1, status=500)
    linkedin.fault("jwks", "status", count=1, status=502)
    linkedin.fault("jwks", "status", status=504)
    linkedin.fault("jwks", "status", status=429)
    assert statuses(linkedin, 4) == [500, 502, 429, 429]


def test_a_fault_affects_only_its_endpoint(linkedin):
    linkedin.fault("userinfo", "status", status=503)
    linkedin.fault("token", "status", status=503)
    assert statuses(linkedin, 1) == [200]
    assert linkedin.clear_faults("token")["faults"] == [{"endpoint": "userinfo", "fault": "status", "count": None}]


def test_a_fault_can_be_set_by_form_or_json(linkedin):
    form = {"endpoint": "jwks", "fault": "status", "count": "1", "status": "502"}
    assert linkedin.request("POST", "/control/faults", form=form).status == 200
    assert statuses(linkedin, 2) == [502, 200]


@pytest.mark.parametrize(
    ("members", "words"),
    [
        ({"endpoint": "nowhere", "fault": "hang"}, "no endpoint is called"),
        ({"fault": "hang"}, "endpoint cannot be"),
        ({"endpoint": "token", "fault": "nothing"}, "wrong-signature"),
        ({"endpoint": "token"}, "no fault is called"),
        ({"endpoint": "jwks", "fault": "wrong-aud"}, "does not apply"),
        ({"endpoint": "authorization", "fault": "deep"}, "does not apply"),
        ({"endpoint": "token", "fault": "hang", "count": 0}, "count cannot be"),
        ({"endpoint": "token", "fault": "hang", "count": "some"}, "count cannot be"),
        ({"endpoint": "token", "fault": "claims", "claims": "{"}, "claims cannot be"),
        ({"endpoint": "token", "fault": "delay", "ms": "long"}, "ms cannot be"),
        ({"endpoint": "token", "fault": "delay", "millis": 5}, "no option"),
        (["token"], "neither a JSON object nor a form"),
    ],
)
def test_an_impossible_fault_is_rejected(linkedin, members, words):
    with pytest.raises(ValueError, match=words):
        linkedin.control("POST", "faults", members)
    assert linkedin.control("GET", "faults") == {"faults": []}


# The journal


def test_the_journal_keeps_names_and_values(linkedin):
    linkedin.exchange("a code & more", code_verifier="é")
    [request] = linkedin.requests("token")
    assert (request["method"], request["path"], request["query"]) == ("POST", "/oauth/v2/accessToken", [])
    assert request["form"] == [
        ["grant_type", "authorization_code"],
        ["code", "a code & more"],
        ["client_id", linkedin.client_id],
        ["client_secret", linkedin.client_secret],
        ["redirect_uri", linkedin.redirect_uri],
        ["code_verifier", "é"],
    ]
    assert request["headers"]["content-type"] == "application/x-www-form-urlencoded"


def test_the_journal_keeps_repeated_parameters(linkedin):
    linkedin.get("/oauth/v2/authorization?state=1&state=2&scope=a+b%20c")
    [request] = linkedin.requests("authorization")
    assert request["query"] == [["state", "1"], ["state", "2"], ["scope", "a b c"]]


def test_the_journal_counts_by_endpoint(linkedin):
    linkedin.tokens()
    linkedin.get("/nowhere")
    linkedin.request("PUT", "/v2/userinfo")
    assert linkedin.control("GET", "requests")["counts"] == {"consent": 1, "token": 1, "unknown": 1, "userinfo": 1}
    assert (linkedin.count(), linkedin.count("token"), linkedin.count("jwks")) == (4, 1, 0)
    linkedin.clear_requests()
    assert linkedin.count() == 0


def test_the_journal_counts_requests_with_a_fault(linkedin):
    linkedin.fault("jwks", "status", status=503)
    statuses(linkedin, 3)
    assert linkedin.count("jwks") == 3


def test_a_test_can_wait_for_the_journal(linkedin):
    seen = []
    waiting = threading.Thread(target=lambda: seen.extend(linkedin.requests("jwks", at_least=2)))
    waiting.start()
    linkedin.get("/oauth/openid/jwks")
    linkedin.get("/v2/userinfo")
    waiting.join(timeout=0.2)
    assert waiting.is_alive()
    linkedin.get("/oauth/openid/jwks")
    waiting.join(timeout=5)
    assert len(seen) == 2


# Settings


def test_settings_change_all_together_or_not_at_all(linkedin):
    before = linkedin.settings()
    for changes in [{"id_token_lifetime": 60, "nothing": 1}, {"id_token_lifetime": 60, "v1": "perhaps"}]:
        with pytest.raises(ValueError):
            linkedin.settings(**changes)
    assert linkedin.settings() == before


def test_the_application_can_be_changed(linkedin):
    uris = ["https://a.example/oauth", "https://b.example/oauth"]
    before = linkedin.settings()
    after = linkedin.settings(redirect_uris=uris, scopes="openid profile")
    try:
        assert (after["redirect-uris"], after["scopes"]) == (uris, ["openid", "profile"])
        location = linkedin.decide(linkedin.authorization_url(redirect_uri=uris[1], scope="openid profile"))
        assert location.startswith("https://b.example/oauth?code=")
        location = linkedin.get(linkedin.authorization_url(redirect_uri=uris[0])).headers["location"]
        assert "unauthorized_scope_error" in location
    finally:
        linkedin.control("POST", "settings", before)


def test_the_clock_can_be_set_ahead(linkedin):
    linkedin.settings(clock_offset=600, id_token_lifetime=60)
    try:
        fast = id_token.claims(linkedin.tokens()["id_token"])
    finally:
        linkedin.settings(clock_offset=0, id_token_lifetime=3600)
    true = id_token.claims(linkedin.tokens()["id_token"])
    assert 595 <= fast["iat"] - true["iat"] <= 600
    assert fast["exp"] == fast["iat"] + 60

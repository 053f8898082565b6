"""What a renewal of tokens may and may not do: a fault destroys no token, and nobody sees the profile of another member."""

import pytest

from harness.browser import SCRIPT
from harness.clock import LONG
from test_token_life import Aging, is_login

BLIPS = [
    {"status": 403, "type": "text/html", "body": "<h1>Blocked</h1>"},
    {"status": 400, "body": ""},
    {"status": 400, "body": '{"error":"server_error"}'},
    {"status": 400, "body": '{"error":"temporarily_unavailable"}'},
    {"status": 403, "body": '{"error":"invented"}'},
    {"status": 999, "body": ""},
]


@pytest.fixture
def make_aging(directory):
    def make(product="verified"):
        return Aging(directory, "nginx", {**LONG, "LINKEDIN_PRODUCT": product})

    return make


@pytest.mark.parametrize("answer", BLIPS, ids=lambda answer: f"{answer['status']}-{answer['body'][:30]}")
def test_a_blip_at_the_token_endpoint_destroys_no_refresh_token(make_aging, answer):
    with make_aging() as site:
        site.simulator.settings(refresh_tokens=True)
        members = [site.member(number) for number in (1, 2, 3)]
        assert {browser.get(f"{site.url}/profile").status for browser in members} == {200}
        site.after(days=61)
        site.simulator.fault("token", "answer", **answer)
        for browser in members:
            browser.get(f"{site.url}/profile")
        assert len(site.refreshes()) == 3
        site.simulator.clear_faults()
        site.after(minutes=2)
        assert {browser.get(f"{site.url}/profile", headers=SCRIPT).status for browser in members} == {200}
        assert len(site.refreshes()) == 6 and site.simulator.count("authorization") == 3, "nobody signed in again"
        assert "event=tokens-removed" not in site.responder.settled_log()


FOREIGN = [
    ("verified", "yes", "token-refresh-foreign"),
    ("verified", "no", "userinfo-subject"),
    ("openid", "yes", "token-refresh-foreign"),
    ("openid", "no", "userinfo-subject"),
    ("basic-profile", "no", "userinfo-subject"),
]


@pytest.mark.parametrize("product, id_token, reason", FOREIGN, ids=lambda value: str(value))
def test_renewed_tokens_of_another_member_lead_through_sign_in_once(make_aging, product, id_token, reason):
    with make_aging(product) as site:
        site.simulator.settings(refresh_tokens=True)
        browser = site.member()
        assert "Maya" in browser.get(f"{site.url}/profile").text
        site.after(days=61)
        site.simulator.fault("token", "other-member", count=1, member=2, id_token=id_token)
        assert is_login(browser.get(f"{site.url}/profile")) and is_login(browser.get(f"{site.url}/profile"))
        assert "伟" not in browser.get(f"{site.url}/").text
        assert len(site.refreshes()) == 1, "the foreign tokens were removed"
        assert browser.get(site.url_of("member")).status == 200, "the session stays"
        page = site.walk(browser, f"{site.url}/profile")
        assert page.status == 200 and "Maya" in page.text and "伟" not in page.text
        site.responder.settled_log()
        (line,) = site.responder.lines_of("tokens-removed")
        assert "level=warning" in line and f" reason={reason} " in line


def test_renewed_tokens_without_any_proof_of_their_member_are_not_used(make_aging):
    with make_aging() as site:
        site.simulator.settings(refresh_tokens=True)
        browser = site.member()
        site.after(days=61)
        site.simulator.fault("token", "no-id-token", count=1)
        assert is_login(browser.get(f"{site.url}/profile")), "the profile was never fetched, so no answer can prove it"
        assert site.simulator.count("identityMe") == 0
        page = site.walk(browser, f"{site.url}/profile")
        assert page.status == 200 and "Maya" in page.text


def test_renewed_tokens_without_an_id_token_are_proven_by_the_profile(make_aging):
    with make_aging() as site:
        site.simulator.settings(refresh_tokens=True)
        browser = site.member()
        assert browser.get(f"{site.url}/profile").status == 200
        site.after(days=61)
        site.simulator.fault("token", "no-id-token", count=1)
        assert browser.get(f"{site.url}/profile").status == 200 and len(site.refreshes()) == 1


def test_a_renewed_token_whose_id_token_is_invalid_leads_through_sign_in(make_aging):
    with make_aging() as site:
        site.simulator.settings(refresh_tokens=True)
        browser = site.member()
        assert browser.get(f"{site.url}/profile").status == 200
        site.after(days=61)
        site.simulator.fault("token", "wrong-signature")
        assert is_login(browser.get(f"{site.url}/profile")) and is_login(browser.get(f"{site.url}/profile"))
        assert len(site.refreshes()) == 1, "LinkedIn is asked once a minute"
        site.simulator.clear_faults()
        site.after(minutes=2)
        assert browser.get(f"{site.url}/profile").status == 200, "the refresh token was kept"

"""Rules about claims, and claims for applications, behind both web servers with a real provider."""

import re
import signal
from contextlib import contextmanager

import pytest

from harness.browser import NAVIGATION, Browser
from harness.guarding import FASTCGI, HTTP, Place, options, with_places
from harness.providers import PACKAGES, Idpyoidc, Mock, running
from harness.recorder import HTTPRecorder, Recorder

pytestmark = pytest.mark.skipif(not PACKAGES.exists(), reason="deploy/packages test could not download the providers")

CANARY = "value-canary"


class Members(Mock):
    claims = {
        "full": {
            "groups": ["staff", "Domain Admins", "a,b", "Zoë"],
            "level": 3,
            "active": True,
            "realm_access": {"roles": ["editor"]},
            "https://example.org/office": "Paris, 2e",
        },
        "text": {"groups": "staff", "level": 3.5, "active": "true", "realm_access": "editor"},
        "other": {"groups": [CANARY], "level": "4", "active": False, "realm_access": {"roles": []}},
        "object": {"groups": {"staff": CANARY}, "level": [3, {}], "active": None, "realm_access": {}},
        "many": {"groups": [f"staff-{number}" for number in range(300)]},
        "long": {"groups": ["staff"] + [f"{CANARY}-{number:04}" for number in range(200)]},
        "elsewhere": {"_claim_names": {"groups": "src1"}, "_claim_sources": {"src1": {"endpoint": "https://graph.example/x"}}},
    }


RULES = {
    "staff": "group=staff",
    "admins": "group=x,Domain%20Admins",
    "roles": "claim:realm_access.roles=editor",
    "level": "claim:level=3",
    "active": "claim:active=true",
    "unkept": "claim:department=x",
    "here": "provider=own,google",
    "mail": "email-domain=example.org",
}
KEPT = {"PROVIDER_GROUPS_CLAIM": "groups", "PROVIDER_CLAIMS": "realm_access.roles level active https://example.org/office"}
PASSED = "groups,https://example.org/office,level"
DIFFERS, ABSENT, TYPE, LARGE, ELSEWHERE = "claim-differs", "claim-absent", "claim-type", "claim-too-large", "claim-distributed"
# The reasons at the first five locations; None admits the member.
EXPECTED = {
    "full": [None] * 5,
    "text": [None, DIFFERS, ABSENT, TYPE, None],
    "other": [DIFFERS] * 5,
    "object": [TYPE, TYPE, ABSENT, TYPE, ABSENT],
    "many": [LARGE, LARGE, ABSENT, ABSENT, ABSENT],
    "long": [None, DIFFERS, ABSENT, ABSENT, ABSENT],
    "elsewhere": [ELSEWHERE, ELSEWHERE, ABSENT, ABSENT, ABSENT],
}
NAMES = {"staff": "groups", "admins": "groups", "roles": "realm_access.roles", "level": "level", "active": "active", "unkept": "department"}


@contextmanager
def guarded(directory, front, passed=None, kind=Members, **settings):
    """A site with a location for each rule, and applications for all members, for everybody, and over HTTP."""
    places = [Place("app", "member", FASTCGI), Place("open", "anyone", FASTCGI)]
    places += [Place("web", "member", HTTP)] * (front == "nginx")
    places += [Place(name, rule) for name, rule in RULES.items()]
    with Recorder(directory / "application") as application, HTTPRecorder() as web:
        addresses = {FASTCGI: application.socket, HTTP: f"127.0.0.1:{web.port}"}
        edit = lambda text: with_places(text, front, places, addresses)
        guard = [*options(places), *(["--claims", passed] if passed else [])]
        settings = {"PROVIDER_ID": "own", **KEPT, **settings, **({"SIGNIN_APPLICATION_CLAIMS": passed} if passed else {})}
        with running(directory, kind, front, settings, guard=guard, edit=edit) as site:
            site.serve(RULES)
            yield site


def claim_of(line):
    found = re.search(r" claim=(\S+)", line)
    return found and found[1]


def member(site, subject):
    browser = Browser()
    assert site.sign_in(browser, subject).status == 303
    return browser


@pytest.mark.parametrize("front", ["nginx", "lighttpd"])
def test_p13_rules_about_claims_admit_and_deny_with_a_reason_and_without_the_value(directory, front):
    with guarded(directory, front) as site:
        for subject, reasons in EXPECTED.items():
            browser, before = member(site, subject), len(site.responder.lines_of("access-denied"))
            answers = [browser.get(f"{site.url}/{place}/file") for place in RULES]
            lines = site.responder.lines_of("access-denied")[before:]
            found = {re.search(r"location=/(\w+)/", line)[1]: line for line in lines}
            expected = [*reasons, "claim-not-kept", None, "email-untrusted"]
            for place, answer, reason in zip(RULES, answers, expected):
                assert answer.status == (403 if reason else 200), (subject, place)
                if reason:
                    assert f"reason={reason} " in found[place] and claim_of(found[place]) == NAMES.get(place), (subject, found[place])
            application = browser.get(f"{site.url}/app/").json
            assert application["REMOTE_USER"] == f"own::{subject}" and not application.get("AUTH_GROUPS")
            assert not application.get("AUTH_EMAIL"), "addresses of the provider are not trusted"
        assert CANARY not in site.responder.settled_log()


@pytest.mark.parametrize("front", ["nginx", "lighttpd"])
def test_an_application_gets_the_claims_and_nobody_can_forge_them(directory, front):
    with guarded(directory, front, PASSED, PROVIDER_TRUSTS_EMAIL="yes") as site:
        full, without = member(site, "full"), member(site, "ada")
        groups, office = "staff,Domain Admins,UTF-8''a%2Cb,UTF-8''Zo%C3%AB", "UTF-8''Paris%2C%202e"
        header = "X-Auth-Claim-https---example-org-office"
        variable = header[2:].upper().replace("-", "_")
        forged = {"X-Auth-Groups": "forged", header: "forged", "X-Auth-Claim-level": "forged"}
        told = full.get(f"{site.url}/app/").json
        assert (told["AUTH_GROUPS"], told[variable], told["AUTH_CLAIM_LEVEL"]) == (groups, office, "3")
        assert told["AUTH_EMAIL"] == "ada@example.org" and full.get(f"{site.url}/mail/file").status == 200
        for browser, place in [(without, "app"), (without, "open"), (full, "open"), (Browser(), "open")]:
            told = browser.get(f"{site.url}/{place}/").json
            expected = groups if browser is full else ""
            assert told.get("AUTH_GROUPS", "") == expected and not {name for name in told if name.startswith("HTTP_X_AUTH")}
            for name in forged:
                for spelling in (name, name.replace("-", "_"), name.lower(), name.replace("-", "_", 1)):
                    answer = browser.get(f"{site.url}/{place}/", headers={**NAVIGATION, spelling: "forged"})
                    assert answer.status in (200, 400, 403), (spelling, answer)
                    assert answer.status != 200 or "forged" not in answer.text, spelling
        if front == "nginx":
            fields = dict(full.get(f"{site.url}/web/").json)
            assert (fields["X-Auth-Groups"], fields[header], fields["X-Auth-Claim-level"]) == (groups, office, "3")
            assert not [name for name, _ in without.get(f"{site.url}/web/").json if name in forged]


@pytest.mark.parametrize("front", ["nginx", "lighttpd"])
def test_a_member_whose_claims_do_not_fit_or_have_no_value_is_rejected_where_applications_get_them(directory, front):
    with guarded(directory, front, PASSED) as site:
        for subject, reason in [("long", "fields-too-large"), ("many", LARGE), ("object", TYPE), ("elsewhere", ELSEWHERE)]:
            browser = member(site, subject)
            assert browser.get(f"{site.url}/app/").status == 403
            assert f"reason={reason} " in site.responder.lines_of("access-denied")[-1]
            told = browser.get(f"{site.url}/open/").json
            assert not told.get("REMOTE_USER") and not told.get("AUTH_GROUPS"), "as a visitor"
        assert CANARY not in site.responder.settled_log()


def test_claims_are_those_of_the_sign_in(directory):
    with guarded(directory, "nginx", **dict.fromkeys(KEPT)) as site:
        earlier = member(site, "full")
        site.responder.settings.update(KEPT)
        site.responder.write_settings()
        site.responder.process.child.send_signal(signal.SIGHUP)
        site.wait_for("reloaded")
        assert earlier.get(f"{site.url}/staff/file").status == 403
        line = site.responder.lines_of("access-denied")[-1]
        assert "reason=claim-not-kept " in line and claim_of(line) == "groups"
        assert member(site, "full").get(f"{site.url}/staff/file").status == 200


def test_claims_that_only_userinfo_has_are_kept(directory):
    with guarded(directory, "nginx", "groups", Idpyoidc) as site:
        browser = Browser()
        assert site.sign_in(browser).status == 303
        assert browser.get(f"{site.url}/staff/file").status == 200
        assert browser.get(f"{site.url}/app/").json["AUTH_GROUPS"] == "staff,members"

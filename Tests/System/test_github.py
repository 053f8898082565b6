"""Organizations and teams of GitHub as groups, and GitHub's answers when something is wrong."""

from contextlib import contextmanager

import pytest

from harness.browser import Browser
from harness.clock import Clock
from harness.doctor import diagnose
from harness.github_provider import membership
from harness.guarding import FASTCGI, Place, options, with_places
from harness.json_server import JSONServer
from harness.providers import GitHub, IssuerSite
from harness.recorder import Recorder

RULES = {
    "name": "group=other,example-org",
    "number": "group=id:9919",
    "team": "group=example-org/core",
    "numbered": "group=id:9919/core",
    "invited": "group=invited,id:5,invited/core,id:5/core",
    "capitals": "group=other/core,9919,core",
}
ORGANIZATIONS, TEAMS = "user/memberships/orgs", "user/teams"


@contextmanager
def at_github(directory, front="nginx", rules=RULES, **settings):
    wrapper = settings.pop("wrapper", ())
    places = [Place("app", "member", FASTCGI)] + [Place(name, rule) for name, rule in rules.items()]
    with Recorder(directory / "application") as application:
        edit = lambda text: with_places(text, front, places, {FASTCGI: application.socket})
        preset = {"PROVIDER_PRESET": "github", "PROVIDER_ID": "github", "PROVIDER_GROUPS_CLAIM": "groups"}
        guard = [*options(places), "--claims", "groups"]
        settings = {**preset, "SIGNIN_APPLICATION_CLAIMS": "groups", **settings}
        site = IssuerSite(directory, GitHub, front, settings, wrapper, guard, edit)
        site.provider.start()
        with site:
            site.serve(rules)
            yield site


def opened(site, browser):
    """The status of each guarded location, by its name."""
    return {name: browser.get(f"{site.url}/{name}/file").status for name in RULES}


def member(site):
    browser = Browser()
    assert site.sign_in(browser).status == 303
    return browser


@pytest.mark.parametrize("front", ["nginx", "lighttpd"])
def test_organizations_and_teams_are_groups_by_name_and_by_number(directory, front):
    with at_github(directory, front) as site:
        browser = Browser()
        _, parameters = site.begin(browser)
        assert parameters["scope"] == "user:email read:org"
        browser = member(site)
        assert opened(site, browser) == {**dict.fromkeys(RULES, 200), "invited": 403, "capitals": 403}
        groups = "example-org,id:9919,example-org/core,id:9919/core"
        assert browser.get(f"{site.url}/app/").json["AUTH_GROUPS"] == groups
        assert all("reason=claim-differs" in line for line in site.responder.lines_of("access-denied"))
        assert "example-org" not in site.responder.settled_log().lower()


def test_organizations_on_a_second_page_count_and_too_many_of_them_admit_nobody(directory):
    # Each is two values of the claim, of which a session keeps 256.
    organizations = [membership(number, f"org-{number}") for number in range(1, 121)] + [membership(9919, "Example-Org")]
    with at_github(directory) as site:
        site.provider.answer(**{ORGANIZATIONS: {"entries": organizations}})
        browser = member(site)
        assert opened(site, browser)["number"] == 200 and opened(site, browser)["numbered"] == 200
        site.provider.answer(**{ORGANIZATIONS: {"entries": organizations * 3}})
        browser, before = member(site), len(site.responder.lines_of("access-denied"))
        assert opened(site, browser)["number"] == 403
        assert site.provider.requests.count("memberships/orgs?per_page=100&page=3") == 0
        lines = site.responder.lines_of("access-denied")[before:]
        assert lines and all("reason=claim-too-large" in line for line in lines)


def test_without_a_setting_that_names_groups_nothing_about_organizations_is_asked(directory):
    settings = {"PROVIDER_GROUPS_CLAIM": None, "SIGNIN_APPLICATION_CLAIMS": "company", "PROVIDER_CLAIMS": "company"}
    with at_github(directory, rules={}, **settings) as site:
        _, parameters = site.begin(Browser())
        assert parameters["scope"] == "user:email"
        member(site)
        assert "/user/emails" in site.provider.requests and "org" not in site.provider.requests


@pytest.mark.parametrize("path", [ORGANIZATIONS, TEAMS])
def test_without_the_permission_a_member_signs_in_without_groups_and_the_log_says_why(directory, path):
    with at_github(directory) as site:
        denial = {"status": 403, "body": '{"message":"Resource not accessible by integration"}'}
        site.provider.answer(**{path: denial})
        browser = member(site)
        assert opened(site, browser)["name"] == 403
        (line,) = site.responder.lines_of("groups-missing")
        assert "reason=groups-denied" in line and 'detail="HTTP 403"' in line
        assert all("reason=claim-absent" in line for line in site.responder.lines_of("access-denied"))
        assert not diagnose(site.responder).codes.count("endpoint-unexpected")


TEAM = '{"slug":"core","organization":{"id":9919,"login":"example-org"}}'
# What a list can be in place of itself; the reason in the log and the status of the page.
FAULTS = {
    "late": ({"silent": True}, "resource-unavailable", 504),
    "cut": ({"body": f"[{TEAM}", "missing": 9}, "resource-malformed", 502),
    "large": ({"body": f"[{TEAM[:-1]},\"x\":\"" + "x" * 1000, "times": 1100}, "resource-malformed", 502),
    "html": ({"body": "<!DOCTYPE html><title>Unicorn!</title>", "fields": {"Content-Type": "text/html"}}, "resource-malformed", 502),
    "types": ({"body": '[{"slug":7,"organization":{"id":9919,"login":"example-org"}}]'}, "resource-malformed", 502),
    "text": ({"body": f"[{TEAM}]".replace("9919", '"9919"')}, "resource-malformed", 502),
    "object": ({"body": f'{{"teams":[{TEAM}]}}'}, "resource-malformed", 502),
    "twice": ({"body": f"[{TEAM}]".replace('"slug":"core"', '"slug":"core","slug":"core"')}, "resource-malformed", 502),
    "error": ({"body": '{"error":"server_error"}'}, "resource-malformed", 502),
    "server": ({"status": 502, "body": "<html>"}, "resource-unavailable", 502),
    "unavailable": ({"status": 503, "body": "{}"}, "resource-unavailable", 502),
    "revoked": ({"status": 401, "body": '{"message":"Bad credentials"}'}, "resource-token-refused", 502),
    "primary": ({"status": 403, "fields": {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "99"}}, "resource-throttled", 503),
    "secondary": ({"status": 429, "fields": {"Retry-After": "17"}}, "resource-throttled", 503),
}


@pytest.mark.parametrize("path", [TEAMS, "user"])
@pytest.mark.parametrize("fault", FAULTS)
def test_a_wrong_answer_of_github_signs_nobody_in_and_a_later_sign_in_succeeds(directory, fault, path):
    answer, reason, status = FAULTS[fault]
    with at_github(directory, SIGNIN_CONNECT_TIMEOUT="1s", SIGNIN_TOTAL_TIMEOUT="1s") as site:
        site.responder.expected_errors.append("event=sign-in-failed")
        site.provider.answer(**{path: answer})
        browser = Browser()
        page = site.sign_in(browser)
        assert page.status == status and not site.session(browser)["signed_in"], page
        assert f"reason={reason} " in site.responder.lines_of("sign-in-failed")[-1]
        if reason == "resource-throttled":
            assert page.header("Retry-After") == ("17" if fault == "secondary" else "1")
        site.provider.answer()
        assert site.sign_in(browser).status == 303
        assert opened(site, browser)["numbered"] == 200


@pytest.mark.parametrize("path", [ORGANIZATIONS, "user/emails"])
def test_wrong_answers_about_organizations_and_addresses_sign_nobody_in(directory, path):
    with at_github(directory, SIGNIN_CONNECT_TIMEOUT="1s", SIGNIN_TOTAL_TIMEOUT="1s", SIGNIN_LOG_REPEATS="yes") as site:
        site.responder.expected_errors.append("event=sign-in-failed")
        # The last one holds later calls back.
        for name in ("late", "cut", "large", "html", "object", "twice", "error", "server", "unavailable", "revoked", "secondary"):
            answer, reason, status = FAULTS[name]
            site.provider.answer(**{path: answer})
            browser = Browser()
            assert site.sign_in(browser).status == status and not site.session(browser)["signed_in"], name
            assert f"reason={reason} " in site.responder.lines_of("sign-in-failed")[-1], name


def test_a_redirect_is_not_followed_with_the_access_token(directory):
    asked = []
    with JSONServer(lambda handler, _: asked.append(handler.headers["Authorization"]) or []) as other, at_github(directory) as site:
        site.responder.expected_errors.append("event=sign-in-failed")
        for path in (TEAMS, "user", "user/emails"):
            target = f"http://127.0.0.1:{other.port}/{path}"
            site.provider.answer(**{path: {"status": 302, "fields": {"Location": target}}})
            assert site.sign_in(Browser()).status == 502
        link = {"Link": f'<http://127.0.0.1:{other.port}/teams>; rel="next"'}
        site.provider.answer(**{TEAMS: {"fields": link, "body": "[]"}})
        assert site.sign_in(Browser()).status == 502
        assert not asked and "more than 10 pages" in site.responder.settled_log()


def test_a_limit_of_calls_keeps_sessions_and_is_respected(directory):
    clock = Clock(directory / "clock")
    with at_github(directory, wrapper=clock.wrapper, SIGNIN_PROFILE_CACHE="0") as site:
        browser = member(site)
        limit = {"status": 403, "fields": {"Retry-After": "120"}, "body": '{"message":"You have exceeded a secondary rate limit."}'}
        site.provider.answer(user=limit)
        count = lambda: site.provider.requests.count("GET /api/v3/user ")
        before = count()
        for _ in range(3):
            assert browser.get(f"{site.url}/profile").status == 200
        assert count() == before + 1, "only the first request asks GitHub"
        (line,) = site.responder.lines_of("profile-failed")
        assert "reason=resource-throttled" in line
        assert opened(site, browser)["numbered"] == 200
        site.provider.answer()
        clock.advance(seconds=121)
        assert browser.get(f"{site.url}/profile").status == 200 and count() == before + 2
        assert site.session(browser)["signed_in"]


def test_groups_are_those_of_the_sign_in(directory):
    with at_github(directory, SIGNIN_PROFILE_CACHE="0") as site:
        browser = member(site)
        site.provider.answer(**{ORGANIZATIONS: {"entries": []}, TEAMS: {"entries": []}})
        before = site.provider.requests.count("memberships")
        assert browser.get(f"{site.url}/profile").status == 200
        assert opened(site, browser)["numbered"] == 200 and site.provider.requests.count("memberships") == before
        assert opened(site, member(site))["numbered"] == 403

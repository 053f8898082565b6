"""Provider responses that do not fail a sign-in, and what the operator reads about them."""

import subprocess

import pytest

from harness.process import BINARIES, surroundings
from harness.site import Site, from_provider


def test_a_retired_linkedin_version_is_replaced_at_once_and_remembered(directory):
    values = {"LINKEDIN_VERSION": "202301,202510.03", "SIGNIN_PROFILE_CACHE": "0s"}
    with Site(directory, settings=values) as site:
        browser = site.browser()
        assert site.sign_in(browser).status == 303
        for calls in (2, 1, 1):
            site.simulator.clear_requests()
            assert browser.get(f"{site.url}/profile").status == 200
            assert len(site.simulator.requests("identityMe")) == calls
        assert site.responder.settled_log().count("event=linkedin-version-refused") == 1
        assert "setting=LINKEDIN_VERSION value=202301" in site.responder.log
        assert "about a year" in site.responder.log


def test_the_page_does_not_ask_to_try_again_when_every_version_is_retired(directory):
    with Site(directory, settings={"LINKEDIN_VERSION": "202301"}) as site:
        browser = site.browser()
        assert site.sign_in(browser).status == 303
        answer = browser.get(f"{site.url}/profile")
        assert answer.status == 502 and "try again" not in answer.text.lower(), answer.text
        assert "reason=resource-version" in site.responder.settled_log()


@pytest.mark.parametrize("refusals, status", [(5, 303), (6, 502)])
def test_a_new_token_may_need_ten_seconds_to_work(directory, refusals, status):
    with Site(directory, settings={"LINKEDIN_PRODUCT": "basic-profile"}) as site:
        site.responder.expected_errors.append("reason=resource-token-refused")
        site.simulator.fault("me", "status", status=401, count=refusals)
        browser = site.browser()
        callback = site.consent(site.begin(browser, "?return_to=/wanted"))
        answer = browser.get(callback, headers=from_provider())
        assert answer.status == status, answer.text
        assert len(site.simulator.requests("me")) == 6
        if status == 502:
            assert "Wait ten seconds" in answer.text and 'href="">Try again' in answer.text
            assert answer.header("Retry-After") == "10"
            assert site.browser().get(callback, headers=from_provider()).status == 400, "another browser has no sign-in cookie"
            answer = browser.get(callback, headers=from_provider())
        assert (answer.status, answer.location) == (303, "/wanted")
        assert site.is_signed_in(browser) and len(site.simulator.requests("token")) == 1


def test_the_log_names_the_status_999_that_linkedin_sends_to_machines_that_it_blocks(directory):
    with Site(directory) as site:
        site.responder.expected_errors.append("reason=token-unavailable")
        site.simulator.fault("token", "answer", status=999, body="")
        assert site.sign_in(site.browser()).status == 502
        (line,) = site.responder.lines_of("sign-in-failed")
        assert line.endswith(' detail="HTTP 999"')


def check(**settings):
    environment = {**surroundings(), "LINKEDIN_CLIENT_ID": "demo", "LINKEDIN_CLIENT_SECRET": "demo-secret",
                   "SIGNIN_BASE_URL": "https://example.com", **settings}
    command = [BINARIES / "linkedin-signin", "check"]
    return subprocess.run(command, capture_output=True, text=True, env=environment).stdout


def test_check_names_the_versions_that_linkedin_has_probably_retired():
    shown = check(LINKEDIN_PRODUCT="verified", LINKEDIN_VERSION="202510.03,209901")
    assert "LINKEDIN_VERSION: 202510.03 is at least a year old" in shown
    assert "LINKEDIN_VERSION: 209901" not in shown


def test_check_shows_the_proxy_without_its_password():
    shown = check(https_proxy="http://ann:top-secret@proxy.example:3128", no_proxy="localhost")
    assert "https_proxy=http://<redacted>@proxy.example:3128" in shown and "no_proxy=localhost" in shown
    assert "top-secret" not in shown and "ann" not in shown.split("https_proxy=")[1].splitlines()[0]

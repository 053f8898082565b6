"""Several providers at once: real ones, the simulator of LinkedIn, and a hostile one."""

import re
import signal

import pytest

from harness.browser import NAVIGATION, SCRIPT, Browser
from harness.metrics import Metrics
from harness.personal_tokens import bearer, tokens
from harness.process import wait_until
from harness.providers import PACKAGES, Idpyoidc, Mock
from harness.several import Hostile, SeveralSite, several
from harness.site import SESSION, from_provider
from harness.tokens import sessions

pytestmark = pytest.mark.skipif(not PACKAGES.exists(), reason="deploy/packages test could not download the providers")
REAL = {"idp": Idpyoidc, "mock": Mock}
GUARD = ["--location", "/private/", "--require", "member"]


def serve_private(site):
    """Writes a file below the guarded location."""
    (site.server.directory / "site/private").mkdir()
    (site.server.directory / "site/private/a.txt").write_text("for members")


@pytest.mark.parametrize("front", ["nginx", "lighttpd"])
def test_members_of_three_providers_sign_in_at_one_site(directory, front):
    metrics = Metrics()
    with several(directory, REAL, front, settings=metrics.settings) as site:
        subjects = {}
        for name, shown in {"linkedin": "LinkedIn", "idp": "127.0.0.1", "mock": "127.0.0.1"}.items():
            browser = Browser()
            assert site.sign_in_at(name, browser).status == 303
            subjects[name] = site.session(browser)["subject"]
            assert f"Your {shown} profile" in browser.get(f"{site.url}/profile").text
            assert browser.jar["localhost"]["__Host-provider"] == name
        assert "::" not in subjects["linkedin"] and subjects["mock"] == "mock::ada" and subjects["idp"].startswith("idp::")
        lines = {re.search(r" provider=(\S+)", line)[1] for line in site.responder.lines_of("signed-in")}
        assert lines == {"linkedin", "idp", "mock"}
        calls = [metrics.number("provider_calls_total", provider=name, endpoint="token", outcome="200") for name in subjects]
        assert calls == [1, 1, 1]
        # lighttpd writes its log with a delay.
        wait_until(lambda: "/oauth/mock" in site.server.access_log.read_text(), "the last callback in the access log")
        access = site.server.access_log.read_text()
        assert "/oauth/idp" in access and "code=" not in access and "state=" not in access


@pytest.mark.parametrize("front", ["nginx", "lighttpd"])
def test_an_unknown_provider_in_an_address_is_not_found(directory, front):
    with SeveralSite(directory, {"mock": Mock}, front) as site:
        site.responder.expected_errors.append("reason=discovery-unavailable")
        for path in ("/login?provider=other", "/login?provider=", "/oauth/other?code=a&state=b", "/oauth/linkedin?code=a&state=b"):
            assert Browser().get(f"{site.url}{path}").status == 404, path


def test_an_error_page_leads_to_the_choice_and_names_no_provider(directory):
    with several(directory, {"mock": Mock}) as site:
        page = Browser().post(f"{site.url}/forget", headers={**NAVIGATION, "Sec-Fetch-Site": "same-origin"})
        assert page.status == 401 and "LinkedIn" not in page.text
        (label,) = re.findall(r'href="/login\?return_to=%2Fforget">([^<]+)</a>', page.text)
        assert label == "Sign in to localhost"
        assert "Choose where to sign in." in Browser().get(f"{site.url}/login?return_to=%2Fforget").text


@pytest.mark.parametrize("front", ["nginx", "lighttpd"])
def test_a_visitor_of_a_guarded_location_chooses_a_provider_and_comes_back(directory, front):
    with several(directory, {"mock": Mock}, front, guard=GUARD) as site:
        serve_private(site)
        browser = Browser()
        first = browser.get(f"{site.url}/private/a.txt", headers=from_provider())
        assert first.status == 303 and first.location == "/login?return_to=%2Fprivate%2Fa.txt"
        page = browser.get(f"{site.url}{first.location}")
        targets = re.findall(r'href="(/login\?provider=[^"]+)"', page.text)
        assert page.status == 200 and [re.search("provider=([a-z]+)", target)[1] for target in targets] == ["linkedin", "mock"]
        answer = browser.get(site.url + targets[1].replace("&amp;", "&"))
        back = browser.get(site.providers["mock"].consent(answer.location), headers=from_provider())
        assert back.location == "/private/a.txt"
        assert browser.get(f"{site.url}/private/a.txt").text == "for members"
        assert 'provider=mock"' in browser.get(f"{site.url}/login").text.split("provider=linkedin")[0]


@pytest.mark.parametrize("other", ["idp", "linkedin"])
def test_p1_mix_up_by_a_hostile_provider_is_rejected_before_any_call(directory, other):
    """Mix-up, and cross-app account takeover (COAT): the visitor starts at the hostile provider, which sends the browser on to an
    honest one with the same state."""
    with several(directory, {"idp": Idpyoidc, "evil": Hostile}) as site:
        browser = Browser()
        _, stolen = site.begin_at("evil", browser)
        honest, parameters = site.begin_at(other, Browser())
        attack = honest.replace(parameters["state"], stolen["state"])
        callback = site.consent(attack) if other == "linkedin" else site.providers[other].consent(attack)
        assert f"state={stolen['state']}" in callback
        answer = browser.get(callback, headers=from_provider())
        assert answer.status == 400 and SESSION not in browser.jar["localhost"]
        assert "reason=state-provider" in site.responder.settled_log()
        assert not [call for call in site.providers["evil"].calls if call.startswith("POST")]
        assert "POST /token" not in site.providers["idp"].requests


def test_p8_a_code_of_another_visitor_is_not_accepted_with_the_state_of_the_attacker(directory):
    """Session fixation: the victim's browser brings a code to the site with a state that the attacker's browser began."""
    with several(directory, {"idp": Idpyoidc, "evil": Hostile}) as site:
        attacker, victim = Browser(), Browser()
        for start in ("evil", "idp"):
            _, own = site.begin_at(start, attacker)
            honest, parameters = site.begin_at("idp", Browser())
            callback = site.providers["idp"].consent(honest.replace(parameters["state"], own["state"]))
            answer = victim.get(callback, headers=from_provider())
            assert answer.status in (400, 403) and SESSION not in victim.jar.get("localhost", {}), answer
        assert not [call for call in site.providers["evil"].calls if call.startswith("POST")]
        assert "POST /token" not in site.providers["idp"].requests


def test_the_same_subject_at_two_providers_is_two_people(directory):
    settings = {"SIGNIN_PERSONAL_TOKENS": "90d"}
    with several(directory, {"mock": Mock, "twin": Mock}, settings=settings, guard=[*GUARD, "--personal-tokens"]) as site:
        serve_private(site)
        first, second = Browser(), Browser()
        assert site.sign_in_at("mock", first).status == site.sign_in_at("twin", second).status == 303
        assert (site.session(first)["subject"], site.session(second)["subject"]) == ("mock::ada", "twin::ada")
        listed = sessions(site.responder, "list").stdout
        assert "mock::ada" in listed and "twin::ada" in listed
        listed = sessions(site.responder, "list", "--subject", "mock::ada").stdout
        assert "mock::ada" in listed and "twin::ada" not in listed
        made = {}
        for subject in ("mock::ada", "twin::ada"):
            done = tokens(site.responder, "create", "--subject", subject, "--name", "a", "--location", "/", "--expires-after", "30d")
            made[subject] = done.stdout.strip()
            assert Browser().get(f"{site.url}/private/a.txt", headers=bearer(made[subject])).status == 200
        own = {"Sec-Fetch-Site": "same-origin", "Origin": site.url}
        assert "deleted" in first.follow(first.post(f"{site.url}/forget", headers=own)).text
        assert not site.session(first)["signed_in"] and site.session(second)["signed_in"]
        assert Browser().get(f"{site.url}/private/a.txt", headers=bearer(made["mock::ada"])).status == 401
        assert Browser().get(f"{site.url}/private/a.txt", headers=bearer(made["twin::ada"])).status == 200
        assert sessions(site.responder, "forget", "--subject", "mock::ada").returncode == 65
        assert "sessions removed: 1" in sessions(site.responder, "forget", "--subject", "twin::ada").stdout
        assert not site.session(second)["signed_in"]


@pytest.mark.parametrize("name", ["linkedin", "mock"])
def test_a_subject_copied_from_the_log_rejects_the_member(directory, name):
    blocked = directory / "blocked"
    blocked.touch(mode=0o600)
    guard = ["--location", "/private/", "--require", f"member deny={blocked}"]
    with several(directory, {"mock": Mock}, guard=guard, settings={"SIGNIN_PERSONAL_TOKENS": "90d"}) as site:
        serve_private(site)
        browser = Browser()
        assert site.sign_in_at(name, browser).status == 303
        assert browser.get(f"{site.url}/private/a.txt").text == "for members"
        (signed_in,) = site.responder.lines_of("signed-in")
        subject = re.search(r" subject=(\S+)", signed_in)[1]
        blocked.write_text(f"subject={subject}\n")
        wait_until(lambda: browser.get(f"{site.url}/private/a.txt").status == 403, "the guard reads the list")
        assert browser.post(f"{site.url}/logout", headers={"Sec-Fetch-Site": "same-origin", "Origin": site.url}).status == 303
        for event in ("access-denied", "signed-out"):
            assert {re.search(r" subject=(\S+)", line)[1] for line in site.responder.lines_of(event)} == {subject}, event


def test_a_rule_and_a_revocation_about_a_subject_are_about_the_member_of_one_provider(directory):
    guard = ["--location", "/private/", "--require", "subject=mock::ada"]
    with several(directory, {"mock": Mock, "twin": Mock}, guard=guard) as site:
        serve_private(site)
        browsers = {name: Browser() for name in ("mock", "twin")}
        for name, browser in browsers.items():
            assert site.sign_in_at(name, browser).status == 303
        assert browsers["mock"].get(f"{site.url}/private/a.txt").text == "for members"
        assert browsers["twin"].get(f"{site.url}/private/a.txt").status == 403
        assert "reason=not-named subject=twin::ada " in site.responder.lines_of("access-denied")[-1]
        for subject in ("ada", "linkedin::ada"):
            assert sessions(site.responder, "revoke", "--subject", subject).returncode == 65
        done = sessions(site.responder, "revoke", "--subject", "mock::ada")
        assert done.returncode == 0 and "sessions removed: 1" in done.stdout, done
        assert [site.session(browsers[name])["signed_in"] for name in ("mock", "twin")] == [False, True]


def test_p34_a_member_who_changes_the_provider_gets_a_new_session_and_the_old_one_ends(directory):
    with several(directory, {"mock": Mock}) as site:
        browser, copy = Browser(), Browser()
        assert site.sign_in_at("linkedin", browser).status == 303
        old = browser.jar["localhost"][SESSION]
        assert site.sign_in_at("mock", browser).status == 303
        assert browser.jar["localhost"][SESSION] != old
        copy.jar["localhost"] = {SESSION: old}
        assert not site.session(copy)["signed_in"] and site.session(browser)["subject"] == "mock::ada"
        assert len(site.responder.sessions()) == 1


def test_a_reload_adds_and_removes_providers_and_signs_nobody_else_out(directory):
    with several(directory, REAL, later=["mock"], guard=GUARD) as site:
        serve_private(site)
        linkedin, idp, mock = Browser(), Browser(), Browser()
        assert site.sign_in_at("linkedin", linkedin).status == site.sign_in_at("idp", idp).status == 303
        assert Browser().get(f"{site.url}/login?provider=mock").status == 404
        site.providers["mock"].start()
        site.add("mock", PROVIDER_NAME="Example")
        site.reload()
        wait_until(lambda: site.has("discovery-read", "provider=mock "), "the document of the new provider")
        assert "providers=mock" in site.responder.lines_of("reloaded")[-1]
        assert site.sign_in_at("mock", mock).status == 303
        browsers = (linkedin, idp, mock)
        assert all(site.session(browser)["signed_in"] for browser in browsers)
        assert [browser.get(f"{site.url}/private/a.txt").status for browser in browsers] == [200, 200, 200]
        (site.folder / "idp").unlink()
        site.reload()
        assert [site.session(browser)["signed_in"] for browser in browsers] == [True, False, True]
        assert [browser.get(f"{site.url}/private/a.txt").status for browser in browsers] == [200, 303, 200]
        assert [browser.get(f"{site.url}/private/a.txt", SCRIPT).status for browser in browsers] == [200, 401, 200]
        assert Browser().get(f"{site.url}/login?provider=idp").status == 404
        other = Browser()
        other.jar = {"localhost": dict(idp.jar["localhost"])}
        assert "You are signed out" in other.get(f"{site.url}/logout").text and SESSION not in other.jar["localhost"]
        site.add("idp")
        site.reload()
        assert site.session(idp)["signed_in"] and idp.get(f"{site.url}/private/a.txt").text == "for members"


def test_the_first_added_provider_signs_no_member_of_linkedin_out(directory):
    with several(directory, {"mock": Mock}, later=["mock"], guard=GUARD) as site:
        serve_private(site)
        member, visitor = Browser(), Browser()
        assert site.sign_in(member).status == 303
        before, cookies = site.session(member), dict(member.jar["localhost"])
        site.providers["mock"].start()
        site.add("mock")
        site.reload()
        wait_until(lambda: site.has("discovery-read", "provider=mock "), "the document of the new provider")
        assert site.session(member) == before and "::" not in before["subject"]
        assert member.get(f"{site.url}/private/a.txt").text == "for members" and member.jar["localhost"] == cookies
        assert visitor.get(f"{site.url}/login").text.count("/login?provider=") == 2
        assert site.sign_in_at("mock", visitor).status == 303
        assert visitor.get(f"{site.url}/private/a.txt").text == "for members"
        assert len(site.responder.sessions()) == 2


def test_an_error_in_one_file_keeps_all_old_settings_and_names_file_and_line(directory):
    with several(directory, REAL) as site:
        site.responder.expected_errors.append("event=reload-refused")
        for name in REAL:
            site.add(name, PROVIDER_NMAE="x")
        count = len(site.responder.lines_so_far("reload-refused"))
        site.responder.process.child.send_signal(signal.SIGHUP)
        wait_until(lambda: len(site.responder.lines_so_far("reload-refused")) >= count + 2, "the errors of both files")
        for name in REAL:
            assert f"{site.folder}/{name}:4" in site.responder.log
        assert site.sign_in_at("mock", Browser()).status == 303


def test_a_provider_without_a_document_does_not_disturb_the_others(directory):
    with SeveralSite(directory, REAL) as site:
        site.responder.expected_errors.append("event=sign-in-failed .*reason=discovery-unavailable")
        site.providers["mock"].start()
        site.wait_for_documents(["mock"])
        wait_until(lambda: site.has("discovery-failed", "provider=idp "), "the failure of the other")
        answer = Browser().get(f"{site.url}/login?provider=idp")
        assert answer.status == 502 and "127.0.0.1" in answer.text
        line = site.responder.lines_of("sign-in-failed")[-1]
        assert "reason=discovery-unavailable" in line and "provider=idp" in line
        for name in ("mock", "linkedin"):
            assert site.sign_in_at(name, Browser()).status == 303
        assert Browser().get(f"{site.url}/login").status == 200

"""The page where a member makes and revokes personal tokens, in Chromium and for scripts."""

import re

import pytest

from harness.browser import NAVIGATION, SCRIPT
from harness.clock import Clock
from harness.guarded import GUARDS, SUBJECTS, canary
from harness.personal_tokens import OWN, TOKEN, accepting, bearer, form_of, hidden_fields, made, send, send_wish, tokens

ALLOW = 'button[name="decision"][value="allow"]'
WISH = {"name": "Backup <1>", "locations": "/member/  /app/", "days": "30"}


@pytest.fixture(scope="module", params=GUARDS)
def site(request, tmp_path_factory):
    with accepting(tmp_path_factory.mktemp("tokens"), request.param) as site:
        yield site


def opens(site, token, place="member"):
    return site.browser().get(site.url_of(place), headers=bearer(token)).status


def test_a_member_makes_uses_and_revokes_a_token_without_javascript(site, make_chromium):
    chromium = make_chromium(javascript=False)
    chromium.open(f"{site.url}/login")
    chromium.click(ALLOW)
    chromium.open(f"{site.url}/")
    chromium.click('a[href="/tokens"]')
    assert chromium.heading == "Personal tokens" and "You have no personal tokens." in chromium.text
    chromium.one("#name").send_keys("Backup")
    chromium.one("#locations").send_keys("/")
    chromium.click("form.fields button")
    (token,) = TOKEN.findall(chromium.source)
    assert "It is not shown again." in chromium.text and f"…{token[-4:]}" in chromium.text
    assert site.browser().get(site.url_of("member"), headers=bearer(token)).body == canary("member")
    chromium.open(f"{site.url}/tokens")
    assert "Backup" in chromium.text and not TOKEN.search(chromium.source)
    assert chromium.one("details").get_attribute("open") is None
    chromium.one("summary").click()
    assert "Scripts that use this token stop working immediately." in chromium.text
    chromium.click('button[name="revoke"]')
    assert "You have no personal tokens." in chromium.text and opens(site, token) == 401
    assert chromium.complaints() == []


def test_a_token_has_the_name_the_paths_and_the_end_of_the_form(site):
    member = site.member()
    made_it = send_wish(site, member, **WISH)
    assert (made_it.status, made_it.location) == (303, "/tokens") and not TOKEN.search(str(made_it))
    answer = member.get(f"{site.url}/tokens", headers=NAVIGATION)
    assert answer.status == 200 and answer.header("Cache-Control") == "no-store"
    (token,) = TOKEN.findall(answer.text)
    assert "Backup &lt;1&gt;" in answer.text and "/member/ /app/" in answer.text
    assert "/language?" not in answer.text and form_of(answer.text) == "", "a link to another language would lose the token"
    assert opens(site, token) == 200 and opens(site, token, "domain") == 403
    assert f"subject={SUBJECTS[1]}" in tokens_made(site)[-1] and token[4:] not in site.responder.settled_log()
    page = member.get(f"{site.url}/tokens", headers=NAVIGATION)
    assert page.status == 200 and not TOKEN.search(page.text) and "/language?" in page.text and form_of(page.text)


def test_a_form_that_is_sent_twice_makes_one_token(site):
    member = site.member(2)
    form = form_of(member.get(f"{site.url}/tokens", headers=NAVIGATION).text)
    for _ in range(2):
        assert send(site, member, form=form, **{**WISH, "name": "once"}).status == 303
    assert tokens(site.responder, "list", "--json").stdout.count('"once"') == 1
    answer = send(site, member, form="invented", **{**WISH, "name": "invented"})
    assert answer.status == 400 and "this page was open for too long" in answer.text
    assert '"invented"' not in tokens(site.responder, "list", "--json").stdout


def test_the_form_of_a_former_member_makes_no_token_and_its_answer_says_so(site):
    browser = site.member(2)
    old = browser.get(f"{site.url}/tokens", headers=NAVIGATION).text
    assert "zhang.wei" in old.replace("<wbr>", "")
    assert site.sign_in(browser, 3).status == 303
    answer = send(site, browser, **{**hidden_fields(old), **WISH, "name": "of the former page"})
    assert answer.status == 409 and "Nothing was changed" in answer.text
    page = browser.get(f"{site.url}/tokens", headers=NAVIGATION).text
    assert "of the former page" not in page and "zhang.wei" not in page.replace("<wbr>", "")
    assert send(site, browser, **{**hidden_fields(page), **WISH, "name": "of the own page"}).status == 303
    assert "of the own page" in browser.get(f"{site.url}/tokens", headers=NAVIGATION).text


def test_another_member_of_the_same_browser_does_not_see_a_new_token(site):
    member, other = site.member(2), site.member(3)
    send_wish(site, member, **WISH)
    (host,) = member.jar
    other.jar[host]["__Host-new-token"] = member.jar[host]["__Host-new-token"]
    assert not TOKEN.search(other.get(f"{site.url}/tokens", headers=NAVIGATION).text)


def test_a_new_token_is_not_shown_after_a_sign_out(site):
    member = site.member(2)
    send_wish(site, member, **WISH)
    (host,) = member.jar
    kept = member.jar[host]["__Host-new-token"]
    site.sign_out(member)
    assert "__Host-new-token" not in member.jar[host] and kept


def tokens_made(site):
    return [line for line in site.responder.settled_log().splitlines() if "event=personal-token-made" in line]


WRONG = [{"name": ""}, {"name": "a" * 101}, {"locations": "member"}, {"locations": ""}, {"locations": "/a/../b"}]
WRONG += [{"days": "0"}, {"days": "91"}, {"days": "-1"}, {"days": "x"}, {"days": "99999999999999999999"}, {"days": ""}]


@pytest.mark.parametrize("wrong", WRONG, ids=str)
def test_a_wrong_field_makes_no_token_and_keeps_the_others(site, wrong):
    answer = send_wish(site, site.member(), **{**WISH, **wrong})
    assert answer.status == 400 and 'role="alert"' in answer.text and not TOKEN.search(answer.text)
    (field,) = wrong
    marked = rf'<input id="{field}"[^>]*aria-describedby="[^"]*fault"[^>]*>'
    assert re.findall('<input id="([a-z]+)"[^>]*aria-invalid="true"[^>]* autofocus=""', answer.text) == [field]
    assert re.search(marked, answer.text)
    kept = {"name": 'value="Backup &lt;1&gt;"', "locations": 'value="/member/  /app/"', "days": 'value="30"'}
    assert all(text in answer.text for name, text in kept.items() if name not in wrong)


def test_a_fault_is_on_the_screen_below_many_tokens(directory, make_chromium):
    with accepting(directory, GUARDS[0]) as site:
        for number in range(12):
            made(site, SUBJECTS[1], name=f"script {number}")
        chromium = make_chromium(javascript=False)
        chromium.open(f"{site.url}/login")
        chromium.click(ALLOW)
        chromium.open(f"{site.url}/tokens")
        chromium.one("#name").send_keys("Backup")
        chromium.one("#locations").send_keys("/../")
        chromium.click("form.fields button")
        box, height = chromium.driver.execute_script(
            "return [document.getElementById('fault').getBoundingClientRect(), innerHeight]"
        )
        assert 0 <= box["top"] and box["bottom"] <= height
        assert chromium.driver.switch_to.active_element.get_attribute("id") == "locations"


@pytest.mark.parametrize("front", GUARDS)
def test_a_member_who_signed_in_an_hour_ago_signs_in_again_to_make_a_token(directory, front):
    clock = Clock(directory / "clock")
    with accepting(directory, front, wrapper=clock.wrapper) as site:
        member = site.member()
        used = form_of(member.get(f"{site.url}/tokens", headers=NAVIGATION).text)
        send(site, member, form=used, **WISH)
        (token,) = TOKEN.findall(member.get(f"{site.url}/tokens", headers=NAVIGATION).text)
        clock.advance(site, minutes=61)
        page = member.get(f"{site.url}/tokens", headers=NAVIGATION)
        assert 'name="days"' not in page.text and 'href="/login?return_to=%2Ftokens"' in page.text
        answer = send(site, member, form=used, **WISH)
        assert answer.status == 403 and not TOKEN.search(answer.text)
        assert opens(site, token) == 200
        clock.advance(site, days=29, hours=22)
        assert opens(site, token) == 200
        clock.advance(site, hours=1)
        assert opens(site, token) == 401


@pytest.mark.parametrize("forged", [{"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site"}, {"Sec-Fetch-Site": None}])
def test_a_form_of_another_site_makes_and_revokes_nothing(site, forged):
    member = site.member()
    headers = {name: value for name, value in {**OWN, **forged}.items() if value}
    if not forged["Sec-Fetch-Site"]:
        headers["Origin"] = "https://evil.example"
    before = tokens(site.responder, "list", "--json").stdout
    for fields in (WISH, {"revoke": "0" * 32}):
        answer = send(site, member, headers, **fields)
        assert answer.status == 403 and not TOKEN.search(answer.text)
        assert '<a class="control primary" href="/tokens">' in answer.text
    assert tokens(site.responder, "list", "--json").stdout == before
    assert "event=personal-token-form-refused" in site.responder.settled_log()


def test_a_member_does_not_revoke_the_token_of_another_member(site):
    token = made(site, SUBJECTS[2], name="foreign")
    (entry,) = [line for line in tokens(site.responder, "list", "--json").stdout.splitlines() if '"foreign"' in line]
    identity = re.search('"id":"([0-9a-f]{32})"', entry)[1]
    assert send(site, site.member(), revoke=identity).status == 303
    assert opens(site, token) == 200 and "foreign" not in site.member().get(f"{site.url}/tokens", headers=NAVIGATION).text


def test_a_visitor_signs_in_before_the_page_and_a_script_learns_where(site):
    answer = site.browser().get(f"{site.url}/tokens", headers=NAVIGATION)
    assert (answer.status, answer.location) == (303, "/login?return_to=%2Ftokens")
    for method, headers in (("GET", SCRIPT), ("POST", {**SCRIPT, "Sec-Fetch-Site": "same-origin"})):
        assert site.browser().request(method, f"{site.url}/tokens", headers, b"").status == 401


def test_a_token_does_not_open_the_page(site):
    site.member(3)
    token = made(site, SUBJECTS[3])
    assert site.browser().get(f"{site.url}/tokens", headers={**SCRIPT, **bearer(token)}).status == 401


@pytest.mark.parametrize("method", ["PUT", "DELETE"])
def test_a_wrong_method_gets_405_with_allow(site, method):
    answer = site.member(3).request(method, f"{site.url}/tokens", NAVIGATION, b"")
    assert answer.status == 405 and answer.header("Allow") == "GET, HEAD, POST"


def test_a_site_without_personal_tokens_keeps_its_own_page_of_that_name(shared_site):
    member = shared_site.member()
    assert 'href="/tokens"' not in member.get(f"{shared_site.url}/").text
    assert member.get(f"{shared_site.url}/tokens").status == 404
    page = shared_site.server.directory / "site/tokens"
    page.write_text("the page of the site")
    try:
        answer = member.get(f"{shared_site.url}/tokens")
        assert (answer.status, answer.text) == (200, "the page of the site")
    finally:
        page.unlink()

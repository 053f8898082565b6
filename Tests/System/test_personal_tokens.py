"""Personal tokens: scripts use them at guarded locations behind every web server, and operators administer them."""

import json
import re
import shutil
import subprocess

import pytest

from harness.browser import SCRIPT
from harness.guarded import EMAILS, GUARDS, SUBJECTS, canary
from harness.personal_tokens import accepting, bearer, made, tokens
from harness.process import BINARIES, REPOSITORY, surroundings, wait_until
from harness.raw import NAVIGATING, cookies, request, send, status
from harness.tokens import sessions
from harness.webserver import WebServer

INVALID, MISPLACED = "invalid_token", "insufficient_scope"


@pytest.fixture(scope="module", params=GUARDS)
def site(request, tmp_path_factory):
    with accepting(tmp_path_factory.mktemp("tokens"), request.param) as site:
        yield site


@pytest.fixture(scope="module")
def token(site):
    """A token of a member who is signed in, for every guarded location."""
    site.member()
    return made(site, SUBJECTS[1])


def get(site, place, token, rest="canary.txt", browser=None, headers=None, method="GET", body=None):
    browser = browser or site.browser()
    return browser.request(method, site.url_of(place, rest), {**bearer(token), **(headers or {})}, body)


def refused(answer, site, status, error):
    challenge = f'Bearer realm="{site.url}", error="{error}"'
    assert (answer.status, answer.all("WWW-Authenticate")) == (status, [challenge]), (answer.status, answer.headers)
    assert answer.json["error"] == error and not answer.set_cookies and not answer.header("Location")


def log_lines(site, event):
    return [line for line in site.responder.settled_log().splitlines() if f"event={event} " in line]


def test_a_script_with_a_token_gets_guarded_files_without_a_session(site, token):
    answer = get(site, "member", token)
    assert (answer.status, answer.body) == (200, canary("member")) and not answer.set_cookies
    assert get(site, "maya", token).status == get(site, "address", token).status == 200
    assert site.browser().get(site.url_of("member"), headers=SCRIPT).status == 401


def test_an_application_learns_the_owner_of_the_token(site, token):
    for place in ("app", "other", "open"):
        received = site.ask(place, headers=bearer(token))
        assert received.identity[:2] == (SUBJECTS[1], EMAILS[1])


def test_nginx_does_not_pass_a_token_to_an_application_but_every_other_authorization(site, token):
    member = site.member()
    for place, name in (("app", "HTTP_AUTHORIZATION"), ("other", "Authorization")):
        name = name if site.kind == "nginx" else "HTTP_AUTHORIZATION"
        received = site.ask(place, headers=bearer(token))
        if site.kind == "nginx":
            assert received.all(name) in ([], [""])
        for other in ("Basic bWF5YTpzZWNyZXQ=", "Bearer of-the-application", "Bearer lsi-x", "Bearer\tx", "Bearer"):
            assert site.ask(place, browser=member, headers={"Authorization": other}).all(name) == [other]


def test_a_request_with_a_body_reaches_the_application(site, token):
    received = site.ask("app", method="POST", headers=bearer(token), body=b"x" * 70_000)
    assert received.body == b"x" * 70_000 and received.identity[0] == SUBJECTS[1]


@pytest.mark.parametrize("text", ["lsi_", "lsi_" + "A" * 43, "lsi_" + "A" * 42, "lsi_%41", "lsi_" + "A" * 5000, "lsi_a, Basic b"])
def test_a_wrong_token_gets_401_and_no_redirect_to_sign_in(site, text):
    for headers in ({}, SCRIPT, dict(NAVIGATING)):
        refused(get(site, "member", text, headers=headers), site, 401, INVALID)
    refused(get(site, "app", text, "", method="POST", body=b"a=b"), site, 401, INVALID)


def test_the_token_counts_and_not_the_session_of_the_same_request(site, token):
    refused(get(site, "member", "lsi_" + "A" * 43, browser=site.member()), site, 401, INVALID)
    second = site.member(2)
    assert get(site, "maya", token, browser=second).status == 200
    assert site.ask("app", browser=second, headers=bearer(token)).identity[0] == SUBJECTS[1]


def test_the_scheme_is_read_in_any_case(site, token):
    for value in (f"bearer {token}", f"BEARER   {token}"):
        assert site.browser().get(site.url_of("member"), headers={"Authorization": value}).status == 200


@pytest.mark.parametrize("value", ["Bearer\t{}", "bearer \t {}", "\tBearer {}"])
def test_a_token_after_other_white_space_is_refused_and_reaches_no_application(site, token, value):
    # lighttpd removes white space before a value.
    expected = 200 if site.kind == "lighttpd" and value.startswith("\t") else 401
    for place in ("member", "app", "open"):
        fields = [*cookies(site.member()), ("Authorization", value.format(token))]
        answer = send(site.port, request(f"/{place}/canary.txt", fields))
        assert status(answer) == expected, answer
        assert expected == 200 or b"received" not in answer and INVALID.encode() in answer, answer


def test_a_token_is_good_only_for_its_locations(site):
    token = made(site, SUBJECTS[1], "/member/", "/app/reports")
    assert get(site, "member", token).status == 200
    assert get(site, "app", token, "reports").status == get(site, "app", token, "reports/1?a=/..").status == 200
    for place, rest in (("domain", "canary.txt"), ("app", ""), ("app", "reports-2"), ("app", "report")):
        refused(get(site, place, token, rest), site, 403, MISPLACED)
    refused(get(site, "app", token, "", method="POST", body=b"a=b"), site, 403, MISPLACED)
    assert "reason=personal-token-location" in log_lines(site, "personal-token-refused")[-1]


SPELLINGS = ["/member/../app/", "/member/%2e%2e/app/", "/member/..%2fapp/", "/member//../app/", "//app/", "/app/;/../member/"]
SPELLINGS += ["/member/%252e%252e/app/", "/member\\..\\app/", "/member/..;/app/", "/%6dember/../app/", "/app/?/member/"]


@pytest.mark.parametrize("path", SPELLINGS)
def test_no_spelling_of_a_path_widens_the_locations_of_a_token(site, path):
    token = made(site, SUBJECTS[1], "/member/")
    answer = send(site.port, request(path, [("Authorization", f"Bearer {token}")]))
    assert status(answer) in (400, 401, 403, 404) and b"received" not in answer, answer[:500]


def test_an_escaped_letter_is_the_same_path(site):
    token = made(site, SUBJECTS[1], "/member/")
    assert site.browser().get(f"{site.url}/%6dember/canary.txt", headers=bearer(token)).status == 200


def test_a_rule_rejects_the_owner_of_a_token_as_it_rejects_a_session(site, token):
    answer = get(site, "domain", token)
    assert answer.status == 403 and not answer.all("WWW-Authenticate")
    (line,) = log_lines(site, "access-denied")[-1:]
    assert "reason=not-named" in line and f"subject={SUBJECTS[1]}" in line and re.search(" token=[0-9a-f]{32}", line)


def test_a_rule_that_wants_a_recent_sign_in_accepts_no_token(site, token):
    refused(get(site, "recent", token), site, 403, MISPLACED)


def test_a_list_file_ends_the_access_of_a_token_at_once(site, token):
    assert get(site, "listed", token).status == 200
    site.denied.write_text(f"subject={SUBJECTS[1]}\n")
    try:
        wait_until(lambda: get(site, "listed", token).status == 403, "the denial")
    finally:
        site.denied.write_text("# nobody\n")


def test_the_own_pages_of_the_program_accept_no_token(site, token):
    browser, fields = site.browser(), {**SCRIPT, **bearer(token)}
    assert browser.get(f"{site.url}/session", headers=fields).json["signed_in"] is False
    assert browser.get(f"{site.url}/profile", headers=fields).status == 401
    assert browser.request("POST", f"{site.url}/forget", fields, b"").status == 401
    assert browser.request("POST", f"{site.url}/session", fields, b"").status == 405
    assert get(site, "member", token).status == 200


def test_a_revoked_token_is_rejected_at_the_next_request(site):
    token = made(site, SUBJECTS[1], name="short")
    assert get(site, "member", token).status == 200
    (entry,) = [entry for entry in listed(site) if entry["name"] == "short"]
    done = tokens(site.responder, "revoke", entry["id"][:12])
    assert (done.returncode, done.stdout) == (0, "personal tokens revoked: 1\n")
    refused(get(site, "member", token), site, 401, INVALID)
    (line,) = log_lines(site, "personal-token-refused")[-1:]
    assert "reason=personal-token-unknown" in line and f"token={entry['id']}" in line and "location=/member/" in line


@pytest.mark.parametrize("life", ["59s", "91d", "9223372036854775807s", "9223372036854775807"])
def test_a_token_with_a_life_beyond_the_limits_is_not_made(site, life):
    done = tokens(site.responder, "create", "--subject", SUBJECTS[1], "--name", "n", "--location", "/", "--expires-after", life)
    assert (done.returncode, done.stdout) == (65, "") and "--expires-after must be between 1m and 90d" in done.stderr


def test_a_wrong_location_is_named(site):
    places = ["--location", "/reports/", "--location", "files/"]
    done = tokens(site.responder, "create", "--subject", SUBJECTS[1], "--name", "n", *places, "--expires-after", "1d")
    assert (done.returncode, done.stdout) == (65, "") and "--location files/: a path begins with /" in done.stderr


def test_a_token_made_for_a_member_has_the_identity_of_the_last_sign_in(site):
    own = made(site, SUBJECTS[5], more=["--email", EMAILS[1]])
    assert get(site, "address", own).status == 200
    site.member(5)
    for token in (own, made(site, SUBJECTS[5])):
        assert get(site, "address", token).status == 403 and get(site, "member", token).status == 200


def listed(site, *words):
    return json.loads(tokens(site.responder, "list", "--json", *words).stdout)


def test_a_token_is_in_no_log_no_file_and_no_answer(site, token):
    get(site, "member", token), get(site, "domain", token), get(site, "app", token, "x")
    get(site, "member", token[:-1]), site.browser().get(site.url_of("member"), headers={"Authorization": f"Basic {token}"})
    secret = token[4:34].encode()
    site.responder.settled_log()
    for path in site.directory.rglob("*"):
        assert not path.is_file() or secret not in path.read_bytes(), path
    assert log_lines(site, "personal-token-used")
    for words in (["list"], ["list", "--json"], ["show", listed(site)[0]["id"]]):
        assert token[4:] not in tokens(site.responder, *words).stdout


def test_forgetting_a_member_removes_the_tokens_and_the_owner(site):
    member = site.member(3)
    own = made(site, SUBJECTS[3])
    assert get(site, "member", own).status == 200
    done = sessions(site.responder, "forget", "--subject", SUBJECTS[3])
    assert done.stdout == "sessions removed: 1\npersonal tokens removed: 1\n"
    refused(get(site, "member", own), site, 401, INVALID)
    member = site.member(3)
    own = made(site, SUBJECTS[3])
    assert member.request("POST", f"{site.url}/forget", SCRIPT, b"").status == 303
    refused(get(site, "member", own), site, 401, INVALID)
    assert listed(site, "--subject", SUBJECTS[3]) == []
    content = b"".join(path.read_bytes() for path in (site.responder.state / "tokens").iterdir())
    assert SUBJECTS[3].encode() not in content


def test_signing_out_everywhere_and_ending_sessions_leave_tokens_alone(site):
    member = site.member(2)
    own = made(site, SUBJECTS[2])
    assert member.request("POST", f"{site.url}/logout", SCRIPT, b"everywhere=yes").status == 303
    assert get(site, "member", own).status == 200
    site.member(2)
    assert sessions(site.responder, "revoke", "--subject", SUBJECTS[2]).returncode == 0
    assert get(site, "member", own).status == 200


def test_a_new_server_key_leaves_tokens_alone(site, token):
    site.responder.stop()
    (site.responder.state / "server-key").unlink()
    site.responder.start()
    assert get(site, "member", token).status == 200


COMMANDS = re.findall(r"^```sh\n(.*?)^```$", (REPOSITORY / "docs/personal-tokens.md").read_text(), re.MULTILINE | re.DOTALL)
TOOLS = {"sudo": 'exec env "$@"', "linkedin-signin": 'exec "$PROGRAM" "$@" --settings-file "$SETTINGS"', "nginx": 'exec "$NGINX" "$@" -e log -c "$CONFIGURATION"'}


def test_the_documented_commands_work_as_written(site, tmp_path):
    site.member(4)
    for name, text in TOOLS.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{text}\n")
        (tmp_path / name).chmod(0o755)
    front = WebServer("nginx", tmp_path / "front", site.responder.socket, guard=["--location", "/private/", "--personal-tokens"])
    # The configuration is only read, so it can have the address of the site, whose own web server may be lighttpd.
    front.configuration.write_text(front.configuration.read_text().replace(str(front.port), str(site.port)))
    environment = {**surroundings(), "PROGRAM": str(BINARIES / "linkedin-signin")}
    environment["SETTINGS"] = str(site.responder.directory / "settings")
    environment |= {"NGINX": shutil.which("nginx", path=environment["PATH"]), "CONFIGURATION": str(front.configuration)}
    environment["PATH"] = f"{tmp_path}:{environment['PATH']}"
    outputs = []
    for command in COMMANDS:
        # Only the tool names the settings, because the installed program finds its own.
        text = command.replace(" --settings-file /etc/linkedin-signin/settings", "")
        text = text.replace("https://example.com/reports/", f"{site.url}/member/canary.txt").replace("/reports/", "/member/")
        text = text.replace("782bbtaQ", SUBJECTS[4]).replace("localhost", "127.0.0.1")
        done = subprocess.run(["bash", "-euo", "pipefail", "-c", text], cwd=tmp_path, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, f"{text}\n{done.stdout}{done.stderr}"
        outputs.append(done.stdout)
    assert outputs[1] == "" and outputs[2].encode() == canary("member")
    assert "backup" in outputs[3] and outputs[3].endswith("personal tokens revoked: 1\n")


@pytest.mark.parametrize("front", GUARDS)
def test_a_good_token_of_an_address_that_sends_unknown_tokens_is_not_called_invalid(directory, front):
    with accepting(directory, front) as site:
        site.member()
        good = made(site, SUBJECTS[1])
        unknown = [f"{good[:10]}{number:08d}{good[18:]}" for number in range(30)]
        assert {get(site, "member", token).status for token in unknown} == {401}
        answer = get(site, "member", good)
        assert (answer.status, answer.json["error"]) == (429, "too_many_unknown_tokens"), (answer.status, answer.text)
        assert 1 <= int(answer.header("Retry-After")) <= 60 and "not checked" in answer.json["error_description"]
        assert not answer.all("WWW-Authenticate") and not answer.header("Location")
        assert "reason=personal-token-limit" in log_lines(site, "personal-token-refused")[-1]

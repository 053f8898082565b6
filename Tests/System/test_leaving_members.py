"""One command ends everything that a member who leaves could still use, and no command hides what it leaves."""

import json
import re
import subprocess

import pytest

from harness.browser import SCRIPT
from harness.code_blocks import code_blocks
from harness.guarded import EMAILS, SUBJECTS
from harness.personal_tokens import accepting, bearer, made, tokens
from harness.process import BINARIES, REPOSITORY, surroundings, wait_until
from harness.tokens import sessions, without_store

pytestmark = pytest.mark.extended


@pytest.fixture(params=["files", "postgresql"])
def site(request, directory):
    settings = {}
    if request.param == "postgresql":
        settings["SIGNIN_STORE"] = request.getfixturevalue("database").address("signin")
    with accepting(directory, "nginx", settings=settings) as site:
        yield site


def is_signed_in(site, browser):
    return browser.get(site.url_of("member"), headers=SCRIPT).status == 200


def works(site, token):
    return site.browser().get(site.url_of("member"), headers=bearer(token)).status == 200


def has_ended(site, holds):
    """Files say so to the running program immediately, and a database within the default of SIGNIN_STORE_CACHE."""
    if "SIGNIN_STORE" in site.responder.settings:
        wait_until(lambda: not holds(), "the end", 5)
    return not holds()


def is_signed_out(site, browser):
    return has_ended(site, lambda: is_signed_in(site, browser))


def is_revoked(site, token):
    return has_ended(site, lambda: works(site, token))


def sh(command):
    """Runs a command as an operator pastes it."""
    environment = {**surroundings(), "PATH": f"{BINARIES}:{surroundings()['PATH']}"}
    return subprocess.run(["bash", "-euc", command], capture_output=True, text=True, env=environment, timeout=60)


def test_the_documented_command_ends_every_session_and_personal_token_of_somebody_who_leaves(site):
    page = (REPOSITORY / "docs/operate.md").read_text().partition("\n## When somebody leaves\n")[2].partition("\n## ")[0]
    [command] = [content for language, content in code_blocks(page) if language == "sh"]
    browsers, other = [site.member(), site.member()], site.member(2)
    own, kept = [made(site, SUBJECTS[1], name=name) for name in ("a", "b")], made(site, SUBJECTS[2])
    assert all(map(lambda browser: is_signed_in(site, browser), browsers)) and works(site, own[0])
    command = command.replace("sudo ", "").replace("member@example.com", EMAILS[1])
    done = without_store(sh(f"{command.strip()} --settings-file {site.responder.directory / 'settings'}"), site.responder)
    assert (done.returncode, done.stdout, done.stderr) == (0, "sessions removed: 2\npersonal tokens revoked: 2\n", "")
    assert all(is_signed_out(site, browser) for browser in browsers) and all(is_revoked(site, token) for token in own)
    assert is_signed_in(site, other) and works(site, kept)
    assert json.loads(tokens(site.responder, "list", "--json", "--subject", SUBJECTS[1]).stdout) == []


def test_ending_sessions_names_the_personal_tokens_that_are_left_and_the_command_that_revokes_them(site):
    for number, name in enumerate(("--subject", "--email", "id", "--all"), 1):
        browser, token = site.member(1), made(site, SUBJECTS[1])
        listed = json.loads(sessions(site.responder, "list", "--json").stdout)
        words = {"--subject": [name, SUBJECTS[1]], "--email": [name, EMAILS[1].upper()], "id": [listed[0]["id"]], "--all": [name]}
        done = sessions(site.responder, "revoke", *words[name])
        assert (done.returncode, done.stdout) == (0, "sessions removed: 1\n"), done
        assert is_signed_out(site, browser) and works(site, token), name
        said = re.fullmatch(r"linkedin-signin: personal tokens that still work: 1; to revoke them, run: (.*)\n", done.stderr)
        revoked = sh(said[1])
        assert (revoked.returncode, revoked.stdout) == (0, "personal tokens revoked: 1\n"), revoked
        assert is_revoked(site, token), name


@pytest.mark.parametrize("command", ["revoke", "forget"])
def test_ending_sessions_says_that_the_provider_still_accepts_their_tokens(site, command):
    words = ["--subject", SUBJECTS[1]]
    site.member(1)
    assert sessions(site.responder, command, *words).stderr == "", "without a revocation endpoint, nothing revokes tokens"
    site.responder.settings["SIGNIN_REVOCATION_ENDPOINT"] = "https://localhost:1/revoke"
    site.responder.write_settings()
    site.member(1)
    said = sessions(site.responder, command, *words).stderr
    assert re.fullmatch("linkedin-signin: sessions whose provider tokens are not revoked: 1; the provider accepts .*\n", said), said
    assert sessions(site.responder, command, *words).stderr.count("provider tokens") == 0, "no session ended"


@pytest.mark.parametrize("command", ["sessions revoke", "sessions forget", "tokens revoke"])
def test_a_member_who_never_had_a_session_is_found_by_the_address_of_a_personal_token(site, command):
    own = made(site, SUBJECTS[4], more=["--email", "Owner@example.com"])
    other = made(site, SUBJECTS[3], more=["--email", "other@example.com"])
    for name, words in (("address", ["--email", "owner@EXAMPLE.com"]), ("both", ["--email", "owner@example.com", "--subject", SUBJECTS[4]])):
        [row] = json.loads(tokens(site.responder, "list", "--json", *words).stdout)
        assert (row["subject"], row["email"]) == (SUBJECTS[4], "Owner@example.com"), name
    assert "Owner@example.com" in tokens(site.responder, "list").stdout
    assert "e-mail: Owner@example.com\n" in tokens(site.responder, "show", row["id"]).stdout
    group, verb = command.split()
    more = ["--everything"] if command == "sessions revoke" else []
    done = (sessions if group == "sessions" else tokens)(site.responder, verb, "--email", "OWNER@example.com", *more)
    assert done.returncode == 0 and re.search(r"personal tokens (revoked|removed): 1\n", done.stdout), done
    assert is_revoked(site, own) and works(site, other)
    assert not is_signed_in(site, site.browser())


def test_an_address_names_the_member_so_sessions_with_another_address_end_too(site):
    if "SIGNIN_STORE" in site.responder.settings:
        pytest.skip("the test changes a file")
    first, second, other = site.member(), site.member(), site.member(2)
    former = "former.address@example.com"
    assert len(former) == len(EMAILS[1])
    record = next(path for path in site.responder.sessions() if EMAILS[1].encode() in path.read_bytes())
    record.write_bytes(record.read_bytes().replace(EMAILS[1].encode(), former.encode(), 1))
    for address in (former, EMAILS[1]):
        assert len(json.loads(sessions(site.responder, "list", "--json", "--email", address).stdout)) == 2
    assert sessions(site.responder, "revoke", "--email", former).stdout == "sessions removed: 2\n"
    assert is_signed_out(site, first) and is_signed_out(site, second) and is_signed_in(site, other)


def test_a_subject_can_begin_with_a_hyphen(site):
    token = made(site, "-abc")
    said = sessions(site.responder, "revoke", "--subject", "-abc").stderr
    assert "tokens revoke --subject -abc " in said
    assert sh(said.partition("run: ")[2]).returncode == 0 and is_revoked(site, token)


UNKNOWN = [("--subject", "nobody"), ("--email", "nobody@example.com")]


@pytest.mark.parametrize("words", UNKNOWN, ids=" ".join)
def test_an_unknown_member_is_an_error_of_the_input(site, words):
    browser, token = site.member(), made(site, SUBJECTS[1])
    for run, command in ((sessions, "revoke"), (tokens, "revoke"), (sessions, "forget"), (sessions, "list"), (tokens, "list")):
        done = run(site.responder, command, *words)
        assert (done.returncode, done.stdout) == (65, ""), done
        sentence = f"linkedin-signin: no session and no personal token of a member with .* {words[1]} is stored\n"
        assert re.fullmatch(sentence, done.stderr), done
        if command == "list":
            done = run(site.responder, command, *words, "--json")
            assert (done.returncode, done.stdout, done.stderr) == (0, "[]\n", ""), done
        else:
            assert run(site.responder, command, *words, "--dry-run").returncode == done.returncode
    assert tokens(site.responder, "revoke", "0123456789").returncode == 65
    # A known member who has none of what the command ends.
    assert tokens(site.responder, "revoke", "--subject", SUBJECTS[1]).stdout == "personal tokens revoked: 1\n"
    done = tokens(site.responder, "revoke", "--subject", SUBJECTS[1])
    assert (done.returncode, done.stdout) == (0, "personal tokens revoked: 0\n")
    assert is_signed_in(site, browser) and is_revoked(site, token)


def test_a_dry_run_says_what_would_end_and_changes_nothing(site):
    browser, token = site.member(), made(site, SUBJECTS[1])
    issuer = site.responder.settings["SIGNIN_ISSUERS"]
    member = f"member: {SUBJECTS[1]} of {issuer}\n"
    [row] = json.loads(tokens(site.responder, "list", "--json").stdout)
    expected = {
        ("revoke", "--email", EMAILS[1], "--everything"): f"{member}sessions to remove: 1\npersonal tokens to revoke: 1\n",
        ("revoke", "--subject", SUBJECTS[1]): f"{member}sessions to remove: 1\n",
        ("revoke", "--all", "--everything"): "sessions to remove: 1\npersonal tokens to revoke: 1\n",
        ("forget", "--email", EMAILS[1]): f"{member}sessions to remove: 1\npersonal tokens to remove: 1\n",
    }
    for words, text in expected.items():
        done = sessions(site.responder, *words, "--dry-run")
        assert (done.returncode, done.stdout) == (0, text), done
    for words in (["--email", EMAILS[1]], [row["id"][:8]]):
        assert tokens(site.responder, "revoke", *words, "--dry-run").stdout == f"{member}personal tokens to revoke: 1\n"
    assert is_signed_in(site, browser) and works(site, token)
    members = [{"subject": SUBJECTS[1], "issuer": issuer}]
    words = ["revoke", "--email", EMAILS[1], "--json"]
    plan = json.loads(sessions(site.responder, *words, "--dry-run").stdout)
    assert plan == {"dry_run": True, "members": members, "sessions": 1, "personal_tokens": 0, "personal_tokens_left": 1}
    assert json.loads(sessions(site.responder, *words).stdout) == {**plan, "dry_run": False}
    assert is_signed_out(site, browser) and works(site, token)
    done = json.loads(tokens(site.responder, "revoke", "--all", "--json").stdout)
    assert done == {"dry_run": False, "members": None, "sessions": 0, "personal_tokens": 1, "personal_tokens_left": 0}

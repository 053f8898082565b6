"""A state directory and a database belong to one site: nothing acts on them with the settings of another site."""

import json

import pytest

from harness.guarded import SUBJECTS
from harness.machines import MAKE_KEY, command, documented
from harness.personal_tokens import accepting, made, tokens
from test_help import COMMANDS as ALL_COMMANDS

OTHER = "https://b.example"
MEMBER = ["--subject", SUBJECTS[1]]
# Each command that uses the store.
COMMANDS = {
    "serve": ["serve"],
    "check": ["check"],
    "doctor": ["doctor", "--json"],
    "list": ["sessions", "list"],
    "show": ["sessions", "show", "{session}"],
    "count": ["sessions", "count"],
    "revoke": ["sessions", "revoke", *MEMBER],
    "forget": ["sessions", "forget", *MEMBER],
    "sweep": ["sessions", "sweep"],
    "import": ["sessions", "import"],
    "token list": ["tokens", "list"],
    "token show": ["tokens", "show", "{token}"],
    "token create": ["tokens", "create", *MEMBER, "--name", "other", "--location", "/", "--expires-after", "1d"],
    "token revoke": ["tokens", "revoke", "{token}"],
    "rotate": ["key", "rotate"],
    "to database": ["store", "copy", "--to", "database"],
    "last to database": ["store", "copy", "--to", "database", "--finish"],
    "to files": ["store", "copy", "--to", "files", "--finish"],
    "migrate": ["store", "migrate"],
    "adopt": ["store", "adopt", "--from", "https://c.example"],
}


GROUPS = {"sessions", "tokens", "store", "key"}
WITHOUT_STORE = {"print-config", "print-settings", "print-templates", "preview"}


def test_the_table_has_every_command_that_uses_the_store():
    named = {words[0] if words[0] not in GROUPS else " ".join(words[:2]) for words in COMMANDS.values()}
    assert named == {*ALL_COMMANDS} - GROUPS - WITHOUT_STORE


def content(responder, database):
    """Everything in the state directory and in the database."""
    files = {path: path.read_bytes() for path in responder.state.rglob("*") if path.is_file()}
    tables = database.run("SELECT tablename FROM pg_tables WHERE schemaname = 'linkedin_signin'", database="signin")
    return files, {table: database.run(f"SELECT * FROM linkedin_signin.{table}", database="signin") for table in tables}


@pytest.mark.parametrize("place", ["state directory", "database"])
def test_no_command_uses_the_store_of_another_site(directory, database, place):
    documented(MAKE_KEY, database, directory)
    stored = {"SIGNIN_STORE": database.address("signin"), "SIGNIN_STORE_KEY_FILE": str(directory / "store-key")}
    in_database = place == "database"
    with accepting(directory, "nginx", settings=stored if in_database else {}) as site:
        responder, owner, browser = site.responder, site.url, site.member()
        made(site, SUBJECTS[1])
        listed = tokens(responder, "list", "--json")
        ids = {"token": json.loads(listed.stdout)[0]["id"]}
        ids["session"] = json.loads(command(responder.settings, "sessions", "list", "--json").stdout)[0]["id"]
        responder.stop()
        other = {**responder.settings, "SIGNIN_BASE_URL": OTHER}
        if in_database:
            other["SIGNIN_STATE_DIRECTORY"] = str(directory / "other")
            (directory / "other").mkdir(mode=0o700)
        path = place if in_database else f"{place} {responder.state}"
        advice = (
            f"is {OTHER}; if this site had the address {owner} before, run: linkedin-signin store adopt "
            f"--from {owner} --settings-file FILE. Otherwise, the {path} belongs to {owner}"
        )
        before, passed = content(responder, database), {}
        for name, words in COMMANDS.items():
            # Only the database matters to this command.
            if name == "migrate" and not in_database:
                continue
            settings = {**other, **stored} if words[0] == "store" and name != "adopt" else other
            done = command(settings, *(word.format(**ids) for word in words), input="token\n", timeout=30)
            said = f"the {path} belongs to {owner}, not to https://c.example" if name == "adopt" else advice
            status = {"adopt": 65, "doctor": 2}.get(name, 78)
            if done.returncode != status or said not in done.stdout + done.stderr:
                passed[name] = done
        assert passed == {} and content(responder, database) == before
        done = command(other, "store", "adopt", "--from", owner)
        assert (done.returncode, done.stdout) == (0, f"the {path} belongs to {OTHER} now\n"), done.stderr
        counted = command(other, "sessions", "count")
        assert counted.returncode == 0 and counted.stdout.startswith("sessions: 1\n"), counted
        assert command(responder.settings, "sessions", "count").returncode == 78
        assert command(responder.settings, "store", "adopt", "--from", OTHER).returncode == 0
        responder.start()
        assert site.is_signed_in(browser)

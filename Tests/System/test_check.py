"""What `check` reports outside the settings: the state directory, the socket's group, the lists of a rule."""

import os
import re
import subprocess

import pytest

from harness.process import BINARIES, Process
from harness.responder import provider

NOBODY = 65534
# Permissions do not limit root, so tests of permissions run as nobody if the tests run as root.
AS_NOBODY = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"] if os.geteuid() == 0 else []
AS_ANYBODY = []


def settings(directory, **more):
    return {
        "PATH": "/usr/bin:/bin",
        **provider("http://127.0.0.1:9"),
        "LINKEDIN_CLIENT_ID": "demo",
        "LINKEDIN_CLIENT_SECRET": "canary-secret",
        "SIGNIN_BASE_URL": "http://localhost:8080",
        "SIGNIN_STATE_DIRECTORY": str(directory / "state"),
        "SIGNIN_LISTEN": f"unix:{directory}/socket",
        **more,
    }


def run(command, environment, *options, prefix=()):
    line = [*prefix, BINARIES / "linkedin-signin", command, *options]
    return subprocess.run(line, capture_output=True, text=True, env=environment, timeout=20)


def check(directory, *options, prefix=(), **more):
    done = run("check", settings(directory, **more), *options, prefix=prefix)
    assert "canary" not in done.stdout + done.stderr
    return done.returncode, done.stderr, [line for line in done.stdout.splitlines() if line.startswith(("note: ", "warning: "))]


def about_state(lines):
    return [line for line in lines if "SIGNIN_STATE_DIRECTORY" in line]


def a_file(state):
    state.touch()


def a_link_to_nothing(state):
    state.symlink_to(state.with_name("gone"))


def open_to_a_group(state):
    state.mkdir()
    state.chmod(0o750)


def open_part(state):
    state.mkdir(mode=0o700)
    (state / "kept").mkdir()
    (state / "kept").chmod(0o755)


def open_key(state):
    state.mkdir(mode=0o700)
    (state / "server-key").write_text("canary\n")
    (state / "server-key").chmod(0o644)


def a_key_that_is_none(state):
    open_key(state)
    (state / "server-key").chmod(0o600)


def not_writable(state):
    state.mkdir(mode=0o500)


# The state directory, the expected finding, and the user who runs check.
UNUSABLE = {
    "file": (a_file, "is not a directory", AS_ANYBODY),
    "link": (a_link_to_nothing, "symbolic link", AS_ANYBODY),
    "group": (open_to_a_group, "mode 750", AS_ANYBODY),
    "part": (open_part, "/state/kept is open", AS_ANYBODY),
    "key": (open_key, "mode 644", AS_ANYBODY),
    "key-text": (a_key_that_is_none, "/state/server-key is not a key; ", AS_ANYBODY),
    "read-only": (not_writable, "is not writable", AS_NOBODY),
    "not-creatable": (lambda state: state.parent.chmod(0o555), "does not exist, and user", AS_NOBODY),
}


@pytest.fixture
def place(directory):
    """A directory that the user who runs check can enter."""
    directory.chmod(0o755)
    (directory / "place").mkdir(mode=0o755)
    return directory / "place"


def give(prefix, *paths):
    for path in paths:
        if prefix and path.exists():
            os.chown(path, NOBODY, NOBODY)


@pytest.mark.parametrize("kind", UNUSABLE)
def test_an_unusable_state_directory_is_an_error(place, kind):
    make, words, prefix = UNUSABLE[kind]
    make(place / "state")
    give(prefix, place, place / "state")
    before = sorted(place.rglob("*"))
    status, errors, _ = check(place, prefix=prefix)
    assert status == 78 and len(about_state(errors.splitlines())) == 1 and words in errors, errors
    assert sorted(place.rglob("*")) == before, "check creates nothing"
    served = run("serve", settings(place), prefix=prefix)
    assert served.returncode == 69, served.stderr


def test_the_parent_of_the_state_directory_must_exist(place):
    status, errors, _ = check(place, SIGNIN_STATE_DIRECTORY=f"{place}/no/state")
    assert status == 78 and "/no/state does not exist; run: install -d -o " in errors


def test_the_state_directory_is_checked_even_if_a_setting_is_wrong(place):
    a_file(place / "state")
    status, errors, _ = check(place, SIGNIN_WORKERS="none")
    assert status == 78 and "SIGNIN_WORKERS" in errors and about_state(errors.splitlines())


def test_a_state_directory_that_serve_will_create_is_noted(place):
    status, errors, notes = check(place)
    assert (status, errors) == (0, "")
    assert len(about_state(notes)) == 1 and "does not exist yet" in about_state(notes)[0]
    assert not (place / "state").exists()


def test_a_state_directory_that_serve_created_has_no_findings(place):
    (place / "state").mkdir(mode=0o700)
    assert about_state(check(place)[2]) == []
    (place / "link").symlink_to(place / "state")
    assert about_state(check(place, SIGNIN_STATE_DIRECTORY=f"{place}/link/")[2]) == []
    for part in ("sessions", "spent", "kept", "tokens"):
        (place / "state" / part).mkdir(mode=0o700)
    status, errors, notes = check(place)
    assert (status, errors, about_state(notes)) == (0, "", [])


def test_used_sign_ins_are_counted(place):
    shard = place / "state/spent/ab"
    shard.mkdir(parents=True)
    for directory in (place / "state", place / "state/spent", shard):
        directory.chmod(0o700)
    assert not [note for note in check(place)[2] if "SIGNIN_SPENT_STATES" in note]
    for number in range(3):
        (shard / f"{number:030x}").touch()
    (shard / "README").touch()
    notes = [note for note in check(place, SIGNIN_SPENT_STATES="1000")[2] if "SIGNIN_SPENT_STATES" in note]
    assert notes == ["note: SIGNIN_SPENT_STATES: the store has 3 used states, of at most 1000"]
    status, errors, _ = check(place, SIGNIN_SPENT_STATES="99")
    assert status == 78 and "SIGNIN_SPENT_STATES" in errors


def given_away(key):
    os.chown(key, NOBODY, NOBODY)


def a_directory(key):
    key.unlink()
    key.mkdir()


def a_link(key):
    key.rename(key.with_name("elsewhere"))
    key.symlink_to("elsewhere")


# What becomes of the server key file, what is said of it, and whom serve runs as.
KEYS = {
    "mode": (lambda key: key.chmod(0o640), "is open to other users (mode 640)", AS_ANYBODY),
    "text": (lambda key: key.write_text("canary\n"), "is not a key", AS_ANYBODY),
    "empty": (lambda key: key.write_text(""), "is empty", AS_ANYBODY),
    "large": (lambda key: key.write_text("canary\n" * 999), "is not a small regular file", AS_ANYBODY),
    "directory": (a_directory, "is not a small regular file", AS_ANYBODY),
    "link": (a_link, "is not a small regular file", AS_ANYBODY),
    "unreadable": (lambda key: key.chmod(0), "user nobody cannot read the server key file", AS_NOBODY),
}
if os.geteuid() == 0:
    KEYS["owner"] = (given_away, "belongs to user nobody, not to user root", AS_ANYBODY)
    KEYS["root's"] = (lambda key: os.chown(key, 0, 0), "user nobody cannot read the server key file", AS_NOBODY)


def starts(place, prefix=(), **more):
    """Whether serve begins to listen; it is ended again."""
    with Process("serve", [*prefix, BINARIES / "linkedin-signin", "serve"], place.parent, settings(place, **more)) as process:
        process.wait_for_listener(place / "socket")
        return process.stop() == 0


@pytest.mark.parametrize("kind", KEYS)
def test_command_for_a_server_key_file_that_serve_cannot_use_repairs_it(place, kind):
    change, words, prefix = KEYS[kind]
    give(prefix, place)
    key = place / "state/server-key"
    assert starts(place, prefix) and key.exists()
    change(key)
    served = run("serve", settings(place), prefix=prefix)
    assert served.returncode == 69 and str(key) in served.stderr and words in served.stderr, served.stderr
    (command,) = re.findall(r"; run: (.*)$", served.stderr, re.MULTILINE)
    status, errors, _ = check(place, prefix=prefix)
    assert status == 78 and errors.endswith(f"; run: {command}\n"), errors
    subprocess.run(["sh", "-c", command], check=True)
    assert check(place, prefix=prefix)[:2] == (0, "") and starts(place, prefix)


@pytest.fixture
def accounts(place):
    """Runs a command that finds copies of the system's files in /etc, and changes the copies."""
    copy = place.parent / "etc"
    subprocess.run(["cp", "-a", "/etc", copy], check=True)
    return ["unshare", "--mount", "sh", "-c", 'mount --bind "$0" /etc && exec "$@"', copy]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can add users")
@pytest.mark.parametrize("name", ["SIGNIN_SOCKET_GROUP", "SIGNIN_ALLOWED_USERS"])
def test_command_for_an_account_that_does_not_exist_creates_it(place, accounts, name):
    more = {name: "web-people", "PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}
    served = run("serve", settings(place, **more), prefix=accounts)
    assert served.returncode == 78 and f"{name}: cannot" in served.stderr and "there is no such" in served.stderr, served.stderr
    (command,) = re.findall(r"correct the name\. If the name is right, create the \w+: (.*)\)$", served.stderr, re.MULTILINE)
    status, errors, _ = check(place, prefix=accounts, **more)
    assert status == 78 and name in errors and errors.endswith(f": {command})\n"), errors
    subprocess.run([*accounts, "sh", "-c", command], check=True)
    assert check(place, prefix=accounts, **more)[:2] == (0, "") and starts(place, accounts, **more)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a directory away")
def test_root_finds_a_key_file_that_the_user_of_the_directory_cannot_read(place):
    (place / "state").mkdir(mode=0o700)
    assert starts(place)
    give(AS_NOBODY, place / "state", *(place / "state").rglob("*"))
    os.chown(place / "state/server-key", 0, 0)
    status, errors, _ = check(place)
    assert status == 78 and "belongs to user root, not to user nobody; run: chown nobody " in errors


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a directory away")
def test_root_checks_on_behalf_of_the_owner_of_the_state_directory(place):
    (place / "state").mkdir(mode=0o700)
    os.chown(place / "state", NOBODY, NOBODY)
    status, errors, notes = check(place)
    assert (status, errors) == (0, "")
    assert "nobody: serve must run as that user" in about_state(notes)[0]
    (place / "state" / "sessions").mkdir(mode=0o700)
    status, errors, _ = check(place)
    assert status == 78 and "belongs to user root, not to user nobody; run: chown -R nobody " in errors, "root left something behind"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount")
def test_a_directory_that_systemd_gives_to_the_service_is_not_noted(place):
    state = "/var/lib/private/site"
    give = f"mount -t tmpfs none /var/lib && mkdir /var/lib/private && install -d -m 700 -o nobody {state} && exec \"$@\""
    prefix = ["unshare", "--mount", "sh", "-c", give, "sh"]
    status, errors, notes = check(place, prefix=prefix, SIGNIN_STATE_DIRECTORY=state)
    assert (status, errors, about_state(notes)) == (0, "", [])


LISTENING = {
    "own-group": ({}, True),
    "group": ({"SIGNIN_SOCKET_GROUP": "www-data"}, False),
    "everybody": ({"SIGNIN_SOCKET_MODE": "0666"}, False),
    "default": ({"SIGNIN_LISTEN": ""}, True),
    "inherited": ({"SIGNIN_LISTEN": "inherited"}, False),
    "tcp": ({"SIGNIN_LISTEN": "tcp:127.0.0.1:9000"}, False),
}


@pytest.mark.parametrize("listening", LISTENING)
def test_a_socket_the_web_server_cannot_reach_is_noted_once(place, listening):
    more, is_noted = LISTENING[listening]
    status, errors, notes = check(place, **more)
    assert (status, errors) == (0, "")
    found = [note for note in notes if "SIGNIN_SOCKET_GROUP" in note]
    assert len(found) == is_noted
    if is_noted:
        path = f"{place}/socket" if listening == "own-group" else "/run/linkedin-signin/socket"
        assert path in found[0] and "usermod -aG GROUP www-data" in found[0]
        assert ("systemd" in found[0]) == (listening == "default")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount")
def test_with_the_socket_unit_the_default_socket_is_not_noted(place):
    unit = ["unshare", "--mount", "sh", "-c", 'mount -t tmpfs none /etc/systemd/system && touch /etc/systemd/system/linkedin-signin.socket && exec "$@"', "sh"]
    status, errors, notes = check(place, prefix=unit, SIGNIN_LISTEN="")
    assert (status, errors) == (0, "") and not [note for note in notes if "SIGNIN_SOCKET_GROUP" in note]
    assert [note for note in check(place, prefix=unit)[2] if "SIGNIN_SOCKET_GROUP" in note]


def test_a_list_with_restricted_permissions_is_noted(place):
    allowed, denied = place / "allowed", place / "denied"
    for file, mode in ((allowed, 0o640), (denied, 0o644)):
        file.write_text("email=a@example.com\n")
        file.chmod(mode)
    rules = ["--require", f"allow={allowed} deny={denied}", "--require", f"deny={place}/missing"]
    status, errors, notes = check(place, *rules[:2])
    assert (status, errors) == (0, "")
    assert [note for note in notes if str(allowed) in note and "serve runs as" in note]
    assert not [note for note in notes if str(denied) in note]
    allowed.chmod(0o644)
    assert not [note for note in check(place, *rules[:2])[2] if str(allowed) in note]
    status, errors, notes = check(place, *rules)
    assert status == 78 and f"{place}/missing" in errors and not [note for note in notes if "missing" in note]


@pytest.mark.parametrize(
    "name, value",
    [
        ("SIGNIN_SOCKET_GROUP", "no-such-group"),
        ("SIGNIN_ALLOWED_USERS", "root,no-such-user"),
        ("SIGNIN_CA_FILE", "/no/such/file.pem"),
        ("SIGNIN_CA_FILE", "/etc/hostname"),
    ],
)
def test_an_unknown_user_or_group_is_an_error(directory, name, value):
    status, errors, _ = check(directory, **{name: value})
    assert status == 78 and name in errors, errors
    assert run("serve", settings(directory, **{name: value})).returncode in (69, 78)


def test_a_socket_open_to_every_user_is_noted(directory):
    assert not [line for line in check(directory)[2] if "SIGNIN_SOCKET_MODE" in line]
    assert [line for line in check(directory, SIGNIN_SOCKET_MODE="0666")[2] if "SIGNIN_SOCKET_MODE" in line]


def test_a_socket_in_a_missing_directory_is_noted(directory):
    status, _, notes = check(directory, SIGNIN_LISTEN=f"unix:{directory}/none/socket")
    assert status == 0 and [line for line in notes if f"{directory}/none" in line]


def test_a_rule_that_no_member_can_meet_is_rejected(directory):
    rule = "email-domain=example.com"
    assert check(directory, "--require", rule)[0] == 0
    status, errors, _ = check(directory, "--require", rule, "--require", "member", LINKEDIN_PRODUCT="v1", LINKEDIN_CLIENT_ID="a")
    words = f"linkedin-signin: SIGNIN_REQUIRE “{rule}”: nobody can meet email-domain=, because LINKEDIN_PRODUCT=v1 gives no"
    found = [line for line in errors.splitlines() if "SIGNIN_REQUIRE" in line]
    assert status == 78 and len(found) == 1 and found[0].startswith(words)


ADDRESSES = "email=a@example.com\nemail-domain=example.com  # Both.\n"
LISTS = {
    "allow": (ADDRESSES, "allow", "nobody can meet allow={}, because all its entries name e-mail addresses or domains, and"),
    "deny": (ADDRESSES, "deny", "deny={} rejects nobody, because all its entries name e-mail addresses or domains, and"),
    "mixed": (ADDRESSES + "subject=A\n", "allow", "2 of 3 entries of {} name e-mail addresses or domains and have no effect,"),
    "subjects": ("subject=A\n", "allow", None),
    "empty": ("# nobody\n", "deny", None),
}


@pytest.mark.parametrize("kind", LISTS)
def test_list_of_addresses_that_the_product_does_not_give_is_found(place, kind):
    text, condition, words = LISTS[kind]
    (place / "list").write_text(text)
    rule = f"{condition}={place}/list"
    assert [line for line in check(place, "--require", rule)[2] if str(place / "list") in line] == []
    status, errors, notes = check(place, "--require", rule, LINKEDIN_PRODUCT="v1", LINKEDIN_CLIENT_ID="a")
    found = [line for line in errors.splitlines() + notes if str(place / "list") in line]
    assert len(found) == (words is not None)
    if words:
        start = "note: " if kind == "mixed" else f"linkedin-signin: SIGNIN_REQUIRE “{rule}”: "
        assert found[0].startswith(start + words.format(place / "list")), found
        assert "LINKEDIN_PRODUCT=v1 gives no verified e-mail address" in found[0]


def test_a_product_without_profile_links_is_noted(place):
    """Uses the default of the setting, openid; the endpoints in `settings` are for another product."""
    least = {name: value for name, value in settings(place).items() if name.startswith(("LINKEDIN_CLIENT", "SIGNIN_BASE"))}
    for product, is_noted in (("openid", True), ("verified", False)):
        environment = {**least, "LINKEDIN_PRODUCT": product, "SIGNIN_STATE_DIRECTORY": str(place / "state")}
        done = run("check", environment)
        assert done.returncode == 0, done.stderr
        assert ("for links, add the product" in done.stdout) == is_noted


@pytest.mark.parametrize("kind", ["mode", "owner"])
def test_a_directory_of_other_programs_gets_no_new_owner_and_no_new_mode(place, kind):
    """Such as SIGNIN_STATE_DIRECTORY=/var/lib."""
    state = place / "state"
    state.mkdir(mode=0o755)
    (state / "other-program").mkdir()
    if kind == "owner" and os.geteuid() == 0:
        os.chown(state, NOBODY, NOBODY)
    done = run("serve", settings(place))
    assert done.returncode == 69 and "and has files of other programs; use a directory that only this site uses" in done.stderr, done.stderr
    status, errors, _ = check(place)
    assert status == 78 and "use a directory that only this site uses" in errors and "; run: " not in done.stderr + errors

"""Settings: the printed settings file, wrong values, and files that others can read."""

import os
import re
import subprocess

import pytest

from harness.process import BINARIES, surroundings
from harness.responder import Responder, provider


SETTING = re.compile(r"^#?((?:LINKEDIN|SIGNIN)_[A-Z_]+)=(.*)$", re.MULTILINE)
NAME = re.compile(r"\b((?:LINKEDIN|SIGNIN)_[A-Z_]+[A-Z])\b")


def settings_example():
    command = [BINARIES / "linkedin-signin", "print-settings", "--as-file"]
    text = subprocess.run(command, check=True, capture_output=True, text=True, env=surroundings()).stdout
    assert max(map(len, text.splitlines())) <= 120
    return SETTING.findall(text)


def check(directory, lines):
    file = directory / "settings"
    file.touch(mode=0o600)
    file.write_text("".join(f"{name}={value}\n" for name, value in lines.items()))
    # The environment of the tests must not add settings.
    command = [BINARIES / "linkedin-signin", "check", "--settings-file", file]
    done = subprocess.run(command, capture_output=True, text=True, env={"PATH": "/usr/bin:/bin"})
    return done.returncode, done.stdout + done.stderr


def least(directory):
    return {
        **provider("http://127.0.0.1:9"),
        "LINKEDIN_CLIENT_ID": "demo",
        "LINKEDIN_CLIENT_SECRET": "canary-secret",
        "SIGNIN_BASE_URL": "http://localhost:8080",
        "SIGNIN_STATE_DIRECTORY": str(directory / "state"),
    }


def test_settings_example_contains_every_setting_once(directory):
    status, text = check(directory, least(directory))
    assert status == 0, text
    names = [name for name, _ in settings_example()]
    assert len(names) == len(set(names))
    assert set(names) == set(NAME.findall(text))


def test_settings_example_shows_the_defaults(directory):
    defaults = {name: value for name, value in settings_example() if value}
    # The text after # is the origin of a value, which differs.
    implied, written = (
        [line.split("  #")[0] for line in check(directory, lines)[1].splitlines()]
        for lines in (least(directory), {**defaults, **least(directory)})
    )
    assert implied == written


def test_check_prints_no_secret(directory):
    assert "canary" not in check(directory, least(directory))[1]


WRONG = [
    {"LINKEDIN_CLIENT_ID": ""},
    {"LINKEDIN_CLIENT_SECRET": ""},
    {"LINKEDIN_PRODUCT": "premium"},
    {"SIGNIN_BASE_URL": ""},
    {"SIGNIN_BASE_URL": "http://example.com"},
    {"SIGNIN_BASE_URL": "ftp://localhost"},
    {"SIGNIN_TOKEN_ENDPOINT": "http://example.com/token"},
    {"LINKEDIN_PRODUCT": "basic-profile"},  # SIGNIN_JWKS_URI has no effect with it
    {"SIGNIN_LISTEN": "somewhere"},
    {"SIGNIN_SOCKET_MODE": "rw"},
    {"SIGNIN_SESSION_LIFETIME": "soon"},
    {"SIGNIN_SESSION_LIFETIME": "-1d"},
    {"SIGNIN_MAX_BODY": "0"},
    {"SIGNIN_WORKERS": "none"},
    {"SIGNIN_SESION_LIFETIME": "1d"},
    {"LINKEDIN_CLIENT_SECRET_FILE": "/nonexistent"},
    {"SIGNIN_ALLOWED_USERS": ","},
]


@pytest.mark.parametrize("change", WRONG, ids=[f"{name}-{value}" for each in WRONG for name, value in each.items()])
def test_a_wrong_setting_stops_the_start(directory, change):
    status, text = check(directory, {**least(directory), **change})
    assert status == 78, text
    assert next(iter(change)) in text and "canary" not in text


def test_a_secret_file_readable_by_others_is_rejected(directory):
    secret = directory / "secret"
    secret.write_text("canary-secret\n")
    secret.chmod(0o644)
    lines = {**least(directory), "LINKEDIN_CLIENT_SECRET_FILE": str(secret)}
    del lines["LINKEDIN_CLIENT_SECRET"]
    status, text = check(directory, lines)
    assert status == 78 and "LINKEDIN_CLIENT_SECRET_FILE" in text
    assert "is not set" not in text, "one cause has one message"
    secret.chmod(0o600)
    assert check(directory, lines)[0] == 0


@pytest.mark.parametrize("kind", ["secret", "settings"])
def test_a_secret_file_readable_by_its_group_is_a_warning(directory, kind):
    secret = directory / "secret"
    secret.write_text("canary-secret\n")
    secret.chmod(0o600)
    lines = least(directory)
    if kind == "secret":
        lines["LINKEDIN_CLIENT_SECRET_FILE"] = str(secret)
        del lines["LINKEDIN_CLIENT_SECRET"]
    status, text = check(directory, lines)
    assert status == 0 and f"warning: {directory / kind} " not in text
    (directory / kind).chmod(0o640)
    status, text = check(directory, lines)
    assert status == 0 and f"warning: {directory / kind} " in text and "canary" not in text


def test_all_wrong_settings_are_reported_together(directory):
    wrong = {"LINKEDIN_CLIENT_ID": "", "SIGNIN_BASE_URL": "", "SIGNIN_LISTEN": "x"}
    status, text = check(directory, {**least(directory), **wrong})
    assert status == 78
    assert set(wrong) <= set(NAME.findall(text))


UNREADABLE = {
    "missing": (lambda path: None, "does not exist"),
    "directory": (lambda path: path.mkdir(), "is a directory"),
    "utf-16": (lambda path: path.write_text("SIGNIN_WORKERS=2\n", encoding="utf-16"), "UTF-16"),
    "latin-1": (lambda path: path.write_bytes(b"A=1\nSIGNIN_CONTACT=Zo\xeb\n"), "line 2 is not valid UTF-8"),
}


@pytest.mark.parametrize("kind", UNREADABLE)
def test_an_unreadable_settings_file_is_reported_with_its_cause(directory, kind):
    make, words = UNREADABLE[kind]
    path = directory / "settings"
    make(path)
    command = [BINARIES / "linkedin-signin", "check", "--settings-file", path]
    done = subprocess.run(command, env=surroundings(), capture_output=True, text=True, timeout=20)
    assert done.returncode == 78 and f"linkedin-signin: {path}: " in done.stderr and words in done.stderr


def test_a_settings_file_with_a_secret_that_others_can_read_is_rejected(directory):
    responder = Responder(directory / "r", "http://localhost:8080", "http://127.0.0.1:9")
    with responder:
        pass
    settings = responder.directory / "settings"
    settings.chmod(0o604)
    responder.launch()
    assert responder.process.child.wait(5) == 78
    assert "chmod o=" in responder.log and "demo-secret" not in responder.log
    settings.chmod(0o640)
    with responder:
        pass
    # A settings file without a secret may be readable by everyone.
    secret = directory / "secret"
    secret.touch(mode=0o600)
    secret.write_text(responder.settings.pop("LINKEDIN_CLIENT_SECRET"))
    responder.settings["LINKEDIN_CLIENT_SECRET_FILE"] = str(secret)
    settings.chmod(0o644)
    with responder:
        assert responder.ask("/").status == 200


def test_a_secret_that_is_not_set_is_reported_with_what_to_do(directory):
    lines = least(directory)
    del lines["LINKEDIN_CLIENT_SECRET"]
    status, text = check(directory, lines)
    words = "LINKEDIN_CLIENT_SECRET: is not set: name the file that contains it in LINKEDIN_CLIENT_SECRET_FILE"
    assert status == 78 and words in text


def test_an_empty_systemd_credential_is_reported_with_what_to_do(directory):
    """The units give an empty credential if the operator has not written the file."""
    (directory / "linkedin-client-secret").touch(mode=0o400)
    responder = Responder(directory / "r", "http://localhost:8080", "http://127.0.0.1:9", {"LINKEDIN_CLIENT_SECRET": None})
    responder.wrapper = ["env", f"CREDENTIALS_DIRECTORY={directory}"]
    responder.launch()
    assert responder.process.child.wait(5) == 78
    words = "LINKEDIN_CLIENT_SECRET: is not set: the systemd credential linkedin-client-secret is empty; write the value into the file"
    assert responder.log.count("LINKEDIN_CLIENT_SECRET") == 1 and words in responder.log
    responder.settings["LINKEDIN_CLIENT_SECRET"] = "demo-secret"
    with responder:
        pass


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can run a command as another user")
def test_the_command_for_a_settings_file_that_a_user_cannot_read_keeps_its_owner(directory):
    directory.chmod(0o755)
    path = directory / "settings"
    path.touch(mode=0o600)
    as_nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    command = [*as_nobody, BINARIES / "linkedin-signin", "print-config", "nginx", "--settings-file", path]
    done = subprocess.run(command, env=surroundings(), capture_output=True, text=True, timeout=20)
    assert done.returncode == 78
    (repair,) = re.findall(r"is not readable by user nobody; run: (.*)$", done.stderr, re.MULTILINE)
    subprocess.run(["sh", "-c", repair], check=True)
    assert path.stat().st_uid == 0 and path.stat().st_mode & 0o777 == 0o640
    again = subprocess.run(command, env=surroundings(), capture_output=True, text=True, timeout=20)
    assert "is not readable" not in again.stderr
    # A person must not take the file from the group of the service.
    command[1:3] = ["--reuid=1500", "--regid=1500"]
    done = subprocess.run(command, env=surroundings(), capture_output=True, text=True, timeout=20)
    assert f"{path}: is not readable by user 1500 (an ID without a name on this machine); use sudo\n" in done.stderr, done.stderr


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("SIGNIN_IDLE_LIMIT", "30", "“30” is not a time from 1m to 365d, such as 12h; a number without a unit means seconds"),
        ("SIGNIN_CONNECT_TIMEOUT", "5 s", "“5 s” is not a time from 1s to 1m, such as 30s"),
        ("SIGNIN_PERSONAL_TOKENS", "90", "such as 1d; a number without a unit means seconds"),
        ("SIGNIN_PERSONAL_TOKENS", "yes", "SIGNIN_PERSONAL_TOKENS: “yes” is neither off nor a time from 1d to 365d, such as 1d; a "),
        ("SIGNIN_CA_FILE", "{0}/authority.der", "it looks like DER, so run: openssl x509 -inform der -in {0}/authority.der -out"),
        ("SIGNIN_EXTRA_CA_FILE", "{0}/settings", "contains no PEM certificate, which has a line -----BEGIN CERTIFICATE-----"),
        ("SIGNIN_CA_FILE", "{0}/nowhere", "“{0}/nowhere” does not exist: restore this file"),
    ],
)
def test_the_message_about_a_wrong_value_has_an_example_or_a_command(name, value, words, directory):
    (directory / "authority.der").write_bytes(b"\x30\x82")
    status, text = check(directory, {**least(directory), name: value.format(directory)})
    assert status == 78 and f"{name}: " in text and words.format(directory) in text, text


@pytest.mark.parametrize("rule", ["email-domain = example.com", "email-domain =example.com", "email-domain= example.com"])
def test_the_message_about_spaces_in_a_condition_says_to_remove_them(rule, directory):
    command = [BINARIES / "linkedin-signin", "check", "--quiet", "--require", rule]
    done = subprocess.run(command, capture_output=True, text=True, env={"PATH": "/usr/bin:/bin", **least(directory)})
    words = "and write no space after =" if "n=" in rule else "write email-domain=VALUE, without spaces around ="
    assert done.returncode == 78 and words in done.stderr, done.stderr


@pytest.mark.parametrize("others", [False, True], ids=["alone", "with-another"])
@pytest.mark.parametrize("product", ["openid", "verified", "basic-profile", "v1"])
def test_an_address_as_subject_in_a_list_is_an_error_unless_the_product_of_linkedin_gives_addresses(product, others, directory):
    blocked, providers = directory / "blocked", directory / "providers"
    blocked.write_text("subject=google::1084\n" * others + "subject=https://www.linkedin.com/in/ada\n")
    lines = {name: value for name, value in least(directory).items() if name not in provider("")} | {"LINKEDIN_PRODUCT": product}
    if others:
        providers.mkdir()
        (providers / "google").touch(mode=0o600)
        (providers / "google").write_text("PROVIDER_ISSUER=https://accounts.google.com\nPROVIDER_CLIENT_ID=a\nPROVIDER_CLIENT_SECRET=b\n")
        lines["SIGNIN_PROVIDERS"] = str(providers)
    command = [BINARIES / "linkedin-signin", "check", "--require", f"member deny={blocked}"]
    done = subprocess.run(command, capture_output=True, text=True, env={"PATH": "/usr/bin:/bin", **lines})
    fault = f"{blocked} line {1 + others}: “https://www.linkedin.com/in/ada” is not a subject that a member can have: LinkedIn's"
    assert (fault in done.stderr) == (product != "v1") == (done.returncode == 78), done.stderr + done.stdout

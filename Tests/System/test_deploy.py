"""The shipped files: each is accepted by the program it is for, and says what the code says."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from harness.process import BINARIES, REPOSITORY, Process, wait_until
from harness.responder import provider

SETTING = re.compile(r"^#?((?:LINKEDIN|SIGNIN)_[A-Z_]+)=(.*)$", re.MULTILINE)
NAME = re.compile(r"\b((?:LINKEDIN|SIGNIN)_[A-Z_]+[A-Z])\b")


def run(*command, **options):
    command = [str(part) for part in command]
    done = subprocess.run(command, capture_output=True, text=True, cwd=REPOSITORY, **options)
    return done.returncode, done.stdout + done.stderr




@pytest.mark.parametrize("path", ["/login?return_to=/canary", "/oauth?code=canary&state=canary"])
def test_flood_of_sign_ins_is_asked_to_wait(make_site, path):
    with make_site(front="nginx-limited") as site:
        browser = site.browser()
        answers = [browser.get(f"{site.url}{path}") for _ in range(100)]
        usual, told = answers[0].status, answers[-1]
        # An office behind one address begins its day.
        assert [answer.status for answer in answers[:50]] == [usual] * 50 and usual in (303, 400)
        assert {answer.status for answer in answers} == {usual, 429}
        assert told.is_html and told.header("Cache-Control") == "no-store" and int(told.header("Retry-After")) > 0
        assert "wait" in told.text and "canary" not in told.text and "Set-Cookie" not in dict(told.headers)
        assert site.browser().get(f"{site.url}/").status == 200, "pages that cost little have no limit"
        wait_until(lambda: browser.get(f"{site.url}{path}").status == usual, "the end of the limit")
        assert "canary" not in site.server.errors() + site.server.access_log.read_text()


@pytest.mark.parametrize("front", ["nginx", "lighttpd"])
def test_example_serves_https(make_site, certificate, front):
    with make_site(front=front, certificate=certificate) as site:
        browser = site.browser()
        assert site.sign_in(browser).status == 303 and site.is_signed_in(browser)
        for path in ("/", "/oauth?code=a", "/nothing"):
            assert int(browser.get(f"{site.url}{path}").header("Strict-Transport-Security").split("=")[1]) >= 31536000
        plain = browser.get(f"http://localhost:{site.server.plain_port}/login?a=b%20c")
        assert (plain.status, plain.location) == (301, f"{site.url}/login?a=b%20c")
        plain = browser.get(f"http://localhost:{site.server.plain_port}/private/")
        assert (plain.status, plain.location) == (301, f"{site.url}/private/")
        assert browser.get(f"{site.url}/private/").status in (403, 404)
        old = ["openssl", "s_client", "-connect", f"127.0.0.1:{site.port}", "-tls1_1", "-cipher", "ALL:@SECLEVEL=0"]
        assert subprocess.run(old, input=b"", capture_output=True).returncode != 0, "TLS 1.1 was taken"


@pytest.mark.parametrize("name", ["linkedin-signin", "linkedin-signin@"])
def test_systemd_accepts_the_units(directory, name):
    units = [directory / f"{name}{kind}" for kind in (".service", ".socket")]
    for unit in units:
        text = (REPOSITORY / "deploy" / unit.name).read_text()
        unit.write_text(text.replace("/usr/local/bin/linkedin-signin", "/bin/true"))
    instances = [directory / unit.name.replace("@", "@example.com") for unit in units]
    assert run("systemd-analyze", "verify", *instances, env={**os.environ, "SYSTEMD_UNIT_PATH": f"{directory}:"}) == (0, "")
    # Exposure in tenths, 100 the worst; a service of no hardening has 96.
    status, text = run("systemd-analyze", "security", "--offline=true", "--threshold=15", "--no-pager", units[0])
    assert status == 0, text


def test_instances_of_the_template_unit_share_nothing():
    single, template = (
        [line for line in (REPOSITORY / f"deploy/linkedin-signin{name}").read_text().splitlines() if line[:1] not in ("#", "")]
        for name in (".service", "@.service")
    )
    own = [line for line in template if line not in single]
    assert own == [
        "Description=Sign in with LinkedIn behind nginx or lighttpd, for %i",
        "Requires=linkedin-signin@%i.socket",
        "After=linkedin-signin@%i.socket network-online.target",
        "EnvironmentFile=/etc/linkedin-signin/%i/settings",
        "LoadCredential=linkedin-client-secret:/etc/linkedin-signin/%i/client-secret",
        "ExecStart=/usr/bin/env SIGNIN_LISTEN=inherited /usr/local/bin/linkedin-signin serve",
        "StateDirectory=linkedin-signin-%i",
    ]
    assert len(single) == len(template)
    socket = (REPOSITORY / "deploy/linkedin-signin@.socket").read_text()
    assert "ListenStream=/run/linkedin-signin/%i.socket\n" in socket


@pytest.mark.parametrize("name", ["linkedin-signin", "linkedin-signin@example.com"])
def test_units_say_how_they_are_installed_and_restarted(name):
    file = re.sub("@.*", "@", name)
    text = (REPOSITORY / f"deploy/{file}.service").read_text().partition("[Unit]")[0]
    for command in (
        "install -m 0755 .build/release/linkedin-signin /usr/local/bin/",
        f"install -m 0644 deploy/{file}.service deploy/{file}.socket /etc/systemd/system/",
        "systemctl daemon-reload",
        f"systemctl enable --now {name}.socket {name}.service",
        f"systemctl restart {name}.service",
    ):
        assert f"#   {command}\n" in text, command


def test_installing_replaces_a_running_program(directory):
    program = directory / "linkedin-signin"
    shutil.copy("/bin/sleep", program)
    with Process("running", [program, "60"], directory):
        assert run("cp", "/bin/true", program)[0] != 0, "the reason for `install`"
        assert run("install", "-m", "0755", "/bin/true", program) == (0, "")
        assert program.read_bytes() == Path("/bin/true").read_bytes()


def test_scripts_are_clean():
    _, names = run("git", "grep", "-lE", "^#!/bin/(ba)?sh", "--", ":!*.md")
    assert {"deploy/demo", "deploy/test", ".ci/run"} <= set(names.split())
    assert run("shellcheck", *names.split()) == (0, "")


def test_continuous_integration_runs_the_same_tests():
    commands = [line for line in (REPOSITORY / ".ci/run").read_text().splitlines() if not line.startswith("#")]
    assert commands == ['exec "$(dirname "$0")/../deploy/test"']


def test_readme_is_short_and_names_what_exists():
    text = (REPOSITORY / "README.md").read_text()
    assert len(text.splitlines()) <= 150
    known = {name for name, _ in settings_example()}
    assert set(NAME.findall(text)) <= known
    for path in re.findall(r"\]\(([^)#:]+)\)", text) + re.findall(r"`(deploy/[\w.-]+)`", text):
        assert (REPOSITORY / path).exists(), path


def settings_example():
    return SETTING.findall((REPOSITORY / "deploy/settings.example").read_text())


def check(directory, lines):
    file = directory / "settings"
    file.touch(mode=0o600)
    file.write_text("".join(f"{name}={value}\n" for name, value in lines.items()))
    # Nothing of the surrounding environment is a setting.
    return run(BINARIES / "linkedin-signin", "check", "--settings-file", file, env={"PATH": "/usr/bin:/bin"})


def least(directory):
    return {
        **provider("http://127.0.0.1:9"),
        "LINKEDIN_CLIENT_ID": "demo",
        "LINKEDIN_CLIENT_SECRET": "canary-secret",
        "SIGNIN_BASE_URL": "http://localhost:8080",
        "SIGNIN_STATE_DIRECTORY": str(directory / "state"),
    }


def test_settings_example_has_every_setting_once(directory):
    status, text = check(directory, least(directory))
    assert status == 0, text
    names = [name for name, _ in settings_example()]
    assert len(names) == len(set(names))
    assert set(names) == set(NAME.findall(text))


def test_settings_example_tells_the_defaults(directory):
    defaults = {name: value for name, value in settings_example() if value}
    # What stands behind the # is where a value comes from, and that differs.
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
    {"SIGNIN_USERINFO_ENDPOINT": "https://example.com/has/no/effect"},
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
def test_wrong_setting_stops_the_start(directory, change):
    status, text = check(directory, {**least(directory), **change})
    assert status == 78, text
    assert next(iter(change)) in text and "canary" not in text


def test_secret_file_that_others_can_read_is_refused(directory):
    secret = directory / "secret"
    secret.write_text("canary-secret\n")
    secret.chmod(0o644)
    lines = {**least(directory), "LINKEDIN_CLIENT_SECRET_FILE": str(secret)}
    del lines["LINKEDIN_CLIENT_SECRET"]
    status, text = check(directory, lines)
    assert status == 78 and "LINKEDIN_CLIENT_SECRET_FILE" in text
    secret.chmod(0o600)
    assert check(directory, lines)[0] == 0


@pytest.mark.parametrize("kind", ["secret", "settings"])
def test_secret_file_that_its_group_can_read_is_noted(directory, kind):
    secret = directory / "secret"
    secret.write_text("canary-secret\n")
    secret.chmod(0o600)
    lines = least(directory)
    if kind == "secret":
        lines["LINKEDIN_CLIENT_SECRET_FILE"] = str(secret)
        del lines["LINKEDIN_CLIENT_SECRET"]
    status, text = check(directory, lines)
    assert status == 0 and f"note: {directory / kind} " not in text
    (directory / kind).chmod(0o640)
    status, text = check(directory, lines)
    assert status == 0 and f"note: {directory / kind} " in text and "canary" not in text


def test_every_wrong_setting_is_told_at_once(directory):
    wrong = {"LINKEDIN_CLIENT_ID": "", "SIGNIN_BASE_URL": "", "SIGNIN_LISTEN": "x"}
    status, text = check(directory, {**least(directory), **wrong})
    assert status == 78
    assert set(wrong) <= set(NAME.findall(text))

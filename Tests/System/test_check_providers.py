"""What `check` reports about the files that each add a provider."""

import os
import subprocess

import pytest

from harness.process import BINARIES
from test_check import AS_NOBODY, NOBODY


@pytest.fixture
def file(directory):
    """The file of a provider beside a settings file, with no systemd unit."""
    lines = ["LINKEDIN_CLIENT_ID=a", "LINKEDIN_CLIENT_SECRET=b", "SIGNIN_BASE_URL=http://localhost:8080"]
    lines += [f"SIGNIN_STATE_DIRECTORY={directory}/state", f"SIGNIN_LISTEN=unix:{directory}/socket"]
    (directory / "settings").touch(mode=0o600)
    (directory / "settings").write_text("\n".join(lines) + "\n")
    (directory / "providers").mkdir(mode=0o755)
    return directory / "providers/sso"


def check(file, *more, prefix=(), public=True):
    """Writes the file of the provider unless it exists; returns the exit code, and all lines of `check --quiet`."""
    if not file.exists():
        authentication = ["PROVIDER_CLIENT_AUTHENTICATION=none"] if public else []
        file.touch(mode=0o644)
        file.write_text("\n".join(["PROVIDER_ISSUER=http://127.0.0.1:9/sso", "PROVIDER_CLIENT_ID=a", *authentication, *more]) + "\n")
    command = [*prefix, BINARIES / "linkedin-signin", "check", "--quiet", "--settings-file", file.parent.parent / "settings"]
    done = subprocess.run(command, capture_output=True, text=True, env={"PATH": "/usr/bin:/bin"}, timeout=20)
    return done.returncode, (done.stdout + done.stderr).splitlines()


@pytest.mark.parametrize("prefix", [(), AS_NOBODY], ids=["caller", "nobody"])
def test_a_provider_without_a_client_secret_is_a_warning_unless_the_client_is_public(directory, file, prefix):
    secret = directory / "provider-secrets/sso"
    secret.parent.mkdir(mode=0o700)
    if prefix:
        for path in (directory / "settings", secret.parent, directory):
            os.chown(path, NOBODY, NOBODY)
    public = "; or, if the provider registered the client as public, set PROVIDER_CLIENT_AUTHENTICATION=none"
    what = "warning: the provider sso has no client secret"
    way = f"write the client secret of sso into a file, and name this file in PROVIDER_CLIENT_SECRET_FILE in {file}"
    assert check(file, public=False, prefix=prefix) == (0, [f"{what}; {way}{public}"])
    secret.touch(mode=0o600)
    secret.write_text("demo-secret\n")
    if prefix:
        os.chown(secret, NOBODY, NOBODY)
    why = f", because only the units of linkedin-signin pass {secret} to the program"
    line = f"PROVIDER_CLIENT_SECRET_FILE={secret}"
    assert check(file, prefix=prefix) == (0, [f"{what}{why}; set {line} in {file}{public}"])
    for more in ([line], ["PROVIDER_CLIENT_AUTHENTICATION=none"]):
        file.unlink()
        assert check(file, *more, public=False, prefix=prefix) == (0, [])


@pytest.mark.parametrize("prefix", [(), AS_NOBODY], ids=["caller", "nobody"])
def test_a_file_of_a_provider_that_others_can_change_or_replace_is_a_warning(directory, file, prefix):
    if prefix:
        for path in (directory / "settings", directory):
            os.chown(path, NOBODY, NOBODY)
    assert check(file, prefix=prefix) == (0, [])
    for path, mode in ((file, 0o666), (file.parent, 0o777)):
        before = path.stat().st_mode & 0o777
        path.chmod(mode)
        status, (line,) = check(file, prefix=prefix)
        assert status == 0 and line.startswith(f"warning: {file}: other users can ") and line.endswith(f"run: chmod go-w {path}"), line
        path.chmod(before)
    if os.geteuid() == 0:
        # Without a unit, the owner of the files may be the user of the program.
        os.chown(file, NOBODY, NOBODY)
        os.chown(file.parent, NOBODY, NOBODY)
    assert check(file, prefix=prefix) == (0, [])


def test_an_empty_file_of_a_provider_lacks_an_issuer_and_says_nothing_about_linkedin(file):
    file.touch(mode=0o644)
    status, (issuer, client) = check(file)
    assert status == 78 and issuer.endswith("PROVIDER_ISSUER: is not set. The issuer of this provider, such as https://accounts.google.com.")
    assert "PROVIDER_CLIENT_ID: is not set" in client


@pytest.mark.parametrize("issuer", ["https://github.com/login/oauth", "https://github.example.com/login/oauth", "https://gitlab.com"])
def test_a_group_that_anybody_can_make_at_another_provider_is_a_warning_before_it_guards_anything(file, issuer):
    assert check(file, "PROVIDER_GROUPS_CLAIM=groups") == (0, [])
    other = file.parent / "other"
    other.touch(mode=0o600)
    kind = ["PROVIDER_PRESET=github"] if "github" in issuer else []
    lines = [f"PROVIDER_ISSUER={issuer}", "PROVIDER_CLIENT_ID=a", "PROVIDER_CLIENT_SECRET=b", "PROVIDER_GROUPS_CLAIM=groups"]
    other.write_text("\n".join([*kind, *lines]) + "\n")
    settings = ["--settings-file", file.parent.parent / "settings", "--require", "group=staff"]
    done = subprocess.run([BINARIES / "linkedin-signin", "check", "--json", *settings], capture_output=True, text=True, env={"PATH": "/usr/bin:/bin"})
    assert ('"rule-doubtful"' in done.stdout) == ("example" not in issuer), done.stdout
    for command in (["check", "--quiet"], ["print-config", "nginx", "--location", "/private/"]):
        done = subprocess.run([BINARIES / "linkedin-signin", *command, *settings], capture_output=True, text=True, env={"PATH": "/usr/bin:/bin"})
        warnings = [line for line in (done.stdout + done.stderr).splitlines() if "warning: " in line and "the group “staff” of this rule" in line]
        assert done.returncode == 0 and len(warnings) == ("example" not in issuer), done.stdout + done.stderr

"""The shipped units and the installation commands."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from harness.process import REPOSITORY, Process


def run(*command, **options):
    command = [str(part) for part in command]
    done = subprocess.run(command, capture_output=True, text=True, cwd=REPOSITORY, **options)
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize("name", ["linkedin-signin", "linkedin-signin@"])
def test_systemd_accepts_the_units(directory, name):
    units = [directory / f"{name}{kind}" for kind in (".service", ".socket")]
    for unit in units:
        text = (REPOSITORY / "deploy" / unit.name).read_text()
        unit.write_text(text.replace("/usr/local/bin/linkedin-signin", "/bin/true"))
    instances = [directory / unit.name.replace("@", "@example.com") for unit in units]
    assert run("systemd-analyze", "verify", *instances, env={**os.environ, "SYSTEMD_UNIT_PATH": f"{directory}:"}) == (0, "")
    # systemd's exposure in tenths; 100 is the worst, and a service without hardening has 96.
    status, text = run("systemd-analyze", "security", "--offline=true", "--threshold=15", "--no-pager", units[0])
    assert status == 0, text


def test_instances_of_the_template_unit_are_separate():
    single, template = (
        [line for line in (REPOSITORY / f"deploy/linkedin-signin{name}").read_text().splitlines() if line[:1] not in ("#", "")]
        for name in (".service", "@.service")
    )
    program, settings = "/usr/bin/env SIGNIN_LISTEN=inherited /usr/local/bin/linkedin-signin", "--settings-file /etc/linkedin-signin/%i/settings"
    own = [line for line in template if line not in single]
    assert own == [
        "Description=Sign in with LinkedIn behind nginx or lighttpd, for %i",
        "Requires=linkedin-signin@%i.socket",
        "After=linkedin-signin@%i.socket network-online.target",
        "LoadCredential=linkedin-client-secret:/etc/linkedin-signin/%i/client-secret",
        "LoadCredential=provider-client-secret:/etc/linkedin-signin/%i/provider-client-secret",
        "LoadCredential=provider-secrets:/etc/linkedin-signin/%i/provider-secrets",
        f"ExecStart={program} serve {settings}",
        "StateDirectory=linkedin-signin-%i",
        "RuntimeDirectory=linkedin-signin-admin-%i",
        "SyslogIdentifier=linkedin-signin@%i",
    ]
    assert len(single) == len(template)
    socket = (REPOSITORY / "deploy/linkedin-signin@.socket").read_text()
    assert "ListenStream=/run/linkedin-signin/%i.socket\n" in socket


def test_the_template_unit_and_the_container_overwrite_freed_memory_as_the_unit_does():
    [line] = re.findall("^Environment=(GLIBC_TUNABLES=.*)$", (REPOSITORY / "deploy/linkedin-signin.service").read_text(), re.MULTILINE)
    assert f"\nEnvironment={line}\n" in (REPOSITORY / "deploy/linkedin-signin@.service").read_text()
    assert f"\nENV {line}\n" in (REPOSITORY / "deploy/Containerfile").read_text()
    assert f"`{line}`" in (REPOSITORY / "docs/security.md").read_text()


@pytest.mark.parametrize("name", ["linkedin-signin", "linkedin-signin@example.com"])
def test_comments_in_units_describe_installation_and_restart(name):
    file = re.sub("@.*", "@", name)
    text = (REPOSITORY / f"deploy/{file}.service").read_text().partition("[Unit]")[0]
    for command in (
        "install -m 0755 .build/release/linkedin-signin /usr/local/bin/",
        f"install -m 0644 deploy/{file}.service deploy/{file}.socket /etc/systemd/system/",
        "systemctl daemon-reload",
        f"systemctl enable --now {name}.socket {name}.service",
        f"systemctl reload {name}.service",
        f"systemctl restart {name}.service",
    ):
        assert f"#   {command}\n" in text, command


def test_no_page_restarts_a_socket_together_with_its_service():
    """That closes the connections of waiting requests. Tests/package-trial runs the documented command on a booted Debian."""
    for page in (REPOSITORY / "README.md", *(REPOSITORY / "docs").glob("*.md")):
        assert not re.search(r"systemctl restart .*\.socket .*\.service|systemctl restart .*\.service .*\.socket", page.read_text()), page


def test_installing_replaces_a_running_program(directory):
    program = directory / "linkedin-signin"
    shutil.copy("/bin/sleep", program)
    with Process("running", [program, "60"], directory):
        assert run("cp", "/bin/true", program)[0] != 0, "the reason for `install`"
        assert run("install", "-m", "0755", "/bin/true", program) == (0, "")
        assert program.read_bytes() == Path("/bin/true").read_bytes()


def test_continuous_integration_runs_the_same_tests():
    commands = [line for line in (REPOSITORY / ".ci/run").read_text().splitlines() if not line.startswith("#")]
    assert commands == ['exec "$(dirname "$0")/../deploy/test" all']
    version = (REPOSITORY / ".swift-version").read_text().strip().rpartition(".")[0]
    for name, command in (("test", "deploy/test all"), ("nightly", "deploy/test nightly")):
        workflow = (REPOSITORY / f".github/workflows/{name}.yml").read_text()
        assert re.findall(r"^ +- (?:run: |uses: )([^@\n]+)", workflow, re.MULTILINE) == ["actions/checkout", command]
        assert f"image: swift:{version}-bookworm\n" in workflow

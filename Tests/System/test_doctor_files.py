"""`doctor`: what is wrong with files, directories and disks."""

import os
import subprocess

import pytest

from harness.doctor import THIS_MONTH, USER, Diagnosis, diagnose
from harness.process import BINARIES, surroundings
from harness.responder import Responder
from test_doctor import provider, responder  # noqa: F401


def test_a_secret_that_a_group_can_read_is_a_warning(responder):  # noqa: F811
    secret = responder.directory / "secret"
    secret.write_text("demo-secret")
    secret.chmod(0o640)
    changes = {"LINKEDIN_CLIENT_SECRET": None, "LINKEDIN_CLIENT_SECRET_FILE": str(secret)}
    found = diagnose(responder, changes=changes)
    assert (found.status, found.faults) == (1, {"secret-shared"}), found.text
    secret.chmod(0o600)
    assert diagnose(responder, changes=changes).status == 0


def test_a_list_that_others_can_change_is_a_warning(responder, directory):  # noqa: F811
    members = directory / "members"
    members.write_text("subject=abc\n")
    members.chmod(0o664)
    found = diagnose(responder, "--require", f"allow={members}")
    assert found.faults == {"file-writable"} and "chmod go-w" in found.finding("file-writable")["remedies"][0]
    members.chmod(0o644)
    assert diagnose(responder, "--require", f"allow={members}").faults == set()


def test_a_logo_that_others_can_change_is_a_warning(responder, directory):  # noqa: F811
    logo = directory / "logo.svg"
    logo.write_text('<svg xmlns="http://www.w3.org/2000/svg"/>')
    logo.chmod(0o666)
    found = diagnose(responder, changes={"SIGNIN_LOGO": str(logo)})
    assert found.faults == {"file-writable"} and found.finding("file-writable")["subject"] == str(logo)
    logo.chmod(0o644)
    assert diagnose(responder, changes={"SIGNIN_LOGO": str(logo)}).faults == set()


@pytest.mark.parametrize("place", ["file", "link"])
def test_a_list_that_others_can_replace_is_a_warning(responder, directory, place):  # noqa: F811
    lists = directory / "lists"
    lists.mkdir()
    members = lists / "members"
    members.write_text("subject=abc\n")
    members.chmod(0o644)
    path = members
    if place == "link":
        path = directory / "link"
        path.symlink_to(members)
    lists.chmod(0o777)
    found = diagnose(responder, "--require", f"allow={path}")
    assert found.faults == {"file-writable"} and f"directory {lists} (mode 777" in found.finding("file-writable")["what"], found.text
    assert found.finding("file-writable")["remedies"] == [f"run: chmod go-w {lists}"]
    lists.chmod(0o1777)
    assert diagnose(responder, "--require", f"allow={path}").faults == set()


def test_a_settings_file_with_a_relative_path_is_checked(responder):  # noqa: F811
    settings = responder.write_settings()
    settings.chmod(0o620)
    command = [BINARIES / "linkedin-signin", "doctor", "--json", "--settings-file", settings.name, "--web-user", USER]
    done = subprocess.run(command, capture_output=True, text=True, env=surroundings(), cwd=settings.parent, timeout=60)
    assert Diagnosis(done).finding("file-writable")["subject"] == str(settings), done.stdout


@pytest.mark.skipif(os.geteuid() != 0, reason="root is needed to be another user")
def test_files_that_the_programs_user_cannot_read_are_faults(directory, provider):  # noqa: F811
    nobody = 65534
    as_nobody = ["setpriv", f"--reuid={nobody}", f"--regid={nobody}", "--clear-groups"]
    settings = {"LINKEDIN_VERSION": THIS_MONTH}
    responder = Responder(directory / "r", "http://localhost:8080", provider.url, settings, as_nobody)
    directory.chmod(0o755)
    responder.state.mkdir(mode=0o700)
    (responder.directory / "settings").touch(mode=0o600)
    for path in (responder.directory, responder.state, responder.directory / "settings"):
        os.chown(path, nobody, nobody)
    members = directory / "members"
    members.write_text("subject=abc\n")
    with responder:
        assert diagnose(responder, "--require", f"allow={members}").faults == set()
        members.chmod(0o600)
        os.chown(members, 0, 1500)
        os.chown(responder.directory / "settings", 0, 0)
        found = diagnose(responder, "--require", f"allow={members}")
        subjects = {f["subject"] for f in found.report["findings"] if f["code"] == "file-unreadable"}
        assert found.faults == {"file-unreadable"} and subjects == {str(members), f"{responder.directory}/settings"}
        (what,) = [f["what"] for f in found.report["findings"] if f["subject"] == f"{responder.directory}/settings"]
        assert what == "user nobody may not read it (mode 600, user root, group root)", found.text
        (what,) = [f["what"] for f in found.report["findings"] if f["subject"] == str(members) and f["code"] == "file-unreadable"]
        assert what == "user nobody may not read it (mode 600, user root, group 1500 (an ID without a name on this machine))", found.text


def test_an_unusable_state_directory_is_a_fault(responder):  # noqa: F811
    responder.state.chmod(0o750)
    found = diagnose(responder)
    assert found.faults == {"store-unusable"} and "mode 750" in found.finding("store-unusable")["what"]
    responder.state.chmod(0o700)


@pytest.mark.skipif(os.geteuid() != 0, reason="root is needed to be another user")
@pytest.mark.parametrize("owner, name", [(65534, "user nobody"), (1500, "user 1500 (an ID without a name on this machine)")])
def test_root_finds_a_state_directory_of_another_user_than_the_programs(responder, owner, name):  # noqa: F811
    paths = [responder.state, *responder.state.rglob("*")]
    for path in paths:
        os.chown(path, owner, owner)
    found = diagnose(responder)
    for path in paths:
        os.chown(path, 0, 0)
    what = f"belongs to {name}, and the program runs as user root"
    finding = found.finding("store-unusable")
    assert (finding["subject"], finding["what"]) == (str(responder.state), what), found.text
    assert finding["remedies"] == [f"run: chown -R root: {responder.state}"]


def test_a_state_directory_that_does_not_exist_is_noted(responder, directory):  # noqa: F811
    found = diagnose(responder, changes={"SIGNIN_STATE_DIRECTORY": str(directory / "new")})
    assert found.faults == set() and "does not exist yet" in found.finding("store-note")["what"]
    assert any("MiB free" in entry["what"] for entry in found.report["passed"]), found.report["passed"]
    assert not any(entry["what"] == "usable" for entry in found.report["passed"]), found.report["passed"]


@pytest.mark.parametrize("code, size, files", [("store-full", "512k", 100000), ("store-low", "8m", 100000), ("store-full", "512m", 12)])
def test_a_full_disk_is_found_before_sign_ins_fail(mount_namespace, responder, directory, code, size, files):  # noqa: F811
    place = directory / "disk"
    place.mkdir(mode=0o700)
    mount = f'mount -t tmpfs -o size={size},nr_inodes={files},mode=700 none {place} && exec "$@"'
    wrapper = [*mount_namespace, "sh", "-c", mount, "sh"]
    found = diagnose(responder, changes={"SIGNIN_STATE_DIRECTORY": str(place)}, wrapper=wrapper)
    assert found.faults == {code} and "free" in found.finding(code)["what"]
    kind = "--inodes" if files == 12 else "-h"
    assert f"du -x {kind} --max-depth=3 {place} | sort" in found.finding(code)["remedies"][0], found.text


def test_the_command_of_a_full_disk_finds_what_fills_the_whole_file_system(mount_namespace, responder, directory):  # noqa: F811
    disk = directory / "disk"
    (disk / "a/state").mkdir(parents=True, mode=0o700)
    full = f"mkdir -pm 700 {disk}/a/state && mkdir -p {disk}/logs/old && head -c 900k /dev/zero >{disk}/logs/old/big"
    fill = f"mount -t tmpfs -o size=1m none {disk} && {full} && "
    wrapper = [*mount_namespace, "sh", "-c", fill + 'exec "$@"', "sh"]
    found = diagnose(responder, changes={"SIGNIN_STATE_DIRECTORY": f"{disk}/a/state"}, wrapper=wrapper)
    command = found.finding("store-full")["remedies"][0].partition(": ")[2]
    shown = subprocess.run([*mount_namespace, "sh", "-c", fill + command], capture_output=True, text=True, check=True).stdout.splitlines()
    assert {f"900K\t{disk}", f"900K\t{disk}/logs/old"} <= set(shown[-3:]), shown


@pytest.mark.parametrize("mode", [0o646, 0o666])
def test_a_list_that_every_user_can_write_is_one_finding_with_the_command_that_repairs_it(responder, directory, mode):  # noqa: F811
    members = directory / "members"
    members.write_text("subject=abc\n")
    members.chmod(mode)
    found = diagnose(responder, "--require", f"allow={members}")
    assert found.faults == {"rule-invalid"}, found.text
    finding = found.finding("rule-invalid")
    assert any(line.startswith(f"{members}: other users can change it (mode {mode:o}") for line in finding["also"]), finding
    subprocess.run(["sh", "-c", finding["remedies"][0].removeprefix("run: ")], check=True)
    assert diagnose(responder, "--require", f"allow={members}").faults == set()

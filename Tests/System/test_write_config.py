"""The include files that print-config --write creates for an existing site."""

import os
import re
import socket
import subprocess

import pytest

from harness.process import BINARIES

EXAMPLE = {"SIGNIN_BASE_URL": "https://example.com"}


def guard(server, directory, *options, **more):
    return write(server, directory, "--location", "/private/", *options, **more)


def write(server, directory, *options, settings=EXAMPLE):
    command = [BINARIES / "linkedin-signin", "print-config", server, "--write", directory, *options]
    done = subprocess.run(command, capture_output=True, text=True, env={"PATH": "/usr/bin:/bin", **settings})
    return done.returncode, done.stdout, done.stderr


def contents(directory):
    return {path.name: path.read_text() for path in directory.iterdir()}


def test_writing_again_changes_only_what_differs(directory):
    status, text, errors = guard("nginx", directory)
    assert (status, errors) == (0, "")
    before = contents(directory)
    assert before and all(name.startswith("linkedin-signin-example.com-") for name in before)
    assert text.count("written: ") == len(before)
    status, text, _ = guard("nginx", directory)
    assert status == 0 and text.count("unchanged: ") == len(before) and "written: " not in text
    status, text, _ = guard("nginx", directory, "--require", "anyone")
    after = contents(directory)
    assert status == 0 and text.count("written: ") == 1
    assert {name for name in before if before[name] != after[name]} == {"linkedin-signin-example.com-server.conf"}


@pytest.mark.parametrize("server", ["nginx", "lighttpd"])
def test_without_a_location_the_files_guard_nothing_and_say_so(directory, server):
    status, text, errors = write(server, directory)
    assert (status, errors) == (0, "") and "The site has sign-in and no guarded location." in text
    assert not any("-guard" in name for name in contents(directory)) and '"member"' not in "".join(contents(directory).values())
    status, text, errors = write(server, directory, "--require", "anyone")
    assert (status, text) == (64, "") and "--require needs --location" in errors


def test_kept_verdicts_can_be_switched_on_and_off(directory):
    guard("nginx", directory)
    before = contents(directory)
    assert guard("nginx", directory, "--cache-verdicts", "1s")[0] == 0
    changed = {name.rpartition("-")[2] for name, text in contents(directory).items() if before[name] != text}
    assert changed == {"http.conf", "parameters.conf", "server.conf", "health.conf", "home.conf"}
    assert guard("nginx", directory)[0] == 0 and contents(directory) == before


@pytest.mark.parametrize("server", ["nginx", "lighttpd"])
def test_nobody_else_can_write_to_the_files_whatever_the_umask(directory, server):
    before = os.umask(0)
    try:
        guard(server, directory)
        paths = sorted(directory.iterdir())
        assert paths and {path.stat().st_mode & 0o777 for path in paths} == {0o644}
        paths[0].chmod(0o666)
        paths[1].chmod(0o640)
        paths[2].chmod(0o666)
        paths[2].write_text(paths[2].read_text().splitlines()[0] + "\n# older\n")
        _, text, _ = guard(server, directory)
        assert text.count("written: ") == 2
        assert [path.stat().st_mode & 0o777 for path in paths[:3]] == [0o644, 0o640, 0o644]
        os.umask(0o077)
        paths[3].unlink()
        guard(server, directory)
        assert paths[3].stat().st_mode & 0o777 == 0o644 and sorted(directory.iterdir()) == paths
    finally:
        os.umask(before)


def test_dry_run_shows_the_changes_and_writes_nothing(directory):
    status, text, _ = guard("nginx", directory, "--dry-run")
    assert status == 0 and contents(directory) == {}
    assert text.startswith("--- /dev/null\n+++ ") and "\n+    auth_request off;" not in text
    guard("nginx", directory)
    before = contents(directory)
    status, text, _ = guard("nginx", directory, "--require", "anyone", "--dry-run")
    changed = [line for line in text.splitlines() if line[0] in "-+"]
    server = directory / "linkedin-signin-example.com-server.conf"
    assert status == 0 and contents(directory) == before
    assert changed[:2] == [f"--- {server}", f"+++ {server}"]
    assert [line.split()[-1] for line in changed[2:]] == ['"member";', '"anyone";']
    assert guard("nginx", directory, "--dry-run")[1] == ""


@pytest.mark.parametrize("options", [[], ["--dry-run"]], ids=["write", "dry run"])
@pytest.mark.parametrize("server", ["nginx", "lighttpd"])
def test_guard_of_a_location_that_is_not_given_any_more_is_reported_and_stays(directory, server, options):
    write(server, directory, "--location", "/old/", "--location", "/new/")
    number = "01-" if server == "lighttpd" else ""
    old = directory / f"linkedin-signin-example.com-guard-{number}old.conf"
    others = ["linkedin-signin-example.com-guard-theirs.conf", "linkedin-signin-example.org-guard-old.conf"]
    (directory / others[0]).write_text("# Written by hand\n")
    (directory / others[1]).write_text(old.read_text().replace("https://example.com", "https://example.org", 1))
    (directory / "linkedin-signin-example.com-guard-link.conf").symlink_to(old)
    before = old.read_text()
    status, _, errors = write(server, directory, "--location", "/new/", *options)
    assert status == 0 and old.read_text() == before
    change, note = errors.splitlines()
    assert change == "linkedin-signin: note: no --location names /old/ now, whose rule was “member”"
    assert ("and nginx rejects all requests for a location that includes it" in note) == (server == "nginx")
    assert note.startswith(f"linkedin-signin: note: {old} belongs to a guard that an earlier run wrote"), errors
    (command,) = re.findall("run: (.*)$", note)
    subprocess.run(["sh", "-c", command], check=True)
    said = write(server, directory, "--location", "/new/")[2]
    assert said == (f"{change}\n" if options else ""), said
    assert not old.exists() and (directory / others[0]).exists() and (directory / others[1]).exists()


@pytest.mark.parametrize("content", ["", "\n"])
@pytest.mark.parametrize("server", ["nginx", "lighttpd"])
def test_an_empty_file_is_replaced(directory, server, content):
    guard(server, directory)
    before = contents(directory)
    for path in directory.iterdir():
        path.write_text(content)
    status, text, errors = guard(server, directory)
    assert (status, errors, contents(directory)) == (0, "", before) and text.count("written: ") == len(before)


@pytest.mark.parametrize("options", [[], ["--dry-run"]], ids=["write", "dry run"])
@pytest.mark.parametrize("kind", ["file", "fifo", "socket", "link", "dangling link", "directory", "other site"])
def test_other_files_are_left_alone(directory, kind, options):
    place = directory / "here"
    place.mkdir()
    target = place / "linkedin-signin-example.com-server.conf"
    elsewhere = directory / "elsewhere"
    guard("nginx", place, settings={"SIGNIN_BASE_URL": "https://example.com"})
    mine = target.read_text()
    for path in place.iterdir():
        path.unlink()
    if kind == "directory":
        target.mkdir()
    elif kind == "fifo":
        os.mkfifo(target)
    elif kind == "socket":
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(str(target))
    elif kind.endswith("link"):
        if kind == "link":
            elsewhere.write_text(mine)
        target.symlink_to(elsewhere)
    else:
        other = mine.replace("for https://example.com", "for https://example.org", 1)
        target.write_text("server_tokens off;\n" if kind == "file" else other)
    status, text, errors = guard("nginx", place, *options)
    assert (status, text) == (78, "") and errors.startswith(f"linkedin-signin: {target}: "), errors
    assert [path.name for path in place.iterdir()] == [target.name]
    assert target.is_symlink() == kind.endswith("link")
    if kind == "link":
        assert elsewhere.read_text() == mine


def test_an_unwritable_directory_is_named(directory):
    status, text, errors = write("nginx", directory / "none")
    assert (status, text) == (78, "") and f"there is no directory {directory / 'none'}: " in errors
    assert write("nginx", "relative")[0] == 78 and write("nginx", directory / "a b")[0] == 78
    # Not writable, even for root.
    status, _, errors = write("nginx", "/proc/self")
    assert status == 78 and "/proc/self/linkedin-signin-example.com-http.conf: cannot be written: No such file or directory\n" in errors


def test_dry_run_without_write_is_rejected():
    command = [BINARIES / "linkedin-signin", "print-config", "nginx", "--dry-run"]
    done = subprocess.run(command, capture_output=True, text=True, env={"PATH": "/usr/bin:/bin", **EXAMPLE})
    assert done.returncode == 64 and "--dry-run needs --write" in done.stderr


def test_default_directories_are_those_of_debian(directory):
    command = [BINARIES / "linkedin-signin", "print-config", "nginx", "--write", "--dry-run"]
    done = subprocess.run(command, capture_output=True, text=True, env={"PATH": "/usr/bin:/bin", **EXAMPLE})
    paths = {line.removeprefix("+++ ") for line in done.stdout.splitlines() if line.startswith("+++ ")}
    names = {path.rpartition("/")[0] for path in paths}
    assert names == {"/etc/nginx/conf.d", "/etc/nginx/snippets"}
    assert "/etc/nginx/conf.d/linkedin-signin-example.com-http.conf" in paths


@pytest.mark.parametrize("options", [[], ["--dry-run"]], ids=["write", "dry run"])
@pytest.mark.parametrize("server", ["nginx", "lighttpd"])
@pytest.mark.parametrize("changed", [0, 1], ids=["first", "last"])
def test_a_guard_that_gets_another_rule_is_named_once_with_both_rules(directory, server, options, changed):
    paths, rules = ["/private/", "/members"], ["member", "anyone"]

    def written(*options):
        words = [[f"--location={path}", f"--require={rule}"] for path, rule in zip(paths, rules)]
        return write(server, directory, *sum(words, []), *options)

    assert written()[::2] == (0, "") and written(*options)[::2] == (0, "")
    old, rules[changed] = rules[changed], "email-domain=example.com"
    errors = written(*options)[2]
    assert errors == f"linkedin-signin: note: the rule of {paths[changed]} was “{old}” and is now “{rules[changed]}”\n"


@pytest.mark.parametrize("server", ["nginx", "lighttpd"])
def test_a_guard_that_was_left_out_and_comes_back_has_no_former_rule(directory, server):
    assert [guard(server, directory)[0], write(server, directory)[0]] == [0, 0]
    assert guard(server, directory, "--require", "anyone")[::2] == (0, "")


@pytest.mark.parametrize("server", ["nginx", "lighttpd"])
def test_only_what_is_left_to_do_is_printed(directory, server):
    def added(text):
        return {line.strip().strip(";\"").rpartition("/")[2] for line in text.splitlines() if line.strip().startswith("include ")}

    first = guard(server, directory)[1]
    # Debian includes no file of this directory, and the parameters are included by the other files.
    assert added(first) == set(contents(directory)) - {"linkedin-signin-example.com-parameters.conf"}
    again = guard(server, directory)[1]
    pointer = "To print the lines that include the other files too: --lines"
    assert "written: " not in again and again.endswith(f"\n\n{pointer}\n") and added(again) == set() and "Then: " not in again
    assert added(guard(server, directory, "--lines")[1]) == added(first)
    changed = guard(server, directory, "--require", "anyone")[1]
    assert added(changed) == set() and f"\nThen: {'nginx -t' if server == 'nginx' else 'lighttpd -tt'} " in changed
    more = guard(server, directory, "--location", "/more/", "--require", "anyone")[1]
    new = {name for name in contents(directory) if name.endswith("more.conf")}
    # lighttpd needs its guards in order, so all of them are shown.
    own = new if server == "nginx" else {name for name in contents(directory) if "-guard-" in name or name.endswith("-site.conf")}
    assert new and added(more) == own and "Then: " in more and pointer in more
    assert "--lines needs --write" in write(server, directory, "--dry-run", "--lines")[2]

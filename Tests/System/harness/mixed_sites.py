"""Settings of several sites that were mixed up, and permissions that systemd repairs: what the commands say about them.

usage: mixed_sites.py BINARIES
"""

import json
import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

from sites import ETC, OPERATOR, PATH, PROGRAM, USER, Site, install, run

TEMPLATES = ETC / "templates"
UNITS, PRIVATE = Path("/etc/systemd/system"), Path("/var/lib/private")
BEYOND_THE_NETWORK = {"name-unresolved", "endpoint-unreachable", "endpoint-unexpected", "keys-unusable", "clock-off"}
# On this machine, nobody enables the units either.
BEYOND_THE_NETWORK |= {"service-disabled"}


def diagnose(*options, user=None):
    """The status of doctor, and its findings by their codes, without those about LinkedIn."""
    prefix = ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups"] if user else []
    done = subprocess.run([*prefix, PROGRAM, "doctor", "--json", *options], capture_output=True, text=True, env=PATH, cwd="/", timeout=120)
    assert done.stdout.startswith("{"), done.stdout + done.stderr
    found = [finding for finding in json.loads(done.stdout)["findings"] if finding["code"] not in BEYOND_THE_NETWORK]
    return done.returncode, {finding["code"]: finding for finding in found if finding["severity"] != "note" or user}


def adopt(first, second, third):
    """The printed command acts on the site that check was asked about, and no command takes the store of another site."""
    for site in (first, second):
        site.start()
        site.stop()
    old = second.url
    second.write(SIGNIN_BASE_URL="https://new.example.org")
    said = run("check", "--quiet", *second.option, status=78).stderr
    assert f"if this site had the address {old} before, run: linkedin-signin store adopt --from {old} --site example.org." in said, said
    assert second.serve().wait(20) == 78
    assert f"store adopt --from {old} --site example.org." in (OPERATOR / "log").read_text()
    refused = run("store", "adopt", "--from", old, status=65).stderr
    assert f"belongs to {first.url} already, not to {old}: for another site of this machine, add --site" in refused, refused
    third.write(SIGNIN_STATE_DIRECTORY=str(second.state))
    for changes in ({"SIGNIN_BASE_URL": "https://new.example.org"}, {}):
        second.write(**changes)
        refused = run("store", "adopt", *third.option, "--from", old, status=65).stderr
        assert f"the site of {second.folder}/settings has this address, or the state directory {second.state}" in refused, refused
        assert (second.state / "base-url").read_text() == f"{old}\n"
    (third.folder / "settings").unlink()


def share_an_address(second, third):
    """Two sites with one address would write files with the same names, and only one of them would work."""
    third.write(SIGNIN_BASE_URL=second.url)
    files = OPERATOR / "files"
    files.mkdir()
    for words in (["check", "--quiet"], ["print-config", "nginx", "--location", "/private/", "--write", files]):
        said = run(*words, *third.option, status=78).stderr
        assert f"SIGNIN_BASE_URL: is {second.url} in {third.folder}/settings and in {second.folder}/settings:" in said, said
    assert os.listdir(files) == []
    third.write()
    third.start()
    third.stop()
    third.write(SIGNIN_BASE_URL=second.url)
    both = f"is {second.url} in {third.folder}/settings and in {second.folder}/settings"
    said = run("check", "--quiet", *third.option, status=78).stderr
    assert both in said and "adopt" not in said and len(said.splitlines()) == 1, said
    assert third.serve().wait(20) == 78
    said = (OPERATOR / "log").read_text()
    assert both in said and "adopt" not in said, said
    refused = run("store", "adopt", "--from", third.url, *third.option, status=65).stderr
    assert both in refused, refused
    # The way back from an older version, which took the address over.
    (third.state / "base-url").write_text(f"{second.url}\n")
    third.write()
    assert "belongs to" in run("store", "adopt", "--from", second.url, *third.option).stdout
    shutil.rmtree(third.state)
    (third.folder / "settings").unlink()


def visit_another_site(first, second):
    """The address of another site of this machine is one finding, whose remedy changes nothing."""
    first.start()
    _, found = diagnose("--url", second.url)
    first.stop()
    assert {code for code in found if code.startswith("site-")} == {"site-other-address"}, found
    finding = found["site-other-address"]
    assert "is the address of linkedin-signin@example.org.service" in finding["what"], finding
    assert finding["remedies"] == [f"run: linkedin-signin doctor --site example.org --url {second.url}"], finding
    assert "also" not in finding, finding


def lead_to_another_site(first, second):
    """Include files of a site that lead to the program of another one: the command prints the files of their own site."""
    files, guard = OPERATOR / "lighttpd", ["--location", "/private/", "--require", "subject=A"]
    files.mkdir()
    run("print-config", "lighttpd", *second.option, *guard, "--write", files)
    parts = {part: (files / f"linkedin-signin-example.org-{part}.conf").read_text() for part in ("global", "guard-01-private", "site")}
    text = parts.pop("global") + '$HTTP["host"] == "example.org" {\n' + "".join(parts.values()) + "}\n"
    (files / "whole").write_text(text.replace(str(second.socket), str(first.socket)))
    said = run("check", "--quiet", "--lighttpd", files / "whole", status=78).stderr
    command = f"linkedin-signin print-config lighttpd --site=example.org {' '.join(guard)} --write {files}"
    assert f"the included files of example.org lead to the program of example.com. Print the files of example.org again: {command}\n" in said, said
    shutil.rmtree(files)


def loosen(site):
    """What systemd repairs at a start, or does not use, is not a fault."""
    secret = site.folder / "client-secret"
    for mode, words in ((0o644, "readable for every user"), (0o640, "readable for its group")):
        secret.chmod(mode)
        said = run("check", "--quiet", *site.option).stdout
        assert f"warning: {secret} contains LINKEDIN_CLIENT_SECRET and is {words}; run: chmod 600 {secret}" in said, said
        site.start()
        _, found = diagnose(*site.option)
        site.stop()
        assert found["secret-shared"]["severity"] == "warning" and "settings-invalid" not in found, found
    secret.chmod(0o600)
    site.write(SIGNIN_SOCKET_GROUP="nosuchgroup")
    said = run("check", *site.option).stdout
    assert f"SIGNIN_SOCKET_GROUP has no effect, because {site.unit}.socket opens the socket: remove it" in said, said
    site.write(SIGNIN_SOCKET_GROUP="nosuchgroup", SIGNIN_ADMIN_LISTEN=f"unix:{site.runtime}/socket")
    assert "SIGNIN_SOCKET_GROUP: cannot use the group nosuchgroup" in run("check", *site.option, status=78).stderr
    assert site.serve().wait(20) == 78
    assert "SIGNIN_SOCKET_GROUP: cannot use the group nosuchgroup" in (OPERATOR / "log").read_text()
    site.write()
    modes = (0, 0o700, "it belongs to user root"), (USER, 0o755, "users can read it"), (USER, 0o777, "users can change it")
    for owner, mode, seen in modes:
        os.chown(site.state, owner, owner)
        site.state.chmod(mode)
        said = run("check", *site.option).stdout
        if owner:
            _, found = diagnose(*site.option)
            assert "store-unusable" not in found, found
        assert f"systemd gives it to user linkedin-signin with mode 700 at the next start of {site.unit}.service" in said, said
        assert seen in said, said
    site.state.chmod(0o700)


def look_as_anyone(site):
    """Without root, doctor says what it did not look at, and reports nothing of it as a fault."""
    settings = site.folder / "settings"
    status, found = diagnose(*site.option, user=65534)
    assert status == 0 and set(found) == {"not-checked"} and found["not-checked"]["subject"] == str(settings), found
    assert found["not-checked"]["remedies"] == ["run this command with sudo"], found
    settings.chmod(0o644)
    status, found = diagnose(*site.option, user=65534)
    settings.chmod(0o640)
    assert status == 0 and set(found) == {"not-checked"}, found


def keep_from_starting(site):
    """A setting that keeps the service from its start is one finding, with what follows from it, and check says it too."""
    causes = {
        "an unknown user": ({"SIGNIN_ALLOWED_USERS": "nosuchuser"}, "SIGNIN_ALLOWED_USERS"),
        "a port of root": ({"SIGNIN_ADMIN_LISTEN": "tcp:127.0.0.1:80"}, "SIGNIN_ADMIN_LISTEN"),
        "a wrong template": ({"SIGNIN_TEMPLATES": str(TEMPLATES)}, "SIGNIN_TEMPLATES"),
        "another address": ({"SIGNIN_BASE_URL": "https://other.example"}, "SIGNIN_BASE_URL"),
    }
    TEMPLATES.mkdir()
    (TEMPLATES / "home.mustache").write_text("{{#open}}")
    for what, (changes, name) in causes.items():
        site.write(**changes)
        assert site.serve().wait(20) == 78, what
        assert f"linkedin-signin: {name}: " in (OPERATOR / "log").read_text(), what
        # systemd keeps the socket open, and nothing answers there.
        site.socket.unlink(missing_ok=True)
        with socket.socket(socket.AF_UNIX) as waiting:
            waiting.bind(str(site.socket))
            waiting.listen()
            site.socket.chmod(0o666)
            _, found = diagnose(*site.option)
        faults = {code: finding for code, finding in found.items() if finding["severity"] == "fault"}
        assert len(faults) == 1, (what, faults)
        (finding,) = faults.values()
        assert finding["subject"].endswith(name) and any(str(site.socket) in line for line in finding["also"]), (what, finding)
    site.socket.unlink()
    site.write()


def keep_from_loading(site):
    """Settings that the running program refuses are one finding, and no remedy restarts the program with them."""
    site.start()
    site.socket.chmod(0o666)
    for changes in ({"SIGNIN_TEMPLATES": str(TEMPLATES)}, {"SIGNIN_ADMIN_LISTEN": "tcp:127.0.0.1:80"}):
        site.write(**changes)
        _, found = diagnose(*site.option)
        (name,) = changes
        assert found["socket-open"]["remedies"] == [f"run: systemctl restart {site.unit}.socket"], found
        assert set(found) - {"socket-open"} == {"settings-invalid"} and f"other values: {name}" in found["settings-invalid"]["also"][0], found
    site.write()
    # The unit is right, and the socket of the running unit is older.
    site.socket.chmod(0o600)
    _, found = diagnose(*site.option)
    assert found["socket-denied"]["remedies"] == [f"run: systemctl restart {site.unit}.socket"], found
    site.socket.chmod(0o666)
    key = site.state / "server-key"
    key.chmod(0o644)
    _, found = diagnose(*site.option)
    key.chmod(0o600)
    assert found["store-unusable"]["also"] == [f"{site.socket} POST /login: the server key cannot be read from the state directory or the database"], found
    site.write(SIGNIN_ALLOWED_USERS="nobody")
    site.stop()
    site.start()
    site.socket.chmod(0o666)
    _, found = diagnose(*site.option)
    assert set(found) - {"socket-open"} == {"user-not-allowed"} and "closed the connection" in found["user-not-allowed"]["also"][0], found
    site.write()
    site.stop()


def copy(site):
    """A copy of the settings below /etc/linkedin-signin looks like a site, and the message says what to do about it."""
    backup = ETC / "old"
    backup.mkdir()
    (backup / "settings").write_text((site.folder / "settings").read_text())
    said = run("check", "--quiet", *site.option, status=78).stderr
    advice = f"an address of its own in {backup}/settings, or move {backup}/settings away if it is only a copy"
    assert f"in {site.folder}/settings and in {backup}/settings: give linkedin-signin@old.service {advice}" in said, said
    (backup / "settings").unlink()
    backup.rmdir()
    (ETC / "settings").rename(ETC / "away")
    said = run("check", "--quiet", status=78).stderr
    (ETC / "away").rename(ETC / "settings")
    assert f"{ETC}/settings does not exist; the sites of this machine: --site example.org" in said, said


def lay_out_as_systemd(site):
    """With DynamicUser=, the state directory is a link, and only root can enter the parent of its target."""
    PRIVATE.mkdir(mode=0o700, exist_ok=True)
    target = PRIVATE / site.state.name
    site.state.rename(target)
    site.state.symlink_to(target.relative_to(site.state.parent))
    return target


def adopt_provider(site):
    """check reports another issuer of a provider before the restart, and its command works in the layout of systemd."""
    target = lay_out_as_systemd(site)
    file, kept = site.folder / "providers/sso", target / "provider-sso.json"
    file.parent.mkdir()
    file.write_text("PROVIDER_ISSUER=http://127.0.0.1:9/new\nPROVIDER_CLIENT_ID=a\nPROVIDER_CLIENT_SECRET=b\n")
    file.chmod(0o640)
    kept.write_text('{"issuer": "http://127.0.0.1:9/old"}')
    for path, user in ((file, 0), (kept, USER)):
        os.chown(path, user, USER)
    said = run("check", "--quiet", *site.option, status=78).stderr
    command = f"store adopt --provider sso --from http://127.0.0.1:9/old --site {site.name}"
    assert f"run: linkedin-signin {command}." in said, said
    assert run(*command.split()).stdout == "the ID sso belongs to http://127.0.0.1:9/new now\n"
    run("check", "--quiet", *site.option)
    assert kept.stat().st_uid == USER and "/new" in kept.read_text()
    kept.unlink()
    file.unlink()
    file.parent.rmdir()
    site.state.unlink()
    target.rename(site.state)


def rename(site):
    """A renamed folder of settings would sign everybody out, and check says how to move back or to finish."""
    renamed, target = Site("members", site.url), lay_out_as_systemd(site)
    site.folder.rename(renamed.folder)
    said = run("check", "--quiet", *renamed.option, status=78).stderr
    assert f"the sessions of {site.url} are in {site.state}, and {site.folder}/settings does not exist" in said, said
    moved = PRIVATE / renamed.state.name
    command = f"mv -T {target} {moved}; rm -f {site.state}"
    assert said.endswith(f"systemctl disable --now {site.unit}.socket {site.unit}.service; {command}\n"), said
    subprocess.run(command, shell=True, check=True)
    run("check", "--quiet", *renamed.option)
    assert not site.state.is_symlink() and (moved / "base-url").read_text() == f"{site.url}\n"
    renamed.folder.rename(site.folder)
    moved.rename(site.state)


def name_causes_once(site):
    """A directory that the unit does not let the service write, and a user that does not exist, are one finding each."""
    drop_in = UNITS / "linkedin-signin@.service.d/user.conf"
    drop_in.parent.mkdir(parents=True)
    site.write(SIGNIN_STATE_DIRECTORY="/srv/signin")
    for words in ("“/srv/signin” is read-only", "User=nosuch: this machine has no such user"):
        said = run("check", *site.option, status=78)
        assert words in said.stderr and "state directory" not in said.stdout, said
        done = subprocess.run([PROGRAM, "doctor", "--json", *site.option], capture_output=True, text=True, env=PATH, cwd="/")
        found = [finding for finding in json.loads(done.stdout)["findings"] if finding["code"] not in BEYOND_THE_NETWORK]
        assert {finding["code"] for finding in found} == {"settings-invalid", "not-checked"}, found
        assert [finding["subject"] for finding in found if finding["code"] == "not-checked"] == ["redirect URL"], found
        site.write()
        drop_in.write_text("[Service]\nDynamicUser=no\nUser=nosuch\n")
    drop_in.unlink()
    rule = site.folder / "members"
    rule.write_text("subject=A\n")
    site.folder.chmod(0o700)
    said = run("check", "--quiet", "--require", f"allow={rule}", *site.option, status=78).stderr
    assert f"is in the directory {site.folder}, which user linkedin-signin cannot enter" in said and len(said.splitlines()) == 1, said
    site.folder.chmod(0o755)


def main(binaries):
    install(binaries)
    first, second, third = (Site(name, f"https://{name or 'example.com'}") for name in ("", "example.org", "example.net"))
    first.write()
    second.write()
    try:
        adopt(first, second, third)
        share_an_address(second, third)
        visit_another_site(first, second)
        lead_to_another_site(first, second)
        loosen(second)
        look_as_anyone(second)
        keep_from_starting(second)
        keep_from_loading(second)
        copy(second)
        adopt_provider(second)
        rename(second)
        name_causes_once(second)
    finally:
        for site in (first, second):
            if site.process and site.process.poll() is None:
                site.process.kill()


if __name__ == "__main__":
    main(*sys.argv[1:])

"""State directories, secrets and accounts with which systemd or the program does not start: check says it before the restart.

usage: unit_files.py BINARIES
"""

import json
import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

from code_blocks import code_blocks
from mixed_sites import BEYOND_THE_NETWORK, UNITS, diagnose, lay_out_as_systemd
from sites import ETC, OPERATOR, PATH, PROGRAM, REPOSITORY, USER, Site, install, run


def drop_in(site, *lines, type="service", name="override", section=None):
    file = UNITS / f"{site.unit}.{type}.d/{name}.conf"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"[{section or type.capitalize()}]\n" + "".join(f"{line}\n" for line in lines))
    return file


def diagnose_all(*options):
    """The findings of doctor, without those about a network that the test does not have."""
    done = subprocess.run([PROGRAM, "doctor", "--json", *options], capture_output=True, text=True, env=PATH, cwd="/", timeout=120)
    assert done.stdout.startswith("{"), done.stdout + done.stderr
    beyond = BEYOND_THE_NETWORK - {"endpoint-unreachable", "service-disabled"} | {"discovery-unavailable"}
    return [finding for finding in json.loads(done.stdout)["findings"] if finding["code"] not in beyond]


def refuse(site, words):
    """check and doctor name the cause, and doctor names nothing else as a fault; returns the notes of check."""
    done = run("check", "--quiet", *site.option, status=78)
    said = done.stderr
    assert words in said, said
    assert len(said.splitlines()) == 1, said
    faults = [finding for finding in diagnose_all(*site.option) if finding["severity"] == "fault"]
    assert len(faults) == 1 and words in "; ".join([faults[0]["what"], *faults[0]["remedies"]]), (words, faults)
    assert "; run: " not in faults[0]["what"], faults
    return done.stdout


def look_into_the_directory_that_systemd_repairs(site):
    """systemd corrects the mode of the state directory, and the owner of its files only if that of the directory is wrong."""
    key, owner = site.state / "server-key", site.state / "base-url"
    site.state.chmod(0o755)
    run("check", "--quiet", *site.option)
    repair = f"chown linkedin-signin {key} && chmod 600 {key}"
    # With files of root, a restored backup, the members of its records would be signed out.
    repairs = {key: ("the server key file", repair), owner: ("user linkedin-signin cannot read", f"chown -R linkedin-signin: {site.state}")}
    for file, (words, repair) in repairs.items():
        os.chown(file, 0, 0)
        for mode in (0o755, 0o700):
            site.state.chmod(mode)
            refuse(site, f"{words} {file}")
        assert repair in run("check", "--quiet", *site.option, status=78).stderr
        os.chown(site.state, 0, 0)
        run("check", "--quiet", *site.option)
        os.chown(site.state, USER, USER)
        os.chown(file, USER, USER)
    run("check", "--quiet", *site.option)


def name_paths_and_the_user(site):
    """sessions works in the state directory, and its messages have whole paths and the user of the service."""
    part = site.state / "sessions"
    for path, command in ((site.state, f"chown -R linkedin-signin: {site.state}"), (part, f"chown -R linkedin-signin {part}")):
        os.chown(path, 0, 0)
        for words in (["sessions", "list"], ["sessions", "revoke", "--all"]):
            said = run(*words, *site.option, status=69).stderr
            assert f"run: {command}" in said, said
        os.chown(path, USER, USER)
    site.state.chmod(0o755)
    assert f"run: chmod 700 {site.state}\n" in run("sessions", "count", *site.option, status=69).stderr
    assert site.serve().wait(20) == 69
    mode = f"chmod 700 {site.state}, and write StateDirectoryMode=0700 after the last line StateDirectory= of the unit, because"
    assert mode in (OPERATOR / "log").read_text()
    site.state.chmod(0o700)
    run("sessions", "count", *site.option)


def report_a_silent_program_once(site):
    """A program that cannot start because of its store is one finding, also if systemd keeps the socket open."""
    os.chown(site.state / "server-key", 0, 0)
    with socket.socket(socket.AF_UNIX) as waiting:
        waiting.bind(str(site.socket))
        waiting.listen()
        site.socket.chmod(0o660)
        shutil.chown(site.socket, group="www-data")
        refuse(site, "server-key belongs to user root")
        os.chown(site.state / "server-key", USER, USER)
        mount = ["mount", "-t", "tmpfs", "-o", f"size=64k,mode=700,uid={USER},gid={USER}", "none", site.state]
        subprocess.run(mount, check=True)
        refuse(site, "the file system is full: 0 MiB free")
        assert "find what fills the file system: du " in run("check", "--quiet", *site.option, status=78).stderr
        subprocess.run(["mount", "-o", "remount,ro,size=32m", site.state], check=True)
        # Its little room does not matter then.
        refuse(site, f"the directory {site.state} is on a file system that is mounted read-only")
        assert run("check", *site.option, status=78).stdout.count("almost full") == 0
        subprocess.run(["umount", site.state], check=True)
    site.socket.unlink()


def refuse_secret(site, words):
    """check and doctor name the provider, the file of its secret, and the file that no provider uses, as one finding."""
    said = run("check", "--quiet", *site.option, status=78).stderr
    assert said.startswith(f"linkedin-signin: {words}") and len(said.splitlines()) == 1, said
    found = [finding for finding in diagnose_all(*site.option) if finding["code"].startswith("secret-")]
    assert [finding["code"] for finding in found] == ["secret-missing"], found


def look_at_secrets(site):
    """A secret that others can use or that no provider uses is a warning; a provider without its secret is an error."""
    providers, secrets = site.folder / "providers", site.folder / "provider-secrets"
    providers.mkdir(mode=0o755)
    secrets.mkdir(mode=0o700)
    for name in ("google", "sso"):
        (providers / name).write_text(f"PROVIDER_ISSUER=http://127.0.0.1:9/{name}\nPROVIDER_CLIENT_ID=a\n")
        os.chown(providers / name, 0, USER)
        (secrets / name).write_text("demo-secret\n")
        (secrets / name).chmod(0o600)

    def warnings():
        said = run("check", *site.option).stdout
        found = [finding for finding in diagnose_all(*site.option) if finding["code"].startswith("secret-")]
        texts = ["; ".join([f["what"], *[remedy for remedy in f["remedies"] if remedy.startswith("run: chmod ")]]) for f in found]
        assert all(text in said for text in texts), (found, said)
        return [(finding["code"], text) for finding, text in zip(found, texts)]

    assert warnings() == []
    secrets.chmod(0o755)
    what = f"{secrets} has the secrets of providers and is open to other users (mode 755); run: chmod 700 {secrets}"
    assert warnings() == [("secret-shared", what)]
    secrets.chmod(0o700)
    for mode, access in ((0o666, "readable or writable for every user"), (0o640, "readable for its group")):
        (secrets / "sso").chmod(mode)
        what = f"{secrets}/sso contains PROVIDER_CLIENT_SECRET and is {access}; run: chmod 600 {secrets}/sso"
        assert warnings() == [("secret-shared", what)]
    (secrets / "sso").chmod(0o600)
    shown = run("check", *site.option).stdout
    assert f"\ngoogle: PROVIDER_CLIENT_ID=a  # {providers}/google:2\n" in shown, shown
    assert f"\nsso: PROVIDER_CLIENT_SECRET=<redacted>  # {secrets}/sso\n" in shown, shown
    others = secrets / "old", site.folder / "provider-client-secret"
    for file in others:
        file.write_text("demo-secret\n")
        file.chmod(0o600)
        assert warnings() == [("secret-unused", f"no provider uses {file}")]
        file.unlink()
    lacking = f"{providers}/sso: PROVIDER_CLIENT_SECRET: the provider sso has no client secret, because {secrets}/sso"
    (secrets / "sso").write_text("")
    refuse_secret(site, f"{lacking} is empty: write the client secret of sso into {secrets}/sso; then run: systemctl restart")
    (secrets / "sso").write_text("demo-secret\n")
    for file in others:
        (secrets / "sso").rename(file)
        refuse_secret(site, f"{lacking} does not exist, and no provider uses {file}: write the client secret of sso into {secrets}/sso")
        assert "sso: PROVIDER_CLIENT_SECRET=  # not set\n" in run("check", *site.option, status=78).stdout
        file.rename(secrets / "sso")
    secrets.rename(site.folder / "away")
    secrets.write_text("demo-secret\n")
    said = run("check", "--quiet", *site.option, status=78).stderr
    assert said.count(f"does not exist, and no provider uses {secrets}, which is a file and not a directory") == 2, said
    secrets.unlink()
    # A provider without a client secret may be one for public clients.
    lacking = f"the provider sso has no client secret, because {secrets}/sso does not exist"
    assert ("secret-absent", lacking) in warnings() and f"{lacking}; write the client secret of sso into {secrets}/sso; or" in run("check", "--quiet", *site.option).stdout
    with (providers / "sso").open("a") as file:
        file.write("PROVIDER_CLIENT_AUTHENTICATION=none\n")
    assert lacking not in run("check", "--quiet", *site.option).stdout
    google = (providers / "google").read_text()
    (providers / "google").write_text(google.replace("http://127.0.0.1:9/google", "https://accounts.google.com"))
    assert f"google has no client secret, because {secrets}/google does not exist: write" in run("check", *site.option, status=78).stderr
    (providers / "google").write_text(google)
    (site.folder / "away").rename(secrets)
    # The file of the provider cannot be read: its secret is not superfluous.
    os.chown(providers / "sso", 0, 0)
    (providers / "sso").chmod(0o600)
    assert [finding["code"] for finding in diagnose_all(*site.option) if finding["code"].startswith("secret-")] == []
    for folder in (providers, secrets):
        shutil.rmtree(folder)
    secret = site.folder / "client-secret"
    secret.write_text("\ndemo-secret\n")
    refuse(site, "has an empty first line: write only the value itself into the file")
    secret.unlink()
    secret.mkdir()
    refuse(site, f"{secret} is a directory, not a file: put a file in its place, or correct the path")
    secret.rmdir()
    site.write()


def explain_files(site):
    """A file that the service cannot read is another finding than a lost file, and both have a remedy."""
    authorities, members = OPERATOR / "ca.pem", OPERATOR / "members"
    shutil.copy("/etc/ssl/certs/ca-certificates.crt", authorities)
    authorities.chmod(0o600)
    site.write(SIGNIN_EXTRA_CA_FILE=authorities)
    refuse(site, f"“{authorities}” is not readable by user linkedin-signin; run: chgrp linkedin-signin {authorities} && chmod g+r {authorities}")
    authorities.unlink()
    refuse(site, f"“{authorities}” does not exist: restore this file, or correct the path")
    site.write()
    said = run("check", "--quiet", "--require", f"allow={members}", *site.option, status=78).stderr
    assert f"{members} does not exist: create this list, or correct its path in the rule\n" in said, said


def keep_what_tmpfiles_sets(site):
    """systemd-tmpfiles would undo a chgrp of the settings, so the unit of another user gets the group."""
    with open("/etc/passwd", "a") as users, open("/etc/group", "a") as groups:
        users.write("signin2:x:991:991::/:/usr/sbin/nologin\n")
        groups.write("signin2:x:991:\n")
    shutil.copy(REPOSITORY / "deploy/debian/tmpfiles", "/usr/lib/tmpfiles.d/linkedin-signin.conf")
    file = drop_in(site, "DynamicUser=no", "User=signin2")
    said = run("check", "--quiet", *site.option, status=78).stderr
    words = f"run: systemctl edit {site.unit}.service, and write these lines: [Service], SupplementaryGroups=linkedin-signin"
    assert f"{site.folder}/settings is not readable by user signin2; {words}" in said.replace("settings: is", "settings is"), said
    file.unlink()
    os.chown(site.folder / "settings", 0, 0)
    assert "run: systemd-tmpfiles --create linkedin-signin.conf" in run("check", "--quiet", *site.option, status=78).stderr
    site.write()
    # Without its account, the service gets another user, or systemd refuses to start it.
    accounts = {path: path.read_text() for path in (Path("/etc/passwd"), Path("/etc/group"))}
    for path, text in accounts.items():
        path.write_text("".join(line for line in text.splitlines(True) if not line.startswith("linkedin-signin:")))
        refuse(site, "run: systemd-sysusers linkedin-signin.conf")
    for path, text in accounts.items():
        path.write_text(text)


def name_the_proxy_of_the_unit(site):
    """doctor uses the proxy of the unit, and says so if the proxy does not answer."""
    file = drop_in(site, "Environment=https_proxy=http://127.0.0.1:9")
    found = [finding for finding in diagnose_all(*site.option) if finding["code"] == "endpoint-unreachable"]
    assert len(found) == 1 and found[0]["what"].endswith("through the proxy https_proxy=http://127.0.0.1:9"), found
    assert f"remove the variable from {file}:2 (systemctl edit {site.unit}.service)" in found[0]["remedies"][0], found
    file.unlink()


def name_units_that_nobody_enabled(site):
    words = "neither this unit nor its socket unit is enabled, so systemd does not start them after a reboot"
    note = f"note: {site.unit}.service: {words}; run: systemctl enable {site.unit}.socket {site.unit}.service\n"
    assert note in run("check", *site.option).stdout
    assert [f["severity"] for f in diagnose_all(*site.option) if f["code"] == "service-disabled"] == ["note"]
    link = UNITS / f"sockets.target.wants/{site.unit}.socket"
    link.parent.mkdir()
    link.symlink_to(f"/usr/lib/systemd/system/{link.name}")
    assert note not in run("check", *site.option).stdout


def uninstall(site):
    """The commands of install.md that remove one site leave no link."""
    lay_out_as_systemd(site)
    blocks = [text for _, text in code_blocks((REPOSITORY / "docs/install.md").read_text()) if "disable --now" in text]
    (text,) = blocks
    commands = [line.removeprefix("sudo ") for line in text.splitlines() if "systemctl" not in line]
    subprocess.run(["bash", "-euc", "\n".join(commands)], check=True)
    assert not os.path.lexists(site.state) and not site.folder.exists()


def adopt_without_the_link(site):
    """systemd makes a missing link at the next start, so commands of root find the directory without it."""
    old, target = site.url, lay_out_as_systemd(site)
    site.state.unlink()
    run("check", "--quiet", *site.option)
    run("sessions", "count", *site.option)
    site.write(SIGNIN_BASE_URL="https://new.example.org")
    refuse(site, f"store adopt --from {old} --site {site.name}")
    assert "belongs to https://new.example.org now" in run("store", "adopt", "--from", old, *site.option).stdout
    run("check", "--quiet", *site.option)
    target.parent.chmod(0o755)
    refuse(site, f"{target.parent} is open to other users (mode 755), so systemd does not start the service; run: chmod 700 {target.parent}")
    target.parent.chmod(0o700)
    site.state.mkdir(mode=0o700)
    os.chown(site.state, USER, USER)
    said = run("check", "--quiet", *site.option, status=78).stderr
    assert f"{site.state} is not a link to {target}, and both exist, so systemd does not start the service" in said, said
    site.state.rmdir()
    site.write()
    (target / "base-url").write_text(f"{old}\n")
    target.rename(site.state)


def find_the_former_directory(site):
    """Another state directory in the unit would sign everybody out; systemd makes the directories above it."""
    for name in ("members", "sub/members"):
        file = drop_in(site, "StateDirectory=", f"StateDirectory={name}", "StateDirectoryMode=0700")
        refuse(site, f"the sessions of {site.url} are in {site.state}, and the service would use /var/lib/{name}")
        file.unlink()


def follow_the_socket(site):
    """A changed socket is an error while the configuration of the web server names another one."""
    unnamed, printed, configuration = Site("", "https://example.com"), OPERATOR / "printed", Path("/etc/nginx/conf.d/site.conf")
    guard = ["--location", "/private/", "--require", "subject=A"]
    unnamed.write()
    for one in (site, unnamed):
        host = one.url.removeprefix("https://")
        files = f"/etc/nginx/snippets/linkedin-signin-{host}"
        run("print-config", "nginx", "--write", *guard, *one.option)
        location = f"location ^~ /private/ {{ include {files}-guard-private.conf; }}"
        configuration.write_text(f"server {{ listen 127.0.0.1:8099; server_name {host}; include {files}-server.conf; {location} }}\n")
        with printed.open("w") as output:
            subprocess.run(["nginx", "-T", "-e", OPERATOR / "error.log"], stdout=output, stderr=subprocess.DEVNULL, check=True)
        commands = (["check", "--quiet", *one.option], ["check", "--quiet", "--nginx", printed, *one.option])
        for command in commands:
            run(*command)
        file = drop_in(one, "ListenStream=", "ListenStream=/run/other.socket", type="socket")
        leads, lacks = (run(*command, status=78).stderr for command in commands)
        http = f"/etc/nginx/conf.d/linkedin-signin-{host}-http.conf"
        assert leads == (
            f"linkedin-signin: {http}: leads to another socket than /run/other.socket, where the program accepts connections: run "
            f"linkedin-signin print-config nginx{' '.join(['', *one.option, *guard])} --write, then reload nginx\n"
        ), leads
        assert "leads to the program of these settings, which listens at /run/other.socket" in lacks, lacks
        assert lacks.endswith(f"{' '.join(['', *guard])} --write\n"), lacks
        assert f"print the files of this site again: linkedin-signin print-config nginx{''.join(f' --site={one.name}' for _ in one.option[:1])} " in lacks, lacks
        assert len(lacks.splitlines()) == 1, lacks
        run("print-config", "nginx", "--write", *guard, *one.option)
        run("check", "--quiet", *one.option)
        Path(http).unlink()
        (lost,) = [line for line in run("check", *one.option).stdout.splitlines() if line.startswith(f"note: {http} ")]
        words = f"{http} does not exist, although other include files of this site exist. If nginx includes {http}, run linkedin-signin "
        assert words in lost, lost
        assert lost.endswith(f" print-config nginx{' '.join(['', *one.option, *guard])} --write"), lost
        file.unlink()
        for path in (configuration, *Path("/etc/nginx").glob("*/linkedin-signin-*")):
            path.unlink()
    (unnamed.folder / "settings").unlink()


def started_once(binaries):
    """A site with which check finds nothing wrong, and which has a store."""
    install(binaries)
    site = Site("example.org", "https://example.org")
    site.write()
    site.start()
    site.stop()
    run("check", "--quiet", *site.option)
    return site


def main(binaries):
    site = started_once(binaries)
    look_into_the_directory_that_systemd_repairs(site)
    adopt_without_the_link(site)
    find_the_former_directory(site)
    follow_the_socket(site)
    name_paths_and_the_user(site)
    report_a_silent_program_once(site)
    look_at_secrets(site)
    explain_files(site)
    keep_what_tmpfiles_sets(site)
    name_the_proxy_of_the_unit(site)
    name_units_that_nobody_enabled(site)
    uninstall(site)


if __name__ == "__main__":
    main(*sys.argv[1:])

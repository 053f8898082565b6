"""Faults of a site whose messages once led an operator the wrong way: what check and doctor name first.

usage: remedies.py BINARIES FAULT
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from mixed_sites import lay_out_as_systemd
from sites import ETC, OPERATOR, PATH, PROGRAM, REPOSITORY, USER, Site, install, run
from unit_files import diagnose_all, drop_in, refuse

FIRST, SECOND = Site("", "https://example.com"), Site("example.org", "https://example.org")


def add_provider(text):
    file = SECOND.folder / "providers/sso"
    file.parent.mkdir()
    file.write_text(text)
    os.chown(file, 0, USER)
    file.chmod(0o640)
    return file


def start_once(site):
    site.start()
    site.stop()


def removed_site():
    """The web server still has the guards of a site that was removed."""
    for server in ("nginx", "lighttpd"):
        text = run("print-config", server, "--location", "/private/", *SECOND.option).stdout
        (OPERATOR / server).write_text(text)
        run("check", f"--{server}", OPERATOR / server)
    shutil.rmtree(SECOND.folder)
    for server in ("nginx", "lighttpd"):
        said = run("check", f"--{server}", OPERATOR / server, status=78).stderr
        words = f"lead to {SECOND.socket}, the socket of {SECOND.unit}.service, and this machine has no {SECOND.folder}/settings"
        assert words in said and len(said.splitlines()) == 1, said


def secret_of_root():
    """systemd-tmpfiles gives the file of a secret to root again, so a chown does not last."""
    shutil.copy(REPOSITORY / "deploy/debian/tmpfiles", "/usr/lib/tmpfiles.d/linkedin-signin.conf")
    secret = SECOND.folder / "client-secret"
    SECOND.write(LINKEDIN_CLIENT_SECRET_FILE=secret)
    assert SECOND.serve().wait(20) == 78
    said = (OPERATOR / "log").read_text()
    assert "credential: remove the setting that names the file" in said and "chown" not in said, said


def settings_of_root():
    """A user who does not run the service cannot be helped by a change of its unit."""
    shutil.copy(REPOSITORY / "deploy/debian/tmpfiles", "/usr/lib/tmpfiles.d/linkedin-signin.conf")
    command = ["setpriv", "--reuid=www-data", "--regid=www-data", "--clear-groups", PROGRAM, "check", "--quiet", *SECOND.option]
    said = subprocess.run(command, capture_output=True, text=True, env=PATH, cwd="/").stderr
    words = "run this command as root, or, if www-data is the user of serve, run: usermod -a -G linkedin-signin www-data"
    assert words in said and "systemctl edit" not in said, said


def replaced_link():
    """`check` reports a directory in place of systemd's link once, also if root owns this directory."""
    start_once(SECOND)
    target = lay_out_as_systemd(SECOND)
    SECOND.state.unlink()
    SECOND.state.mkdir(mode=0o755)
    refuse(SECOND, f"{SECOND.state} is not a link to {target}, and both exist")


def slash_of_the_issuer():
    start_once(SECOND)
    for old, new in (("http://127.0.0.1:9/sso", "http://127.0.0.1:9/sso/"), ("http://127.0.0.1:9/sso/", "http://127.0.0.1:9/sso")):
        file = add_provider(f"PROVIDER_ISSUER={new}\nPROVIDER_CLIENT_ID=a\nPROVIDER_CLIENT_SECRET=b\n")
        kept = SECOND.state / "provider-sso.json"
        kept.write_text(f'{{"issuer": "{old}"}}')
        os.chown(kept, USER, USER)
        said = run("check", "--quiet", *SECOND.option, status=78).stderr
        first = f"PROVIDER_ISSUER: sso is the ID of {old}: after a mistake, write that issuer with{'' if old.endswith('/') else 'out'} the slash"
        assert first in said and "store adopt" in said, said
        shutil.rmtree(file.parent)


def store_of_another_site():
    start_once(FIRST)
    SECOND.write(SIGNIN_STATE_DIRECTORY=FIRST.state)
    refuse(SECOND, f"“{FIRST.state}” is read-only for {SECOND.unit}.service (ProtectSystem=strict): remove the line")
    drop_in(SECOND, f"ReadWritePaths={FIRST.state}")
    owner = f"the state directory {FIRST.state} belongs to {FIRST.url}, the site of {ETC}/settings"
    refuse(SECOND, f"{owner}: give this site a state directory of its own (SIGNIN_STATE_DIRECTORY)")
    SECOND.write()
    file = drop_in(SECOND, "StateDirectory=", f"StateDirectory={FIRST.state.name}", "StateDirectoryMode=0700")
    remedy = f"remove the lines StateDirectory= and StateDirectoryMode= ({file}:3, systemctl edit {SECOND.unit}.service)"
    refuse(SECOND, f"{owner}: {remedy}")
    file.write_text("")
    run("check", "--quiet", *SECOND.option)


def read_only_state():
    """ReadOnlyPaths= of the state directory, also behind its link, makes it read-only although the unit names it."""
    start_once(SECOND)
    place = lay_out_as_systemd(SECOND)
    for path in (place, SECOND.state, f"-{SECOND.state}", "/var/lib"):
        drop_in(SECOND, f"ReadOnlyPaths={path}")
        if path == "/var/lib":
            run("check", "--quiet", *SECOND.option)
        else:
            refuse(SECOND, f"ReadOnlyPaths={path} makes the state directory {SECOND.state} read-only")


def other_user():
    """systemd gives the state directory to the new user of the unit; a chown would break the program that still runs."""
    start_once(SECOND)
    lay_out_as_systemd(SECOND)
    drop_in(SECOND, "DynamicUser=no", "User=nobody", "SupplementaryGroups=linkedin-signin")
    run("check", "--quiet", *SECOND.option)
    (found,) = [finding for finding in diagnose_all(*SECOND.option) if finding["code"] == "store-unusable"]
    assert "systemd gives it to user nobody" in found["what"], found
    assert found["remedies"] == [f"run: systemctl restart {SECOND.unit}.service"], found


def lost_state():
    """systemd makes the directory behind a link again; a file in its place needs an operator."""
    start_once(SECOND)
    place = lay_out_as_systemd(SECOND)
    shutil.rmtree(place)
    run("check", "--quiet", *SECOND.option)
    place.touch()
    refuse(SECOND, f"the state directory {place} is not a directory, or is a symbolic link: move it away")


def closed_directories():
    shutil.copy(REPOSITORY / "deploy/debian/tmpfiles", "/usr/lib/tmpfiles.d/linkedin-signin.conf")
    folder = add_provider("PROVIDER_ISSUER=http://127.0.0.1:9/sso\nPROVIDER_CLIENT_ID=a\nPROVIDER_CLIENT_SECRET=b\n").parent
    folder.chmod(0o700)
    refuse(SECOND, f"user linkedin-signin cannot read the directory “{folder}”; run: systemd-tmpfiles --create linkedin-signin.conf")
    SECOND.folder.chmod(0o700)
    refuse(SECOND, f"{SECOND.folder}, which user linkedin-signin cannot enter; move the file, or run: chmod a+x {SECOND.folder}")


def inaccessible_path():
    folder = OPERATOR / "hidden"
    folder.mkdir()
    logo = folder / "logo.svg"
    logo.write_text('<svg xmlns="http://www.w3.org/2000/svg"/>')
    SECOND.write(SIGNIN_LOGO=logo)
    for line in (f"InaccessiblePaths={folder}", f"InaccessiblePaths=-{folder}"):
        drop_in(SECOND, line)
        refuse(SECOND, f"({line}); remove this path from InaccessiblePaths= (systemctl edit {SECOND.unit}.service), or move the file")


def paths_of_files():
    """Each message about a file has its path, and each place once."""
    secret = SECOND.folder / "client-secret"
    secret.write_text("\ndemo-secret\n")
    assert f"{secret}: LINKEDIN_CLIENT_SECRET: has an empty first line" in run("check", "--quiet", *SECOND.option, status=78).stderr
    closed = OPERATOR / "closed"
    closed.mkdir(mode=0o700)
    (closed / "logo.svg").write_text("x")
    SECOND.write(SIGNIN_LOGO=closed / "logo.svg")
    said = run("check", "--quiet", *SECOND.option, status=78).stderr
    assert f"is in the directory {closed}, which user linkedin-signin cannot enter" in said, said
    templates = ETC / "templates"
    templates.mkdir()
    (templates / "home.mustache").write_text("{{#open}}")
    SECOND.write(SIGNIN_TEMPLATES=templates)
    said = run("check", "--quiet", *SECOND.option, status=78).stderr
    assert f"SIGNIN_TEMPLATES: {templates}/home.mustache: line 1: " in said, said
    SECOND.write()
    file = add_provider("PROVIDER_ISSUER=http://127.0.0.1:9/sso\nPROVIDER_CLIENT_ID=a\nnothing\n")
    said = run("check", "--quiet", *SECOND.option, status=78).stderr
    assert f"linkedin-signin: {file}:3: is not a NAME=value line\n" in said, said
    found = [finding["subject"] for finding in diagnose_all(*SECOND.option) if "is not a NAME=value line" in finding["what"]]
    assert found == [f"{file}:3"], found
    file.write_text("PROVIDER_ISSUER=http://127.0.0.1:9/sso\nPROVIDER_CLIENT_ID=a\nPROVIDER_CLIENT_SECRET=b\n")
    secrets = SECOND.folder / "provider-secrets"
    secrets.mkdir(mode=0o700)
    (secrets / "sso2").write_text("demo-secret\n")
    (secrets / "sso2").chmod(0o600)
    said = run("check", *SECOND.option).stdout
    assert f"warning: no provider uses {secrets}/sso2; move it" in said, said


def forgotten_directory():
    """A renamed site that started without its state directory: the sessions that were left behind are named until they are gone."""
    start_once(SECOND)
    left = lay_out_as_systemd(SECOND)
    renamed = Site("members", SECOND.url)
    SECOND.folder.rename(renamed.folder)
    start_once(renamed)
    note = f"{SECOND.state} has earlier sessions of {SECOND.url}, and no site uses this directory"
    said = run("check", *renamed.option).stdout
    assert note in said, said
    assert any(note in finding["what"] for finding in diagnose_all(*renamed.option))
    commands = said.partition("to use the earlier sessions, run: ")[2].partition(". If nobody")[0].split("; ")
    subprocess.run(["sh", "-euc", "; ".join(command for command in commands if not command.startswith("systemctl"))], check=True)
    assert (left.parent / renamed.state.name / "server-key").exists() and not os.path.lexists(SECOND.state), commands
    new = Path(f"{renamed.state}.new")
    assert f"; mv -T {new} " in run("check", *renamed.option).stdout and commands[-1].startswith("systemctl start "), commands
    shutil.rmtree(new)
    assert "earlier sessions" not in run("check", *renamed.option).stdout


def lost_settings():
    """A site without its settings file is named as such: without --site, the command would act on another site."""
    start_once(SECOND)
    target, file = lay_out_as_systemd(SECOND), SECOND.folder / "settings"
    file.unlink()
    for link in ("", f" (it is a link to {OPERATOR}/gone)"):
        said = run("check", "--quiet", *SECOND.option, status=78).stderr
        lost = f"restore this file, because this machine still has {SECOND.folder} and {target} of this site; this machine has no site with a name"
        assert said == f"linkedin-signin: --site: {file} does not exist{link}; {lost}\n", said
        if not link:
            file.symlink_to(OPERATOR / "gone")
    said = run("check", "--site", "nosuch", status=78).stderr
    assert "this machine has no site with a name; without the option: the site of linkedin-signin.service" in said, said


def changed_address():
    """After a change of the address, the web server still has the files of the old one, which lead to the same socket."""
    for site in (FIRST, SECOND):
        for server in ("nginx", "lighttpd"):
            command = ["check", "--quiet", f"--{server}", OPERATOR / server, *site.option]
            (OPERATOR / server).write_text(run("print-config", server, "--location", "/private/", *site.option).stdout)
            run(*command)
            again = f"include lines: linkedin-signin print-config {server}{' --site=example.org' * bool(site.name)} --write, with"
            host = site.url.removeprefix("https://")
            for new, name in ((f"{site.url}/account", host + "+account"), (f"{site.url}:8443", host + "_8443"), ("https://new", "new")):
                site.write(SIGNIN_BASE_URL=new)
                said = run(*command, status=78).stderr
                assert f"no site includes the files of {name}, the site of these settings" in said and again in said, said
                assert len(said.splitlines()) == 1 and f" {OPERATOR}/{server}:1: " not in said, said
            site.write()


def socket_of_another_site():
    """Both sites name the socket unit that opens the socket of the other site too or only, whatever the settings say."""
    SECOND.write(SIGNIN_LISTEN=f"unix:{FIRST.socket}")
    refuse(FIRST, f"{FIRST.unit}.socket opens its own socket, so correct SIGNIN_LISTEN in {SECOND.folder}/settings")
    FIRST.start()
    FIRST.socket.chmod(0o666)
    for listen, reset in ((None, ["ListenStream="]), (f"unix:{SECOND.socket}", ["ListenStream="]), (None, [])):
        drop_in(SECOND, *reset, f"ListenStream={FIRST.socket}", type="socket")
        SECOND.write(SIGNIN_LISTEN=listen)
        for one, other in ((FIRST, SECOND), (SECOND, FIRST)):
            units = f"is unix:{FIRST.socket} in {one.unit}.socket and in {other.unit}.socket: correct ListenStream="
            refuse(one, f"{units} of the site that does not own this address (systemctl edit {SECOND.unit}.socket)")
    FIRST.stop()


def user_of_the_web_server():
    """check compares the user of the web server with the group and the mode in the socket unit."""
    file = drop_in(SECOND, "SocketMode=0600", type="socket")
    refuse(SECOND, "SocketMode= is 600, so the web server cannot connect to the program: write SocketMode=0660")
    file.unlink()
    lines = {"nginx": ("user www-data;", "user games;"), "lighttpd": ('server.username = "www-data"', 'server.username = "games"')}
    for server, (usual, other) in lines.items():
        text = run("print-config", server, "--location", "/private/", *SECOND.option).stdout
        text = text.replace('server.groupname = "www-data"', 'server.groupname = "games"' if server == "lighttpd" else "")
        assert usual in text
        command = ["check", "--quiet", f"--{server}", OPERATOR / server, *SECOND.option]
        (OPERATOR / server).write_text(text.replace(usual, other))
        said = run(*command, status=78).stderr
        assert f"the web server runs as user games, who may not connect to {SECOND.socket}" in said and len(said.splitlines()) == 1, said
        file = drop_in(SECOND, "SocketGroup=games", type="socket")
        run(*command)
        (OPERATOR / server).write_text(text.replace('"games"', '"www-data"'))
        said = run(*command, status=78).stderr
        assert "the web server runs as user www-data, who may not" in said and "SocketGroup=www-data, SocketMode=0660; then" in said, said
        file.unlink()
        run(*command)


def causes_with_one_finding():
    for name, value in (("SIGNIN_LISTEN", f"unix:{SECOND.socket}"), ("SIGNIN_STATE_DIRECTORY", SECOND.state), ("SIGNIN_IDLE_LIMIT", "7d")):
        SECOND.write(**{name: f"{value} # a comment"})
        refuse(SECOND, "has a comment after the value: put the comment on its own line")
    SECOND.write(SIGNIN_BASE_URL=f"“{SECOND.url}”")
    refuse(SECOND, "has quotes around the value: remove them, because they would be part of the value")
    SECOND.write()
    (OPERATOR / "nginx").write_text(run("print-config", "nginx", "--location", "/private/", *SECOND.option).stdout)
    SECOND.write(SIGNIN_LISTEN="unix:/run/other.socket")
    said = run("check", "--quiet", "--nginx", OPERATOR / "nginx", *SECOND.option, status=78).stderr
    assert "SIGNIN_LISTEN: is unix:/run/other.socket" in said and len(said.splitlines()) == 1, said


def refused_web_server():
    """check compares the user of the web server with SIGNIN_ALLOWED_USERS, before each request gets 502."""
    SECOND.write(SIGNIN_ALLOWED_USERS="root")
    words = "SIGNIN_ALLOWED_USERS lacks this user, so the program closes each connection of the web server: "
    words += "write SIGNIN_ALLOWED_USERS=root,www-data"
    note = run("check", *SECOND.option).stdout
    assert f"the web server runs as user www-data, and {words}\n" in note, note
    for server in ("nginx", "lighttpd"):
        (OPERATOR / server).write_text(run("print-config", server, "--location", "/private/", *SECOND.option).stdout)
        command = ["check", "--quiet", f"--{server}", OPERATOR / server, *SECOND.option]
        said = run(*command, status=78).stderr
        assert words in said and len(said.splitlines()) == 1, said
    run("print-config", "nginx", "--write", *SECOND.option)
    said = run("check", "--quiet", *SECOND.option, status=78).stderr
    assert f"settings:3: SIGNIN_ALLOWED_USERS: the web server runs as user www-data, and {words}" in said, said
    SECOND.write(SIGNIN_ALLOWED_USERS="root,www-data")
    run("check", "--quiet", *SECOND.option)
    assert run(*command).stderr == ""


def records_of_root():
    """Root restored records from a backup: the program does not read them, and each command says so with the remedy."""
    SECOND.write(SIGNIN_PERSONAL_TOKENS="90d")
    start_once(SECOND)
    run("tokens", "create", "--subject", "a", "--name", "b", "--location", "/", "--expires-after", "1d", *SECOND.option)
    shard = SECOND.state / "sessions/ab"
    shard.mkdir(mode=0o700)
    record = shard / ("0" * 30)
    record.write_bytes(bytes(100))
    record.chmod(0o600)
    os.chown(shard, USER, USER)
    refuse(SECOND, "1 file belongs to user root, and the program, which runs as user linkedin-signin, does not read such files")
    assert "unreadable: 1" in run("sessions", "count", *SECOND.option).stdout
    assert "1 damaged" in run("sessions", "sweep", *SECOND.option).stdout
    for words in (["sessions", "list"], ["sessions", "count"], ["sessions", "sweep"]):
        said = run(*words, *SECOND.option).stderr
        assert f"run: chown -R linkedin-signin: {SECOND.state}\n" in said, said
    subprocess.run(said.partition("run: ")[2], shell=True, check=True)
    run("check", "--quiet", *SECOND.option)
    assert "unreadable: 1" in run("sessions", "count", *SECOND.option).stdout, "the record is damaged"
    for path in (SECOND.state / "tokens").rglob("*"):
        os.chown(path, 0, 0)
    refuse(SECOND, f"chown -R linkedin-signin: {SECOND.state}")


def removed_sockets():
    """The runtime directory of one service contains the sockets of all sites."""
    file, directory = drop_in(SECOND, "RuntimeDirectory=linkedin-signin"), Path("/run/linkedin-signin")
    directory.mkdir(exist_ok=True)
    restart = "systemctl restart 'linkedin-signin*.socket' 'linkedin-signin*.service'"
    SECOND.start()
    SECOND.socket.chmod(0o666)
    os.chown(directory, 0, 0)
    for mode, opening in ((0o755, ""), (0o750, f"chmod a+x {directory} && ")):
        directory.chmod(mode)
        for site in (FIRST, SECOND):
            words = f"systemd removes RuntimeDirectory= ({directory}) when it stops the service, and the sockets of the web server in it"
            refuse(site, f"{words}: remove the line (systemctl edit {SECOND.unit}.service), then run: {opening}{restart}")
    file.unlink()
    for site in (FIRST, SECOND):
        refuse(site, f"the web server cannot enter this directory; run: {opening}{restart}")
    directory.chmod(0o755)
    for site in (FIRST, SECOND):
        run("check", "--quiet", *site.option)


def setting_of_the_unit():
    """A message about a setting that the unit sets names the drop-in file, or the file and line."""
    file = drop_in(SECOND, "Environment=SIGNIN_LOG_LEVEL=loud")
    assert f"{file}:2: SIGNIN_LOG_LEVEL: " in run("check", "--quiet", *SECOND.option, status=78).stderr
    refuse(SECOND, "“loud” is not one of")
    drop_in(SECOND, f"Environment=SIGNIN_BASE_URL={FIRST.url}")
    refuse(SECOND, f"is {FIRST.url} in {file}:2 and in {ETC}/settings: ")
    (OPERATOR / "more").write_text("\nSIGNIN_LOG_LEVEL=loud\n")
    drop_in(SECOND, f"EnvironmentFile={OPERATOR}/more")
    assert f"{OPERATOR}/more:2: SIGNIN_LOG_LEVEL: " in run("check", "--quiet", *SECOND.option, status=78).stderr


def wrong_command():
    """check reads the arguments in the unit as the program does."""
    rejected = {
        "serve --loud": "Unknown option '--loud'; correct the line: systemctl edit",
        "serve --site": "Missing value for '--site <site>'",
        "check": "the command is “check” and not serve",
        "--help": "the program only prints its help",
    }
    for arguments, words in rejected.items():
        file = drop_in(SECOND, "# A comment", "ExecStart=", f"ExecStart=/usr/bin/linkedin-signin {arguments}")
        refuse(SECOND, f"with which the program does not start: {words}")
        assert f" {file}:4: {SECOND.unit}.service: ExecStart= runs" in run("check", "--quiet", *SECOND.option, status=78).stderr
    drop_in(SECOND, "ExecStart=", f"ExecStart=/usr/bin/linkedin-signin --replace --site={SECOND.name}")
    run("check", "--quiet", *SECOND.option)


def mode_of_another_directory():
    """An empty StateDirectory= also removes the mode that the packaged unit has."""
    file = drop_in(SECOND, "StateDirectory=", "StateDirectory=third")
    refuse(SECOND, "StateDirectoryMode= is 755")
    file.write_text(file.read_text() + "StateDirectoryMode=0700\n")
    run("check", "--quiet", *SECOND.option)


def main(binaries, fault):
    install(binaries)
    FIRST.write()
    SECOND.write()
    globals()[fault]()


if __name__ == "__main__":
    main(*sys.argv[1:])

"""Faults of a site that once led to a wrong command, to several findings, or to none.

usage: traps.py BINARIES FAULT
"""

import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

from mixed_sites import lay_out_as_systemd
from sites import ETC, OPERATOR, PROGRAM, REPOSITORY, RUN, USER, Site, install, run
from unit_files import diagnose_all, drop_in, refuse

SITE = Site("example.org", "https://example.org")


def link_into_a_closed_directory():
    """The directory of the file is named, and not the link."""
    closed, link = OPERATOR / "closed", OPERATOR / "link"
    closed.mkdir(mode=0o700)
    link.symlink_to(closed)
    settings = SITE.folder / "settings"
    shutil.move(settings, closed / "settings")
    words = f"is a link to a file in the directory {closed}, which user linkedin-signin cannot enter; run: "
    copy = f"install -m 0640 -g linkedin-signin {closed}"
    for target in (closed, link):
        settings.symlink_to(target / "settings")
        refuse(SITE, f"{words}{copy}/settings {settings}")
        subprocess.run(f"{copy}/settings {settings}", shell=True, check=True)
        run("check", "--quiet", *SITE.option)
        settings.unlink()
    SITE.write()
    shutil.move(SITE.folder, closed / "site")
    (closed / "site").chmod(0o700)
    os.chown(closed / "site/settings", 0, 0)
    SITE.folder.symlink_to(link / "site")
    folder = f"rm {SITE.folder} && cp -aT {closed}/site {SITE.folder} && chmod a+x {SITE.folder} && "
    folder += f"chgrp linkedin-signin {settings} && chmod g+r {settings}"
    refuse(SITE, f"{words}{folder}")
    subprocess.run(folder, shell=True, check=True)
    run("check", "--quiet", *SITE.option)
    members = ETC / "members"
    members.symlink_to(closed / "members")
    (closed / "members").write_text("subject=A\n")
    command = ["check", "--quiet", "--require", f"allow={members}", *SITE.option]
    assert f"{words}{copy}/members {members}\n" in run(*command, status=78).stderr
    (found,) = [finding for finding in diagnose_all("--require", f"allow={members}", *SITE.option) if finding["code"] == "file-unreadable"]
    assert found["remedies"] == [f"run: {copy}/members {members}"], found
    subprocess.run(f"{copy}/members {members}", shell=True, check=True)
    run(*command)


def state_of_root():
    """The program that runs cannot use the directory until systemd gives it back; the next start corrects a stopped one."""
    SITE.start()
    SITE.socket.chmod(0o666)
    os.chown(SITE.state, 0, 0)
    words = "belongs to user root, and the program runs as user linkedin-signin; systemd gives it to user linkedin-signin with mode 700"
    refuse(SITE, f"{words} at the next start of {SITE.unit}.service; run: systemctl restart {SITE.unit}.service")
    SITE.stop()
    assert run("check", "--quiet", *SITE.option).stdout == ""


def settings_of_another_site():
    """Both sites name the file that was replaced, and what to write into it."""
    other = Site("", "https://example.com")
    other.write()
    for one, replaced in ((SITE, other), (other, SITE)):
        for site in (one, replaced):
            site.write()
            site.start()
            site.stop()
        shutil.copy(one.folder / "settings", replaced.folder / "settings")
        directory = f"{replaced.state}, the state directory of {replaced.unit}.service"
        wrong = f"{replaced.folder}/settings is wrong, because {directory}, belongs to "
        for site in (one, replaced):
            refuse(site, f"{wrong}{replaced.url}: write SIGNIN_BASE_URL={replaced.url} into it, with the client ID of this address")
        replaced.serve().wait(20)
        assert wrong in (OPERATOR / "log").read_text()
        replaced.write()


def copied_state():
    """systemd does not start a service with a directory in place of its link, and chown does not change that."""
    SITE.start()
    SITE.stop()
    target = lay_out_as_systemd(SITE)
    SITE.state.unlink()
    shutil.copytree(target, SITE.state)
    words = f"{SITE.state} is not a link to {target}, and both exist, so systemd does not start the service: of these two directories, keep"
    for owner in (0, USER):
        os.chown(SITE.state, owner, owner)
        refuse(SITE, words)
        for command in (["sessions", "count"], ["tokens", "list"], ["key", "rotate"]):
            said = run(*command, *SITE.option, status=69).stderr
            assert said.startswith(f"linkedin-signin: {words}") and "chown" not in said, said


def closed_way():
    """The directory that the user of the service cannot enter is named, and no directory that exists is called missing."""
    tmpfiles = Path("/usr/lib/tmpfiles.d/linkedin-signin.conf")
    shutil.copy(REPOSITORY / "deploy/debian/tmpfiles", tmpfiles)
    SITE.start()
    SITE.stop()
    for is_link in (False, True):
        if is_link:
            lay_out_as_systemd(SITE)
        for directory in ("/var/lib", "/var"):
            os.chmod(directory, 0o700)
            words = f"user linkedin-signin cannot enter {directory}, a directory above the state directory"
            refuse(SITE, f"{words}; run: chmod a+x {directory}")
            if not is_link:
                assert SITE.serve().wait(20) == 69
                words = f"cannot open the state directory {SITE.state}: Permission denied; run: chmod a+x {directory}"
                assert words in (OPERATOR / "log").read_text(), (OPERATOR / "log").read_text()
            os.chmod(directory, 0o755)
    SITE.write(SIGNIN_STATE_DIRECTORY="/root/state")
    refuse(SITE, f"“/root/state” is read-only for {SITE.unit}.service (ProtectSystem=strict): remove the line")
    SITE.write()
    os.chmod("/run", 0o750)
    refuse(SITE, "cannot enter this directory, so the program does not start, and the web server cannot connect to it; run: chmod a+x /run")
    os.chmod("/run", 0o755)
    run("check", "--quiet", *SITE.option)
    RUN.chmod(0o700)
    (found,) = [finding for finding in diagnose_all(*SITE.option) if finding["severity"] == "fault"]
    assert found["what"] == "the web server cannot enter this directory", found
    restart = "systemctl restart 'linkedin-signin*.socket' 'linkedin-signin*.service'"
    assert found["remedies"] == [f"run: chmod a+x {RUN} && {restart}"], found
    RUN.chmod(0o755)
    members = SITE.folder / "members"
    members.write_text("subject=A\n")
    members.chmod(0o640)
    os.chown(members, 0, USER)
    run("print-config", "nginx", "--location", "/private/", "--require", f"allow={members}", "--write", *SITE.option)
    os.chmod("/etc", 0o750)
    refuse(SITE, "is in the directory /etc, which user linkedin-signin cannot enter; move the file, or run: chmod a+x /etc")
    os.chmod("/etc", 0o755)
    for file in (members, SITE.folder / "settings"):
        os.chown(file, 0, 0)
    refuse(SITE, "is not readable by user linkedin-signin; run: systemd-tmpfiles --create linkedin-signin.conf")
    # A number of a person changes nothing: root runs the commands.
    for path in (Path("/etc/passwd"), Path("/etc/group")):
        path.write_text(path.read_text().replace(f":x:{USER}:", ":x:1990:").replace(f":{USER}::", ":1990::"))
    refuse(SITE, "is not readable by user linkedin-signin; run: systemd-tmpfiles --create linkedin-signin.conf")


def moved_state():
    """systemd follows no link in place of a state directory, and the command moves the directory back."""
    SITE.start()
    SITE.stop()
    place, elsewhere = lay_out_as_systemd(SITE), OPERATOR / "state"
    for link in (place, SITE.state):
        if link == SITE.state:
            SITE.state.unlink()
        place.rename(elsewhere)
        link.symlink_to(elsewhere)
        refuse(SITE, f"{link} is a link to {elsewhere}, and systemd does not start the service with this link (a bind mount")
        said = run("check", "--quiet", *SITE.option, status=78).stderr
        commands = said.partition("; run: ")[2].strip().split(" && ")
        assert commands[0] == f"systemctl stop {SITE.unit}.socket {SITE.unit}.service" and "systemctl start" in commands[-1], said
        subprocess.run(" && ".join(commands[1:-1]), shell=True, check=True)
        assert not link.is_symlink() and (link / "server-key").exists()
        run("check", "--quiet", *SITE.option)
    drop_in(SITE, "StateDirectory=", "StateDirectory=a&b")
    SITE.state.rename(elsewhere)
    place = place.with_name("a&b")
    place.symlink_to(elsewhere)
    said = run("check", "--quiet", *SITE.option, status=78).stderr
    assert f" && rm '{place}' && mv -T {elsewhere} '{place}' && systemctl start " in said, said


def address_in_place_of_a_name():
    for command in (["check"], ["doctor"], ["sessions", "count"]):
        for url in ("https://example.org", "https://example.org:8443/account"):
            assert "write only the host of the address: --site example.org\n" in run(*command, "--site", url, status=64).stderr
        assert "write the name of a site, such as example.org\n" in run(*command, "--site", "a/b", status=64).stderr
        unknown = "/etc/linkedin-signin/nosuch/settings does not exist; the sites of this machine: --site example.org\n"
        said = run(*command, "--site", "nosuch", status=2 if command == ["doctor"] else 78)
        assert unknown.strip() in said.stdout + said.stderr


def list_of_an_include_file():
    """check and doctor find the lists in the include files, also without the web server's configuration."""
    members = ETC / "members"
    SITE.start()
    SITE.socket.chmod(0o666)
    for server in ("nginx", "lighttpd"):
        run("print-config", server, "--location", "/private/", "--require", f"allow={members}", "--write", *SITE.option)
        refuse(SITE, f"{members} does not exist: create this list, or correct its path in the rule")
        members.write_text("subject=A\n")
        run("check", "--quiet", *SITE.option)
        members.chmod(0o600)
        refuse(SITE, f"run: chgrp linkedin-signin {members} && chmod g+r {members}")
        members.chmod(0o644)
        members.write_text("nobody\n")
        refuse(SITE, f"{members} line 1: “nobody” is not an entry")
        members.unlink()
        for file in Path(f"/etc/{server}").rglob("*linkedin-signin-*"):
            file.unlink()


def replaced_program():
    """As under systemd, the first process of the machine opened the socket of the program."""
    assert os.getpid() == 1
    opened = socket.socket(socket.AF_UNIX)
    opened.bind(str(SITE.socket))
    opened.listen()
    SITE.serve({"SIGNIN_LISTEN": "inherited"}, stdin=opened)
    found = [finding for finding in diagnose_all(*SITE.option) if finding["code"] == "program-replaced"]
    assert found == [], found
    shutil.copy(PROGRAM, f"{PROGRAM}.new")
    os.rename(f"{PROGRAM}.new", PROGRAM)
    (found,) = [finding for finding in diagnose_all(*SITE.option) if finding["code"] == "program-replaced"]
    assert found["remedies"] == [f"run: systemctl restart {SITE.unit}.service"], found


def failed_start():
    """After a start that failed, the correction alone does not start the site, so doctor adds the command that does."""
    SITE.start()
    settings, key = SITE.folder / "settings", SITE.state / "server-key"
    start = f"then run: systemctl restart {SITE.unit}.service"
    repair = f"chown linkedin-signin {key} && chmod 600 {key}"
    for is_running in (True, False):
        settings.chmod(0o600)
        (found,) = [finding for finding in diagnose_all(*SITE.option) if finding["severity"] == "fault"]
        assert found["what"].endswith("is not readable by user linkedin-signin"), found
        assert found["remedies"] == [f"run: chgrp linkedin-signin {settings} && chmod g+r {settings}"] + [start] * (not is_running), found
        settings.chmod(0o640)
        if is_running:
            SITE.stop()
    os.chown(key, 0, 0)
    (found,) = [finding for finding in diagnose_all(*SITE.option) if finding["severity"] == "fault"]
    assert found["remedies"] == [f"run: {repair}", start], found


def main(binaries, fault):
    install(binaries)
    SITE.write()
    globals()[fault]()


if __name__ == "__main__":
    main(*sys.argv[1:])

"""Lines of drop-in files with which systemd or the program does not start: check says it before the restart.

usage: unit_lines.py BINARIES
"""

import json
import shutil
import sys
from pathlib import Path

from mixed_sites import UNITS, diagnose
from sites import ETC, OPERATOR, PROGRAM, RUN, Site, run
from unit_files import diagnose_all, drop_in, refuse, started_once


def name_what_systemd_refuses(site):
    """systemd refuses these units, or starts the program with other settings or another directory."""
    command = f"{PROGRAM} serve --settings-file {ETC}/other"
    serve = f"{PROGRAM} serve --settings-file {site.folder}/settings"
    masked = UNITS / "masked.service"
    masked.symlink_to("/dev/null")
    (OPERATOR / "closed").mkdir(mode=0o700)
    other = Site("members", "https://members.example")
    other.write()
    (other.folder / "client-secret").touch()
    credential = f"linkedin-client-secret:{other.folder}/client-secret"
    cases = {
        f"LoadCredential=\nLoadCredential={credential}": f"LoadCredential={credential}: this is a file of {other.unit}.service",
        f"Sockets={other.unit}.socket": f"Sockets={other.unit}.socket: systemd passes the connections at this socket to {site.unit}",
        "User=www-data": f"run: systemctl edit {site.unit}.service, and remove the line User=www-data",
        "EnvironmentFile=/etc/nowhere/env": "EnvironmentFile=/etc/nowhere/env: /etc/nowhere/env does not exist",
        "WorkingDirectory=/srv/nowhere": "WorkingDirectory=/srv/nowhere: /srv/nowhere does not exist",
        "WorkingDirectory=/root": "WorkingDirectory=/root: /root is hidden from the service (ProtectHome=yes)",
        f"WorkingDirectory={PROGRAM}": f"{PROGRAM} is not a directory that the user of the service can enter",
        f"WorkingDirectory={OPERATOR}/closed": "closed is not a directory that the user of the service can enter",
        "EnvironmentFile=/etc": "EnvironmentFile=/etc: /etc is a directory, so systemd does not start the service",
        "ReadWritePaths=-/srv/a /srv/nowhere": "ReadWritePaths=/srv/nowhere: /srv/nowhere does not exist",
        "BindPaths=/srv/nowhere:/srv": "BindPaths=/srv/nowhere:/srv: /srv/nowhere does not exist",
        "LoadCredential=signin-store-key:/etc/nowhere/key": "/etc/nowhere/key does not exist, so systemd does not start the service",
        # Without the empty credential of the package, the secret is not set either.
        "SetCredential=\nLoadCredential=\nLoadCredential=linkedin-client-secret:/etc/no": "client-secret:/etc/no: /etc/no does not",
        "SupplementaryGroups=nosuch": f"this machine has no such group; correct the line: systemctl edit {site.unit}.service",
        f"ExecStart={command}": "the unit has more than one ExecStart= line",
        "ExecStart=": "the unit has no ExecStart= line",
        f"ExecStart=\nExecStart={command}": f"ExecStart= names the settings file {ETC}/other, and this command reads {site.folder}",
        f"ExecStart=\nExecStart=/opt/linkedin-signin serve --site {site.name}": "ExecStart=: /opt/linkedin-signin does not exist",
        "ExecStart=\nExecStart=/usr/bin/linkedin-signn serve": "ExecStart=: /usr/bin/linkedin-signn does not exist",
        "ExecStart=\nExecStart=/usr/bin/env A=1 /nosuch serve": "ExecStart=: /nosuch does not exist",
        f"ExecStart=\nExecStart=+{serve}": "ExecStart= begins with “+”, so systemd starts the program as root",
        f"ExecStart=\nExecStart=-!{serve}": "ExecStart= begins with “!”, so systemd starts the program as root",
        "StateDirectory=members": f"StateDirectory= has 2 directories ({site.state}, /var/lib/members)",
        "StateDirectoryMode=0755": "StateDirectoryMode= is 755, so other users can read the state directory",
        "StateDirectoryMode=0600": "StateDirectoryMode= is 600, so the program cannot use the state directory",
        "StateDirectory=": f"StateDirectory= is empty, so {site.state} is read-only for the program",
        # The mode of the other directory is a consequence.
        "StateDirectory=\nStateDirectory=other": f"are in {site.state}, and the service would use /var/lib/other",
        "Group=nobody": "Group=nobody: this machine has a user nobody and no group of this name",
        "User=nosuch": f"is not readable by {site.unit}.service, whose user nosuch does not exist",
        # The group is made for the start, and the file of the settings belongs to another one.
        "Group=nosuch": f"run: systemctl edit {site.unit}.service, and remove the line Group=nosuch",
        "Group=www-data": f"run: systemctl edit {site.unit}.service, and remove the line Group=www-data",
        "LimitNOFILE=12": "LimitNOFILE=12 allows the program fewer than 64 file descriptors",
        "LimitFSIZE=1M": "LimitFSIZE=1M: the kernel ends the program when it writes a larger file",
        "PrivateNetwork=yes": "PrivateNetwork=yes: the program cannot call a provider",
        "RestrictAddressFamilies=\nRestrictAddressFamilies=AF_UNIX": "RestrictAddressFamilies= does not allow AF_INET, AF_INET6",
        "Type=forking": "Type=forking: systemd waits for a process in the background",
        "Type=oneshot": "Type=oneshot: systemd waits for the end of the program",
        "Type=dbus": "Type=dbus: systemd waits for a name on D-Bus",
        "ExecStartPre=/usr/bin/nosuch": "ExecStartPre=/usr/bin/nosuch: /usr/bin/nosuch does not exist",
        "ExecStartPost=+/etc/passwd": "ExecStartPost=+/etc/passwd: /etc/passwd is not a program",
        "ExecCondition=/usr/bin/nosuch": "ExecCondition=/usr/bin/nosuch: /usr/bin/nosuch does not exist",
        "NoExecPaths=/usr\nExecPaths=/usr/lib": "NoExecPaths=/usr: systemd does not execute /usr/bin/linkedin-signin",
        "TemporaryFileSystem=/usr/bin:ro": "ExecStart=: “/usr/bin/linkedin-signin” is hidden from",
        f"TemporaryFileSystem={ETC}": f"is hidden from {site.unit}.service (TemporaryFileSystem={ETC}); remove this path",
        "[Unit] Requires=nosuch.service": "Requires=nosuch.service: this machine has no unit nosuch.service",
        "[Unit] BindsTo=nosuch.socket": "BindsTo=nosuch.socket: this machine has no unit nosuch.socket",
        "[Unit] Requisite=masked.service": "Requisite=masked.service: masked.service is masked",
        "[Unit] ConditionPathExists=/nowhere": "ConditionPathExists=/nowhere: /nowhere does not exist, so systemd does not start the unit",
        "[Unit] AssertFileNotEmpty=/nowhere": "AssertFileNotEmpty=/nowhere: /nowhere does not exist",
        "[Unit] ConditionPathExists=!/etc/passwd": "ConditionPathExists=!/etc/passwd: /etc/passwd exists",
    }
    of_socket = {
        "SocketUser=nosuch": f"no such user; correct the line: systemctl edit {site.unit}.socket",
        "SocketGroup=nosuch": f"no such group; correct the line: systemctl edit {site.unit}.socket",
        "ListenStream=\nListenStream=127.0.0.1:9100": f"ListenStream=127.0.0.1:9100: {site.unit}.socket does not open {site.socket}",
        "ListenStream=": f"the unit has no ListenStream= line, so systemd does not start it: write ListenStream={site.socket}",
        "SocketGroup=root": "SocketGroup= is root, so the web server cannot connect to the program: write SocketGroup=",
        "Accept=yes": "Accept=yes: systemd starts another service for each connection",
        "Service=nginx.service": f"to this unit, and not to {site.unit}.service: remove the line: systemctl edit {site.unit}.socket",
        "[Unit] Requires=nosuch.service": f"so systemd does not start {site.unit}.socket",
    }
    for type, lines, words in [("service", *case) for case in cases.items()] + [("socket", *case) for case in of_socket.items()]:
        file = drop_in(site, *lines.removeprefix("[Unit] ").split("\n"), section="Unit" if "[Unit]" in lines else None, type=type)
        assert "cannot tell" not in (said := refuse(site, words)), said
        file.unlink()
    masked.unlink()
    shutil.rmtree(other.folder)
    Path(PROGRAM).chmod(0o750)
    refuse(site, f"may not execute {PROGRAM}; run: chmod 755 {PROGRAM}")
    Path(PROGRAM).chmod(0o755)


def accept_what_systemd_starts(site):
    """These lines are right, or systemd ignores that something is missing, or check reports a note or a warning."""
    unit, script = f"{site.unit}.service", OPERATOR / "script"
    script.write_text("#!/bin/sh\n")
    script.chmod(0o755)
    binds = f"BindReadOnlyPaths={site.folder} /srv:{ETC}/templates"
    lines = ["EnvironmentFile=-/etc/nowhere/env", f"EnvironmentFile={site.folder}/settings", "ReadWritePaths=-/srv/nowhere"]
    lines += ["ExecStartPre=-/usr/bin/nosuch", f"TemporaryFileSystem={ETC}\n{binds}", "NoExecPaths=/\nExecPaths=/usr"]
    lines += [f"ExecStart=\nExecStart=!!{PROGRAM} serve --site {site.name}", "LimitFSIZE=2M", "Type=forking\nType=exec"]
    # systemd ignores values that are not valid.
    lines += ["StateDirectory=/abs", "StateDirectoryMode=9", f"WorkingDirectory={site.state}", "Environment=https_proxy=http://a:1"]
    for line in lines:
        file = drop_in(site, *line.split("\n"))
        run("check", "--quiet", *site.option)
        file.unlink()
    file = drop_in(site, "ExecStart=", f"ExecStart={script}")
    said = run("check", "--quiet", *site.option).stdout
    assert f"warning: {unit}: ExecStart= runs “{script}”, which does not show the settings of the program" in said, said
    file.unlink()
    for line in ("DynamicUser=no", "User=0"):
        file = drop_in(site, line, "StateDirectoryMode=0700")
        assert "the program run as root" in run("check", "--quiet", *site.option).stdout.replace("runs", "run")
        _, found = diagnose(*site.option)
        assert found["service-root"]["severity"] == "warning" and "systemctl edit" in found["service-root"]["remedies"][0], found
        file.unlink()
    file = drop_in(site, "SocketMode=0666", type="socket")
    said = run("check", "--quiet", *site.option).stdout
    words = f"SocketMode=0666 lets every user of this machine connect; run: systemctl edit {site.unit}.socket, and write these lines"
    assert f"warning: {site.unit}.socket: {words}" in said, said
    file.unlink()
    template, runtime = site.unit.partition("@")[0] + "@", Path("/run/systemd/system")
    runtime.mkdir(parents=True)
    names = [f"{name}.{type}" for name in (site.unit, template) for type in ("service", "socket")]
    for masked in (folder / name for folder in (UNITS, runtime) for name in names):
        masked.symlink_to("/dev/null")
        option = "--runtime " if masked.parent == runtime else ""
        started = f"{site.unit}.socket {unit}" if masked.suffix == ".socket" else unit
        refuse(site, f"is masked, so systemd does not start it; run: systemctl unmask {option}{masked.name} && systemctl restart {started}")
        masked.unlink()
    # Drop-in files of all units whose names begin like this, and those of systemctl set-property.
    for folder in (UNITS / "linkedin-.service.d", UNITS.parent / f"system.control/{unit}.d"):
        folder.mkdir(parents=True)
        (folder / "a.conf").write_text("[Service]\nStateDirectoryMode=0750\n")
        refuse(site, "StateDirectoryMode= is 750")
        shutil.rmtree(folder)


def warn_of_lines_that_only_a_start_tries(site):
    """check does not know what these lines do, and says so for each file; the other lines cannot keep the service from starting."""
    text = "ExecStartPre=/bin/false ExecCondition=false RootDirectory=/srv LimitDATA=0"
    text += " [Unit] Requires=cron.service ConditionHost=a ConditionVirtualization=no [Service] Type=notify-reload TasksMax=8"
    lines = f"{text} LimitAS=99M MemoryMax=1G MemoryHigh=1M LimitFSIZE=infinity LimitCORE=1 Nice=5 OOMScoreAdjust=9".split()
    Path("/usr/lib/systemd/system/cron.service").write_text("[Service]\nExecStart=/bin/sh\n")
    for file in (drop_in(site, *lines, "ProtectClock=no", "[Unit]", "ConditionPathExists=/etc"), UNITS / "linkedin-signin@.service"):
        if file.parent == UNITS:
            unit = (Path("/usr/lib/systemd/system") / file.name).read_text()
            file.write_text(unit.replace("Type=notify", "\n".join(lines)))
        said = run("check", "--quiet", *site.option).stdout
        keys = "ConditionHost=, ConditionVirtualization=, ExecCondition=, ExecStartPre=, LimitAS=, LimitDATA=, MemoryHigh=, Requires="
        keys += ", RootDirectory=, TasksMax=, Type="
        words = f"warning: {file} sets {keys}, and check cannot tell whether {site.unit}.service starts with this file"
        assert said == f"{words}: after a restart, run: systemctl status {site.unit}.service\n", said
        found = json.loads(run("check", "--quiet", "--json", *site.option).stdout)["findings"]
        assert [(each["code"], each["severity"]) for each in found] == [("start-uncertain", "warning")], found
        found = json.loads(run("doctor", "--json", *site.option, status=2).stdout)["findings"]
        (silent,) = [finding for finding in found if finding["code"] == "socket-missing"]
        assert f"{site.unit}.service: {words.removeprefix('warning: ')}" in silent["also"][0], silent
        # A program that runs has started with these lines.
        site.start()
        assert [f["code"] for f in diagnose_all(*site.option) if "cannot tell whether" in f["what"]] == ["not-checked"]
        site.stop()
        file.unlink()
    file = drop_in(site, "Conflicts=nginx.service", section="Unit")
    words = "sets Conflicts=nginx.service, so systemd stops nginx.service when it starts"
    words = f"warning: {file}:2 {words} {site.unit}.service: if the site needs nginx.service, remove the line: systemctl edit"
    assert run("check", "--quiet", *site.option).stdout == f"{words} {site.unit}.service\n"
    file.unlink()
    credentials = ["LoadCredentialEncrypted=a:/etc/fstab", "LoadCredential=a:/etc/fstab"]
    for line in ["Environment=LD_PRELOAD=/a.so", "EnvironmentFile=/etc/nowhere/*", "WorkingDirectory=~", *credentials]:
        file = drop_in(site, line)
        assert f"sets {line.partition('=')[0]}=, and check cannot tell" in run("check", "--quiet", *site.option).stdout
        file.unlink()
    for line in ("ExecStartPost=/bin/false", "ListenStream=80", f"ListenStream={RUN}", f"After={site.unit}.service"):
        file = drop_in(site, line, type="socket", section="Unit" if "After" in line else None)
        words = f"warning: {file} sets {line.partition('=')[0]}=, and check cannot tell whether {site.unit}.socket starts"
        assert words in run("check", "--quiet", *site.option).stdout
        file.unlink()
    # The first line is a problem, which names another directive than the second one.
    file = drop_in(site, "BindReadOnlyPaths=/srv/nowhere", "ReadOnlyPaths=/etc")
    said = run("check", "--quiet", *site.option, status=78)
    assert "BindReadOnlyPaths=/srv/nowhere: /srv/nowhere does not exist" in said.stderr
    assert f"warning: {file} sets ReadOnlyPaths=, and check cannot tell" in said.stdout, said.stdout
    file.unlink()
    harmless = ["Description=a", "Documentation=man:a(1)", "CPUWeight=9", "IOWeight=9", "MemoryHigh=1G", "TimeoutStopSec=9", "Restart=no"]
    file = drop_in(site, *harmless, section="Service")
    assert run("check", "--quiet", *site.option).stdout == ""
    file.unlink()


def name_the_unit_that_closes_the_directory(site):
    """The first socket unit after a boot makes the directory of all sockets, so both sites name the unit that closes it."""
    other = Site("", "https://example.com")
    other.write()
    file = drop_in(other, "DirectoryMode=0700", type="socket")
    remedy = f"remove the line DirectoryMode= (systemctl edit {other.unit}.socket)"
    for one in (site, other):
        refuse(one, remedy)
    RUN.chmod(0o700)
    for one in (site, other):
        refuse(one, f"{remedy}, then run: chmod a+x {RUN}")
    RUN.chmod(0o755)
    file.unlink()
    (other.folder / "settings").unlink()


def main(binaries):
    site = started_once(binaries)
    name_what_systemd_refuses(site)
    accept_what_systemd_starts(site)
    warn_of_lines_that_only_a_start_tries(site)
    name_the_unit_that_closes_the_directory(site)


if __name__ == "__main__":
    main(*sys.argv[1:])

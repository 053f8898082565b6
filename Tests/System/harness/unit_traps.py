"""Faults of the units of a site and of the web server that once led to a wrong command, to several findings, or to none.

usage: unit_traps.py BINARIES FAULT
"""

import os
import shutil
import signal
import socket
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

from json_server import JSONServer, send
from mixed_sites import UNITS, lay_out_as_systemd
from process import wait_until
from sites import OPERATOR, PATH, PROGRAM, RUN, USER, Site, install, run
from unit_files import diagnose_all, drop_in, refuse

SITE = Site("example.org", "https://example.org")


def variables_of_systemd():
    """A variable that systemd sets is one finding, and no command is about the directory that it names."""
    for name, value in (("STATE_DIRECTORY", "/tmp"), ("CREDENTIALS_DIRECTORY", "/nosuch"), ("NOTIFY_SOCKET", "/nosuch")):
        file = drop_in(SITE, "# A comment", f"Environment={name}={value}")
        words = f"{name}={value}: systemd sets this variable for the program: remove it from {file}:3"
        refuse(SITE, words)
        (OPERATOR / "more").write_text(f"{name}={value}\n")
        drop_in(SITE, f"EnvironmentFile={OPERATOR}/more")
        assert "cannot tell" not in refuse(SITE, words.replace(f"{file}:3", f"{OPERATOR}/more:1"))
    # systemd makes the others too, and the program does not use them.
    drop_in(SITE, "Environment=RUNTIME_DIRECTORY=/tmp")
    assert "chown" not in run("check", "--quiet", *SITE.option).stdout


def secret_that_systemd_does_not_pass():
    secret = SITE.folder / "client-secret"
    secret.write_text("a" * 1_000_000)
    run("check", "--quiet", *SITE.option)
    secret.write_text("a" * 1_000_001)
    refuse(SITE, f"{secret} is larger than 1000000 bytes")
    secret.unlink()
    os.mkfifo(secret)
    refuse(SITE, f"{secret} is a FIFO, and each start waits until a program writes to it: put a file in its place")


def drop_in_files_of_all_units():
    """systemctl edit opens another file, so the message names the file of the line."""
    lines = {"WorkingDirectory=/nosuch": "/nosuch does not exist", "User=nosuch\nDynamicUser=no": "no such user"}
    lines |= {"LimitNOFILE=12": "file descriptors", "StateDirectoryMode=0750": "is 750", "PrivateNetwork=yes": "cannot call a provider"}
    lines |= {"ReadWritePaths=/srv /nosuch": "/nosuch does not exist", "ExecStart=\nExecStart=/nosuch": "/nosuch does not exist"}
    lines |= {"Type=forking": "systemd waits", "RuntimeDirectory=linkedin-signin": "systemd removes", "LimitFSIZE=1": "a larger file"}
    lines |= {"RestrictAddressFamilies=none": "does not allow", "Environment=SIGNIN_LOG_LEVEL=loud": "is not one of"}
    units = ("", "linkedin-.", "linkedin-signin@.", f"{SITE.unit}.")
    files = [UNITS / f"{unit}service.d/a.conf" for unit in units]
    for number, (line, words) in enumerate(lines.items()):
        file = files[number % 4]
        file.parent.mkdir(exist_ok=True)
        file.write_text(f"[Service]\n{line}\n")
        refuse(SITE, words)
        said = run("check", "--quiet", *SITE.option, status=78).stderr
        assert f" {file}:{1 + max(line.count('ExecStart='), 1)}: " in said and "systemctl edit" not in said, said
        assert f"edit {file}, then run: systemctl daemon-reload" in said or "LOG_LEVEL" in line, said
        file.unlink()


def lines_to_replace():
    """systemd reads zz.conf after the file of systemctl edit, so that a line in the other file would have no effect."""
    other = Site("", "https://example.com")
    other.write()
    (OPERATOR / "hidden").mkdir()
    (OPERATOR / "hidden/logo.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg"/>')
    SITE.write(SIGNIN_LOGO=OPERATOR / "hidden/logo.svg", SIGNIN_ALLOWED_USERS="www-data")
    of_service = {"User=root": "remove the line User=root", "DynamicUser=no": "write these lines: [Service], DynamicUser=yes"}
    of_service |= {"PrivateUsers=yes": "remove the line PrivateUsers= ", "StateDirectory=": "StateDirectory= is empty"}
    of_service |= {f"InaccessiblePaths={OPERATOR}/hidden": "remove this path from InaccessiblePaths= "}
    of_service |= {"User=www-data\nDynamicUser=no": "remove the line User=www-data", "Group=www-data": "remove the line Group=www-data"}
    of_socket = {"SocketMode=0666": "write these lines: [Socket], SocketMode=0660", "ListenStream=": "has no ListenStream= line"}
    of_socket |= {f"ListenStream=\nListenStream={other.socket}": "correct ListenStream= of the site that does not own this address "}
    for type, line, words in [("service", *case) for case in of_service.items()] + [("socket", *case) for case in of_socket.items()]:
        file = drop_in(SITE, *line.split("\n"), type=type, name="zz")
        done = subprocess.run([PROGRAM, "check", "--quiet", *SITE.option], capture_output=True, text=True, env=PATH, cwd="/")
        said = done.stdout + done.stderr
        assert words in said and f"edit {file}, then run: systemctl daemon-reload" in said and "systemctl edit" not in said, (line, said)
        file.unlink()
    (OPERATOR / "nginx").write_text(run("print-config", "nginx", "--location", "/private/", *SITE.option).stdout)
    file = drop_in(SITE, "SocketGroup=games", type="socket", name="zz")
    said = run("check", "--quiet", "--nginx", OPERATOR / "nginx", *SITE.option, status=78).stderr
    words = "write these lines: [Socket], SocketGroup=www-data, SocketMode=0660: edit"
    assert f"{words} {file}, then run: systemctl daemon-reload; then run: systemctl restart {SITE.unit}.socket" in said, said
    file.unlink()
    file = drop_in(SITE, "Environment=https_proxy=http://127.0.0.1:9", name="zz")
    (found,) = [finding for finding in diagnose_all(*SITE.option) if finding["code"] == "endpoint-unreachable"]
    assert f"remove the variable from {file}:2 (edit {file}, then run: systemctl daemon-reload)" in found["remedies"][0], found


def secret_that_systemd_has_not_passed():
    """systemd passes a new credential only when it starts the service, so the log of a reload says to restart this unit."""
    own = SITE.folder / "own"
    own.write_text("demo-secret\n")
    own.chmod(0o600)
    os.chown(own, USER, USER)
    SITE.write(LINKEDIN_CLIENT_SECRET_FILE=own)
    (SITE.folder / "client-secret").unlink()
    SITE.start()
    SITE.write()
    SITE.process.send_signal(signal.SIGHUP)
    log = OPERATOR / "log"
    wait_until(lambda: "event=reload-refused" in log.read_text(), "a refused reload")
    words = "in the unit names, then run: systemctl restart"
    assert f"{words} {SITE.unit}.service" in log.read_text(), log.read_text()


def closed_socket():
    """The mode in the socket unit and that of the socket are one finding."""
    drop_in(SITE, "SocketMode=0600", type="socket")
    opened = socket.socket(socket.AF_UNIX)
    opened.bind(str(SITE.socket))
    opened.listen()
    SITE.socket.chmod(0o600)
    restart = f"then run: systemctl restart {SITE.unit}.socket {SITE.unit}.service"
    words = "SocketMode= is 600, so the web server cannot connect to the program: write SocketMode=0660"
    refuse(SITE, f"{words} (systemctl edit {SITE.unit}.socket), {restart}")
    for line in ("SocketMode=0600", "SocketGroup=root"):
        drop_in(SITE, line, type="socket")
        (OPERATOR / "nginx").write_text(run("print-config", "nginx", "--location", "/private/", *SITE.option).stdout)
        said = run("check", "--quiet", "--nginx", OPERATOR / "nginx", *SITE.option, status=78).stderr
        assert len(said.splitlines()) == 1 and f"(systemctl edit {SITE.unit}.socket), {restart}" in said, said


def unit_of_another_site():
    """A copy of the unit of another site, in which nearly all lines are wrong, is one finding, also while that program runs."""
    other, unit = Site("", "https://example.com"), f"{SITE.unit}.service"
    other.write()
    copy = UNITS / unit
    shutil.copy("/usr/lib/systemd/system/linkedin-signin.service", copy)
    words = f"{copy} starts the site of linkedin-signin.service, and replaces the unit file of the package; run: rm {copy}"
    for is_running in (False, True):
        if is_running:
            other.serve({"SIGNIN_LISTEN": f"unix:{SITE.socket}"})
            wait_until(SITE.socket.exists, "the program of the other site")
            SITE.socket.chmod(0o666)
        refuse(SITE, f"{words} && systemctl daemon-reload && systemctl restart {unit}")
    other.stop()


def unit_of_all_sites():
    """A template in the place of a unit without @ in its name, in which %i is empty, is one finding, also without the package."""
    first = Site("", "https://example.com")
    first.write()
    for type, restart in (("service", f"{first.unit}.service"), ("socket", f"{first.unit}.socket {first.unit}.service")):
        packaged = Path(f"/usr/lib/systemd/system/{first.unit}.{type}")
        copy, text = UNITS / packaged.name, packaged.read_text()
        shutil.copy(f"/usr/lib/systemd/system/{first.unit}@.{type}", copy)
        words = f"{copy} is a copy of {first.unit}@.{type}, the unit file for sites with a name, and systemd replaces %i by nothing in a unit "
        words += "without @ in its name, so this unit names no site"
        commands = f"systemctl daemon-reload && systemctl restart {restart}"
        refuse(first, f"{words}. This copy replaces the unit file of the package; run: rm {copy} && {commands}")
        packaged.unlink()
        refuse(first, f"{words}: copy {packaged.name} of the release to {copy}, then run: {commands}")
        copy.write_text(text.replace("Description=", "Description=%n "))
        run("check", "--quiet", *first.option)
        copy.unlink()
        packaged.write_text(text)
    # The path with an empty %i is that of the settings file.
    drop_in(first, "ExecStart=", f"ExecStart={PROGRAM} serve --settings-file /etc/linkedin-signin/%i/settings")
    run("check", "--quiet", *first.option)


def socket_that_the_unit_does_not_open():
    """The lines of the socket unit with which systemd may not have opened the socket are a part of the finding about the socket."""
    SITE.start()
    SITE.socket.chmod(0o600)
    file = drop_in(SITE, "ConditionHost=a", type="socket", section="Unit")
    (found,) = [finding for finding in diagnose_all(*SITE.option) if finding["code"] == "socket-denied"]
    assert found["also"][0].startswith(f"{SITE.unit}.socket: {file} sets ConditionHost=, and check cannot tell whether"), found
    SITE.stop()


def environment_of_systemd():
    """systemd passes its own environment to all services, and check asks systemd for it, because no file has all of it."""
    Path("/run/systemd/system").mkdir(parents=True)
    command = Path("/usr/bin/systemctl")
    command.unlink()
    variables = "LANG=C SIGNIN_A=a SIGNIN_BASE_URL=b LINKEDIN_CLIENT_ID=c"
    command.write_text(f'#!/bin/sh\n[ "$*" = show-environment ] && printf "%s\\n" {variables}\n')
    command.chmod(0o755)
    effect = f"to all services, and {SITE.unit}.service uses this environment in place of its settings file: "
    passed = ("systemd passes {} (systemctl show-environment) " + effect + "run: systemctl unset-environment {}").format
    words = [passed("LINKEDIN_CLIENT_ID, SIGNIN_A, SIGNIN_BASE_URL", "LINKEDIN_CLIENT_ID SIGNIN_A SIGNIN_BASE_URL")]
    assert run("check", "--quiet", *SITE.option).stdout == f"warning: {words[0]}\n"
    (missing,) = [finding for finding in diagnose_all(*SITE.option) if finding["code"] == "socket-missing"]
    assert missing["also"] == [f"{SITE.unit}.service: {words[0]}"], missing
    # The unit replaces the variable, and a file of systemd names another one.
    drop_in(SITE, f"Environment=SIGNIN_BASE_URL={SITE.url}")
    file = Path("/etc/systemd/system.conf.d/a.conf")
    file.parent.mkdir()
    file.write_text("[Manager]\nDefaultEnvironment=LANG=C \"SIGNIN_A=a b\"\n")
    removal = "remove SIGNIN_A from this file, then run: systemctl daemon-reload"
    words = [f"{file}: with DefaultEnvironment=, systemd passes SIGNIN_A {effect}{removal}"]
    words += [passed("LINKEDIN_CLIENT_ID", "LINKEDIN_CLIENT_ID")]
    assert run("check", "--quiet", *SITE.option).stdout == "".join(f"warning: {text}\n" for text in words)
    command.unlink()


def users_that_do_not_exist():
    # The user cannot read the list of a rule either.
    members = SITE.folder / "members"
    members.write_text("subject=A\n")
    members.chmod(0o640)
    os.chown(members, 0, USER)
    run("print-config", "nginx", "--location", "/private/", "--require", f"allow={members}", "--write", *SITE.option)
    file = drop_in(SITE, "User=nosuch")
    words = f"is not readable by {SITE.unit}.service, whose user nosuch does not exist; run: systemctl edit {SITE.unit}.service, "
    refuse(SITE, f"{words}and remove the line User=nosuch")
    # A start that failed has given the directory to the number that systemd chose.
    file.unlink()
    SITE.start()
    SITE.stop()
    file = drop_in(SITE, "User=nosuch")
    os.chown(lay_out_as_systemd(SITE), 63856, 63856)
    refuse(SITE, f"{words}and remove the line User=nosuch")
    os.chown(SITE.state, USER, USER)
    file.unlink()
    for path in (Path("/etc/passwd"), Path("/etc/group")):
        lines = path.read_text().splitlines(True)
        path.write_text("".join(line for line in lines if not line.startswith("linkedin-signin:")))
    refuse(SITE, f"is not readable by {SITE.unit}.service, whose user linkedin-signin does not exist; run: ")


def removed_socket():
    """systemd does not make a removed or closed socket again while the service runs."""
    SITE.start()
    SITE.socket.chmod(0o666)
    run("check", "--quiet", *SITE.option)
    closed = f"has the mode 600 in place of 660, which {SITE.unit}.socket gives it"
    faults = {"socket-denied": (closed, lambda: SITE.socket.chmod(0o600))}
    faults["socket-missing"] = (f"does not exist, and {SITE.unit}.service runs", SITE.socket.unlink)
    for code, (words, make) in faults.items():
        make()
        words = f"{SITE.socket}: {words}, so the web server cannot connect to the program; run: "
        words += f"systemctl restart {SITE.unit}.socket {SITE.unit}.service\n"
        assert run("check", "--quiet", *SITE.option, status=78).stderr == f"linkedin-signin: {words}"
        assert [finding["code"] for finding in diagnose_all(*SITE.option) if finding["severity"] == "fault"] == [code]
    SITE.stop()
    run("check", "--quiet", *SITE.option)


def conflict():
    """systemd stops the web server for the service, or the service for the web server."""
    file = drop_in(SITE, "Conflicts=nginx.service", section="Unit")
    for is_running in (True, False):
        if is_running:
            SITE.start()
            SITE.socket.chmod(0o666)
        found = {finding["code"]: finding for finding in diagnose_all("--url", "http://127.0.0.1:9", *SITE.option)}
        for code in {"site-unreachable"} | ({"socket-missing"} if not is_running else set()):
            assert f"{file}:2 sets Conflicts=nginx.service" in " ".join(found[code].get("also", [])), found
        if is_running:
            SITE.stop()


def gateway(handler, server):
    handler.server_version, handler.sys_version = server, ""
    send(handler, b"", status=502)


def units_of_web_servers():
    """With these lines in a drop-in file of the web server, the web server cannot connect to the program."""
    hiding = [f"InaccessiblePaths={RUN}", f"TemporaryFileSystem={RUN}:ro", "RestrictAddressFamilies=AF_INET"]
    of_network = ["PrivateNetwork=yes", "RestrictAddressFamilies=AF_UNIX"]
    for server in ("nginx", "lighttpd"):
        (Path("/usr/lib/systemd/system") / f"{server}.service").write_text(f"[Service]\nExecStart=/usr/sbin/{server}\n")
        unit, printed = SimpleNamespace(unit=server), OPERATOR / server
        for listen, address, wrong, right in (
            (None, SITE.socket, hiding, of_network), ("tcp:127.0.0.1:9100", "127.0.0.1:9100", of_network, hiding)
        ):
            SITE.write(SIGNIN_LISTEN=listen)
            if listen:
                drop_in(SITE, "ListenStream=", "ListenStream=127.0.0.1:9100", type="socket")
            options = ["--location", "/private/", *SITE.option]
            printed.write_text(run("print-config", server, *options).stdout)
            run("print-config", server, "--write", *options)
            for line in right + wrong:
                file = drop_in(unit, line)
                words = f"{file}:2: {line}: with this line, systemd keeps the web server from connecting to the program at {address}, so "
                words += f"nobody can sign in; remove the line (systemctl edit {server}.service), then run: "
                words += f"systemctl restart {server}.service"
                for command in (["check", "--quiet"], ["check", "--quiet", f"--{server}", printed]):
                    said = [text for text in run(*command, *SITE.option).stdout.splitlines() if f"{line}: with" in text]
                    assert said == [f"warning: {words}"] * (line in wrong), (line, command, said)
            if not listen:
                SITE.start()
                SITE.socket.chmod(0o666)
                with JSONServer(lambda handler, _: lambda handler: gateway(handler, server)) as front:
                    found = diagnose_all("--url", f"http://127.0.0.1:{front.port}", *SITE.option)
                SITE.stop()
                (found,) = [finding for finding in found if finding["code"] == "site-gateway"]
                assert f"HTTP 502: {words}" == "; ".join([found["what"], *found["remedies"]]), found
            file.unlink()
        for path in Path(f"/etc/{server}").rglob("*linkedin-signin-*"):
            path.unlink()
        shutil.rmtree(UNITS / f"{SITE.unit}.socket.d")
        SITE.write()


def lines_that_systemd_ignores():
    """Lines in a wrong section have no effect, and check names the section."""
    for section in ("Servic", "Unit"):
        file = drop_in(SITE, "User=nobody", "StateDirectoryMode=0755", section=section)
        ignored = f"[{section}] User=, [{section}] StateDirectoryMode="
        said = run("check", *SITE.option).stdout
        assert f"note: {file}: systemd ignores {ignored}: a section of this file has a wrong name" in said, said
        assert "[Service] need" in said, said
    drop_in(SITE, "ConditionPathExists=/nowhere")
    said = run("check", *SITE.option).stdout
    assert "systemd ignores [Service] ConditionPathExists=:" in said, said
    drop_in(SITE, "MemoryMax=1G", section="X-Other")
    assert "ignores" not in run("check", *SITE.option).stdout


def main(binaries, fault):
    install(binaries)
    SITE.write()
    globals()[fault]()


if __name__ == "__main__":
    main(*sys.argv[1:])

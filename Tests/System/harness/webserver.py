"""nginx and lighttpd, started with what the program prints for them on a free port of loopback."""

import os
import re
import subprocess

from .process import BINARIES, REPOSITORY, Process, free_port

# "nginx-limited" is nginx with the example's limit on sign-ins.
FRONTS = ("nginx", "nginx-kept", "lighttpd")
RATE = re.compile(r"\brate=\d+r/s")
# Error levels of nginx, and words in error messages of lighttpd.
TROUBLE = re.compile(r"\[(error|crit|alert|emerg)\]|\((gw_backend|mod_fastcgi|server)\.c")

# What the program adds to the error log of the web server.
NOTE = r"(?:FastCGI sent in stderr: \"|FastCGI-stderr:)linkedin-signin: event=[a-z-]+(?: request=[0-9a-f]+)?(?: reason=[\w-]+)?"


class WebServer:
    def __init__(self, kind, directory, socket, port=None, certificate=None, guard=(), edit=lambda text: text):
        directory.mkdir(parents=True, exist_ok=True)
        (directory / "site").mkdir(exist_ok=True)
        self.kind = kind
        self.directory = directory
        self.port = port or free_port()
        # A missing file is the visitor's mistake. The log of the program has the same events as its notes.
        self.expected_errors = [NOTE, r"open\(\) \"", r"\(2: No such file", r"directory index of", r"\(20: Not a directory"]
        self.configuration = directory / f"{kind}.conf"
        self.configuration.write_text(edit(self.render(socket, certificate, guard)))
        self.process = None

    def render(self, socket, certificate, guard):
        server = self.kind.split("-")[0]
        command = [REPOSITORY / "deploy/render", server, "--program", BINARIES / "linkedin-signin"]
        command += ["--directory", self.directory, "--socket", socket, "--port", str(self.port), *guard]
        if self.kind == "nginx-kept":
            command.append("--keep-connections")
        if server == "nginx" and os.geteuid() == 0:
            command += ["--user", "root"]
        if certificate:
            pair = ["--certificate", f"{certificate}.pem", "--key", f"{certificate}.key"]
            self.plain_port = free_port()
            command += [*pair, "--plain-port", str(self.plain_port)]
        text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        if self.kind not in ("nginx", "nginx-kept"):
            return text
        # Tests come from one address, and faster than people.
        text, count = RATE.subn("rate=10000r/s", text)
        assert count == 2 + ("--token-sessions" in guard), f"{count} limits"
        return text

    def __enter__(self):
        if self.kind == "lighttpd":
            command = ["lighttpd", "-D", "-f", self.configuration]
        else:
            command = ["nginx", "-e", self.error_log, "-c", self.configuration, "-g", "daemon off;"]
        self.process = Process(self.kind, command, self.directory)
        self.process.wait_for_listener(("127.0.0.1", self.port))
        return self

    def __exit__(self, kind, *_):
        status = self.process.stop()
        # lighttpd ends with 1 if SIGTERM arrives while it handles an event.
        expected = (0, 1) if self.kind == "lighttpd" else (0,)
        assert status in expected, f"{self.kind} ended with {status}:\n{self.process.log}{self.errors()}"
        if kind is None:
            for line in self.errors().splitlines():
                if TROUBLE.search(line) and "server started" not in line and "server stopped" not in line:
                    assert any(re.search(text, line) for text in self.expected_errors), f"unexpected: {line}"

    @property
    def error_log(self):
        return self.directory / f"{self.kind.split('-')[0]}-error.log"

    @property
    def access_log(self):
        return self.directory / f"{self.kind.split('-')[0]}-access.log"

    def errors(self):
        return self.error_log.read_text(errors="replace") if self.error_log.exists() else ""

"""Existing sites of nginx that include the files of print-config --write.

What is written here is the operator's own: a site with its own root, log and error page, and the printed include lines.
"""

import os
import re
import subprocess

from .guarding import FASTCGI, FILES, HTTP, with_mistakes, with_patience
from .process import BINARIES, Process, free_port
from .webserver import NOTE, RATE, TROUBLE, WebServer

MAIN = """\
{user}worker_processes 2;
pid {directory}/nginx.pid;
error_log {directory}/nginx-error.log;
events {{ worker_connections 512; }}
http {{
    client_body_temp_path {directory}/t1; proxy_temp_path {directory}/t2; fastcgi_temp_path {directory}/t3;
    uwsgi_temp_path {directory}/t4; scgi_temp_path {directory}/t5;
    log_format whole '$request $status';
{sites}
}}
"""
SERVER = """\
    include {prefix}-http.conf;
    server {{
        listen 127.0.0.1:{port};
        server_name localhost;
        root {root};
        expires 30d;
        access_log {log} whole;
        error_page 403 404 500 502 504 =200 /down.html;
        include {prefix}-server.conf;
{lines}
    }}
"""


class IncludedSite:
    """One site of an nginx: its address, its document root, and the operator's lines in its `server` block."""

    def __init__(self, directory, socket, guard, lines, port=None, path=""):
        """In `lines`, {files} stands for the common prefix of the paths of the include files."""
        self.port = port or free_port()
        self.directory, self.socket, self.guard, self.lines, self.path = directory, socket, guard, lines, path
        self.root = directory / f"root-{self.port}"

    @property
    def url(self):
        return f"http://localhost:{self.port}"

    @property
    def log(self):
        return self.directory / f"access-{self.port}.log"

    def write(self):
        """Runs print-config --write and returns the `http` part and the `server` block that include its files."""
        self.root.mkdir(exist_ok=True)
        (self.root / "down.html").write_text("for everybody")
        place = self.directory / "snippets"
        place.mkdir(exist_ok=True)
        command = [BINARIES / "linkedin-signin", "print-config", "nginx", "--write", place, *self.guard]
        settings = {"SIGNIN_BASE_URL": self.url + self.path, "SIGNIN_LISTEN": f"unix:{self.socket}"}
        prefix = f"{place}/linkedin-signin-localhost_{self.port}{self.path.replace('/', '+')}"
        is_new = not os.path.exists(f"{prefix}-server.conf")
        received = subprocess.run(command, check=True, capture_output=True, text=True, env=settings).stdout
        assert (f"include {prefix}-server.conf;" in received) == is_new
        for file in place.iterdir():
            # Tests come from one address, faster than people, and cannot write to the operator's directories.
            text = RATE.sub("rate=10000r/s", file.read_text())
            text = text.replace("/run/linkedin-signin-verdicts-", f"{self.directory}/verdicts-")
            file.write_text(text.replace("/var/log/nginx/access.log", f"{self.directory}/callback.log"))
        lines = self.lines.replace("{files}", prefix)
        return SERVER.format(prefix=prefix, port=self.port, root=self.root, log=self.log, lines=lines)


# What a location of each kind has beside the guard, with the address of its application.
BEHIND = {
    FILES: "",
    FASTCGI: "client_max_body_size 8m; include {files}-fastcgi.conf; fastcgi_pass unix:ADDRESS;",
    HTTP: "client_max_body_size 8m; include {files}-proxy.conf; proxy_set_header Host $host; proxy_pass http://ADDRESS;",
}


class IncludingGuards(WebServer):
    """nginx with guarded places in a site that it served before: the guards and the rules are those of include files."""

    def __init__(self, directory, socket, port, guard, places, addresses, patience=None):
        self.places, self.addresses, self.patience = places, addresses, patience
        super().__init__("nginx", directory, socket, port, guard=guard)

    def render(self, socket, certificate, guard):
        lines = "\n".join(map(self.location, self.places))
        site = IncludedSite(self.directory, socket, guard, "include {files}-home.conf;\ninclude {files}-health.conf;\n" + lines, self.port)
        site.root = self.directory / "site"
        text = MAIN.format(
            user="user root;\n" if os.geteuid() == 0 else "", directory=self.directory, sites=site.write()
        )
        # Tests look for answers of nginx itself, which this site would replace.
        text = text.replace("error_page 403 404 500", "error_page 500")
        (server,) = self.directory.glob("snippets/*-server.conf")
        server.write_text(with_mistakes(server.read_text(), self.places))
        if self.patience:
            (parameters,) = self.directory.glob("snippets/*-parameters.conf")
            parameters.write_text(with_patience(parameters.read_text(), "nginx", self.patience))
        return text

    def location(self, place):
        behind = BEHIND[place.behind].replace("ADDRESS", str(self.addresses.get(place.behind)))
        return f"location ^~ {place.location} {{ include {{files}}-guard-{place.name}.conf; {behind} }}"


class IncludingNginx:
    """One nginx with several sites."""

    def __init__(self, directory, sites):
        self.directory, self.sites, self.kind = directory, sites, "nginx"
        self.expected_errors = [NOTE, r"open\(\) \"", r"\(2: No such file", r"directory index of"]
        user = "user root;\n" if os.geteuid() == 0 else ""
        text = MAIN.format(user=user, directory=directory, sites="".join(site.write() for site in sites))
        self.configuration = directory / "nginx.conf"
        self.configuration.write_text(text)

    def __enter__(self):
        command = ["nginx", "-e", self.error_log, "-c", self.configuration, "-g", "daemon off;"]
        self.process = Process("nginx", command, self.directory)
        for site in self.sites:
            self.process.wait_for_listener(("127.0.0.1", site.port))
        return self

    def __exit__(self, kind, *_):
        assert self.process.stop() == 0, self.process.log
        if kind is None:
            for line in self.errors().splitlines():
                if TROUBLE.search(line):
                    assert any(re.search(text, line) for text in self.expected_errors), f"unexpected: {line}"

    @property
    def error_log(self):
        return self.directory / "nginx-error.log"

    @property
    def port(self):
        return self.sites[0].port

    def errors(self):
        return self.error_log.read_text(errors="replace") if self.error_log.exists() else ""

    def logs(self):
        """Everything that nginx has logged."""
        return "".join(path.read_text() for path in self.directory.glob("*.log"))

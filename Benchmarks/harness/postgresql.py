"""A PostgreSQL server for measurements, and the store in it."""

import os
import subprocess
from pathlib import Path

from .programs import ROOT, execute
from .servers import Server, Servers
from .site import Site

MIGRATE_LIMIT = 60
COPY_LIMIT = 900


class Database:
    """A server on a Unix socket in a directory of its own, with default settings."""

    def __init__(self, servers: Servers, name: str) -> None:
        self.servers = servers
        self.name = name
        self.directory = servers.directory / name

    @property
    def address(self) -> str:
        """The value of SIGNIN_STORE."""
        return f"postgresql://postgres@{str(self.directory).replace('/', '%2F')}/postgres"

    @property
    def running(self) -> list[Server]:
        """The server, and its standby if there is one."""
        found = (self.servers.named(name) for name in (self.name, f"{self.name}-standby"))
        return [server for server in found if server is not None]

    def start(self) -> None:
        """Starts the server, and a new one with the tables of the store."""
        # The server's own user has to get in.
        self.servers.directory.chmod(0o711)
        self._serve(self.name, self.directory)

    def migrate(self, program: Path) -> None:
        subprocess.run(
            [str(program), "store", "migrate"],
            env={"PATH": os.environ["PATH"], "SIGNIN_STORE": self.address},
            stdout=subprocess.DEVNULL,
            timeout=MIGRATE_LIMIT,
            check=True,
        )

    def copy_sessions(self, program: Path, site: Site) -> None:
        """Copies the sessions of a site from its state directory, and leaves them there."""
        environment = {**site.environment(), "SIGNIN_STORE": self.address}
        subprocess.run(
            [str(program), "store", "copy", "--to", "database"],
            env={"PATH": os.environ["PATH"], **environment},
            stdout=subprocess.DEVNULL,
            timeout=COPY_LIMIT,
            check=True,
        )
        # Otherwise the server would still write, and clean up, during the measurement.
        self.run("VACUUM ANALYZE linkedin_signin.session")
        self.run("CHECKPOINT")

    def add_synchronous_standby(self) -> None:
        """Starts a standby that each commit waits for."""
        directory = self.servers.directory / f"{self.name}-standby"
        execute(["install", "-d", "-o", "postgres", "-g", "postgres", str(directory)], MIGRATE_LIMIT)
        backup = f"{next(iter(sorted(Path('/usr/lib/postgresql').glob('*/bin'), reverse=True)))}/pg_basebackup"
        user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
        source = ["-D", str(directory / "data"), "-R", "-h", str(self.directory), "-U", "postgres", "--checkpoint=fast"]
        execute([*user, backup, *source], MIGRATE_LIMIT)
        self._serve(directory.name, directory)
        self.run("ALTER SYSTEM SET synchronous_standby_names = '*'")
        self.run("SELECT pg_reload_conf()")
        self.servers.named(self.name).wait_until(  # type: ignore[union-attr]
            lambda: self.run("SELECT sync_state FROM pg_stat_replication").strip() == "sync"
        )

    def run(self, sql: str) -> str:
        """Runs one statement and returns what psql prints."""
        command = ["psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-h", str(self.directory), "-U", "postgres"]
        done = subprocess.run([*command, "-c", sql, "postgres"], capture_output=True, text=True, timeout=300, check=True)
        return done.stdout

    def _serve(self, name: str, directory: Path) -> None:
        command = [str(ROOT / "Tests/postgresql-server"), str(directory)]
        server = self.servers.start(name, command, until_input_ends=True)
        server.wait_until(lambda: "ready" in server.log.read_text(encoding="utf-8"))

"""A PostgreSQL server on a Unix socket in a directory of its own."""

import functools
import os
import signal
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path

from .process import REPOSITORY, surroundings, wait_until

AS_POSTGRES = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]


@functools.cache
def _empty():
    """A stopped server without tables; a copy of it takes less time than initdb."""
    directory = tempfile.TemporaryDirectory(prefix="signin-db-")
    os.chmod(directory.name, 0o711)  # the server's own user has to get in
    server = PostgreSQL(Path(directory.name) / "db")
    server.launch().stop()
    return directory, server.directory


class PostgreSQL:
    """A running server; used as a context, it is stopped at the end."""

    def __init__(self, directory, *settings, wrapper=()):
        """`wrapper` starts the server, for example on a file system of its own."""
        self.directory = directory
        # Tests end processes, not the machine: what a process gave to the kernel is not lost.
        self.settings = ("fsync=off", *settings)
        self.wrapper = wrapper
        self.child = None
        self.pid = None

    def start(self):
        if not self.wrapper and not self.directory.exists():
            subprocess.run(["cp", "-a", _empty()[1], self.directory], check=True)
        return self.launch()

    def launch(self):
        self.child = subprocess.Popen(
            [*self.wrapper, REPOSITORY / "Tests/postgresql-server", self.directory, *self.settings],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        ready = self.child.stdout.readline().split()
        assert ready[:1] == ["ready"], [log.read_text() for log in self.directory.glob("*.log")]
        self.pid = int(ready[1])
        return self

    def stop(self):
        self.child.stdin.close()
        self.child.wait(20)

    def kill(self):
        """Ends every process of the server without any warning, as the kernel does when memory is short."""
        os.kill(self.pid, signal.SIGSTOP)  # starts no more processes
        processes = self.processes()
        for pid in processes:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.child.wait(20)
        # The server does not start again while one of them holds its shared memory.
        wait_until(lambda: not any(map(is_alive, processes)), "the end of the server's processes")

    def processes(self):
        children = subprocess.run(["pgrep", "-P", str(self.pid)], capture_output=True, text=True, check=True).stdout
        return [self.pid, *map(int, children.split())]

    def stall(self):
        """Stops every process of the server: it accepts connections and answers nothing."""
        self.stalled = self.processes()
        for pid in self.stalled:
            os.kill(pid, signal.SIGSTOP)

    def resume(self):
        for pid in self.stalled:
            os.kill(pid, signal.SIGCONT)

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        if self.child.poll() is None:
            self.stop()

    def run(self, sql, user="postgres", database="postgres"):
        """Runs SQL in psql and returns what it printed, one line for each row."""
        command = ["psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-h", self.directory, "-U", user, database]
        return subprocess.run(
            command, input=sql, capture_output=True, text=True, check=True, env=surroundings()
        ).stdout.splitlines()

    def copy(self, directory):
        """A standby of this server, not yet started."""
        subprocess.run(["install", "-d", "-o", "postgres", "-g", "postgres", directory], check=True)
        programs = sorted(Path("/usr/lib/postgresql").glob("*/bin"))[-1]
        command = [*AS_POSTGRES, programs / "pg_basebackup", "-D", directory / "data", "-R", "--no-sync", "-h", self.directory]
        subprocess.run([*command, "-U", "postgres", "--checkpoint=fast"], check=True, capture_output=True, cwd=directory)
        return PostgreSQL(directory, *self.settings[1:])

    def address(self, user, database="signin", *options):
        """The value of SIGNIN_STORE."""
        host = str(self.directory).replace("/", "%2F")
        return f"postgresql://{user}@{host}/{database}" + "".join(f"{'&' if i else '?'}{o}" for i, o in enumerate(options))


def is_alive(pid):
    """Whether a process exists and has not ended."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state not in "ZX"

"""Local servers, their processor time and memory."""

import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

from .failure import Failure

TICKS = os.sysconf("SC_CLK_TCK")
START_LIMIT = 20.0
STOP_LIMIT = 15.0
# The flag of a listening socket in /proc/net/unix.
ACCEPTS = "00010000"


class Server:
    """A started program, its child processes, and theirs."""

    def __init__(self, name: str, process: "subprocess.Popen[bytes]", log: Path) -> None:
        self.name = name
        self.process = process
        self.log = log

    @property
    def pids(self) -> list[int]:
        return family(self.process.pid)

    def cpu(self) -> float:
        """Seconds of processor time (user and system) since the start, that of ended children included."""
        return sum(cpu_of(pid) for pid in self.pids)

    def memory(self) -> float:
        """Resident memory of all its processes, in MiB."""
        return sum(resident(pid) for pid in self.pids)

    def proportional_memory(self) -> float:
        """Like `memory`, but memory that several processes share counts only once."""
        return sum(proportional(pid) for pid in self.pids)

    def require_running(self) -> None:
        """Fails with the end of the server's log if the server has ended."""
        if self.process.poll() is not None:
            said = self.log.read_text(encoding="utf-8", errors="replace")[-2000:]
            raise Failure(f"{self.name} ended with status {self.process.returncode}:\n{said}")

    def wait_until(self, ready: Callable[[], bool], pause: float = 0.01) -> None:
        """Waits until `ready` is true; fails if the server ends or the time is over."""
        deadline = time.monotonic() + START_LIMIT
        while not ready():
            self.require_running()
            if time.monotonic() > deadline:
                raise Failure(f"{self.name} was not ready after {START_LIMIT:.0f} s")
            time.sleep(pause)

    def stop(self) -> None:
        """Stops the server: by the end of its input or with SIGTERM, and after a while with SIGKILL."""
        if self.process.poll() is not None:
            return
        if self.process.stdin:
            self.process.stdin.close()
        else:
            self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(STOP_LIMIT)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


class Servers:
    """All servers of a run; all are stopped at the end of the `with` block."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self._running: list[Server] = []

    def __enter__(self) -> "Servers":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        while self._running:
            self.stop(self._running[-1])

    def start(
        self,
        name: str,
        arguments: list[str],
        environment: dict[str, str] | None = None,
        user: str | None = None,
        until_input_ends: bool = False,
    ) -> Server:
        """Starts a server, as another user if one is named; the server stops even if this program is killed.

        A server that runs until its standard input ends is stopped so; other servers get SIGTERM.
        """
        log = self.directory / f"{name}.log"
        become = ["--reuid", user, "--regid", user, "--clear-groups"] if user else []
        with log.open("wb") as output:
            process = subprocess.Popen(
                ["setpriv", "--pdeathsig", "TERM", *become, *arguments],
                stdin=subprocess.PIPE if until_input_ends else subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                cwd=self.directory,
                env={"PATH": os.environ["PATH"], **(environment or {})},
                # lighttpd stops its workers with a signal to its process group, which must not include this program.
                process_group=0,
            )
        server = Server(name, process, log)
        self._running.append(server)
        return server

    def named(self, name: str) -> Server | None:
        """A running server."""
        return next((server for server in self._running if server.name == name), None)

    def stop(self, server: Server) -> None:
        """Stops a server, unless it was stopped before."""
        if server in self._running:
            self._running.remove(server)
            server.stop()

    def cpu(self) -> float:
        """Seconds of processor time of all running servers."""
        return sum(server.cpu() for server in self._running)


def family(pid: int) -> list[int]:
    """A process and all its descendants: PostgreSQL's are grandchildren of the script that starts it."""
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
    except OSError:
        children = []
    return [pid, *(each for child in children for each in family(int(child)))]


def cpu_of(pid: int) -> float:
    """Seconds of processor time (user and system) of one process and of its children that have ended."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    except OSError:
        return 0
    # The name in parentheses may contain any character; utime, stime, cutime and cstime are fields 14 to 17.
    fields = text.rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / TICKS


def resident(pid: int) -> float:
    """Resident memory of one process, in MiB."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text(encoding="utf-8").splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS:")), 0)


def proportional(pid: int) -> float:
    """The resident memory of one process, in MiB, with its share of the memory that other processes use too."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="utf-8").splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("Pss:")), 0)


def is_listening(path: Path) -> bool:
    """Whether a server listens on a Unix socket; a connection to find out would count as a request."""
    if not path.exists():
        return False
    sockets = (line.split() for line in Path("/proc/net/unix").read_text(encoding="utf-8").splitlines())
    # The kernel lists the path that was bound; the product renames its socket afterwards.
    return any(fields[-1].startswith(str(path)) and fields[3] == ACCEPTS for fields in sockets)

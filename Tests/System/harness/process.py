"""Servers that a test starts and stops by their process id."""

import os
import re
import signal
import socket
import subprocess
import time
from contextlib import suppress
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[3]
BINARIES = Path(os.environ.get("SYSTEM_TEST_BINARIES", REPOSITORY / ".build/debug"))


def unassigned_ports():
    """Ports that the kernel gives to nobody: not to outgoing connections, and not to servers that ask for any port."""
    lowest, highest = map(int, Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split())
    # Browsers open no page at port 10080.
    usable = range(10_081, 65_536)
    ports = [port for port in usable if not lowest <= port <= highest] or list(usable)
    # Two runs at once begin at different ports, and the processes of one run never try the same port.
    number = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    share = len(ports) // int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", 1))
    first = os.getpid() * 97 % share
    ports = ports[number * share : (number + 1) * share]
    yield from ports[first:] + ports[:first]


PORTS = unassigned_ports()


def free_port(count=1):
    """The first of some consecutive ports that no other server of this run gets, also not before they are used."""
    found = []
    for port in PORTS:
        if found and port != found[-1] + 1:
            found = []
        with suppress(OSError), socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(("127.0.0.1", port))
            found.append(port)
        if len(found) == count:
            return found[0]
    raise AssertionError("every port was used once")


def wait_until(condition, what, seconds=20.0):
    """Polls a condition until it is true; fails after `seconds`."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"{what} did not happen within {seconds} s"
        time.sleep(0.01)


def surroundings():
    """The environment without settings of the program, so that a test sets all of them."""
    environment = {name: value for name, value in os.environ.items() if not re.match("(LINKEDIN|PROVIDER|SIGNIN)_", name)}
    return {**environment, "PATH": os.environ["PATH"] + ":/usr/sbin"}


class Process:
    def __init__(self, name, arguments, directory, environment=None, **options):
        self.name = name
        self.log_path = Path(directory) / f"{name}.log"
        with open(self.log_path, "wb") as log:
            self.child = subprocess.Popen(
                [str(argument) for argument in arguments],
                stdin=options.pop("stdin", subprocess.DEVNULL),
                stdout=log,
                stderr=log,
                env={**surroundings(), **(environment or {})},
                **options,
            )

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.is_running:
            self.stop()

    @property
    def pid(self):
        return self.child.pid

    @property
    def log(self):
        return self.log_path.read_text(errors="replace")

    @property
    def is_running(self):
        return self.child.poll() is None

    def wait_for_listener(self, address):
        def listening():
            assert self.is_running, f"{self.name} ended with {self.child.returncode}:\n{self.log}"
            return can_connect(address)

        wait_until(listening, f"{self.name} listening")

    def stop(self, seconds=15):
        """Stops the process with SIGTERM and returns its exit status."""
        if self.is_running:
            self.child.send_signal(signal.SIGTERM)
        try:
            return self.child.wait(seconds)
        except subprocess.TimeoutExpired:
            self.child.kill()
            self.child.wait()
            raise AssertionError(f"{self.name} did not end within {seconds} s of SIGTERM:\n{self.log}")

    def signal(self, number):
        """Sends SIGKILL, SIGSTOP or SIGCONT and waits until it took effect in every thread."""
        self.child.send_signal(number)
        if number == signal.SIGKILL:
            self.child.wait()
        else:
            stops = number == signal.SIGSTOP
            wait_until(lambda: all((state == "T") == stops for state in self.states()), f"signal {number}")

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.pid}/fd"))

    def memory(self, kind="RssAnon"):
        """Bytes of resident memory: those that the process wrote (`RssAnon`), or of the files it maps (`RssFile`).

        A leak is in the first; the program gives back pages of the second.
        """
        line = re.search(rf"^{kind}:\s+(\d+) kB$", Path(f"/proc/{self.pid}/status").read_text(), re.MULTILINE)
        return int(line[1]) * 1024

    def states(self):
        """The state letter of each thread (proc(5))."""
        states = []
        for stat in Path(f"/proc/{self.pid}/task").glob("*/stat"):
            # A thread can end between glob and read.
            with suppress(OSError):
                states.append(stat.read_text().rpartition(") ")[2][0])
        return states

    def threads(self):
        return len(os.listdir(f"/proc/{self.pid}/task"))


def can_connect(address):
    """Whether a server listens at (host, port) or at the path of a socket."""
    family = socket.AF_INET if isinstance(address, tuple) else socket.AF_UNIX
    with socket.socket(family) as probe:
        try:
            probe.connect(address if isinstance(address, tuple) else str(address))
            return True
        except OSError:
            return False

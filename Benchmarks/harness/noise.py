"""Measures how much processor time other programs used."""

import os
import resource
import time
from pathlib import Path

from .servers import TICKS, Servers

CORES = os.cpu_count() or 1

# A round is dropped if other programs used more than this many cores. A quiet machine shows up to 0.05, for interrupts
# and the kernel's threads.
LIMIT = 0.1 * CORES


class Watch:
    """Compares the machine's busy time with that of the servers, this program and its ended children."""

    def __init__(self, servers: Servers) -> None:
        self._servers = servers
        self._begin = self._sample()

    def others(self) -> float:
        """The number of cores that other programs used since the start; to be called when the children have ended."""
        begin, end = self._begin, self._sample()
        seconds = end[0] - begin[0]
        return max(0.0, (end[1] - begin[1] - (end[2] - begin[2])) / seconds)

    def _sample(self) -> tuple[float, float, float]:
        """The time, the busy seconds of the machine, and those of our processes."""
        ours = self._servers.cpu() + time.process_time()
        children = resource.getrusage(resource.RUSAGE_CHILDREN)
        return time.monotonic(), busy_seconds(), ours + children.ru_utime + children.ru_stime


def busy_seconds() -> float:
    """Busy time of all cores since the machine started, the time stolen by other virtual machines included."""
    for line in Path("/proc/stat").read_text(encoding="ascii").splitlines():
        if line.startswith("cpu "):
            user, nice, system, _idle, _wait, interrupt, soft, stolen = map(int, line.split()[1:9])
            return (user + nice + system + interrupt + soft + stolen) / TICKS
    return 0

"""How much of the processors somebody else used meanwhile."""

import os
import resource
import time
from pathlib import Path

from .servers import TICKS, Servers

CORES = os.cpu_count() or 1

# A round during which other programs used more than this many cores is dropped. A quiet machine shows up to 0.05:
# interrupts, and the kernel's own threads.
LIMIT = 0.1 * CORES


class Watch:
    """Compares the machine's busy time with that of the servers, of this program and of its ended children."""

    def __init__(self, servers: Servers) -> None:
        self._servers = servers
        self._begin = self._sample()

    def others(self) -> float:
        """Cores that other programs used since the watch began; call it when the children have ended."""
        begin, end = self._begin, self._sample()
        seconds = end[0] - begin[0]
        return max(0.0, (end[1] - begin[1] - (end[2] - begin[2])) / seconds)

    def _sample(self) -> tuple[float, float, float]:
        """The time, busy seconds of the machine, busy seconds of our own."""
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

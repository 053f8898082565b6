"""Measures how much processor time other programs used, and notices when the host stops a processor."""

import os
import resource
import threading
import time
from pathlib import Path

from .servers import TICKS, Servers

CORES = os.cpu_count() or 1

# A round is dropped if other programs used more than this many cores. A quiet machine shows up to 0.05, for interrupts
# and the kernel's threads.
LIMIT = 0.1 * CORES

# A round is also dropped if the host of a virtual machine stopped a processor for this many seconds without a break.
# Some hosts do so when the machine uses all of its processor time. Requests wait meanwhile, and wrk also counts requests that
# it would have sent, so one pause makes the p99 of a round ten times as long.
PAUSE = 0.06
# Seconds between two looks for pauses: long enough to cost nothing, short enough to tell a pause from many small ones.
LOOK = 0.1


class Watch:
    """Compares the machine's busy time with that of the servers, this program and its ended children."""

    def __init__(self, servers: Servers) -> None:
        self._servers = servers
        self._pauses = Pauses()
        self._begin = self._sample()

    def others(self) -> float:
        """The number of cores that other programs used since the start; to be called once, when the children have ended.

        All cores if the host stopped one of them, so that no such round is a quiet one.
        """
        begin, end = self._begin, self._sample()
        if self._pauses.seen():
            return CORES
        seconds = end[0] - begin[0]
        return max(0.0, (end[1] - begin[1] - (end[2] - begin[2])) / seconds)

    def _sample(self) -> tuple[float, float, float]:
        """The time, the busy seconds of the machine, and those of our processes."""
        ours = self._servers.cpu() + time.process_time()
        children = resource.getrusage(resource.RUSAGE_CHILDREN)
        return time.monotonic(), busy_seconds(), ours + children.ru_utime + children.ru_stime


class Pauses:
    """Looks for pauses of a processor until it is asked."""

    def __init__(self) -> None:
        self._end = threading.Event()
        self._has_seen = False
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._thread.start()

    def seen(self) -> bool:
        """Whether there was a pause; ends the search."""
        self._end.set()
        self._thread.join()
        return self._has_seen

    def _look(self) -> None:
        before = stolen_seconds()
        while not self._end.wait(LOOK):
            now = stolen_seconds()
            self._has_seen |= any(end - begin >= PAUSE for begin, end in zip(before, now, strict=True))
            before = now


def busy_seconds() -> float:
    """Busy time of all cores since the machine started, the time stolen by other virtual machines included."""
    # Neither idle nor waiting for a disk.
    return sum(sum(times[:3]) + sum(times[5:8]) for times in core_times())


def stolen_seconds() -> list[float]:
    """The time for which the host stopped each core since the machine started."""
    return [times[7] for times in core_times()]


def core_times() -> list[list[float]]:
    """The seconds of each core since the machine started, in the order of proc_stat(5): user first, stolen eighth."""
    lines = Path("/proc/stat").read_text(encoding="ascii").splitlines()
    cores = (line.split() for line in lines if line.startswith("cpu") and not line.startswith("cpu "))
    return [[int(ticks) / TICKS for ticks in core[1:]] for core in cores]

"""The time from the start of the program to its first answer."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from .. import fastcgi
from ..bench import FLOOR_THREADS, Bench
from ..failure import Failure
from ..noise import Watch
from ..results import Result, at_most, figure
from ..rounds import Rounds, repeat
from ..sides import Shape
from ..site import Site

LIMIT = 20
# Seconds.
PATIENCE = 20.0
PAUSE = 0.0005


@dataclass(frozen=True)
class Starts:
    """Several starts in a row, because one is too short for the kernel's accounting of other programs."""

    milliseconds: list[float]
    others: float


def measure(bench: Bench) -> Iterator[Result]:
    """Also times the floor, which is the cost of any process on this machine."""
    site = Site(bench, bench.options.sessions[-1])
    site.start()
    site.stop()
    cookie = site.any_cookie()
    product = [str(bench.programs.product), "serve"]
    environment = site.environment()
    rounds = several(bench, lambda: once(bench, bench.product.name, product, environment, cookie))
    result = figure(f"start to first answer, {site.sessions:,} sessions", "ms", rounds, float)
    yield replace(result, goal=at_most(LIMIT, result.value, " ms"))
    floor = [str(bench.floor_program), str(bench.twin.socket(Shape.ANSWER)), str(FLOOR_THREADS)]
    rounds = several(bench, lambda: once(bench, bench.twin.name, floor, {}, cookie))
    yield figure("the same of the floor", "ms", rounds, float)


def several(bench: Bench, start: Callable[[], float]) -> Rounds[float]:
    """Starts a program as often as the options say."""

    def in_a_row() -> Starts:
        watch = Watch(bench.servers)
        milliseconds = [start() for _ in range(bench.options.starts)]
        return Starts(milliseconds, watch.others())

    rows = repeat(1, 1, in_a_row)
    return Rounds(rows.kept[0].milliseconds, rows.dropped * bench.options.starts, rows.is_noisy)


def once(bench: Bench, name: str, command: list[str], environment: dict[str, str], cookie: str) -> float:
    """Milliseconds from the start of a program to its first answer; then it is stopped."""
    socket = bench.directory / f"{name}.socket"
    socket.unlink(missing_ok=True)
    begin = time.perf_counter()
    server = bench.servers.start(name, command, environment)
    while (answer := fastcgi.ask(socket, cookie)) is None:
        server.require_running()
        if time.perf_counter() - begin > PATIENCE:
            raise Failure(f"{name} did not answer within {PATIENCE:.0f} s")
        time.sleep(PAUSE)
    milliseconds = (time.perf_counter() - begin) * 1000
    bench.servers.stop(server)
    socket.unlink(missing_ok=True)
    if not answer.startswith(b"Status: 200"):
        raise Failure(f"the first answer of {name} was {answer[:200]!r}")
    return milliseconds

"""The time from the start of the program to its first answer."""

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace

from .. import fastcgi
from ..bench import FLOOR_THREADS, Bench
from ..failure import Failure
from ..noise import Watch
from ..results import Result, at_most, figure
from ..rounds import repeat
from ..sides import ANSWER_ROUTE
from ..site import Site

LIMIT = 50
# Seconds.
PATIENCE = 20.0
PAUSE = 0.0005


@dataclass(frozen=True)
class Start:
    milliseconds: float
    others: float


def measure(bench: Bench) -> Iterator[Result]:
    """The floor's start too: it is what processes cost here."""
    site = Site(bench, bench.options.sessions[-1])
    site.start()
    site.stop()
    cookie = site.any_cookie()
    product = [str(bench.programs.product), "serve"]
    environment = site.environment()
    rounds = repeat(bench.options.starts, lambda: once(bench, bench.product.name, product, environment, cookie))
    result = figure(f"start to first answer, {site.sessions:,} sessions", "ms", rounds, lambda one: one.milliseconds)
    yield replace(result, goal=at_most(LIMIT, result.value, " ms"))
    floor = [str(bench.floor_program), str(bench.twin.socket(False)), str(FLOOR_THREADS)]
    rounds = repeat(bench.options.starts, lambda: once(bench, bench.twin.name, floor, {}, cookie))
    yield figure("the same of the floor", "ms", rounds, lambda one: one.milliseconds)


def once(bench: Bench, name: str, command: list[str], environment: dict[str, str], cookie: str) -> Start:
    """Starts a program, asks until it answers, and ends it."""
    socket = bench.directory / f"{name}.socket"
    socket.unlink(missing_ok=True)
    watch = Watch(bench.servers)
    begin = time.perf_counter()
    server = bench.servers.start(name, command, environment)
    while (answer := fastcgi.ask(socket, ANSWER_ROUTE, cookie)) is None:
        server.require_running()
        if time.perf_counter() - begin > PATIENCE:
            raise Failure(f"{name} gave no answer in {PATIENCE:.0f} s")
        time.sleep(PAUSE)
    milliseconds = (time.perf_counter() - begin) * 1000
    bench.servers.stop(server)
    socket.unlink(missing_ok=True)
    if not answer.startswith(b"Status: 200"):
        raise Failure(f"the first answer of {name} was {answer[:200]!r}")
    return Start(milliseconds, watch.others())

"""Resident memory, early and after many requests."""

from collections.abc import Iterator
from dataclasses import replace

from ..bench import Bench
from ..failure import Failure
from ..results import Result, at_most, single
from ..sides import Shape
from ..site import Site

# More runs than any machine should need.
RUNS = 500
# MiB.
LIMIT = 16
# The limit for "flat": the last reading divided by the first.
GROWTH = 1.1


def measure(bench: Bench) -> Iterator[Result]:
    """Reads the memory of a new process after given numbers of answers."""
    site = Site(bench, bench.options.sessions[-1])
    server = site.start()
    yield single(what("at start", site), "MiB", server.memory())
    answered = 0
    readings = []
    for milestone in bench.options.memory_requests:
        for _ in range(RUNS):
            if answered >= milestone:
                break
            answered += bench.load(Shape.ANSWER_KEPT, bench.product, site.cookies).requests
        if answered < milestone:
            raise Failure(f"only {answered} answers in {RUNS} runs")
        readings.append(server.memory())
        result = single(what(f"after {answered:,} answers", site), "MiB", readings[-1])
        is_last = milestone == bench.options.memory_requests[-1]
        yield replace(result, goal=at_most(LIMIT, readings[-1], " MiB")) if is_last else result
    growth = single("resident memory, last over first reading under load", "x", readings[-1] / readings[0])
    yield replace(growth, goal=at_most(GROWTH, growth.value, " x"))
    site.stop()


def what(when: str, site: Site) -> str:
    return f"resident memory {when}, {site.sessions:,} sessions"

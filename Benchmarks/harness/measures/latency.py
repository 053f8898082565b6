"""p99 at a rate that leaves processor time unused.

At full rate, p99 mostly shows how long requests wait for a processor, and some hosts stop a processor of a virtual machine
that uses all of its processor time.
"""

import math
from collections.abc import Iterator
from dataclasses import replace

from ..bench import Bench
from ..results import Result, at_most, compare
from ..sides import Shape
from ..site import Site
from ..wrk import CONNECTIONS

SHAPES = (Shape.CHECK, Shape.ANSWER, Shape.ANSWER_KEPT)


def measure(bench: Bench) -> Iterator[Result]:
    """Floor and product, with the same pauses between the requests of a connection."""
    bench.start_floor(bench.floor)
    site = Site(bench, bench.options.sessions[0])
    site.start()
    site.require_checks(SHAPES)
    for shape in SHAPES:
        pause = pause_for_half(bench.load(shape, bench.floor, site.cookies).rate)
        yield with_pauses(bench, site, shape, pause)
    site.stop()


def with_pauses(bench: Bench, site: Site, shape: Shape, pause: int) -> Result:
    """Compares p99; a pause is in milliseconds."""
    rounds = bench.alternate(
        lambda: bench.load(shape, bench.floor, site.cookies, pause=pause),
        lambda: bench.load(shape, bench.product, site.cookies, pause=pause),
    )
    result = compare(f"{shape.title}, not at full rate", ("floor", "product"), site.sessions, rounds)
    result = replace(result, reference="the floor's", is_of_p99=True)
    return replace(result, goal=at_most(1.2, result.p99_ratio[0], " x"))


def pause_for_half(rate: float) -> int:
    """The pause, in milliseconds, with which about half as many requests a second are sent as without one."""
    return math.ceil(2 * CONNECTIONS / rate * 1000)

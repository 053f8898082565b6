"""The same requests to an earlier build of the program: a change must not make the check slower."""

import itertools
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from ..bench import Bench
from ..results import Result, at_least, compare
from ..rounds import Rounds
from ..sides import Shape, Side
from ..site import Site
from ..wrk import Load

# A ratio below this cannot be explained by the machine's noise.
LEAST_RATIO = 0.98
# Seconds until a program remembers sessions.
WARM_UP = 1
SHAPES = (Shape.CHECK, Shape.ANSWER, Shape.ANSWER_KEPT, Shape.PROFILE, Shape.AUTHORIZER)


def measure(bench: Bench) -> Iterator[Result]:
    """Each shape in turn, both builds behind the same web server and with the same sessions."""
    earlier = bench.earlier_program
    if earlier is None:
        return
    for sessions in bench.options.sessions:
        site = Site(bench, sessions)
        restart(site, earlier)
        site.require_checks(SHAPES)
        for shape in SHAPES:
            rounds = compare_restarted(bench, site, earlier, shape)
            title = f"earlier build: {shape.title}"
            result = replace(compare(title, ("earlier", "product"), sessions, rounds), reference="the earlier build")
            yield replace(result, goal=at_least(LEAST_RATIO, result.rate_ratio[0], " x"))
        bench.stop(bench.earlier.name)
        site.stop()


def compare_restarted(bench: Bench, site: Site, earlier: Path, shape: Shape) -> Rounds[tuple[Load, Load]]:
    """Alternating runs of wrk; both builds start anew for each round.

    The addresses that the system gives a program at its start change its speed by up to a tenth, for as long as it runs.
    """
    calls = itertools.count()

    def load(side: Side) -> Load:
        if next(calls) % 2 == 0:
            restart(site, earlier)
            for started in (bench.earlier, bench.product):
                bench.load(shape, started, site.cookies, seconds=WARM_UP)
        return bench.load(shape, side, site.cookies)

    return bench.alternate(lambda: load(bench.earlier), lambda: load(bench.product))


def restart(site: Site, earlier: Path) -> None:
    site.start()
    site.start_earlier(earlier)

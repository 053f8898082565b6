"""What nginx gains or loses if it keeps the verdicts of linkedin-signin for a second."""

from collections.abc import Iterator
from dataclasses import replace

from ..bench import Bench
from ..results import Result, at_least, compare
from ..sides import Shape
from ..site import Site

# So few that nginx itself answers nearly all requests.
ACTIVE = 200
LEAST_RATIO = 1.8
SHAPES = (Shape.CHECK, Shape.CHECK_VERDICTS)


def measure(bench: Bench) -> Iterator[Result]:
    """With few sessions, and with so many that nearly every request is the only one of its member in a second."""
    for sessions in (ACTIVE, bench.options.sessions[-1]):
        site = Site(bench, sessions)
        site.start()
        site.require_checks(SHAPES)
        rounds = bench.alternate(
            lambda: bench.load(Shape.CHECK, bench.product, site.cookies),
            lambda: bench.load(Shape.CHECK_VERDICTS, bench.product, site.cookies),
        )
        result = compare(Shape.CHECK_VERDICTS.title, ("asked", "kept"), sessions, rounds)
        result = replace(result, reference="asking about every request")
        yield replace(result, goal=at_least(LEAST_RATIO, result.rate_ratio[0], " x")) if sessions == ACTIVE else result
        site.stop()

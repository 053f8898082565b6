"""The same requests to an earlier build of the program: a change must not make the check slower."""

from collections.abc import Iterator
from dataclasses import replace

from ..bench import Bench
from ..results import Result, at_least, compare
from ..sides import Shape
from ..site import Site

# A ratio below this cannot be explained by the machine's noise.
LEAST_RATIO = 0.98
SHAPES = (Shape.CHECK, Shape.ANSWER, Shape.ANSWER_KEPT, Shape.PROFILE, Shape.AUTHORIZER)


def measure(bench: Bench) -> Iterator[Result]:
    """Each shape in turn, both builds behind the same web server and with the same sessions."""
    if bench.earlier_program is None:
        return
    for sessions in bench.options.sessions:
        site = Site(bench, sessions)
        site.start()
        site.start_earlier(bench.earlier_program)
        site.require_checks(SHAPES)
        for shape in SHAPES:
            rounds = bench.compare(shape, bench.earlier, bench.product, site.cookies)
            title = f"earlier build: {shape.title}"
            result = replace(compare(title, ("earlier", "product"), sessions, rounds), reference="the earlier build")
            yield replace(result, goal=at_least(LEAST_RATIO, result.rate_ratio[0], " x"))
        bench.stop(bench.earlier.name)
        site.stop()

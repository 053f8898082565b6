"""Answers to the signed-in, against the floor."""

from collections.abc import Iterator
from dataclasses import replace

from ..bench import Bench
from ..results import Result, at_least, compare
from ..sides import Shape
from ..site import Site


def measure(bench: Bench) -> Iterator[Result]:
    """Every shape, with each number of sessions."""
    bench.start_floor(bench.floor)
    for sessions in bench.options.sessions:
        site = Site(bench, sessions)
        site.start()
        site.require_checks()
        for shape in Shape:
            rounds = bench.compare(shape, bench.floor, bench.product, site.cookies)
            result = compare(shape.title, ("floor", "product"), sessions, rounds)
            yield replace(result, goal=at_least(1, result.rate_ratio[0], " x the floor's rate"))
        site.stop()

"""The floor against itself: the distance of its ratios from 1 is the error of all ratios."""

from collections.abc import Iterator
from dataclasses import replace

from ..bench import Bench
from ..results import Result, compare
from ..sides import Shape


def measure(bench: Bench) -> Iterator[Result]:
    """Two processes of the same program."""
    bench.start_floor(bench.floor)
    bench.start_floor(bench.twin)
    for shape in (Shape.CHECK, Shape.ANSWER_KEPT, Shape.AUTHORIZER):
        rounds = bench.compare(shape, bench.floor, bench.twin, bench.strangers)
        result = compare(f"control: {shape.title}", ("floor", "floor"), None, rounds)
        yield replace(result, reference="itself")
    bench.stop_floor(bench.twin)

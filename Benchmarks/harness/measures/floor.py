"""Finds the best number of threads of the floor."""

from collections.abc import Iterator

from ..bench import FLOOR_KEPT_THREADS, FLOOR_THREADS, Bench
from ..results import Result, compare
from ..sides import Shape

# One thread for each connection that nginx may have open.
KEPT_COUNT = 40


def measure(bench: Bench) -> Iterator[Result]:
    """Compares the usual numbers with others."""
    bench.start_floor(bench.floor)
    for threads in bench.options.floor_threads:
        bench.start_floor(bench.twin, threads=threads)
        yield once(bench, Shape.CHECK, FLOOR_THREADS, threads)
    bench.start_floor(bench.twin, kept_threads=KEPT_COUNT)
    yield once(bench, Shape.ANSWER_KEPT, FLOOR_KEPT_THREADS, KEPT_COUNT)


def once(bench: Bench, shape: Shape, usual: int, other: int) -> Result:
    """Compares once, then stops the other floor."""
    rounds = bench.compare(shape, bench.floor, bench.twin, bench.strangers)
    bench.stop_floor(bench.twin)
    return compare(f"floor's threads: {shape.title}", (f"{usual} threads", f"{other}"), None, rounds)

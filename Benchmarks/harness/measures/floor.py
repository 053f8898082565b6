"""The floor's number of threads: the comparison is with its best."""

from collections.abc import Iterator

from ..bench import FLOOR_KEPT_THREADS, FLOOR_THREADS, Bench
from ..results import Result, compare
from ..sides import Shape

# One for each connection that nginx may have open, and no more.
KEPT_COUNT = 40


def measure(bench: Bench) -> Iterator[Result]:
    """The usual numbers against others."""
    bench.start_floor(bench.floor)
    for threads in bench.options.floor_threads:
        bench.start_floor(bench.twin, threads=threads)
        yield once(bench, Shape.CHECK, FLOOR_THREADS, threads)
    bench.start_floor(bench.twin, kept_threads=KEPT_COUNT)
    yield once(bench, Shape.ANSWER_KEPT, FLOOR_KEPT_THREADS, KEPT_COUNT)


def once(bench: Bench, shape: Shape, usual: int, other: int) -> Result:
    """One comparison, after which the other floor is ended."""
    rounds = bench.compare(shape, bench.floor, bench.twin, bench.strangers)
    bench.stop_floor(bench.twin)
    return compare(f"floor's threads: {shape.title}", (f"{usual} threads", f"{other}"), None, rounds)

"""The floor's number of threads: the comparison is with its best."""

from collections.abc import Iterator

from ..bench import FLOOR_THREADS, Bench
from ..results import Result, compare
from ..sides import Shape

COUNTS = (1, 2, 8, 16, 64)


def measure(bench: Bench) -> Iterator[Result]:
    """The usual number against others."""
    bench.start_floor(bench.floor)
    for threads in COUNTS:
        bench.start_floor(bench.twin, threads)
        rounds = bench.compare(Shape.CHECK, bench.floor, bench.twin, bench.strangers)
        sides = (f"{FLOOR_THREADS} threads", f"{threads}")
        yield compare("floor: its number of threads", sides, None, rounds)
        bench.stop_floor(bench.twin)

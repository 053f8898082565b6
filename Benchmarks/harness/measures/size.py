"""The size of the program, and the time of its build."""

from collections.abc import Iterator
from dataclasses import replace

from .. import programs
from ..bench import Bench
from ..results import Result, at_most, single

# MB.
SIZE_LIMIT = 25
BUILD_LIMIT = 3
MEGABYTE = 1_000_000


def measure(bench: Bench) -> Iterator[Result]:
    """The size of the stripped program."""
    stripped = bench.directory / "stripped"
    programs.execute(["strip", "-o", str(stripped), str(bench.programs.product)], 120)
    result = single("stripped program", "MB", stripped.stat().st_size / MEGABYTE)
    yield replace(result, goal=at_most(SIZE_LIMIT, result.value, " MB"))


def measure_build(bench: Bench) -> Iterator[Result]:
    """The duration of a clean release build, in minutes."""
    minutes = programs.clean_build_seconds(bench.directory / "build") / 60
    result = single("clean release build", "min", minutes, "the sources of the dependencies being there")
    yield replace(result, goal=at_most(BUILD_LIMIT, minutes, " min"))

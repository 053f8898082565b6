"""The result of a measure: a comparison of two sides, one number, or a program beside others."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from .rounds import Rounds
from .wrk import Load


@dataclass(frozen=True)
class Goal:
    """A goal of the design, and whether it is met."""

    text: str
    is_met: bool


@dataclass(frozen=True)
class Comparison:
    """The same load on two sides; each pair of numbers is (first, second), each ratio the second over the first."""

    what: str
    sides: tuple[str, str]
    sessions: int | None
    rounds: str
    rate: tuple[float, float]
    # Median, minimum and maximum of the ratios of the rounds.
    rate_ratio: tuple[float, float, float]
    p50_ms: tuple[float, float]
    p99_ms: tuple[float, float]
    p99_ratio: tuple[float, float, float]
    program_cpu_us: tuple[float, float]
    web_cpu_us: tuple[float, float]
    # All other servers: the database.
    rest_cpu_us: tuple[float, float]
    memory_mib: tuple[float, float]
    # Cores that other programs used in the worst counted round.
    others_cores: float
    # The name of the first side in the summary; None if it is not in the summary.
    reference: str | None = None
    # Whether summary and goal use the ratio of p99.
    is_of_p99: bool = False
    goal: Goal | None = None


@dataclass(frozen=True)
class Figure:
    """One number, the median of its rounds."""

    what: str
    value: float
    unit: str
    rounds: str
    # Minimum and maximum.
    spread: tuple[float, float]
    note: str = ""
    goal: Goal | None = None
    # Whether it is in the summary even without a goal.
    is_summarised: bool = False


@dataclass(frozen=True)
class Rank:
    """A program beside others under the same load, all their servers included."""

    program: str
    version: str
    sessions: int
    # Of the full rate and of the half rate.
    rounds: tuple[str, str]
    rate: float
    # Median, minimum and maximum of the rate divided by that of this program in the same round.
    rate_ratio: tuple[float, float, float]
    p99_ms: float
    # At about half of the program's own full rate.
    half_rate: float
    half_p99_ms: float
    # Processor time of all its servers for one request at full rate.
    cpu_us: float
    # Memory of all its servers after the last round.
    memory_mib: float


Result = Comparison | Figure | Rank


def compare(what: str, sides: tuple[str, str], sessions: int | None, rounds: Rounds[tuple[Load, Load]]) -> Comparison:
    """The medians of alternating rounds."""

    def both(value: Callable[[Load], float]) -> tuple[float, float]:
        return rounds.median(lambda pair: value(pair[0])), rounds.median(lambda pair: value(pair[1]))

    def ratio(value: Callable[[Load], float]) -> tuple[float, float, float]:
        return spread(rounds, lambda pair: value(pair[1]) / value(pair[0]))

    return Comparison(
        what=what,
        sides=sides,
        sessions=sessions,
        rounds=rounds.note,
        rate=both(lambda load: load.rate),
        rate_ratio=ratio(lambda load: load.rate),
        p50_ms=both(lambda load: load.p50),
        p99_ms=both(lambda load: load.p99),
        p99_ratio=ratio(lambda load: load.p99),
        program_cpu_us=both(lambda load: load.program_cpu),
        web_cpu_us=both(lambda load: load.web_cpu),
        rest_cpu_us=both(lambda load: load.rest_cpu),
        memory_mib=both(lambda load: load.memory),
        others_cores=max(load.others for pair in rounds.kept for load in pair),
    )


def rank(
    program: tuple[str, str],
    sessions: int,
    full: Rounds[tuple[Load, Load]],
    half: Rounds[tuple[Load, Load]],
    memory: float,
) -> Rank:
    """The medians of the second load of each pair; the first one is that of this program. `program` is name and version."""
    return Rank(
        program=program[0],
        version=program[1],
        sessions=sessions,
        rounds=(full.note, half.note),
        rate=full.median(lambda pair: pair[1].rate),
        rate_ratio=spread(full, lambda pair: pair[1].rate / pair[0].rate),
        p99_ms=full.median(lambda pair: pair[1].p99),
        half_rate=half.median(lambda pair: pair[1].rate),
        half_p99_ms=half.median(lambda pair: pair[1].p99),
        cpu_us=full.median(lambda pair: pair[1].program_cpu + pair[1].web_cpu),
        memory_mib=memory,
    )


def figure(what: str, unit: str, values: Rounds[Any], value: Callable[[Any], float], note: str = "") -> Figure:
    """The median of rounds."""
    median, least, greatest = spread(values, value)
    return Figure(what, median, unit, values.note, (least, greatest), note)


def single(what: str, unit: str, value: float, note: str = "") -> Figure:
    """A number without rounds."""
    return Figure(what, value, unit, "1", (value, value), note)


def spread(rounds: Rounds[Any], value: Callable[[Any], float]) -> tuple[float, float, float]:
    """Median, minimum and maximum."""
    values = rounds.values(value)
    return rounds.median(value), min(values), max(values)


def at_least(limit: float, value: float, unit: str) -> Goal:
    return Goal(f"at least {limit:g}{unit}", value >= limit)


def at_most(limit: float, value: float, unit: str) -> Goal:
    return Goal(f"at most {limit:g}{unit}", value <= limit)


def plain(result: Result) -> dict[str, Any]:
    """For JSON."""
    return {"kind": type(result).__name__.lower(), **asdict(result)}

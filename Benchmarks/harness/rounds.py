"""Rounds, repeated if other programs used the processors."""

import statistics
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from .noise import LIMIT


class Watched(Protocol):
    """A measurement that knows how many cores other programs used during it."""

    @property
    def others(self) -> float: ...


T = TypeVar("T")
W = TypeVar("W", bound=Watched)


@dataclass
class Rounds(Generic[T]):
    """The counted rounds, and how many were dropped."""

    kept: list[T] = field(default_factory=list)
    dropped: int = 0
    # Whether noisy rounds count, because too few rounds were quiet.
    is_noisy: bool = False

    @property
    def note(self) -> str:
        """The number of rounds in a table."""
        return f"{len(self.kept)}{f' (-{self.dropped})' if self.dropped else ''}{' noisy' if self.is_noisy else ''}"

    def values(self, value: Callable[[T], float]) -> list[float]:
        return [value(one) for one in self.kept]

    def median(self, value: Callable[[T], float]) -> float:
        return statistics.median(self.values(value))


def gather(rounds: int, spare: int, make: Callable[[int], T], others: Callable[[T], float]) -> Rounds[T]:
    """Repeats rounds until enough were quiet, at most `spare` more; after that the quietest rounds count."""
    quiet: list[T] = []
    noisy: list[T] = []
    for number in range(rounds + spare):
        one = make(number)
        (noisy if others(one) > LIMIT else quiet).append(one)
        if len(quiet) == rounds:
            return Rounds(quiet, len(noisy))
    missing = rounds - len(quiet)
    noisy.sort(key=others)
    return Rounds(quiet + noisy[:missing], len(noisy) - missing, is_noisy=True)


def repeat(rounds: int, spare: int, make: Callable[[], W]) -> Rounds[W]:
    """Repeats one measurement."""
    return gather(rounds, spare, lambda _: make(), lambda one: one.others)


def alternate(rounds: int, spare: int, first: Callable[[], W], second: Callable[[], W]) -> Rounds[tuple[W, W]]:
    """Alternates two measurements and their order, because a machine's speed drifts."""

    def pair(number: int) -> tuple[W, W]:
        if number % 2 == 0:
            return first(), second()
        later = second()
        return first(), later

    return gather(rounds, spare, pair, lambda both: max(both[0].others, both[1].others))

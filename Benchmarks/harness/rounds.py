"""Rounds that are made again when somebody else used the processors meanwhile."""

import statistics
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from .noise import LIMIT


class Watched(Protocol):
    """What knows how many cores other programs used while it was made."""

    @property
    def others(self) -> float: ...


T = TypeVar("T")
W = TypeVar("W", bound=Watched)


@dataclass
class Rounds(Generic[T]):
    """The rounds that count, and how many were dropped."""

    kept: list[T] = field(default_factory=list)
    dropped: int = 0
    # Set if too few rounds were quiet, so that noisy ones had to count.
    is_noisy: bool = False

    @property
    def note(self) -> str:
        """The number of rounds, as a table shows it."""
        return f"{len(self.kept)}{f' (-{self.dropped})' if self.dropped else ''}{' noisy' if self.is_noisy else ''}"

    def values(self, value: Callable[[T], float]) -> list[float]:
        return [value(one) for one in self.kept]

    def median(self, value: Callable[[T], float]) -> float:
        return statistics.median(self.values(value))


def gather(rounds: int, spare: int, make: Callable[[int], T], others: Callable[[T], float]) -> Rounds[T]:
    """Makes rounds until enough were quiet, at most `spare` more than that; then the quietest ones must do."""
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
    """Makes one thing several times."""
    return gather(rounds, spare, lambda _: make(), lambda one: one.others)


def alternate(rounds: int, spare: int, first: Callable[[], W], second: Callable[[], W]) -> Rounds[tuple[W, W]]:
    """Makes two things in turn, each as often first as the other: a machine's speed drifts, a pair shares its hour."""

    def pair(number: int) -> tuple[W, W]:
        if number % 2 == 0:
            return first(), second()
        later = second()
        return first(), later

    return gather(rounds, spare, pair, lambda both: max(both[0].others, both[1].others))

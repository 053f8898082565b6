"""Rounds, repeated if other programs used the processors."""

import statistics
from collections.abc import Callable, Sequence
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


def repeat(rounds: int, spare: int, make: Callable[[], W]) -> Rounds[W]:
    """Repeats one measurement until enough rounds were quiet, at most `spare` times more; then the quietest rounds count."""
    pairs = rotate(rounds, spare, [make])[0]
    return Rounds([one for one, _ in pairs.kept], pairs.dropped, pairs.is_noisy)


def alternate(rounds: int, spare: int, first: Callable[[], W], second: Callable[[], W]) -> Rounds[tuple[W, W]]:
    """Alternates two measurements and their order, because a machine's speed drifts."""
    return rotate(rounds, spare, [first, second])[1]


def rotate(rounds: int, spare: int, makes: Sequence[Callable[[], W]]) -> list[Rounds[tuple[W, W]]]:
    """Makes several measurements in turn and begins each round with another one; returns each paired with the first one.

    There are more rounds, at most `spare`, until each pair has enough quiet ones; after that its quietest rounds count.
    """
    turns: list[list[W]] = []
    while len(turns) < rounds + spare:
        start = len(turns) % len(makes)
        order = [*range(start, len(makes)), *range(start)]
        made = {number: makes[number]() for number in order}
        turns.append([made[number] for number in range(len(makes))])
        if len(turns) >= rounds and not any(pairs.is_noisy for pairs in paired(rounds, turns)):
            break
    return paired(rounds, turns)


def paired(rounds: int, turns: list[list[W]]) -> list[Rounds[tuple[W, W]]]:
    """The quiet pairs of each measurement with the first one; if they are too few, the quietest pairs."""

    def others(pair: tuple[W, W]) -> float:
        return max(pair[0].others, pair[1].others)

    found = []
    for number in range(len(turns[0])):
        pairs = [(turn[0], turn[number]) for turn in turns]
        quiet = [pair for pair in pairs if others(pair) <= LIMIT]
        is_noisy = len(quiet) < rounds
        kept = sorted(pairs, key=others)[:rounds] if is_noisy else quiet
        found.append(Rounds(kept, len(pairs) - len(kept), is_noisy))
    return found

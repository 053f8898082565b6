"""The programs that are compared, and the shapes of request they are compared with."""

from dataclasses import dataclass
from enum import Enum
from pathlib import Path

# What the program is asked behind auth_request, and for an answer of its own.
CHECK_ROUTE = "/profile"
ANSWER_ROUTE = "/profile"


@dataclass(frozen=True)
class Side:
    """A program's place behind nginx."""

    name: str
    directory: Path
    # Whether kept connections go to a process of their own, because a thread serves one connection at a time.
    is_threaded: bool

    def server(self, is_kept: bool) -> str:
        """The name of the server that takes the connections."""
        return f"{self.name}-kept" if is_kept and self.is_threaded else self.name

    def socket(self, is_kept: bool) -> Path:
        return self.directory / f"{self.server(is_kept)}.socket"


class Shape(Enum):
    """What nginx does with a request; the values are the prefixes of its locations."""

    CHECK = "check"
    CHECK_KEPT = "check-kept"
    ANSWER = "answer"
    ANSWER_KEPT = "answer-kept"

    @property
    def is_kept(self) -> bool:
        return self in (Shape.CHECK_KEPT, Shape.ANSWER_KEPT)

    @property
    def is_check(self) -> bool:
        return self in (Shape.CHECK, Shape.CHECK_KEPT)

    @property
    def title(self) -> str:
        words = "session check by auth_request, then a file" if self.is_check else "profile as JSON, from the session"
        return words + (", kept connections" if self.is_kept else "")

    @property
    def route(self) -> str:
        return CHECK_ROUTE if self.is_check else ANSWER_ROUTE

    def path(self, side: Side) -> str:
        return f"/{self.value}/{side.name}"

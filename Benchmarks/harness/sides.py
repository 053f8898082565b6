"""The compared programs, and the shapes of their requests."""

from dataclasses import dataclass
from enum import Enum
from pathlib import Path

# The route of all requests except the profile page.
ROUTE = "/auth"
PROFILE = "/profile"
RULE = "member"


class Shape(Enum):
    """How a web server handles a request; the value is the prefix of the location's path."""

    CHECK = "check"
    CHECK_KEPT = "check-kept"
    CHECK_VERDICTS = "check-verdicts"
    ANSWER = "answer"
    ANSWER_KEPT = "answer-kept"
    PROFILE = "profile"
    PROFILE_KEPT = "profile-kept"
    AUTHORIZER = "authorizer"

    @property
    def title(self) -> str:
        return TITLES[self]

    @property
    def is_check(self) -> bool:
        """Whether nginx uses auth_request and then serves a file."""
        return self in (Shape.CHECK, Shape.CHECK_KEPT, Shape.CHECK_VERDICTS)

    @property
    def keeps_verdicts(self) -> bool:
        """Whether nginx asks only about the first two requests of a session in each second."""
        return self is Shape.CHECK_VERDICTS

    @property
    def is_kept(self) -> bool:
        """Whether nginx is configured to keep its connections to the program."""
        return self in (Shape.CHECK_KEPT, Shape.ANSWER_KEPT, Shape.PROFILE_KEPT)

    @property
    def stays_connected(self) -> bool:
        """Whether nginx keeps them: not with auth_request, which stops reading before the last record."""
        return self in (Shape.ANSWER_KEPT, Shape.PROFILE_KEPT)

    @property
    def is_profile(self) -> bool:
        """Whether the request is for the member's profile as JSON."""
        return self in (Shape.PROFILE, Shape.PROFILE_KEPT)

    def path(self, side: "Side") -> str:
        return f"/{self.value}/{side.name}"


TITLES = {
    Shape.CHECK: "nginx `auth_request`, then a file",
    Shape.CHECK_KEPT: "nginx `auth_request` with `fastcgi_keep_conn on`, which it drops, then a file",
    Shape.CHECK_VERDICTS: "nginx `auth_request` with `--cache-verdicts 1s`, then a file",
    Shape.ANSWER: "`/auth` alone",
    Shape.ANSWER_KEPT: "`/auth` alone, connections kept",
    Shape.PROFILE: "`/profile` as JSON from the session",
    Shape.PROFILE_KEPT: "`/profile` as JSON from the session, connections kept",
    Shape.AUTHORIZER: "lighttpd authorizer, then a file",
}
OF_NGINX = tuple(shape for shape in Shape if shape is not Shape.AUTHORIZER)


@dataclass(frozen=True)
class Side:
    """A program behind the web servers."""

    name: str
    directory: Path
    # Whether kept connections go to a separate process, because a thread serves one connection at a time.
    is_threaded: bool

    def server(self, shape: Shape) -> str:
        """The name of the server that gets the connections."""
        return f"{self.name}-kept" if shape.stays_connected and self.is_threaded else self.name

    def socket(self, shape: Shape) -> Path:
        return self.directory / f"{self.server(shape)}.socket"

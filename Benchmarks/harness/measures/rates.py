"""The rate of answers to members with a session, compared with the floor."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ..bench import Bench
from ..results import Result, at_least, compare
from ..sides import Shape
from ..site import Site

# The default of SIGNIN_REMEMBERED_SESSIONS: the check has to read the records of more sessions.
REMEMBERED = 2_048


def auth_request(bench: Bench) -> Iterator[Result]:
    """The cost of a guarded location of nginx, for each number of sessions."""
    for sessions in bench.options.sessions:
        yield from against_floor(bench, sessions, (Shape.CHECK, Shape.CHECK_KEPT))


def auth(bench: Bench) -> Iterator[Result]:
    """The check only."""
    for sessions in bench.options.sessions:
        yield from against_floor(bench, sessions, (Shape.ANSWER, Shape.ANSWER_KEPT))


def profile(bench: Bench) -> Iterator[Result]:
    """The profile in the session, as JSON."""
    for sessions in bench.options.sessions:
        yield from against_floor(bench, sessions, (Shape.PROFILE, Shape.PROFILE_KEPT))


def authorizer(bench: Bench) -> Iterator[Result]:
    """A guarded location of lighttpd."""
    yield from against_floor(bench, bench.options.sessions[-1], (Shape.AUTHORIZER,))


def against_floor(bench: Bench, sessions: int, shapes: Sequence[Shape]) -> Iterator[Result]:
    """Compares floor and product behind the same web server, for each shape."""
    bench.start_floor(bench.floor)
    site = Site(bench, sessions)
    site.start()
    site.require_checks(shapes)
    for shape in shapes:
        rounds = bench.compare(shape, bench.floor, bench.product, site.cookies)
        result = replace(compare(shape.title, ("floor", "product"), sessions, rounds), reference="the floor")
        yield replace(result, goal=at_least(least_ratio(shape, sessions), result.rate_ratio[0], " x"))
    site.stop()


def least_ratio(shape: Shape, sessions: int) -> float:
    """The goal of a row: the smallest part of the floor's rate."""
    if sessions > REMEMBERED:
        return 0.95
    # Without connecting, the floor has nearly nothing to do.
    return 0.9 if shape.stays_connected else 1.0

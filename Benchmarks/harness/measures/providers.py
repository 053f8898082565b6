"""The check with three providers and a rule about a group, compared with one provider and the rule `member`."""

import itertools
from collections.abc import Iterator
from dataclasses import replace

from ..bench import Bench
from ..results import Result, at_least, compare
from ..rules import GROUP, Rule
from ..sides import Side
from ..site import Site
from ..wrk import Load
from .earlier import WARM_UP

LEAST_RATIO = 0.97


def measure(bench: Bench) -> Iterator[Result]:
    """Two processes of the same program; both start anew for each round, for the reason that `earlier` names."""
    rule = Rule.GROUP
    for sessions in bench.options.sessions:
        alone, several = Site(bench, sessions), Site(bench, sessions, GROUP)
        alone.start()
        alone.require_checks()
        several.start()
        several.require_check(rule.shape, rule.path)
        calls = itertools.count()

        def load(side: Side, seconds: int | None = None) -> Load:
            if side is bench.earlier:
                return bench.load(rule.shape, side, alone.cookies, seconds=seconds)
            return bench.load(rule.shape, side, several.cookies, rule.path, seconds)

        def load_restarted(side: Side) -> Load:
            if next(calls) % 2 == 0:
                alone.start_earlier(bench.programs.product)
                several.start()
                for started in (bench.earlier, bench.product):
                    load(started, WARM_UP)
            return load(side)

        rounds = bench.alternate(lambda: load_restarted(bench.earlier), lambda: load_restarted(bench.product))
        title = f"three providers, rule {rule.title}, {rule.shape.title}"
        result = replace(compare(title, ("one", "three"), sessions, rounds), reference="one provider, rule `member`")
        yield replace(result, goal=at_least(LEAST_RATIO, result.rate_ratio[0], " x"))
        bench.stop(bench.earlier.name)
        several.stop()

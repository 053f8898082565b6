"""The cost of each rule, compared with the rule that every session meets."""

from collections.abc import Iterator
from dataclasses import replace

from .. import rules
from ..bench import Bench
from ..results import Result, compare
from ..rules import Rule
from ..site import Site
from ..wrk import Load


def measure(bench: Bench) -> Iterator[Result]:
    """The same sessions and program at another location of nginx."""
    rules.write_list(bench.directory)
    site = Site(bench, bench.options.sessions[-1])
    site.start()
    compared = (Rule.DOMAIN, Rule.LIST)
    for rule in (Rule.MEMBER, *compared):
        site.require_check(rule.shape, rule.path)

    def load(rule: Rule) -> Load:
        return bench.load(rule.shape, bench.product, site.cookies, rule.path)

    for rule in compared:
        rounds = bench.alternate(lambda: load(Rule.MEMBER), lambda rule=rule: load(rule))
        result = compare(f"rule {rule.title}, {rule.shape.title}", ("member", rule.value), site.sessions, rounds)
        more = result.program_cpu_us[1] - result.program_cpu_us[0]
        yield replace(result, reference=f"{Rule.MEMBER.title}, {more:+.1f} us CPU")
    site.stop()

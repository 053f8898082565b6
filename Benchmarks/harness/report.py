"""The tables: the summary, which the README shows, and all details."""

from collections.abc import Iterable

from .results import Comparison, Figure, Goal, Rank, Result

SUMMARY_HEAD = ("what", "this program", "ratio (range)", "goal")
COMPARISON_HEAD = (
    "what (first / second)",
    "sessions",
    "rounds",
    "requests/s",
    "ratio (range)",
    "p50 ms",
    "p99 ms",
    "p99 ratio (range)",
    "program CPU us/request",
    "web server CPU us/request",
    "other servers CPU us/request",
    "RSS MiB",
    "goal",
)
RANK_HEAD = (
    "program",
    "sessions",
    "requests/s",
    "compared to this program (range)",
    "p99 at full rate",
    "p99 at half rate",
    "CPU of all servers per request",
    "memory of all servers",
    "rounds, full and half rate",
    "version",
)
FIGURE_HEAD = ("what", "value", "range", "rounds", "goal", "note")


def summary(results: Iterable[Result]) -> str:
    """One line for each measure."""
    rows = []
    for one in results:
        if isinstance(one, Comparison) and one.reference is not None:
            rows.append(summary_of_comparison(one, one.reference))
        elif isinstance(one, Figure) and (one.goal or one.is_summarised):
            rows.append((one.what, f"{number(one.value)} {one.unit}", one.note, goal(one.goal)))
    return table(SUMMARY_HEAD, rows) if rows else ""


def summary_of_comparison(one: Comparison, reference: str) -> tuple[str, ...]:
    sessions = f", {one.sessions:,} sessions" if one.sessions is not None else ""
    condition = f", {one.sides[1]}" if one.is_of_p99 and one.sides[1] != "product" else ""
    what = f"{one.what}{sessions}{condition}"
    rate, cpu = f"{one.rate[1]:,.0f}/s", f"{one.program_cpu_us[1]:.1f} us CPU"
    seen = f"{rate}, p50 {one.p50_ms[1]:.1f} ms, p99 {one.p99_ms[1]:.1f} ms, {cpu}"
    # A control does not compare the product.
    seen = "" if one.sides[1] == "floor" else seen
    ratio = ranged(one.p99_ratio if one.is_of_p99 else one.rate_ratio, " x")
    noisy = " (noisy)" if "noisy" in one.rounds else ""
    return what, seen, f"{'p99 ' if one.is_of_p99 else ''}{ratio} {reference}{noisy}", goal(one.goal)


def details(results: Iterable[Result]) -> str:
    """All tables, each only if it has rows."""
    results = list(results)
    comparisons = [comparison_row(one) for one in results if isinstance(one, Comparison)]
    figures = [figure_row(one) for one in results if isinstance(one, Figure)]
    ranks = [rank_row(one) for one in results if isinstance(one, Rank)]
    tables = ((COMPARISON_HEAD, comparisons), (FIGURE_HEAD, figures), (RANK_HEAD, ranks))
    return "\n\n".join(table(head, rows) for head, rows in tables if rows)


def table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    """A Markdown table."""
    lines = [head, tuple("---" for _ in head), *rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


def comparison_row(one: Comparison) -> tuple[str, ...]:
    return (
        f"{one.what} ({' / '.join(one.sides)})",
        f"{one.sessions:,}" if one.sessions is not None else "-",
        one.rounds,
        both(one.rate, ",.0f"),
        ranged(one.rate_ratio),
        both(one.p50_ms, ".2f"),
        both(one.p99_ms, ".2f"),
        ranged(one.p99_ratio),
        both(one.program_cpu_us, ".1f"),
        both(one.web_cpu_us, ".1f"),
        both(one.rest_cpu_us, ".1f"),
        both(one.memory_mib, ".1f"),
        goal(one.goal),
    )


def figure_row(one: Figure) -> tuple[str, ...]:
    least, greatest = one.spread
    return (
        one.what,
        f"{number(one.value)} {one.unit}",
        f"{number(least)} to {number(greatest)}" if least != greatest else "",
        one.rounds,
        goal(one.goal),
        one.note,
    )


def rank_row(one: Rank) -> tuple[str, ...]:
    return (
        one.program,
        f"{one.sessions:,}",
        f"{one.rate:,.0f}",
        ranged(one.rate_ratio),
        f"{one.p99_ms:.1f} ms",
        f"{one.half_p99_ms:.1f} ms ({one.half_rate:,.0f}/s)",
        f"{one.cpu_us:,.0f} us",
        f"{one.memory_mib:.0f} MiB",
        ", ".join(one.rounds),
        one.version,
    )


def both(values: tuple[float, float], form: str) -> str:
    return " / ".join(format(value, form) for value in values)


def ranged(values: tuple[float, float, float], unit: str = "") -> str:
    median, least, greatest = values
    return f"{median:.2f}{unit} ({least:.2f} to {greatest:.2f})"


def number(value: float) -> str:
    """Three significant digits."""
    return f"{value:,.0f}" if value >= 100 else f"{value:#.3g}"


def goal(one: Goal | None) -> str:
    return f"{one.text}: {'met' if one.is_met else 'MISSED'}" if one else ""

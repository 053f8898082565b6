"""The command line."""

import argparse
import json
import os
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import FrameType

from . import machine, measures, packages, report
from .bench import Bench, Options
from .failure import Failure
from .programs import ROOT
from .results import Result, plain
from .servers import Servers

FULL = Options(
    rounds=7,
    spare_rounds=7,
    seconds=4,
    sessions=(1_000, 100_000),
    memory_requests=(100_000, 500_000, 1_000_000),
    starts=10,
    floor_threads=(2, 8, 64),
)
QUICK = Options(
    rounds=3,
    spare_rounds=1,
    seconds=2,
    sessions=(1_000,),
    memory_requests=(20_000, 100_000),
    starts=5,
    floor_threads=(16,),
)


def main() -> int:
    """Measures, prints the tables, writes the file."""
    # sbin, because nginx is there and the PATH of some users does not name it.
    os.environ["PATH"] += ":/usr/sbin"
    options = parse()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, leave)
    try:
        packages.require()
        with tempfile.TemporaryDirectory(prefix="benchmarks.", dir=options.directory) as directory:
            measure(options, Path(directory))
    except Failure as failure:
        print(f"Benchmarks/run: {failure}", file=sys.stderr)
        return 1
    return 0


def measure(options: argparse.Namespace, directory: Path) -> None:
    """Everything that was asked for, in a directory of its own."""
    described = machine.describe(directory)
    results = []
    with Servers(directory) as servers:
        amount = replace(QUICK if options.quick else FULL, workers=options.workers)
        bench = Bench(amount, servers, options.binaries)
        for result in chosen(options, bench):
            print(f"measured: {report.details([result]).splitlines()[-1]}", file=sys.stderr, flush=True)
            results.append(result)
    parts = (f"Machine: {machine.line(described)}", report.summary(results), "In detail:", report.details(results))
    print("\n\n".join(part for part in parts if part))
    options.output.parent.mkdir(parents=True, exist_ok=True)
    content = {"machine": described, "quick": options.quick, "results": [plain(result) for result in results]}
    options.output.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")


def chosen(options: argparse.Namespace, bench: Bench) -> Iterator[Result]:
    """The results of the chosen measures, one by one."""
    for name, each in measures.ALL.items():
        if name in (options.only or measures.ALL):
            print(f"measuring: {name}", file=sys.stderr, flush=True)
            begin = time.monotonic()
            yield from each(bench)
            print(f"{name} took {time.monotonic() - begin:.0f} s", file=sys.stderr, flush=True)
    if options.build_time:
        yield from measures.size.measure_build(bench)


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="Benchmarks/run", description="Repeats every figure of the README's performance section."
    )
    parser.add_argument("--quick", action="store_true", help="few sessions and short rounds: to see that it works")
    parser.add_argument("--only", action="append", choices=measures.ALL, help="only this measure; may be repeated")
    parser.add_argument("--build-time", action="store_true", help="time a clean release build as well")
    parser.add_argument("--workers", type=int, help="threads of the product (default: its own choice)")
    parser.add_argument(
        "--binaries", type=Path, metavar="DIRECTORY", help="measure the programs in there instead of building them"
    )
    parser.add_argument(
        "--directory", type=Path, help="where to keep the sessions meanwhile (default: the system's temporary one)"
    )
    parser.add_argument(
        "--output",
        type=Path,
        default=ROOT / ".build" / "benchmarks.json",
        help="where to write the results as JSON (default: .build/benchmarks.json)",
    )
    return parser.parse_args()


def leave(number: int, _: FrameType | None) -> None:
    """Ends by an exception, so that all servers are ended on the way out."""
    sys.exit(128 + number)

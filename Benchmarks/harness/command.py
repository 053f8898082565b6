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
    peer_sessions=(100, 1_000),
    memory_requests=(100_000, 500_000, 1_000_000),
    starts=10,
    floor_threads=(2, 8, 64),
)
QUICK = Options(
    rounds=3,
    spare_rounds=1,
    seconds=2,
    sessions=(1_000,),
    peer_sessions=(20,),
    memory_requests=(20_000, 100_000),
    starts=5,
    floor_threads=(16,),
)


def main() -> int:
    """Measures, prints the tables and writes the JSON file."""
    # nginx is in sbin, which is not in the PATH of all users.
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
    """Runs the chosen measures in a temporary directory."""
    described = machine.describe(directory)
    results = []
    with Servers(directory) as servers:
        amount = replace(QUICK if options.quick else FULL, workers=options.workers)
        if options.sessions:
            sessions = tuple(sorted(set(options.sessions)))
            amount = replace(amount, sessions=sessions, peer_sessions=sessions)
        bench = Bench(amount, servers, options.binaries, options.earlier)
        for result in chosen(options, bench):
            print(f"measured: {report.details([result]).splitlines()[-1]}", file=sys.stderr, flush=True)
            results.append(result)
    parts = (f"Machine: {machine.line(described)}", report.summary(results), "In detail:", report.details(results))
    print("\n\n".join(part for part in parts if part))
    options.output.parent.mkdir(parents=True, exist_ok=True)
    content = {"machine": described, "quick": options.quick, "results": [plain(result) for result in results]}
    options.output.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")


def chosen(options: argparse.Namespace, bench: Bench) -> Iterator[Result]:
    """Yields the results of the chosen measures."""
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
        prog="Benchmarks/run", description="Measures the figures of Benchmarks/README.md again."
    )
    parser.add_argument("--quick", action="store_true", help="few sessions and short rounds, to check that all works")
    parser.add_argument("--only", action="append", choices=measures.ALL, help="run only this measure; may be repeated")
    parser.add_argument("--build-time", action="store_true", help="also time a clean release build")
    parser.add_argument(
        "--sessions", action="append", type=count, metavar="N", help="measure with N sessions; may be repeated"
    )
    parser.add_argument("--workers", type=int, help="worker threads of the product")
    parser.add_argument(
        "--binaries", type=Path, metavar="DIRECTORY", help="measure the programs in this directory, build none"
    )
    parser.add_argument(
        "--earlier", type=Path, metavar="FILE", help="compare with this earlier build of linkedin-signin"
    )
    parser.add_argument(
        "--directory", type=Path, help="directory for the sessions (default: the temporary directory)"
    )
    parser.add_argument(
        "--output",
        type=Path,
        default=ROOT / ".build" / "benchmarks.json",
        help="where to write the results as JSON (default: .build/benchmarks.json)",
    )
    return parser.parse_args()


def count(text: str) -> int:
    """A number of sessions."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("at least one session is needed")
    return number


def leave(number: int, _: FrameType | None) -> None:
    """Exits by an exception, so that all servers are stopped."""
    sys.exit(128 + number)

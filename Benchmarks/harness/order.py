"""Writes the list of functions that session checks use, which the linker puts side by side."""

import argparse
import os
import sys
import tempfile
from collections import Counter
from pathlib import Path

from . import packages
from .bench import Bench
from .browser import Browser
from .command import QUICK
from .failure import Failure
from .programs import ROOT, execute
from .servers import Server, Servers, is_listening
from .sides import Shape
from .site import Site

LIST = ROOT / "Sources" / "linkedin-signin" / "function-order.txt"
SESSIONS = 200
# The first round opens the records, the others find them opened or remembered.
ROUNDS = 5
SHAPES = (Shape.CHECK, Shape.ANSWER, Shape.ANSWER_KEPT)
LIMIT = 60.0


def main() -> int:
    """Writes the list; the next release build uses it."""
    # nginx is in sbin, which is not in the PATH of all users.
    os.environ["PATH"] += ":/usr/sbin"
    parser = argparse.ArgumentParser(
        prog="Benchmarks/order-functions",
        description="Lists the functions that session checks use, so that the linker puts them side by side.",
    )
    parser.add_argument(
        "--binaries", type=Path, metavar="DIRECTORY", help="observe the programs in this directory, build none"
    )
    options = parser.parse_args()
    try:
        packages.require(("valgrind", "callgrind_control"))
        with tempfile.TemporaryDirectory(prefix="benchmarks.") as directory, Servers(Path(directory)) as servers:
            bench = Bench(QUICK, servers, options.binaries)
            names = used(bench)
    except Failure as failure:
        print(f"Benchmarks/order-functions: {failure}", file=sys.stderr)
        return 1
    LIST.write_text("".join(f"{name}\n" for name in names), encoding="ascii")
    print(f"{LIST.relative_to(ROOT)}: {len(names)} functions")
    if options.binaries is None:
        # SwiftPM does not link again when only the list has changed.
        bench.programs.product.unlink()
    return 0


def used(bench: Bench) -> list[str]:
    """The functions of the program that took part in checks, the most costly first."""
    # valgrind 3.19 cannot read the debug information of Swift 6.3.
    program = (bench.directory / "linkedin-signin").resolve()
    execute(["strip", "--strip-debug", "-o", str(program), str(bench.programs.product)], LIMIT)
    site = Site(bench, SESSIONS)
    # Creates the sessions.
    site.start()
    site.stop()
    profile = bench.directory / "profile"
    server = observed(bench, site, program, profile)
    # What a process does only once, such as looking up types, does not count.
    site.require_checks(SHAPES)
    control("--instr=on", server)
    for _ in range(ROUNDS):
        for shape in SHAPES:
            check_all(bench, site, shape)
    control("--dump", server)
    site.stop()
    names = functions(Path(f"{profile}.1"), program)
    if not names:
        raise Failure(f"callgrind found no function of {bench.programs.product}; is it stripped?")
    return names


def observed(bench: Bench, site: Site, program: Path, profile: Path) -> Server:
    """Starts the program under callgrind, which counts nothing yet."""
    socket = bench.product.socket(Shape.ANSWER)
    socket.unlink(missing_ok=True)
    callgrind = ["valgrind", "--tool=callgrind", "--instr-atstart=no", "--demangle=no", "--compress-strings=no"]
    command = [*callgrind, f"--callgrind-out-file={profile}", str(program), "serve"]
    server = bench.servers.start(bench.product.name, command, site.environment())
    server.wait_until(lambda: is_listening(socket))
    return server


def check_all(bench: Bench, site: Site, shape: Shape) -> None:
    """Requests one location with each session."""
    browser = Browser(bench.web(shape).port)
    for cookie in site.cookies.read_text(encoding="ascii").split():
        status, body = browser.get(shape.path(bench.product), cookie)
        if status != 200:
            raise Failure(f"{shape.title}: {status} instead of 200: {body[:200]!r}")
    browser.close()


def control(option: str, server: Server) -> None:
    """Sends a command to callgrind and waits until it has been carried out."""
    execute(["callgrind_control", option, str(server.process.pid)], LIMIT)


def functions(profile: Path, program: Path) -> list[str]:
    """Reads a file of callgrind: the functions of a program with at least as many instructions as there are sessions."""
    if not profile.exists():
        raise Failure("callgrind wrote no profile")
    instructions: Counter[str] = Counter()
    function = None
    ours = False
    with profile.open(encoding="utf-8") as lines:
        for line in lines:
            key, _, value = line.rstrip("\n").partition("=")
            # Only written when it changes.
            if key == "ob":
                ours = value == str(program)
            elif key == "fn":
                # callgrind numbers the levels of a recursion; without a symbol, it shows an address.
                name = value.partition("'")[0]
                function = name if ours and not name.startswith("0x") else None
            elif key == "calls":
                # The next line is the cost of the called function, which that function has already.
                next(lines)
            elif function and line[0] in "+-*0123456789":
                instructions[function] += int(line.split()[1])
    # The others are not part of every check: work in the background, for example.
    return [name for name, count in instructions.most_common() if count >= SESSIONS]

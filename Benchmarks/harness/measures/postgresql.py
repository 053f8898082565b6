"""The store in PostgreSQL, compared with files: the same sessions, the same web server, the same machine."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from ..bench import Bench
from ..postgresql import Database
from ..results import Result, at_least, at_most, compare, figure, single
from ..servers import Server, is_listening
from ..sides import Shape, Side
from ..site import Site
from . import memory, signins

# As many sessions as are active within the time that a record stays in memory.
ACTIVE = 5_000
WARM = {"SIGNIN_STORE_CACHE": "5s"}
WITHOUT = {"SIGNIN_STORE_CACHE": "0"}


def measure(bench: Bench) -> Iterator[Result]:
    """Checks with and without the cache, two gateways, memory, start and sign-ins."""
    site = Site(bench, bench.options.sessions[-1])
    site.start()
    database = Database(bench.servers, "database")
    database.start()
    database.migrate(bench.programs.product)
    database.copy_sessions(bench.programs.product, site)
    yield from checks(bench, site, database)
    yield from two_gateways(bench, site, database)
    yield from growth(bench, site, database)
    site.stop()
    yield from durable_sign_ins(bench, database)


def checks(bench: Bench, site: Site, database: Database) -> Iterator[Result]:
    """The check on files, then the same on the database."""
    active = bench.directory / "cookies-active"
    with site.cookies.open(encoding="ascii") as lines:
        active.write_text("".join(islice(lines, ACTIVE)), encoding="ascii")
    gateway(bench, site, database, bench.earlier, WARM)
    rounds = bench.compare(Shape.ANSWER, bench.product, bench.earlier, active)
    title = f"PostgreSQL, {ACTIVE:,} active sessions in memory: {Shape.ANSWER.title}"
    warm = replace(compare(title, ("files", "PostgreSQL"), site.sessions, rounds), reference="files")
    yield replace(warm, goal=at_least(1.0, warm.rate_ratio[0], " x"))

    gateway(bench, site, database, bench.earlier, WITHOUT)
    rounds = bench.compare(Shape.ANSWER, bench.product, bench.earlier, site.cookies)
    title = f"PostgreSQL, each session read each time: {Shape.ANSWER.title}"
    cold = replace(compare(title, ("files", "PostgreSQL"), site.sessions, rounds), reference="files")
    yield replace(cold, goal=at_least(20_000, cold.rate[1], "/s"))
    late = replace(cold, what=f"{title}, p99", is_of_p99=True)
    yield replace(late, goal=at_most(3, late.p99_ratio[0], " x"))


@dataclass(frozen=True)
class Pair:
    """The rates of two gateways under load at the same time."""

    rates: tuple[float, float]
    others: float


def two_gateways(bench: Bench, site: Site, database: Database) -> Iterator[Result]:
    """One gateway alone, then two simultaneously on the same processors."""
    gateway(bench, site, database, bench.earlier, WITHOUT)
    gateway(bench, site, database, bench.twin, WITHOUT)
    alone = bench.repeat(lambda: bench.load(Shape.ANSWER, bench.earlier, site.cookies))
    pairs = bench.repeat(lambda: at_once(bench, site))
    yield figure("one gateway on the database", "/s", alone, lambda load: load.rate)
    yield figure("two gateways on the database, both together", "/s", pairs, lambda pair: sum(pair.rates))
    share = pairs.median(lambda pair: sum(pair.rates)) / alone.median(lambda load: load.rate)
    result = single("two gateways together, compared with one alone", "x", share)
    yield replace(result, goal=at_least(0.9, share, " x"))
    fair = pairs.median(lambda pair: min(pair.rates) / max(pair.rates))
    yield single("the slower of two gateways, compared with the faster", "x", fair)
    bench.stop(bench.twin.name)


def at_once(bench: Bench, site: Site) -> Pair:
    with ThreadPoolExecutor(2) as pool:
        sides = (bench.earlier, bench.twin)
        loads = list(pool.map(lambda side: bench.load(Shape.ANSWER, side, site.cookies), sides))
    # Each run counts the programs of the other one as those of this benchmark.
    return Pair((loads[0].rate, loads[1].rate), min(load.others for load in loads))


def growth(bench: Bench, site: Site, database: Database) -> Iterator[Result]:
    """Resident memory with sessions that come and go in the cache."""
    server = gateway(bench, site, database, bench.earlier, {})
    answered = 0
    readings = []
    for milestone in bench.options.memory_requests:
        while answered < milestone:
            answered += bench.load(Shape.ANSWER, bench.earlier, site.cookies).requests
        readings.append(server.memory())
        yield single(f"PostgreSQL: resident memory after {answered:,} answers", "MiB", readings[-1])
    ratio = readings[-1] / readings[0]
    result = single("PostgreSQL: resident memory, last over first reading", "x", ratio)
    yield replace(result, goal=at_most(memory.GROWTH, ratio, " x"))
    bench.stop(bench.earlier.name)


def durable_sign_ins(bench: Bench, database: Database) -> Iterator[Result]:
    """Complete sign-ins that are on the disks of two servers before the cookie is sent."""
    database.add_synchronous_standby()
    site = Site(bench, bench.options.sessions[0])
    site.start({**signins.settings(bench), "SIGNIN_STORE": database.address})
    rounds = bench.repeat(lambda: signins.once(bench, database.running))
    site.stop()
    title = "PostgreSQL: durable sign-ins with a synchronous standby"
    rate = figure(title, "/s", rounds, lambda one: one.rate, signins.note(rounds))
    yield replace(rate, goal=at_least(500, rate.value, "/s"))
    yield from signins.details(rounds, "PostgreSQL: ")


def gateway(bench: Bench, site: Site, database: Database, side: Side, settings: dict[str, str]) -> Server:
    """Starts the product on the database as this side."""
    bench.stop(side.name)
    socket: Path = side.socket(Shape.ANSWER)
    socket.unlink(missing_ok=True)
    own = {"SIGNIN_LISTEN": f"unix:{socket}", "SIGNIN_STORE": database.address, **settings}
    command = [str(bench.programs.product), "serve"]
    server = bench.servers.start(side.name, command, {**site.environment(), **own})
    server.wait_until(lambda: is_listening(socket))
    site.require_check(Shape.ANSWER, Shape.ANSWER.path(side))
    return server

"""Complete sign-ins per second, each durable before its cookie is sent.

The provider costs almost nothing: the figure is about the program and its store.
"""

import multiprocessing
import resource
import statistics
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from multiprocessing.connection import Connection

from ..bench import Bench
from ..browser import Browser
from ..failure import Failure
from ..noise import Watch
from ..provider import KEY_BITS
from ..results import Result, figure
from ..rounds import Rounds
from ..servers import Server
from ..site import Site

CLIENTS = 16
# All clients have one address and sign in more often than real visitors.
SETTINGS = {"SIGNIN_SPENT_STATES": "10000000"}
FORK = multiprocessing.get_context("fork")


@dataclass(frozen=True)
class SignIns:
    """One run; times in milliseconds, processor time in milliseconds per sign-in."""

    rate: float
    p50: float
    p99: float
    cpu: dict[str, float]
    others: float


def measure(bench: Bench) -> Iterator[Result]:
    """Concurrent sign-ins, and the share of each program in a sign-in."""
    site = Site(bench, bench.options.sessions[0])
    site.start(settings(bench))
    rounds = bench.repeat(lambda: once(bench))
    site.stop()
    rate = figure(f"durable sign-ins, {CLIENTS} simultaneously", "/s", rounds, lambda one: one.rate, note(rounds))
    yield replace(rate, is_summarised=True)
    yield from details(rounds)


def details(rounds: Rounds[SignIns], title: str = "") -> Iterator[Result]:
    """The times of a sign-in, and the processor time of each program."""
    yield figure(f"{title}time of a sign-in, p50", "ms", rounds, lambda one: one.p50)
    yield figure(f"{title}time of a sign-in, p99", "ms", rounds, lambda one: one.p99)
    for name in rounds.kept[0].cpu:
        yield figure(f"{title}processor time of a sign-in: {name}", "ms", rounds, partial(cpu_of, name))


def settings(bench: Bench) -> dict[str, str]:
    """The settings of the product for many sign-ins."""
    return {**SETTINGS, **bench.repeater.settings}


def once(bench: Bench, stores: Iterable[Server] = ()) -> SignIns:
    """Lets the visitors sign in for some seconds."""
    product = bench.servers.named(bench.product.name)
    if product is None:
        raise Failure("the product is not running")
    own = {"product": product, "nginx": bench.nginx.server, "provider": bench.repeater.server}
    servers = {**own, **{store.name: store for store in stores}}
    watch = Watch(bench.servers)
    begin = {name: server.cpu() for name, server in servers.items()}
    clients_begin = children_cpu()
    began = time.monotonic()
    times = visit(bench.nginx.port, bench.options.seconds)
    seconds = time.monotonic() - began
    cpu = {name: server.cpu() - begin[name] for name, server in servers.items()}
    cpu["browsers"] = children_cpu() - clients_begin
    return SignIns(
        rate=len(times) / seconds,
        p50=statistics.median(times) * 1000,
        p99=statistics.quantiles(times, n=100)[98] * 1000,
        cpu={name: used / len(times) * 1000 for name, used in cpu.items()},
        others=watch.others(),
    )


def visit(port: int, seconds: int) -> list[float]:
    """The duration of each sign-in of all visitors, in seconds."""
    ends = []
    for _ in range(CLIENTS):
        receiver, sender = FORK.Pipe(duplex=False)
        process = FORK.Process(target=keep_signing_in, args=(port, seconds, sender), daemon=True)
        process.start()
        sender.close()
        ends.append((process, receiver))
    times: list[float] = []
    for process, receiver in ends:
        if not receiver.poll(seconds + 60):
            raise Failure("a visitor did not finish")
        try:
            answer = receiver.recv()
        except EOFError:
            raise Failure("a visitor ended early") from None
        if isinstance(answer, str):
            raise Failure(answer)
        times += answer
        process.join(10)
    if len(times) < 2:
        raise Failure("no sign-in ended in time")
    return times


def keep_signing_in(port: int, seconds: int, result: Connection) -> None:
    """One visitor, in a separate process."""
    browser = Browser(port)
    times = []
    deadline = time.monotonic() + seconds
    try:
        while (begin := time.monotonic()) < deadline:
            browser.sign_in()
            times.append(time.monotonic() - begin)
    except (Failure, OSError) as failure:
        result.send(f"a sign-in failed: {failure}")
        return
    result.send(times)


def children_cpu() -> float:
    """Seconds of processor time of this program's ended children."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def cpu_of(name: str, one: SignIns) -> float:
    """The share of one program."""
    return one.cpu[name]


def note(rounds: Rounds[SignIns]) -> str:
    """What the provider does, and the share of each program in the processor time."""
    names = rounds.kept[0].cpu
    parts = {name: rounds.median(partial(cpu_of, name)) for name in names}
    whole = sum(parts.values())
    shares = ", ".join(f"{name} {part / whole:.0%}" for name, part in parts.items())
    return f"the provider repeats one ID token, signed with {KEY_BITS} bits; processor time: {shares}"

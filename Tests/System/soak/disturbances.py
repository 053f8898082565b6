"""The faults that the plan injects, what each breaks, and the log lines that it explains."""

import os
import signal
import socket
import time
from collections.abc import Callable
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field

# The program's limit of descriptors.
DESCRIPTORS = 256
EVERYTHING = frozenset({"program", "read", "write", "change", "provider"})
STORE = frozenset({"read", "write", "change"})
WRITES = frozenset({"write", "change"})
PROVIDER = frozenset({"provider"})
# nginx without a program that answers.
UNREACHABLE = [
    r"connect\(\) to unix:\S+ failed \((2|11|104|111): ",
    r"recv\(\) failed \(104: ",
    r"upstream prematurely closed",
    r"writev\(\) failed \(32: ",
    r"auth request unexpected status: 50[0-9]",
]
WRONG = [("SIGNIN_REQUEST_TIMEOUT", "soon"), ("SIGNIN_HOME", "//evil"), ("LINKEDIN_PRODUCT", "gold")]
FAILING_STORE = [r"reason=store-", r"event=store-lost", r"event=old-session-kept"]


@dataclass(frozen=True)
class Disturbance:
    name: str
    act: Callable  # (run, random numbers) -> context manager
    breaks: frozenset = frozenset()
    explains: list = field(default_factory=list)  # patterns of log lines
    tail: float = 0.5
    log_tail: float = 2
    forbids_sign_in: bool = False
    restarts: bool = False
    lasts: bool = True  # False: it is over as soon as it was injected


def inject(run, disturbance, seconds, generator):
    """Injects a fault for a time; the run goes on meanwhile."""
    window = run.windows.open(disturbance.name, disturbance.breaks, disturbance.tail, disturbance.forbids_sign_in)
    begun = time.time()
    lasting = [run.explanations.add(begun, float("inf"), each, disturbance.name) for each in disturbance.explains]
    try:
        with disturbance.act(run, generator):
            if disturbance.lasts:
                run.stopping.wait(seconds)
            window.certain_until = time.time()
    finally:
        # Requests that were sent later may have succeeded while the fault was being ended.
        window.end = time.time()
        for each in lasting:
            each.end = window.end + disturbance.log_tail


# The program


@contextmanager
def killed(run, _):
    run.site.responder.process.signal(signal.SIGKILL)
    yield
    run.restart()


@contextmanager
def terminated(run, _):
    run.site.responder.stop()
    run.restart()
    yield


@contextmanager
def replaced(run, _):
    run.replace()
    yield


@contextmanager
def stopped(run, _):
    run.site.responder.process.signal(signal.SIGSTOP)
    yield
    run.site.responder.process.signal(signal.SIGCONT)


@contextmanager
def crowded(run, _):
    """More idle connections than the program has descriptors."""
    with ExitStack() as stack:
        for _ in range(2 * DESCRIPTORS):
            peer = stack.enter_context(socket.socket(socket.AF_UNIX))
            peer.connect(str(run.site.responder.socket))
        yield


@contextmanager
def reloaded(run, generator):
    changes = {
        "SIGNIN_SITE_NAME": f"Site {generator.randrange(1000)}",
        "SIGNIN_PROFILE_CACHE": generator.choice(["1s", "5s", "1m"]),
        "SIGNIN_MAX_BODY": generator.choice(["1M", "2M"]),
    }
    run.reload(changes, "reloaded")
    yield


@contextmanager
def reloaded_wrongly(run, generator):
    name, value = generator.choice(WRONG)
    before = run.site.responder.settings.get(name)
    run.reload({name: value}, "reload-refused")
    yield
    run.reload({name: before}, "reloaded")


# The store


@contextmanager
def full(run, _):
    filler = run.site.responder.state / "filler"
    with filler.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(1 << 16))
        except OSError:
            pass
    yield
    filler.unlink()


@contextmanager
def database_killed(run, _):
    run.database.kill()
    yield
    run.database.start()
    run.wait_until_ready()


@contextmanager
def database_stopped(run, _):
    run.database.stop()
    yield
    run.database.start()
    run.wait_until_ready()


@contextmanager
def database_stalled(run, _):
    run.database.stall()
    yield
    run.database.resume()
    run.wait_until_ready()


# The provider


def at_provider(endpoint, fault, **options):
    @contextmanager
    def act(run, _):
        run.site.simulator.fault(endpoint, fault, **options)
        yield
        run.site.simulator.clear_faults()

    return act


@contextmanager
def rotated(run, _):
    run.site.simulator.rotate_key()
    yield


@contextmanager
def provider_stopped(run, _):
    os.kill(run.site.simulator.pid, signal.SIGSTOP)
    yield
    os.kill(run.site.simulator.pid, signal.SIGCONT)


def provider_faults():
    token = r"event=sign-in-(failed|refused).*reason=(token-|id-token-|keys-|upstream-)"
    profile = r"event=(profile-failed|sign-in-failed).*reason=(resource-|userinfo-|upstream-)"
    for fault, options in {
        "status": {"status": 500},
        "close": {},
        "hang": {},
        "drip": {"ms": 20},
        "truncated": {},
        "garbage": {},
        "redirect": {},
        "wrong-signature": {},
        "wrong-aud": {},
        "wrong-iss": {},
        "expired": {},
        "alg-none": {},
        "no-id-token": {},
    }.items():
        act = at_provider("token", fault, **options)
        yield Disturbance(f"token: {fault}", act, PROVIDER, [token], forbids_sign_in=fault != "drip", tail=4, log_tail=6)
    act = at_provider("token", "delay", ms=400)
    yield Disturbance("token: delay", act)
    for endpoint in ("userinfo", "identityMe"):
        for fault, options in {"status": {"status": 503}, "close": {}, "hang": {}, "garbage": {}}.items():
            act = at_provider(endpoint, fault, **options)
            # After a failure, the program does not ask for this profile for a while.
            yield Disturbance(f"{endpoint}: {fault}", act, PROVIDER, [profile], tail=4, log_tail=6)
    act = at_provider("userinfo", "other-sub")
    yield Disturbance("userinfo: other-sub", act, PROVIDER, [profile], tail=4, log_tail=6)
    # The program fetches the keys again at most once a minute.
    unknown = r"event=sign-in-failed.*reason=id-token-key"
    yield Disturbance("keys rotated", rotated, frozenset({"keys"}), [unknown], tail=62, log_tail=62, lasts=False)
    yield Disturbance("provider stopped", provider_stopped, PROVIDER, [token, profile], tail=4, log_tail=6)


def program_faults():
    both = {"breaks": EVERYTHING, "explains": UNREACHABLE}
    # The log of a killed program may lack lines whose notes nginx has.
    yield Disturbance("kill -9", killed, EVERYTHING, [*UNREACHABLE, r"^event="], restarts=True)
    yield Disturbance("restart", terminated, **both, restarts=True, lasts=False)
    yield Disturbance("replacement", replaced, restarts=True, lasts=False)
    yield Disturbance("stopped program", stopped, **both)
    idle = [*UNREACHABLE, r"event=accept-backing-off", r"event=peer-timed-out"]
    yield Disturbance("idle connections", crowded, EVERYTHING, idle, tail=2, log_tail=4)
    yield Disturbance("reload", reloaded, lasts=False)
    yield Disturbance("reload with an error", reloaded_wrongly, explains=[r"event=reload-refused"])


def store_faults(store, can_fill):
    if store == "file":
        if can_fill:
            yield Disturbance("full disk", full, WRITES, FAILING_STORE)
        return
    for name, act in (("killed", database_killed), ("stopped", database_stopped), ("stalled", database_stalled)):
        yield Disturbance(f"database {name}", act, STORE, FAILING_STORE, tail=2, log_tail=4)


def disturbances(store, can_fill):
    """Every kind of fault; those of the program and the store come more often."""
    often = [*program_faults(), *store_faults(store, can_fill)]
    return [*provider_faults(), *often, *often, *often]


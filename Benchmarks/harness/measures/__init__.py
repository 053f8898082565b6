"""All measures by their names for `--only`, in the order of a run."""

from collections.abc import Callable, Iterator

from ..bench import Bench
from ..results import Result
from . import control, earlier, floor, hanging, latency, memory, peers, postgresql, providers, rates, rules, signins, size, start, verdicts

Measure = Callable[[Bench], Iterator[Result]]

ALL: dict[str, Measure] = {
    "control": control.measure,
    "floor": floor.measure,
    "auth-request": rates.auth_request,
    "auth": rates.auth,
    "profile": rates.profile,
    "authorizer": rates.authorizer,
    "latency": latency.measure,
    "hanging": hanging.measure,
    "rules": rules.measure,
    "providers": providers.measure,
    "verdicts": verdicts.measure,
    "memory": memory.measure,
    "start": start.measure,
    "signins": signins.measure,
    "postgresql": postgresql.measure,
    "peers": peers.measure,
    "size": size.measure,
    "earlier": earlier.measure,
}

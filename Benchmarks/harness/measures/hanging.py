"""The session check while sign-ins hang at the provider."""

import http.client
import select
import urllib.parse
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace

from ..bench import Bench
from ..browser import FORM, Browser
from ..failure import Failure
from ..results import Result, at_most, compare
from ..sides import Shape
from ..site import Site
from ..wrk import Load

SIGN_INS = 200
ADDRESSES = 8
# All of them must reach the provider and hang there until the load has ended.
SETTINGS = {"SIGNIN_UPSTREAM_CALLS": "256", "SIGNIN_TOTAL_TIMEOUT": "2m", "SIGNIN_STOP_GRACE": "0s"}


def measure(bench: Bench) -> Iterator[Result]:
    """The same check with and without hanging sign-ins, with a new process each time."""
    site = Site(bench, bench.options.sessions[-1])
    rounds = bench.alternate(lambda: undisturbed(bench, site), lambda: disturbed(bench, site))
    site.stop()
    sides = ("without", f"while {SIGN_INS} sign-ins hang")
    result = compare(Shape.CHECK.title, sides, site.sessions, rounds)
    result = replace(result, reference="that without", is_of_p99=True)
    yield replace(result, goal=at_most(1.5, result.p99_ratio[0], " x"))


def undisturbed(bench: Bench, site: Site) -> Load:
    site.start(SETTINGS)
    return bench.load(Shape.CHECK, bench.product, site.cookies)


def disturbed(bench: Bench, site: Site) -> Load:
    site.start(SETTINGS)
    control(bench, "POST", "endpoint=token&fault=hang")
    with ExitStack() as stack:
        browsers = []
        try:
            for number in range(SIGN_INS):
                # One client address may use a quarter of the calls.
                browser = Browser(bench.nginx.port, f"127.0.0.{2 + number % ADDRESSES}")
                stack.callback(browser.close)
                browser.send_callback()
                browsers.append(browser)
            load = bench.load(Shape.CHECK, bench.product, site.cookies)
            require_hanging(browsers)
        finally:
            control(bench, "DELETE")
        # Stops the product before its visitors leave, so that the next round starts clean.
        site.stop()
    return load


def require_hanging(browsers: list[Browser]) -> None:
    """Fails if any sign-in was answered."""
    poll = select.poll()
    for browser in browsers:
        poll.register(browser.waiting_descriptor, select.POLLIN)
    answered = len(poll.poll(0))
    if answered:
        raise Failure(f"{answered} of {SIGN_INS} sign-ins did not hang until the end")


def control(bench: Bench, method: str, form: str = "") -> None:
    """Sets the faults of the simulator."""
    _, provider = bench.simulator
    connection = http.client.HTTPConnection(urllib.parse.urlsplit(provider).netloc, timeout=10)
    connection.request(method, "/control/faults", form or None, FORM if form else {})
    answer = connection.getresponse()
    answer.read()
    connection.close()
    if answer.status >= 300:
        raise Failure(f"the simulator answered {answer.status} to {method} {form}")

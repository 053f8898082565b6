"""Two gateways and their database, killed under load: what was acknowledged stays, and nobody is signed out by an outage.

SYSTEM_TEST_KILLS=500 makes the test of random moments long, and SYSTEM_TEST_MEMBERS=1000 the failover; the defaults are for the gate.
"""

import http.client
import json
import os
import random
import signal
import threading
import time
from contextlib import contextmanager

import pytest

from harness.browser import Browser
from harness.machines import PROMOTE, Machines, both
from harness.process import wait_until
from harness.site import SESSION

pytestmark = pytest.mark.extended

KILLS = int(os.environ.get("SYSTEM_TEST_KILLS", "8"))
MEMBERS = int(os.environ.get("SYSTEM_TEST_MEMBERS", "40"))
# Seconds for which a machine may trust what it has read, and some for this one's other work.
LIMIT = 1.5
# Seconds for which a session stays locked if a machine was killed while it changed the session, and some more.
LEASE = 30 + 15


class Visitors:
    """Threads that sign in, look and sign out at both machines, and remember what was acknowledged."""

    def __init__(self, machines, count):
        self.machines = machines
        self.urls = (machines.site.url, machines.second)
        self.faults = []
        self.live = {}  # ticket -> subject
        self.ended = {}  # ticket -> when its sign-out was acknowledged
        self.lock = threading.Lock()
        self.is_over = threading.Event()
        self.threads = [threading.Thread(target=self.work, args=(number,)) for number in range(count)]

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.is_over.set()
        for thread in self.threads:
            thread.join()

    def work(self, number):
        chance = random.Random(number)
        while not self.is_over.is_set():
            try:
                self.visit(chance)
            except (OSError, http.client.HTTPException):
                continue  # the connection ended with a killed machine
            except (AssertionError, KeyError) as error:
                # An answer of an outage in the middle of a sign-in: 502 or 503 instead of the next step.
                if not any(code in str(error) for code in ("502", "503")):
                    self.faults.append(f"sign-in: {error}")

    def visit(self, chance):
        browser, member = Browser(), chance.randrange(1, 4)
        if self.machines.site.sign_in(browser, member=member).status != 303:
            return
        ticket = browser.jar["localhost"][SESSION]
        subject = None
        for _ in range(3):
            status, seen = self.look(chance.choice(self.urls), ticket)
            if status not in (200, 502, 503, 504):
                self.faults.append(f"a member got {status}")
            if status == 200:
                if subject not in (None, seen):
                    self.faults.append(f"{subject} became {seen}")
                subject = seen
        if chance.random() < 0.5:
            with self.lock:
                self.live[ticket] = subject
            return
        if self.machines.sign_out_at(chance.choice(self.urls), browser).status == 303:
            with self.lock:
                self.ended[ticket] = time.monotonic()

    def look(self, url, ticket):
        headers = {"Cookie": f"{SESSION}={ticket}", "Accept": "application/json"}
        answer = Browser().get(f"{url}/profile", headers=headers)
        if answer.status in (502, 503, 504) and answer.header("Set-Cookie"):
            self.faults.append("an outage cleared a cookie")
        return answer.status, identity(answer) if answer.status == 200 else None

    def outcome(self, ticket):
        """What a session answers when no killed machine holds it any more."""
        deadline = time.monotonic() + LEASE
        while True:
            status, seen = self.look(random.choice(self.urls), ticket)
            if status != 503 or time.monotonic() > deadline:
                return status, seen

    def counts(self):
        with self.lock:
            return len(self.live), len(self.ended)

    def verify(self, tickets=None):
        """Every acknowledged session is there, with its member, and every acknowledged sign-out stays."""
        for ticket, subject in (tickets or list(self.live.items())):
            status, seen = self.outcome(ticket)
            assert status == 200 and subject in (None, seen), self.machines.site.responder.log + self.machines.other.log
        wait_until(lambda: time.monotonic() > max(self.ended.values(), default=0) + LIMIT, "limit", LIMIT + 1)
        for ticket in self.ended:
            for url in self.urls:
                assert self.look(url, ticket)[0] == 401
        assert self.faults == []


def identity(answer):
    """What names the member in a profile."""
    profile = json.loads(answer.body)
    assert profile["email"]
    return profile["name"], profile["email"]


@contextmanager
def watched(machines, ticket, seen):
    """Collects the statuses that a member gets meanwhile."""
    is_over = threading.Event()

    def work():
        while not is_over.is_set():
            seen.append(machines.status_of(machines.second, ticket))

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join()


def test_failover_under_load_keeps_every_acknowledged_sign_in_and_sign_out(directory, database, standby):
    with Machines(directory, database, "nginx", SIGNIN_STORE=both(directory)) as machines:
        machines.expect_outage()
        member = machines.site.browser()
        assert machines.site.sign_in(member).status == 303
        seen = []
        with watched(machines, member.jar["localhost"][SESSION], seen), Visitors(machines, 8) as visitors:
            wait_until(lambda: min(visitors.counts()) >= MEMBERS // 2, "half of the load", 600)
            database.kill()
            wait_until(lambda: seen[-1] == 503, "outage")
            assert standby.run(PROMOTE) == ["t"]
            wait_until(lambda: seen[-1] == 200, "recovery", 5)
            wait_until(lambda: machines.status(machines.site.url, member) == 200, "recovery", 5)
            wait_until(lambda: min(visitors.counts()) >= MEMBERS, "load", 600)
        assert set(seen) == {200, 503}
        visitors.verify()


def test_kills_of_machines_and_database_at_random_moments_lose_and_revive_no_session(directory, database):
    chance = random.Random()
    with Machines(directory, database, "nginx") as machines:
        machines.expect_outage()
        for front in (machines.front, machines.site.server):
            front.expected_errors.append(r"\(111: Connection refused\)|\(104: Connection reset|prematurely closed|\(2: No such")
        with Visitors(machines, 4) as visitors:
            for number in range(KILLS):
                goal = sum(visitors.counts()) + chance.randrange(1, 12)
                wait_until(lambda goal=goal: sum(visitors.counts()) >= goal, f"load before kill {number}", 60)
                victim = chance.choice((machines.site.responder, machines.other, database))
                if victim is database:
                    victim.kill()
                else:
                    victim.process.signal(signal.SIGKILL)
                victim.start()
                assert visitors.faults == []
        for url in visitors.urls:
            wait_until(lambda url=url: visitors.look(url, next(iter(visitors.live)))[0] == 200, "recovery", 5)
        print(f"{KILLS} kills, {len(visitors.live)} sessions, {len(visitors.ended)} sign-outs")
        visitors.verify()

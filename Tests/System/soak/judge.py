"""Decides for each answer whether it was right, from what the clients know about their own cookies and tokens.

All times are `time.time()`. A request takes time, so an end of a session has a first possible moment, when the request for
it was sent, and a last possible moment, when its answer came. Only what is certain is a failure.
"""

import threading
import time
from collections import Counter
from dataclasses import dataclass, field

from .windows import SLOW

ALLOWED, REFUSED, UNAVAILABLE = "allowed", "refused", "unavailable"

# The program compares whole seconds, and the clients' times include the way through the web server.
TOLERANCE = 2.0
# A session's last use is noted once in a twelfth of its idle limit, and with PostgreSQL up to 5 seconds later. A note can be
# lost with the program or the database.
USE_NOTED_WITHIN = 70.0


class Credential:
    """A session cookie or a personal token that a member received."""

    def __init__(self, member, kind, label, asked, received, lifetime, idle=None):
        """`asked` and `received` are the times of the request that made it; `lifetime` and `idle` are seconds."""
        self.member, self.kind, self.label = member, kind, label
        self.made, self.received = asked, received
        self.lifetime, self.idle = lifetime, idle
        self.ending = None  # the first moment at which it may have ended
        self.ended = None  # the moment at which it had certainly ended
        self.noted = received  # the last moment at which it was certainly in use
        self.touched = received  # the last moment at which it may have been in use
        self.held = 0.0  # when a fault of the provider last made the program hold back calls for it
        self.history = [(received, f"{kind} made")]

    def may_have_ended(self, until):
        limits = [self.made + self.lifetime - TOLERANCE]
        if self.idle is not None:
            limits.append(self.noted + self.idle - USE_NOTED_WITHIN - TOLERANCE)
        if self.ending is not None:
            limits.append(self.ending)
        return until >= min(limits)

    def has_ended(self, since):
        limits = [self.received + self.lifetime + TOLERANCE]
        if self.idle is not None:
            limits.append(self.touched + self.idle + TOLERANCE)
        if self.ended is not None:
            limits.append(self.ended)
        return since > min(limits)

    def end(self, asked, answered=None):
        """It may end from `asked` on, and has ended at `answered`, if the answer said so."""
        self.ending = asked if self.ending is None else min(self.ending, asked)
        if answered is not None:
            self.ended = answered if self.ended is None else min(self.ended, answered)


@dataclass
class Observation:
    """An answer to a request with a credential; `credential` is None for one that nobody issued."""

    credential: Credential | None
    what: str
    asked: float
    answered: float
    verdict: str
    status: int | None = None
    identity: int | None = None  # the member that the answer names
    needs: frozenset = frozenset({"program", "read"})  # what has to work for an answer


@dataclass
class MassEnd:
    member: int
    kinds: tuple
    asked: float
    answered: float = float("inf")


@dataclass
class Failure:
    kind: str
    time: float
    text: str
    history: list = field(default_factory=list)  # of (time, text)
    log: list = field(default_factory=list)


class Judge:
    """Collects credentials, ends and observations; `failures` are the wrong ones."""

    def __init__(self, is_disturbed, last_lines=lambda: []):
        """`is_disturbed(asked, answered, needs)` says whether a fault of the plan explains that no verdict came.

        `last_lines()` are the last lines of the log, which a failure keeps.
        """
        self.is_disturbed, self.last_lines = is_disturbed, last_lines
        self.failures = []
        self.answers = Counter()
        self._lock = threading.Lock()
        self._credentials = {}  # member -> credentials
        self._mass_ends = []

    def issue(self, credential):
        """Adds a credential whose answer has come."""
        with self._lock:
            self._credentials.setdefault(credential.member, []).append(credential)
            for ending in self._mass_ends:
                overlaps = credential.made < ending.answered and ending.asked < credential.received
                if ending.member == credential.member and credential.kind in ending.kinds and overlaps:
                    credential.end(max(ending.asked, credential.made))

    def begin_end(self, credential):
        """The owner is about to end one credential."""
        with self._lock:
            credential.end(time.time())

    def end(self, credential, answered, acknowledged):
        """The answer to the request that ends one credential."""
        with self._lock:
            credential.end(answered, answered if acknowledged else None)
            credential.history.append((answered, f"end {'acknowledged' if acknowledged else 'asked, not acknowledged'}"))

    def begin_end_all(self, member, kinds):
        """The member is about to end all credentials of these kinds."""
        with self._lock:
            ending = MassEnd(member, kinds, time.time())
            self._mass_ends.append(ending)
            for credential in self._credentials.get(member, []):
                if credential.kind in kinds:
                    credential.end(ending.asked)
            return ending

    def end_all(self, ending, answered, acknowledged):
        """The answer to the request that ends all credentials of a member."""
        with self._lock:
            ending.answered = answered
            for credential in self._credentials.get(ending.member, []):
                if credential.kind in ending.kinds and credential.made < answered:
                    certain = acknowledged and credential.received <= ending.asked
                    credential.end(ending.asked, answered if certain else None)
                    text = f"end of all asked at {ending.asked:.3f}, {'' if acknowledged else 'not '}acknowledged"
                    credential.history.append((answered, text))

    def observe(self, seen):
        """Judges an answer."""
        with self._lock:
            self.answers[f"{seen.what} {seen.status or 'none'}"] += 1
            credential = seen.credential
            if credential:
                text = f"{seen.what}: {seen.verdict} {seen.status}, asked at {seen.asked:.3f}"
                credential.history = [*credential.history[-30:], (seen.answered, text)]
            if seen.verdict == UNAVAILABLE:
                if not self.is_disturbed(seen.asked, seen.answered, seen.needs):
                    self._fail("no verdict without a fault", seen)
            elif seen.verdict == ALLOWED:
                self._judge_allowed(seen)
            elif credential:
                self._judge_refused(seen)
            if seen.verdict != UNAVAILABLE and self._is_slow(seen.asked, seen.answered, seen.needs):
                self._fail("slow answer", seen)

    def _is_slow(self, asked, answered, needs):
        return answered - asked > SLOW and not self.is_disturbed(asked, answered, needs)

    def _judge_allowed(self, seen):
        credential = seen.credential
        if credential is None:
            return self._fail("wrong allow", seen)
        if seen.identity is not None and seen.identity != credential.member:
            self._fail("wrong identity", seen)
        if credential.has_ended(seen.asked):
            self._fail("wrong allow", seen)
        credential.noted = max(credential.noted, seen.asked)
        credential.touched = max(credential.touched, seen.answered)

    def _judge_refused(self, seen):
        credential = seen.credential
        if not credential.may_have_ended(seen.answered):
            self._fail(f"{credential.kind} lost", seen)
        # What was refused once must never be allowed again.
        credential.end(seen.asked, seen.answered)

    def _fail(self, kind, seen):
        credential = seen.credential
        owner = f"member {credential.member}, {credential.kind} {credential.label}" if credential else "nobody's credential"
        text = f"{owner}: {seen.what} answered {seen.verdict} ({seen.status}) and named {seen.identity}"
        history = list(credential.history) if credential else []
        self._add(Failure(kind, seen.answered, text, history, self.last_lines()))

    def report(self, kind, moment, text, log=None):
        """Adds a failure that is not about a credential."""
        with self._lock:
            self._add(Failure(kind, moment, text, log=self.last_lines() if log is None else log))

    def _add(self, failure):
        self.failures.append(failure)
        print(f"failure {len(self.failures)}: {failure.kind}: {failure.text}", flush=True)

    def expect(self, what, status, expected, asked, answered, needs, text=""):
        """Judges an answer that is not about a credential: it has an expected status, or a fault explains it."""
        with self._lock:
            self.answers[f"{what} {status or 'none'}"] += 1
        if status not in expected and not self.is_disturbed(asked, answered, needs):
            self.report("unexpected answer", answered, f"{what} was answered with {status} {text}")
        elif self._is_slow(asked, answered, needs):
            self.report("slow answer", answered, f"{what} was answered after {answered - asked:.1f} s")

    def live(self, member, kind):
        """The credentials of a member whose end was not asked."""
        with self._lock:
            return [each for each in self._credentials.get(member, []) if each.kind == kind and each.ending is None]

    def forget_old(self, before):
        """Forgets credentials that ended long ago."""
        with self._lock:
            for member, known in self._credentials.items():
                self._credentials[member] = [each for each in known if not each.has_ended(before)]
            self._mass_ends = [each for each in self._mass_ends if each.answered > before]

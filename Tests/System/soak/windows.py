"""The times in which a fault of the plan was active, and what it broke."""

import time
from dataclasses import dataclass

# Without a fault, an answer comes within these seconds. Clients wait longer, and what begins meanwhile excuses nothing.
SLOW = 3.0


@dataclass
class Window:
    cause: str
    breaks: frozenset
    tail: float  # seconds after the end in which requests may still fail
    forbids_sign_in: bool
    begin: float
    end: float | None = None
    certain_until: float | None = None  # when its end began, because what was sent later may have met no fault


class Windows:
    def __init__(self):
        self.known = []

    def open(self, cause, breaks=(), tail=0.5, forbids_sign_in=False):
        window = Window(cause, frozenset(breaks), tail, forbids_sign_in, time.time())
        self.known.append(window)
        return window

    def is_disturbed(self, asked, answered, needs):
        """Whether a fault broke something that a request needed, before its answer was slow."""
        until = min(answered, asked + SLOW)
        return any(
            each.breaks & needs and each.begin <= until and (each.end is None or asked <= each.end + each.tail)
            for each in list(self.known)
        )

    def forbids_sign_in(self, asked, answered):
        """The fault that was active all the time and lets no sign-in succeed, or None."""
        for each in list(self.known):
            if each.forbids_sign_in and each.begin <= asked and answered <= (each.certain_until or answered):
                return each.cause
        return None

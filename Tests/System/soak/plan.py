"""The seeded plan: which fault begins when and lasts how long, and what members do."""

import random
from dataclasses import dataclass

from .disturbances import Disturbance
from .members import Members

# After this part of the run the program is not restarted, so that a leak has time to show.
LAST_RESTART = 0.6
# What a member does, with its weight; a member without a session signs in.
ACTIONS = {
    Members.check: 60,
    Members.use_token: 6,
    Members.sign_out: 4,
    Members.forge: 4,
    Members.close_browser: 3,
    Members.return_to_closed: 2.5,
    Members.replay: 3,
    Members.hostile: 3,
    Members.make_token: 2,
    Members.revoke_token: 1,
    Members.wrong_state: 1,
    Members.forge_token: 1,
    Members.two_cookies: 1,
    Members.stolen_callback: 0.5,
    Members.sign_out_everywhere: 0.5,
    Members.forget: 0.15,
}
# These need no session.
WITHOUT_SESSION = {
    Members.return_to_closed,
    Members.replay,
    Members.use_token,
    Members.forge,
    Members.forge_token,
    Members.two_cookies,
    Members.wrong_state,
    Members.stolen_callback,
    Members.hostile,
}


@dataclass(frozen=True)
class Step:
    begin: float  # seconds since the beginning
    seconds: float
    number: int
    disturbance: Disturbance

    def __str__(self):
        return f"{self.begin:7.1f} s  {self.disturbance.name} for {self.seconds:.1f} s"


def plan(seed, seconds, known):
    """The faults of a run, in their order."""
    generator = random.Random(f"plan {seed}")
    steps, waiting = [], []
    moment = min(3.0, seconds / 10)
    while moment < seconds * 0.95:
        waiting = waiting or generator.sample(known, len(known))
        disturbance = waiting.pop()
        if disturbance.restarts and moment > seconds * LAST_RESTART:
            continue
        duration = generator.uniform(0.3, max(0.5, min(6.0, seconds / 25)))
        steps.append(Step(moment, duration, len(steps), disturbance))
        moment += duration + generator.uniform(min(3.0, seconds / 40), min(12.0, seconds / 15))
    return steps


def action(seed, number):
    """One action of the run: the function, and its own random numbers."""
    generator = random.Random(f"{seed}/{number}")
    return generator.choices(list(ACTIONS), list(ACTIONS.values()))[0], generator

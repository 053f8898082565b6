"""Log lines: those at warning or above need a fault or an action that explains them, and none contains a secret."""

import calendar
import re
import time
from collections import Counter
from dataclasses import dataclass

LINE = re.compile(r"time=(\S+) level=(\w+) event=([\w-]+)(?: request=(\w+))?(?: reason=([\w-]+))?")
WORD = re.compile(r"[A-Za-z0-9_-]{20,}")
NGINX = re.compile(r"(\d{4}/\d\d/\d\d \d\d:\d\d:\d\d) \[(\w+)\] ")
NOTE = re.compile(r"linkedin-signin: (event=([a-z-]+)(?: request=([0-9a-f]+))?(?: reason=[\w-]+)?)")
# The length that is enough to recognize a secret: a cut one is a leak too.
ENOUGH = 20
# The levels of nginx that need an explanation.
SERIOUS = re.compile(r" \[(error|crit|alert|emerg)\] ")


@dataclass
class Explanation:
    """Lines that match the pattern between two times have a cause; `limit` is their greatest number."""

    begin: float
    end: float
    pattern: re.Pattern
    cause: str
    limit: int | None = None


class Explanations:
    def __init__(self):
        self.lasting = []
        self.limited = {}  # second -> explanations

    def add(self, begin, end, pattern, cause, limit=None):
        # Log lines have whole seconds.
        explanation = Explanation(begin - 1, end + 1, re.compile(pattern), cause, limit)
        if limit is None:
            self.lasting.append(explanation)
            return explanation
        for second in range(int(explanation.begin), int(explanation.end) + 1):
            self.limited.setdefault(second, []).append(explanation)
        return explanation

    def explain(self, moment, text):
        """The cause of a line, or None; counts it."""
        for each in [*self.limited.get(int(moment), []), *self.lasting]:
            if each.limit != 0 and each.begin <= moment <= each.end and each.pattern.search(text):
                if each.limit:
                    each.limit -= 1
                return each.cause
        return None


def unexplained(lines, explanations):
    """The lines of the program at warning or above, and those that are not log lines, without a cause."""
    for text in lines:
        found = LINE.match(text)
        if not found:
            yield text
        elif found[2] in ("warning", "error"):
            moment = calendar.timegm(time.strptime(found[1], "%Y-%m-%dT%H:%M:%SZ"))
            if not explanations.explain(moment, text):
                yield text


def unexplained_of_nginx(errors, lines, explanations):
    """The lines of nginx's error log without a cause.

    A note of the program has its line in the log of the program, where it is judged. Killed, the program may have written
    the note only.
    """
    judged = {(found[3], found[4]) for found in map(LINE.match, lines) if found}
    for text in errors:
        found = NGINX.match(text)
        note = NOTE.search(text)
        if note and (note[2], note[3]) in judged:
            continue
        moment = time.mktime(time.strptime(found[1], "%Y/%m/%d %H:%M:%S")) if found else 0
        if not explanations.explain(moment, note[1] if note else text):
            yield text


def events(lines):
    """How many lines each event has, with its level and reason."""
    found = (LINE.match(text) for text in lines)
    return Counter(" ".join(filter(None, (each[2], each[3], each[5]))) for each in found if each)


def leaks(lines, secrets, client):
    """The lines that contain the client secret or the beginning of another secret, without the secret."""
    beginnings = {secret[:ENOUGH] for secret in secrets if len(secret) >= ENOUGH}
    for number, text in enumerate(lines, 1):
        for word in WORD.findall(text):
            if any(word[at : at + ENOUGH] in beginnings for at in range(len(word) - ENOUGH + 1)):
                yield f"line {number}: {text.split(word)[0]}..."
        if client in text:
            yield f"line {number}: {text.split(client)[0]}..."

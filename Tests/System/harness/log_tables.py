"""The events and reasons of the log: those that the sources contain, and those that docs/log.md explains."""

import re
from functools import cache

from .process import REPOSITORY

CODE = r'"([a-z]+(?:-[a-z]+)*)"'
# The enumerations whose raw values are reasons, with the prefix in the log.
REASONS = {
    "OpenIDError.Code": "",
    "AuthorizationErrorCode": "provider-",
    "AuthorizationNeed": "",
    "StoreError.Code": "store-",
    "TransportError.Code": "",
    "Denial": "",
    "TokenObjection": "",
    "KeptFormPages.Objection": "",
    "ConcurrencyLimit.Refusal": "",
    "ServerEvent.Stage": "",
    "Pulse.Threads": "",
    "ServerEvent.Rejection": "",
    "CurlTransport.Event.Reason": "",
}
# Their reason is a name from the system: an error or a signal.
REASONS_OF_THE_SYSTEM = {"accept-backing-off", "stopping"}


def sources():
    for path in sorted((REPOSITORY / "Sources").rglob("*.swift")):
        if "linkedin-simulator" not in path.parts:
            yield path.read_text()


def events_in_sources():
    return raw_values("EventName")


def reasons_in_sources():
    found = set()
    for text in sources():
        if "LogEvent" not in text and "eason" not in text:
            continue
        for line in text.splitlines():
            if re.search(r"\breason\b", line) and not line.lstrip().startswith("///"):
                found |= set(re.findall(CODE, re.split(r"fields: \[|\[\(", line)[0]))
    found -= {"reason"}  # the name of the field itself
    for name, prefix in REASONS.items():
        found |= {prefix + value for value in raw_values(name)}
    return found


def raw_values(name):
    """The raw values of an enumeration, named with the type that contains it."""
    return {literal or case for case, literal in cases(name)}


def cases(name):
    """Each case of an enumeration with its literal, which is empty if the case has none."""
    *outer, last = name.split(".")
    declaration = re.compile(rf"^( *)(?:package |private )?enum {last}: String\b.*?\{{\n(.*?)^\1\}}", re.M | re.S)
    for text in sources():
        if outer and not re.search(rf"\b(?:struct|enum|class|extension) (?:\w+\.)*{outer[-1]}\b", text):
            continue
        if match := declaration.search(text):
            lines = re.findall(r"^ *case (.*)$", match[2], re.MULTILINE)
            parts = (part.strip() for line in lines if "(" not in line and ":" not in line for part in line.split(","))
            return re.findall(r'^(\w+)(?: = "([^"]+)")?$', "\n".join(parts), re.M)
    raise AssertionError(f"no enumeration {name}")


@cache
def documented(heading):
    """The codes in the first column of the tables in a section of docs/log.md."""
    section = (REPOSITORY / "docs/log.md").read_text().partition(f"## {heading}\n")[2]
    rows = re.findall(r"^\| (`.*?) \|", re.split("^## ", section, flags=re.MULTILINE)[0], re.MULTILINE)
    codes = [code for row in rows for code in re.findall(r"`([a-z-]+)`", row)]
    assert codes and len(codes) == len(set(codes)), f"{heading}: missing or repeated codes"
    return set(codes)


def check_codes(log):
    """Fails if a line of the log has an event or a reason that docs/log.md does not explain."""
    for event, reason in re.findall(r" event=([a-z-]+)(?: request=\w+)?(?: reason=(\S+))?", log):
        assert event in documented("Events"), event
        known = not reason or event in REASONS_OF_THE_SYSTEM or reason in documented("Reasons")
        assert known, f"{event}: {reason}"

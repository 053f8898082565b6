"""Requirements.md is complete: each requirement names existing tests, or gives a reason for having none."""

import re
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[1]
NUMBERS = range(1, 77)
SWIFT = re.compile(r"func `([^`]+)`")
PYTHON = re.compile(r"^def (test_\w+)", re.MULTILINE)
NAME = re.compile(r"`([^`]+)`")
EXCUSE = "excused:"


def existing(root=TESTS):
    """The names of all tests in the syntax of the table."""
    names = {name for path in root.rglob("*.swift") for name in SWIFT.findall(path.read_text())}
    for path in (root / "System").glob("test_*.py"):
        names |= {f"{path.name}::{name}" for name in PYTHON.findall(path.read_text())}
    return names


def rows(text):
    """Number, requirement and proof of each row of the table."""
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if line.startswith("|") and cells[0].isdigit():
            assert len(cells) == 3, f"a row has three cells: {line}"
            yield int(cells[0]), cells[1], cells[2]


def problems(text, known):
    """The faults of a table, one sentence each."""
    found = []
    numbers = [number for number, _, _ in rows(text)]
    found += [f"{number} is missing" for number in NUMBERS if number not in numbers]
    found += [f"{number} is there twice" for number in NUMBERS if numbers.count(number) > 1]
    found += [f"{number} is not a requirement" for number in numbers if number not in NUMBERS]
    for number, requirement, proof in rows(text):
        if len(requirement.split()) < 3:
            found.append(f"{number} does not say what is required")
        if proof.startswith(EXCUSE):
            if len(proof.removeprefix(EXCUSE).split()) < 5:
                found.append(f"{number} is excused without a reason")
            continue
        names = NAME.findall(proof)
        if not names or NAME.sub("", proof).strip(" ,"):
            found.append(f"{number} is proved by something other than tests")
        found += [f"{number} names a test that does not exist: {name}" for name in names if name not in known]
    return found


def test_every_requirement_is_proved_or_excused():
    assert problems((TESTS / "Requirements.md").read_text(), existing()) == []


GOOD = {number: "what is required | `a test`" for number in NUMBERS}
BROKEN = [
    ({7: None}, "7 is missing"),
    ({7: "what is required | `a tset`"}, "7 names a test that does not exist: a tset"),
    ({7: "what is required | `a test`, `test_a.py::test_b`"}, "7 names a test that does not exist: test_a.py::test_b"),
    ({7: "what is required | excused:"}, "7 is excused without a reason"),
    ({7: "what is required | excused: not now"}, "7 is excused without a reason"),
    ({7: "what is required | "}, "7 is proved by something other than tests"),
    ({7: "what is required | see above"}, "7 is proved by something other than tests"),
    ({7: "what is required | `a test` and a promise"}, "7 is proved by something other than tests"),
    ({7: " | `a test`"}, "7 does not say what is required"),
    ({7: "what is required | `a test` |\n| 7 | what is required | `a test`"}, "7 is there twice"),
    ({77: "what is required | `a test`"}, "77 is not a requirement"),
]


@pytest.mark.parametrize("changes, problem", BROKEN, ids=[problem for _, problem in BROKEN])
def test_a_broken_table_is_detected(changes, problem):
    table = {**GOOD, **changes}
    text = "".join(f"| {number} | {row} |\n" for number, row in table.items() if row is not None)
    assert problems(text, {"a test"}) == [problem]


def test_a_complete_table_has_no_problem():
    text = "".join(f"| {number} | {row} |\n" for number, row in GOOD.items())
    assert problems(text, {"a test"}) == []
    assert problems(text, set())

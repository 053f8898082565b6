"""Tests/Requirements.md is complete: each requirement and each threat names existing tests, or a requirement the reason for none."""

import re
from pathlib import Path

import pytest

pytestmark = pytest.mark.extended

TESTS = Path(__file__).resolve().parents[1]
NUMBERS = range(1, 77)
SWIFT = re.compile(r"func `([^`]+)`")
PYTHON = re.compile(r"^def (test_\w+)", re.MULTILINE)
NAME = re.compile(r"`([^`]+)`")
EXCUSE = "excused:"
THREATS = {"| threat | defense |", "| threat | kind | tests |"}
KINDS = {"spoofing", "tampering", "repudiation", "disclosure", "denial", "elevation"}
SIZE = 20 * 1024  # bytes of the threat model, so that people read it


def existing(root=TESTS):
    """The names of all tests in the syntax of the table."""
    names = {name for path in root.rglob("*.swift") for name in SWIFT.findall(path.read_text())}
    for path in (root / "System").glob("test_*.py"):
        names |= {f"{path.name}::{name}" for name in PYTHON.findall(path.read_text())}
    return names


def cells_of(line):
    return [cell.strip() for cell in line.strip().removeprefix("|").removesuffix("|").split("|")]


def rows(text):
    """Number, requirement and proof of each row of the table."""
    for line in text.splitlines():
        cells = cells_of(line)
        if line.startswith("|") and cells[0].isdigit():
            assert len(cells) == 3, f"a row has three cells: {line}"
            yield int(cells[0]), cells[1], cells[2]


def problems_of_proof(proved, proof, known):
    """The faults of a cell that names tests."""
    names = NAME.findall(proof)
    if not names or NAME.sub("", proof).strip(" ,"):
        yield f"{proved} is proved by something other than tests"
    yield from (f"{proved} names a test that does not exist: {name}" for name in names if name not in known)


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
        found += problems_of_proof(number, proof, known)
    return found


def test_every_requirement_is_proved_or_excused():
    assert problems((TESTS / "Requirements.md").read_text(), existing()) == []


def cases(text, begin):
    """The cells of each row whose first cell begins with this text."""
    for line in text.splitlines():
        cells = cells_of(line)
        if line.startswith("|") and cells[0].startswith(begin):
            yield cells


def test_every_trap_of_providers_names_existing_tests():
    found = list(cases((TESTS / "Requirements.md").read_text(), "P"))
    assert [trap for trap, *_ in found] == [f"P{number}" for number in range(1, 36)]
    for trap, rule, proof in found:
        if proof.startswith(EXCUSE):
            assert len(proof.removeprefix(EXCUSE).split()) >= 5, trap
        else:
            assert list(problems_of_proof(f"{trap} {rule}", proof, existing())) == []
            assert re.search(rf"(?i)[`_: ]{trap}(?![0-9])", proof), f"no test of {trap} has its number in its name"


def test_every_case_of_conformance_names_existing_tests():
    text = (TESTS.parent / "docs/conformance.md").read_text()
    found = list(cases(text, "`oidcc-client-test"))
    names = [name for case, *_ in found for name in NAME.findall(case)]
    assert len(names) == len(set(names)) == 47
    for case, outcome, proof in (row for row in found if len(row) == 3):
        assert outcome in {"accepts", "rejects"}, case
        assert list(problems_of_proof(case, proof, existing())) == []


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


def threats(text):
    """Heading and cells of each threat."""
    heading, is_table = "", False
    for line in text.splitlines():
        if line.startswith("#"):
            heading = line.lstrip("# ")
        is_table = line in THREATS or (is_table and line.startswith("|"))
        if is_table and line not in THREATS and not line.startswith("| ---"):
            yield heading, cells_of(line)


def problems_of_threats(model, tests, known):
    """The faults of the threat model and of the tests of its threats, one sentence each."""
    defended, proved = list(threats(model)), list(threats(tests))
    named, tested = ([(heading, threat) for heading, (threat, *_) in rows] for rows in (defended, proved))
    found = [f"{threat} has no tests" for heading, threat in named if (heading, threat) not in tested]
    found += [f"{threat} is not a threat of the model" for heading, threat in tested if (heading, threat) not in named]
    if not found and named != tested:
        found.append("the threats are in another order")
    for _, (threat, *cells) in defended:
        if len(cells) != 1 or len(cells[0].split()) < 3:
            found.append(f"{threat} does not say how it is defended")
    for _, (threat, *cells) in proved:
        if len(cells) != 2:
            found.append(f"{threat} does not have three cells")
            continue
        kind, proof = cells
        if not set(kind.split(", ")) <= KINDS:
            found.append(f"{threat} is of an unknown kind: {kind}")
        found += problems_of_proof(threat, proof, known)
    return found


def test_every_threat_names_a_defense_and_existing_tests():
    model, tests = (TESTS.parent / "docs/threat-model.md").read_text(), (TESTS / "Requirements.md").read_text()
    assert problems_of_threats(model, tests, existing()) == []
    assert {kind for _, cells in threats(tests) for kind in cells[1].split(", ")} == KINDS
    assert len(model.encode()) <= SIZE


MODEL = "## Web server\n\n| threat | defense |\n| --- | --- |\n| Someone asks. | Nobody answers them. |\n"
PROOF = "| Someone asks. | spoofing, denial | `a test`, `test_a.py::test_b` |"
TABLE = f"### Web server\n\n| threat | kind | tests |\n| --- | --- | --- |\n{PROOF}\n"
WEAKENED = [
    ("`a test`", "`a tset`", ["Someone asks. names a test that does not exist: a tset"]),
    ("test_b", "test_c", ["Someone asks. names a test that does not exist: test_a.py::test_c"]),
    ("`a test`, `test_a.py::test_b`", "", ["Someone asks. is proved by something other than tests"]),
    ("`a test`,", "`a test` and a promise,", ["Someone asks. is proved by something other than tests"]),
    ("denial", "bad luck", ["Someone asks. is of an unknown kind: spoofing, bad luck"]),
    ("denial", "denial | else", ["Someone asks. does not have three cells"]),
    ("Nobody answers them.", "", ["Someone asks. does not say how it is defended"]),
    (PROOF, "", ["Someone asks. has no tests"]),
    ("### Web server", "### Browser", ["Someone asks. has no tests", "Someone asks. is not a threat of the model"]),
]


@pytest.mark.parametrize("words, others, found", WEAKENED, ids=[found[0] for *_, found in WEAKENED])
def test_a_threat_without_defense_or_test_is_detected(words, others, found):
    known = {"a test", "test_a.py::test_b"}
    assert problems_of_threats(MODEL, TABLE, known) == []
    assert problems_of_threats(MODEL.replace(words, others), TABLE.replace(words, others), known) == found

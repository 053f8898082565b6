"""`doctor --guarded` with applications that answer every path: what it can tell about other spellings, and what it cannot."""

import re

import pytest

from harness.doctor import THIS_MONTH, diagnose
from harness.guarding import replaced
from harness.routers import Router


@pytest.fixture
def look(make_site):
    """Runs `doctor` about a guarded path of a site with an edited configuration."""

    def look(edit):
        guard = ["--location", "/private/", "--require", "member"]
        with make_site(settings={"LINKEDIN_VERSION": THIS_MONTH}, guard=guard, edit=edit) as site:
            return diagnose(site.responder, "--url", site.url, "--guarded", "/private/a.txt")

    return look


def routed(application):
    """nginx without the refusal of unusual paths passes all open paths to an application."""
    refusal = r"if \(\$request_uri .*\n.*\n *\}\n"
    return lambda text: re.sub(refusal, "", application.with_routes("nginx", text))


def test_the_spellings_that_an_application_reads_as_a_guarded_path_are_found(look, directory):
    with Router("node-http", directory) as application:
        found = look(routed(application))
    assert found.faults == {"guard-bypassed"}, found.text
    spellings = found.finding("guard-bypassed")["what"].split(": ")[1].split("  ")
    assert {"//x/private/a.txt", "/\\x/private/a.txt", "/private\\a.txt"} <= set(spellings) and "/PRIVATE/a.txt" not in spellings
    assert any("check --nginx" in line for line in found.finding("guard-bypassed")["remedies"])


PRINTING = {
    "address": ("return 200 'not here: $request_uri';", False),
    "decoded": ("return 200 'not here: $uri, nor $uri';", False),
    "time": ("return 200 'not here: $request_id';", True),
}


@pytest.mark.parametrize("kind", PRINTING)
def test_an_application_that_prints_the_address_bypasses_nothing(look, kind):
    line, is_unclear = PRINTING[kind]
    edit = lambda text: replaced(text, "location = /login {", f"location / {{ {line} }}\n location = /login {{")  # noqa: E731
    found = look(edit)
    assert found.faults == set(), found.text
    unclear = [finding["what"] for finding in found.report["findings"] if finding["code"] == "not-checked"]
    assert any("cannot tell" in what for what in unclear) == is_unclear, found.text


@pytest.mark.parametrize("answer, words", [("444", "no response"), ("429", "HTTP 429"), ("502", "HTTP 502")])
def test_a_spelling_without_a_clear_answer_is_not_checked(look, answer, words):
    location = f"location ^~ /PRIVATE/ {{ return {answer}; }}\n location = /login {{"
    found = look(lambda text: replaced(text, "location = /login {", location))
    assert found.faults == set(), found.text
    unchecked = [finding["what"] for finding in found.report["findings"] if finding["code"] == "not-checked"]
    assert any("/PRIVATE/a.txt (" in what and words in what for what in unchecked), found.text
    assert not any("other spellings" in entry["what"] for entry in found.report["passed"])

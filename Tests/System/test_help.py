"""The help texts fit into a terminal of 80 columns."""

import re
import subprocess
from concurrent.futures import ThreadPoolExecutor

import pytest

from harness.process import BINARIES

SESSIONS = [f"sessions {name}" for name in ("list", "show", "count", "revoke", "forget", "sweep", "import")]
TOKENS = [f"tokens {name}" for name in ("list", "show", "create", "revoke")]
COMMANDS = ("serve", "check", "doctor", "print-config", "print-settings", "print-templates", "preview", "sessions", *SESSIONS, "store", "store migrate")
COMMANDS += ("store copy", "store adopt", "key", "key rotate", "tokens", *TOKENS)
HELP = [
    "linkedin-signin --help",
    "linkedin-signin help",
    *(f"linkedin-signin {command} --help" for command in COMMANDS),
    "linkedin-simulator --help",
]
WRONG = ["linkedin-signin chekc", "linkedin-signin print-config", "linkedin-signin check --rule a", "linkedin-simulator --ports 1"]


def said(words, surroundings):
    program, *arguments = words.split()
    command = [BINARIES / program, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, env=surroundings, timeout=20)
    assert (done.returncode == 0) == (words in HELP)
    return done.stdout + done.stderr


def each(words, surroundings):
    """What each of the commands says, by its words."""
    with ThreadPoolExecutor(4) as pool:
        return dict(zip(words, pool.map(lambda each: said(each, surroundings), words)))


@pytest.mark.parametrize("surroundings", [{}, {"COLUMNS": "80"}], ids=["pipe", "columns"])
def test_no_help_line_is_wider_than_80_columns(surroundings):
    for words, text in each(HELP + WRONG, surroundings).items():
        lines = text.splitlines()
        assert len(lines) > 2 and [line for line in lines if len(line) > 80] == [], words


def test_help_lines_are_broken_only_at_their_own_ends():
    """A wide terminal breaks no line, so its output shows the intended lines."""
    wide, narrow = (each(HELP, {"COLUMNS": columns}) for columns in ("500", "80"))
    for words in HELP:
        intended, shown = (texts[words].partition("USAGE:")[0].splitlines() for texts in (wide, narrow))
        assert [line for line in intended if line.startswith("  ") and line not in shown] == [], words


def test_each_further_usage_line_begins_below_the_first_word_or_is_a_continuation():
    for words, text in each(HELP, {}).items():
        usage = text.partition("USAGE: ")[2].partition("\n\n")[0].splitlines()
        assert [line for line in usage[1:] if not line.startswith(("       linkedin-", "         [", " " * 9 + "--"))] == [], words


def test_the_usage_text_contains_every_option():
    commands = ("check", "doctor", "print-config", "sessions list", "sessions revoke", "sessions forget", *TOKENS)
    for words in [*(f"linkedin-signin {command} --help" for command in commands), "linkedin-simulator --help"]:
        usage, _, options = said(words, {}).partition("USAGE: ")[2].partition("\n\n")
        known = set(re.findall(r"^  (--[a-z-]+)", options, re.MULTILINE)) - {"--version"}
        assert known and set(re.findall(r"--[a-z-]+", usage)) == known


@pytest.mark.parametrize("words", [["chekc"], ["sesions", "list"], ["print-template", "--help"], [""]])
def test_a_misspelled_command_is_named(words):
    done = subprocess.run([BINARIES / "linkedin-signin", *words], capture_output=True, text=True, env={})
    assert (done.returncode, done.stdout) == (64, "")
    assert done.stderr.startswith(f"Error: “{words[0]}” is not a command\n"), done.stderr
    assert "See 'linkedin-signin --help' for more information." in done.stderr

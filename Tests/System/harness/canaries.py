"""Looks for the tokens that the simulator issued everywhere that they must not be, after every test with a site.

A token counts as found if its first 40 characters are there: a cut token is a leak too.
"""

import re

START = 40
# A lookahead, so that a candidate inside another one is seen.
CANDIDATE = re.compile(rb"(?=(AQ[A-Za-z0-9_-]{%d}))" % (START - 2))
# The beginnings of everything like a token in the answers to all clients of the tests so far.
answered = set()


def candidates(content):
    """The beginnings of what may be tokens."""
    return {match[1] for match in CANDIDATE.finditer(content)} if b"AQ" in content else set()


def note(answer):
    """Notes what is like a token in an answer that a client of the site received."""
    if "/oauth/v2/" not in answer.url:
        fields = "\n".join(value for _, value in answer.headers).encode(errors="replace")
        answered.update(candidates(fields), candidates(answer.body))


def issued(simulator):
    """The beginnings of all tokens that a simulator has issued; none if it has ended."""
    if simulator.process.poll() is not None:
        return set()
    return {entry["token"][:START].encode() for entry in simulator.issued()}


def check_process(pid, tokens):
    """Fails if the arguments or the environment of a process contain a token."""
    for name in ("cmdline", "environ"):
        with open(f"/proc/{pid}/{name}", "rb") as file:
            assert not candidates(file.read()) & tokens, f"/proc/{pid}/{name} contains a token"


def check_files(directory, tokens):
    """Fails if a file below a directory, or its name, contains a token: logs, stored sessions, settings."""
    for path in directory.rglob("*"):
        assert not candidates(str(path).encode()) & tokens, f"the name of {path} contains a token"
        if path.is_file() and not path.is_symlink():
            assert not candidates(path.read_bytes()) & tokens, f"{path} contains a token"


def check_answers(tokens):
    """Fails if an answer contained a token."""
    assert not answered & tokens, "an answer contained a token"

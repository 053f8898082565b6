"""Runs `linkedin-signin doctor` and reads what it found."""

import json
import os
import subprocess
import time

from .process import BINARIES, surroundings

USER = "root" if os.geteuid() == 0 else os.environ.get("USER", "")
# The start of a finding about a program without a unit.
DIFFERENT = "the running program and this command have different settings"
THIS_MONTH = time.strftime("%Y%m")


class Diagnosis:
    def __init__(self, done, expected=()):
        self.expected = set(expected)
        self.status, self.errors = done.returncode, done.stderr
        self.text = done.stdout
        self.report = {"findings": [], "passed": []}
        if done.stdout.startswith("{"):
            self.report = json.loads(done.stdout)
            self.text = "\n".join(f"{entry['code']}: {entry['subject']}: {entry['what']}" for entry in self.report["findings"])
        self.codes = [finding["code"] for finding in self.report["findings"]]

    def finding(self, code):
        """The only finding with a code."""
        found = [finding for finding in self.report["findings"] if finding["code"] == code]
        assert len(found) == 1, self.text
        return found[0]

    @property
    def faults(self):
        """The codes of faults and warnings that the test has not caused by the way it calls the command."""
        found = {finding["code"] for finding in self.report["findings"] if finding["severity"] != "note"}
        return found - self.expected


def doctor(settings, *options, wrapper=(), json=True, environment=None, expected=()):
    """Runs the command with a settings file; fails if it prints a secret."""
    options = [*(["--json"] if json else []), *([] if "--web-user" in options else ["--web-user", USER]), *options]
    command = [*wrapper, BINARIES / "linkedin-signin", "doctor", "--settings-file", settings, *options]
    environment = {**surroundings(), **(environment or {})}
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, env=environment, timeout=60)
    assert "demo-secret" not in done.stdout + done.stderr
    assert not done.stderr, done.stderr
    return Diagnosis(done, expected)


def diagnose(responder, *options, changes=None, expected=("settings-not-loaded",), **keywords):
    """Runs `doctor` with the settings of a program, except the changes, which the program does not read."""
    before = dict(responder.settings)
    responder.settings.update(changes or {})
    try:
        return doctor(responder.write_settings(), *options, expected=expected if changes else (), **keywords)
    finally:
        responder.settings = before
        responder.write_settings()


def month(ago):
    """The version of so many months ago."""
    year, now = map(int, time.strftime("%Y %m").split())
    number = year * 12 + now - 1 - ago
    return f"{number // 12}{number % 12 + 1:02}"

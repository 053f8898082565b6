"""A wall clock that a test advances, for the program and the simulator alike.

    clock = Clock(directory)
    with make_site(wrapper=clock.wrapper) as site:
        clock.advance(site, days=59)

Web servers, browsers and PostgreSQL keep the real time.
"""

import functools
import os
import subprocess
import tempfile
from datetime import timedelta
from pathlib import Path

# Longer than an access token, so that a session survives it.
LONG = {"SIGNIN_SESSION_LIFETIME": "300d", "SIGNIN_IDLE_LIMIT": "300d"}
SOURCE = Path(__file__).with_name("clock.c")


@functools.cache
def _library():
    directory = tempfile.TemporaryDirectory(prefix="signin-clock-")
    path = Path(directory.name) / "clock.so"
    command = ["cc", "-Wall", "-Werror", "-O1", "-shared", "-fPIC", "-o", path, SOURCE]
    subprocess.run(command, check=True)
    return directory, path


class Clock:
    """The clock of all processes that start with its `wrapper`."""

    def __init__(self, directory):
        directory.mkdir(parents=True, exist_ok=True)
        self.shift = 0
        self.file = directory / "clock"
        self._write()

    @property
    def wrapper(self):
        """The beginning of a command whose process sees this clock."""
        return ["env", f"LD_PRELOAD={_library()[1]}", f"SHIFTED_CLOCK={self.file}"]

    def advance(self, *sites, **duration):
        """Advances the clock, and with it the simulators of sites: `days=59, hours=1`, negative to set it back."""
        self.shift += int(timedelta(**duration).total_seconds())
        for site in sites:
            site.simulator.settings(time_shift=self.shift)
        self._write()

    def _write(self):
        # One write of 8 bytes, because processes have the file mapped.
        descriptor = os.open(self.file, os.O_WRONLY | os.O_CREAT, 0o600)
        try:
            os.pwrite(descriptor, self.shift.to_bytes(8, "little", signed=True), 0)
        finally:
            os.close(descriptor)


class OwnClock:
    """A site with a clock of its own, and a provider that remembers consent; stands before the class of the site."""

    def __init__(self, directory, *arguments, **keywords):
        super().__init__(directory, *arguments, **keywords)
        self.clock = Clock(directory)
        self.wrapper = self.clock.wrapper

    def __enter__(self):
        super().__enter__()
        self.simulator.settings(remember_consent=True)
        return self

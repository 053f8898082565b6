"""Kills the program at a chosen step of its work on files.

    killer = Killer(directory, clock)
    with make_site(wrapper=killer.wrapper) as site:
        killer.arm(3)  # the fourth call from now on does not happen
"""

import functools
import os
import subprocess
import tempfile
from pathlib import Path

SOURCE = Path(__file__).with_name("kill_at.c")


@functools.cache
def _library():
    directory = tempfile.TemporaryDirectory(prefix="signin-killer-")
    path = Path(directory.name) / "kill_at.so"
    subprocess.run(["cc", "-Wall", "-Werror", "-O1", "-shared", "-fPIC", "-o", path, SOURCE, "-ldl"], check=True)
    return directory, path


class Killer:
    """Kills a process that starts with its `wrapper`, which also shifts the clock."""

    def __init__(self, directory, clock):
        self.file = directory / "killer"
        self.clock = clock
        self.disarm()

    @property
    def wrapper(self):
        """The beginning of a command whose process can be killed."""
        command, preload, *rest = self.clock.wrapper
        return [command, f"{preload}:{_library()[1]}", f"KILL_AT={self.file}", *rest]

    def arm(self, steps):
        """Lets the program make so many calls, and kills it before the next one."""
        descriptor = os.open(self.file, os.O_WRONLY | os.O_CREAT, 0o600)
        try:
            os.pwrite(descriptor, steps.to_bytes(8, "little", signed=True), 0)
        finally:
            os.close(descriptor)

    def disarm(self):
        self.arm(-1)

"""What the memory of a process contains."""

import re

from .process import REPOSITORY

# The environment of the shipped unit, with which the allocator overwrites memory as soon as it is freed. What is still
# found then is in use.
UNIT = (REPOSITORY / "deploy/linkedin-signin.service").read_text()
OVERWRITING = ["env", *re.findall(r"^Environment=(.*)$", UNIT, re.MULTILINE)]


def places(pid, secret):
    """The mappings of a process that contain a secret, each with the bytes around it."""
    found = []
    with open(f"/proc/{pid}/maps") as maps, open(f"/proc/{pid}/mem", "rb", buffering=0) as memory:
        for line in maps:
            start, end, rights, name = re.match(r"(\w+)-(\w+) (\S+) \S+ \S+ \S+ *(.*)", line).groups()
            if rights[0] != "r" or name in ("[vvar]", "[vsyscall]"):
                continue
            start, end = int(start, 16), int(end, 16)
            try:
                memory.seek(start)
                content = memory.read(end - start)
            except OSError:
                continue
            for match in re.finditer(re.escape(secret), content):
                around = content[max(0, match.start() - 80) : match.end() + 20]
                found.append((name or "anonymous", hex(start + match.start()), around))
    return found

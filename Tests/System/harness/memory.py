"""What the memory of a process contains."""

import re

# The allocator overwrites memory as soon as it is freed, and keeps none of it back in the caches of threads. What is
# still found then is in use.
OVERWRITING = ["env", "GLIBC_TUNABLES=glibc.malloc.perturb=85:glibc.malloc.tcache_count=0"]


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

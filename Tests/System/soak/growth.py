"""Memory, descriptors and threads of the program in quiet moments."""

import os
from dataclasses import dataclass

# A thread of the C library keeps some memory, and checks remember up to 2048 sessions (1 MiB). In an hour, a leak of 400
# bytes for each request exceeds this.
MEMORY = 6 << 20
# The program keeps some connections to the provider and to the database for a while.
DESCRIPTORS = 12
# The shared pool, the log and each writer of files start a thread when they have work, and after a crowd keep it for a while.
THREADS = (os.cpu_count() or 1) + 16


@dataclass
class Sample:
    seconds: float  # since the beginning of the run
    process: int  # 0 for the first process of the run
    memory: int  # bytes that the process wrote
    descriptors: int
    threads: int

    def __str__(self):
        memory = f"{self.memory / (1 << 20):.1f} MiB"
        place = f"{self.seconds:6.0f} s  process {self.process:3}"
        return f"{place}  {memory:>9}  {self.descriptors:3} descriptors  {self.threads:3} threads"


def sample(process, seconds, number):
    return Sample(seconds, number, process.memory(), process.descriptors(), process.threads())


def growth(samples, seconds):
    """What grew too much: from the first sample after a fifth of the run, and in the life of the last process."""
    last = samples[-1]
    # The first sample of a process may come before its first requests.
    warm = [later for sooner, later in zip(samples, samples[1:]) if sooner.process == later.process]
    begin = next((each for each in warm if each.seconds >= seconds / 5), None)
    own = [each for each in warm if each.process == last.process]
    for first, name in ((begin, "a fifth of the run"), (own[0] if own else None, "the second sample of the last process")):
        if first is None or first is last:
            continue
        if last.memory - first.memory > MEMORY:
            yield f"memory since {name}: {first.memory} to {last.memory} bytes"
        if last.descriptors - first.descriptors > DESCRIPTORS:
            yield f"descriptors since {name}: {first.descriptors} to {last.descriptors}"
        if last.threads - first.threads > THREADS:
            yield f"threads since {name}: {first.threads} to {last.threads}"

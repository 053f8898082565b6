"""The report at the end of a run."""

from datetime import datetime


def report(run):
    """The lines of the report; the last one is the verdict."""
    yield f"seconds {run.seconds}, seed {run.seed}, store {run.store}, {run.rate:g} actions a second"
    yield from table("actions", run.actions)
    yield from table("faults", run.faults)
    yield from table("answers by status", run.judge.answers)
    yield "memory, descriptors and threads in quiet moments"
    yield from (f"  {each}" for each in run.samples)
    yield from table("log lines by event", run.events)
    for failure in run.judge.failures[:50]:
        yield ""
        yield f"FAILURE {moment(failure.time)} {failure.kind}: {failure.text}"
        yield from (f"  {moment(when)} {text}" for when, text in failure.history)
        yield from (f"  log: {text}" for text in failure.log)
    if run.ends_early:
        yield "ended early by SIGTERM"
    count = len(run.judge.failures)
    options = f"--seconds {run.seconds} --seed {run.seed} --store {run.store} --rate {run.rate:g}"
    again = f"; logs in {run.kept}; repeat with {options}"
    yield f"verdict: {f'{count} failures{again}' if count else 'nothing failed'}"


def table(title, counts):
    yield title
    yield from (f"  {count:7} {name}" for name, count in sorted(counts.items(), key=lambda each: (-each[1], each[0])))


def moment(seconds):
    return datetime.fromtimestamp(seconds).strftime("%H:%M:%S.%f")[:-3]

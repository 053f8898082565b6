"""One run: the site, the members, the faults, and what is known at the end."""

import shutil
import signal
import subprocess
import tempfile
import threading
import time
import traceback
from collections import Counter
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import ExitStack
from pathlib import Path

from harness.guarded import Guarded
from harness.log_tables import check_codes
from harness.machines import prepare
from harness.personal_tokens import ACCEPTING
from harness.postgresql import PostgreSQL
from harness.process import wait_until

from . import growth, lines
from .disturbances import DESCRIPTORS, disturbances, inject
from .judge import Judge
from .members import Members
from .plan import WITHOUT_SESSION, action, plan
from .windows import Windows

LIFETIME, IDLE = 240, 150  # seconds
BROWSERS = 42
SETTINGS = {
    **ACCEPTING,
    "SIGNIN_SESSION_LIFETIME": f"{LIFETIME}s",
    "SIGNIN_IDLE_LIMIT": f"{IDLE}s",
    "SIGNIN_PROFILE_CACHE": "5s",
    "SIGNIN_CONNECT_TIMEOUT": "1s",
    "SIGNIN_TOTAL_TIMEOUT": "2s",
}
SAMPLES = 10
ENOUGH_FAILURES = 20
STORE_SIZE = "128m"


class Run:
    def __init__(self, seconds, seed, store, rate, can_mount):
        self.seconds, self.seed, self.store, self.rate, self.can_mount = seconds, seed, store, rate, can_mount
        self.windows, self.explanations = Windows(), lines.Explanations()
        self.judge = Judge(self.windows.is_disturbed, self.last_lines)
        self.steps = plan(seed, seconds, disturbances(store, can_mount))
        self.stopping, self.calm = threading.Event(), threading.Lock()
        self.actions, self.faults, self.events = Counter(), Counter(), Counter()
        self.samples, self.logs = [], []
        self.processes = 0
        self.ends_early = False
        self.site = self.database = self.kept = None

    def __call__(self):
        """Runs until the end, and judges the logs."""
        directory = Path(tempfile.mkdtemp(prefix="soak-"))
        directory.chmod(0o711)  # PostgreSQL's own user has to get in
        try:
            with ExitStack() as stack:
                self.start(directory, stack)
                faults = threading.Thread(target=self.disturb)
                faults.start()
                try:
                    self.act()
                finally:
                    self.stopping.set()
                    faults.join()
                self.settle()
            self.check_logs(directory)
        except Exception:
            self.judge.report("the run itself failed", time.time(), traceback.format_exc())
        finally:
            self.keep_logs(directory)
            if self.can_mount and self.store == "file":
                subprocess.run(["umount", directory / "site/responder/state"], check=False)
            shutil.rmtree(directory, ignore_errors=True)

    def end_early(self, *_):
        """Handles SIGTERM: the run ends in the same way as at its time."""
        self.ends_early = True

    def keep_logs(self, directory):
        """Copies the logs of a run that failed to a directory that stays."""
        if self.judge.failures:
            self.kept = tempfile.mkdtemp(prefix="soak-logs-")
            for path in directory.rglob("*.log"):
                shutil.copy(path, Path(self.kept) / path.name)

    # The site

    def start(self, directory, stack):
        settings = dict(SETTINGS)
        if self.store == "postgresql":
            self.database = prepare(stack.enter_context(PostgreSQL(directory / "db")))
            settings["SIGNIN_STORE"] = self.database.address("signin")
        elif self.can_mount:
            state = directory / "site/responder/state"
            state.mkdir(parents=True)
            mount = ["mount", "-t", "tmpfs", "-o", f"size={STORE_SIZE},mode=0700", "none", state]
            subprocess.run(mount, check=True)
        self.site = Guarded(directory / "site", "nginx", settings, wrapper=["prlimit", f"--nofile={DESCRIPTORS}"])
        self.site.guard = [*self.site.guard, "--personal-tokens"]
        stack.enter_context(self.site)
        # The whole log is judged at the end.
        self.site.responder.expected_errors.append(".")
        self.site.server.expected_errors.append(".")
        self.logs.append(self.site.responder.process.log_path)
        self.members = Members(self.site, self.judge, self.explanations, self.windows, LIFETIME, IDLE, BROWSERS)
        self.begun = time.time()

    def restart(self):
        """Starts the program again, with a log file of its own."""
        self.keep_log()
        self.site.responder.start()
        self.processes += 1
        self.logs.append(self.site.responder.process.log_path)

    def replace(self):
        """Starts a successor that takes over the socket."""
        responder = self.site.responder
        old = responder.process
        self.keep_log()
        responder.launch("--replace")
        wait_until(lambda: "event=listening" in responder.log, "the successor")
        if status := old.child.wait(30):
            self.judge.report("a replaced process failed", time.time(), f"its exit status is {status}")
        self.processes += 1
        self.logs.append(responder.process.log_path)

    def keep_log(self):
        """The next process writes over the log file of this name."""
        path = self.logs[-1]
        self.logs[-1] = path.rename(path.with_name(f"{self.processes}-{path.name}"))
        self.site.responder.process.log_path = self.logs[-1]

    def reload(self, changes, event):
        responder = self.site.responder
        before = len(responder.log)
        responder.settings.update(changes)
        responder.write_settings()
        responder.process.child.send_signal(signal.SIGHUP)
        wait_until(lambda: f"event={event}" in responder.log[before:], event)

    def wait_until_ready(self):
        """Waits until the program reaches the database again."""
        local = {"REMOTE_ADDR": "127.0.0.1"}
        wait_until(lambda: self.site.responder.ask("/readyz", extra=local).status == 200, "readiness", 30)

    def last_lines(self):
        return self.site.responder.log.splitlines()[-12:] if self.logs else []

    # What happens

    def disturb(self):
        for step in self.steps:
            if self.stopping.wait(max(0, self.begun + step.begin - time.time())):
                return
            with self.calm:
                if self.stopping.is_set():
                    return
                try:
                    inject(self, step.disturbance, step.seconds, action(self.seed, f"fault {step.number}")[1])
                    self.faults[step.disturbance.name] += 1
                except Exception:
                    self.judge.report(f"fault {step.disturbance.name} failed", time.time(), traceback.format_exc())

    def act(self):
        under_way, number, measured = set(), 0, 0
        with ThreadPoolExecutor(24) as pool:
            while (elapsed := time.time() - self.begun) < self.seconds and not self.is_over():
                under_way = {each for each in under_way if not each.done()}
                if elapsed >= self.seconds * (measured + 1) / SAMPLES:
                    measured += 1
                    wait(under_way)
                    self.measure()
                elif len(under_way) < 48:
                    number += 1
                    under_way.add(pool.submit(self.one, number))
                # The next action has its time, however late this one is.
                self.stopping.wait(action_gap(self.seed, number) / self.rate)
            wait(under_way)
        self.measure()

    def is_over(self):
        return self.ends_early or len(self.judge.failures) >= ENOUGH_FAILURES

    def one(self, number):
        act, generator = action(self.seed, number)
        slot = generator.choice(self.members.slots)
        with slot.busy:
            if slot.session is None and act not in WITHOUT_SESSION:
                act = Members.sign_in
            self.actions[act.__name__.replace("_", " ")] += 1
            try:
                act(self.members, slot, generator)
            except Exception:
                self.judge.report(f"action {act.__name__} failed", time.time(), traceback.format_exc())

    def measure(self):
        """Measures the program while no request and no fault is under way."""
        with self.calm:
            process, seen = self.site.responder.process, []

            def is_quiet():
                seen.append(process.descriptors())
                return len(seen) > 20 and len(set(seen[-20:])) == 1

            wait_until(is_quiet, "a quiet moment")
            self.samples.append(growth.sample(process, time.time() - self.begun, self.processes))
            print(self.samples[-1], f"  {sum(self.actions.values())} actions, {len(self.judge.failures)} failures", flush=True)
            self.site.simulator.clear_requests()
            self.judge.forget_old(time.time() - 2 * LIFETIME)

    # What is known at the end

    def settle(self):
        self.explanations.add(time.time(), time.time() + 30, "mark-", "the end of the log")
        # The line of the failure itself is judged, and a failure can hold back calls long after the fault.
        self.explanations.add(self.begun, float("inf"), "event=profile-held-back", "an earlier failure")
        self.site.responder.settled_log()
        self.members.secrets.update(entry["token"] for entry in self.site.simulator.issued())
        for text in growth.growth(self.samples, self.seconds):
            self.judge.report("growth", time.time(), text)

    def check_logs(self, directory):
        log = [text for path in self.logs for text in path.read_text(errors="replace").splitlines()]
        self.events = lines.events(log)
        for text in lines.unexplained(log, self.explanations):
            self.judge.report("unexplained log line", time.time(), text, [])
        errors = list(filter(lines.SERIOUS.search, self.site.server.errors().splitlines()))
        for text in lines.unexplained_of_nginx(errors, log, self.explanations):
            self.judge.report("unexplained log line of nginx", time.time(), text, [])
        try:
            check_codes("\n".join(log))
        except AssertionError as error:
            self.judge.report("undocumented event or reason", time.time(), str(error), [])
        client = self.site.responder.settings["LINKEDIN_CLIENT_SECRET"]
        for path in sorted({*self.logs, *directory.rglob("*.log")}):
            for text in lines.leaks(path.read_text(errors="replace").splitlines(), self.members.secrets, client):
                self.judge.report("a secret in a log", time.time(), f"{path.name}: {text}", [])


def action_gap(seed, number):
    """The time to the next action, as a part of the average."""
    return action(seed, number)[1].expovariate(1)

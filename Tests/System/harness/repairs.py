"""Repairs on a booted Debian, for Tests/package-trial: a service that wrong settings ended."""

import shlex
import time

from .process import REPOSITORY, wait_until

SETTINGS = "/etc/linkedin-signin/settings"
SOCKET, SERVICE = "linkedin-signin.socket", "linkedin-signin.service"
LIMIT = f"/run/systemd/system/{SOCKET}.d"


def repair(trial, load):
    """Wrong settings end the service with status 78. The command of docs/operate.md repairs it and loses no request."""
    page = (REPOSITORY / "docs/operate.md").read_text().partition("\n## Exit status\n")[2]
    command = page.partition("```sh\n")[2].partition("```")[0].replace("sudo ", "").strip()
    wrong = f"echo NOT_A_SETTING=1 >>{SETTINGS}; if systemctl restart {SERVICE}; then exit 1; fi"
    right = f"sed -i /NOT_A_SETTING/d {SETTINGS}"
    for _ in range(3):
        with load(trial):
            time.sleep(1)
            # In one script, because the clients do not wait for long.
            trial.sh(f"{wrong}; {right}; {command}")
            time.sleep(1)
    trial.expect("status=78/CONFIG" in trial.sh(f"journalctl -u {SERVICE} --no-pager"), "wrong settings end the service")
    trial.step(f"repaired wrong settings under load with {shlex.quote(command)}")
    give_up(trial, wrong)
    trial.sh(f"{right}; rm -r {LIMIT}; systemctl daemon-reload; {command}")
    with load(trial):
        time.sleep(1)
    trial.expect(trial.are_signed_in(), "the sessions survive status 78")
    trial.step("repaired the service after systemd had closed the socket")


def give_up(trial, wrong):
    """Makes systemd close the socket after a request starts a service that ends again."""
    trial.sh(f"mkdir -p {LIMIT}; printf '[Socket]\\nTriggerLimitBurst=1\\n' >{LIMIT}/limit.conf; systemctl daemon-reload; {wrong}")
    trial.expect(trial.request("/private/", Cookie=trial.cookies[0]).status >= 500, "a request fails while the settings are wrong")
    closed = f"systemctl show -P Result {SOCKET}"
    wait_until(lambda: trial.sh(closed).strip() == "trigger-limit-hit", "the end of the socket")

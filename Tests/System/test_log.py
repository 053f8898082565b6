"""The log: the form of its lines, and the outcomes that it records."""

import re

import pytest

from harness.guarded import SUBJECTS
from harness.process import wait_until

VALUE = r"(?:[!-~]+|\"(?:[^\"\\]|\\.)*\")"
LINE = re.compile(
    r"time=\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ level=(?:debug|info|warning|error) event=[a-z-]+"
    rf"(?: request=[0-9a-f]{{16}})?(?: reason=[A-Za-z0-9-]+)?(?: subject={VALUE})?(?: remote={VALUE})?"
    rf"(?: (?!request=|reason=|subject=|remote=)[a-z]+={VALUE})*"
)


def events(log, name):
    return [line for line in log.splitlines() if f" event={name} " in f"{line} "]


FORGERIES = ["%0atime=forged%20level=error", "%0d%0aforged", "%1b[31mred", "%e2%80%a8forged", "%c2%85forged", "%7f", "%00"]


@pytest.mark.parametrize("forgery", FORGERIES)
def test_a_visitor_cannot_forge_a_log_line(shared_site, forgery):
    shared_site.responder.settled_log()
    for path in (f"/x{forgery}", f"/login?return_to=/{forgery}", f"/oauth?code=a&state={forgery}", f"/oauth?state=a&error={forgery}"):
        before = len(shared_site.responder.log.splitlines())
        headers = {"User-Agent": "x" + forgery, "Accept-Language": forgery, "Origin": forgery}
        answer = shared_site.responder.ask(path, headers=headers, extra={"REMOTE_ADDR": "1\n" + forgery})
        # The program writes its log on another thread; when a later event is there, the earlier one is too.
        shared_site.responder.ask("/logout", "POST", headers={"Sec-Fetch-Site": "cross-site"})
        lines = logged(shared_site.responder, before, "sign-out-refused")
        assert len(lines) == (2 if not path.startswith("/x") or answer.status == 400 else 1), lines
        for line in lines:
            assert LINE.fullmatch(line) and line.isprintable(), line


def logged(responder, before, last):
    wait_until(lambda: events("\n".join(responder.log.splitlines()[before:]), last), f"the event {last}")
    return responder.log.splitlines()[before:]


def test_every_outcome_is_logged_with_request_and_reason(make_site):
    with make_site(settings={"SIGNIN_LOG_LEVEL": "debug"}) as site:
        site.responder.expected_errors.append(".")
        browser = site.browser()
        site.sign_in(browser)
        site.sign_out(browser, {"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"})
        site.sign_out(browser)
        site.sign_in(site.browser(), decision="cancel")
        browser.get(f"{site.url}/oauth?code=a&state=b")
        site.simulator.fault("token", "status", status=500)
        site.sign_in(site.browser())
        site.simulator.clear_faults()
        sessions = site.responder.state / "sessions"
        sessions.rename(sessions.with_name("away"))
        sessions.touch()
        assert site.sign_in(site.browser()).status == 503
        lines = logged(site.responder, 0, "store-failed")
        log = "\n".join(lines)
        assert all(LINE.fullmatch(line) for line in lines), [line for line in lines if not LINE.fullmatch(line)]
        for name, reason in (
            ("signed-in", None),
            ("sign-out-refused", "cross-site"),
            ("signed-out", None),
            ("sign-in-failed", "provider-cancelled"),
            ("sign-in-failed", "state-missing"),
            ("sign-in-failed", "token-unavailable"),
            ("store-failed", "store-"),
        ):
            found = [line for line in events(log, name) if reason is None or f" reason={reason}" in line]
            assert found and all(" request=" in line for line in found), (name, reason, log)
            assert all(" remote=127.0.0.1" in line for line in found), (name, reason, log)
            is_known = name in ("signed-in", "signed-out")
            assert all((f" subject={SUBJECTS[1]} " in line) == is_known for line in found), (name, reason, log)

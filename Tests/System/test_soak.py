"""Tests/soak notices each kind of fault that it looks for, and passes when there is none."""

import json
import time
from types import SimpleNamespace

import pytest

from harness.answer import Answer
from harness.guarded import SUBJECTS
from soak.disturbances import EVERYTHING, disturbances
from soak.growth import DESCRIPTORS, MEMORY, THREADS, Sample, growth
from soak.judge import ALLOWED, REFUSED, UNAVAILABLE, Credential, Judge, Observation
from soak.lines import Explanations, leaks, unexplained, unexplained_of_nginx
from soak.members import Members
from soak.plan import LAST_RESTART, action, plan
from soak.windows import SLOW, Window, Windows

pytestmark = pytest.mark.nightly

START = 1_800_000_000.0
LIFETIME, IDLE = 240, 150
LINE = "time=2027-01-15T08:00:{:02}Z level={} event={} request=5f0c{}"
NGINX = '2027/01/15 08:00:{:02} [error] 1#1: *1 {} while reading, client: 127.0.1.1'


@pytest.fixture
def judge():
    """No fault is active, except from the 100th to the 110th second."""
    return Judge(lambda asked, answered, needs: asked <= START + 110 and answered >= START + 100)


def issued(judge, member=1, at=0.0, kind="session", idle=IDLE):
    made = Credential(member, kind, "of browser 1", START + at, START + at + 0.1, LIFETIME, idle)
    judge.issue(made)
    return made


def see(judge, credential, at, verdict, identity=None):
    judge.observe(Observation(credential, "file", START + at, START + at + 0.1, verdict, 200, identity))


def end_all(judge):
    """The first member signs out everywhere."""
    ending = judge.begin_end_all(1, ("session",))
    ending.asked = START + 10
    judge.end_all(ending, START + 10.5, True)


def kinds(judge):
    return [failure.kind for failure in judge.failures]


# Identities, and what is allowed


def test_a_session_that_names_its_member_passes(judge):
    session = issued(judge)
    see(judge, session, 1, ALLOWED, 1)
    see(judge, session, 2, ALLOWED)
    assert kinds(judge) == [] and judge.answers["file 200"] == 2


def test_the_identity_of_another_member_is_a_failure(judge):
    see(judge, issued(judge), 1, ALLOWED, 2)
    see(judge, issued(judge), 1, ALLOWED, 0)
    assert kinds(judge) == ["wrong identity"] * 2
    assert judge.failures[0].history[0][1] == "session made"


def test_an_allowed_cookie_that_nobody_issued_is_a_failure(judge):
    see(judge, None, 1, REFUSED)
    assert kinds(judge) == []
    see(judge, None, 1, ALLOWED)
    assert kinds(judge) == ["wrong allow"]


@pytest.mark.parametrize("end", ["one", "all"])
def test_a_cookie_that_is_allowed_after_the_sign_out_is_a_failure(judge, end):
    session = issued(judge)
    if end == "one":
        session.end(START + 10)
        judge.end(session, START + 10.5, True)
    else:
        end_all(judge)
    see(judge, session, 9.95, ALLOWED)
    see(judge, session, 10.2, ALLOWED)
    see(judge, session, 11, REFUSED)
    assert kinds(judge) == []
    see(judge, session, 12, ALLOWED)
    assert kinds(judge) == ["wrong allow"]


def test_signing_out_everywhere_ends_neither_other_members_nor_tokens_nor_later_sessions(judge):
    other, token = issued(judge, member=2), issued(judge, kind="token", idle=None)
    end_all(judge)
    later = issued(judge, at=11)
    for credential in (other, token, later):
        see(judge, credential, 12, REFUSED)
    assert kinds(judge) == ["session lost", "token lost", "session lost"]


def test_a_session_may_end_as_soon_as_the_member_asks_for_it(judge, monkeypatch):
    monkeypatch.setattr("time.time", lambda: START + 10)
    one, of_all, earlier = issued(judge), issued(judge, member=2), issued(judge)
    judge.begin_end(one)
    judge.begin_end_all(2, ("session",))
    for credential in (one, of_all):
        see(judge, credential, 10.1, REFUSED)
    assert kinds(judge) == []
    see(judge, earlier, 9, REFUSED)
    assert kinds(judge) == ["session lost"]


def test_a_sign_in_during_a_sign_out_everywhere_may_end_or_not(judge):
    end_all(judge)
    first, second = issued(judge, at=10.2), issued(judge, at=10.3)
    see(judge, first, 12, REFUSED)
    see(judge, second, 12, ALLOWED)
    assert kinds(judge) == []


def test_a_cookie_that_was_refused_once_is_never_allowed_again(judge):
    session = issued(judge)
    session.end(START + 10)
    judge.end(session, START + 10.5, False)
    see(judge, session, 11, ALLOWED)
    see(judge, session, 12, REFUSED)
    assert kinds(judge) == []
    see(judge, session, 13, ALLOWED)
    assert kinds(judge) == ["wrong allow"]


def test_a_session_that_is_allowed_after_its_lifetime_is_a_failure(judge):
    session = issued(judge, idle=None)
    see(judge, session, LIFETIME, ALLOWED)
    assert kinds(judge) == []
    see(judge, session, LIFETIME + 3, ALLOWED)
    assert kinds(judge) == ["wrong allow"]


def test_an_idle_session_that_is_allowed_is_a_failure(judge):
    session = issued(judge)
    see(judge, session, 30, ALLOWED)
    see(judge, session, 30 + IDLE - 1, ALLOWED)
    assert kinds(judge) == []
    other = issued(judge)
    see(judge, other, IDLE + 3, ALLOWED)
    assert kinds(judge) == ["wrong allow"]


# Lost sessions


def test_an_acknowledged_session_that_is_refused_is_a_failure(judge):
    see(judge, issued(judge), 5, REFUSED)
    assert kinds(judge) == ["session lost"]


def test_a_session_may_end_idle_or_at_its_end(judge):
    see(judge, issued(judge), IDLE - 60, REFUSED)
    see(judge, issued(judge, idle=None), LIFETIME - 1, REFUSED)
    assert kinds(judge) == []
    see(judge, issued(judge), IDLE - 80, REFUSED)
    assert kinds(judge) == ["session lost"]


def test_an_outage_excuses_no_verdict_but_no_wrong_one(judge):
    session = issued(judge, at=90)
    see(judge, session, 105, UNAVAILABLE)
    assert kinds(judge) == []
    see(judge, session, 106, REFUSED)
    see(judge, None, 107, ALLOWED)
    see(judge, session, 120, UNAVAILABLE)
    assert kinds(judge) == ["session lost", "wrong allow", "no verdict without a fault"]


def test_an_unexpected_answer_without_a_fault_is_a_failure(judge):
    judge.expect("sign-out", 303, (303,), START, START + 1, EVERYTHING)
    judge.expect("sign-out", 500, (303,), START + 105, START + 106, EVERYTHING)
    assert kinds(judge) == []
    judge.expect("sign-out", 500, (303,), START, START + 1, EVERYTHING)
    judge.expect("sign-out", None, (303,), START, START + 1, EVERYTHING)
    assert kinds(judge) == ["unexpected answer"] * 2


def test_a_fault_excuses_only_what_needs_the_broken_part():
    windows = Windows()
    windows.known.append(Window("full disk", frozenset({"write"}), 1.0, False, 100.0, 110.0))
    windows.known.append(Window("token: expired", frozenset({"provider"}), 1.0, True, 200.0, 210.0, 209.0))
    reads, writes = frozenset({"read"}), frozenset({"read", "write"})
    assert windows.is_disturbed(99, 101, writes) and windows.is_disturbed(110.5, 112, writes)
    assert not windows.is_disturbed(99, 101, reads) and not windows.is_disturbed(111.5, 112, writes)
    assert windows.forbids_sign_in(201, 208) == "token: expired"
    assert not windows.forbids_sign_in(199, 208) and not windows.forbids_sign_in(201, 209.5)


def test_a_fault_that_begins_after_an_answer_was_due_excuses_nothing():
    windows = Windows()
    windows.known.append(Window("kill -9", EVERYTHING, 0.5, False, START + 20, START + 22))
    judge = Judge(windows.is_disturbed)
    session = issued(judge)
    for asked, verdict in ((20 - SLOW - 0.1, UNAVAILABLE), (20 - SLOW - 0.1, ALLOWED), (20 - SLOW + 0.1, UNAVAILABLE)):
        judge.observe(Observation(session, "file", START + asked, START + 21, verdict))
    assert kinds(judge) == ["no verdict without a fault", "slow answer"]


def test_a_slow_answer_without_a_fault_is_a_failure(judge):
    session = issued(judge)
    for slow in (START + 10, START + 99):
        judge.observe(Observation(session, "file", slow, slow + SLOW + 0.1, ALLOWED))
        judge.observe(Observation(None, "file", slow, slow + SLOW + 0.1, REFUSED))
        judge.expect("sign-out", 303, (303,), slow, slow + SLOW + 0.1, EVERYTHING)
    judge.expect("sign-out", 303, (303,), START, START + SLOW - 0.1, EVERYTHING)
    assert kinds(judge) == ["slow answer"] * 3


# The answers that members read


class Replies:
    """A site on which every request has the same answer."""

    def __init__(self, judge, status, content=b"", windows=None):
        explanations, self.answer = Explanations(), Answer(status, [("Content-Type", "application/json")], content)
        site = SimpleNamespace(url="http://localhost")
        self.members = Members(site, judge, explanations, windows or Windows(), LIFETIME, IDLE, 0)
        self.members.get = lambda *_: self.members.ask(lambda: self.answer)


def credential_of_now(judge, member):
    made = Credential(member, "session", "of browser 1", time.time() - 1, time.time() - 1, LIFETIME, IDLE)
    judge.issue(made)
    return made


@pytest.mark.parametrize("breaks, expected", [((), ["wrong allow"]), (EVERYTHING, [])])
def test_a_rule_that_refuses_an_ended_session_by_its_member_is_a_failure_without_a_fault(breaks, expected):
    windows = Windows()
    judge = Judge(windows.is_disturbed)
    members, session = Replies(judge, 403, windows=windows).members, credential_of_now(judge, 2)
    members.rule(session, "127.0.0.1", {})
    assert kinds(judge) == []
    session.end(START, time.time() - 0.5)
    windows.open("database stopped", breaks)
    members.rule(session, "127.0.0.1", {})
    assert kinds(judge) == expected


DENIAL = "time={} level=warning event={} request=5f0c reason=not-named remote={} location={} rule=subject=a"


@pytest.mark.parametrize(
    "breaks, status, member, place, explained",
    [
        (EVERYTHING, 500, 2, "/maya/canary.txt", 1),
        (EVERYTHING, 200, 2, "/maya/canary.txt", 0),
        ((), 401, 2, "/maya/canary.txt", 1),
        (EVERYTHING, 500, 1, "/maya/canary.txt", 0),
        (EVERYTHING, 500, 2, "/member/canary.txt", 0),
        ((), 500, 2, "/maya/canary.txt", 0),
    ],
)
def test_a_denial_with_another_answer_is_explained_by_a_fault_or_the_end_of_the_session(breaks, status, member, place, explained):
    windows, judge = Windows(), Judge(lambda *_: True)
    windows.open("descriptors gone", breaks)
    members = Replies(judge, status, windows=windows).members
    explanations = members.explanations
    members.rule(credential_of_now(judge, member), "127.0.0.1", {})
    now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    line = DENIAL.format(now, "access-denied", "127.0.0.1", place)
    others = [DENIAL.format(now, "access-denied", "127.0.0.2", place), DENIAL.format(now, "handler-failed", "127.0.0.1", place)]
    assert len(list(unexplained([line], explanations))) == 1 - explained
    assert len(list(unexplained([line, *others], explanations))) == 3, "one line of one client, and no second"


def test_the_profile_of_another_member_is_a_failure():
    judge = Judge(lambda *_: False)
    members = Replies(judge, 200, json.dumps({"subject": SUBJECTS[2]}).encode()).members
    members.profile(credential_of_now(judge, 2), "127.0.0.1", {})
    assert kinds(judge) == []
    members.profile(credential_of_now(judge, 1), "127.0.0.1", {})
    assert kinds(judge) == ["wrong identity"]


# The log


def test_a_warning_without_a_cause_is_a_failure():
    known = Explanations()
    known.add(START + 5, START + 6, "event=store-failed", "full disk")
    explained = [LINE.format(5, "error", "store-failed", 1), LINE.format(50, "info", "signed-in", 2)]
    wrong = [LINE.format(9, "error", "store-failed", 3), LINE.format(5, "warning", "sign-in-failed", 4), "Fatal error: index"]
    assert list(unexplained([*explained, *wrong], known)) == wrong


def test_an_action_explains_one_line_only():
    known = Explanations()
    known.add(START, START + 9, "event=sign-in-failed", "wrong state", 1)
    first, second = (LINE.format(5, "warning", "sign-in-failed", number) for number in (1, 2))
    assert list(unexplained([first, second], known)) == [second]


def test_an_error_of_nginx_without_a_cause_is_a_failure(monkeypatch):
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    known = Explanations()
    known.add(START + 5, START + 6, "prematurely closed", "kill -9")
    note = 'FastCGI sent in stderr: "linkedin-signin: event=store-failed request=5f0c1"'
    explained = [NGINX.format(5, "upstream prematurely closed"), NGINX.format(5, note)]
    wrong = [NGINX.format(20, "upstream prematurely closed"), NGINX.format(20, note.replace("f0c1", "f0c2")), "[emerg] bind"]
    log = [LINE.format(5, "error", "store-failed", 1)]
    assert list(unexplained_of_nginx([*explained, *wrong], log, known)) == wrong
    monkeypatch.undo()
    time.tzset()


def test_a_secret_in_a_log_is_a_failure_also_if_it_was_cut():
    secret = "Vn3Rk8Zq0Lw5Tx7Yb2Cd9Ef4Gh6Jk1MnPqRsTuVwXyZ"
    lines = ["event=signed-in", f"cookie=__Host-session={secret}", f"detail={secret[:25]}", f"lsi_{secret}", secret[:10]]
    lines.append("detail=of-client-secret")
    assert [each.split(":")[0] for each in leaks(lines, {secret}, "of-client")] == ["line 2", "line 3", "line 4", "line 6"]
    assert not any(secret[:10] in each or "of-client" in each for each in leaks(lines, {secret}, "of-client"))


# Growth


def samples(*figures):
    return [Sample(60.0 * number, process, *rest) for number, (process, *rest) in enumerate(figures, 1)]


def test_growth_of_memory_descriptors_or_threads_is_a_failure():
    steady = [(0, 20 << 20, 20, 8)] * 9
    assert list(growth(samples(*steady, (0, 22 << 20, 24, 9)), 600)) == []
    for last in ((0, (21 << 20) + MEMORY, 20, 8), (0, 20 << 20, 21 + DESCRIPTORS, 8), (0, 20 << 20, 20, 9 + THREADS)):
        assert len(list(growth(samples(*steady, last), 600))) == 2


def test_growth_of_the_last_process_is_a_failure_although_the_first_was_larger():
    figures = [(0, 40 << 20, 20, 8)] * 5 + [(1, 10 << 20, 20, 8)] + [(1, 20 << 20, 20, 8)] * 3
    assert list(growth(samples(*figures), 600)) == []
    figures.append((1, 30 << 20, 20, 8))
    (text,) = growth(samples(*figures), 600)
    assert "the last process" in text


# The plan


def drawn(seed):
    """The first actions, each with its first random number."""
    return [(act, generator.random()) for act, generator in (action(seed, number) for number in range(50))]


def test_a_seed_decides_the_plan():
    known = disturbances("file", True)
    first, second, other = (plan(seed, 600, known) for seed in (1, 1, 2))
    assert list(map(str, first)) == list(map(str, second)) != list(map(str, other))
    assert all(step.begin <= 600 * LAST_RESTART for step in first if step.disturbance.restarts)
    assert {step.disturbance.name for step in plan(1, 3600, known)} == {each.name for each in known}
    assert drawn(1) == drawn(1) != drawn(2)

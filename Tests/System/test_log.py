"""The log: the form of its lines, and the outcomes that it records."""

import json
import os
import re
import select
import signal
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from harness.browser import NAVIGATION, Browser
from harness.guarded import GUARDS, SUBJECTS
from harness.metrics import Metrics
from harness.process import REPOSITORY, wait_until
from harness.repetitions import EXCESS, LINES_OF_A_CLIENT, fail_sign_in
from harness.webserver import FRONTS

VALUE = r"(?:[!-~]+|\"(?:[^\"\\]|\\.)*\")"
LINE = re.compile(
    r"time=\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ level=(?:debug|info|warning|error) event=[a-z-]+"
    rf"(?: request=(?:[0-9a-f]{{16}}){{1,2}})?(?: reason=[A-Za-z0-9-]+)?(?: subject={VALUE})?(?: remote={VALUE})?"
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


def sign_in_and_out(site):
    browser = site.browser()
    site.sign_in(browser)
    site.sign_out(browser)
    browser.get(f"{site.url}/oauth?code=a&state=b")
    return site.responder.settled_log()


def test_each_line_of_a_log_in_json_is_an_object_with_the_names_of_the_other_format(make_site):
    with make_site(settings={"SIGNIN_LOG_FORMAT": "json"}) as site:
        lines = [json.loads(line) for line in sign_in_and_out(site).splitlines()]
        assert [list(line)[:3] for line in lines] == [["time", "level", "event"]] * len(lines)
        by_event = {line["event"]: line for line in lines}
        assert {"listening", "signed-in", "signed-out", "sign-in-failed"} <= by_event.keys()
        assert by_event["signed-in"]["subject"] == SUBJECTS[1]
        assert by_event["sign-in-failed"]["reason"] == "state-missing"
        assert re.fullmatch("[0-9a-f]{16,32}", by_event["sign-in-failed"]["request"])


def test_a_reload_changes_the_format_of_the_log(make_site):
    with make_site() as site:
        site.responder.settings["SIGNIN_LOG_FORMAT"] = "json"
        site.responder.write_settings()
        site.responder.process.child.send_signal(signal.SIGHUP)
        wait_until(lambda: '"event":"reloaded"' in site.responder.log, "a line in JSON")
        assert "time=" in site.responder.log.splitlines()[0]


def test_every_number_of_the_log_is_a_number_in_json():
    listed = (REPOSITORY / "Sources/EventLog/LogFormat.swift").read_text()
    listed = set(re.findall(r'"([a-z]+)"', listed.partition("numbers: Set<String> = [")[2].partition("]")[0]))
    texts = [path.read_text() for path in (REPOSITORY / "Sources").rglob("*.swift") if "linkedin-simulator" not in path.parts]
    numbers = {name for text in texts for name in re.findall(r'\("([a-z]+)", String\((?!\w+\.prefix)', text)}
    assert numbers == listed


def test_the_log_has_no_email_address_unless_the_settings_ask_for_it(make_site):
    with make_site() as site:
        assert "signed-out" in sign_in_and_out(site) and "@" not in site.responder.log


def test_the_log_names_the_email_address_of_a_member_who_signs_in_or_out_or_is_rejected(make_site):
    with make_site(settings={"SIGNIN_LOG_EMAIL": "yes"}) as site:
        browser = site.browser()
        site.sign_in(browser)
        extra = {"SIGNIN_ACTION": "authorize", "SIGNIN_REQUIRE": "email-domain=other.example"}
        cookies = "; ".join(f"{name}={value}" for name, value in browser.cookies_for(site.url).items())
        assert site.responder.ask("/auth", headers={"Cookie": cookies}, extra=extra).status == 403
        site.sign_out(browser)
        browser.get(f"{site.url}/oauth?code=a&state=b")
        log = site.responder.settled_log()
        assert {line.split(" event=")[1].split()[0] for line in log.splitlines() if " email=" in line} == {
            "signed-in",
            "signed-out",
            "access-denied",
        }
        assert log.count("@") == 3, log


@pytest.mark.parametrize("front", ["nginx", "nginx-kept"])
def test_nginx_and_the_program_write_the_same_request_number_into_their_logs_as_the_page_shows(make_site, front):
    with make_site(front=front) as site:
        answer = site.browser().get(f"{site.url}/oauth?code=a&state=b")
        (line,) = events(site.responder.settled_log(), "sign-in-failed")
        (number,) = re.findall(r" request=([0-9a-f]{32}) ", line)
        assert f"<code>{number[:8]}</code>".encode() in answer.body
        wait_until(lambda: site.server.access_log.read_text().count(f" {number}\n") == 1, "the line of nginx")
        assert "GET /oauth HTTP/1.1" in site.server.access_log.read_text().split(number)[0].splitlines()[-1]


def test_a_visitor_cannot_choose_the_request_number(shared_site):
    number = "0123456789abcdef" * 2
    names = ("SIGNIN_REQUEST_ID", "SIGNIN-REQUEST-ID", "Request-Id", "X-Request-Id")
    shared_site.browser().get(f"{shared_site.url}/oauth?code=a&state=b", headers=dict.fromkeys(names, number))
    assert number not in shared_site.responder.settled_log()


def test_a_request_number_that_is_not_one_is_replaced(shared_site):
    shared_site.responder.ask("/oauth?code=a&state=b", extra={"SIGNIN_REQUEST_ID": "chosen event=none", "REMOTE_ADDR": "chooser"})
    log = shared_site.responder.settled_log()
    assert "chosen" not in log and re.search(r" request=[0-9a-f]{16} reason=state-missing remote=chooser", log)


def notes(site):
    """What the program added to the error log of the web server: events, request numbers and reasons."""
    return re.findall(r"linkedin-signin: event=([a-z-]+) request=([0-9a-f]+) reason=([a-z-]+)", site.server.errors())


@pytest.mark.parametrize("front", FRONTS)
def test_the_error_log_of_the_web_server_has_the_reason_of_a_refusal(make_site, front):
    with make_site(front=front) as site:
        browser = site.browser()
        site.sign_in(browser)
        assert site.is_signed_in(browser) and notes(site) == []
        site.sign_out(browser, {"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"})
        wait_until(lambda: notes(site), "a note in the error log")
        (line,) = events(site.responder.settled_log(), "sign-out-refused")[:1]
        number = re.search(r" request=([0-9a-f]+) ", line)[1]
        assert notes(site) == [("sign-out-refused", number, "cross-site")]
        site.sign_out(browser)
        assert len(notes(site)) == 1, "an event without a fault is not an error of the web server"


@pytest.mark.parametrize("front", GUARDS)
def test_the_error_log_of_the_web_server_says_that_a_rule_is_missing(make_guarded, front):
    with make_guarded(front=front) as site:
        site.responder.expected_errors.append("reason=rule-missing")
        assert site.browser().get(site.url_of("missing")).status == 403
        wait_until(lambda: notes(site), "a note in the error log")
        assert {(event, reason) for event, _, reason in notes(site)} == {("access-denied", "rule-missing")}


def test_the_note_for_the_error_log_comes_before_the_answer_and_names_no_visitor(shared_site):
    answer = shared_site.responder.ask("/oauth?code=a&state=b", extra={"REMOTE_ADDR": "192.0.2.99"})
    assert answer.status == 400 and b"192.0.2.99" not in answer.errors
    assert re.fullmatch(rb"linkedin-signin: event=sign-in-failed request=[0-9a-f]{16} reason=state-missing", answer.errors)
    assert shared_site.responder.ask("/").errors == b""


def test_each_of_many_answers_at_once_has_its_own_note(shared_site):
    def ask(number):
        identifier = f"{number:032x}"
        answer = shared_site.responder.ask("/oauth?code=a&state=b", extra={"SIGNIN_REQUEST_ID": identifier})
        return re.findall(rb" request=(\w+)", answer.errors) == [identifier.encode()]

    with ThreadPoolExecutor(16) as pool:
        assert all(pool.map(ask, range(300)))


@pytest.mark.parametrize("front", ["nginx", "nginx-included", "lighttpd"])
def test_the_error_log_of_the_web_server_has_the_reason_why_a_guard_rejects_a_member(make_guarded, front):
    with make_guarded(front=front) as site:
        browser = site.member(2)
        assert browser.get(site.url_of("member")).status == 200 and notes(site) == []
        assert browser.get(site.url_of("maya")).status == 403
        wait_until(lambda: notes(site), "a note in the error log")
        numbers = {number for event, number, reason in notes(site) if (event, reason) == ("access-denied", "not-named")}
        lines = events(site.responder.settled_log(), "access-denied")
        assert numbers and numbers == {re.search(r" request=([0-9a-f]+) ", line)[1] for line in lines}
        # nginx asks twice, for the decision and for the page.
        assert len(numbers) == 1


def test_repetitions_are_counted_in_the_log_when_the_program_stops(make_site):
    with make_site(settings={"SIGNIN_LOG_REPEATS": None}) as site:
        fail_sign_in(site, "192.0.2.1", LINES_OF_A_CLIENT + 5)
        assert len(site.responder.ask("/oauth?code=a&state=b", extra={"REMOTE_ADDR": "192.0.2.1"}).errors) == 0
    assert [line for line in events(site.responder.log, "sign-in-failed") if line.endswith(" repeated=5")]


def test_a_fault_that_every_request_meets_does_not_fill_the_disk_with_its_log(make_site):
    with make_site(settings={"SIGNIN_LOG_REPEATS": None}) as site:
        site.responder.expected_errors.append("reason=rule-missing")
        for number in range(300):
            extra = {"SIGNIN_ACTION": "authorize", "REMOTE_ADDR": f"192.0.2.{number % 3}"}
            assert site.responder.ask("/private/", extra=extra).status == 403
        lines = 3 * LINES_OF_A_CLIENT + 1
        assert len(events(site.responder.settled_log(), "access-denied")) == lines
    assert [line for line in events(site.responder.log, "access-denied") if line.endswith(f" repeated={300 - lines}")]


@pytest.mark.parametrize("front", ["nginx", "nginx-included"])
def test_the_number_on_the_page_of_a_directory_without_an_index_is_in_the_log(make_guarded, front):
    with make_guarded(front=front) as site:
        site.server.expected_errors.append("directory index of .* is forbidden")
        page = site.member().get(site.url_of("member", ""))
        (number,) = re.findall(r"<code>([0-9a-f]{8})</code>", page.text)
        (line,) = events(site.responder.settled_log(), "access-denied")
        assert page.status == 403 and f" request={number}" in line and " reason=web-server subject=" in line


def test_the_number_of_each_of_many_error_pages_is_in_the_log(make_site):
    with make_site(settings={"SIGNIN_LOG_REPEATS": None, "SIGNIN_LOG_LEVEL": "warning"}) as site:
        pages = [site.responder.ask("/oauth?code=a&state=b", extra={"REMOTE_ADDR": "192.0.2.1"}) for _ in range(20)]
        pages += [site.browser().get(f"{site.url}/oauth?code=a&state=b") for _ in range(5)]
        numbers = [re.search(r"<code>([0-9a-f]{8})</code>", page.text)[1] for page in pages]
        log = site.responder.settled_log()
    assert len(set(numbers)) == 25 and [number for number in numbers if f" request={number}" not in log] == []


@pytest.mark.parametrize("accept", ["text/html", "application/json"])
def test_each_number_that_a_visitor_sees_is_in_the_log_and_a_flood_sees_no_more_numbers(make_site, accept):
    def number(browser):
        answer = browser.get(f"{site.url}/oauth?code=a&state=b", headers={**NAVIGATION, "Accept": accept})
        assert answer.status == 400
        found = re.search(r"<code>([0-9a-f]{8})</code>" if accept == "text/html" else r'"request":"([0-9a-f]+)"', answer.text)
        return found and found[1]

    with make_site(settings={"SIGNIN_LOG_REPEATS": None}) as site:
        flood = Browser(source="127.0.0.2")
        numbers = [number(flood) for _ in range(40)] + [number(Browser(source="127.0.0.3")), number(flood)]
        log = site.responder.settled_log()
    # Over the limit of the client, the first event has a line.
    shown = LINES_OF_A_CLIENT + 1
    assert all(numbers[:shown]) and not any(numbers[shown:40]) and numbers[40] and not numbers[41]
    assert [each for each in numbers if each and f" request={each}" not in log] == []


def test_a_page_shows_no_number_of_a_warning_that_the_level_of_the_log_leaves_out(make_site):
    with make_site(settings={"SIGNIN_LOG_LEVEL": "error"}) as site:
        page = site.browser().get(f"{site.url}/oauth?code=a&state=b")
        assert page.status == 400 and "<code>" not in page.text
    assert "event=sign-in-failed" not in site.responder.log


@pytest.mark.parametrize("front", ["nginx", "nginx-included"])
def test_the_page_of_a_rejection_that_the_check_only_counted_shows_no_number(make_guarded, front):
    with make_guarded(front=front, settings={"SIGNIN_LOG_REPEATS": None}) as site:
        site.responder.expected_errors.append("reason=rule-invalid")
        pages = [site.browser().get(site.url_of("broken")) for _ in range(40)]
        log = site.responder.settled_log()
    numbers = [number for page in pages for number in re.findall(r"<code>([0-9a-f]{8})</code>", page.text)]
    assert {page.status for page in pages} == {403} and len(numbers) == LINES_OF_A_CLIENT + 1
    assert [number for number in numbers if f" request={number}" not in log] == []


def test_a_log_that_nobody_reads_blocks_no_request_and_loses_lines_with_a_count(make_site, tmp_path):
    pipe = tmp_path / "log"
    os.mkfifo(pipe)
    # Both ends, so that no process waits for the other one.
    reader = os.open(pipe, os.O_RDWR)
    requests = 4000
    metrics = Metrics()
    with make_site(settings=metrics.settings, wrapper=("sh", "-c", 'exec "$@" 2>"$0"', pipe)) as site:
        for number in range(requests):
            started = time.monotonic()
            fail_sign_in(site, f"client-{number}")
            assert time.monotonic() - started < 5
        # Any event can lose its line, such as thread-hung on a busy machine.
        site.responder.ask("/logout", "POST", headers={"Sec-Fetch-Site": "cross-site"})
        text = b""

        def read():
            nonlocal text
            while select.select([reader], [], [], 0)[0]:
                text += os.read(reader, 65536)
            return text

        wait_until(lambda: b"client-" in read() and b"log-lines-dropped" in text, "the count of lost lines")
        fail_sign_in(site, "the-end")
        wait_until(lambda: b"the-end" in read(), "the last line")

        def find_all():
            """Whether each event is a line or is counted as lost."""
            series = metrics.samples().items()
            logged = sum(value for (name, has), value in series if name == "linkedin_signin_events_total" and ("level", "debug") not in has)
            lost = [int(count) for count in re.findall(rb" event=log-lines-dropped count=(\d+)", read())]
            return logged > requests > text.count(b"remote=client-") and logged == len(text.splitlines()) - len(lost) + sum(lost)

        wait_until(find_all, "a line or a count for each event")
    os.close(reader)


def test_a_repeated_failure_has_one_line_and_then_one_a_minute_with_the_number_of_repetitions(counting):
    wait_until(lambda: "repeated=" in counting.responder.log, "the line that counts repetitions", seconds=75)
    (line,) = [line for line in events(counting.responder.settled_log(), "sign-in-failed") if "repeated=" in line]
    assert "reason=state-missing" in line and "remote=192.0.2.1 " in line and line.endswith(f" repeated={EXCESS - 1}")
    assert LINE.fullmatch(line)

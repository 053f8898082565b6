"""Metrics: what moves when something happens, what Prometheus accepts, and what docs/metrics.md promises."""

import os
import random
import re
import select
import signal
import string
import subprocess
import threading

import pytest

from harness.browser import NAVIGATION
from harness.form_site import FormSite
from harness.machines import Machines
from harness.metrics import OPEN_METRICS, Metrics, Prometheus
from harness.process import REPOSITORY, wait_until
from harness.site import SESSION, Site
from harness.tokens import access_token

PAGE = (REPOSITORY / "docs/metrics.md").read_text()
ROW = re.compile(r"^\| `(\w+)` \|(.*?)\| (.*?) \|$", re.MULTILINE)
NO_STATE = "/oauth?code=x&state=x"


@pytest.fixture
def metrics():
    return Metrics()


@pytest.fixture
def site(directory, metrics):
    with Site(directory, settings=metrics.settings) as site:
        yield site


def check(site, browser=None, rule="member", ticket=None, **extra):
    """A session check, as the web server asks for it; returns the status."""
    ticket = ticket or (browser and browser.jar["localhost"][SESSION])
    headers = {"Cookie": f"{SESSION}={ticket}"} if ticket else {}
    return site.responder.ask("/private/", headers=headers, extra={"SIGNIN_ACTION": "authorize", "SIGNIN_REQUIRE": rule, **extra}).status


def moves(metrics, by, metric, **labels):
    """A function that fails unless a metric has grown by a number since."""
    before = metrics.number(metric, **labels)

    def have_moved():
        # An answer is counted a moment after it was sent.
        wait_until(lambda: metrics.number(metric, **labels) >= before + by, f"{metric} {labels} {by} above {before}", 5)
        assert metrics.number(metric, **labels) == before + by, f"{metric} {labels}"

    return have_moved


class expecting:
    """Each metric grows by its number while the block runs: `(number, name, labels)`."""

    def __init__(self, metrics, *expected):
        self.metrics, self.expected = metrics, expected

    def __enter__(self):
        self.checks = [moves(self.metrics, by, name, **(labels[0] if labels else {})) for by, name, *labels in self.expected]

    def __exit__(self, kind, *_):
        if kind is None:
            for has_moved in self.checks:
                has_moved()


def test_promtool_accepts_the_metrics(site, metrics):
    check(site, site.member())
    answer, text = metrics.get()
    assert answer.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"
    done = subprocess.run(["promtool", "check", "metrics"], input=text, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    answer, text = metrics.get(OPEN_METRICS)
    assert answer.headers["Content-Type"] == "application/openmetrics-text; version=1.0.0; charset=utf-8"
    assert text.endswith("\n# EOF\n") and "# UNIT process_resident_memory_bytes bytes\n" in text
    assert metrics.get(method="HEAD")[1] == ""


def test_a_sign_in_is_counted(site, metrics):
    with expecting(
        metrics,
        (1, "sign_ins_total", {"method": "browser", "result": "succeeded"}),
        (0, "sign_ins_total", {"result": "failed"}),
        (1, "provider_calls_total", {"provider": "linkedin", "endpoint": "token", "outcome": "200"}),
        (1, "provider_calls_total", {"endpoint": "keys", "outcome": "200"}),
        (1, "provider_call_duration_seconds_count", {"provider": "linkedin", "endpoint": "token"}),
        (1, "requests_total", {"route": "/login", "status": "303"}),
        (1, "requests_total", {"route": "/oauth", "status": "303"}),
        (1, "request_duration_seconds_count", {"route": "/oauth"}),
        (1, "store_operation_duration_seconds_count", {"operation": "create"}),
        (1, "store_operation_duration_seconds_count", {"operation": "state"}),
        (1, "events_total", {"event": "signed-in", "level": "info"}),
    ):
        browser = site.member()
    with expecting(metrics, (1, "provider_calls_total", {"endpoint": "profile", "outcome": "200"})):
        assert site.is_signed_in(browser)
    with expecting(metrics, (1, "store_operation_duration_seconds_count", {"operation": "remove"})):
        site.sign_out(browser)


def test_sign_ins_that_do_not_succeed_are_counted_by_result(site, metrics):
    site.responder.expected_errors += ["token-unavailable", "token-malformed"]
    with expecting(
        metrics,
        (1, "sign_ins_total", {"result": "cancelled"}),
        (1, "requests_total", {"route": "/oauth", "reason": "provider-cancelled"}),
    ):
        site.sign_in(site.browser(), decision="cancel")
    with expecting(
        metrics,
        (1, "sign_ins_total", {"method": "browser", "result": "rejected"}),
        (0, "sign_ins_total", {"result": "failed"}),
        (1, "requests_total", {"route": "/oauth", "status": "400", "reason": "state-missing"}),
        (1, "events_total", {"event": "sign-in-failed", "reason": "state-missing", "level": "warning"}),
    ):
        assert site.responder.ask(NO_STATE).status == 400
    site.simulator.fault("token", "status", status=500)
    with expecting(
        metrics,
        (1, "sign_ins_total", {"result": "failed"}),
        (1, "provider_calls_total", {"endpoint": "token", "outcome": "500"}),
        (1, "events_total", {"event": "sign-in-failed", "reason": "token-unavailable", "level": "error"}),
    ):
        site.sign_in(site.browser())
    site.simulator.clear_faults()
    site.simulator.fault("token", "close")
    before = metrics.number("provider_calls_total", endpoint="token")
    site.sign_in(site.browser())
    assert metrics.number("provider_calls_total", endpoint="token") > before
    assert metrics.number("provider_calls_total", endpoint="token", outcome="malformed") > 0


def test_what_anyone_can_send_does_not_count_as_a_failed_sign_in(make_site, metrics):
    with make_site(settings={**metrics.settings, "SIGNIN_TOKEN_SESSIONS": "yes"}) as site:
        site.responder.expected_errors.append("event=token-refused .*reason=introspection-unavailable")

        def post(token=None):
            return site.responder.ask("/session", "POST", headers={"Authorization": f"Bearer {token}"} if token else {}).status

        with expecting(
            metrics,
            (4, "sign_ins_total", {"method": "browser", "result": "rejected"}),
            (2, "sign_ins_total", {"method": "token", "result": "rejected"}),
            (0, "sign_ins_total", {"result": "failed"}),
        ):
            for query in ("code=x&state=x", "code=x&state=x&iss=https://example.org", "code=x", "error=server_error&state=x"):
                assert site.responder.ask(f"/oauth?{query}").status == 400
            assert post() == post("unknown") == 401
        with expecting(metrics, (1, "sign_ins_total", {"method": "token", "result": "succeeded"})):
            assert post(access_token(site)) == 200
        site.simulator.fault("introspection", "status", status=500)
        with expecting(metrics, (1, "sign_ins_total", {"method": "token", "result": "failed"})):
            assert post("unknown") == 502


def test_session_checks_are_counted_by_status_and_reason_and_timed(site, metrics):
    browser = site.member()
    for rule, who, status, reason in (
        ("member", browser, 200, None),
        ("member", None, 401, None),
        ("subject=nobody", browser, 403, "not-named"),
        ("membre", browser, 403, "rule-invalid"),
    ):
        labels = {"route": "check", "status": str(status), **({"reason": reason} if reason else {})}
        with expecting(
            metrics,
            (1, "requests_total", labels),
            (1, "request_duration_seconds_count", {"route": "check"}),
            (1 if who and reason != "rule-invalid" else 0, "store_operation_duration_seconds_count", {"operation": "read"}),
        ):
            site.responder.expected_errors.append("rule-invalid")
            assert check(site, who, rule) == status
    total = metrics.value("linkedin_signin_request_duration_seconds_sum", route="check")
    assert 0 < total < 10


def test_the_check_of_lighttpd_has_the_same_route(make_guarded, metrics):
    with make_guarded("lighttpd", settings=metrics.settings) as site:
        browser = site.member()
        with expecting(
            metrics,
            (1, "requests_total", {"route": "check", "status": "200"}),
            (1, "requests_total", {"route": "check", "status": "303"}),
        ):
            assert browser.get(site.url_of("member"), headers=NAVIGATION).status == 200
            assert site.browser().get(site.url_of("member"), headers=NAVIGATION).status == 303


def test_a_failing_store_is_counted(site, metrics):
    site.responder.expected_errors.append("store-")
    # Sessions that are known are read from the directory that is open.
    unknown = "A" * 43
    sessions = site.responder.state / "sessions"
    sessions.rename(sessions.with_name("away"))
    sessions.touch()
    wait_until(lambda: check(site, ticket=unknown) == 403, "the failure")
    with expecting(
        metrics,
        (1, "store_errors_total", {"operation": "read", "reason": "store-unusable"}),
        (1, "requests_total", {"route": "check", "status": "403", "reason": "store-unusable"}),
    ):
        assert check(site, ticket=unknown) == 403


def test_a_sweep_is_counted(directory, metrics):
    site = Site(directory, settings=metrics.settings)
    stray = directory / "responder/state/sessions/00" / ("0" * 30)
    stray.parent.mkdir(parents=True, mode=0o700)
    for path in (directory / "responder/state", stray.parent.parent, stray.parent):
        path.chmod(0o700)
    stray.write_bytes(b"not a session")
    stray.chmod(0o600)
    os.utime(stray, (0, 0))
    with site:
        wait_until(lambda: metrics.number("swept_total", kind="idle") == 1, "the sweep of the first part")
        assert metrics.number("store_operation_duration_seconds_count", operation="sweep") >= 1
        assert metrics.number("sweep_timestamp_seconds") > metrics.value("process_start_time_seconds")


def test_the_sessions_are_counted_soon_after_the_start(directory, metrics):
    with Site(directory, settings=metrics.settings) as site:
        for number in (1, 2):
            site.member(number)
        site.responder.stop()
        site.responder.start()
        wait_until(lambda: metrics.value("linkedin_signin_sessions") == 2, "the number of sessions", seconds=60)


def test_reloads_are_counted(site, metrics):
    def reload(result, **changes):
        before = metrics.number("reloads_total", result=result)
        site.responder.settings.update(changes)
        site.responder.write_settings()
        site.responder.process.child.send_signal(signal.SIGHUP)
        wait_until(lambda: metrics.number("reloads_total", result=result) == before + 1, result)

    site.responder.expected_errors.append("reload-refused")
    read = metrics.number("config_last_reload_success_timestamp_seconds")
    assert metrics.number("config_last_reload_successful") == 1
    calls = metrics.number("provider_calls_total")
    reload("refused", SIGNIN_SESSION_LIFETIME="long")
    assert metrics.number("config_last_reload_successful") == 0
    assert metrics.number("config_last_reload_success_timestamp_seconds") == read
    reload("applied", SIGNIN_SESSION_LIFETIME="20d")
    assert metrics.number("config_last_reload_successful") == 1
    assert metrics.number("config_last_reload_success_timestamp_seconds") > read
    # The new site counts on.
    site.member()
    assert metrics.number("provider_calls_total") > calls


def test_a_kept_form_takes_room(directory, metrics):
    with FormSite(directory, settings=metrics.settings) as site:
        assert metrics.number("kept_form_bytes") == 0
        headers = {**NAVIGATION, "Sec-Fetch-Site": "same-origin", "Content-Type": "application/x-www-form-urlencoded"}
        assert site.browser().request("POST", f"{site.url}/proxied/note", headers, b"text=1").status == 303
        assert metrics.number("kept_form_bytes") >= 16 << 10
        assert metrics.number("events_total", event="form-kept") == 1
        assert metrics.number("requests_total", route="sign-in", status="303") == 1


def test_calls_that_wait_and_calls_that_are_held_back_are_shown(make_site, metrics):
    with make_site(settings={**metrics.settings, "SIGNIN_UPSTREAM_CALLS": "16"}) as site:
        site.responder.expected_errors.append("resource-")
        assert metrics.number("provider_slots") == 16
        browser = site.member()
        site.simulator.fault("identityMe", "status", status=500)
        browser.get(f"{site.url}/profile", headers=NAVIGATION)
        assert metrics.number("held_calls") == 1
        site.simulator.fault("token", "delay", ms=1500)
        # One client may use a quarter.
        visitors = [site.browser() for _ in range(6)]
        callbacks = [site.consent(site.begin(visitor)) for visitor in visitors]
        threads = [threading.Thread(target=visitor.get, args=(callback,)) for visitor, callback in zip(visitors, callbacks)]
        for thread in threads:
            thread.start()
        wait_until(lambda: metrics.number("provider_slots_used") == 4, "the used slots")
        wait_until(lambda: metrics.number("provider_slots_awaited") == 2, "the waiting requests")
        assert metrics.number("requests_waiting") == 6
        for thread in threads:
            thread.join()
        assert metrics.number("provider_slots_used") == metrics.number("provider_slots_awaited") == 0


def test_lost_lines_of_the_log_are_counted(make_site, metrics, tmp_path):
    pipe = tmp_path / "log"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDWR)
    with make_site(wrapper=("sh", "-c", 'exec "$@" 2>"$0"', pipe), settings=metrics.settings) as site:
        while not metrics.number("log_lines_dropped_total"):
            for _ in range(500):
                site.responder.ask(NO_STATE)
        assert metrics.number("log_lines_waiting") >= 1000
        while select.select([reader], [], [], 0)[0]:
            os.read(reader, 65536)
        wait_until(lambda: metrics.number("log_lines_waiting") < 1000, "the reader")
        while select.select([reader], [], [], 0.2)[0]:
            os.read(reader, 65536)
    os.close(reader)


def hostile(site, seed):
    """Requests with random values wherever a client, a web server or the provider can put one."""
    chance = random.Random(seed)

    def word(length=12):
        return "".join(chance.choices(string.ascii_letters + string.digits + '-_.~"\\{}', k=length))

    for _ in range(40):
        quiet = {"Accept": word(), "User-Agent": word(), "Referer": word(), "Cookie": f"{SESSION}={word(43)}"}
        extra = {"REMOTE_ADDR": word(), "HTTP_HOST": word(), "SERVER_NAME": word(), "SIGNIN_REQUEST_ID": word(32)}
        site.responder.ask(f"/{word()}", headers=quiet, extra=extra)
        site.responder.ask(f"/{word()}/%2e%2e/login", word(6).strip('"\\{}~._-') or "X", headers=quiet, extra=extra)
        site.responder.ask(f"/oauth?error={word()}&state={word()}", headers=quiet, extra=extra)
        site.responder.ask(f"/oauth?code={word()}&state={word()}", headers=quiet, extra=extra)
        site.responder.ask("/private/", headers=quiet, extra={**extra, "SIGNIN_ACTION": word()})
        site.responder.ask("/private/", headers=quiet, extra={**extra, "SIGNIN_ACTION": "authorize", "SIGNIN_REQUIRE": word()})
        site.responder.ask(f"/login?return_to={word()}", headers=quiet, extra=extra)
        site.responder.ask("/", "", headers=quiet, extra=extra)
    # The provider chooses this.
    callback = site.consent(site.begin(browser := site.browser()))
    browser.get(re.sub("code=[^&]*", f"error={word()}", callback))
    site.simulator.fault("token", "status", status=chance.randint(600, 999))
    site.sign_in(site.browser())
    site.simulator.clear_faults()


def test_clients_cannot_add_series(site, metrics):
    site.responder.expected_errors += ["action-unknown", "rule-invalid", "token-", "sign-in-failed"]
    hostile(site, 1)
    first = set(metrics.samples())
    hostile(site, 2)
    assert set(metrics.samples()) == first
    assert len(first) < 700
    assert metrics.number("requests_total", route="other") >= 160


def documented():
    """The labels and the meaning of each metric in the table."""
    section = PAGE.partition("## All metrics\n")[2].partition("\n## ")[0]
    return {name: (set(re.findall(r"`(\w+)`", labels)), meaning) for name, labels, meaning in ROW.findall(section)}


def promised(metrics):
    """What a program says about its metrics."""
    text = metrics.get()[1]
    meanings = dict(re.findall(r"^# HELP (\w+) (.*)$", text, re.MULTILINE))
    labels = {name: set() for name in meanings}
    for name, has in metrics.samples():
        labels[re.sub("_(bucket|sum|count)$", "", name) if name not in meanings else name] |= {label for label, _ in has} - {"le"}
    return {name: (labels[name], meaning) for name, meaning in meanings.items()}


def test_every_metric_is_documented(directory, database, metrics):
    with Machines(directory, database, "nginx", **metrics.settings, SIGNIN_STORE_CACHE="5s", other={"SIGNIN_ADMIN_LISTEN": None}) as machines:
        machines.expect_outage()
        browser = machines.site.member()
        check(machines.site, browser, "subject=nobody")
        assert machines.site.is_signed_in(browser)
        assert check(machines.site, browser) == 200
        with expecting(metrics, (3, "cache_hits_total"), (0, "cache_misses_total")):
            for _ in range(3):
                assert check(machines.site, browser) == 200
        assert metrics.number("cache_bytes") > 256 and metrics.number("cache_misses_total") > 0
        assert metrics.number("database_up") == 1 and metrics.number("database_connections") > 1
        # It begins with the end of the first sweep.
        assert {**promised(metrics), "linkedin_signin_sessions": documented()["linkedin_signin_sessions"]} == documented()
        database.kill()
        wait_until(lambda: metrics.number("database_up") == 0, "the outage")
        wait_until(lambda: metrics.number("database_connections") == 0, "the end of the connections")
        wait_until(lambda: metrics.number("store_errors_total", operation="read", reason="store-unreachable") > 0 or check(machines.site, browser) is None, "errors")
        database.start()
        wait_until(lambda: metrics.number("database_up") == 1, "recovery")

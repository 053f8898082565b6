"""The dashboard and the alert rules: Prometheus understands each query, and each alert fires for its reason only."""

import json
import re
import subprocess

import pytest

from harness.browser import NAVIGATION
from harness.machines import Machines
from harness.metrics import Metrics, Prometheus
from harness.process import REPOSITORY, wait_until
from harness.site import Site
from test_metrics import NO_STATE, check, documented

pytestmark = pytest.mark.extended

DASHBOARD = json.loads((REPOSITORY / "deploy/grafana/linkedin-signin.json").read_text())
RULES = REPOSITORY / "deploy/prometheus/linkedin-signin.rules.yml"
PREFIX = "linkedin_signin_"
# Panels without a series: the number of sessions is known when the first sweep has ended.
EMPTY = {"Sessions"}


def queries():
    """The queries of each panel of the dashboard, with values for Grafana's variables."""
    for panel in DASHBOARD["panels"]:
        for target in panel.get("targets", []):
            yield panel["title"], target["expr"].replace("$instance", ".*").replace("$__rate_interval", "1m")


@pytest.fixture
def watched(directory, database):
    """Two programs, one of them with a database, and Prometheus, after a sign-in, a check, a refusal and a failure on each."""
    files, shared = Metrics(), Metrics()
    with (
        Site(directory / "files", settings=files.settings) as site,
        Machines(
            directory / "pg", database, "nginx", SIGNIN_STORE_CACHE="5s", **shared.settings, other={"SIGNIN_ADMIN_LISTEN": None}
        ) as machines,
        Prometheus(directory / "prometheus", [files.target, shared.target], [RULES]) as prometheus,
    ):
        for each in (site, machines.site):
            browser = each.member()
            for _ in range(2):
                assert check(each, browser) == 200
            check(each, browser, "subject=nobody")
            browser.get(f"{each.url}/profile", headers=NAVIGATION)
            each.responder.ask(NO_STATE)
        grown = 'sum by (instance) (rate(linkedin_signin_sign_ins_total{result="succeeded"}[1m])) > 0'
        wait_until(lambda: len(prometheus.query(grown)) == 2, "the sign-ins")
        yield prometheus


def test_prometheus_answers_every_query_of_the_dashboard_and_the_rules(watched):
    shown = list(queries())
    assert len(shown) > 40
    # Two samples make a rate.
    wait_until(lambda: {title for title, query in shown if not watched.query(query)} <= EMPTY, "a series of each panel")
    wait_until(lambda: all(rule["lastEvaluation"][:4] != "0001" for rule in rules(watched)), "the first evaluation")
    for rule in rules(watched):
        assert rule["health"] == "ok", rule
    # Only what was made to fail above.
    assert {rule["name"] for rule in rules(watched) if rule["state"] == "firing"} == set()
    text = json.dumps(DASHBOARD) + RULES.read_text()
    for name in documented():
        assert name in text, f"{name} is neither in the dashboard nor in a rule"
    for name in set(re.findall(rf"{PREFIX}\w+", text)):
        assert re.sub("_(bucket|count|sum)$", "", name) in documented(), name


def rules(prometheus):
    (group,) = prometheus.get("rules")["groups"]
    return group["rules"]


def growing(series):
    """A counter that stands still, and one that grows by a single event, three minutes before the look."""
    return (series, "0x60", "0x36 1x23")


CHECKS = PREFIX + 'request_duration_seconds_bucket{route="check",le="%s",instance="a"}'
CALLS = PREFIX + 'provider_calls_total{provider="linkedin",endpoint="token",outcome="%s",instance="a"}'
SIGN_INS = PREFIX + 'sign_ins_total{method="browser",result="%s",instance="a"}'
EVENTS = PREFIX + 'events_total{event="%s",reason="%s",level="%s",instance="a"}'
ERRORS = PREFIX + 'store_errors_total{operation="%s",reason="%s",instance="a"}'
# What the series of each alert are when all is well, and when the alert fires; a minute apart.
CASES = {
    "Down": [('up{job="linkedin-signin",instance="a"}', "1x60", "0x60")],
    "ThreadHung": [growing(EVENTS % ("thread-hung", "worker", "error"))],
    "InternalErrors": [growing(EVENTS % ("handler-failed", "internal-error", "error"))],
    "GuardMisconfigured": [growing(EVENTS % ("access-denied", "rule-invalid", "error"))],
    "SlowChecks": [
        (CHECKS % "0.1", "0+100x60", "0+50x60"),
        (CHECKS % "0.25", "0+100x60", "0+100x60"),
        (CHECKS % "+Inf", "0+100x60", "0+100x60"),
    ],
    "WorkersBusy": [(PREFIX + 'workers_busy{instance="a"}', "1x60", "2x60"), (PREFIX + 'workers{instance="a"}', "2x60", "2x60")],
    "StoreErrors": [
        growing(ERRORS % ("create", "store-full")),
        # LinkedIn is slow.
        (ERRORS % ("update", "store-locked"), "0+5x60", "0+5x60"),
    ],
    "DatabaseDown": [(PREFIX + 'database_up{instance="a"}', "1x60", "0x60")],
    "SweepStalled": [(PREFIX + 'sweep_timestamp_seconds{instance="a"}', "0+60x60", "0x60")],
    "Failures": [
        (SIGN_INS % "failed", "0+1x60", "0+9x60"),
        (SIGN_INS % "succeeded", "0+9x60", "0+1x60"),
        # Anyone can cause these.
        (SIGN_INS % "rejected", "0+50x60", "0+50x60"),
    ],
    "Loop": [growing(SIGN_INS % "loop")],
    "ProviderFails": [
        (CALLS % "timed-out", "0+1x60", "0+9x60"),
        (CALLS % "200", "0+9x60", "0+9x60"),
        # Many calls of another provider do not hide the failures of this one.
        ((CALLS % "200").replace("linkedin", "google"), "0+900x60", "0+900x60"),
    ],
    "ProviderThrottles": [growing(CALLS % "429")],
    "ProviderSlotsUsed": [(PREFIX + 'provider_slots_awaited{instance="a"}', "0x60", "3x60")],
    "VersionRetired": [growing(EVENTS % ("linkedin-version-refused", "resource-version", "warning"))],
    "ReloadRefused": [(PREFIX + 'config_last_reload_successful{instance="a"}', "1x60", "0x60")],
    "LogLinesLost": [growing(PREFIX + 'log_lines_dropped_total{instance="a"}')],
    "Descriptors": [
        ('process_open_fds{job="linkedin-signin",instance="a"}', "50x60", "900x60"),
        ('process_max_fds{job="linkedin-signin",instance="a"}', "1000x60", "1000x60"),
    ],
}


def test_every_alert_fires_for_its_reason_and_not_otherwise(directory):
    text = RULES.read_text()
    names = re.findall(r"- alert: LinkedInSignIn(\w+)$", text, re.MULTILINE)
    assert set(names) == set(CASES) and len(names) == len(set(names))
    assert text.count("description: ") == text.count("summary: ") == text.count("severity: ") == len(names)
    cases = []
    for name, series in CASES.items():
        for column, is_firing in ((1, False), (2, True)):
            # promtool compares the labels and texts of what fires, so the count is asked for instead.
            alerts = f'count(ALERTS{{alertname="LinkedInSignIn{name}",alertstate="firing"}})'
            cases.append(
                {
                    "name": f"{name} {is_firing}",
                    "interval": "1m",
                    "input_series": [{"series": each[0], "values": each[column]} for each in series],
                    "promql_expr_test": [
                        {"expr": alerts, "eval_time": "40m", "exp_samples": [{"labels": "{}", "value": 1}] if is_firing else []},
                        # No other alert fires.
                        {
                            "expr": 'count(ALERTS{alertstate="firing"})',
                            "eval_time": "40m",
                            "exp_samples": [{"labels": "{}", "value": 1}] if is_firing else [],
                        },
                    ],
                }
            )
    file = directory / "tests.yml"
    file.write_text(json.dumps({"rule_files": [str(RULES)], "evaluation_interval": "1m", "tests": cases}))
    done = subprocess.run(["promtool", "test", "rules", file], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def alert_counters():
    """The names and label matchers of the counters whose first event fires an alert."""
    for expression in re.findall(r"^ +expr: (.* > 0)$", RULES.read_text(), re.MULTILINE):
        for name, labels in re.findall(rf"(linkedin_signin_\w+_total)(?:{{(.*?)}})?\[", expression):
            yield name, re.findall(r'(\w+)(!?=)"(.*?)"', labels)


def matching(samples, name, matchers):
    """The samples that label matchers of Prometheus select."""
    return {
        key: value
        for key, value in samples.items()
        if key[0] == name and all((dict(key[1]).get(label) == wanted) == (operator == "=") for label, operator, wanted in matchers)
    }


def test_the_counters_of_alerts_begin_with_0(make_site):
    metrics = Metrics()
    with make_site(settings=metrics.settings) as site:
        counters = list(alert_counters())
        assert len(counters) == 8
        begun = metrics.samples()
        for counter in counters:
            assert set(matching(begun, *counter).values()) == {0}, counter
        for endpoint in ("token", "keys", "profile"):
            assert metrics.value("linkedin_signin_provider_calls_total", endpoint=endpoint, outcome="429") == 0
        site.responder.expected_errors += ["token-throttled", "store-"]
        site.simulator.fault("token", "status", status=429)
        site.sign_in(site.browser())
        site.simulator.clear_faults()
        sessions = site.responder.state / "sessions"
        sessions.rename(sessions.with_name("away"))
        sessions.touch()
        site.sign_in(site.browser())
        assert metrics.number("store_errors_total", operation="state", reason="store-unusable") == 1
        samples = metrics.samples()
        for counter in counters:
            assert matching(samples, *counter).keys() == matching(begun, *counter).keys()
        assert metrics.number("provider_calls_total", endpoint="token", outcome="429") == 1


def test_the_job_in_the_documentation_is_valid(directory):
    from test_docs import blocks

    (job,) = blocks("docs/metrics.md", "yaml")
    file = directory / "prometheus.yml"
    file.write_text(job.replace("/usr/share/doc/linkedin-signin/examples/prometheus-rules.yml", str(RULES)))
    done = subprocess.run(["promtool", "check", "config", file], capture_output=True, text=True)
    assert done.returncode == 0 and "18 rules found" in done.stdout, done.stdout + done.stderr

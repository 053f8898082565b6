"""Health and readiness: for load balancers through a web server, and only from this machine by default."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from harness.browser import Browser
from harness.machines import Machines
from harness.process import wait_until

OK = {"status": "ok"}


def unavailable(*reasons):
    return {"status": "unavailable", "reasons": list(reasons)}


def ask(site, path, source=None):
    """The status and, if it is the program's, the JSON of the answer."""
    answer = Browser(source=source).get(f"{site.url}{path}", headers={})
    is_json = answer.header("Content-Type") == "application/json"
    return answer.status, answer.json if is_json else None


def test_a_working_site_is_healthy_and_ready(shared_site):
    for path in ("/healthz", "/readyz"):
        assert ask(shared_site, path) == (200, OK)
        answer = shared_site.browser().get(f"{shared_site.url}{path}", method="HEAD")
        assert (answer.status, answer.body, answer.header("Cache-Control")) == (200, b"", "no-store")


def test_other_machines_are_rejected_by_the_web_server(shared_site):
    shared_site.server.expected_errors.append("access forbidden by rule, client: 127.0.0.2")
    for path in ("/healthz", "/readyz"):
        assert ask(shared_site, path, source="127.0.0.2") == (403, None)
    assert ask(shared_site, "/healthz/x")[0] == 404


def test_other_machines_are_rejected_by_include_files_too(guarded):
    guarded.server.expected_errors.append("access forbidden by rule, client: 127.0.0.2")
    for path in ("/healthz", "/readyz"):
        assert ask(guarded, path) == (200, OK)
        assert ask(guarded, path, source="127.0.0.2")[0] == 403


def test_health_has_no_other_methods(shared_site):
    for path in ("/healthz", "/readyz"):
        answer = shared_site.responder.ask(path, "POST")
        assert (answer.status, answer.header("Allow")) == (405, "GET, HEAD")


@pytest.mark.parametrize("fault", ["status", "empty", "close"])
def test_a_site_without_the_keys_of_the_provider_is_healthy_and_not_ready(site, fault):
    site.simulator.fault("jwks", fault, **({"status": 503} if fault == "status" else {}))
    assert ask(site, "/readyz") == (503, unavailable("keys-unavailable"))
    assert ask(site, "/healthz") == (200, OK)
    site.simulator.clear_faults()
    wait_until(lambda: ask(site, "/readyz") == (200, OK), "readiness")
    # Keys that are known stay known.
    site.simulator.fault("jwks", "status", status=503)
    before = site.simulator.count("jwks")
    assert ask(site, "/readyz") == (200, OK) and site.simulator.count("jwks") == before


def test_many_questions_at_once_are_one_call_to_the_provider(site):
    site.simulator.fault("jwks", "delay", ms=500)
    with ThreadPoolExecutor(20) as pool:
        assert set(pool.map(lambda _: ask(site, "/readyz")[0], range(20))) == {200}
    assert site.simulator.count("jwks") == 1


def test_a_product_without_id_tokens_needs_no_keys(make_site):
    with make_site(settings={"LINKEDIN_PRODUCT": "basic-profile"}) as site:
        assert ask(site, "/readyz") == (200, OK)


def test_a_site_whose_sessions_cannot_be_read_is_not_ready(site):
    site.responder.expected_errors.append("store-")
    sessions = site.responder.state / "sessions"
    sessions.rename(sessions.with_name("away"))
    sessions.touch()
    wait_until(lambda: ask(site, "/readyz") == (503, unavailable("store-unusable")), "the finding")
    assert ask(site, "/healthz") == (200, OK)


def test_a_site_whose_database_is_down_is_not_ready(directory, database):
    with Machines(directory, database, "nginx") as machines:
        machines.expect_outage()
        responder = machines.site.responder
        assert responder.ask("/readyz").json == OK
        database.kill()
        wait_until(lambda: responder.ask("/readyz").json == unavailable("store-unreachable"), "the finding")
        assert responder.ask("/healthz").json == OK
        database.start()
        wait_until(lambda: responder.ask("/readyz").json == OK, "readiness")

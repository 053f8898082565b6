"""`POST /session`: an app of the same application makes a session from its access token, behind every web server."""

import subprocess
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from harness.browser import SCRIPT, Browser
from harness.canaries import START
from harness.guarded import SUBJECTS
from harness.process import BINARIES, wait_until
from harness.site import SESSION, Site
from harness.tokens import access_token
from harness.webserver import FRONTS

SETTINGS = {"SIGNIN_TOKEN_SESSIONS": "yes", "SIGNIN_LOG_LEVEL": "debug"}
LIMITS = {"SIGNIN_CONNECT_TIMEOUT": "1s", "SIGNIN_TOTAL_TIMEOUT": "2s"}
RENDERED = ["--token-sessions"]


@pytest.fixture(scope="module", params=FRONTS)
def accepting(request, tmp_path_factory):
    """A site that accepts tokens, and whose simulator the tests make fail."""
    directory = tmp_path_factory.mktemp("tokens")
    with Site(directory, request.param, {**SETTINGS, **LIMITS}, guard=RENDERED) as site:
        site.responder.expected_errors.append("event=token-refused")
        yield site


@pytest.fixture
def site(accepting):
    accepting.simulator.clear_faults()
    accepting.simulator.settings(client_id="demo", access_token_lifetime=5184000)
    return accepting


def post(site, token=None, browser=None, headers=None, path="/session"):
    field = {} if token is None else {"Authorization": f"Bearer {token}"}
    return (browser or Browser()).request("POST", site.url + path, {**field, **(headers or {})}, b"")


@pytest.mark.parametrize("size", [8193, 9 << 10, 20 << 10, 70 << 10])
def test_a_program_gets_json_about_a_token_of_any_size(site, size):
    answer = post(site, "A" * size)
    if site.front == "lighttpd":
        # No configuration of lighttpd replaces its own answer.
        assert answer.status in (401, 431) and not answer.set_cookies
        return
    assert (answer.status, answer.json["error"]) == (401, "invalid_token"), answer
    assert 'error="invalid_token"' in answer.header("WWW-Authenticate") and answer.header("Cache-Control") == "no-store"
    assert post(site, "A" * size, path="/elsewhere").status == 400, "other requests stay as they are"


def test_an_app_makes_a_session_and_uses_it(site):
    app = site.browser()
    answer = post(site, access_token(site), app)
    assert answer.status == 200 and answer.json["subject"] == SUBJECTS[1] and answer.json["signed_in"] is True
    assert set(answer.set_cookies) == {SESSION}
    attributes = answer.set_cookies[SESSION][1]
    assert {"secure", "httponly", "path", "samesite", "max-age"} == set(attributes) and attributes["samesite"] == "Lax"
    assert answer.header("Cache-Control") == "no-store"
    assert app.get(f"{site.url}/profile", headers=SCRIPT).json["subject"] == SUBJECTS[1]
    assert app.get(f"{site.url}/session", headers=SCRIPT).json == answer.json
    (line,) = [line for line in site.responder.settled_log().splitlines() if "event=signed-in" in line and "by=token" in line][-1:]
    assert f"subject={SUBJECTS[1]}" in line and "remote=127.0.0.1" in line


def test_another_token_replaces_the_session(site):
    app = site.browser()
    post(site, access_token(site), app)
    old = app.jar["localhost"][SESSION]
    assert post(site, access_token(site, 2), app).json["subject"] == SUBJECTS[2]
    answer = Browser().get(f"{site.url}/session", headers={**SCRIPT, "Cookie": f"{SESSION}={old}"})
    assert answer.json["signed_in"] is False


def refused(site, status, code, reason, token=None, **options):
    before = len(site.responder.sessions())
    answer = post(site, token, **options)
    assert (answer.status, answer.json["error"]) == (status, code), answer
    assert not answer.set_cookies and len(site.responder.sessions()) == before
    assert not [name for name, _ in answer.headers if name.lower().startswith("access-control-")]
    lines = [line for line in site.responder.settled_log().splitlines() if "event=token-refused" in line]
    assert f" reason={reason}" in lines[-1] and f"request={answer.json['request']}" in lines[-1]
    return answer


def test_a_request_without_a_token_is_refused(site):
    answer = refused(site, 401, "token_missing", "bearer-missing")
    assert answer.header("WWW-Authenticate") == f'Bearer realm="{site.url}"'
    refused(site, 401, "token_missing", "bearer-missing", headers={"Authorization": "Basic YTpi"})


def test_an_unknown_expired_or_revoked_token_is_refused(site):
    answer = refused(site, 401, "invalid_token", "access-token-inactive", "AQunknown")
    assert answer.header("WWW-Authenticate") == f'Bearer realm="{site.url}", error="invalid_token"'
    refused(site, 401, "invalid_token", "access-token-malformed", "a b")
    site.simulator.settings(access_token_lifetime=0)
    refused(site, 401, "invalid_token", "access-token-expired", access_token(site))
    site.simulator.settings(access_token_lifetime=5184000)
    old = access_token(site)
    few = access_token(site, scope="openid profile")
    refused(site, 401, "invalid_token", "access-token-revoked", old)
    refused(site, 403, "insufficient_scope", "access-token-scopes", few)


def test_the_token_of_another_application_is_refused(site):
    token = access_token(site)
    foreign = '{"active":true,"client_id":"another","status":"active","scope":"openid profile email r_profile_basicinfo"}'
    site.simulator.fault("introspection", "answer", body=foreign)
    refused(site, 401, "invalid_token", "access-token-foreign", token)
    site.simulator.clear_faults()
    site.simulator.settings(client_id="another")
    # The simulator knows only one application, so the program's own secret is wrong for it now.
    refused(site, 502, "provider_refused_us", "token-client-refused", token)


FAULTS = [
    ("introspection", "status", {"status": 500}, 502, "introspection-unavailable"),
    ("introspection", "status", {"status": 429}, 503, "introspection-throttled"),
    ("introspection", "hang", {}, 504, "introspection-unavailable"),
    ("introspection", "garbage", {}, 502, "introspection-malformed"),
    ("introspection", "redirect", {}, 502, "introspection-malformed"),
    ("userinfo", "revoked", {}, 401, "resource-token-refused"),
    ("userinfo", "status", {"status": 403}, 403, "resource-denied"),
    ("userinfo", "hang", {}, 504, "resource-unavailable"),
    ("userinfo", "garbage", {}, 502, "resource-malformed"),
]


# The web server does not see what the provider does.
@pytest.mark.parametrize("accepting", ["nginx"], indirect=True)
@pytest.mark.parametrize("endpoint, fault, options, status, reason", FAULTS, ids=lambda value: str(value))
def test_a_fault_of_the_provider_makes_no_session(site, endpoint, fault, options, status, reason):
    token = access_token(site)
    site.simulator.fault(endpoint, fault, **options)
    answer = post(site, token)
    assert answer.status == status and answer.json["error"] and not answer.set_cookies, answer
    assert f"reason={reason}" in site.responder.settled_log().splitlines()[-2]
    site.simulator.clear_faults()
    assert post(site, token).status == 200


@pytest.mark.parametrize("headers", [{"Sec-Fetch-Site": "cross-site"}, {"Origin": "https://evil.example"}, {"Origin": "null"}])
def test_a_page_of_another_site_makes_no_session(site, headers):
    refused(site, 403, "cross_site", "cross-site", access_token(site), headers=headers)


def test_a_browser_that_asks_for_permission_gets_none(site):
    asking = {"Origin": "https://evil.example", "Access-Control-Request-Method": "POST"}
    asking["Access-Control-Request-Headers"] = "authorization"
    answer = Browser().request("OPTIONS", f"{site.url}/session", asking)
    assert answer.status == 405
    assert not [name for name, _ in answer.headers if name.lower().startswith("access-control-")]


def test_tokens_are_in_no_log_file_or_argument(site):
    tokens = [access_token(site, member) for member in (1, 2, 3)]
    apps = [site.browser() for _ in tokens]
    assert [post(site, *pair).status for pair in zip(tokens, apps, strict=True)] == [200] * 3
    post(site, "AQcanary-of-a-refused-token")
    post(site, tokens[0], path="/profile"), post(site, tokens[0], path="/session/")
    seen = site.responder.settled_log() + site.server.access_log.read_text() + site.server.errors()
    seen += open(f"/proc/{site.responder.process.pid}/cmdline").read() + open(f"/proc/{site.responder.process.pid}/environ").read()
    for path in [path for path in site.responder.state.rglob("*") if path.is_file()]:
        seen += path.read_bytes().decode("latin-1") + str(path)
    secrets = [*tokens, "AQcanary-of-a-refused-token", *(app.jar["localhost"][SESSION] for app in apps)]
    # The log cuts long values.
    assert not [secret for secret in secrets if secret[:START] in seen]


ATTACKER, HONEST = "127.0.0.2", "127.0.0.3"


@pytest.mark.parametrize("front", ["nginx", "lighttpd"])
def test_a_flood_of_tokens_from_one_address_leaves_room_for_others(directory, front):
    with Site(directory, front, SETTINGS, guard=RENDERED) as site:
        token = access_token(site)
        site.simulator.fault("introspection", "delay", ms=300)
        statuses, is_over = [], threading.Event()

        def flood():
            while not is_over.is_set():
                statuses.append(post(site, "AQjunk", Browser(source=ATTACKER)).status)

        threads = [threading.Thread(target=flood) for _ in range(150)]
        try:
            for thread in threads:
                thread.start()
            wait_until(lambda: len(statuses) >= 150, "the flood", 30)
            with ThreadPoolExecutor(8) as pool:
                answers = list(pool.map(lambda _: post(site, token, Browser(source=HONEST)), range(8)))
        finally:
            is_over.set()
            for thread in threads:
                thread.join()
        assert [answer.status for answer in answers] == [200] * 8
        assert 429 in statuses and set(statuses) <= {401, 429}


@pytest.mark.parametrize("front", ["nginx", "lighttpd"])
def test_one_address_cannot_fill_the_store_with_sessions_of_one_token(directory, front):
    with Site(directory, front, {**SETTINGS, "SIGNIN_SPENT_STATES": "100"}, guard=RENDERED) as site:
        token = access_token(site)
        for _ in range(30):
            assert post(site, "AQunknown", Browser(source=ATTACKER)).status == 401, "refused tokens do not count"
        assert [post(site, token, Browser(source=ATTACKER)).status for _ in range(25)] == [200] * 25
        answer = refused(site, 429, "too_many_requests", "spent-states-share", token, browser=Browser(source=ATTACKER))
        assert int(answer.header("Retry-After")) > 0
        assert post(site, token, Browser(source=HONEST)).status == 200
        assert len(site.responder.sessions()) == 26


def test_nginx_limits_the_rate_of_tokens_from_one_address(directory):
    with Site(directory, "nginx-limited", SETTINGS, guard=RENDERED) as site:
        with ThreadPoolExecutor(8) as pool:
            answers = list(pool.map(lambda _: post(site, "AQjunk", Browser(source=ATTACKER)), range(90)))
        refused = [answer for answer in answers if answer.status == 429]
        assert len(refused) >= 10 and {answer.status for answer in answers} == {401, 429}
        for answer in refused:
            assert answer.json == {"error": "too_many_requests"} and answer.header("Retry-After") == "5"
            assert answer.header("Cache-Control") == "no-store"
        assert site.simulator.count("introspection") == len(answers) - len(refused)
        assert post(site, access_token(site), Browser(source=HONEST)).status == 200
        script = Browser(source=ATTACKER)
        assert {script.get(f"{site.url}/session", headers=SCRIPT).status for _ in range(90)} == {200}, "reading is free"


@pytest.mark.parametrize("front", ["nginx", "lighttpd"])
def test_without_the_setting_no_token_is_accepted(make_site, front):
    with make_site(front=front) as site:
        answer = post(site, access_token(site))
        assert (answer.status, answer.header("Allow")) == (405, "GET, HEAD") and not answer.set_cookies
        assert site.simulator.count("introspection") == 0 and site.responder.sessions() == []


def test_nginx_passes_tokens_only_to_the_route_and_only_with_the_setting():
    command = [BINARIES / "linkedin-signin", "print-config", "nginx"]
    environment = {"PATH": "/usr/bin:/bin", "SIGNIN_BASE_URL": "https://example.com/account"}
    without = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout
    assert "http_authorization" not in without.lower()
    environment["SIGNIN_TOKEN_SESSIONS"] = "yes"
    text = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout
    name = "$signin_example_com___account_bearer"
    cases = r'"~^POST /account/session\z" $http_authorization; default "";'
    assert f'    map "$request_method $uri" {name} {{ {cases} }}\n' in text
    assert f" fastcgi_param HTTP_AUTHORIZATION {name};\n" in text
    assert (text.count("HTTP_AUTHORIZATION"), text.count("$http_authorization"), text.count(name)) == (1, 1, 2)

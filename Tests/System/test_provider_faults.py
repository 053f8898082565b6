"""Every fault of the provider gets a page in time, and the next sign-in works again."""

import base64
import hashlib
import re
import time

import pytest

from harness.browser import SCRIPT
from harness.process import wait_until
from harness.site import SESSION, Site, from_provider

TOTAL = 2.0
LIMITS = {"SIGNIN_CONNECT_TIMEOUT": "1s", "SIGNIN_TOTAL_TIMEOUT": "2s"}
ANYTHING = "."

AT_EVERY_ENDPOINT = [
    ("hang", {}, 504),
    ("delay", {"ms": 8000}, 504),
    ("drip", {"ms": 200}, 504),
    ("close", {}, 502),
    ("truncated", {}, 502),
    ("truncated-chunks", {}, 502),
    ("huge", {"bytes": 8 << 20}, 502),
    ("garbage", {}, 502),
    ("html", {}, 502),
    ("empty", {}, 502),
    ("json-array", {}, 502),
    ("deep", {}, 502),
    ("answer", {"status": 204, "body": ""}, 502),
    ("answer", {"status": 206, "body": "{}"}, 502),
    ("answer", {"body": "null"}, 502),
    ("answer", {"body": "{}"}, 502),
    ("answer", {"body": '{"a":1e400,"b":NaN}'}, 502),
    ("answer", {"body": '{"a":"\\ud800"}'}, 502),
    ("answer", {"body64": "eyJhIjoi//4ifQ=="}, 502),
    ("redirect", {"status": 301}, 502),
    ("redirect", {"status": 307}, 502),
    ("redirect", {"status": 308}, 502),
    ("status", {"status": 404}, 502),
    ("status", {"status": 500}, 502),
    ("status", {"status": 503, "retry-after": 30}, 502),
]
# The HTTP client is the same for every endpoint: these stand for the others where the content has another reader.
OF_EACH_KIND = [AT_EVERY_ENDPOINT[number] for number in (0, 3, 5, 6, 8, 10, 11, 13, 15, 17, 19, 23)]
THROTTLE = ("status", {"status": 429, "retry-after": 99999}, 503)
AT_KEYS = [*OF_EACH_KIND, THROTTLE]
AT_TOKEN = [*AT_EVERY_ENDPOINT, THROTTLE] + [("status", {"status": status}, 502) for status in (400, 401, 403, 408, 410, 502)]
AT_TOKEN += [
    (name, {}, 502)
    for name in (
        "wrong-signature wrong-aud wrong-iss expired no-iat no-sub alg-none alg-hs256 unknown-kid "
        "no-id-token mac-token-type missing-access-token"
    ).split()
]
AT_TOKEN += [
    ("claims", {"claims": claims}, 502)
    for claims in (
        {"exp": None},
        {"exp": "tomorrow"},
        {"exp": -1},
        {"iss": ["a"]},
        {"iss": None},
        {"aud": []},
        {"aud": ["demo", "other"]},
        {"aud": 1},
        {"sub": ""},
        {"sub": 7},
        {"sub": "x" * 256},
    )
]
# The clock of this machine is behind.
CLOCK = [("not-yet", {}, 500), ("claims", {"claims": {"nbf": 4102444800}}, 500)]
AT_TOKEN += CLOCK
HARMLESS = [("delay", {"ms": 300}), ("no-kid", {}), ("wrong-nonce", {}), ("absurd-expires-in", {}), ("xss", {})]


def names(faults):
    return [f"{name}-{'-'.join(str(value) for value in options.values())}"[:60] for name, options, *_ in faults]


@pytest.fixture(scope="module")
def faulty(tmp_path_factory):
    """One site for all faults, so each test also proves that the previous fault left nothing behind."""
    with Site(tmp_path_factory.mktemp("f"), settings=LIMITS) as site:
        site.responder.expected_errors.append(ANYTHING)
        assert site.sign_in(site.browser()).status == 303
        site.baseline = site.responder.process.descriptors(), site.responder.process.threads()
        yield site


def check_recovered(site):
    """After the faults, a member can sign in and see the profile."""
    site.simulator.clear_faults()
    browser = site.browser()
    assert site.sign_in(browser).status == 303
    assert browser.get(f"{site.url}/profile", headers=SCRIPT).status == 200
    process = site.responder.process
    wait_until(lambda: process.descriptors() <= site.baseline[0] + 4, "descriptors back to the baseline", 10)
    wait_until(lambda: process.threads() <= site.baseline[1] + 2, "threads back to the baseline", 10)


@pytest.mark.parametrize("fault,options,status", CLOCK, ids=names(CLOCK))
def test_a_slow_clock_is_named_on_the_page_and_in_the_log(faulty, fault, options, status):
    faulty.simulator.fault("token", fault, **options)
    answer = check_failed_sign_in(faulty, status)
    faulty.simulator.clear_faults()
    assert "The clock of this site is wrong" in answer.text
    line = re.compile(r"reason=id-token-future .*detail=\"\w+ is \d+ seconds ahead of this machine's clock\"")
    wait_until(lambda: line.search(faulty.responder.log), "a line that says by how much")


def check_failed_sign_in(site, expected):
    browser = site.browser()
    callback = site.consent(site.begin(browser))
    before = len(site.responder.sessions())
    began = time.monotonic()
    answer = browser.get(callback, headers=from_provider())
    assert time.monotonic() - began < TOTAL + 1
    assert answer.status == expected and answer.is_html, (answer.status, answer.text)
    assert answer.header("Cache-Control") == "no-store"
    assert SESSION not in answer.set_cookies
    assert len(site.responder.sessions()) == before
    assert not site.is_signed_in(browser)
    assert site.simulator.requests("elsewhere") == [], "a redirect was followed"
    return answer


@pytest.mark.parametrize("name, options, expected", AT_TOKEN, ids=names(AT_TOKEN))
def test_a_fault_of_the_token_endpoint_gets_a_page_and_passes(faulty, name, options, expected):
    faulty.simulator.clear_requests()
    faulty.simulator.fault("token", name, **options)
    check_failed_sign_in(faulty, expected)
    assert len(faulty.simulator.requests("token")) == 1, "a code is sent only once"
    check_recovered(faulty)


@pytest.mark.parametrize("name, options", HARMLESS, ids=names(HARMLESS))
def test_an_odd_but_valid_token_response_is_accepted(faulty, name, options):
    faulty.simulator.fault("token", name, **options)
    browser = faulty.browser()
    assert faulty.sign_in(browser).status == 303
    home = browser.get(f"{faulty.url}/")
    assert home.status == 200 and "<script" not in home.text and "<img src=x" not in home.text
    check_recovered(faulty)


@pytest.mark.parametrize("name, options, expected", AT_KEYS, ids=names(AT_KEYS))
def test_a_fault_of_the_key_set_gets_a_page_and_passes(directory, name, options, expected):
    # A new site, because keys are cached.
    with Site(directory, settings=LIMITS) as site:
        site.responder.expected_errors.append(ANYTHING)
        site.simulator.fault("jwks", name, **options)
        # The visitor gets the same page for every reason why keys are missing, even throttling.
        check_failed_sign_in(site, 502 if expected == 503 else expected)
        site.simulator.clear_faults()
        assert site.sign_in(site.browser()).status == 303


def test_the_signing_key_can_change_at_any_time(directory):
    with Site(directory, settings=LIMITS) as site:
        assert site.sign_in(site.browser()).status == 303
        site.simulator.clear_requests()
        site.simulator.rotate_key()
        assert site.sign_in(site.browser()).status == 303
        assert len(site.simulator.requests("jwks")) == 1


def test_a_signing_key_as_large_as_linkedins_is_accepted(directory):
    with Site(directory, settings=LIMITS) as site:
        site.simulator.settings(key_bits=4096)
        site.simulator.rotate_key()
        assert site.sign_in(site.browser()).status == 303


def test_a_broken_key_does_not_affect_the_others(directory):
    with Site(directory, settings=LIMITS) as site:
        site.simulator.fault("jwks", "broken-key")
        assert site.sign_in(site.browser()).status == 303


def test_unknown_key_names_do_not_flood_the_key_set_endpoint(directory):
    with Site(directory, settings=LIMITS) as site:
        site.responder.expected_errors.append(ANYTHING)
        site.simulator.fault("token", "unknown-kid")
        for _ in range(10):
            check_failed_sign_in(site, 502)
        assert len(site.simulator.requests("jwks")) <= 2
        site.simulator.clear_faults()
        assert site.sign_in(site.browser()).status == 303


@pytest.mark.parametrize("name, options, expected", OF_EACH_KIND, ids=names(OF_EACH_KIND))
def test_a_fault_of_the_profile_endpoint_gets_a_page_and_passes(faulty, name, options, expected):
    browser = faulty.browser()
    assert faulty.sign_in(browser).status == 303
    faulty.simulator.fault("identityMe", name, **options)
    for headers, is_html in ((None, True), (SCRIPT, False)):
        faulty.simulator.clear_requests()
        began = time.monotonic()
        answer = browser.get(f"{faulty.url}/profile", **({"headers": headers} if headers else {}))
        assert time.monotonic() - began < TOTAL + 1
        assert answer.status == expected and answer.is_html == is_html, (answer.status, answer.text)
    assert faulty.simulator.requests("identityMe") == [], "the second response needed no call"
    assert "/logout" in browser.get(f"{faulty.url}/").text, "the member is still signed in"
    check_recovered(faulty)


def test_a_throttled_application_stops_calling_for_every_member(directory):
    with Site(directory, settings=LIMITS) as site:
        browsers = [site.browser() for _ in range(3)]
        for member, browser in enumerate(browsers, start=1):
            assert site.sign_in(browser, member).status == 303
        site.simulator.fault("identityMe", "status", status=429, retry_after="120")
        for browser in browsers * 5:
            answer = browser.get(f"{site.url}/profile")
            assert answer.status == 503 and 60 < int(answer.header("Retry-After")) <= 120
        assert len(site.simulator.requests("identityMe")) == 1


@pytest.mark.parametrize("status", [401, 403, 426])
def test_a_rejection_by_the_profile_endpoint_is_explained(faulty, status):
    browser = faulty.browser()
    assert faulty.sign_in(browser).status == 303
    faulty.simulator.fault("identityMe", "status", status=status)
    answer = browser.get(f"{faulty.url}/profile")
    assert answer.status == 502 and answer.is_html
    assert "INVALID_ACCESS_TOKEN" not in answer.text and "serviceErrorCode" not in answer.text
    check_recovered(faulty)


@pytest.mark.parametrize("name", ["xss", "evil-link"])
def test_markup_from_the_provider_stays_text(faulty, name):
    browser = faulty.browser()
    assert faulty.sign_in(browser).status == 303
    faulty.simulator.fault("identityMe", name)
    browser.get(f"{faulty.url}/profile")
    for path in ("/profile", "/"):
        answer = browser.get(f"{faulty.url}{path}")
        # The profile page has one script if it shows a link; the policy allows it by its hash.
        scripts = re.findall("<script>(.*?)</script>", answer.text, re.DOTALL)
        assert len(scripts) == answer.text.lower().count("<script") <= (path == "/profile")
        for script in scripts:
            digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
            assert f"'sha256-{digest}'" in answer.header("Content-Security-Policy")
        text = answer.text.lower()
        assert 'href="javascript:' not in text and "onerror=" not in text.split("<body")[0]
    check_recovered(faulty)

"""CORS preflights to a guarded API pass only if the rule allows it, and nothing else passes as a preflight."""

import pytest

from harness.browser import SCRIPT
from harness.guarded import BY_PARAMETERS, Received
from harness.raw import request, send, status

ORIGIN = {"Origin": "https://app.example.org"}
# A browser sends this before a request whose method or header needs permission (Fetch Standard).
PREFLIGHT = {**ORIGIN, "Access-Control-Request-Method": "PUT", "Access-Control-Request-Headers": "x-custom", "Accept": "*/*"}
PREFLIGHT |= {"Sec-Fetch-Mode": "cors", "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "empty"}

NOT_PREFLIGHTS = {
    "another-method": ("GET", {}),
    "head": ("HEAD", {}),
    "post": ("POST", {}),
    "lower-case": ("options", {}),
    "no-origin": ("OPTIONS", {"Origin": None}),
    "empty-origin": ("OPTIONS", {"Origin": ""}),
    "no-requested-method": ("OPTIONS", {"Access-Control-Request-Method": None}),
    "cookie": ("OPTIONS", {"Cookie": "a=b"}),
    "form": ("OPTIONS", {"Content-Type": "application/x-www-form-urlencoded"}),
    "override": ("OPTIONS", {"X-HTTP-Method-Override": "GET"}),
    "old-override": ("OPTIONS", {"X-HTTP-Method": "DELETE"}),
    "other-override": ("OPTIONS", {"X-Method-Override": "PUT"}),
}
LENGTH, CHUNKED = ("Content-Length", "4"), ("Transfer-Encoding", "chunked")
BODIES = {
    "length": ([LENGTH], b"a=bc"),
    "chunks": ([CHUNKED], b"4\r\na=bc\r\n0\r\n\r\n"),
    "empty chunks": ([CHUNKED], b"0\r\n\r\n"),
    # Another spelling of the same variable.
    "two lengths": ([("Content!Length", "0"), LENGTH, ("Content_Length", "0")], b"a=bc"),
}


def test_a_preflight_reaches_the_application_if_the_rule_allows_it(guarded):
    answer = guarded.browser().request("OPTIONS", guarded.url_of("shared", "a?b=c"), headers=PREFLIGHT)
    assert answer.status == 200, (answer.status, answer.text)
    received = Received(answer)
    assert received.all("REQUEST_METHOD") == ["OPTIONS"] and received.identity == (None, None, None)


@pytest.mark.parametrize("place", ["app", "member", "maya"])
def test_a_preflight_is_rejected_by_every_other_rule(guarded, place):
    answer = guarded.browser().request("OPTIONS", guarded.url_of(place, ""), headers=PREFLIGHT)
    assert answer.status == 401


@BY_PARAMETERS
@pytest.mark.parametrize("kind", NOT_PREFLIGHTS)
def test_only_a_preflight_passes_as_a_preflight(guarded, kind):
    method, changes = NOT_PREFLIGHTS[kind]
    answer = guarded.browser().request(method, guarded.url_of("shared", ""), headers={**PREFLIGHT, **changes})
    assert answer.status in (400, 401, 405, 501) and b"received" not in answer.body, (answer.status, answer.text)


@BY_PARAMETERS
@pytest.mark.parametrize("kind", BODIES)
def test_a_request_with_a_body_does_not_pass_as_a_preflight(guarded, kind):
    headers, body = BODIES[kind]
    fields = [*PREFLIGHT.items(), *headers]
    answer = send(guarded.port, request("/shared/", fields, b"OPTIONS") + body)
    assert status(answer) in (400, 401) and b"received" not in answer, answer


def test_a_preflight_with_an_empty_body_passes(guarded):
    answer = send(guarded.port, request("/shared/", [*PREFLIGHT.items(), ("Content-Length", "0")], b"OPTIONS"))
    assert status(answer) == 200 and b"received" in answer, answer


def test_a_member_is_identified_where_preflights_pass(guarded):
    assert guarded.ask("shared", "", guarded.member()).identity[0]


def challenge(guarded):
    login = f'form-action="{guarded.url}/login"'
    return f'Cookie realm="{guarded.url}", {login}, cookie-name="__Host-session"'


@pytest.mark.parametrize("headers", [SCRIPT, {"Accept": "image/png", "Sec-Fetch-Dest": "image", "Sec-Fetch-Mode": "no-cors"}])
def test_a_401_names_the_sign_in_address_and_opens_no_dialog(guarded, headers):
    for place in ("app", "member"):
        answer = guarded.browser().get(guarded.url_of(place, ""), headers=headers)
        assert answer.status == 401 and answer.header("WWW-Authenticate") == challenge(guarded)


def test_a_401_of_the_program_names_the_sign_in_address_too(guarded):
    answer = guarded.browser().get(f"{guarded.url}/profile", headers=SCRIPT)
    assert answer.status == 401 and answer.header("WWW-Authenticate") == challenge(guarded)


def test_the_log_line_of_a_denial_names_the_location_and_the_rule(guarded):
    before = len(guarded.responder.settled_log().splitlines())
    assert guarded.member(2).get(guarded.url_of("maya", "canary.txt?token=canary")).status == 403
    lines = [line for line in guarded.responder.settled_log().splitlines()[before:] if "event=access-denied" in line]
    assert lines and "canary " not in " ".join(lines)
    for line in lines:
        assert " location=/maya/canary.txt " in line and ' rule="subject=' in line and "token" not in line

"""Wrong answers of OpenID providers during a sign-in, from a provider that the test directs."""

import gzip
import threading

import pytest

from harness.browser import Browser
from harness.json_server import send
from harness.providers import CLIENT
from harness.scripted import Scripted
from harness.several import several
from harness.site import SESSION, from_provider

TIMEOUTS = {"SIGNIN_CONNECT_TIMEOUT": "1s", "SIGNIN_TOTAL_TIMEOUT": "2s"}
FOREIGN = {
    "redirect_uri": "https://attacker.example/oauth",
    "client_id": "attacker",
    "client_secret": "attacker",
    "code_verifier": "a" * 43,
    "grant_type": "refresh_token",
    "scope": "admin",
    "resource": "https://attacker.example",
}


@pytest.mark.parametrize("front", ["nginx", "lighttpd"])
def test_p4_no_parameter_of_a_callback_enters_the_token_request(directory, front):
    with several(directory, {"own": Scripted}, front) as site:
        provider, browsers = site.providers["own"], (Browser(), Browser())
        for browser, more in zip(browsers, ({}, {"iss": provider.issuer, **FOREIGN})):
            address, _ = site.begin_at("own", browser)
            assert browser.get(provider.consent(address, **more), headers=from_provider()).status == 303
            assert site.session(browser)["subject"] == "own::ada"
        usual, forged = provider.token_requests()
        assert forged.keys() == usual.keys() and forged["redirect_uri"] == [f"{site.url}/oauth/own"]
        assert forged["grant_type"] == ["authorization_code"] and forged["code_verifier"] != [FOREIGN["code_verifier"]]
        assert forged.get("client_id", [CLIENT]) == [CLIENT]
        assert not [call for call in provider.calls if "attacker" in call]


def test_p6_a_key_of_another_provider_with_the_same_kid_signs_no_id_token(directory):
    with several(directory, {"own": Scripted, "other": Scripted}) as site:
        site.responder.expected_errors.append("event=sign-in-failed .*reason=id-token-signature")
        own, other = site.providers["own"], site.providers["other"]
        # The program has both key sets.
        for name in ("other", "own"):
            assert site.sign_in_at(name, Browser()).status == 303
        own.signer = other.key
        browser = Browser()
        answer = site.sign_in_at("own", browser)
        assert answer.status >= 400 and SESSION not in browser.jar["localhost"], answer
        (line,) = site.responder.lines_of("sign-in-failed")
        assert "reason=id-token-signature" in line and " provider=own" in line
        own.signer = own.key
        assert site.sign_in_at("own", browser).status == 303


FAULTS = {
    "status 500": (lambda handler: send(handler, b"{}", 500), 502, "resource-unavailable"),
    "no answer": (lambda _: threading.Event().wait(), 504, "resource-unavailable"),
    "html": (lambda handler: send(handler, b"<html></html>", kind="text/html"), 502, "resource-malformed"),
    "another member": ({"sub": "eve", "name": "Eve", "email": "eve@example.org"}, 502, "userinfo-subject"),
    "no member": ({"name": "Eve"}, 502, "userinfo-subject"),
    "status 401": (lambda handler: send(handler, b"{}", 401), 502, "resource-token-refused"),
    "redirect": (lambda handler: send(handler, b"", 302, Location="/stolen"), 502, "resource-malformed"),
    "status 403": (lambda handler: send(handler, b"{}", 403), 502, "resource-denied"),
    "status 429": (lambda handler: send(handler, b"{}", 429, **{"Retry-After": "17"}), 503, "resource-throttled"),
    "half a body": (lambda handler: send(handler, b"{", length=2) or threading.Event().wait(), 504, "resource-unavailable"),
}


@pytest.mark.parametrize("fault, status, reason", FAULTS.values(), ids=FAULTS)
def test_a_fault_of_userinfo_gets_a_page_and_passes(directory, fault, status, reason):
    with several(directory, {"own": Scripted}, settings=TIMEOUTS) as site:
        site.responder.expected_errors.append("event=sign-in-failed")
        provider, browser = site.providers["own"], Browser()
        usual, provider.userinfo = provider.userinfo, fault
        answer = site.sign_in_at("own", browser)
        assert answer.status == status and "127.0.0.1" in answer.text and "<h1" in answer.text, answer
        assert SESSION not in browser.jar["localhost"] and not site.responder.sessions()
        (line,) = site.responder.lines_of("sign-in-failed")
        assert f"reason={reason} " in line and " provider=own" in line, line
        assert not [call for call in provider.calls if "/stolen" in call]
        provider.userinfo = usual
        assert site.sign_in_at("own", browser).status == 303
        assert site.session(browser)["name"] == "Ada Lovelace"


MEMBER = b'{"sub":"ada","name":"Ada Lovelace"}'
ODD = {
    "cut": lambda handler: send(handler, MEMBER[:-1], length=len(MEMBER)),
    "large": lambda handler: send(handler, MEMBER + b" " * (1 << 20)),
    "gzip": lambda handler: send(handler, gzip.compress(MEMBER), **{"Content-Encoding": "gzip"}),
    "null": lambda handler: send(handler, b"null"),
    "list": lambda handler: send(handler, b"[" + MEMBER + b"]"),
    "deep": lambda handler: send(handler, b"[" * 100_000),
    "NaN": lambda handler: send(handler, MEMBER[:-1] + b',"a":NaN}'),
    "1e400": lambda handler: send(handler, MEMBER[:-1] + b',"a":1e400}'),
    "surrogate": lambda handler: send(handler, MEMBER[:-1] + b',"a":"\\ud800"}'),
    "twice": lambda handler: send(handler, MEMBER[:-1] + b',"sub":"ada"}'),
    "mark": lambda handler: send(handler, b"\xef\xbb\xbf" + MEMBER),
    "encoding": lambda handler: send(handler, MEMBER.replace(b"A", b"\xff")),
    "zero byte": lambda handler: send(handler, MEMBER + b"\0"),
    "status 204": lambda handler: send(handler, b"", 204),
    "status 206": lambda handler: send(handler, MEMBER, 206),
    "status 304": lambda handler: send(handler, b"", 304),
    "status 308": lambda handler: send(handler, b"", 308, Location="/stolen"),
}


def test_odd_userinfo_signs_nobody_in_and_the_next_sign_in_succeeds(directory):
    with several(directory, {"own": Scripted}, settings={**TIMEOUTS, "SIGNIN_LOG_REPEATS": "yes"}) as site:
        site.responder.expected_errors.append("event=sign-in-failed .*reason=resource-malformed")
        provider, usual = site.providers["own"], site.providers["own"].userinfo
        for number, (name, fault) in enumerate(ODD.items(), 1):
            provider.userinfo, browser = fault, Browser()
            answer = site.sign_in_at("own", browser)
            assert answer.status == 502 and SESSION not in browser.jar["localhost"], (name, answer)
            assert len(site.responder.lines_of("sign-in-failed")) == number, name
            provider.userinfo = usual
            assert site.sign_in_at("own", browser).status == 303, name
        assert not [call for call in provider.calls if "/stolen" in call]

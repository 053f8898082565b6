"""Sessions that end because they have ended at the provider (OpenID Connect Back-Channel Logout 1.0)."""

import re
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest

from harness.browser import Browser
from harness.providers import PACKAGES, Idpyoidc, running
from harness.several import several

pytestmark = pytest.mark.skipif(not PACKAGES.exists(), reason="deploy/packages test could not download the providers")
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


def signed_in(site, browsers):
    return [site.session(browser)["signed_in"] for browser in browsers]


@pytest.mark.parametrize("front", ["nginx", "lighttpd"])
def test_a_session_that_ends_at_the_provider_ends_here(directory, front):
    with running(directory, Idpyoidc, front) as site:
        browsers = [Browser() for _ in range(3)]
        for browser in browsers:
            assert site.sign_in(browser).status == 303
        assert signed_in(site, browsers) == [True, True, True]
        token, status, fields, text = site.provider.end(1)
        assert (status, text, fields["Cache-Control"]) == (200, "", "no-store")
        assert signed_in(site, browsers) == [True, False, True]
        (line,) = site.responder.lines_of("signed-out-by-provider")
        assert " sessions=1" in line and "level=info" in line
        _, status, *_ = site.provider.end(0, "&member=yes")
        assert status == 200 and signed_in(site, browsers) == [False] * 3 and not site.responder.sessions()
        line = site.responder.lines_of("signed-out-by-provider")[1]
        assert " sessions=2" in line and re.search(r" subject=127-0-0-1-\S+", line), line
        assert token not in site.responder.settled_log()


@pytest.mark.parametrize("front", ["nginx", "lighttpd"])
def test_a_logout_token_ends_sessions_once_and_at_its_own_address(directory, front):
    with several(directory, {"one": Idpyoidc, "two": Idpyoidc}, front) as site:
        browsers = {name: Browser() for name in site.providers}
        for name, browser in browsers.items():
            assert site.sign_in_at(name, browser).status == 303
        token, status, *_ = site.providers["one"].end(0, "&member=yes")
        assert status == 200
        assert site.sign_in_at("one", browsers["one"]).status == 303
        address = f"{site.url}/oauth/one"
        body = f"logout_token={token}".encode()
        forged = body[:-9] + (b"A" if body[-9:-8] != b"A" else b"B") + body[-8:]
        cases = {
            "logout-token-used": (address, FORM, body),
            "id-token-key": (f"{site.url}/oauth/two", FORM, body),
            "id-token-signature": (address, FORM, forged),
            "id-token-malformed": (address, FORM, body + b"." + body),
        }
        malformed = [(FORM, b""), (FORM, body + b"&" + body), ({"Content-Type": "text/plain"}, body), ({}, body)]
        cases |= {f"logout-token-malformed {i}": (address, *case) for i, case in enumerate(malformed)}
        for reason, (url, fields, sent) in cases.items():
            answer = Browser().request("POST", url, fields, sent)
            assert (answer.status, answer.json["error"]) == (400, "invalid_request"), (reason, answer)
            assert (answer.json["error_description"], answer.header("Cache-Control")) == (reason.split()[0], "no-store")
        assert Browser().request("POST", address, FORM, body + b"&more=" + b"a" * 70_000).status == 413
        assert Browser().get(f"{address}?logout_token={token}").status == 400
        # LinkedIn sends no logout tokens.
        assert Browser().request("POST", f"{site.url}/oauth", FORM, body).status == 405
        assert signed_in(site, browsers.values()) == [True, True]
        reasons = re.findall("event=logout-token-refused .*?reason=([a-z-]+)", site.responder.settled_log())
        assert sorted(reasons) == sorted(name.split()[0] for name in cases), reasons
        assert token not in site.responder.settled_log()


def test_after_a_fault_of_the_store_the_provider_can_send_the_same_token_again(directory):
    with running(directory, Idpyoidc) as site:
        site.responder.expected_errors.append("reason=store-unusable")
        browser = Browser()
        assert site.sign_in(browser).status == 303
        (session,) = site.responder.sessions()
        shard = session.parent
        away = shard.rename(directory / "away")
        shard.touch()
        token, status, fields, text = site.provider.end(0)
        assert (status, fields["Retry-After"], fields["Cache-Control"]) == (503, "30", "no-store")
        assert '"error_description":"store-unusable"' in text
        shard.unlink()
        away.rename(shard)
        assert site.session(browser)["signed_in"]
        answer = Browser().request("POST", f"{site.url}/oauth", FORM, f"logout_token={token}".encode())
        assert answer.status == 200 and not site.session(browser)["signed_in"]


def test_two_hundred_logout_tokens_in_a_second_pass_nginx(directory):
    with running(directory, Idpyoidc, "nginx-limited") as site:
        send = lambda _: Browser().request("POST", f"{site.url}/oauth", FORM, b"logout_token=a.b.c").status
        with ThreadPoolExecutor(20) as pool:
            assert Counter(pool.map(send, range(200))) == {400: 200}

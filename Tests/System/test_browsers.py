"""The site over TLS in three browser engines: Chromium, Firefox and WebKitGTK."""

import json

import pytest

from harness.guarded import SUBJECTS

SIGN_IN = 'a[href="/login"]'
PROFILE = 'a[href="/profile"]'
SIGN_OUT = 'form[action="/logout"] button:not([name])'
ALLOW = 'button[name="decision"][value="allow"]'


@pytest.fixture
def visitor(engine, visited):
    """A browser without cookies of the site."""
    engine.forget_cookies(f"{visited.url}/")
    return engine


def consent(visitor, site, wanted):
    assert visitor.url.startswith(site.simulator.url), visitor.url
    visitor.click(ALLOW)
    visitor.wait_for(lambda: visitor.url == f"{site.url}{wanted}", f"{wanted} shown")


def sign_in(visitor, site):
    visitor.open(f"{site.url}/")
    visitor.click(SIGN_IN)
    consent(visitor, site, "/")


def test_a_visitor_signs_in_sees_the_profile_and_signs_out(visited, visitor, request):
    picture = request.node.callspec.id
    sign_in(visitor, visited)
    visitor.screenshot(f"home-signed-in-{picture}")
    assert "Maya Lindqvist" in visitor.text and visitor.find(SIGN_IN) == []
    cookie = visitor.cookies()["__Host-session"]
    assert (cookie["secure"], cookie["httpOnly"], cookie["path"], cookie["sameSite"]) == (True, True, "/", "Lax")
    assert not [name for name in visitor.cookies() if name.startswith("__Host-signin-")]
    visitor.click(PROFILE)
    visitor.screenshot(f"profile-{picture}")
    assert visitor.one('a[href*="/profile-thirdparty-redirect/"]')
    visitor.open(f"{visited.url}/")
    visitor.click(SIGN_OUT)
    visitor.screenshot(f"signed-out-{picture}")
    assert "__Host-session" not in visitor.cookies() and "Maya" not in visitor.source
    visitor.open(f"{visited.url}/")
    assert visitor.one(SIGN_IN).is_enabled()


def test_a_guarded_page_is_visible_from_sign_in_to_sign_out(visited, visitor):
    visitor.open(f"{visited.url}/private/?a=b%26c")
    consent(visitor, visited, "/private/?a=b%26c")
    assert visitor.heading == "The private page"
    visitor.open(f"{visited.url}/")
    visitor.click(SIGN_OUT)
    visitor.open(f"{visited.url}/private/")
    assert visitor.url.startswith(visited.simulator.url) and "The private page" not in visitor.source


def test_a_rejected_member_gets_the_denied_page(visited, visitor, request):
    visited.responder.expected_errors.append("access-denied")
    visitor.open(f"{visited.url}/denied/")
    consent(visitor, visited, "/denied/")
    visitor.screenshot(f"denied-{request.node.callspec.id}")
    assert "The denied page" not in visitor.source and "help@example.com" in visitor.text
    assert "__Host-session" in visitor.cookies(), "denied, but still signed in"
    visitor.open(f"{visited.url}/private/")
    assert visitor.heading == "The private page"


def test_a_form_posted_without_a_session_is_kept_or_rejected(visited, visitor):
    """With nginx the form is kept during sign-in; lighttpd asks the visitor to sign in first."""
    visitor.open(f"{visited.url}/form.html")
    visitor.click("button")
    if visited.kind == "nginx":
        consent(visitor, visited, "/app/note?a=1")
    else:
        assert visitor.url == f"{visited.url}/app/note?a=1" and visitor.find("pre") == []
        sign_in(visitor, visited)
        visitor.open(f"{visited.url}/form.html")
        visitor.click("button")
    received = dict(json.loads(visitor.one("pre").text)["received"])
    assert (received["REQUEST_METHOD"], received["REMOTE_USER"]) == ("POST", SUBJECTS[1])

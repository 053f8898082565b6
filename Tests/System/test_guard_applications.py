"""Applications in guarded locations, configured as the comments in the printed configuration say."""

import re

import pytest

from harness.browser import NAVIGATION
from harness.guarding import FASTCGI, HTTP, replaced, with_application, within
from harness.raw import NAVIGATING, request, send, status
from harness.recorder import HTTPRecorder, Recorder
from harness.site import from_provider
from harness.webserver import FRONTS

GUARD = ["--location", "/private/", "--require", "email-domain=example.com"]
# Headers that an application could read as X-Auth-Subject.
NAMES = [f"X{first}Auth{second}{name}" for name in ("Subject", "Email", "Name", "Groups") for first in "-_." for second in "-_."]
FORGED = [*NAMES, "x-auth-subject", "X_AUTH_EMAIL", "x.auth.name"]
FORGED_AT_NGINX = [*FORGED, "X!Auth!Subject"]
# nginx ignores a header with _ or . in its name; the configuration rejects one that an application would read.
REFUSED_AT_NGINX = re.compile("x-auth-(subject|email|name|groups)", re.IGNORECASE)


@pytest.fixture(params=FRONTS)
def guarded(request, make_site, directory):
    """A site whose application prints its environment, behind a guard for e-mail addresses at example.com."""
    with Recorder(directory / "application") as application:

        def edit(text):
            return with_application(text, request.param.split("-")[0], "/private/", FASTCGI, application.socket)

        with make_site(front=request.param, guard=GUARD, edit=edit) as site:
            yield site, application


def test_an_application_learns_who_signed_in(guarded):
    site, application = guarded
    browser = site.browser()
    page = f"{site.url}/private/page?a=b%20c"
    answer = browser.get(page)
    assert answer.status == 303 and answer.location.startswith(site.simulator.url), answer
    assert answer.header("Cache-Control") == "no-store"
    assert not application.requests
    back = browser.get(site.consent(answer.location), headers=from_provider())
    assert (back.status, back.location) == (303, "/private/page?a=b%20c")
    answer = browser.follow(back)
    assert answer.header("Cache-Control") in ("no-cache", "max-age=0"), "the application itself sends no cache header"
    environment = answer.json
    assert environment["REQUEST_URI"] == "/private/page?a=b%20c"
    assert environment["REMOTE_USER"] and environment["AUTH_EMAIL"].endswith("@example.com")
    assert environment["AUTH_NAME"] == "Maya Lindqvist"


def test_no_client_header_becomes_an_identity(guarded):
    site, application = guarded
    browser = site.browser()
    site.sign_in(browser)
    genuine = browser.get(f"{site.url}/private/").json
    names = FORGED if site.front == "lighttpd" else FORGED_AT_NGINX
    forged = {name: "forged" for name in [*names, "Proxy", "Remote-User", "Auth-Email"]}
    for headers in (forged, *({name: "forged"} for name in forged)):
        answer = browser.get(f"{site.url}/private/", headers={**NAVIGATION, **headers})
        if site.front == "lighttpd" and set(headers) & set(names):
            assert answer.status == 403, headers
            continue
        is_refused = site.front != "lighttpd" and any(map(REFUSED_AT_NGINX.fullmatch, headers))
        assert (answer.status == 400) == is_refused, headers
        if is_refused:
            continue
        environment = answer.json
        got = {name for name, value in environment.items() if value == "forged"}
        assert got <= {"HTTP_REMOTE_USER", "HTTP_AUTH_EMAIL"}, headers
        for name in ("REMOTE_USER", "AUTH_EMAIL", "AUTH_NAME"):
            assert environment[name] == genuine[name], headers


def test_a_rejected_member_gets_a_page(guarded):
    site, application = guarded
    browser = site.browser()
    site.sign_in(browser, member=3)
    answer = browser.get(f"{site.url}/private/page")
    assert answer.status == 403 and answer.is_html
    assert answer.header("Cache-Control") == "no-store"
    assert not application.requests


def test_only_a_members_large_form_reaches_the_application(guarded):
    site, application = guarded
    browser = site.browser()
    # Larger than any kept form and than the limit of the program's own locations.
    answer = browser.post(f"{site.url}/private/form", {"text": "x" * 500_000})
    assert answer.status == 401 and not application.requests
    site.sign_in(browser)
    answer = browser.post(f"{site.url}/private/form", {"text": "x" * 500_000})
    assert answer.status == 200 and len(application.requests[-1].body) == 500_005


def test_only_nginx_passes_the_identity_to_an_http_application(make_site):
    with HTTPRecorder() as application:

        def edit(text):
            return with_application(text, "nginx", "/private/", HTTP, f"127.0.0.1:{application.port}")

        with make_site(front="nginx", guard=GUARD, edit=edit) as site:
            browser = site.browser()
            assert browser.get(f"{site.url}/private/page").status == 303 and not application.requests
            site.sign_in(browser)
            forged = {name: "forged" for name in [*FORGED_AT_NGINX, "Proxy"]}
            for headers in (forged, *({name: "forged"} for name in forged)):
                answer = browser.get(f"{site.url}/private/page", headers={**NAVIGATION, **headers})
                assert (answer.status == 400) == any(map(REFUSED_AT_NGINX.fullmatch, headers)), headers
                if answer.status == 400:
                    continue
                got = answer.json
                assert "forged" not in [value for _, value in got], headers
                fields = dict(got)
                assert fields["X-Auth-Subject"] and fields["X-Auth-Email"] == "maya.lindqvist@example.com"
                assert fields["X-Auth-Name"] == "Maya Lindqvist"


def test_a_page_of_the_program_replaces_the_guarded_page(make_site):
    def edit(text):
        return within(text, "nginx", "/private/", "    error_page 403", "    error_page 404 = /;\n    error_page 403")

    with make_site(front="nginx", guard=GUARD, edit=edit) as site:
        browser = site.browser()
        site.sign_in(browser)
        answer = browser.get(f"{site.url}/private/none", headers=NAVIGATION)
        assert answer.status == 200 and answer.is_html and "/logout" in answer.text


def test_an_open_location_of_the_application_gets_no_identity_and_no_guarded_path(make_site):
    with HTTPRecorder() as application:
        proxy = f"proxy_pass http://127.0.0.1:{application.port};"

        def edit(text):
            text = with_application(text, "nginx", "/private/", HTTP, f"127.0.0.1:{application.port}")
            return replaced(text, "    root ", f"    location /open/ {{ {proxy} }}\n    root ")

        with make_site(front="nginx", guard=GUARD, edit=edit) as site:
            received = site.browser().get(f"{site.url}/open/", headers=NAVIGATION).json
            assert received
            for name in ("X-Auth-Subject", "x-auth-email", "X-AUTH-NAME"):
                for value in ("forged", "0"):
                    assert site.browser().get(f"{site.url}/open/", headers={**NAVIGATION, name: value}).status == 400
            for way in ("..%2f..%2f", "../../", "%2e%2e/%2e%2e/", "..\\..\\", "..%5c..%5c", ".%2E%2F.%2e%2F", "..;/..;/"):
                target = f"/private/a/{way}open/"
                answer = send(site.port, request(target, NAVIGATING))
                assert status(answer) == 400, target
            assert len(application.requests) == 1

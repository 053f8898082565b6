"""The exact header fields of every kind of response, and the parts of a request that can change them."""

import re

import pytest

from harness.browser import NAVIGATION, SCRIPT
from harness.process import REPOSITORY
from harness.site import SESSION, from_provider

COMMON = ["Cache-Control", "X-Content-Type-Options", "Referrer-Policy"]
PAGE = ["Content-Type", "Content-Language", "Vary", "Content-Security-Policy", "X-Frame-Options", *COMMON]
JSON = ["Content-Type", "Cross-Origin-Resource-Policy", "Vary", *COMMON]
REDIRECT = ["Location", *COMMON]
VALUES = {
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY",
    "Clear-Site-Data": '"cache"',
    "Cross-Origin-Resource-Policy": "same-origin",
}
OURS = {"Sec-Fetch-Site": "same-origin"}
# method, path, headers, status, the fields of the response except Content-Length
ANSWERS = [
    ("GET", "/", NAVIGATION, 200, PAGE),
    ("HEAD", "/", NAVIGATION, 200, PAGE),
    ("GET", "/logout?return_to=/a", NAVIGATION, 200, PAGE),
    ("GET", "/login", NAVIGATION, 303, [*REDIRECT, "Set-Cookie"]),
    ("HEAD", "/login", NAVIGATION, 303, REDIRECT),
    ("GET", "/oauth", NAVIGATION, 400, PAGE),
    ("GET", "/oauth?code=a&state=b", NAVIGATION, 400, PAGE),
    ("GET", "/oauth?error=access_denied&state=b", SCRIPT, 400, JSON),
    ("HEAD", "/oauth?code=a&state=b", NAVIGATION, 303, REDIRECT),
    ("GET", "/profile", NAVIGATION, 303, REDIRECT),
    ("GET", "/profile", SCRIPT, 401, [*JSON, "WWW-Authenticate"]),
    ("POST", "/logout", {**NAVIGATION, **OURS}, 303, [*REDIRECT, "Set-Cookie", "Clear-Site-Data"]),
    ("POST", "/logout", {**NAVIGATION, "Sec-Fetch-Site": "cross-site"}, 403, PAGE),
    ("GET", "/logout", NAVIGATION, 200, PAGE),
    ("GET", "/forget", NAVIGATION, 303, REDIRECT),
    ("GET", "/forget", SCRIPT, 401, [*JSON, "WWW-Authenticate"]),
    ("GET", "/forget", {**NAVIGATION, "Cookie": "__Host-ended=1-0"}, 200, PAGE),
    ("POST", "/forget", {**NAVIGATION, **OURS}, 401, [*PAGE, "WWW-Authenticate"]),
    ("POST", "/forget", {**NAVIGATION, "Sec-Fetch-Site": "cross-site"}, 403, PAGE),
    ("GET", "/tokens", NAVIGATION, 404, PAGE),
    ("GET", "/language?tag=de", NAVIGATION, 303, [*REDIRECT, "Set-Cookie"]),
    ("HEAD", "/language?tag=de", NAVIGATION, 303, REDIRECT),
    ("GET", "/language?tag=xx", NAVIGATION, 404, PAGE),
    ("POST", "/resume", {**NAVIGATION, "Sec-Fetch-Site": "cross-site"}, 403, PAGE),
    ("POST", "/tokens", {**NAVIGATION, **OURS}, 404, PAGE),
    ("OPTIONS", "/login", SCRIPT, 405, [*JSON, "Allow"]),
    ("TRACE", "/profile", NAVIGATION, 405, [*PAGE, "Allow"]),
    ("GET", "/nothing", NAVIGATION, 404, PAGE),
    ("GET", "/nothing", SCRIPT, 404, JSON),
]


# For requests that do not pass the web server.
DIRECTLY = pytest.mark.parametrize("shared_site", ["nginx"], indirect=True)


def fields(answer):
    """The names of the fields, sorted."""
    return sorted(name for name, _ in answer.headers if name != "Content-Length")


@DIRECTLY
@pytest.mark.parametrize("method, path, headers, status, names", ANSWERS, ids=[" ".join(map(str, a[:2])) for a in ANSWERS])
def test_each_response_has_exactly_its_header_fields(shared_site, method, path, headers, status, names):
    answer = shared_site.responder.ask(path, method, headers=headers)
    assert answer.status == status
    assert fields(answer) == sorted(names)
    # Without a referrer, the `Origin` of the form on a page would be `null`.
    values = {**VALUES, "Referrer-Policy": "same-origin"} if "<form" in answer.text else VALUES
    for name, value in answer.headers:
        assert values.get(name, value) == value
    if "Vary" in names:
        assert answer.header("Vary") == ("Accept, Accept-Language, Cookie" if "Content-Language" in names else "Accept, Cookie")
    if names[0] == "Content-Type" and "Content-Security-Policy" in names:
        policy = set(answer.header("Content-Security-Policy").split("; "))
        assert {"default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'self'"} <= policy


BREAKING = ["%0d%0aX-Evil:%20y", "%0aX-Evil:%20y", "%0dX-Evil:%20y", "%00", "%c4%8aX-Evil:y", "%e2%80%a8X-Evil:y"]
BREAKING += ["%c0%8aX-Evil:y", "%e5%98%8a%e5%98%8dX-Evil:y", "%250d%250aX-Evil:y", "%7f", "%1b[31m", "\r\nX-Evil: y"]


@DIRECTLY
@pytest.mark.parametrize("value", BREAKING)
@pytest.mark.parametrize("path", ["/login?return_to=/a", "/oauth?code=a&state=", "/oauth?state=a&code=", "/oauth?state=a&error="])
def test_a_control_character_cannot_add_a_header_field(shared_site, path, value):
    answer = shared_site.responder.ask(path + value, headers={**NAVIGATION, "Accept-Language": f"en{value}"})
    expected = [*REDIRECT, "Set-Cookie"] if path.startswith("/login") else PAGE
    assert fields(answer) == sorted(expected)
    assert not [value for _, value in answer.headers if "X-Evil" in value]
    assert answer.status == (303 if path.startswith("/login") else 400)


def test_every_redirect_of_a_sign_in_is_303(each_site):
    browser = each_site.browser()
    answers = [each_site.sign_in(browser), each_site.sign_out(browser), browser.get(f"{each_site.url}/profile")]
    answers.append(browser.get(f"{each_site.url}/login"))
    assert [answer.status for answer in answers] == [303] * 4
    for answer in answers[:3]:
        assert answer.header("Cache-Control") == "no-store" and answer.header("Referrer-Policy") == "no-referrer"
        assert not re.search("code=|state=|token", answer.location)


# Variables that a visitor can set in a web server's default configuration, and that other programs have trusted.
FORGED = """
    HTTP_HOST HTTP_FORWARDED HTTP_X_FORWARDED_FOR HTTP_X_FORWARDED_HOST HTTP_X_FORWARDED_PROTO HTTP_X_FORWARDED_PORT
    HTTP_X_FORWARDED_PREFIX HTTP_X_FORWARDED_URI HTTP_X_FORWARDED_USER HTTP_X_REAL_IP HTTP_X_ORIGINAL_URL HTTP_X_REWRITE_URL
    HTTP_X_ORIGINAL_METHOD HTTP_X_HTTP_METHOD_OVERRIDE HTTP_X_METHOD_OVERRIDE HTTP_PROXY HTTP_AUTHORIZATION HTTP_REFERER
    HTTP_USER_AGENT HTTP_VIA HTTP_X_AUTH_USER HTTP_X_REMOTE_USER HTTP_REMOTE_USER HTTP_SIGNIN_REQUIRE HTTP_SIGNIN_BASE_URL
    HTTP_X_REQUESTED_WITH HTTP_SEC_FETCH_USER HTTP_UPGRADE HTTP_RANGE HTTP_IF_NONE_MATCH SERVER_NAME
    REMOTE_USER AUTH_TYPE PATH_TRANSLATED DOCUMENT_ROOT SCRIPT_FILENAME HTTPS
""".split()


def plain(answer):
    """A response without the parts that differ in each response."""
    headers = [(name, re.sub("state=[^&]*", "", value)) for name, value in answer.headers if name != "Set-Cookie"]
    return answer.status, headers, re.sub(rb"<code>[0-9a-f]{8}</code>|\b[0-9a-f]{16}\b", b"", answer.body)


@DIRECTLY
@pytest.mark.parametrize("method, path", [("GET", "/"), ("GET", "/login"), ("GET", "/profile"), ("GET", "/oauth?code=a"), ("POST", "/logout")])
def test_forged_cgi_variables_change_nothing(shared_site, method, path):
    ask = shared_site.responder.ask
    expected = plain(ask(path, method, headers=NAVIGATION))
    for name in FORGED:
        for value in ("https://evil.example/login", "POST", "127.0.0.1"):
            assert plain(ask(path, method, headers=NAVIGATION, extra={name: value})) == expected, name


def test_forged_cgi_variables_open_no_session(site):
    browser = site.browser()
    site.sign_in(browser)
    ticket = browser.jar["localhost"][SESSION]
    for name in FORGED + ["HTTP_X_SESSION", "SIGNIN_SESSION"]:
        forged = {name: f"{SESSION}={ticket}"}
        assert site.responder.ask("/profile", headers=SCRIPT, extra=forged).status == 401, name
    assert site.responder.ask("/profile", headers={**SCRIPT, "Cookie": f"{SESSION}={ticket}"}).status == 200


PROGRAM = [path.name for path in (REPOSITORY / "Sources").iterdir() if path.name != "linkedin-simulator"]


def source(*names):
    return "\n".join(path.read_text() for name in names for path in sorted((REPOSITORY / "Sources" / name).rglob("*.swift")))


def test_no_other_request_header_is_read():
    listed = re.search(r"readHeaders: \[HeaderName\] = \[(.*?)\]", source("HTTP"), re.DOTALL)[1]
    listed = set(re.findall(r"\.(\w+)", listed))
    read = set(re.findall(r"\brequest\.headers\[\.(\w+)\]", source(*PROGRAM)))
    for path in ("SignIn/Requests/Request+Representation.swift", "Guard/Request+Preflight.swift"):
        read |= set(re.findall(r"\bheaders\[\.(\w+)\]", (REPOSITORY / "Sources" / path).read_text()))
    # The FastCGI server copies Authorization only for `POST /session`, or if it begins like one with a personal token.
    read.remove("authorization")
    assert {"accept", "acceptLanguage", "secFetchSite", "origin"} <= read <= listed
    # Headers about forwarding, hosts and credentials are on no list, so the program cannot read them by accident.
    known = "accept acceptLanguage contentType origin purpose referer secFetchDest secFetchMode secFetchSite secPurpose"
    # A preflight names a method; no other header may turn a request into a preflight.
    known += " accessControlRequestMethod xHTTPMethod xHTTPMethodOverride xMethodOverride"
    assert listed <= set(f"{known} userAgent xRequestedWith".split())
    # The doctor sends requests, and the review of web servers names variables; both read no request.
    variables = set(re.findall(r'"((?:HTTP|SERVER|REMOTE)_\w*)"', source(*(name for name in PROGRAM if name not in ("Diagnosis", "WebServerConfiguration")))))
    # Authorization is read only if it begins like a personal token, and for POST /session.
    credentials = {"HTTP_COOKIE", "HTTP_AUTHORIZATION"}
    # A field that announces a body can only keep a request from being a preflight.
    assert variables == {"HTTP_", "REMOTE_ADDR", "HTTP_CONTENT_LENGTH", "HTTP_TRANSFER_ENCODING", *credentials}
    assert "remoteAddress" in source("SignIn")
    uses = re.findall(r"^.*request\.remoteAddress.*$", source("SignIn"), re.MULTILINE)
    # For the log, and to name the client of a kept form to the application.
    allowed = ('("remote", request.remoteAddress)', "append(.xForwardedFor, request.remoteAddress)")
    assert uses and all(any(use in line for use in allowed) for line in uses)


def test_the_response_to_a_forged_state_does_not_depend_on_the_error_text(shared_site):
    query = "?error=access_denied&error_description=%3Cb%3Ecanary%3C/b%3E&error_uri=https://canary.example&state=x"
    answer = shared_site.browser().get(f"{shared_site.url}/oauth{query}", headers=from_provider())
    assert answer.status == 400 and "canary" not in answer.text

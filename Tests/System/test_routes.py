"""Every route with every kind of request behind every web server."""

from urllib.parse import parse_qs, urlsplit

import pytest

from harness.browser import NAVIGATION, SCRIPT

# nginx accepts a header block of at least one memory page.
HEADER_LIMIT = 3_584
POLICY = {"default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'self'"}

# nginx has the same locations with and without kept connections.
BY_LOCATION = pytest.mark.parametrize("shared_site", ["nginx", "lighttpd"], indirect=True)
# For requests that do not pass the web server.
DIRECTLY = pytest.mark.parametrize("shared_site", ["nginx"], indirect=True)


def check_html(answer):
    """Checks the header fields of every page."""
    assert answer.is_html and "charset=utf-8" in answer.header("Content-Type").lower(), answer.headers
    policy = {directive.strip() for directive in answer.header("Content-Security-Policy").split(";")}
    assert POLICY <= policy, policy
    assert not any("unsafe" in directive for directive in policy), policy
    # LinkedIn's pictures come from several hosts of one domain; no other source has a wildcard.
    assert [directive for directive in policy if "*" in directive] == ["img-src data: https://*.licdn.com"], policy
    assert answer.header("X-Content-Type-Options") == "nosniff"
    assert answer.header("X-Frame-Options") == "DENY"
    assert answer.header("Referrer-Policy") == ("same-origin" if "<form" in answer.text else "no-referrer")
    check_any(answer)


def check_any(answer):
    assert answer.header("Cache-Control") == "no-store"
    assert not [name for name, _ in answer.headers if name.lower().startswith("access-control-")]
    assert answer.header("Server") is None or "/" not in answer.header("Server")
    assert answer.header("X-Powered-By") is None
    assert answer.header_size < HEADER_LIMIT


def signed_in(site):
    browser = site.browser()
    assert site.sign_in(browser).status == 303
    return browser


@pytest.mark.parametrize("headers", [NAVIGATION, SCRIPT], ids=["navigation", "script"])
def test_the_home_page_is_for_everyone(shared_site, headers):
    answer = shared_site.browser().get(f"{shared_site.url}/", headers)
    assert answer.status == 200
    check_html(answer)
    assert not answer.set_cookies


def test_a_member_gets_the_home_page_too(shared_site):
    answer = signed_in(shared_site).get(f"{shared_site.url}/")
    assert answer.status == 200 and "Maya Lindqvist" in answer.text
    check_html(answer)


@pytest.mark.parametrize("headers", [NAVIGATION, {"Accept": "*/*"}], ids=["navigation", "curl"])
def test_login_leads_to_the_provider(shared_site, headers):
    answer = shared_site.browser().get(f"{shared_site.url}/login", headers)
    assert answer.status == 303
    check_any(answer)
    query = parse_qs(urlsplit(answer.location).query, strict_parsing=True)
    assert set(query) == {"response_type", "client_id", "redirect_uri", "state", "scope"}
    assert all(len(values) == 1 for values in query.values())
    assert query["redirect_uri"] == [f"{shared_site.url}/oauth"]
    assert len(query["state"][0]) >= 22
    (cookie,) = answer.set_cookies.values()
    assert cookie[1] == {"max-age": "3600", "path": "/", "secure": "", "httponly": "", "samesite": "Lax"}


def test_login_ignores_other_parameters(shared_site):
    forged = "?redirect_uri=https://evil.example&client_id=x&scope=admin&state=fixed&response_type=token&prompt=none"
    answer = shared_site.browser().get(f"{shared_site.url}/login{forged}")
    query = parse_qs(urlsplit(answer.location).query)
    assert "evil" not in answer.location and "fixed" not in answer.location and "admin" not in answer.location
    assert query["client_id"] == ["demo"] and "prompt" not in query


def test_head_of_login_starts_no_sign_in(shared_site):
    answer = shared_site.browser().get(f"{shared_site.url}/login", method="HEAD")
    assert answer.status == 303
    assert answer.body == b"" and not answer.set_cookies


@pytest.mark.parametrize("path", ["/", "/profile"])
def test_head_is_get_without_a_body(shared_site, path):
    browser = signed_in(shared_site)
    head = browser.get(f"{shared_site.url}{path}", method="HEAD")
    full = browser.get(f"{shared_site.url}{path}")
    assert head.status == full.status == 200
    assert head.body == b"" and full.body
    changing = {"date", "content-length", "transfer-encoding", "connection", "x-request-id"}
    names = [{name.lower() for name, _ in answer.headers} - changing for answer in (head, full)]
    assert names[0] == names[1]


def test_profile_leads_a_visitor_to_sign_in(shared_site):
    answer = shared_site.browser().get(f"{shared_site.url}/profile")
    assert answer.status == 303
    target = urlsplit(answer.location)
    assert target.path == "/login" and parse_qs(target.query).get("return_to") == ["/profile"]
    check_any(answer)


def test_profile_answers_401_to_a_script_without_a_session(shared_site):
    answer = shared_site.browser().get(f"{shared_site.url}/profile", SCRIPT)
    assert answer.status == 401
    assert answer.json
    assert not answer.set_cookies
    check_any(answer)


def test_profile_shows_the_member(shared_site):
    browser = signed_in(shared_site)
    page = browser.get(f"{shared_site.url}/profile")
    assert page.status == 200 and "Maya Lindqvist" in page.text
    check_html(page)
    data = browser.get(f"{shared_site.url}/profile", SCRIPT)
    assert data.status == 200
    assert "Maya Lindqvist" in str(data.json) and "/profile-thirdparty-redirect/" in str(data.json)
    check_any(data)


def test_logout_without_a_session_changes_nothing(shared_site):
    answer = shared_site.sign_out(shared_site.browser())
    assert answer.status == 303
    check_any(answer)


MALFORMED = [
    "",
    "?code=a",
    "?state=s",
    "?code=&state=s",
    "?code=a&code=b&state=s",
    "?state=a&state=b&code=c",
    "?code=a&state=s&error=access_denied",
    "?error=access_denied",
    "?error=user_cancelled_login&state=unknown",
    "?code=a&state=unknown",
    "?code=a&state=" + "s" * 3000,
    "?code=" + "c" * 6000 + "&state=s",
]
# lighttpd itself rejects these two.
UNREADABLE = ["?code=%00&state=%0d%0aSet-Cookie:x=y", "?code=%ff&state=%ff"]


@BY_LOCATION
@pytest.mark.parametrize("query", MALFORMED, ids=range(len(MALFORMED)))
def test_an_unexpected_callback_is_rejected(shared_site, query):
    before = len(shared_site.simulator.requests("token"))
    answer = shared_site.browser().get(f"{shared_site.url}/oauth{query}")
    assert answer.status == 400
    check_html(answer)
    assert "__Host-session" not in answer.set_cookies
    assert len(shared_site.simulator.requests("token")) == before


@BY_LOCATION
@pytest.mark.parametrize("query", UNREADABLE)
def test_a_callback_that_is_not_text_is_rejected(shared_site, query):
    assert shared_site.browser().get(f"{shared_site.url}/oauth{query}").status == 400
    answer = shared_site.responder.ask(f"/oauth{query}")
    assert answer.status == 400
    check_html(answer)


WRONG = [("/", "POST"), ("/login", "POST"), ("/oauth", "POST"), ("/profile", "POST")]
WRONG += [(path, method) for path in ("/", "/login", "/oauth", "/profile", "/logout", "/forget") for method in ("PUT", "DELETE")]


@BY_LOCATION
@pytest.mark.parametrize("path, method", WRONG)
def test_a_wrong_method_gets_405_with_allow(shared_site, path, method):
    browser = signed_in(shared_site)
    answer = browser.request(method, f"{shared_site.url}{path}", {**NAVIGATION, "Origin": shared_site.url}, b"")
    assert answer.status == 405
    allowed = {name.strip() for name in answer.header("Allow").split(",")}
    assert allowed == ({"GET", "HEAD", "POST"} if path in ("/logout", "/forget") else {"GET", "HEAD"})
    check_html(answer)
    assert shared_site.is_signed_in(browser)


UNKNOWN = ["/nothing", "/login/", "/login;x", "/LOGIN", "/Login", "/loginx", "/login.html", "/login%20", "/login%2f"]
UNKNOWN += ["/oauth/", "/oauth;x", "/profile/", "/profile;x", "/logout/", "/login%0a", "/login%00", "/login%ff"]
UNKNOWN += ["/profile/..%2flogin%2f", "/%e2%80%a8login", "/.login", "/login%3freturn_to=x", "/sessions"]
UNKNOWN += ["/oauth/callback", "/auth", "/forget/", "/FORGET"]


@BY_LOCATION
@pytest.mark.parametrize("path", UNKNOWN)
def test_only_the_exact_paths_are_routes(shared_site, path):
    answer = signed_in(shared_site).get(f"{shared_site.url}{path}")
    assert answer.status in (400, 404)
    assert not answer.set_cookies and answer.location is None


@pytest.mark.parametrize("path", ["/%6cogin", "/x/../login", "/./login", "/lo%67in"])
def test_escaped_spellings_reach_the_same_route(shared_site, path):
    answer = shared_site.browser().get(f"{shared_site.url}{path}")
    if "/." in path:
        assert answer.status == 400 and not answer.set_cookies, "a path with dot segments is rejected"
    else:
        assert answer.status == 303 and answer.location.startswith(shared_site.simulator.url)


DIRECT = ["/nothing", "/login/", "/LOGIN", "/login;x", "/loginx", "/login//", "//login", "/oauth/", "/profile/x"]


@DIRECTLY
@pytest.mark.parametrize("path", DIRECT)
def test_the_program_itself_knows_only_the_exact_paths(shared_site, path):
    answer = shared_site.responder.ask(path, headers=NAVIGATION)
    assert answer.status == 404
    check_html(answer)


@DIRECTLY
@pytest.mark.parametrize("path", ["/nothing", "/login/"])
def test_an_unknown_path_is_404_for_every_method(shared_site, path):
    for method in ("POST", "PUT", "DELETE", "OPTIONS", "HEAD"):
        answer = shared_site.responder.ask(path, method)
        assert answer.status == 404 and (method != "HEAD" or answer.body == b"")


def test_the_host_header_has_no_effect(shared_site):
    forged = {**NAVIGATION, "Host": "evil.example", "X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "gopher"}
    for path in ("/", "/login", "/profile", "/oauth?code=a"):
        answer = shared_site.browser().get(f"{shared_site.url}{path}", forged)
        assert "evil.example" not in str(answer.headers) and b"evil.example" not in answer.body


def test_large_cookies_and_queries_get_a_response(shared_site):
    # A return address beyond the limit is explained instead of dropped.
    for size, status in ((1_000, 303), (3_900, 414)):
        headers = {**NAVIGATION, "Cookie": "__Host-session=" + "a" * size}
        assert shared_site.browser().get(f"{shared_site.url}/", headers).status == 200
        assert shared_site.browser().get(f"{shared_site.url}/login?return_to=/{'a' * size}").status == status

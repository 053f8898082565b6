"""`doctor --url`: each fault of a web server's configuration is made once, behind nginx and lighttpd, and named."""

import base64
import re
import subprocess

import pytest

from harness.code_blocks import code_blocks
from harness.doctor import THIS_MONTH, USER, diagnose
from harness.guarding import replaced
from harness.process import BINARIES, REPOSITORY, free_port, surroundings

GUARD = ["--location", "/private/", "--require", "member"]
SETTINGS = {"LINKEDIN_VERSION": THIS_MONTH}
FRONTS = ["nginx", "lighttpd"]


@pytest.fixture
def make(make_site):
    """Makes a site with a guarded file and an open one, with an edited configuration."""

    def make(front="nginx", edit=lambda text: text, **options):
        options.setdefault("settings", SETTINGS)
        site = make_site(front=front, guard=GUARD, edit=edit, **options)
        root = site.directory / "front/site"
        for name in ("private", "open"):
            (root / name).mkdir(parents=True, exist_ok=True)
            (root / name / "a.txt").write_text(f"the file in {name}")
        return site

    return make


def look(site, *options, url=None, **keywords):
    return diagnose(site.responder, "--url", url or site.url, *options, **keywords)


def unchecked(found):
    """What the findings `not-checked` say."""
    return [finding["what"] for finding in found.report["findings"] if finding["code"] == "not-checked"]


def without_comments(text, old, new):
    """The configuration with another text in place of one that occurs once outside of comments."""
    lines = [line for line in text.splitlines(keepends=True) if line.strip() == old]
    assert len(lines) == 1, lines
    return text.replace(lines[0], lines[0].replace(old, new))


def within(text, opening, line):
    """The configuration with a line after the opening of a block."""
    found = re.findall(rf"^ *{re.escape(opening)}\n", text, re.MULTILINE)
    assert len(found) == 1, found
    return text.replace(found[0], found[0] + line + "\n")


@pytest.mark.parametrize("front", ["nginx", "nginx-kept", "lighttpd"])
def test_nothing_is_wrong_with_the_printed_configuration(make, front):
    with make(front) as site:
        found = look(site, "--guarded", "/private/a.txt", "--guarded", "/private/")
        passed = {entry["subject"]: entry["what"] for entry in found.report["passed"]}
    assert (found.status, found.faults) == (0, set()), found.text
    application = "whether the application gets REMOTE_USER from a member's client, as with curl -u name:x, cannot be seen without a session"
    application += ": name a file with a session by --cookie-file"
    redirect = f"LinkedIn does not say which redirect URLs are registered; this one must be, byte for byte: {site.url}/oauth"
    assert sorted(unchecked(found)) == sorted([application, redirect])
    (finding,) = [finding for finding in found.report["findings"] if finding["what"] == application]
    assert finding["subject"] == f"{site.url}/private/a.txt with a password, {site.url}/private/ with a password"
    assert f"check --{front.split('-')[0]} -" in finding["remedies"][0]
    assert passed[f"{site.url}/oauth"] == "the sign-in cookie and the query come back"
    assert "the whole body arrive" in passed[f"POST {site.url}/login"]
    assert "rejected" in passed["identity headers"]
    assert "other spellings" in passed[f"{site.url}/private/a.txt"]


def test_a_site_over_tls_is_looked_at(make, certificate):
    with make(certificate=certificate, settings={**SETTINGS, "SIGNIN_CA_FILE": f"{certificate}.pem"}) as site:
        found = look(site, "--guarded", "/private/")
        assert found.faults == {"certificate-ending"}, found.text
        found = look(site, changes={"SIGNIN_CA_FILE": None})
        assert found.faults == {"endpoint-untrusted"}, found.text
        first, second = found.finding("endpoint-untrusted")["remedies"]
        assert first.startswith("browsers reject this certificate") and "--ca-file" in second
        found = look(site, "--ca-file", f"{certificate}.pem", changes={"SIGNIN_CA_FILE": None})
        assert found.faults == {"certificate-ending"}, found.text
        found = look(site, url=f"http://localhost:{site.server.plain_port}")
        assert found.faults == {"certificate-ending"}, found.text
        assert any(entry["what"] == f"redirects to {site.url}" for entry in found.report["passed"])


def test_a_redirect_to_another_name_is_a_fault(make):
    edit = lambda text: within(text, "location = /login {", "return 301 http://www.example.com$request_uri;")  # noqa: E731
    with make(edit=edit) as site:
        found = look(site)
    assert found.faults == {"site-other-address"}
    assert "redirects to http://www.example.com;" in found.finding("site-other-address")["what"]


def test_the_program_describes_requests_with_a_key_in_the_database(make, database, directory):
    store = {"SIGNIN_STORE": database.address("signin"), "SIGNIN_STORE_KEY": base64.urlsafe_b64encode(bytes(32)).decode().rstrip("=")}
    with make(settings={**SETTINGS, **store}) as site:
        found = look(site)
    assert found.faults == set(), found.text
    assert any("whole body" in entry["what"] for entry in found.report["passed"])


def test_a_site_that_does_not_run_is_a_fault(make):
    with make() as site:
        found = look(site, url=f"http://localhost:{free_port()}")
    assert found.faults == {"site-unreachable"}


def test_a_site_under_another_name_is_a_fault(make):
    with make() as site:
        found = look(site, url=f"http://127.0.0.1:{site.port}")
    assert found.faults == {"site-other-address"} and site.url in found.finding("site-other-address")["what"]
    assert f"the proof of the server key is sent only to {site.url}" in unchecked(found)


@pytest.mark.parametrize("front", FRONTS)
def test_a_web_server_that_asks_at_another_socket_is_a_fault(make, front):
    with make(front, lambda text: re.sub(r"[^ :\"]*/socket\b", "/nonexistent/socket", text)) as site:
        site.server.expected_errors.append("")
        found = look(site)
    assert found.faults == {"site-gateway"}, found.text
    assert "socket" in found.finding("site-gateway")["remedies"][0]


@pytest.mark.parametrize("front, old, new", [("nginx", "location = /login {", "location = /signin {"), ("lighttpd", "^/(login|", "^/(signin|")])
def test_a_path_that_the_web_server_keeps_is_a_fault(make, front, old, new):
    with make(front, lambda text: replaced(text, old, new)) as site:
        found = look(site)
    assert found.faults == {"site-route-missing"} and "HTTP 404" in found.finding("site-route-missing")["what"]
    assert f"print-config {front}" in found.finding("site-route-missing")["remedies"][0]


def test_another_site_behind_the_address_is_a_fault(make):
    with make() as site:
        found = look(site, changes={"LINKEDIN_CLIENT_ID": "other"})
    assert "site-other-program" in found.faults and "“demo”" in found.finding("site-other-program")["what"]
    assert "the socket of SIGNIN_LISTEN" in found.finding("site-other-program")["remedies"][0]


LOSING = {
    "nginx-answer": ("nginx", lambda text: within(text, "location = /login {", "fastcgi_hide_header Set-Cookie;")),
    "nginx-request": ("nginx", lambda text: within(text, "location = /oauth {", "fastcgi_pass_request_headers off;")),
    "nginx-inherited-request": ("nginx", lambda text: within(text, "http {", "fastcgi_pass_request_headers off;")),
    "lighttpd-answer": ("lighttpd", lambda text: text + '$HTTP["url"] == "/login" { setenv.set-response-header = ( "Set-Cookie" => "" ) }\n'),
    "lighttpd-request": ("lighttpd", lambda text: text + '$HTTP["url"] == "/oauth" { setenv.set-request-header = ( "Cookie" => "" ) }\n'),
}


@pytest.mark.parametrize("kind", LOSING)
def test_a_lost_cookie_is_found(make, kind):
    front, edit = LOSING[kind]
    with make(front, edit) as site:
        found = look(site)
    assert found.faults == {"cookie-lost"}, found.text
    assert ("the response has no" in found.finding("cookie-lost")["what"]) == kind.endswith("answer")
    assert front == "lighttpd" or found.finding("cookie-lost")["remedies"][0].endswith(" and the blocks around it")


@pytest.mark.parametrize("line", ["auth_basic Staff; auth_basic_user_file /dev/null;", "deny all;"])
def test_a_password_or_an_address_that_the_web_server_rejects_at_the_sign_in_is_named(make, line):
    with make(edit=lambda text: within(text, "http {", line)) as site:
        site.server.expected_errors.append("access forbidden by rule")
        found = look(site)
    assert found.faults == {"site-route-missing"} and "remove auth_basic and deny" in found.finding("site-route-missing")["remedies"][0]


def test_a_changed_cookie_is_found(make):
    outer = free_port()
    front = f"""
    server {{
        listen 127.0.0.1:{outer};
        location / {{
            proxy_pass http://127.0.0.1:%d;
            proxy_set_header Host $http_host;
            proxy_cookie_flags ~ nosecure samesite=none;
        }}
    }}
}}
"""
    with make(edit=lambda text: text.rstrip().removesuffix("}") + front % port_of(text)) as site:
        found = look(site, url=f"http://localhost:{outer}")
    assert found.faults == {"site-other-address", "cookie-changed"}, found.text
    assert "samesite=none instead of" in found.finding("cookie-changed")["what"]


def test_an_uncorrected_address_behind_a_proxy_is_a_warning(make):
    with make(edit=lambda text: within(text, "location = /login {", "fastcgi_param HTTP_X_FORWARDED_FOR 192.0.2.1; " + parameters(text))) as site:
        found = look(site)
    assert (found.status, found.faults) == (1, {"address-shared"}), found.text
    assert "HTTP_X_FORWARDED_FOR" in found.finding("address-shared")["what"]


def parameters(text):
    """The parameters of the program, which a location with one of its own does not inherit."""
    return " ".join(re.findall(r"^ {8}(fastcgi_param .*;)$", text, re.MULTILINE))


def port_of(text):
    return int(re.search(r"listen 127\.0\.0\.1:(\d+)", text)[1])


LOST_QUERY = {
    "nginx": lambda text: without_comments(text, "fastcgi_param QUERY_STRING $query_string;", ""),
    "lighttpd": lambda text: replaced(text, '"mod_access",', '"mod_rewrite",\n    "mod_access",')
    + 'url.rewrite-once = ( "^/oauth" => "/oauth" )\n',
}


@pytest.mark.parametrize("front", FRONTS)
def test_a_lost_query_is_found(make, front):
    with make(front, LOST_QUERY[front]) as site:
        found = look(site)
    assert "query-lost" in found.faults and found.faults <= {"query-lost", "parameters-missing"}, found.text


def test_a_lost_body_is_found(make):
    with make(edit=lambda text: within(text, "location = /login {", "fastcgi_pass_request_body off;")) as site:
        found = look(site)
    assert found.faults == {"body-lost"} and found.finding("body-lost")["what"] == "0 of 3000 bytes arrived"


SMALL = {
    "nginx-answer": ("nginx", lambda text: within(text, "location = /login {", "fastcgi_buffer_size 1k; fastcgi_buffers 4 1k;")),
    "nginx-request": ("nginx", lambda text: replaced(text, "server_tokens off;", "server_tokens off; large_client_header_buffers 4 1k; client_header_buffer_size 1k;")),
    "lighttpd": ("lighttpd", lambda text: text + "server.max-request-field-size = 1024\n"),
}


@pytest.mark.parametrize("kind", SMALL)
def test_small_buffers_are_found(make, kind):
    front, edit = SMALL[kind]
    with make(front, edit) as site:
        site.server.expected_errors += ["upstream sent too big header", "oversized", "request"]
        found = look(site)
    assert "buffers-small" in found.faults, found.text


@pytest.mark.parametrize("answer, words", [("444", "no response"), ("429", "HTTP 429"), ("503", "HTTP 503")])
def test_a_long_header_without_a_clear_answer_is_not_checked(make, answer, words):
    with make(edit=lambda text: within(text, "location = /login {", f'if ($arg_return_to) {{ return {answer}; }}')) as site:
        found = look(site)
        passed = [entry["subject"] for entry in found.report["passed"]]
    assert found.faults == set() and any(words in what for what in unchecked(found)), found.text
    assert f"{site.url}/login?return_to=…" not in passed


PARAMETERS = [
    ("fastcgi_param REMOTE_ADDR $remote_addr;", "", "parameters-missing", "missing: REMOTE_ADDR"),
    ("fastcgi_param REQUEST_URI $request_uri;", "", "parameters-missing", "missing: REQUEST_URI"),
    ("fastcgi_param CONTENT_TYPE $content_type;", "", "parameters-missing", "missing: CONTENT_TYPE"),
    ("fastcgi_param SCRIPT_NAME $uri;", "", "parameters-missing", "HTTP 400"),
    ("fastcgi_param SCRIPT_NAME $uri;", "fastcgi_param SCRIPT_NAME /index.php;", "parameters-missing", "not_found"),
    ("fastcgi_param REQUEST_METHOD $request_method;", "", "parameters-missing", "HTTP 400"),
    ("fastcgi_param QUERY_STRING $query_string;", "fastcgi_param QUERY_STRING $query_string; fastcgi_param QUERY_STRING $args;", "parameters-duplicate", "more than once: QUERY_STRING"),
]


@pytest.mark.parametrize("old, new, code, words", PARAMETERS)
def test_missing_and_duplicate_parameters_are_found(make, old, new, code, words):
    with make(edit=lambda text: without_comments(text, old, new)) as site:
        found = look(site)
    assert found.faults == {code} and words in found.finding(code)["what"], found.text


@pytest.mark.parametrize("front", FRONTS)
def test_a_location_without_a_guard_is_found(make, front):
    with make(front) as site:
        found = look(site, "--guarded", "/open/a.txt", "--guarded", "/nothing/here")
    assert found.faults == {"guard-missing"} and found.finding("guard-missing")["subject"] == f"{site.url}/open/a.txt"
    assert {"nginx": "another location", "lighttpd": "a later condition"}[front] in found.finding("guard-missing")["remedies"][2]
    assert any("HTTP 404" in what for what in unchecked(found))


def aliased(spelling):
    """nginx serves the guarded files under another spelling."""

    def edit(text):
        root = re.search(r"^ *root (.*);", text, re.MULTILINE)[1]
        location = f"location ^~ \"{spelling}\" {{ alias {root}/private/; }}"
        return replaced(text, "location = /login {", location + "\n        location = /login {")

    return edit


def unrefused(text):
    """The configuration without the refusal of unusual paths."""
    return re.sub(r"if \(\$request_uri .*\n.*\n *\}\n", "", text)


BYPASSES = {
    "case": ("nginx", aliased("/PRIVATE/"), "/PRIVATE/a.txt"),
    "slashes": ("nginx", lambda text: unrefused(within(aliased("//private/")(text), "http {", "merge_slashes off;")), "//private/a.txt"),
    "parameter": ("nginx", aliased("/private;x/"), "/private;x/a.txt"),
    # As on a file system that ignores case.
    "lighttpd": ("lighttpd", lambda text: text, "/PRIVATE/a.txt"),
}


@pytest.mark.parametrize("kind", BYPASSES)
def test_an_unguarded_spelling_of_a_guarded_location_is_found(make, kind):
    front, edit, spelling = BYPASSES[kind]
    with make(front, edit) as site:
        if kind == "lighttpd":
            (site.directory / "front/site/PRIVATE").symlink_to("private")
        found = look(site, "--guarded", "/private/a.txt")
    assert found.faults == {"guard-bypassed"}, found.text
    assert spelling in found.finding("guard-bypassed")["what"].split(": ")[1].split("  ")


def test_an_application_that_answers_every_path_bypasses_nothing(make):
    with make(edit=lambda text: replaced(text, "location = /login {", "location / { try_files $uri /open/a.txt; }\n location = /login {")) as site:
        found = look(site, "--guarded", "/private/a.txt")
    assert found.faults == set(), found.text


WITH_PASSWORD = {
    "nginx": lambda text: within(text, "location ^~ /private/ {", "if ($http_authorization) { return 200 open; }"),
    "lighttpd": lambda text: text + '$REQUEST_HEADER["Authorization"] =~ "^Basic" { $HTTP["url"] =^ "/private/" { fastcgi.server = () } }\n',
}


@pytest.mark.parametrize("front", FRONTS)
def test_a_guarded_location_that_any_password_opens_is_found(make, front):
    with make(front, WITH_PASSWORD[front]) as site:
        found = look(site, "--guarded", "/private/a.txt")
    assert found.faults == {"guard-bypassed"}, found.text
    assert "with an invented name and password" in found.finding("guard-bypassed")["what"]


BROKEN_GUARDS = {
    "nginx": lambda text: replaced(text, '_rule "member";', '_rule "membre";'),
    "lighttpd": lambda text: text.replace('"SIGNIN_REQUIRE" => "member"', '"SIGNIN_REQUIRE" => "membre"'),
}


@pytest.mark.parametrize("front", FRONTS)
def test_a_guard_that_rejects_everyone_is_found(make, front):
    with make(front, BROKEN_GUARDS[front]) as site:
        site.responder.expected_errors.append("rule-invalid")
        found = look(site, "--guarded", "/private/a.txt")
    assert found.faults == {"guard-failing"} and "access-denied" in found.finding("guard-failing")["remedies"][0]


def test_a_certificate_of_another_site_has_a_remedy_of_its_own(make, directory):
    command = "openssl req -x509 -newkey rsa:2048 -nodes -days 20 -subj /CN=a -addext subjectAltName=DNS:a.example".split()
    subprocess.run([*command, "-keyout", directory / "a.key", "-out", directory / "a.pem"], check=True, capture_output=True)
    with make(certificate=directory / "a", settings={**SETTINGS, "SIGNIN_CA_FILE": f"{directory}/a.pem"}) as site:
        finding = look(site).finding("endpoint-untrusted")
    assert finding["remedies"][0].startswith("get a certificate that names localhost, "), finding


def test_a_guard_that_fails_leads_to_the_error_log_of_the_web_server_first(make):
    with make("nginx", lambda text: replaced(text, '_rule "member";', '_rule "member"; return 500;')) as site:
        site.server.expected_errors.append("auth request unexpected status: 500")
        finding = look(site, "--guarded", "/private/a.txt").finding("guard-failing")
    assert "HTTP 5" in finding["what"] and finding["remedies"][0] == "the error log of nginx has the cause", finding
    assert "the last lines of the log" in finding["remedies"][1], finding


def test_an_answer_of_the_site_cannot_change_the_terminal(make):
    body = r"""'{"error":"\\u001b[2J\\nok       settings: forged"}'"""
    with make(edit=lambda text: within(text, "location = /login {", f"return 400 {body};")) as site:
        text = look(site, json=False).text
    assert "HTTP 400" in text and "\x1b" not in text and "forged" not in text


def test_the_documented_command_works(make):
    (command,) = [text for name, text in code_blocks((REPOSITORY / "docs/doctor.md").read_text()) if name == "sh" and "--url" in text]
    with make() as site:
        secret = site.directory / "secret"
        secret.write_text("demo-secret")
        secret.chmod(0o600)
        site.responder.settings.update({"LINKEDIN_CLIENT_SECRET": None, "LINKEDIN_CLIENT_SECRET_FILE": str(secret)})
        # Without an option, the command uses the settings of the installed package.
        options = f"--settings-file {site.responder.write_settings()} --web-user {USER}"
        places = {"https://example.com": site.url, "sudo ": "env "}
        places["linkedin-signin doctor"] = f"{BINARIES}/linkedin-signin doctor {options}"
        for documented, here in places.items():
            command = replaced(command, documented, here)
        done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, env=surroundings(), timeout=60)
    assert done.returncode == 0 and f"ok       {site.url}/private/: asks to sign in" in done.stdout, done.stdout + done.stderr


def test_nobody_without_the_server_key_learns_what_arrived(make):
    with make() as site:
        for cookie in ("__Host-doctor=", "__Host-doctor=AAAA", "__Host-session=x", ""):
            answer = site.browser().request("POST", f"{site.url}/login", {"Cookie": cookie, "Accept": "application/json"}, b"a")
            assert answer.status == 405 and answer.json["error"] == "method_not_allowed"


def test_a_wrong_address_is_an_error_of_the_command_line(make):
    wrong = [["--url", "example.com"], ["--url", "http://example.com"], ["--guarded", "/private/"]]
    for options in wrong + [["--url", "https://a.example", "--guarded", path] for path in ("private", "/a b", "/a#b", "/é")]:
        done = subprocess.run([BINARIES / "linkedin-signin", "doctor", *options], capture_output=True, text=True, env=surroundings())
        assert done.returncode == 64 and "Error: --" in done.stderr

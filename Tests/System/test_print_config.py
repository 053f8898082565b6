"""The configuration that print-config prints follows the settings, and the shipped examples equal it."""

import re
import subprocess
from itertools import cycle

import pytest

from harness.process import BINARIES, REPOSITORY

SHIPPED = {"nginx": REPOSITORY / "nginx.conf.example", "lighttpd": REPOSITORY / "deploy/lighttpd.conf"}
HEALTH = ["/healthz", "/readyz"]
# In the order of the declarations, which is that of the printed configuration.
DECLARED = re.findall(r'case \w+ = "(/\w*)"', (REPOSITORY / "Sources/Settings/SitePath.swift").read_text())
ROUTES = [path for path in DECLARED if path not in (*HEALTH, "/auth", "/tokens")]
EXAMPLE = {"SIGNIN_BASE_URL": "https://example.com"}


def print_config(*arguments, settings=EXAMPLE):
    command = [BINARIES / "linkedin-signin", "print-config", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, env={"PATH": "/usr/bin:/bin", **settings})
    return done.returncode, done.stdout, done.stderr


def printed(*arguments, settings=EXAMPLE):
    status, text, errors = print_config(*arguments, settings=settings)
    notes = [line for line in errors.splitlines() if line.startswith("linkedin-signin: note: ")]
    assert (status, errors.splitlines()) == (0, notes), errors
    return text


@pytest.mark.parametrize("server", SHIPPED)
def test_the_shipped_examples_are_what_print_config_prints(server):
    assert SHIPPED[server].read_text() == printed(server)


def test_the_page_of_nginx_about_the_limit_has_the_languages_of_the_pages():
    languages = set(re.findall('tag: "(.+?)"', (REPOSITORY / "Sources/Pages/LanguageFiles/BuiltInLanguage.swift").read_text()))
    assert {"en", *re.findall("^ *<p lang=(.+?)>", printed("nginx"), re.MULTILINE)} == languages


SETTINGS = {
    "https": {},
    "port": {"SIGNIN_BASE_URL": "https://example.com:8443/"},
    "prefix": {"SIGNIN_BASE_URL": "https://example.com/my.account/in"},
    "loopback": {"SIGNIN_BASE_URL": "http://localhost:8080"},
    "loopback-address": {"SIGNIN_BASE_URL": "http://127.0.0.1:8080/account"},
    "loopback-ipv6": {"SIGNIN_BASE_URL": "http://[::1]:8080"},
    "unix": {"SIGNIN_LISTEN": "unix:/srv/sign-in_1.socket"},
    "tcp": {"SIGNIN_LISTEN": "tcp:127.0.0.1:9000"},
    "tcp-ipv6": {"SIGNIN_LISTEN": "tcp:[::1]:9000"},
    "limits": {"SIGNIN_MAX_BODY": "10000", "SIGNIN_TOTAL_TIMEOUT": "20s"},
}
GUARDS = {
    "example": [],
    "several": ["--location", "/a/", "--location", "/a/b.c/", "--location", "/~d", "--require", "email=a@x.org deny=/etc/d"],
    "everything": ["--location", "/", "--require", "anyone"],
    "beside-routes": ["--location", "/login/", "--location", "/logins", "--location", "/auth/"],
    "above-routes": ["--location", "/my.account/in", "--location", "/my.account"],
    "no-slash": ["--location", "/a.b", "--location", "/a.b/c", "--location", "/a.b/c/d/", "--location", "/e"],
}


@pytest.mark.parametrize("settings, life", zip(SETTINGS, cycle(("1s", "2s", "5s", "10s"))))
def test_nginx_accepts_the_configuration_with_kept_verdicts(settings, life, directory, certificate):
    text = printed("nginx", *GUARDS["several"], "--cache-verdicts", life, settings={**EXAMPLE, **SETTINGS[settings]})
    assert_accepted("nginx", text, directory, certificate)


ALL = {"SIGNIN_TOKEN_SESSIONS": "yes", "SIGNIN_PERSONAL_TOKENS": "90d"}
LONG = {
    "intranet": "https://intranet.example-company.com",
    "plain": "https://a-long-name-of-a-department.of-a-company.example.org:8443/and/a/long-path/of/it",
    "other characters": "https://intranet.example-company.com/An_Account/of~members",
    "longest": f"https://{'.'.join(letter * 50 for letter in 'abc')}.example/{'d' * 40}",
}


def test_files_with_verdicts_are_opened_as_printed_whatever_the_site_has_for_other_files():
    text = printed("nginx", "--cache-verdicts", "1s")
    names = re.findall(r"^ *(open_file_cache\w*) ", text, re.MULTILINE)
    assert sorted(set(names)) == ["open_file_cache"] + [f"open_file_cache_{name}" for name in ("errors", "min_uses", "valid")]
    assert text.count("open_file_cache_errors off;") == names.count("open_file_cache")


@pytest.mark.parametrize("guard, url", zip(GUARDS, cycle(LONG)))
def test_nginx_accepts_the_names_of_a_site_with_a_long_address(url, guard, directory, certificate):
    settings = {"SIGNIN_BASE_URL": LONG[url], **ALL}
    text = printed("nginx", *GUARDS[guard], "--cache-verdicts", "2s", settings=settings)
    assert max(map(len, re.findall(r"\$(signin_\w+)", text))) <= 46
    assert_accepted("nginx", text, directory, certificate, longest=None)


def test_verdicts_are_kept_only_on_request_and_only_by_nginx():
    assert "verdict" not in printed("nginx") and "open_file_cache" not in printed("nginx")
    assert print_config("nginx", "--cache-verdicts", "3s")[::2] == (78, "linkedin-signin: --cache-verdicts: “3s” is not one of 1s, 2s, 5s, 10s\n")
    settings = {**EXAMPLE, "SIGNIN_IDLE_LIMIT": "1m"}
    status, text, errors = print_config("nginx", "--cache-verdicts", "5s", settings=settings)
    assert (status, text) == (78, "") and "5 seconds are too long for SIGNIN_IDLE_LIMIT, which is 60 seconds" in errors
    status, text, errors = print_config("lighttpd", "--cache-verdicts", "1s")
    assert (status, text) == (64, "") and "--cache-verdicts is an option for nginx" in errors


# Every pair of settings and guards, of settings and server, and of guards and server.
PAIRS = [(settings, guard) for settings in SETTINGS for guard in GUARDS]
SERVERS = [list(SHIPPED)[(number // len(GUARDS) + number) % 2] for number in range(len(PAIRS))]


@pytest.mark.parametrize("server, settings, guard", [(server, *pair) for server, pair in zip(SERVERS, PAIRS)])
def test_the_web_server_accepts_the_printed_configuration(server, settings, guard, directory, certificate):
    text = printed(server, *GUARDS[guard], settings={**EXAMPLE, **SETTINGS[settings]})
    assert_accepted(server, text, directory, certificate)


def assert_accepted(server, text, directory, certificate, longest=120):
    """The web server starts with the configuration, whose lines fit into an editor."""
    assert not [line for line in text.splitlines() if longest and len(line) > longest or line != line.rstrip()]
    file = directory / f"{server}.conf"
    file.write_text(made_testable(text, directory, certificate))
    if server == "nginx":
        command = ["/usr/sbin/nginx", "-e", directory / "log", "-t", "-c", file]
    else:
        command = ["/usr/sbin/lighttpd", "-tt", "-f", file]
    done = subprocess.run(command, capture_output=True, text=True)
    said = [line for line in (done.stdout + done.stderr).splitlines() if not re.search("syntax is ok|Syntax OK|is successful", line)]
    assert (done.returncode, said) == (0, []), said


def made_testable(text, directory, certificate):
    """Replaces the operator's file names with existing files and the ports with unprivileged ones."""
    text = re.sub(r"(listen (?:\[::\]:)?)(80|443)\b", r"\g<1>20\2", text)
    text = re.sub(r"/etc/ssl/certs/\S+\.pem", f"{certificate}.pem", text)
    text = re.sub(r"/etc/ssl/private/\S+\.key", f"{certificate}.key", text)
    for example in ("/var/log/nginx", "/var/log/lighttpd", "/var/cache/lighttpd/uploads", "/run/nginx.pid"):
        text = text.replace(example, f"{directory}/{example.split('/')[-1]}" if "nginx.pid" in example else f"{directory}")
    return text.replace("user www-data;\n", "").replace("/run/linkedin-signin-verdicts-", f"{directory}/verdicts-")


def test_nginx_configuration_follows_the_settings():
    text = printed("nginx", settings={**EXAMPLE, **SETTINGS["prefix"], **SETTINGS["tcp"], **SETTINGS["limits"]})
    for line in (
        "server 127.0.0.1:9000;",
        "server_name example.com;",
        "auth_request /.linkedin-signin/example_com___my_account___in/private/;",
        "location = /my.account/in/ {",
        "if ($uri = /my.account/in/oauth) {",
        "client_max_body_size 10000;",
        "fastcgi_read_timeout 135s;",
    ):
        assert f" {line}\n" in text, line


def test_lighttpd_configuration_follows_the_settings():
    text = printed("lighttpd", settings={**EXAMPLE, **SETTINGS["prefix"], **SETTINGS["tcp"], **SETTINGS["limits"]})
    routes = "|".join(route[1:] for route in ROUTES if route != "/")
    for line in (
        '"host" => "127.0.0.1",',
        '"port" => 9000,',
        f'$HTTP["url"] =~ "^/my\\.account/in/({routes})?\\z" {{',
        "server.max-request-size = 10",
        '"read-timeout" => 135,',
    ):
        assert re.search(rf"^ *{re.escape(line)}$", text, re.MULTILINE), line


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_plain_http_is_served_only_on_loopback(scheme):
    text = printed("nginx", settings={"SIGNIN_BASE_URL": f"{scheme}://localhost:8080"})
    assert ("ssl_certificate" in text, "Strict-Transport-Security" in text) == (scheme == "https",) * 2
    assert (re.findall(r"listen (\S+);", text) == ["127.0.0.1:8080"]) == (scheme == "http")


def test_nginx_passes_only_the_routes():
    text = printed("nginx", "--location", "/a/", "--location", "/b/")
    internal = "/.linkedin-signin/example_com"
    assert re.findall(r"location = (\S+) \{[^}]*fastcgi_pass", text) == [
        *ROUTES[1:],
        *(f"{internal}/a/", f"{internal}/b/"),
        "/",
        *HEALTH,
    ]
    for location in (f"= {internal}/a/", f"= {internal}/b/", f"^~ {internal}/"):
        assert re.findall(rf"^ *location {re.escape(location)} \{{\n[^}}]* internal;", text, re.MULTILINE), location
    assert re.findall(r"^ *location (?:= )?(\S+|\^~ \S+) \{", text, re.MULTILINE) == [
        *ROUTES[1:],
        "@signin_example_com_later",
        *(f"{internal}/a/", f"{internal}/b/", f"^~ {internal}/"),
        *("@signin_example_com_sign_in", "@signin_example_com_denied"),
        *("/", *HEALTH, "^~ /a/", "^~ /b/"),
    ]


@pytest.mark.parametrize("server", SHIPPED)
def test_the_page_for_personal_tokens_is_a_path_of_the_program_only_with_the_setting(server):
    assert "tokens" not in re.sub(r"(?m)#.*$|server_tokens", "", printed(server))
    assert "tokens" in printed(server, settings={**EXAMPLE, **ALL})
    assert printed(server, "--location", "/tokens")
    status, text, errors = print_config(server, "--location", "/tokens", settings={**EXAMPLE, **ALL})
    assert (status, text) == (78, "") and "/tokens” is a path of linkedin-signin itself" in errors


def test_only_this_machine_may_ask_for_health():
    text = printed("nginx", settings={"SIGNIN_BASE_URL": "https://example.com/my.account"})
    for path in HEALTH:
        block = re.search(rf"location = /my.account{path} \{{\n([^}}]*)\}}", text)[1]
        assert re.findall(r"^ *(?:allow|deny) .*;$", block, re.MULTILINE) == [" " * 12 + line for line in ("allow 127.0.0.1;", "allow ::1;", "deny all;")]
    text = printed("lighttpd", settings={"SIGNIN_BASE_URL": "https://example.com/my.account"})
    block = text.partition('$HTTP["url"] =~ "^/my\\.account/(?:healthz|readyz)\\z" {\n')[2]
    assert block.endswith('    $HTTP["remoteip"] !~ "^(?:127\\.0\\.0\\.1|::1)\\z" { url.access-allow = ( "//" ) }\n}\n'), block


@pytest.mark.parametrize("server", SHIPPED)
def test_each_location_has_its_own_rule(server):
    line = r'location = /.linkedin-signin/\w+(\S+) \{\n.*\n *set \$signin_\w+_rule "(.*)";'
    if server == "lighttpd":
        line = r'=\^ "(.*)" \{\n *setenv.add-environment = \( "SIGNIN_REQUIRE" => "(.*)" \)'
    first, second = ["--location", "/b/", "--require", "subject=A"], ["--location", "/a/", "--require", "anyone"]
    rules = {"/b/": "subject=A", "/a/": "anyone"}
    assert dict(re.findall(line, printed(server, *first, *second))) == rules
    assert dict(re.findall(line, printed(server, *first, "--location", "/a/"))) == dict.fromkeys(rules, "subject=A")
    # If the last rule applied to all locations, it could open a location that another rule closes.
    for wrong in ([*first, "--require", "anyone"], [*first, *second, "--location", "/c/"]):
        status, text, errors = print_config(server, *wrong)
        assert (status, text) == (78, "") and "--require: " in errors


WRONG = [
    ["--location", path]
    for path in ("private", "", "/a b", "/a;b", "/a{", '/a"', "/$uri", "/a/../b", "/./a", "/a//b", "/a\nb", "/é", "/%61")
] + [
    ["--require", rule]
    for rule in ("", " ", "members", 'subject=a"', "subject=a\\", "subject=$uri", "subject=a;", "subject={a}", "subject=a\nb")
]


WRONG += [["--location", path] for path in (*ROUTES[1:], *HEALTH, "/auth")]


# The options are read before the web server matters.
@pytest.mark.parametrize("wrong, server", zip(WRONG, cycle(SHIPPED)), ids=[f"{name[2:]}-{value!r}" for name, value in WRONG])
def test_a_wrong_location_or_rule_is_rejected(server, wrong):
    status, text, errors = print_config(server, *wrong)
    assert (status, text) == (78, "") and f"{wrong[0]}: " in errors, errors


def test_all_mistakes_are_reported_together():
    settings = {"SIGNIN_LISTEN": "unix:/a;b", "SIGNIN_MAX_BODY": "0"}
    wrong = ["--location", "a", "--location", "/b;", "--location", "/c", "--location", "/c", "--require", "d"]
    status, text, errors = print_config("nginx", *wrong, settings=settings)
    assert (status, text) == (78, "")
    subjects = [line.split(": ")[1] for line in errors.splitlines()]
    assert sorted(subjects) == ["--location"] * 3 + ["--require", "SIGNIN_BASE_URL", "SIGNIN_LISTEN", "SIGNIN_MAX_BODY"]


@pytest.mark.parametrize("again", ["/a", "/a/"])
def test_a_location_is_guarded_once(again):
    status, text, errors = print_config("nginx", "--location", "/a", "--location", again)
    assert (status, text) == (78, "") and errors == f"linkedin-signin: --location: “{again}” is given twice\n"


@pytest.mark.parametrize("server", SHIPPED)
@pytest.mark.parametrize("prefix", ["", "/my.account"])
def test_routes_within_a_guarded_location_stay_open(server, prefix):
    settings = {"SIGNIN_BASE_URL": f"https://example.com{prefix}"}
    above = {"/", prefix or "/", f"{prefix}/"}
    for location in above:
        status, text, errors = print_config(server, "--location", location, settings=settings)
        pages = " ".join(prefix + route for route in ROUTES)
        words = f"linkedin-signin: note: --location {location} contains pages of linkedin-signin, which stay open: {pages}\n"
        assert (status, errors) == (0, words) and text
    assert print_config(server, "--location", f"{prefix}/private/", settings=settings)[2] == ""


def test_an_unknown_web_server_is_rejected():
    assert print_config("apache")[0] == 64


def test_no_secret_is_needed_or_read(directory):
    file = directory / "settings"
    file.write_text("SIGNIN_BASE_URL=https://example.com\nLINKEDIN_CLIENT_SECRET_FILE=/nonexistent\n")
    assert printed("nginx", "--settings-file", file, settings={}) == SHIPPED["nginx"].read_text()


@pytest.mark.parametrize("front", ["nginx", "lighttpd"])
def test_the_printed_configuration_serves_https(make_site, certificate, front):
    with make_site(front=front, certificate=certificate) as site:
        browser = site.browser()
        assert site.sign_in(browser).status == 303 and site.is_signed_in(browser)
        for path in ("/", "/oauth?code=a", "/nothing"):
            assert int(browser.get(f"{site.url}{path}").header("Strict-Transport-Security").split("=")[1]) >= 31536000
        plain = browser.get(f"http://localhost:{site.server.plain_port}/login?a=b%20c")
        assert (plain.status, plain.location) == (301, f"{site.url}/login?a=b%20c")
        plain = browser.get(f"http://localhost:{site.server.plain_port}/private/")
        assert (plain.status, plain.location) == (301, f"{site.url}/private/")
        assert browser.get(f"{site.url}/private/").status in (403, 404)
        old = ["openssl", "s_client", "-connect", f"127.0.0.1:{site.port}", "-tls1_1", "-cipher", "ALL:@SECLEVEL=0"]
        assert subprocess.run(old, input=b"", capture_output=True).returncode != 0, "TLS 1.1 was accepted"


@pytest.mark.parametrize("write", [False, True], ids=["print", "write"])
def test_a_rule_that_nobody_can_meet_is_a_note(directory, write):
    def notes(*rules):
        words = [[f"--location=/{number}/", f"--require={rule}"] for number, rule in enumerate(rules)]
        status, _, errors = print_config("nginx", *sum(words, []), *(["--write", str(directory)] if write else []))
        assert status == 0, errors
        return errors.splitlines()

    what = "no provider of the settings has the ID ghost: remove the guard, or correct the ID; the settings have linkedin"
    ghost = f"linkedin-signin: note: SIGNIN_REQUIRE “provider=ghost”: {what}"
    assert notes("provider=ghost", "provider=ghost", "member") == [ghost]
    for rule in ("provider=linkedin", "email-domain=example.com", f"allow={directory}/missing", "anyone"):
        assert not [note for note in notes(rule) if "SIGNIN_REQUIRE" in note]

"""What `check` finds in the configuration of a web server, as the server itself prints it."""

import re
import subprocess
import tempfile
from pathlib import Path

import pytest

from harness.browser import Browser
from harness.process import BINARIES, REPOSITORY, surroundings
from harness.webserver import WebServer

GUARD = ["--location", "/private/", "--location", "/members", "--require", "member"]


def check(*options, text=None):
    command = [BINARIES / "linkedin-signin", "check", *options]
    environment = {"PATH": surroundings()["PATH"]}
    done = subprocess.run(command, input=text, capture_output=True, text=True, env=environment, timeout=20)
    problems = [line.removeprefix("linkedin-signin: ") for line in done.stderr.splitlines()]
    notes = [line for line in done.stdout.splitlines() if line]
    assert done.returncode == (78 if problems else 0), done
    return problems, notes


def printed(kind, directory, edit=lambda text: text, guard=GUARD):
    """The configuration as the server prints it, and the name of its file there."""
    server = WebServer(kind, directory / "front", directory / "socket", guard=guard, edit=edit)
    command = ["nginx", "-T", "-e", directory / "log", "-c"] if kind == "nginx" else ["lighttpd", "-pp", "-f"]
    done = subprocess.run([*command, server.configuration], capture_output=True, text=True, env=surroundings())
    assert done.returncode == 0, done.stderr
    return done.stdout, server.configuration


def replaced(old, new, times=None):
    def edit(text):
        text, count = re.subn(old, new, text, flags=re.MULTILINE)
        assert count == times if times else count, f"{count} times: {old}"
        return text

    return edit


def both(*edits):
    def edit(text):
        for each in edits:
            text = each(text)
        return text

    return edit


ROOT = r"^( *)(?=root )"
LAST = r"\Z"


@pytest.mark.parametrize("kind", ["nginx", "lighttpd"])
def test_the_printed_configuration_has_no_findings(kind, directory):
    text, _ = printed(kind, directory)
    assert check(f"--{kind}", "-", text=text) == ([], [])


@pytest.mark.parametrize("kind", ["nginx", "lighttpd"])
def test_a_configuration_file_can_be_checked_too(kind, directory):
    text, _ = printed(kind, directory)
    (directory / "printed").write_text(text)
    assert check(f"--{kind}", directory / "printed") == ([], [])
    problems, _ = check(f"--{kind}", directory / "none")
    assert problems == [f"{directory}/none: cannot be read"]


def test_the_shipped_example_serves_no_folder_of_the_default_site_of_debian():
    example = (REPOSITORY / "nginx.conf.example").read_text()
    default = "server { listen 80 default_server; root /var/www/html; location / { try_files $uri $uri/ =404; } }"
    assert check("--nginx", "-", text=example.replace("http {", "http { " + default, 1))[0] == []


REGULAR = replaced(ROOT, r"\1location ~ \\.php$ { return 204; }\n\1")
RULE = r'^ *(?:set \$\w+|fastcgi_param SIGNIN_REQUIRE) "member";\n'
NGINX = {
    "no rule": (replaced(RULE, ""), "is guarded without a rule, so the guard rejects everybody"),
    "wrong rule": (replaced(RULE, lambda line: line[0].replace("member", "membre")), "SIGNIN_REQUIRE “membre”: “membre” is not"),
    "values with a space": (
        replaced(RULE, lambda line: line[0].replace("member", "email=a@example.com, b@example.com")),
        "“email=a@example.com,” lacks a value: separate values by a comma without a space",
    ),
    "no question": (replaced(r"^( *auth_request) \S+;", r"\1 /nowhere;"), "auth_request /nowhere leads to no location"),
    "identity": (
        both(
            lambda text: re.sub(r"^( *)if \(\$(?:http_x_auth|\w+_claims != )(?:.*\n)*?\1\}\n", "", text, flags=re.MULTILINE),
            replaced(ROOT, r"\1location /app/ { proxy_set_header Host $host; proxy_pass http://127.0.0.1:1; }\n\1"),
        ),
        "location /app/ passes X-Auth-Subject, X-Auth-Email, X-Auth-Name from clients to its application",
    ),
    "regular expression": (
        both(replaced(r"location \^~ /private/", "location /private/"), REGULAR),
        r"location ~ \\\.php\$ responds to requests for the guarded location /private/ \(.*:\d+\) without the guard",
    ),
    "regular expression of other case": (
        both(replaced(r"location \^~ /private/", "location /private/"), replaced(ROOT, r"\1location ~* ^/PRIV { return 204; }\n\1")),
        r"location ~\* \^/PRIV responds to requests for the guarded location /private/",
    ),
    "client can ask": (replaced(r"^ *internal;\n", ""), r"is not internal"),
    "access log": (replaced(r"^( *access_log \S+) \w+;", r"\1;"), r"the access log of location = /oauth .* contains the query"),
    "error log": (replaced(r"^ *error_log /dev/null crit;\n", ""), r"the error log of location = /oauth contains the query"),
    "format": (replaced(r"\$request_method \$uri", "$request"), r"the access log of location = /oauth .* contains the query"),
    "no callback": (
        replaced(r"^( *)location = /oauth \{\n(?:.*\n)*?\1\}\n", ""),
        r"guards locations, but has no location for signing in",
    ),
    "merged slashes": (replaced(ROOT, r"\1merge_slashes off;\n\1"), r"merge_slashes off lets //private/ reach"),
    "dot segments": (replaced(r'^( *)if \(\$request_uri (?:.*\n)*?\1\}\n', ""), r"accepts paths with dot segments"),
    # As in files of an earlier version.
    "two slashes": (replaced(re.escape("/(?:/|%2f)|"), "/none|"), r"accepts paths that begin with //\. .* Run print-config nginx --write"),
    "backslashes": (replaced(re.escape("[^?]*(?:\\\\\\\\|%5c|"), "[^?]*(?:"), r"accepts paths with \\\. .* Run print-config nginx --write"),
}


@pytest.mark.parametrize("fault", NGINX)
def test_a_fault_in_an_nginx_configuration_is_found_with_its_line(fault, directory):
    edit, words = NGINX[fault]
    text, name = printed("nginx", directory, edit)
    problems, notes = check("--nginx", "-", text=text)
    assert problems and notes == []
    for problem in problems:
        assert re.match(rf"{re.escape(str(name))}:\d+: .*{words}", problem), problems
    places = {problem.split(": ")[0] for problem in problems}
    assert len(places) == len(problems)
    lines = name.read_text().split("\n")
    assert all(lines[int(place.rpartition(":")[2]) - 1].strip() for place in places)


WITHIN = r"^( *)(location \^~ /private/ \{\n)"
ANSWERS = "in the guarded location \\^~ /private/ responds without the guard, because nginx runs return before auth_request"
# Directives of the guarded location with which nginx does not ask the guard, and what is found.
EARLY = {
    'return 200 "open";': f"return 200 open {ANSWERS}",
    "return 301 https://example.org/;": f"return 301 https://example.org/ {ANSWERS}",
    "return https://example.org/;": f"return https://example.org/ {ANSWERS}",
    "return 302 /open.html;": f"return 302 /open.html {ANSWERS}",
    "if ($request_method = GET) { return 204; }": f"return 204 {ANSWERS}",
    "location /private/page { return 200 open; }": "return 200 open in the guarded location /private/page responds",
    "rewrite ^ /open.html;": r"rewrite .* in the guarded location \^~ /private/ leads to /open.html without the guard",
    "rewrite ^/private/(.*)$ /$1 last;": r"rewrite .* leads to /\$1 without the guard",
    "rewrite ^ /open.html redirect;": r"rewrite .* redirects to /open.html without the guard",
    "rewrite ^ https://example.org/ break;": r"rewrite .* redirects to https://example.org/ without the guard",
}
ASKED_FIRST = [
    "return 404;",
    "if ($uri = /private/none) { return 200 open; }  # Not this request.",
    "rewrite ^ /members/page last;",
    "rewrite ^/private/(.*)$ /members/$1 last;",
    "rewrite ^ /open.html break;",
    "rewrite ^ /open.html; break;",
    "try_files /none /private/none;",
    "try_files /none =404;",
    "try_files /none @application;",
    "try_files /none /open.html;",
]


def with_line(line):
    return replaced(WITHIN, lambda found: f"{found[0]}{found[1]}    {line}\n", times=1)


@pytest.mark.parametrize("line", EARLY)
def test_line_that_answers_before_the_guard_is_found(line, directory):
    text, name = printed("nginx", directory, with_line(line))
    problems, notes = check("--nginx", "-", text=text)
    assert len(problems) == 1 and notes == []
    assert re.match(rf"{name}:\d+: {EARLY[line]}", problems[0]), problems
    number = int(problems[0].split(": ")[0].rpartition(":")[2])
    assert line in name.read_text().split("\n")[number - 1]


def test_nginx_runs_exactly_those_lines_before_the_guard(directory):
    for number, line in enumerate([*EARLY, *ASKED_FIRST]):
        place = directory / str(number)
        server = WebServer("nginx", place / "front", place / "socket", guard=GUARD, edit=with_line(line))
        server.expected_errors.append("connect|auth request unexpected status: 502")
        for name in ("open.html", "page"):
            (server.directory / "site" / name).write_text("open")
        with server:
            answer = Browser().get(f"http://localhost:{server.port}/private/page")
        # Nothing listens at the socket: a guard that nginx asks is an error.
        expected = 404 if line == "return 404;" else 500
        assert (answer.status == expected) == (line in ASKED_FIRST), (line, answer)


@pytest.mark.parametrize(
    "line", ["return 404;", "return 302 /login;", "return 301 /private/new;", *ASKED_FIRST[2:-1]]
)
def test_a_line_that_keeps_the_guard_is_not_a_fault(line, directory):
    text, _ = printed("nginx", directory, with_line(line))
    assert check("--nginx", "-", text=text) == ([], [])


def test_way_past_a_guard_that_needs_the_guard_first_is_a_note(directory):
    text, name = printed("nginx", directory, with_line("try_files $uri /index.php?$args;"))
    problems, notes = check("--nginx", "-", text=text)
    assert problems == [] and len(notes) == 1
    assert re.match(rf"note: {name}:\d+: try_files .* leads to /index.php\?\$args, which is not guarded: ", notes[0])


# Lines of access control in a guarded location, and the one that opens it to everyone; None if the location stays closed.
ADMITTED = {
    "satisfy any; allow all;": "allow all",
    "satisfy any; allow 0.0.0.0/0;": "allow 0.0.0.0/0",
    "satisfy any; deny 192.0.2.1; allow ::/0; deny all;": "allow ::/0",
    "satisfy any; deny ::/0; allow all;": "allow all",
    "satisfy any; deny all; allow all;": None,
    "satisfy any; allow 192.0.2.0/24; deny all;": None,
}


@pytest.mark.parametrize("line", ADMITTED)
def test_satisfy_any_is_an_error_if_it_opens_the_guarded_location_to_every_address(line, directory):
    text, name = printed("nginx", directory, with_line(line))
    problems, notes = check("--nginx", "-", text=text)
    opening = ADMITTED[line]
    assert (len(problems), len(notes)) == ((1, 0) if opening else (0, 1)), problems + notes
    if opening:
        words = r"admits everyone to the guarded location \^~ /private/ without signing in"
        assert re.match(rf"{name}:\d+: {opening} {words}", problems[0]), problems
    assert check("--nginx", "-", text=text.replace("satisfy any;", "")) == ([], [])


def test_a_regular_expression_that_matches_elsewhere_is_not_a_fault(directory):
    edit = both(
        replaced(r"location \^~ /private/", "location /private/"),
        replaced(ROOT, r"\1location ~ ^/(?:static|media)/ { return 204; }\n\1location ~ ^/other { return 204; }\n\1"),
    )
    text, _ = printed("nginx", directory, edit)
    problems, _ = check("--nginx", "-", text=text)
    assert len(problems) == 1 and "static" in problems[0], "only the expression that begins with a group can match"


def test_location_without_the_identity_headers_is_a_note(directory):
    cleared = " ".join(f"proxy_set_header X-Auth-{name} '';" for name in ("Subject", "Email", "Name"))
    for line, count in (("proxy_set_header Host $host;", 1), ("", 1), (cleared, 0)):
        edit = replaced(ROOT, rf"\1location /app/ {{ {line} proxy_pass http://127.0.0.1:1; }}\n\1")
        text, name = printed("nginx", directory, edit)
        problems, notes = check("--nginx", "-", text=text)
        assert problems == [] and len(notes) == count
        for note in notes:
            assert re.match(rf"note: {name}:\d+: location /app/ does not set X-Auth-Subject, .* before 1.23 passes a second", note)


def test_kept_verdicts_on_a_disk_are_found():
    with tempfile.TemporaryDirectory(dir="/dev/shm") as memory:
        text, name = printed("nginx", Path(memory), guard=[*GUARD, "--cache-verdicts", "1s"])
        assert check("--nginx", "-", text=text) == ([], [])
        # No file system below /proc is in memory or on a disk.
        text = text.replace(f"{memory}/front/verdicts", "/proc/verdicts")
        problems, notes = check("--nginx", "-", text=text)
    assert len(problems) == 1 and notes == []
    assert re.match(rf"{name}:\d+: /proc/verdicts is not in memory \(tmpfs\) on this machine", problems[0]), problems


def test_two_upstreams_with_the_same_name_are_found(directory):
    text, name = printed("nginx", directory)
    again = replaced(r"^( *)(upstream (\S+) \{)", r"\1upstream \3 { server unix:/run/b; }\n\1\2", times=1)(text)
    problems, _ = check("--nginx", "-", text=again)
    assert len(problems) == 1 and re.match(rf"{name}:\d+: upstream \S+ is also defined at {name}:\d+", problems[0])


def test_findings_name_the_included_file_and_its_line(directory):
    (directory / "more").mkdir()
    (directory / "more/a.conf").write_text("# first\nlocation /private/open/ { return 204; }\n")
    text, _ = printed("nginx", directory, replaced(ROOT, rf"\1include {directory}/more/*.conf;\n\1"))
    problems, _ = check("--nginx", "-", text=text)
    assert len(problems) == 1 and problems[0].startswith(f"{directory}/more/a.conf:2: location /private/open/")


IN_GUARDS = r'("socket" => )"[^"]*"(,\n *"(?:mode|check-local)")'
LIGHTTPD = {
    "no rule": (replaced(r' *setenv.add-environment = \( "SIGNIN_REQUIRE" => "member" \)\n', ""), "is guarded without a rule"),
    "wrong rule": (replaced(r'"SIGNIN_REQUIRE" => "member"', '"SIGNIN_REQUIRE" => "membre"'), "SIGNIN_REQUIRE “membre”"),
    "later condition": (
        replaced(LAST, '$HTTP["url"] =~ "[.]php$" { fastcgi.server = ( ".php" => (( "socket" => "/run/php" )) ) }\n'),
        "replaces the guard of",
    ),
    "empty list": (
        replaced(LAST, '$HTTP["url"] =^ "/private/x/" { fastcgi.server = () }\n'),
        "the empty fastcgi.server of .* removes the guard of .* Remove this line, or guard this path with the rule anyone$",
    ),
    "other program": (replaced(IN_GUARDS, r'\1"/run/other"\2'), "ask /run/other, but visitors of this site sign in at"),
    "headers": (replaced(r"^\$REQUEST_HEADER.*\n", ""), "X-Auth-Subject, X-Auth-Email, X-Auth-Name from clients are not rejected"),
    "access log": (replaced(r"^ *accesslog.format = .*\n", ""), "the access log contains the query of the callback"),
    "error log": (replaced(r'^ *server.errorlog = "/dev/null"\n', ""), "the error log contains the query of the callback"),
    "no routes": (
        replaced(r'^\$HTTP\["url"\] =~ "\^/\(login(?:.*\n)*?\}\n', ""),
        "are guarded, but no condition has the pages for signing in",
    ),
    "no site file": (
        both(replaced(r'^\$HTTP\["url"\] =~ "\^/\(login(?:.*\n)*?\}\n', ""), replaced(r"^\$REQUEST_HEADER.*\n", "")),
        "are guarded, but no condition has the pages for signing in",
    ),
    "dot segments": (
        replaced(r'"url-path-dotseg-reject" => "enable"', '"url-path-dotseg-reject" => "disable"'),
        "accepts paths with dot segments",
    ),
    "question marks": (
        replaced(r'"url-normalize-required" => "disable"', '"url-normalize-required" => "enable"'),
        "splits a URL at its last [?] into path and query",
    ),
    "module": (replaced(r'^ *"mod_setenv",\n', ""), "mod_setenv is not in server.modules"),
    "order": (
        both(replaced(r'^ *"mod_setenv",\n', ""), replaced(r'("mod_fastcgi",\n)', r'\1"mod_setenv",\n')),
        "mod_setenv is after mod_fastcgi",
    ),
    "proxy": (
        both(
            replaced(r'("mod_fastcgi",\n)', r'"mod_proxy",\n\1'),
            replaced(LAST, '$HTTP["url"] =^ "/private/x/" { proxy.server = ( "" => (( "host" => "127.0.0.1" )) ) }\n'),
        ),
        "mod_proxy is before mod_fastcgi",
    ),
}


@pytest.mark.parametrize("fault", LIGHTTPD)
def test_a_fault_in_a_lighttpd_configuration_is_found(fault, directory):
    edit, words = LIGHTTPD[fault]
    text, _ = printed("lighttpd", directory, edit)
    problems, notes = check("--lighttpd", "-", text=text)
    assert problems and notes == []
    for problem in problems:
        assert re.match(rf"standard input:\d+: .*{words}", problem), problems


@pytest.mark.parametrize("kind", ["nginx", "lighttpd"])
def test_other_text_is_rejected(kind):
    for text in ("", "nginx: [emerg] open() failed\n", "}}}} { ( $"):
        problems, _ = check(f"--{kind}", "-", text=text)
        assert len(problems) == 1 and "prints" in problems[0]


def test_an_application_that_gets_personal_tokens_is_found_with_its_settings(directory):
    guard = ["--location", "/private/", "--require", "member", "--application", directory / "application"]
    for more, count in (([], 1), (["--personal-tokens"], 0)):
        text, name = printed("nginx", directory, guard=[*guard, *more])
        assert check("--nginx", "-", text=text) == ([], [])
        port = re.search(r"\$signin_localhost_(\d+)_server on;", text)[1]
        (directory / "settings").write_text(f"SIGNIN_BASE_URL=http://localhost:{port}\nSIGNIN_PERSONAL_TOKENS=90d\n")
        problems, _ = check("--nginx", "-", "--settings-file", directory / "settings", text=text)
        found = [problem for problem in problems if "personal tokens" in problem]
        assert len(found) == count, problems
        line = r"add here: fastcgi_param HTTP_AUTHORIZATION \$signin_localhost_\d+_passed;$"
        assert all(re.match(rf"{re.escape(str(name))}:\d+: location \^~ /private/ passes .*{line}", each) for each in found)


def test_settings_are_checked_too_if_given(directory):
    text, _ = printed("nginx", directory)
    port = re.search(r"\$signin_localhost_(\d+)_server on;", text)[1]
    for address, count in ((f"http://localhost:{port}", 0), ("https://example.com", 1)):
        (directory / "settings").write_text(f"SIGNIN_BASE_URL={address}\nSIGNIN_LISTEN=unix:{directory}/socket\n")
        problems, _ = check("--nginx", "-", "--settings-file", directory / "settings", text=text)
        others = [problem for problem in problems if not problem.startswith("LINKEDIN_CLIENT_")]
        assert len(others) == count < len(problems) and all("no site includes the files of example.com" in problem for problem in others)


@pytest.mark.parametrize("kind", ["nginx", "lighttpd"])
def test_a_guard_of_one_address_that_leaves_open_what_is_below_is_a_note(kind, directory):
    guard = ["--location", "/private/", "--require", "member"]
    for path, count in (("/private/", 1), ("/private", 1), ("/private/a.html", 0)):
        edit = replaced(r"location \^~ /private/", f"location = {path}")
        if kind == "lighttpd":
            edit = both(replaced(r'=\^ "/private/"', f'== "{path}"'), replaced(r'"/private/" => "member"', f'"{path}" => "member"'))
        text, _ = printed(kind, directory, edit, guard)
        problems, notes = check(f"--{kind}", "-", text=text)
        assert problems == [] and len([note for note in notes if "guards only this address" in note]) == count, notes

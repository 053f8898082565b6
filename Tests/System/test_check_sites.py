"""What `check --nginx` finds about the sites of an nginx: missing files, files of other sites, open locations."""

import re
import subprocess

import pytest

from harness.browser import Browser
from harness.included import IncludedSite, IncludingNginx
from harness.process import free_port, surroundings
from harness.raw import NAVIGATING, request, send, status
from harness.webserver import WebServer
from test_check_servers import GUARD, ROOT, check, printed, replaced

pytestmark = pytest.mark.extended

# A location below a guarded folder, the lines in it, and whether it is a fault, a note or nothing.
OPEN = {
    "exact": ("= /private/page", "", "fault"),
    "prefix": ("/private/open/", "return 204;", "fault"),
    "final prefix": ("^~ /private/open/", "", "fault"),
    "meant": ("= /private/page", "auth_request off;", "note"),
    "meant prefix": ("/private/open/", "auth_request off;", "note"),
    "closed": ("= /private/page", "return 404;", None),
    "denied": ("= /private/page", "deny all;", None),
    "internal": ("= /private/page", "internal;", None),
}


@pytest.mark.parametrize("kind", OPEN)
def test_an_open_location_below_a_guarded_folder_is_an_error_unless_it_is_marked(kind, directory):
    match, lines, expected = OPEN[kind]
    text, name = printed("nginx", directory, replaced(ROOT, rf"\1location {match} {{ {lines} }}\n\1"))
    problems, notes = check("--nginx", "-", text=text)
    assert (len(problems), len(notes)) == (expected == "fault", expected == "note"), problems + notes
    for finding in problems + notes:
        words = r"is not guarded, although it is below the guarded location \^~ /private/"
        assert re.match(rf"(note: )?{name}:\d+: location {re.escape(match)} {words}", finding), finding


def test_nginx_opens_exactly_those_locations_to_everybody(directory):
    for number, (match, lines, expected) in enumerate(OPEN.values()):
        place = directory / str(number)
        edit = replaced(ROOT, rf"\1location {match} {{ {lines} }}\n\1")
        server = WebServer("nginx", place / "front", place / "socket", guard=GUARD, edit=edit)
        server.expected_errors.append("access forbidden by rule")
        for path in ("private/page", "private/open/page"):
            file = server.directory / "site" / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text("for members")
        with server:
            path = match.split()[-1].removesuffix("/page").rstrip("/") + "/page"
            answer = Browser().get(f"http://localhost:{server.port}{path}")
        assert (answer.status < 300) == bool(expected), (match, lines, answer)


INCLUDED = """
        location = /private { include {files}-guard-private.conf; try_files /private/page.html =404; }
        location ^~ /private/ { include {files}-guard-private.conf; }
        location ^~ /api/ { include {files}-guard-api.conf; include {files}-proxy.conf; proxy_pass http://127.0.0.1:1; }
        location ~ [.]php$ { return 204; }
"""


def test_guard_in_a_server_block_without_the_file_of_the_site_is_found(directory):
    port = free_port()
    guard = ["--location", "/private", "--location", "/api/"]
    site = IncludedSite(directory, directory / "socket", guard, INCLUDED)
    nginx = IncludingNginx(directory, [site])
    command = ["nginx", "-T", "-e", directory / "log", "-c", nginx.configuration]

    def findings():
        done = subprocess.run(command, capture_output=True, text=True, env=surroundings())
        assert done.returncode == 0, done.stderr
        return check("--nginx", "-", text=done.stdout)

    assert findings() == ([], [])
    files = f"{directory}/snippets/linkedin-signin-localhost_{site.port}"
    other = f"""
    server {{
        listen 127.0.0.1:{port};
        location ^~ /private/ {{ include {files}-guard-private.conf; }}
        location / {{ root {site.root}; }}
    }}
    }}"""
    text = nginx.configuration.read_text()
    nginx.configuration.write_text(text[: text.rindex("}")] + other)
    line = nginx.configuration.read_text().split("\n").index(f"        listen 127.0.0.1:{port};") + 1
    assert findings() == (
        [
            f"{nginx.configuration}:{line + 1}: location ^~ /private/ has a guard of print-config, but this server does not "
            "include the file that goes with it, so nginx responds with 500 to everybody. Add to the server block "
            f"({nginx.configuration}:{line - 1}): include {files}-server.conf;"
        ],
        [],
    )
    nginx.expected_errors.append("could not find named location")
    with nginx:
        assert status(send(port, request("/private/page", NAVIGATING))) == 500


@pytest.mark.parametrize("is_moved", [True, False])
def test_the_server_file_in_another_server_than_the_guards_is_one_error(is_moved, directory):
    site = IncludedSite(directory, directory / "socket", ["--location", "/private", "--location", "/api/"], INCLUDED)
    nginx = IncludingNginx(directory, [site])
    text, line = nginx.configuration.read_text(), f"include {directory}/snippets/linkedin-signin-localhost_{site.port}-server.conf;"
    text = text.replace(line, "") if is_moved else text
    nginx.configuration.write_text(text[: text.rindex("}")] + f"server {{ listen 127.0.0.1:1; {line} }}\n}}")
    text = nginx.configuration.read_text()
    starts = text.index("server { listen"), text.index("server {\n")
    wrong, right = (f"{nginx.configuration}:{text.count(chr(10), 0, start) + 1}" for start in starts)
    command = ["nginx", "-T", "-e", directory / "log", "-c", nginx.configuration]
    (problem,), _ = check("--nginx", "-", text=subprocess.run(command, capture_output=True, text=True, env=surroundings()).stdout)
    moved = f"Move this line from the server block at {wrong} to the server block ({right}): {line}"
    copied = f"{wrong}: this server includes the files of $signin_localhost_{site.port}, but only another server ({right}) has its guards. "
    assert (problem.endswith(moved) if is_moved else problem.startswith(copied)), problem


# A location that nginx opens to everyone beside guards, and whether it serves guarded files.
INNER = {
    "location /p/ { rewrite ^/p/(.*) /private/$1 break; }": True,
    "location ~ ^/p/ { if ($arg_a) { rewrite ^/p/(.*) /private/$1 break; } }": True,
    "location /p/ { try_files /private/index.html =404; }": True,
    "location /p/ { try_files $uri /private$uri /none; }": True,
    "location /p/ { try_files /members /none; }": True,
    "location /p/ { rewrite ^/p/(.*) /private/$1; break; }": True,
    "location /p/ { if ($arg_a) { rewrite ^/p/(.*) /private/$1; } break; }": True,
    "location /p/ { alias ROOT/; try_files /private/index.html =404; }": True,
    "location /p/ { alias ROOT/open/; try_files /private/index.html =404; }": False,
    "location /p/ { alias ROOT/; try_files /none/$uri /p/private/$arg_b/index.html =404; }": True,
    "location /p/ { try_files /none @p; } location @p { try_files /private/index.html =404; }": True,
    "location /p/ { try_files /none @p; } location @p { rewrite ^ /private/index.html break; }": True,
    "try_files /private/index.html =404;": True,
    "location / { } try_files /private/index.html =404;": False,
    "location ^~ /private/p/ { GUARD try_files /none @p; } location @p { try_files /private/index.html =404; }": False,
    "location /p/ { rewrite ^/p/(.*) /private/$1; }": False,
    "location /p/ { rewrite ^/p/(.*) /private/$1 last; }": False,
    "location /p/ { rewrite ^/p/(.*) /privately/$1 break; }": False,
    "location /p/ { try_files $uri /private/index.html; }": False,
    "location /p/ { root /srv; try_files /private/index.html =404; }": False,
    "location /p/ { rewrite ^/p/(.*) /private/$1 break; fastcgi_pass 127.0.0.1:1; include {files}-fastcgi.conf; }": False,
}


@pytest.mark.parametrize("lines", INNER)
def test_a_rewrite_or_try_files_that_serves_guarded_files_is_an_error_unless_the_operator_opens_it(lines, directory):
    guards = "".join(
        f"location {match} {{ include {{files}}-guard-{name}.conf; }}\n"
        for match, name in (("^~ /private/", "private"), ("= /members", "members"), ("^~ /members/", "members"))
    )
    for mark in ("", "auth_request off;"):
        place = directory / f"marked-{bool(mark)}"
        place.mkdir()
        line = re.sub(r"location (/p/|@p|~ ./p/) \{|^(?=try)", rf"\g<0> {mark}", lines)
        site = IncludedSite(place, place / "socket", GUARD, guards + line)
        site.lines = site.lines.replace("ROOT", str(site.root)).replace("GUARD", "include {files}-guard-private.conf;")
        nginx = IncludingNginx(place, [site])
        (site.root / "private/p").mkdir(parents=True)
        for name in ("private/index.html", "private/p/index.html", "members"):
            (site.root / name).write_text("for members")
        command = ["nginx", "-T", "-e", place / "log", "-c", nginx.configuration]
        problems, notes = check("--nginx", "-", text=subprocess.run(command, capture_output=True, text=True, env=surroundings()).stdout)
        found, others = (notes, problems) if mark else (problems, notes)
        assert (len(found), others) == (INNER[lines], []), problems + notes
        assert all(re.search("without the guard of location .*, because it has (alias|rewrite|try_files) ", each) for each in found), found
    nginx.expected_errors.append("connect|auth request unexpected status: 502")
    with nginx:
        answer = send(site.port, request("/p/index.html?a=1", NAVIGATING))
    assert (b"for members" in answer) == INNER[lines], answer


# The lines of a location /p/ beside a guarded application or folder, and the words about it; nothing for one that opens nothing.
BESIDE = {
    "rewrite ^/p/(.*) /private/$1 break; proxy_pass http://127.0.0.1:1;": "serves /private/ of the application 127.0.0.1:1 at /p/ ",
    "rewrite ^/p/(.*) /$1 break; proxy_pass http://127.0.0.1:1;": "because it has rewrite",
    "proxy_pass http://127.0.0.1:1/private/;": "because it has proxy_pass",
    "proxy_pass http://127.0.0.1:1/;": "without the guard of location ^~ /private/",
    "proxy_pass http://127.0.0.1:1/open/;": None,
    "proxy_pass http://127.0.0.1:1;": None,
    "rewrite ^/p/(.*) /private/$1 break; proxy_pass http://127.0.0.1:2;": None,
    "rewrite ^/p/(.*) /$1 break;": "without the guard of location = /members",
    "include {files}-guard-members.conf; alias ROOT/strict/;": "with the rule “member” and not the rule “email-domain=example.com”",
    "include {files}-guard-members.conf; try_files /strict/index.html =404;": "because it has try_files",
    "include {files}-guard-members.conf; proxy_pass http://127.0.0.1:1/private/;": None,
    "include {files}-guard-strict.conf; alias ROOT/members/;": None,
}


@pytest.mark.parametrize("lines", BESIDE)
def test_a_way_to_a_guarded_application_or_folder_with_a_weaker_rule_is_an_error(lines, directory):
    passing = "include {files}-proxy.conf; proxy_pass http://127.0.0.1:1;"
    guards = {"^~ /private/": "private", "= /members": "members", "^~ /members/": "members", "^~ /strict/": "strict"}
    inner = {match: f"include {{files}}-guard-{name}.conf; {passing if name == 'private' else ''}" for match, name in guards.items()}
    places = "".join(f"location {match} {{ {lines} }}\n" for match, lines in inner.items())
    rules = {"/private/": "member", "/members": "member", "/strict/": "email-domain=example.com"}
    options = [option for path, rule in rules.items() for option in ("--location", path, "--require", rule)]
    site = IncludedSite(directory, directory / "socket", options, f"{places}location /p/ {{ {lines} }}")
    site.lines = site.lines.replace("ROOT", str(site.root))
    nginx = IncludingNginx(directory, [site])
    command = ["nginx", "-T", "-e", directory / "log", "-c", nginx.configuration]
    problems, _ = check("--nginx", "-", text=subprocess.run(command, capture_output=True, text=True, env=surroundings()).stdout)
    found = [problem for problem in problems if "because it has" in problem]
    assert len(found) == bool(BESIDE[lines]) and all(BESIDE[lines] in each for each in found), problems


# The guarded location of an operator with another page for 401, and whether that is a fault, a note or nothing.
PAGES = {
    "error_page 401 /x.html; INCLUDE": "fault",
    "error_page 401 403 =200 /x.html; INCLUDE": "fault",
    "INCLUDE location /private/x/ { error_page 401 /x.html; }": "note",
    "INCLUDE error_page 401 /x.html;": None,
    "error_page 404 /x.html; INCLUDE": None,
}


@pytest.mark.parametrize("lines", PAGES)
def test_another_page_for_401_in_place_of_that_of_the_guard_is_found(lines, directory):
    text = "location ^~ /private/ { " + lines.replace("INCLUDE", "include {files}-guard-private.conf;") + " }"
    site = IncludedSite(directory, directory / "socket", ["--location", "/private/"], text)
    nginx = IncludingNginx(directory, [site])
    command = ["nginx", "-T", "-e", directory / "log", "-c", nginx.configuration]
    problems, notes = check("--nginx", "-", text=subprocess.run(command, capture_output=True, text=True, env=surroundings()).stdout)
    assert (len(problems), len(notes)) == (PAGES[lines] == "fault", PAGES[lines] == "note"), problems + notes
    words = r"error_page 401 .*/x.html is in force in the guarded location .* of the guard, so nginx leads nobody to sign in there"
    assert all(re.match(rf"(note: )?{nginx.configuration}:\d+: {words}", each) for each in problems + notes), problems + notes


@pytest.mark.parametrize("kind", ["nginx", "lighttpd"])
def test_a_web_server_that_does_not_use_the_program_is_an_error(kind):
    text = {"nginx": "http { server { location / { } } }", "lighttpd": 'server.port = 80'}[kind]
    (problem,), notes = check(f"--{kind}", "-", "--quiet", text=text)
    assert problem.startswith(f"standard input:1: no site of this {kind} uses linkedin-signin") and notes == []


@pytest.mark.parametrize("kind", ["nginx", "lighttpd"])
def test_a_site_that_uses_the_program_without_a_guard_is_a_note(kind, directory):
    text, _ = printed(kind, directory)
    # The loss of a guard that admits everyone is not an error.
    text = text.replace('"member"', '"anyone"')
    text = re.sub(r"^ *auth_request /.*\n", "", text, flags=re.MULTILINE) if kind == "nginx" else text.replace('"authorizer"', '"responder"')
    problems, notes = check(f"--{kind}", "-", text=text)
    assert problems == [] and len(notes) == 1 and "so nothing is guarded" in notes[0]


# The server_name of a site with the files of another one, and whether it can be the same site.
NAMES = {
    "example.com": True,
    "www.example.com example.com": True,
    "EXAMPLE.com": True,
    "example.com.br": False,
    "www.example.com": False,
    "example.org": False,
    "_": True,
    "*.example.org": True,
    "~^(www[.])?example": True,
    '""': True,
}


@pytest.mark.parametrize("mount", ["", ":8443", "/account", ":8443/account"])
def test_the_files_of_another_site_are_found_by_the_server_name(mount, directory):
    text, _ = printed("nginx", directory)
    site = re.search(r"\$signin_(\w+)_server on;", text)[1]
    identifier = "example_com" + mount.replace(":", "_").replace("/", "___")
    for name, is_same in NAMES.items():
        other = re.sub(r"^( *)server_name .*;", lambda line: f"{line[1]}server_name {name};", text, flags=re.MULTILINE)
        problems, notes = check("--nginx", "-", "--quiet", text=other.replace(site, identifier))
        found = [problem for problem in problems if "files of another site" in problem]
        assert problems == found and len(found) == (not is_same), (name, problems)
        assert all(f"$signin_{identifier}" in problem for problem in found)


def test_the_files_of_another_site_are_one_finding_with_the_settings_of_the_site(directory):
    text, _ = printed("nginx", directory)
    text = re.sub(r"^( *server_name ).*;", r"\1own.example;", text, flags=re.MULTILINE)
    (directory / "settings").write_text(f"SIGNIN_BASE_URL=https://own.example\nSIGNIN_LISTEN=unix:{directory}/own.socket\n")
    problems, _ = check("--nginx", "-", "--settings-file", directory / "settings", text=text)
    (problem,) = [problem for problem in problems if not problem.startswith("LINKEDIN_CLIENT_")]
    assert "this server has the server_name own.example, but it includes the files of another site" in problem, problems


def test_files_of_other_sites_only_are_an_error_with_settings_whose_socket_systemd_opens(directory):
    text, _ = printed("nginx", directory)
    port = re.search(r"\$signin_localhost_(\d+)_server on;", text)[1]
    for address, count in ((f"http://localhost:{port}", 0), ("https://example.com", 1)):
        (directory / "settings").write_text(f"SIGNIN_BASE_URL={address}\n")
        problems, _ = check("--nginx", "-", "--settings-file", directory / "settings", text=text)
        found = [problem for problem in problems if "no site includes the files of" in problem]
        assert len(found) == count, problems
        assert all(f"of example.com, the site of these settings. The included files are those of localhost." in each for each in found)


@pytest.mark.parametrize("kind", ["nginx", "lighttpd"])
def test_a_program_at_a_port_that_no_site_uses_is_found(kind, directory):
    text, _ = printed(kind, directory)
    at_port = (r"unix:[^;{]*/socket;", "127.0.0.1:9000;") if kind == "nginx" else (r'"socket" *=> "[^"]*"', '"host" => "127.0.0.1", "port" => 9000')
    text = replaced(*at_port)(text)
    for port, count in ((9000, 0), (9001, 1)):
        (directory / "settings").write_text(f"SIGNIN_BASE_URL=https://example.com\nSIGNIN_LISTEN=tcp:127.0.0.1:{port}\n")
        problems, _ = check(f"--{kind}", "-", "--settings-file", directory / "settings", text=text)
        assert len([problem for problem in problems if "the program of these settings" in problem]) == count, problems


def test_an_nginx_whose_test_fails_is_said_to_fail(directory):
    configuration = directory / "nginx.conf"
    configuration.write_text("events { }\nhttp { include /nowhere.conf; }\n")
    command = f"nginx -T -e {directory}/log -c {configuration}"
    for redirection, words in (("2>/dev/null", "there is no text. nginx -T prints no configuration if nginx -t fails: run nginx -t"), ("2>&1", "nginx -t fails: .emerg. open")):
        done = subprocess.run(["sh", "-c", f"{command} {redirection}"], capture_output=True, text=True, env=surroundings())
        assert done.returncode == 1
        (problem,), _ = check("--nginx", "-", text=done.stdout)
        assert re.search(words, problem), problem


def test_messages_of_nginx_before_its_configuration_are_ignored(directory):
    text, name = printed("nginx", directory)
    messages = f"nginx: [warn] conflicting server name\nnginx: the configuration file {name} syntax is ok\n"
    assert check("--nginx", "-", text=messages + text) == ([], [])

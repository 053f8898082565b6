"""Whether check finds a printed guard that the site no longer has, and what belongs to another site."""

import re
import subprocess

import pytest

from harness.included import IncludedSite, IncludingNginx
from harness.process import BINARIES, surroundings
from test_check_servers import check

pytestmark = pytest.mark.extended

GUARDS = ["--location", "/private/", "--location", "/members", "--require", "email-domain=example.com"]
PRIVATE_ONLY = GUARDS[:2] + GUARDS[4:]
LINES = """
        location ^~ /private/ { include {files}-guard-private.conf; }
        location = /members { include {files}-guard-members.conf; }
        location ^~ /members/ { include {files}-guard-members.conf; }
"""
LOST = "no guard of this site has the rule “email-domain=example.com” that was printed for /private/, so everyone may be able to open /private/. "
MEMBERS, RULE = " --location /members --require email-domain=example.com", " --require email-domain=example.com"
OPEN = " If everyone may open it, run instead: linkedin-signin print-config {}" + MEMBERS + " --write {}"


class Nginx:
    """Sites of one nginx, each with a program of its own."""

    def __init__(self, directory, count=1, guards=GUARDS):
        self.directory = directory
        self.sites = [IncludedSite(directory, directory / f"socket-{number}", guards, LINES) for number in range(count)]
        self.configuration = IncludingNginx(directory, self.sites).configuration

    def file(self, part, site=0):
        return self.directory / f"snippets/linkedin-signin-localhost_{self.sites[site].port}-{part}.conf"

    def edit(self, old, new, path=None, count=1):
        edit(path or self.configuration, old, new, count)

    def text(self):
        command = ["nginx", "-T", "-e", self.directory / "log", "-c", self.configuration]
        done = subprocess.run(command, capture_output=True, text=True, env=surroundings())
        assert done.returncode == 0, done.stderr
        return done.stdout

    def found(self, *options):
        return check("--nginx", "-", *options, text=self.text())

    def settings(self, site, *lines):
        """A file with the settings of a site; without the settings of LinkedIn, which no test here is about."""
        place = self.directory / f"settings-{site}"
        own = [f"SIGNIN_BASE_URL={self.sites[site].url}", f"SIGNIN_LISTEN=unix:{self.sites[site].socket}"]
        place.write_text("\n".join([*own, *lines]) + "\n")
        return place


def edit(path, old, new, expected=1):
    text, count = re.subn(old, new, path.read_text(), flags=re.MULTILINE)
    assert count == expected, f"{count} times: {old}"
    path.write_text(text)


PRIVATE = r"location \^~ /private/ \{ (include .*-guard-private.conf;) \}"


@pytest.mark.parametrize("rest", ["", "location ^~ /private/ { }", "location ^~ /private/ { root /srv; }"])
def test_a_rule_of_the_server_file_that_no_location_uses_is_an_error_with_the_line_to_add(rest, directory):
    nginx = Nginx(directory)
    assert nginx.found() == ([], [])
    nginx.edit(PRIVATE, rest)
    (problem,), notes = nginx.found()
    line = nginx.configuration.read_text().split("\n").index("    server {") + 1
    remedy = f"Add to location ^~ /private/ in this server block: include {nginx.file('guard-private')};."
    assert (problem, notes) == (f"{nginx.configuration}:{line}: {LOST}{remedy}{OPEN.format('nginx', directory / 'snippets')}", [])


@pytest.mark.parametrize("words", ["/Private/", "^~ /privat/x/", "^~ /private/x/"])
def test_a_printed_guard_at_another_path_is_an_error(words, directory):
    nginx = Nginx(directory)
    nginx.edit(PRIVATE, rf"location {words} {{ \1 }}")
    line = next(n for n, text in enumerate(nginx.configuration.read_text().split("\n"), 1) if f"location {words} {{" in text)
    problems, _ = nginx.found()
    assert problems == [
        f"{nginx.configuration}:{line}: location {words} has the guard that print-config printed for /private/, and does not take the "
        "requests for /private/, so everyone may be able to open /private/. Write this guard in location ^~ /private/"
    ]


@pytest.mark.parametrize("rule, other, count", [("member", "subject=A", 1), ("member", "member", 0), ("anyone", "member", 0)])
def test_a_location_with_the_guard_of_another_path_and_another_rule_is_an_error(rule, other, count, directory):
    nginx = Nginx(directory, guards=[*GUARDS[:5], other, "--require", rule])
    nginx.edit(r"-guard-members.conf;", "-guard-private.conf;", count=2)
    problems, _ = nginx.found()
    found = [problem.partition(": ")[2] for problem in problems]
    assert found == count * [
        f"location = /members has the guard that print-config printed for /private/, so its rule is “{other}” and not the rule “{rule}” that "
        f"was printed for /members. Write here in place of that guard: include {nginx.file('guard-members')};"
    ]


def test_the_only_guard_that_is_lost_is_an_error_too(directory):
    nginx = Nginx(directory, guards=PRIVATE_ONLY)
    nginx.edit(LINES.strip().replace("{files}", str(nginx.file("x")).removesuffix("-x.conf")).replace("^", r"\^"), "")
    (problem,), notes = nginx.found()
    assert LOST in problem and notes == []


def test_a_site_without_a_guard_is_not_an_error(directory):
    for kind in (Nginx, Lighttpd):
        place = directory / kind.__name__
        place.mkdir()
        server = kind(place, guards=[])
        if kind == Nginx:
            server.edit(r"^ *location (\^~|=) /(private|members)/? .*\n", "", count=3)
        else:
            server.edit(r"^ *include .*-guard-.*\n", "", count=2)
        problems, (note,) = server.found()
        assert problems == [] and note.endswith(" asks linkedin-signin, so nothing is guarded"), note


# What an operator writes for a location that is open or closed on purpose, and whether check reports it as a note.
MEANT = {"auth_request off;": True, "deny all;": False, "return 404;": False}


@pytest.mark.parametrize("line", MEANT)
def test_a_location_without_its_printed_guard_on_purpose_is_not_an_error(line, directory):
    nginx = Nginx(directory)
    nginx.edit(PRIVATE, f"location ^~ /private/ {{ {line} }}")
    problems, notes = nginx.found()
    assert problems == [] and len(notes) == MEANT[line], notes
    assert all("location ^~ /private/ is not guarded, although print-config printed the rule" in note for note in notes)


def test_a_guard_that_admits_everyone_may_be_missing(directory):
    nginx = Nginx(directory, guards=[*GUARDS[:-1], "anyone"])
    nginx.edit(PRIVATE, "")
    assert nginx.found() == ([], [])


def test_a_guard_of_the_whole_server_block_is_in_use(directory):
    nginx = Nginx(directory)
    nginx.edit(r"^ *expires 30d;\n", "")
    nginx.edit(PRIVATE, r"\1")
    problems, _ = nginx.found()
    assert not [problem for problem in problems if "that was printed for" in problem], problems


MAIN = """
server.modules = ( "mod_indexfile" )
server.document-root = "{0}/www"
server.errorlog = "{0}/error.log"
server.port = 8080
include "{0}/linkedin-signin-a.example-global.conf"
{1}
"""
SITE = """
$HTTP["host"] == "{1}" {{
    server.document-root = "{0}/www-{2}"
    include "{0}/linkedin-signin-{2}-guard-*.conf"
    include "{0}/linkedin-signin-{2}-site.conf"
}}
"""


class Lighttpd:
    """Sites of one lighttpd, each with a program of its own."""

    def __init__(self, directory, guards=GUARDS, hosts=("a.example", "b.example")):
        self.directory = directory
        for name in ("a.example", "b.example"):
            command = [BINARIES / "linkedin-signin", "print-config", "lighttpd", *guards, "--write", directory]
            settings = {"SIGNIN_BASE_URL": f"https://{name}", "SIGNIN_LISTEN": f"unix:{directory}/{name}.socket"}
            subprocess.run(command, check=True, capture_output=True, env={"PATH": "/usr/bin:/bin", **settings})
        self.configuration = directory / "lighttpd.conf"
        sites = "".join(SITE.format(directory, host, name) for host, name in zip(hosts, ("a.example", "b.example")))
        self.configuration.write_text(MAIN.format(directory, sites))

    def file(self, part, name="a.example"):
        return self.directory / f"linkedin-signin-{name}-{part}.conf"

    def edit(self, old, new, count=1):
        edit(self.configuration, old, new, count)

    def found(self, *options):
        command = ["lighttpd", "-pp", "-f", self.configuration]
        done = subprocess.run(command, capture_output=True, text=True, env=surroundings())
        assert (done.returncode, done.stderr) == (0, "")
        return check("--lighttpd", "-", *options, text=done.stdout)

    def settings(self, name, *lines):
        place = self.directory / f"settings-{name}"
        own = [f"SIGNIN_BASE_URL=https://{name}", f"SIGNIN_LISTEN=unix:{self.directory}/{name}.socket"]
        place.write_text("\n".join([*own, *lines]) + "\n")
        return place


def test_a_guard_file_of_lighttpd_that_is_lost_is_an_error_of_its_site_only(directory):
    lighttpd = Lighttpd(directory)
    assert lighttpd.found() == ([], [])
    lighttpd.file("guard-01-private").unlink()
    (problem,), notes = lighttpd.found()
    remedy = "Include linkedin-signin-a.example-guard-01-private.conf in the site, before its -site.conf file. "
    command = f"linkedin-signin print-config lighttpd{MEMBERS} --location /private/{RULE} --write {directory}"
    remedy += f"If that file is lost, first print it again ({command})."
    assert re.fullmatch(r"standard input:\d+: " + re.escape(LOST + remedy + OPEN.format("lighttpd", directory)), problem) and notes == []


def test_a_guard_of_lighttpd_that_admits_everyone_may_be_missing(directory):
    lighttpd = Lighttpd(directory, guards=[*GUARDS[:-1], "anyone"])
    lighttpd.file("guard-01-private").unlink()
    assert lighttpd.found() == ([], [])


def test_files_of_lighttpd_without_the_list_of_guards_are_an_error_with_the_command_that_prints_them(directory):
    lighttpd = Lighttpd(directory)
    edit(lighttpd.file("site"), r"^ *var\.(?:.*\n)*?    \)\n", "")
    problems, _ = lighttpd.found("--settings-file", lighttpd.settings("a.example"))
    (problem,) = [problem for problem in problems if "print-config" in problem]
    assert "lack what print-config prints for these settings: var.linkedin_signin. " in problem
    assert "--location /private/ --require email-domain=example.com" in problem


def test_the_command_that_prints_files_again_contains_the_guards_that_the_site_has_lost(directory):
    for kind in (Nginx, Lighttpd):
        place = directory / kind.__name__
        place.mkdir()
        server = kind(place)
        if kind == Nginx:
            server.edit(PRIVATE, "")
        else:
            server.file("guard-01-private").unlink()
        settings = server.settings(0 if kind == Nginx else "a.example", "SIGNIN_PERSONAL_TOKENS=90d")
        problems, _ = server.found("--settings-file", settings)
        (command,) = [problem.partition("Print them again: ")[2] for problem in problems if "Print them again: " in problem]
        for location in ("/private/", "/members"):
            assert command.count(f"--location {location} --require email-domain=example.com") == 1, command


def test_the_command_about_a_lost_guard_is_that_of_its_site(directory):
    for kind, names in ((Nginx, (0, 1)), (Lighttpd, ("a.example", "b.example"))):
        place = directory / kind.__name__
        place.mkdir()
        server = Nginx(place, 2) if kind == Nginx else Lighttpd(place)
        if kind == Nginx:
            server.edit(PRIVATE, "", count=2)
        else:
            for name in names:
                server.file("guard-01-private", name).unlink()
        for name, other in (names, names[::-1]):
            settings = server.settings(name)
            options = [f"--settings-file={settings}", f"--site={'localhost' if kind == Nginx else other}"]
            problems = [problem for problem in server.found("--settings-file", settings)[0] if LOST in problem]
            found = [re.findall(f"print-config {kind.__name__.lower()} (.*?) --location", problem) for problem in problems]
            assert [set(each) for each in found] == [{option} for option in (options if name == names[0] else options[::-1])], problems


def test_a_guard_is_judged_by_the_settings_of_its_own_site_only(directory):
    settings = ("LINKEDIN_PRODUCT=basic-profile", "SIGNIN_PERSONAL_TOKENS=90d", "SIGNIN_SESSION_LIFETIME=1h")
    rule = "email-domain=example.com signed-in-within=1d"
    for kind, names in ((Nginx, (0, 1)), (Lighttpd, ("a.example", "b.example"))):
        place = directory / kind.__name__
        place.mkdir()
        server = Nginx(place, 2, [*GUARDS[:-1], rule]) if kind == Nginx else Lighttpd(place, [*GUARDS[:-1], rule])
        assert server.found() == ([], [])
        places = []
        for name in names:
            problems, notes = server.found("--settings-file", server.settings(name, *settings))
            found = [line.split(": ")[0] for line in problems if "LINKEDIN_PRODUCT=basic-profile gives no" in line]
            noted = {line.split(": ")[1] for line in notes if "SIGNIN_SESSION_LIFETIME" in line and "signed-in-within" in line}
            assert found and noted == set(found), problems + notes
            places.append(set(found))
        assert not places[0] & places[1]


def test_two_sites_with_one_program_are_an_error(directory):
    nginx = Nginx(directory, 2)
    nginx.edit(r"socket-1;", "socket-0;", nginx.file("http", 1))
    (problem,), _ = nginx.found()
    names = [f"upstream signin_localhost_{site.port}" for site in nginx.sites]
    assert re.match(rf"{nginx.file('http', 1)}:\d+: {names[1]} leads to unix:{directory}/socket-0, as {names[0]} \(.*\) does", problem), problem


def test_the_upstream_of_an_address_that_the_site_no_longer_has_is_not_a_fault(directory):
    nginx = Nginx(directory)
    nginx.edit(r"^( *)server \{", f"\\1upstream signin_localhost_1 {{ server unix:{nginx.sites[0].socket}; }}\n\\1server {{")
    assert nginx.found() == ([], [])


def test_one_file_of_nginx_is_not_said_to_guard_nothing(directory):
    nginx = Nginx(directory)
    (problem,), _ = check("--nginx", directory / "nginx.conf")
    assert re.search(r"one file of nginx without those that it includes\. Run: sudo nginx -T \| sudo linkedin-signin check --nginx -$", problem), problem
    assert nginx.found() == ([], [])


# The document root outside the sites, more lines at the end, and the path at which other hosts then reach /private/ of a.example.
ROOTS = {
    "the same": ("www-a.example", "", "/private/"),
    "around it": ("", "", "/www-a.example/private/"),
    "inside the folder": ("www-a.example/private/deep", "", "/"),
    "beside it": ("www-a.example-old", "", None),
    "of another site": ("www", '$HTTP["host"] =~ "^c[.]" {{ server.document-root = "{0}/www-a.example/" }}', "/private/"),
    "of the same host": ("www", '$HTTP["host"] == "a.example" {{ $HTTP["url"] =^ "/x/" {{ server.document-root = "{0}" }} }}', None),
    "rejected": ("www-a.example", '$HTTP["host"] !~ "^[ab][.]" {{ url.access-deny = ( "" ) }}', None),
    "replaced": ("www-a.example", '$HTTP["host"] !~ "^[ab][.]" {{ server.document-root = "{0}/www" }}', None),
    "another path": ("www", '$HTTP["url"] =^ "/open/" {{ server.document-root = "{0}/www-a.example" }}', None),
}


@pytest.mark.parametrize("kind", ROOTS)
def test_a_document_root_from_which_other_hosts_get_guarded_files_is_an_error_with_its_line(kind, directory):
    root, lines, path = ROOTS[kind]
    lighttpd = Lighttpd(directory, PRIVATE_ONLY)
    lighttpd.edit(r"/www\"$", f'/{root}"')
    with lighttpd.configuration.open("a") as file:
        file.write(lines.format(directory) + "\n")
    folder = f"{directory}/www-a.example/private/"
    problems, _ = lighttpd.found()
    found = [problem for problem in problems if f"lighttpd serves {folder} " in problem]
    assert len(found) == (path is not None), problems
    if path:
        assert f'to requests with another host at {path} without the guard of $HTTP["url"] =^ "/private/"' in found[0]
    else:
        assert problems == []


@pytest.mark.parametrize("line", ["", 'fastcgi.server = ( "/private/" => (( "socket" => "/s" )) )'])
def test_a_site_that_uses_the_global_document_root_is_told_to_set_its_own_unless_an_application_answers(line, directory):
    lighttpd = Lighttpd(directory, PRIVATE_ONLY)
    lighttpd.edit(r"^    server.document-root = .*$", f"    {line}", 2)
    problems, _ = lighttpd.found()
    found = [problem for problem in problems if f"lighttpd serves {directory}/www/private/ to requests with another host" in problem]
    assert len(found) == (0 if line else 2), problems
    root = f"{directory}/www"
    advice = f'. Write server.document-root = "{root}" into the $HTTP["host"] == "{{}}.example" block. Name here, in place of {root}, a '
    assert all(advice.format(host) in each for host, each in zip("ab", found)), found


DEBIAN = "listen 8080 default_server; server_name _; root {0}; location / {{ try_files $uri $uri/ =404; }}"
# Another server of nginx, and the path at which it serves /private/ of the site; None if it does not.
SERVERS = {
    "default site of Debian": (DEBIAN, "/private/"),
    "another name": ("listen 8080; server_name b.example; root {0}/;", "/private/"),
    "alias": ("listen 8080; location /files/ {{ alias {0}/private/; }}", "/files/"),
    "alias without a slash": ("listen 8080; location /all {{ alias {0}/open/; }}", "/all../private/"),
    "alias and location without a slash": ("listen 8080; location /all {{ alias {0}/open; }}", None),
    "around it": ("listen 8080; location /all/ {{ alias {0}/; }} location / {{ return 404; }}", "/all/private/"),
    "inside the folder": ("listen 8080; root {0}/private/deep;", "/"),
    "part of the folder": ("listen 8080; root {0}; location / {{ return 301 /; }} location /private/x/ {{ }}", "/private/x/"),
    "redirect of others": ("listen 8080; root {0}; rewrite ^/a https://b.example permanent;", "/private/"),
    "redirect": ("listen 8080; root {0}; return 301 https://$host$request_uri;", None),
    "redirect in a location": ("listen 8080; root {0}; location / {{ return 301 https://$host$request_uri; }}", None),
    "redirect by rewrite": ("listen 8080; root {0}; rewrite ^ https://$host$request_uri permanent;", None),
    "redirect by scheme": ("listen 8080; root {0}; if ($scheme = http) {{ return 301 https://$host$request_uri; }}", None),
    "root for certificates": ("listen 8080; location /.well-known/ {{ root {0}; }} location / {{ return 301 https://b.example; }}", None),
    "denied": ("listen 8080; root {0}; location ^~ /private/ {{ deny all; }} location /members {{ return 403; }}", None),
    "denied by an expression": ("listen 8080; root {0}; location ~ ^/(private|members) {{ return 404; }}", None),
    "guarded otherwise": ("listen 8080; root {0}; auth_basic Staff; auth_basic_user_file /x;", None),
    "application": ("listen 8080; root {0}; location / {{ proxy_pass http://127.0.0.1:1; }}", None),
    "beside it": ("listen 8080; root {0}-old;", None),
    "alias of another folder": ("listen 8080; location /private/ {{ alias {0}/members/; }}", "/private/"),
    "alias of an open folder": ("listen 8080; location /private/ {{ alias {0}/open/; }}", None),
}


@pytest.mark.parametrize("kind", SERVERS)
def test_another_server_of_nginx_that_serves_guarded_files_is_an_error_with_its_line(kind, directory):
    lines, path = SERVERS[kind]
    nginx = Nginx(directory)
    root = nginx.sites[0].root
    lines = lines.format(root)
    nginx.edit(r"^( *)(server \{)", f"\\1server {{ {lines} }}\n\\1\\2")
    problems, _ = nginx.found()
    assert len(problems) == (path is not None), problems
    if path:
        folder = f"{root}/{'members' if '/members/' in lines else 'private'}"
        assert f" serves {folder}" in problems[0] and f" at {path} without the guard of location " in problems[0]
        assert problems[0].startswith(f"{nginx.configuration}:"), problems


CHANGED = "was changed, and has no guard"


@pytest.mark.parametrize("content, fault, rm", [("", "is empty", False), ("# nothing\n", CHANGED, True), (None, CHANGED, False)])
def test_an_emptied_guard_file_is_an_error_with_the_command_that_repairs_it(content, fault, rm, directory):
    for kind, part in ((Nginx, "guard-private"), (Lighttpd, "guard-01-private")):
        place = directory / kind.__name__
        place.mkdir()
        server = kind(place)
        (file, name) = server.file(part), 0 if kind == Nginx else "a.example"
        file.write_text(file.read_text().partition("\n")[0] if content is None else content)
        settings = ["--settings-file", server.settings(name)]
        (problem,) = [problem for problem in server.found(*settings)[0] if LOST in problem]
        words, _, rest = problem.partition(f"{file} {fault}. Print it again (")
        command = rest.partition("). If everyone")[0]
        assert words.endswith(LOST) and command.startswith(f"rm {file} && linkedin" if rm else "linkedin"), problem
        subprocess.run(command, shell=True, check=True, capture_output=True, env={"PATH": f"{BINARIES}:/usr/bin:/bin"})
        assert [problem for problem in server.found(*settings)[0] if LOST in problem] == []

"""What `check --lighttpd` finds about the include files of print-config in the blocks and next to the lines of an operator."""

import re
from pathlib import Path

import pytest

from test_check_lost_guards import MEMBERS, RULE, Lighttpd, edit

# The lines in front of a block with the guards, and how messages name the condition.
ELSE = '$HTTP["url"] =~ "index" { url.access-deny = ( "~" ) }'
BLOCKS = {
    condition: (condition, condition)
    for condition in (
        '$HTTP["url"] =^ "/privat/"',
        '$HTTP["url"] =^ "/private/x/"',
        '$HTTP["url"] =~ "index"',
        '$HTTP["url"] == "/private/"',
        '$HTTP["host"] =^ "b"',
        '$HTTP["useragent"] =~ "bot"',
        '$HTTP["request-method"] == "GET"',
        '$HTTP["remoteip"] != "127.0.0.0/8"',
        '$HTTP["scheme"] == "http"',
        '$HTTP["query-string"] == "a"',
        '$SERVER["socket"] == "127.0.0.1:8081"',
    )
} | {
    "else": (f"{ELSE} else", 'else of $HTTP["url"] =~ "index"'),
    "else with a condition": (f'{ELSE} else $HTTP["url"] =~ "^/"', 'else of $HTTP["url"] =~ "index"'),
    "else after else": (
        f'{ELSE} else $HTTP["cookie"] =~ "a" {{ }} else',
        'else of $HTTP["url"] =~ "index", else of $HTTP["cookie"] =~ "a"',
    ),
}
INCLUDE = 'include "{}/linkedin-signin-a.example-guard-\\*.conf"'


def within(lighttpd, block):
    """Moves the include line of the guards into a block."""
    include = INCLUDE.format(lighttpd.directory)
    lighttpd.edit(include, f"{block} {{\n{include}\n}}".replace("\\*", "*"))
    return lighttpd


@pytest.mark.parametrize("kind", BLOCKS)
def test_a_guard_inside_a_block_of_other_requests_is_an_error(kind, directory):
    block, name = BLOCKS[kind]
    problems, _ = within(Lighttpd(directory), block).found()
    words = f"each guard that print-config printed for /members, /private/ is inside {name}, so it does not take all requests for its "
    words += "path, and everyone may be able to open /members, /private/. Move the include line"
    (problem,) = [problem for problem in problems if "is inside" in problem]
    assert words in problem, problem


# Blocks that take all requests of the site for the guarded paths.
OWN = (
    '$HTTP["host"] =$ "example"',
    '$HTTP["url"] =~ "^/(?:private|members)"',
    '$HTTP["url"] !~ "^/public/"',
    '$HTTP["url"] =^ "/public/" { } else',
    '$HTTP["host"] == "b.example" { } else',
)


@pytest.mark.parametrize("block", OWN)
def test_a_guard_inside_a_block_of_all_requests_for_its_paths_is_not_a_fault(block, directory):
    assert within(Lighttpd(directory), block).found() == ([], [])


def test_a_condition_around_the_guards_and_the_pages_of_a_site_is_not_a_fault(directory):
    lighttpd = Lighttpd(directory)
    lighttpd.edit(r'\$HTTP\["host"\] == "a[^}]*\}', r'$SERVER["socket"] == "127.0.0.1:8081" {\n\g<0>\n}')
    assert lighttpd.found() == ([], [])


def test_files_that_were_printed_before_a_setting_changed_are_an_error_with_the_command_that_writes_them(directory):
    lighttpd = Lighttpd(directory)
    problems, _ = lighttpd.found("--settings-file", lighttpd.settings("a.example", "SIGNIN_PERSONAL_TOKENS=90d"))
    (problem,) = [problem for problem in problems if "print-config" in problem]
    command = f"linkedin-signin print-config lighttpd --settings-file={directory}/settings-a.example"
    assert problem.endswith(f" Print them again: {command}{MEMBERS} --location /private/{RULE} --write {directory}"), problem


def test_files_that_lead_to_another_socket_are_an_error_with_the_rules_of_their_guards(directory):
    lighttpd = Lighttpd(directory)
    settings = lighttpd.settings("a.example")
    settings.write_text(settings.read_text().replace("/a.example.socket", "/other.socket"))
    problems, _ = lighttpd.found("--settings-file", settings)
    (problem,) = [problem for problem in problems if "print-config" in problem]
    assert problem.endswith(f" --settings-file={settings}{MEMBERS} --location /private/{RULE} --write {directory}"), problem


# Lines of an operator in the block of a.example, and the words of the finding; None if there is none.
LINES = {
    'server.force-lowercase-filenames = "enable"': 'guarded $HTTP["url"] =~ "^/members(?:/|\\z)" without the guard',
    'url.redirect = ( "^/login" => "/x" )': "url.redirect redirects requests for /login, so they do not reach linkedin-signin. ",
    'url.redirect = ( "^/(oauth|logout)" => "/x" )': "url.redirect redirects requests for /oauth, /logout, so they do not reach ",
    '$HTTP["url"] =^ "/lo" { url.redirect = ( "" => "/x" ) }': "url.redirect redirects requests for /login, /logout, so they ",
    'url.access-deny = ( "~", "in" )': "url.access-deny rejects requests for /login, so they do not reach linkedin-signin. ",
    '$HTTP["request-method"] == "POST" { url.access-deny = ( "" ) }':
        ' for which $HTTP["request-method"] == "POST" holds, so they do not reach linkedin-signin. These are POST requests, such as ',
    '$HTTP["referer"] !~ "a.example" { url.access-deny = ( "" ) }': "These are visitors who come back from LinkedIn. To let them ",
    '$HTTP["useragent"] =~ "Mozilla" { url.access-allow = ( ".html" ) }': "These are visitors with Firefox. To let them ",
    '$HTTP["url"] !~ "^/lo" { $HTTP["query-string"] =~ "code" { url.access-deny = ( "" ) } }': "rejects requests for /oauth for which ",
    '$HTTP["url"] =^ "/lo" { $HTTP["query-string"] =~ "code" { url.access-deny = ( "" ) } }': None,
    '$HTTP["querystring"] =~ "code=" { url.access-deny = ( "" ) }': 'for which $HTTP["querystring"] =~ "code=" holds, so they do not ',
    '$HTTP["querystring"] =~ "[a-zA-Z0-9_]{60,}" { url.access-deny = ( "" ) }': "These are the callback of a sign-in. To let them ",
    '$HTTP["query-string"] =~ "error=" { url.access-deny = ( "" ) }': "These are the callback of a sign-in that the visitor cancels. To ",
    '$HTTP["querystring"] =~ "[a-zA-Z0-9_]{200,}|%" { url.access-deny = ( "" ) }': None,
    '$REQUEST_HEADER["X-Forwarded-Proto"] != "https" { url.redirect = ( "" => "https://a.example${url.path}${qsa}" ) }': None,
    '$HTTP["useragent"] =~ "evil" { url.access-deny = ( "" ) }': None,
    '$HTTP["query-string"] =~ "select" { url.redirect = ( "" => "/" ) }': None,
    '$HTTP["request-method"] !~ "^(GET|HEAD|POST)" { url.access-deny = ( "" ) }': None,
    '$HTTP["request-method"] == "POST" { url.access-deny = ( "" ) } $HTTP["url"] =^ "/" { url.access-deny = ( "~" ) }': None,
    'server.force-lowercase-filenames = "disable"': None,
    'url.access-allow = ( ".html" )': "url.access-allow rejects requests for /login, /oauth, /profile, /logout, /forget, ",
    'setenv.set-request-header = ( "Cookie" => "" )': '$HTTP["host"] == "a.example" replaces Cookie of each request, so ',
    'setenv.set-request-header = ( "X-A" => "1", "origin" => "" )': "replaces origin of each request, so linkedin-signin does not get ",
    '$HTTP["url"] =^ "/private/a/" { setenv.set-request-header = ( "cookie" => "" ) }': "replaces cookie of each request, so ",
    'setenv.set-request-header = ( "Accept" => "application/json" )': "replaces Accept of each request, so linkedin-signin does not get ",
    '$HTTP["url"] =^ "/private/" { setenv.set-request-header = ( "Accept" => "*/*" ) }': "replaces Accept of each request, so ",
    '$HTTP["querystring"] =~ "code=" { setenv.set-request-header = ( "Cookie" => "" ) }': "replaces Cookie of each request, so ",
    'setenv.set-response-header = ( "set-cookie" => "" )': "replaces set-cookie of each response, so no browser gets the set-cookie of ",
    '$HTTP["url"] =^ "/priv" { setenv.set-response-header = ( "Location" => "" ) }': "replaces Location of each response, so no browser ",
    '$HTTP["url"] =^ "/private/a/" { setenv.set-response-header = ( "Set-Cookie" => "" ) }': None,
    '$HTTP["url"] =^ "/private/a/" { setenv.set-request-header = ( "Accept" => "*/*" ) }': None,
    'setenv.add-response-header = ( "Set-Cookie" => "a=b" ) setenv.set-request-header = ( "Accept" => "text/html" )': None,
    '$HTTP["useragent"] =~ "evil" { setenv.set-request-header = ( "Cookie" => "" ) }': None,
    'index-file.names = ( "index.html", "/private/index.html" )': "lighttpd show /private/index.html for directories without the guard of ",
    'url.access-allow = ()': None,
    '$HTTP["url"] =^ "/open/" { url.access-allow = ( ".html" ) setenv.set-request-header = ( "Cookie" => "" ) }': None,
    '$HTTP["url"] =^ "/private/a/" { setenv.set-request-header = ( "Authorization" => "Basic YTpi" ) }': None,
    'setenv.set-request-header = ( "X-Forwarded-Proto" => "https" )': None,
    'index-file.names = ( "index.html", "/index.php" )': None,
    '$HTTP["url"] =^ "/private/" { index-file.names = ( "/private/index.php" ) }': None,
    'url.redirect = ( "^/$" => "/home", "^/old/login" => "/login" )': None,
    '$HTTP["scheme"] == "http" { url.redirect = ( "" => "https://a.example${url.path}${qsa}" ) }': None,
    '$HTTP["host"] == "b.example" { url.redirect = ( "" => "https://a.example" ) }': None,
    'url.redirect = ( "^/login" => "/x" ) $HTTP["url"] =^ "/lo" { url.redirect = () }': None,
    'url.access-deny = ( "~", ".inc" )': None,
}


@pytest.mark.parametrize("line", LINES)
def test_a_line_that_answers_for_the_program_or_passes_the_guard_is_an_error(line, directory):
    lighttpd = Lighttpd(directory)
    lighttpd.edit(r'^( *server.document-root = .*/www-a.example")$', lambda found: f"{found[1]}\n{line}")
    problems, notes = lighttpd.found()
    assert (len(problems), notes) == (LINES[line] is not None, []), problems
    assert all(LINES[line] in problem for problem in problems)


PASSWORD = 'auth.require = ( "" => ( "method" => "basic", "realm" => "a", "require" => "valid-user" ) )'
OF_PRIVATE, OF_LOGIN = PASSWORD.replace('( "" =', '( "/private/" ='), PASSWORD.replace('( "" =', '( "/lo" =')
EVERYONE = 'extforward.forwarder = ( "all" => "trust" )'
CERTIFICATE = """server.modules += ( "mod_openssl" )
$SERVER["socket"] == ":8443" { ssl.engine = "enable" ssl.verifyclient.activate = "enable" """
FORWARDER = 'extforward.forwarder = ( "127.0.0.1" => "trust" )'
TLS = 'server.modules += ( "mod_openssl" ) $SERVER["socket"] == ":8443" { ssl.engine = "enable" }'
OF_CLIENTS = 'ssl.verifyclient.activate = "enable"'
FORWARDED = '$REQUEST_HEADER["X-Forwarded-Proto"] != "https" { url.redirect = ( "" => "https://a.example" ) }'
# Lines outside all conditions, and the words of the warning; None if there is none.
DOUBTS = {
    PASSWORD: "auth.require asks for a password in requests for /login, /oauth, /profile, /logout, ",
    f'$HTTP["host"] =$ ".example" {{ {OF_LOGIN} }}': "in requests for /login, /logout, so only ",
    '$HTTP["cookie"] =~ "beta" { url.redirect = ( "" => "/beta" ) }':
        ' for which $HTTP["cookie"] =~ "beta" holds, so they do not reach linkedin-signin. If visitors with such requests should ',
    '$HTTP["cookie"] =~ "beta" { url.access-deny = ( "" ) }': "url.access-deny rejects requests for /login, /oauth, ",
    '$HTTP["cookie"] =~ "beta" { url.rewrite-once = ( "^/lo" => "/beta" ) }': 'of $HTTP["cookie"] =~ "beta" leads /login to ',
    f'extforward.hap-PROXY = "enable"\n{EVERYONE}': "reject each request from all (extforward.forwarder) without the PROXY protocol, ",
    f'extforward.hap-PROXY = "enable"\n{FORWARDER}': None,
    CERTIFICATE + "}": "for the pages of linkedin-signin, so only browsers with a client certificate can sign in. If others ",
    CERTIFICATE + 'ssl.verifyclient.enforce = "enable" }': "write next to this line ssl.verifyclient.enforce = \"disable\", and check ",
    CERTIFICATE + 'ssl.verifyclient.enforce = "disable" }': None,
    f'{TLS}\n$HTTP["host"] =~ "[.]example$" {{ {OF_CLIENTS} }}': "for the pages of linkedin-signin, so only browsers with a client ",
    f'{TLS}\n$HTTP["host"] =~ "^static[.]" {{ {OF_CLIENTS} }}': None,
    f'{TLS}\n$HTTP["host"] != "a.example" {{ $HTTP["host"] != "b.example" {{ {OF_CLIENTS} }} }}': None,
    'extforward.hap-PROXY = "enable"': None,
    f'extforward.hap-PROXY = "disable"\n{FORWARDER}': None,
    '$HTTP["cookie"] =~ "beta" { setenv.set-response-header = ( "Set-Cookie" => "" ) }': "replaces Set-Cookie of each response, so ",
    f"{TLS}\n{FORWARDED}": ' for which $REQUEST_HEADER["X-Forwarded-Proto"] != "https" holds, so they do not reach linkedin-signin. If ',
    f"{TLS}\n{FORWARDER}\n{FORWARDED}": None,
    f"{TLS}\n" + FORWARDED.replace('!= "https', '== "http'): None,
    OF_PRIVATE: None,
    f'$HTTP["host"] == "c.example" {{ {PASSWORD} }}': None,
}


@pytest.mark.parametrize("line", DOUBTS)
def test_a_line_of_lighttpd_with_which_only_some_visitors_can_sign_in_is_a_warning(line, directory):
    lighttpd = Lighttpd(directory)
    lighttpd.edit("^server.port = 8080", lambda found: f"{found[0]}\n{line}")
    problems, warnings = lighttpd.found("--quiet")
    assert (problems, len(set(warnings))) == ([], DOUBTS[line] is not None), warnings
    assert all(warning.startswith("warning: standard input:") and DOUBTS[line] in warning for warning in warnings), warnings


def test_the_lines_that_a_warning_of_lighttpd_about_a_password_advises_end_it(directory):
    lighttpd = Lighttpd(directory)
    lighttpd.edit("^server.port = 8080", rf"\g<0>\n{PASSWORD}")
    for name in ("a", "b"):
        warning = lighttpd.found("--quiet")[1][0]
        advice = warning.partition(", write after the include line of the -site.conf file: ")[2]
        assert '} $HTTP["url"] =^ "/private/" { auth.require = () }' in advice, warning
        lighttpd.edit(rf'^.*{name}.example-site.conf"$', lambda found: f"{found[0]}\n{advice}")
    assert lighttpd.found("--quiet") == ([], [])


def test_the_proxy_protocol_from_addresses_of_a_proxy_is_a_note(directory):
    lighttpd = Lighttpd(directory)
    lighttpd.edit("^server.port = 8080", rf'\g<0>\nextforward.hap-PROXY = "enable"\n{FORWARDER}')
    problems, (note,) = lighttpd.found()
    assert problems == [] and note.startswith("note: ") and "so HAProxy must connect from there with send-proxy" in note, note


@pytest.mark.parametrize("hosts", ["", '"" => (( "socket" => "/run/php" ))'])
def test_a_list_that_replaces_several_guards_is_one_error(hosts, directory):
    lighttpd = Lighttpd(directory)
    lighttpd.edit('^.*a.example-site.conf"$', rf'\g<0>\n$HTTP["query-string"] =~ "a" {{ fastcgi.server = ( {hosts} ) }}')
    (problem,), notes = lighttpd.found()
    words = r' the guard of \$HTTP\["url"\] =~ "\^/members.*" \(.*:\d+\), \$HTTP\["url"\] =\^ "/private/" \(.*:\d+\) if both apply'
    assert re.search(words, problem) and notes == [], problem


MODULES = '"mod_access", "mod_redirect", "mod_setenv", "mod_expire", "mod_fastcgi"'


@pytest.mark.parametrize("name, words", {
    "mod_expire": "guards set expire.url, so that no cache serves their pages without the guard. Add it before mod_fastcgi",
    "mod_access": "guards need it. Add it before mod_fastcgi",
}.items())
def test_a_lost_module_is_an_error_with_its_place(name, words, directory):
    lighttpd = Lighttpd(directory)
    edit(lighttpd.file("global"), MODULES, MODULES.replace(f'"{name}", ', ""))
    (problem,), _ = lighttpd.found()
    assert problem.endswith(f": {name} is not in server.modules, but {words}"), problem


@pytest.mark.parametrize("lines, count", {
    'server.compat-module-load = "disable"': 1,
    'server.compat-module-load = "disable"\nserver.modules += ( "mod_openssl" )': 0,
}.items())
def test_tls_without_its_module_is_an_error(lines, count, directory):
    lighttpd = Lighttpd(directory)
    lighttpd.edit("^server.port = 8080", f'\\g<0>\n$SERVER["socket"] == ":8443" {{ ssl.engine = "enable" }}\n{lines}')
    problems, _ = lighttpd.found()
    assert len(problems) == count and all("but server.modules has no module for TLS" in problem for problem in problems), problems


def test_a_guard_around_a_lost_guard_replaces_it_only_with_the_same_rule(directory):
    rules = ["--location", "/", "--location", "/private/", "--require", "member", "--require"]
    for rule, count in (("member", 0), ("subject=A", 1)):
        place = directory / str(count)
        place.mkdir()
        lighttpd = Lighttpd(place, guards=[*rules, rule])
        lighttpd.file("guard-01-private").unlink()
        problems, _ = lighttpd.found()
        assert len(problems) == count, problems


def test_a_site_of_lighttpd_without_the_include_line_of_its_guards_is_an_error(directory):
    lighttpd = Lighttpd(directory)
    text = lighttpd.configuration.read_text()
    lighttpd.configuration.write_text(re.sub(r"^ *include .*-guard-.*\n", "", text, flags=re.MULTILINE))
    problems, notes = lighttpd.found()
    paths = re.findall(r"that was printed for (\S+),", "\n".join(problems))
    assert (paths, notes) == (["/members", "/private/"] * 2, []), problems


def test_a_guard_that_asks_another_program_is_an_error_with_the_command_that_prints_it(directory):
    lighttpd = Lighttpd(directory)
    edit(lighttpd.file("guard-01-private"), "/a.example.socket", "/other.socket", expected=2)
    (problem,), _ = lighttpd.found()
    assert f"asks {directory}/other.socket, but visitors of this site sign in at {directory}/a.example.socket. " in problem
    command = f"linkedin-signin print-config lighttpd{MEMBERS} --location /private/{RULE} --write {directory}"
    assert problem.endswith(f". Print its files again: {command}"), problem


@pytest.mark.parametrize("line", [r"^.*$\n?", "^server.modules.*$"])
def test_the_lost_file_for_the_top_level_or_its_modules_are_one_error_with_the_command_that_prints_it(line, directory):
    lighttpd = Lighttpd(directory)
    file = lighttpd.file("global")
    file.write_text(re.sub(line, "", file.read_text(), flags=re.MULTILINE))
    (problem,), notes = lighttpd.found()
    words = f"lighttpd does not include {file} at the top level, or this file was changed: server.modules lacks mod_access, mod_setenv, "
    command = f"linkedin-signin print-config lighttpd{MEMBERS} --location /private/{RULE} --write {directory}"
    assert words in problem and problem.endswith(f" If this file is lost or was changed, print it again: {command}") and notes == [], problem
    assert ("accepts paths with dot segments" in problem) == (file.read_text() == ""), problem


def test_all_guards_of_a_site_that_ask_another_program_are_one_error(directory):
    lighttpd = Lighttpd(directory)
    edit(lighttpd.file("site"), "/a.example.socket", "/other.socket")
    (problem,), _ = lighttpd.found()
    names = r'\$HTTP\["url"\] =~ "\^/members.*", \$HTTP\["url"\] =\^ "/private/"'
    assert re.search(f": {names} ask {directory}/a.example.socket, but visitors of this site sign in at {directory}/other.socket", problem)


def test_the_lost_file_of_a_site_is_one_error(directory):
    lighttpd = Lighttpd(directory)
    lighttpd.edit(r"^.*a.example-site.conf.*$", "")
    (problem,), notes = lighttpd.found()
    names = r'\$HTTP\["url"\] =~ "\^/members.*", \$HTTP\["url"\] =\^ "/private/"'
    assert re.search(f": {names} are guarded, but no condition has the pages for signing in, such as /oauth", problem) and notes == []


def test_a_document_root_with_several_guarded_folders_is_one_error(directory):
    lighttpd = Lighttpd(directory)
    lighttpd.edit(r"^server.document-root = .*$", f'server.document-root = "{directory}/www-a.example"')
    (problem,), notes = lighttpd.found()
    assert f"lighttpd serves {directory}/www-a.example/members to requests with another host at /members without" in problem and notes == []


def test_a_later_list_of_variables_without_the_rule_is_an_error(directory):
    lighttpd = Lighttpd(directory)
    variables = '$HTTP["query-string"] =~ "a" { setenv.add-environment = ( "APP_ENV" => "prod" ) }'
    lighttpd.edit(INCLUDE.format(lighttpd.directory), rf"\g<0>\n{variables}")
    (problem,), _ = lighttpd.found()
    assert problem.count('$HTTP["url"]') == 2 and "and with it the rule, if both apply" in problem, problem


@pytest.mark.parametrize("name, value, count", [("SIGNIN_REQUIRE", "anyone", 1), ("SIGNIN_ACTION", "ask", 1), ("APP_ENV", "prod", 0)])
@pytest.mark.parametrize("place", ["the whole configuration", '$HTTP["host"] == "a.example"', '$HTTP["query-string"] == "a"'])
def test_a_variable_of_a_guard_that_another_line_replaces_is_an_error(name, value, count, place, directory):
    lighttpd = Lighttpd(directory)
    line = f'setenv.set-environment = ( "{name}" => "{value}" )'
    if place == "the whole configuration":
        lighttpd.edit("^server.port = 8080", rf"\g<0>\n{line}")
    else:
        block = f"{place} {{ {line} }}" if "query" in place else line
        lighttpd.edit(r'^( *server.document-root = .*/www-a.example")$', lambda found: f"{found[1]}\n{block}")
    problems, notes = lighttpd.found()
    assert (len(problems), notes) == (count, []), problems
    words = f"setenv.set-environment of {place} sets {name} to “{value}” for linkedin-signin too, in place of the value of the guard of "
    assert all(words in problem and problem.endswith(f". Remove {name} from this line") for problem in problems), problems


def test_a_rule_that_was_edited_in_the_file_of_a_guard_is_an_error_with_the_printed_rule(directory):
    lighttpd = Lighttpd(directory)
    edit(lighttpd.file("guard-01-private"), '"email-domain=example.com"', '"anyone"')
    (problem,), notes = lighttpd.found()
    words = "has the rule “anyone” and not the rule “email-domain=example.com” that print-config printed for /private/. "
    command = f"linkedin-signin print-config lighttpd{MEMBERS} --location /private/{RULE} --write {directory}"
    assert words in problem and problem.endswith(f"with the rule that you want: {command}") and notes == [], problem


@pytest.mark.parametrize("exists", [False, True])
def test_a_root_directory_without_the_socket_is_an_error(exists, directory):
    lighttpd = Lighttpd(directory)
    lighttpd.edit("^server.port = 8080", rf'\g<0>\nserver.chroot = "{directory}/root"')
    socket = Path(f"{directory}/root{directory}/a.example.socket")
    if exists:
        socket.parent.mkdir(parents=True)
        socket.touch()
    problems, notes = lighttpd.found()
    assert (len(problems), notes) == (not exists, []), problems
    assert all(f", the socket of linkedin-signin, at {socket}, which does not exist" in problem for problem in problems), problems


def test_guards_in_the_block_of_another_host_are_one_error_with_their_place(directory):
    lighttpd = Lighttpd(directory)
    include = INCLUDE.format(directory)
    lighttpd.edit(include, "")
    with lighttpd.configuration.open("a") as file:
        file.write(f'$HTTP["host"] == "c.example" {{\n{include}\n}}\n'.replace("\\*", "*"))
    (problem,), notes = lighttpd.found()
    words = r"are guarded, but no condition has the pages for signing in, such as /oauth\. Move the include lines of these guards into the "
    words += r"block of https://a\.example, before its -site\.conf file \(standard input:\d+\)$"
    assert re.search(words, problem) and notes == [], problem

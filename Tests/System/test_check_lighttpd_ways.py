"""Whether `check --lighttpd` finds aliases, document roots and rewrites that lead around a guard of the same host."""

import pytest

from test_check_lost_guards import PRIVATE_ONLY, Lighttpd
from test_check_servers import check, printed, replaced

# Lines in the block of a.example, and the words about them; nothing for lines that open nothing.
WAYS = {
    'alias.url = ( "/p/" => "{0}/www-a.example/private/" )': "to requests at /p/ without the guard of",
    'alias.url = ( "/all" => "{0}/" )': "to requests at /all/www-a.example/members without the guard of",
    'alias.url = ( "/private/x/" => "{0}/www-a.example/private/y/" )': None,
    'alias.url = ( "/p/" => "{0}/www-a.example/open/" )': None,
    '$HTTP["url"] =^ "/x/" {{ server.document-root = "{0}/www-a.example/private" }}': "to requests at /x/ without the guard of",
    '$HTTP["url"] =^ "/private/x/" {{ server.document-root = "{0}/www-a.example/private" }}': None,
    'url.rewrite-once = ( "^/(.*)" => "/index.php/$1" )': "leads /private/x to /index.php/private/x without the guard of",
    'url.rewrite-once = ( "^/private/" => "$0", "^/members" => "$0", "^/(.*)" => "/index.php" )': None,
    'url.rewrite-once = ( "^/p/(.*)" => "/private/$1" )': None,
    'url.rewrite-once = ( "^/private/(.*)" => "/private/index.php?path=$1" )': None,
}


@pytest.mark.parametrize("lines", WAYS)
def test_lines_of_lighttpd_that_lead_around_a_guard_of_the_same_host_are_an_error(lines, directory):
    lighttpd = Lighttpd(directory)
    lighttpd.edit(r"^ *server.document-root = .*www-a.*$", rf"\g<0>\n    {lines.format(directory)}")
    problems, _ = lighttpd.found()
    found = [problem for problem in problems if WAYS[lines] or '=^ "/private/"' in problem]
    assert any(WAYS[lines] in problem for problem in found) if WAYS[lines] else not found, problems


EVHOST, SIMPLE, USERS = 'evhost.path-pattern = "{0}/', 'simple-vhost.server-root = "{0}/"', 'userdir.path = ""\nuserdir.basepath = "{0}/"'
HOST = "serves {0}/www-a.example/private/ to requests with the host "
# Lines outside all conditions, whether the directory of the host a.example exists, and the words of the finding about a.example.
VIRTUAL = {
    (f'{EVHOST}%0/"', False): HOST + "www-a.example at /private/ without",
    (f'{EVHOST}www-%0/"', False): HOST + "x.a.example at /private/ without",
    (f'{EVHOST}www-%2.%1/"', False): HOST + "x.a.example at /private/ without",
    ('$HTTP["host"] == "test.a.example" {{ evhost.path-pattern = "{0}/www-a.example/" }}', False): HOST + "test.a.example at /private/ without",
    (f'{EVHOST}www-%_/"', False): None,
    (f'{EVHOST}%_/htdocs/"', False): None,
    (f'{EVHOST}%0/"', True): HOST + "www-a.example at /private/ without",
    (f'{EVHOST}own/%_/"', True): None,
    (f'{EVHOST}own/%0/"', True): "serves {0}/own/a.example/private/ to requests with the host x.a.example at /private/ without",
    (SIMPLE, False): HOST + "www-a.example at /private/ without",
    (f'{SIMPLE}\nsimple-vhost.document-root = "/htdocs/"', False): None,
    (f'{SIMPLE}\nsimple-vhost.document-root = "/private/"', False): HOST + "www-a.example at / without",
    ('simple-vhost.server-root = "{0}/own"\nsimple-vhost.default-host = "a.example"', True):
        "serves {0}/own/a.example/private/ to requests with another host at /private/ without",
    (USERS, False): "serves {0}/www-a.example/private/ to requests at /~www-a.example/private/ without",
    (USERS.replace('""', '"private"'), False): "serves {0}/www-a.example/private/ to requests at /~www-a.example/ without",
    (f'{USERS}\nuserdir.exclude-user = ( "www-a.example" )', False): None,
    (f'{USERS}\nuserdir.include-user = ( "www" )', False): None,
    ('userdir.path = "public_html"', False): None,
}


@pytest.mark.parametrize("lines, exists", VIRTUAL)
def test_a_virtual_host_or_the_directory_of_a_user_that_leads_around_a_guard_is_an_error(lines, exists, directory):
    lighttpd = Lighttpd(directory, PRIVATE_ONLY)
    if exists:
        (directory / "own/a.example").mkdir(parents=True)
    lighttpd.edit("^server.port = 8080", rf"\g<0>\n{lines.format(directory)}")
    words = VIRTUAL[lines, exists]
    problems = [problem for problem in lighttpd.found()[0] if "b.example" not in problem]
    assert any(words.format(directory) in problem for problem in problems) if words else not problems, problems


def test_a_guard_of_some_requests_to_all_hosts_leaves_the_document_root_open(directory):
    guarded = replaced(r'^\$HTTP\["url"\] =\^ "/private/" \{\n(?:.*\n)*?\}\n', r'$HTTP["useragent"] =~ "a" {\n\g<0>}\n')
    text, _ = printed("lighttpd", directory, guarded, ["--location", "/private/", "--require", "member"])
    problems, _ = check("--lighttpd", "-", text=text)
    words = 'to requests at /private/ without the guard of $HTTP["url"] =^ "/private/"'
    assert any(words in problem and problem.endswith(". Name a directory without guarded files here") for problem in problems), problems

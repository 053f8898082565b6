"""Whether `check --lighttpd` finds aliases, document roots and rewrites that lead around a guard of the same host."""

import re

import pytest

from test_check_lost_guards import PRIVATE_ONLY, Lighttpd
from test_check_servers import check, printed, replaced

pytestmark = pytest.mark.extended

# Lines in the block of a.example, and the words about them; nothing for lines that open nothing.
WAYS = {
    'alias.url = ( "/p/" => "{0}/www-a.example/private/" )': "to requests at /p/ without the guard of",
    'alias.url = ( "/all" => "{0}/" )': "to requests at /all/www-a.example/members without the guard of",
    'alias.url = ( "/private/x/" => "{0}/www-a.example/private/y/" )': None,
    'alias.url = ( "/p/" => "{0}/www-a.example/open/" )': None,
    '$HTTP["url"] =^ "/x/" {{ server.document-root = "{0}/www-a.example/private" }}': "to requests at /x/ without the guard of",
    '$HTTP["url"] =^ "/private/x/" {{ server.document-root = "{0}/www-a.example/private" }}': None,
    'url.rewrite-once = ( "^/(.*)" => "/index.php/$1" )':
        "leads /login to /index.php/login, /members to /index.php/members, /private/x to /index.php/private/x, so lighttpd does not ask ",
    'url.rewrite-once = ( "^/log(.*)" => "/x" )': "leads /login to /x, so requests for pages of linkedin-signin do not ",
    'url.rewrite-once = ( "^/private/" => "", "^/members" => "", "^/(?!pro)[a-z]+$" => "", "^/(.*)" => "/i.php" )': "leads /profile to ",
    'url.rewrite-once = ( "^/p/(.*)" => "/private/$1" )': None,
    'url.rewrite-once = ( "^/private/(.*)" => "/private/index.php?path=$1" )': None,
}


@pytest.mark.parametrize("lines", WAYS)
def test_lines_of_lighttpd_that_lead_around_a_guard_of_the_same_host_are_an_error(lines, directory):
    lighttpd = Lighttpd(directory)
    lighttpd.edit(r"^ *server.document-root = .*www-a.*$", rf"\g<0>\n    {lines.format(directory)}")
    problems = [problem for problem in lighttpd.found()[0] if "www-b.example" not in problem]
    assert len(problems) == (WAYS[lines] is not None) and all(WAYS[lines] in problem for problem in problems), problems


def test_the_rules_that_a_finding_about_a_rewrite_advises_end_it_and_keep_paths(directory):
    lighttpd = Lighttpd(directory)
    lighttpd.edit(r"^ *server.document-root = .*www-a.*$", r'\g<0>\n    url.rewrite-once = ( "^/(.*)" => "/index.php" )')
    (problem,), _ = lighttpd.found()
    rules = problem.partition("Write first in this list: ")[2]
    assert rules.startswith('"^/(login|oauth|') and rules.endswith(')(?:\\?|\\z)" => "", "^/members" => "", "^/private/" => ""'), rules
    lighttpd.edit(r'url.rewrite-once = \( ', lambda found: f"{found[0]}{rules}, ")
    assert lighttpd.found() == ([], [])


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


def test_the_lines_that_a_finding_about_virtual_hosts_advises_end_it(directory):
    lighttpd = Lighttpd(directory, PRIVATE_ONLY)
    (directory / "own/a.example").mkdir(parents=True)
    pattern = f'evhost.path-pattern = "{directory}/own/%0/"'
    lighttpd.edit("^server.port = 8080", rf"\g<0>\n{pattern}")
    (problem,) = lighttpd.found()[0]
    advice = f'. Write {pattern} into the $HTTP["host"] == "a.example" block. Name here, in place of {directory}/own/%0/, a directory '
    assert advice in problem, problem
    lighttpd.edit(f"^{pattern}", f'evhost.path-pattern = "{directory}/open/%0/"')
    lighttpd.edit(r"^ *server.document-root = .*www-a.*$", rf"\g<0>\n{pattern}")
    assert lighttpd.found() == ([], [])


def test_a_guard_of_some_requests_to_all_hosts_leaves_the_document_root_open(directory):
    guarded = replaced(r'^\$HTTP\["url"\] =\^ "/private/" \{\n(?:.*\n)*?\}\n', r'$HTTP["useragent"] =~ "a" {\n\g<0>}\n')
    text, _ = printed("lighttpd", directory, guarded, ["--location", "/private/", "--require", "member"])
    problems, _ = check("--lighttpd", "-", text=text)
    words = 'to requests at /private/ without the guard of $HTTP["url"] =^ "/private/"'
    end = r" is (/\S+)\. Name here, in place of \1, a directory without guarded files$"
    assert any(words in problem and re.search(end, problem) for problem in problems), problems

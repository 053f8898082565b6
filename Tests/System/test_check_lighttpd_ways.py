"""Whether `check --lighttpd` finds aliases, document roots and rewrites that lead around a guard of the same host."""

import pytest

from test_check_lost_guards import Lighttpd

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

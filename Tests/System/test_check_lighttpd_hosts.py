"""What `check --lighttpd` finds about the hosts for which a configuration includes the files of print-config."""

import pytest

from test_check_lighttpd import TLS, within
from test_check_lost_guards import Lighttpd

pytestmark = pytest.mark.extended

OTHER = '" includes the files of another site, https://a.example. If the host of this site is a.example, write $HTTP["host"] == '
CAPITAL = '" with files of linkedin-signin never holds, because lighttpd compares the host of each request in lower case, so nobody can '
# The host of a site that includes the files of a.example, and the words of the error; None if there is none.
HOSTS = {"a.example": None, "A.example": CAPITAL, "a.example:8443": None, "c.example": OTHER, "www.a.example": OTHER}


@pytest.mark.parametrize("host", HOSTS)
def test_the_files_of_another_site_in_lighttpd_and_capital_letters_are_found_by_the_host(host, directory):
    problems, _ = Lighttpd(directory, hosts=(host, "b.example")).found()
    assert len(problems) == (HOSTS[host] is not None), problems
    assert all(f'$HTTP["host"] == "{host}{HOSTS[host]}' in problem for problem in problems), problems


# Conditions on the host around the files of a.example, and whether browsers meet them at https://a.example, at port 8443 behind a
# proxy, which may pass the host without the port, and at port 8443 of lighttpd itself.
REACHED = {
    '=~ "^a.example:443$"': (False, False, False),
    '=^ "a.example:443"': (False, False, False),
    '!= "a.example"': (False, False, False),
    '=~ "^A.example$"': (False, False, False),
    '=~ "^a.example:8443$"': (False, True, True),
    '=~ "^a[.]example$"': (True, True, False),
    '=$ "a.example"': (True, True, False),
    '== "a.example"': (True, True, True),
    '!~ "^www[.]"': (True, True, True),
    '=~ "^a.example(?(?=:):8443)$"': (True, True, True),
}


@pytest.mark.parametrize("condition", REACHED)
def test_a_condition_on_the_host_that_no_browser_meets_is_an_error(condition, directory):
    lighttpd = Lighttpd(directory)
    lighttpd.edit(r'^\$HTTP\["host"\] == "a.example"', lambda _: f'$HTTP["host"] {condition}')
    file = lighttpd.file("site")
    for port, lines, is_reached in zip(("", ":8443", ":8443"), ("", "", TLS), REACHED[condition]):
        file.write_text(file.read_text().replace('"site" => "https://a.example"', f'"site" => "https://a.example{port}"'))
        lighttpd.edit("^server.port = 8080", lambda found: f"{found[0]}\n{lines}")
        problems, _ = lighttpd.found()
        found = [problem for problem in problems if "holds for no request of a browser" in problem]
        words = f'$HTTP["host"] {condition} with the pages of linkedin-signin holds for no request of a browser to https://a.example{port}, '
        assert len(found) == (not is_reached) and all(words in problem for problem in found), problems


def test_a_guard_in_a_condition_on_the_host_that_no_browser_meets_is_an_error(directory):
    lighttpd = Lighttpd(directory)
    lighttpd.edit(r'^\$HTTP\["host"\] == "a.example"', '$HTTP["url"] =^ "/"')
    lighttpd.edit('(?s)^\\$HTTP\\["host"\\] == "b.example".*\\n}\\n', "")
    for condition, count in (("^a.example:443$", 1), ("^a.example$", 0)):
        problems, _ = within(lighttpd, f'$HTTP["host"] =~ "{condition}"').found()
        found = [problem for problem in problems if f'=~ "{condition}", so it does not take all requests' in problem]
        assert len(found) == count, problems
        lighttpd.edit(r'\$HTTP\["host"\] =~ ".*" \{\n(.*)\n\}', r"\1")


# Conditions on the host around the files of a site at an IPv6 address and a port, and whether browsers meet them.
@pytest.mark.parametrize("condition, is_reached", [('== "[::1]"', True), ('== "[::1]:443"', False), ('!= "[::1]"', False)])
def test_a_condition_on_an_ipv6_host_is_judged_with_and_without_the_port(condition, is_reached, directory):
    lighttpd = Lighttpd(directory)
    lighttpd.edit(r'^\$HTTP\["host"\] == "a.example"', f'$HTTP["host"] {condition}')
    lighttpd.edit("^server.port = 8080", rf"\g<0>\n{TLS}")
    file = lighttpd.file("site")
    file.write_text(file.read_text().replace('"site" => "https://a.example"', '"site" => "https://[::1]:8443"'))
    problems, _ = lighttpd.found()
    found = [problem for problem in problems if "holds for no request of a browser to https://[::1]:8443, " in problem]
    assert len(found) == (not is_reached), problems


# Lines of an operator around the block of a.example, and the number of errors with b.example and without that site.
RESPONSE = '{ setenv.set-response-header = ( "Set-Cookie" => "" ) }'
FIELDS = {
    rf"\g<0> else {RESPONSE}": (1, 0),
    rf'\g<0> $HTTP["host"] =~ "^static[.]" {RESPONSE}': (0, 0),
    r'\g<0> $HTTP["host"] =~ "^api[.]" { setenv.set-request-header = ( "Accept" => "application/json" ) }': (0, 0),
    rf'\g<0> $HTTP["host"] != "a.example" {RESPONSE}': (1, 0),
    rf'\g<0> $HTTP["host"] =~ "^b[.]" {RESPONSE}': (1, 0),
    rf'\g<0> $HTTP["host"] =~ "^a[.]" {RESPONSE}': (1, 1),
    rf'\g<0> $SERVER["socket"] == "127.0.0.1:8081" {RESPONSE}': (0, 0),
    rf'\g<0> $HTTP["remoteip"] == "127.0.0.0/8" {RESPONSE}': (0, 0),
    rf'$SERVER["socket"] == "127.0.0.1:8081" {{ \g<0> $HTTP["url"] =^ "/" {RESPONSE} }}': (1, 1),
}


@pytest.mark.parametrize("lines", FIELDS)
def test_a_header_field_is_replaced_only_if_requests_of_a_site_meet_the_block(lines, directory):
    lighttpd = Lighttpd(directory)
    lighttpd.edit(r'\$HTTP\["host"\] == "a[^}]*\}', lines)
    counts = [len(lighttpd.found()[0])]
    lighttpd.edit('(?s)^\\$HTTP\\["host"\\] == "b.example".*\\n}\\n', "")
    counts.append(len(lighttpd.found()[0]))
    assert tuple(counts) == FIELDS[lines], lighttpd.found()

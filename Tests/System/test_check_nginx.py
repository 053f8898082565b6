"""What `check --nginx` finds about the include files of print-config and the lines of an operator around them."""

import subprocess

import pytest

from harness.process import BINARIES
from test_check_lost_guards import MEMBERS, PRIVATE, RULE, Nginx, edit

SIGN_IN = " is in force in location = /login of linkedin-signin, so "
LOST = "and nobody can sign in. Remove this line"
PASSWORD = "only visitors with a password of auth_basic can sign in. If others"
# Lines around the locations of linkedin-signin, and what is said about the first line; None if nothing is.
AROUND = {
    "fastcgi_hide_header Set-Cookie;": f"{SIGN_IN}no browser gets a cookie of linkedin-signin, {LOST}",
    "fastcgi_pass_request_headers off;": f"{SIGN_IN}linkedin-signin gets no cookie, {LOST}",
    "deny all;": f"{SIGN_IN}nginx rejects all visitors, {LOST}",
    "auth_basic Staff; auth_basic_user_file /dev/null;": f"{SIGN_IN}{PASSWORD}",
    "fastcgi_hide_header X-Powered-By; fastcgi_pass_request_headers on; auth_basic off;": None,
    "allow 192.0.2.0/24; deny all;": None,
    "deny 192.0.2.1;": None,
}


def test_a_return_outside_all_locations_is_an_error_because_nobody_can_sign_in(directory):
    nginx = Nginx(directory)
    nginx.edit(r"^( *)server \{", r"\g<0>\nreturn 503;")
    problems, _ = nginx.found()
    assert any(f"return 503{SIGN_IN}nginx responds with this line to every request, {LOST}" in each for each in problems), problems


@pytest.mark.parametrize("line", AROUND)
@pytest.mark.parametrize("block", ["http", "server"])
def test_a_line_that_keeps_visitors_from_signing_in_is_found_in_the_blocks_around_the_locations(line, block, directory):
    nginx = Nginx(directory)
    nginx.edit(r"^( *)server \{", lambda found: f"{line}\n{found[0]}" if block == "http" else f"{found[0]}\n{line}")
    problems, notes = nginx.found()
    words = AROUND[line]
    found = notes if "auth_basic Staff" in line else problems
    assert len(problems + notes) == (words is not None) == len(found), problems + notes
    place = nginx.configuration.read_text().split("\n").index(line) + 1
    assert all(f"{nginx.configuration}:{place}: {line.partition(';')[0]}{words}" in text for text in found), found


def test_a_lost_rule_is_an_error_with_a_command_that_needs_the_rule(directory):
    nginx = Nginx(directory)
    internal = r"^(location = /.linkedin-signin/\w+/private/ \{\n)(?:.*\n)*?\}"
    for old, new in ((r'(?<=/private/ \{\n)(.*\n) *set \$\w+_rule .*\n', r"\1"), (internal, "")):
        edit(nginx.file("server"), old, new)
        problems, _ = nginx.found()
        (problem,) = [problem for problem in problems if "location ^~ /private/ is guarded without a rule" in problem]
        start = "so the guard rejects everybody. Print the files of the site again, with the rule in place of RULE: linkedin-signin"
        options = problem.partition(f"{start} print-config nginx")[2]
        # The internal location, which is left in place first, and the location that includes the guard file have one path.
        assert options == f" --location /private/ --require RULE{MEMBERS} --write {directory}/snippets", problem
    command = [BINARIES / "linkedin-signin", "print-config", "nginx", *options.split()]
    settings = {"SIGNIN_BASE_URL": nginx.sites[0].url, "SIGNIN_LISTEN": f"unix:{nginx.sites[0].socket}", "PATH": "/usr/bin:/bin"}
    failed = subprocess.run(command, capture_output=True, text=True, env=settings)
    assert failed.returncode == 78 and "“RULE” is not a condition" in failed.stderr, failed
    command[command.index("RULE")] = RULE.split()[1]
    subprocess.run(command, check=True, capture_output=True, env=settings)
    assert nginx.found() == ([], [])


@pytest.mark.parametrize("line", ["", "auth_request off;"])
def test_an_alias_without_a_guard_in_the_same_server_is_an_error_unless_the_operator_opens_it(line, directory):
    nginx = Nginx(directory)
    alias = f"alias {nginx.sites[0].root}/private/;"
    nginx.edit(PRIVATE, rf"\g<0> location /files/ {{ {alias} {line} }}")
    problems, notes = nginx.found()
    assert (len(problems), len(notes)) == ((0, 1) if line else (1, 0)), problems
    assert f"at /files/ without the guard of location ^~ /private/ ({nginx.configuration}:" in (problems + notes)[0]

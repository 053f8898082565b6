"""lighttpd uses the last guard that applies, and passes what it rejects itself to error handlers."""

import re
import subprocess

import pytest

from harness.process import BINARIES, Process, free_port, surroundings
from harness.raw import request, send, status
from harness.recorder import Recorder
from harness.routers import PAGE, Router
from harness.webserver import WebServer

RULES = {"/": "anyone", "/private/": "member", "/private/admin/": "subject=A", "/private/admin/keys": "subject=B", "/private-b/": "subject=C"}
RULES |= {"/private/webhook/": "anyone"}
PATHS = {"/x": "anyone", "/private/x": "member", "/private/admin/x": "subject=A", "/private/admin/keys": "subject=B"}
PATHS |= {"/private/admin/keys/x": "subject=B", "/private-b/x": "subject=C", "/private/adm": "member", "/private/webhook/x": "anyone"}
MAIN = """
server.modules = ( "mod_indexfile" )
server.document-root = "{0}"
server.errorlog = "{0}/error.log"
server.bind = "127.0.0.1"
server.port = {1}
include "{0}/linkedin-signin-a.example-global.conf"
{2}
include "{0}/linkedin-signin-a.example-site.conf"
"""


def written(directory, rules=RULES):
    """The names of the guards that print-config writes, in the order of the lines that it prints."""
    options = [word for path, rule in rules.items() for word in ("--location", path, "--require", rule)]
    command = [BINARIES / "linkedin-signin", "print-config", "lighttpd", *options, "--write", directory]
    settings = {"SIGNIN_BASE_URL": "https://a.example", "SIGNIN_LISTEN": f"unix:{directory}/socket"}
    done = subprocess.run(command, capture_output=True, text=True, env={"PATH": "/usr/bin:/bin", **settings})
    assert done.returncode == 0, done.stderr
    return re.findall(r'^ *include "(.*-guard-.*)"$', done.stdout, re.MULTILINE)


def configuration(directory, names):
    path = directory / "lighttpd.conf"
    port = free_port()
    path.write_text(MAIN.format(directory, port, "\n".join(f'include "{name}"' for name in names)))
    return path, port


def rules_in_force(directory, names):
    """The rule about which lighttpd asks, for each path."""
    path, port = configuration(directory, names)
    with Recorder(directory / "socket", lambda _: b"Status: 401 Unauthorized\r\n\r\n") as recorder:
        with Process("lighttpd", ["lighttpd", "-D", "-f", path], directory) as process:
            process.wait_for_listener(("127.0.0.1", port))
            for target in PATHS:
                assert status(send(port, request(target))) == 401
        (directory / "socket").unlink()
        return dict(zip(PATHS, (asked.parameters["SIGNIN_REQUIRE"] for asked in recorder.requests)))


def found(path):
    """The problems that check reports."""
    text = subprocess.run(["lighttpd", "-pp", "-f", path], capture_output=True, text=True, env=surroundings(), check=True).stdout
    command = [BINARIES / "linkedin-signin", "check", "--lighttpd", "-"]
    return subprocess.run(command, input=text, capture_output=True, text=True, env={"PATH": "/usr/bin:/bin"}).stderr.splitlines()


def test_nested_guards_keep_their_rules_with_the_printed_lines_and_with_a_glob(directory):
    names = written(directory)
    assert len(names) == len(RULES)
    glob = [f"{directory}/linkedin-signin-a.example-guard-*.conf"]
    for lines in (names, glob, [glob[0].replace("-*", "*")]):
        assert rules_in_force(directory, lines) == PATHS, lines
        assert found(configuration(directory, lines)[0]) == []


def test_a_later_guard_of_a_shorter_path_with_another_rule_is_found(directory):
    names = written(directory)
    problems = found(configuration(directory, names[::-1])[0])
    # Each of the pairs of which one location is in the other.
    assert len(problems) == 8, problems
    text = r'standard input:\d+: the guard of \$HTTP\["url"\] =\^ "/private/" replaces the guard of \$HTTP\["url"\] =\^ "/private/admin/"'
    text += r' \(standard input:\d+\) if both apply, because lighttpd uses the last one: the rule “member” is in force and not “subject=A”\.'
    assert len([problem for problem in problems if re.search(text, problem)]) == 1, problems


def test_a_later_guard_of_a_shorter_path_with_the_same_rule_is_not_a_fault(directory):
    names = written(directory, {"/private/": "member", "/private/admin/": "member", "/private/x": "member"})
    assert found(configuration(directory, names[::-1])[0]) == []


def test_a_guard_under_its_old_name_is_reported_with_its_new_name(directory):
    rules = {"/private/": "member", "/private/admin/": "subject=A"}
    names = written(directory, rules)
    old = directory / "linkedin-signin-a.example-guard-private+admin.conf"
    old.write_text((directory / names[1]).read_text())
    options = [word for path, rule in rules.items() for word in ("--location", path, "--require", rule)] + ["--write", directory]
    command = [BINARIES / "linkedin-signin", "print-config", "lighttpd", *options]
    done = subprocess.run(command, capture_output=True, text=True, env={"PATH": "/usr/bin:/bin", "SIGNIN_BASE_URL": "https://a.example"})
    (note,) = done.stderr.splitlines()
    assert note.startswith(f"linkedin-signin: note: {old} is the same guard under its old name") and f"Include {names[1]} in its place" in note


HANDLERS = {
    "server.error-handler": ("/private/x%0a", 'server.error-handler = "/index.php"'),
    "url.access-deny": ("/private/x~", 'server.error-handler-404 = "/index.php"\nurl.access-deny = ( "~" )'),
}


@pytest.mark.parametrize("kind", HANDLERS)
def test_an_error_handler_that_gets_requests_before_the_guard_is_found(kind, directory):
    target, lines = HANDLERS[kind]

    def edit(text, router):
        return router.with_routes("lighttpd", text).replace('server.error-handler-404 = "/index.php"', lines)

    def within(text):
        return text.replace('    expire.url = (', '    url.access-deny = ()\n    expire.url = (')

    with Router("php-fastcgi", directory) as router, Recorder(directory / "socket", lambda _: b"Status: 401 No\r\n\r\n") as recorder:
        server = WebServer("lighttpd", directory / "front", recorder.socket, guard=["--location", "/private/"], edit=lambda text: edit(text, router))
        with server:
            assert PAGE.encode() in send(server.port, request(target)), "otherwise it need not be found"
            assert status(send(server.port, request("/private/x"))) == 401
        (problem,) = found(server.configuration)
        assert kind in problem and "without" in problem
        if kind == "url.access-deny":
            server.configuration.write_text(within(server.configuration.read_text()))
            assert found(server.configuration) == []
            with server:
                assert status(send(server.port, request(target))) == 401

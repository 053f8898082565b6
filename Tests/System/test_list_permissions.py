"""List files that the program may not read."""

import json
import os
import subprocess

import pytest

from harness.doctor import THIS_MONTH, diagnose
from harness.guarded import CANARY
from harness.process import BINARIES, surroundings, wait_until
from harness.responder import Responder

# Root without the right to read the files of other users.
WRAPPER = ["setpriv", "--bounding-set", "-dac_override,-dac_read_search"] if os.geteuid() == 0 else []
OTHER = 65534


def give_away(path):
    """Makes the program's user one of the others, if this is root."""
    if os.geteuid() == 0:
        os.chown(path, OTHER, OTHER)


def test_a_list_that_the_program_may_not_read_admits_nobody_until_it_may(make_guarded):
    with make_guarded("nginx", wrapper=WRAPPER) as site:
        site.responder.expected_errors.append("list-unreadable")
        browser = site.member(1)
        give_away(site.denied)
        # The permissions are the only change: the time of modification stays.
        for mode, expected in ((0o644, True), (0o640, False), (0o644, True), (0, False), (0o644, True)):
            site.denied.chmod(mode)
            wait_until(lambda: (CANARY in browser.get(site.url_of("listed")).body) == expected, f"mode {mode:o}: {expected}", 5)


@pytest.mark.skipif(os.geteuid() != 0, reason="root reads every list, so it has to ask for another user")
def test_a_list_that_the_programs_user_cannot_read_is_a_fault_for_check_and_doctor(directory):
    responder = Responder(directory / "r", "http://localhost:8080", "http://localhost:1", {"LINKEDIN_VERSION": THIS_MONTH})
    directory.chmod(0o755)
    responder.directory.chmod(0o755)
    responder.state.mkdir(mode=0o700)
    for path in (responder.state, responder.write_settings()):
        os.chown(path, OTHER, OTHER)
    members = directory / "members"
    members.write_text("subject=abc\n")
    rule = f"allow={members}"
    server = directory / "nginx.conf"
    asking = f'fastcgi_pass unix:{responder.socket}; fastcgi_param SIGNIN_ACTION authorize; fastcgi_param SIGNIN_REQUIRE "{rule}";'
    server.write_text(f"http {{ server {{ location /a/ {{ auth_request /q; }} location = /q {{ internal; {asking} }} }} }}")

    def check(*options):
        command = [BINARIES / "linkedin-signin", "check", "--settings-file", responder.write_settings(), *options]
        done = subprocess.run(command, capture_output=True, text=True, env=surroundings(), timeout=60)
        assert "not readable for every user" not in done.stdout
        return done.returncode, f"cannot read {members}: it is not readable by user nobody; run: chgrp nogroup {members} && chmod g+r" in done.stderr

    assert check("--require", rule) == (0, False)
    members.chmod(0o640)
    for options in (("--require", rule), ("--nginx", str(server))):
        assert check(*options) == (78, True), options
    found = diagnose(responder, "--require", rule)
    about = [f for f in found.report["findings"] if str(members) in json.dumps(f)]
    assert [(f["code"], f["subject"]) for f in about] == [("file-unreadable", str(members))], found.text


def test_a_list_that_only_the_caller_cannot_read_is_reported_with_the_way_to_read_it(directory):
    members = directory / "members"
    members.write_text("subject=abc\n")
    members.chmod(0)
    directory.chmod(0o755)
    caller = {"user": OTHER, "group": OTHER, "extra_groups": []} if os.geteuid() == 0 else {}
    server = directory / "nginx.conf"
    asking = f'fastcgi_pass unix:/s; fastcgi_param SIGNIN_ACTION authorize; fastcgi_param SIGNIN_REQUIRE "allow={members}";'
    server.write_text(f"http {{ server {{ location /a/ {{ auth_request /q; }} location = /q {{ internal; {asking} }} }} }}")
    for options in (("--require", f"allow={members}"), ("--nginx", server)):
        command = [BINARIES / "linkedin-signin", "check", *options]
        done = subprocess.run(command, capture_output=True, text=True, env={"PATH": surroundings()["PATH"]}, **caller)
        assert done.returncode == 78 and f"cannot read {members}: Permission denied; use sudo\n" in done.stderr, done.stderr

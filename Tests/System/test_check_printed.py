"""Whether `check --nginx` finds what the included files lack for the settings, and files of several sites in one server."""

import re
import shlex
import subprocess

import pytest

from harness.included import IncludedSite, IncludingNginx
from harness.process import BINARIES, surroundings
from test_check_servers import ROOT, check, printed, replaced

GUARD = ["--location", "/private/", "--location", "/members", "--require", "member", "--cache-verdicts", "2s"]
LOCATIONS = "location ^~ /private/ { include {files}-guard-private.conf; }\nlocation ^~ /members/ { include {files}-guard-members.conf; }"
# Settings that are changed after the files were printed, and what the files then lack.
CHANGED = {
    "SIGNIN_PERSONAL_TOKENS=90d": ["location = /tokens", r"map \$http_authorization \$\w+_token", r"map \$http_authorization \$\w+_passed"],
    "SIGNIN_TOKEN_SESSIONS=yes": [r"limit_req_zone \$\w+_sender zone=\S+", "error_page 494", r"fastcgi_param HTTP_AUTHORIZATION"],
    "SIGNIN_TOTAL_TIMEOUT=100s": ["fastcgi_read_timeout 615s"],
    "SIGNIN_MAX_BODY=64M": ["client_max_body_size 64m"],
}
# Lines that files of an earlier version do not have, and what is said about it.
REMOVED = {
    r"^ *fastcgi_param SIGNIN_REASON .*\n": r"fastcgi_param SIGNIN_REASON \$\w+_cause",
    r"^ *auth_request_set \$\w+_cause .*\n": r"auth_request_set \$\w+_cause \$upstream_http_x_auth_reason",
}


class Printed:
    """A site with include files, and settings that may have changed since."""

    def __init__(self, directory):
        self.directory, self.settings = directory, directory / "settings"
        self.site = IncludedSite(directory, directory / "socket", GUARD, LOCATIONS)
        self.nginx = IncludingNginx(directory, [self.site])
        self.write()

    def write(self, *lines):
        common = [f"SIGNIN_BASE_URL={self.site.url}", f"SIGNIN_LISTEN=unix:{self.directory}/socket"]
        self.settings.write_text("\n".join([*common, *lines]) + "\n")

    def edit(self, change):
        for file in self.directory.glob("snippets/*.conf"):
            file.write_text(change(file.read_text()))

    def problems(self):
        command = ["nginx", "-T", "-e", self.directory / "log", "-c", self.nginx.configuration]
        done = subprocess.run(command, capture_output=True, text=True, env=surroundings())
        assert done.returncode == 0, done.stderr
        found, _ = check("--nginx", "-", "--settings-file", self.settings, text=done.stdout)
        return [problem for problem in found if "print-config prints for these settings" in problem]


@pytest.mark.parametrize("setting", CHANGED)
def test_files_that_were_printed_before_a_setting_changed_are_an_error_with_the_command_that_repairs_them(setting, directory):
    site = Printed(directory)
    assert site.problems() == []
    site.write(setting)
    (problem,) = site.problems()
    for words in CHANGED[setting]:
        assert re.search(words, problem), problem
    command = shlex.split(problem.partition("Print them again: ")[2])
    assert command[0] == "linkedin-signin"
    subprocess.run([BINARIES / command[0], *command[1:]], check=True, capture_output=True, env={"PATH": surroundings()["PATH"]})
    site.edit(lambda text: text.replace("/run/linkedin-signin-verdicts-", f"{directory}/verdicts-").replace("/var/log/nginx/access.log", f"{directory}/callback.log"))
    assert site.problems() == []


def test_an_empty_file_of_parameters_is_one_error_with_the_rules_of_the_guards(directory):
    site = Printed(directory)
    (file,) = directory.glob("snippets/*-parameters.conf")
    file.write_text("")
    done = subprocess.run(
        ["nginx", "-T", "-e", directory / "log", "-c", site.nginx.configuration], capture_output=True, text=True, env=surroundings()
    )
    found, _ = check("--nginx", "-", "--settings-file", site.settings, text=done.stdout)
    # The settings of the test lack a client, and the verdicts are on a disk.
    (problem,) = [problem for problem in found if not re.search("^LINKEDIN_|^SIGNIN_|is not in memory", problem)]
    assert " --location /private/ --require member --location /members --require member --cache-verdicts 2s --write" in problem, problem
    found, _ = check("--nginx", "-", text=done.stdout)
    (problem,) = [problem for problem in found if "is not in memory" not in problem]
    assert "passes no fastcgi_param SIGNIN_ACTION to linkedin-signin, so nobody can sign in" in problem, problem
    assert " again: linkedin-signin print-config nginx --location /private/ --require member --location /members --require " in problem


@pytest.mark.parametrize("setting, words", [
    ("SIGNIN_PERSONAL_TOKENS=90d", "print-config prints for these settings: the path /tokens[.] "),
    ("SIGNIN_TOTAL_TIMEOUT=100s", '"read-timeout" => 615'),
])
def test_files_of_lighttpd_that_were_printed_before_a_setting_changed_are_an_error(setting, words, directory):
    text, _ = printed("lighttpd", directory)
    address = re.search(r'"site" *=> "([^"]*)"', text)[1]
    site = [f"SIGNIN_BASE_URL={address}", f"SIGNIN_LISTEN=unix:{directory}/socket"]
    settings = directory / "settings"

    def problems(*lines):
        settings.write_text("\n".join([*site, *lines]) + "\n")
        found, _ = check("--lighttpd", "-", "--settings-file", settings, text=text)
        return [problem for problem in found if "print-config" in problem]

    assert problems() == []
    (problem,) = problems(setting)
    assert re.search(words, problem), problem
    command = shlex.split(problem.partition("Print them again: ")[2])
    assert command[:3] == ["linkedin-signin", "print-config", "lighttpd"] and "/private/" in command
    assert "--write" not in command


@pytest.mark.parametrize("line", REMOVED)
def test_files_of_an_earlier_version_are_an_error(line, directory):
    site = Printed(directory)
    site.edit(lambda text: re.sub(line, "", text, flags=re.MULTILINE))
    (problem,) = site.problems()
    assert re.search(REMOVED[line], problem), problem


def test_files_of_a_version_without_claims_are_an_error_only_if_applications_get_groups(directory):
    site = Printed(directory)
    block = r' *if \(\$http_x_auth_groups != ""\) \{\n.*\n *\}\n'
    site.edit(lambda text: re.sub(r".*_groups\b.*\n", "", re.sub(block, "", text)))
    assert site.problems() == []
    site.write("SIGNIN_APPLICATION_CLAIMS=groups")
    (problem,) = site.problems()
    assert re.search(r"map  \$\w+_groups; auth_request_set \$\w+_groups \$upstream_http_x_auth_groups[.] ", problem), problem


def test_the_guard_of_another_site_is_an_error_that_does_not_name_the_server_file_of_that_site(directory):
    other = "location ^~ /other/ { auth_request /.linkedin-signin/example_org/other/; }"
    text, _ = printed("nginx", directory, replaced(ROOT, rf"\1{other}\n\1"))
    (problem,), _ = check("--nginx", "-", "--quiet", text=text)
    assert "has the guard of another site, whose variables begin with $signin_example_org" in problem, problem
    assert "-server.conf" not in problem

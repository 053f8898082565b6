"""Applications that take the identity of a member from a client, and whether `check --nginx` finds them."""

import json
import re
import subprocess
from contextlib import ExitStack

import pytest

from harness.browser import NAVIGATION, Browser
from harness.included import IncludedSite, IncludingNginx
from harness.php import php_fpm
from harness.process import Process, free_port, surroundings
from harness.responder import Responder
from harness.site import from_provider
from simulator import Simulator
from test_check_servers import check

SCRIPT = "fastcgi_param SCRIPT_FILENAME $document_root$fastcgi_script_name;"
# What the operator writes for PHP, and whether a client can then choose REMOTE_USER.
PARAMETERS = {
    "debian": (f"include /etc/nginx/fastcgi_params; {SCRIPT}", True),
    "snippet": ("include /etc/nginx/fastcgi.conf;", True),
    "below": ("include /etc/nginx/fastcgi_params; include {files}-fastcgi.conf;", False),
    "above": ("include {files}-fastcgi.conf; include /etc/nginx/fastcgi_params;", True),
    "printed": ("include {files}-fastcgi.conf;", False),
}
PAGE = '<?php echo json_encode(["user" => $_SERVER["REMOTE_USER"] ?? null, "email" => $_SERVER["AUTH_EMAIL"] ?? null]);'
# curl -u name:x
BASIC = {**NAVIGATION, "Authorization": "Basic bmFtZTp4"}


def php(parameters, socket):
    return f"location ~ [.]php$ {{ {parameters} fastcgi_pass unix:{socket}; }}"


def findings(nginx):
    command = ["nginx", "-T", "-e", nginx.directory / "log", "-c", nginx.configuration]
    done = subprocess.run(command, capture_output=True, text=True, env=surroundings())
    assert done.returncode == 0, done.stderr
    return check("--nginx", "-", text=done.stdout)


@pytest.fixture
def site(directory):
    """A site with PHP in a guarded folder for each way to write its parameters, and in an open one."""
    with ExitStack() as stack:
        socket = directory / "php"
        stack.enter_context(Process("php", php_fpm(socket, directory), directory, surroundings())).wait_for_listener(socket)
        port = free_port()
        redirect = ["--redirect-uri", f"http://localhost:{port}/oauth"]
        simulator = stack.enter_context(Simulator("--client-id", "demo", "--client-secret", "demo-secret", "--quiet", *redirect))
        program = stack.enter_context(Responder(directory / "r", f"http://localhost:{port}", simulator.url))
        blocks = [
            f"location ^~ /{name}/ {{ include {{files}}-guard-{name}.conf; {php(lines, socket)} }}"
            for name, (lines, _) in PARAMETERS.items()
        ]
        guard = [word for name in PARAMETERS for word in ("--location", f"/{name}/")]
        open_block = php(PARAMETERS["debian"][0], socket)
        site = IncludedSite(directory, program.socket, guard, "\n".join([*blocks, open_block]), port)
        site.nginx = stack.enter_context(IncludingNginx(directory, [site]))
        site.simulator, site.program = simulator, program
        for name in [*PARAMETERS, "open"]:
            (site.root / name).mkdir()
            (site.root / name / "page.php").write_text(PAGE)
        yield site


def sign_in(site, browser, path):
    answer = browser.get(site.url + path)
    assert answer.status == 303 and answer.location.startswith(site.simulator.url), answer
    consented = Browser().post(answer.location, {"member": 1, "decision": "allow"})
    return browser.follow(browser.get(consented.location, headers=from_provider()))


def test_check_reports_exactly_the_guarded_php_locations_where_a_client_chooses_its_name(site):
    browser = Browser()
    member = json.loads(sign_in(site, browser, "/printed/page.php").body)
    assert member["user"] and member["email"] == "maya.lindqvist@example.com"
    assert '"user":"name"' in Browser().get(f"{site.url}/open/page.php", headers=BASIC).text
    for name, (_, is_forged) in PARAMETERS.items():
        assert Browser().get(f"{site.url}/{name}/page.php", headers=BASIC).status in (303, 401), name
        seen = json.loads(browser.get(f"{site.url}/{name}/page.php", headers=BASIC).body)
        assert seen["user"] == ("name" if is_forged else member["user"]), name
    problems, notes = findings(site.nginx)
    text = site.nginx.configuration.read_text().split("\n")

    def line(finding):
        place = re.search(rf"{re.escape(str(site.nginx.configuration))}:(\d+): location ~ \[\.\]php\$ ", finding)
        return text[int(place[1]) - 1]

    found = {re.search(r"location \^~ /(\w+)/", line(problem))[1] for problem in problems}
    assert len(problems) == len(found) and found == {name for name, (_, is_forged) in PARAMETERS.items() if is_forged}
    for problem in problems:
        assert "REMOTE_USER" in problem and "curl -u name:x" in problem and "-fastcgi.conf" in problem, problem
    assert len(notes) == 1 and "/etc/nginx/fastcgi_params" in line(notes[0]) and "REMOTE_USER" in notes[0], notes


@pytest.mark.parametrize("kind", ["uwsgi", "scgi"])
def test_the_lines_that_check_advises_for_uwsgi_and_scgi_end_its_finding(kind, directory):
    list_of_debian = f"include /etc/nginx/{kind}_params;"
    block = f"location ^~ /a/ {{ include {{files}}-guard-a.conf; LINES {kind}_pass 127.0.0.1:1; }}"
    guard = ["--location", "/a/"]
    port = free_port()

    def found(lines):
        site = IncludedSite(directory, directory / "socket", guard, block.replace("LINES", lines), port)
        return findings(IncludingNginx(directory, [site]))

    problems, notes = found(list_of_debian)
    assert len(problems) == 1 and notes == []
    assert "location ^~ /a/ is guarded, but it does not replace REMOTE_USER, AUTH_EMAIL, AUTH_NAME" in problems[0]
    advised = re.findall(rf"{kind}_param \w+ [^;]+;", problems[0])
    assert len(advised) == 6 and f"{kind}_param REMOTE_USER $signin_localhost_{port}_subject;" in advised
    assert found(" ".join([list_of_debian, *advised])) == ([], [])


def test_a_401_of_an_application_reaches_a_member_unless_nginx_intercepts_errors(directory):
    port, application = free_port(), free_port()
    lines = {"on": "", "off": "proxy_intercept_errors off;"}
    blocks = [
        f"location ^~ /{name}/ {{ include {{files}}-guard-{name}.conf; include {{files}}-proxy.conf; {line}"
        f" proxy_set_header Host $host; proxy_pass http://127.0.0.1:{application}; }}"
        for name, line in lines.items()
    ]
    guard = [word for name in lines for word in ("--location", f"/{name}/")]
    other = f"}} server {{ listen 127.0.0.1:{application}; return 401;"
    redirect = ["--redirect-uri", f"http://localhost:{port}/oauth"]
    with ExitStack() as stack:
        simulator = stack.enter_context(Simulator("--client-id", "demo", "--client-secret", "demo-secret", "--quiet", *redirect))
        program = stack.enter_context(Responder(directory / "r", f"http://localhost:{port}", simulator.url))
        site = IncludedSite(directory, program.socket, guard, "\n".join(["proxy_intercept_errors on;", *blocks, other]), port)
        site.simulator = simulator
        nginx = stack.enter_context(IncludingNginx(directory, [site]))
        browser = Browser()
        assert sign_in(site, browser, "/off/").status == 401
        answer = browser.get(f"{site.url}/on/", headers=NAVIGATION)
        assert (answer.status, answer.location) == (303, "/on/"), answer
        problems, warnings = findings(nginx)
    words = "with proxy_intercept_errors on, nginx replaces a 401 of the application of location ^~ /on/ by the sign-in"
    assert problems == [] and len(warnings) == 1 and words in warnings[0], (problems, warnings)


def test_a_snippet_in_a_guarded_location_and_in_an_open_one_is_no_finding(directory):
    port, snippet = free_port(), directory / "php.conf"
    files = f"{directory}/snippets/linkedin-signin-localhost_{port}"
    snippet.write_text(f"location ~ [.]php$ {{ include {files}-fastcgi.conf; fastcgi_pass 127.0.0.1:1; }}\n")
    guarded = f"location ^~ /a/ {{ include {{files}}-guard-a.conf; include {snippet}; }}"
    site = IncludedSite(directory, directory / "socket", ["--location", "/a/"], f"{guarded} location / {{ include {snippet}; }}", port)
    assert findings(IncludingNginx(directory, [site])) == ([], [])

"""deploy/demo with the programs under test: it starts, works and leaves nothing behind."""

import os
import re
import signal
import socket
import subprocess
from contextlib import contextmanager
from pathlib import Path

import pytest

from harness.browser import NAVIGATION, Browser
from harness.guarded import EMAILS, SUBJECTS
from harness.personal_tokens import OWN, TOKEN, bearer, hidden_fields
from harness.process import BINARIES, REPOSITORY, Process, can_connect, free_port, wait_until
from harness.site import from_provider

pytestmark = pytest.mark.extended


@pytest.fixture
def port():
    """The first of five consecutive free ports."""
    return free_port(5)


@contextmanager
def started(directory, port, **environment):
    environment = {"TMPDIR": str(directory), **environment}
    directory.chmod(0o755)
    command = [REPOSITORY / "deploy/demo", "--binaries", BINARIES, "--port", str(port)]
    with Process("demo", command, directory, environment) as demo:

        def ready():
            assert demo.is_running, demo.log
            return "Press Ctrl-C to stop." in demo.log

        wait_until(ready, "the demo answering", 60)
        yield demo


def sites(port):
    """The addresses of nginx and lighttpd, without and with TLS."""
    schemes = {0: "http", 1: "http", 3: "https", 4: "https"}
    return [f"{scheme}://localhost:{port + offset}" for offset, scheme in schemes.items()]


def children(pid):
    for task in Path(f"/proc/{pid}/task").iterdir():
        for child in (task / "children").read_text().split():
            yield int(child)
            yield from children(int(child))


def test_the_demo_works_behind_both_web_servers_and_stops(directory, port):
    with started(directory, port) as demo:
        servers = list(children(demo.pid))
        assert re.findall(r"^ +(http\S+)$", demo.log, re.MULTILINE) == [f"http://localhost:{port}/"]
        assert len(servers) >= 10
        assert f"sign in as Teguh, whom {next(directory.glob('linkedin-signin-demo.*'))}/blocked names" in demo.log
        assert "share cookies: a sign-in at one address ends the session at the others" in demo.log
        for site in sites(port):
            assert f"{site}/" in demo.log, "its address is printed"
            browser = Browser()
            page = f"{site}/private/"
            assert 'href="/private/"' in browser.get(f"{site}/").text, "the home page links to it"
            address = browser.get(page, headers=NAVIGATION).location
            assert "<h1>Harbor Rowing Club wants to sign you in</h1>" in Browser().get(address).text
            callback = Browser().post(address, {"member": 3, "decision": "allow"}).location
            answer = browser.get(callback, headers=from_provider())
            assert (answer.status, answer.location) == (303, "/private/")
            answer = browser.get(page)
            assert "Hello, <bdi>Zoë 🚀" in answer.text and EMAILS[3] in answer.text and SUBJECTS[3] in answer.text
            assert answer.header("Strict-Transport-Security") is None, "it would hold for every port of localhost"
            assert "/profile-thirdparty-redirect/" in browser.get(f"{site}/profile").text
            form = hidden_fields(browser.get(f"{site}/tokens").text)
            wish = {**form, "name": "script", "locations": "/private/", "days": "1"}
            made = browser.follow(browser.post(f"{site}/tokens", wish, headers={**OWN, "Origin": site}))
            (token,) = TOKEN.findall(made.text)
            assert SUBJECTS[3] in Browser().get(page, headers=bearer(token)).text
            rejected = Browser()
            callback = Browser().post(rejected.get(page, headers=NAVIGATION).location, {"member": 4, "decision": "allow"}).location
            assert rejected.get(callback, headers=from_provider()).location == "/private/"
            denied = rejected.get(page, headers=NAVIGATION)
            assert denied.status == 403 and "<h1>This account has no access</h1>" in denied.text and "Teguh" in denied.text
            missing = browser.get(f"{site}/nothing", headers={**NAVIGATION, "Accept-Language": "de"})
            assert (missing.status, missing.header("Content-Language")) == (404, "de")
            assert "<h1>Seite nicht gefunden</h1>" in missing.text and "return_to=/nothing" in missing.text.replace("%2F", "/")
        demo.child.terminate()
        assert demo.child.wait(15) == 143
    assert not [pid for pid in servers if os.path.exists(f"/proc/{pid}")]
    assert not list(directory.glob("linkedin-signin-demo.*"))
    assert not any(can_connect(("127.0.0.1", port + number)) for number in range(5))


def test_the_demo_works_where_http_keeps_no_secure_cookie(directory, port, webkit):
    """Tested in WebKit, the engine of Safari."""
    with started(directory, port):
        for site, works in ((f"http://localhost:{port}", False), (f"https://localhost:{port + 3}", True)):
            webkit.open(f"{site}/private/")
            webkit.click('button[name="decision"][value="allow"]')
            webkit.wait_for(lambda: webkit.url.startswith(site), "back from the simulator")
            assert (webkit.url == f"{site}/private/") == ("Maya Lindqvist" in webkit.text) == works, webkit.text


def test_a_picture_of_the_readme_is_made_from_the_demo_in_the_size_of_the_one_in_docs(directory, port):
    directory.chmod(0o755)
    command = [REPOSITORY / "deploy/pictures", "--port", str(port), BINARIES, directory, "pages-light"]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "TMPDIR": str(directory)}, timeout=120)
    assert (done.returncode, done.stderr) == (0, "")
    # Otherwise a temporary file or a server of the demo is left.
    (picture,) = directory.iterdir()
    sizes = [path.read_bytes()[16:24] for path in (picture, REPOSITORY / "docs/pages-light.png")]
    assert picture.name == "pages-light.png" and sizes[0] == sizes[1] and not can_connect(("127.0.0.1", port))


def test_the_demo_keeps_the_logs_of_a_failed_server_until_the_next_start(directory, port):
    with started(directory, port, LINKEDIN_CLIENT_ID="app", LINKEDIN_CLIENT_SECRET="canary-of-the-demo") as demo:
        os.kill(server(demo, "linkedin-signin"), signal.SIGKILL)
        assert demo.child.wait(15) == 1
        (kept,) = directory.glob("linkedin-signin-demo.*")
        assert demo.log.rstrip().endswith(f"deploy/demo: the logs are kept in {kept} until the next start or deploy/demo --stop")
        assert "deploy/demo: linkedin-signin" in demo.log and "event=listening" in (kept / "linkedin-signin-nginx.log").read_text()
        assert {"nginx-access.log", "nginx.conf", "lighttpd.log"} <= {file.name for file in kept.iterdir()}
        assert not [file for file in kept.rglob("*") if file.is_file() and b"canary-of" in file.read_bytes()]
    with started(directory, port) as demo:
        assert not kept.exists()
        demo.child.terminate()
        assert demo.child.wait(15) == 143
    assert not list(directory.glob("linkedin-signin-demo.*"))


def test_stop_removes_the_files_of_a_failed_demo(directory, port):
    with started(directory, port) as demo:
        os.kill(server(demo, "lighttpd"), signal.SIGKILL)
        assert demo.child.wait(15) == 1
    assert list(directory.glob("linkedin-signin-demo.*"))
    # Another demo may run in the background of this directory; this test must not stop it.
    if not (REPOSITORY / ".build/demo/pid").exists():
        for status in (0, 1):
            stop = subprocess.run([REPOSITORY / "deploy/demo", "--stop"], capture_output=True, text=True)
            assert stop.returncode == status, stop.stderr
            assert not list(directory.glob("linkedin-signin-demo.*"))


def server(demo, name):
    """The process id of a server of the demo."""
    for task in Path(f"/proc/{demo.pid}/task").iterdir():
        for child in (task / "children").read_text().split():
            if Path(f"/proc/{child}/comm").read_text().strip() == name[:15]:
                return int(child)
    raise AssertionError(f"no process {name}")


def test_the_demo_shows_the_client_secret_to_no_other_user(directory, port):
    secret = "canary-of-the-demo"
    with started(directory, port, LINKEDIN_CLIENT_ID="app", LINKEDIN_CLIENT_SECRET=secret) as demo:
        location = Browser().get(f"http://localhost:{port}/login").location
        assert location.startswith("https://www.linkedin.com/oauth/v2/authorization?") and "client_id=app" in location
        assert not can_connect(("127.0.0.1", port + 2)), "no simulator runs when LinkedIn itself is used"
        for pid in children(demo.pid):
            for name in ("cmdline", "environ"):
                assert secret.encode() not in Path(f"/proc/{pid}/{name}").read_bytes()
        assert secret not in demo.log
        for file in directory.rglob("*"):
            if file.is_file() and secret.encode() in file.read_bytes():
                assert file.name == "client-secret" and file.stat().st_mode & 0o077 == 0


def test_the_demo_names_a_port_in_use(directory, port):
    command = [REPOSITORY / "deploy/demo", "--binaries", BINARIES, "--port", str(port)]
    with socket.create_server(("127.0.0.1", port + 1)):
        done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 1
    assert f"port {port + 1} is in use" in done.stderr and "--port" in done.stderr


@pytest.mark.parametrize("mode", [[], ["--background"]], ids=["in the foreground", "in the background"])
def test_a_failed_build_ends_the_demo_with_its_last_output(directory, port, mode):
    done = demo_without_a_build(directory, port, mode)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == "the build of the tests fails"
    with socket.create_server(("127.0.0.1", port)):
        done = demo_without_a_build(directory, port, mode)
    assert done.returncode == 1 and f"port {port} is in use" in done.stderr.splitlines()[-1], "the port is checked before the build"


def demo_without_a_build(directory, port, mode):
    swift = directory / "swift"
    swift.write_text("#!/bin/sh\necho the build of the tests fails >&2\nexit 1\n")
    swift.chmod(0o755)
    environment = {**os.environ, "PATH": f"{directory}:{os.environ['PATH']}"}
    command = [REPOSITORY / "deploy/demo", "--port", str(port), *mode]
    return subprocess.run(command, capture_output=True, text=True, env=environment)

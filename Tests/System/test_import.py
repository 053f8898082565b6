"""`sessions import`: an access token that another program obtained becomes a session."""

import os
import re
import stat
import subprocess

import pytest

from harness.browser import NAVIGATION, SCRIPT
from harness.canaries import START
from harness.process import BINARIES, REPOSITORY, surroundings
from harness.site import SESSION, Site
from harness.tokens import SCOPES, access_token, cookie_in, sessions, without_store


@pytest.fixture(scope="module")
def imported(tmp_path_factory):
    """A site whose simulator the tests make fail."""
    with Site(tmp_path_factory.mktemp("import"), "nginx", {"SIGNIN_LOG_LEVEL": "debug", "SIGNIN_TOTAL_TIMEOUT": "2s", "SIGNIN_CONNECT_TIMEOUT": "1s"}) as site:
        yield site


@pytest.fixture
def shared(imported):
    imported.simulator.clear_faults()
    imported.simulator.settings(client_id="demo", access_token_lifetime=5184000)
    return imported


def profile(site, line):
    return site.browser().get(f"{site.url}/profile", headers={**SCRIPT, **cookie_in(line)})


@pytest.mark.parametrize("front", ["nginx", "lighttpd"])
@pytest.mark.parametrize("product", SCOPES)
def test_an_imported_member_is_the_member_who_signs_in_with_a_browser(make_site, front, product):
    with make_site(front=front, settings={"LINKEDIN_PRODUCT": product}) as site:
        if product == "v1":
            site.simulator.settings(v1=True)
        done = sessions(site.responder, "import", text=access_token(site) + "\n")
        assert done.returncode == 0, done.stderr
        imported = profile(site, done.stdout)
        browser = site.browser()
        assert site.sign_in(browser).status == 303
        in_browser = browser.get(f"{site.url}/profile", headers=SCRIPT)
        assert imported.status == in_browser.status == 200
        # Each profile has an address of the picture and an age of its own.
        assert {**imported.json, "picture": None, "age": None} == {**in_browser.json, "picture": None, "age": None}
        first, second = sorted(header(path) for path in site.responder.sessions())
        assert first == second, "the identity: issuer, subject, name, e-mail address"


def header(path):
    """The readable identity in a session's file: the header without its two times."""
    content = path.read_bytes()
    return content[10 + 16 : 10 + int.from_bytes(content[6:10], "big")]


def test_the_cookie_is_shown_once_and_opens_the_session(shared):
    done = sessions(shared.responder, "import", text=access_token(shared))
    assert re.fullmatch(r"Cookie: __Host-session=[\w-]{43}\n", done.stdout)
    assert re.fullmatch(r"linkedin-signin: imported a session of subject \S+, which expires at \S+Z\n", done.stderr)
    answer = shared.browser().get(f"{shared.url}/", headers={**NAVIGATION, **cookie_in(done.stdout)})
    assert "Maya Lindqvist" in answer.text
    assert shared.browser().get(f"{shared.url}/profile", headers=SCRIPT).status == 401


def test_the_cookie_can_be_written_to_a_private_file(shared, directory):
    file = directory / "cookie"
    done = sessions(shared.responder, "import", "--cookie-file", file, text=access_token(shared), umask=0)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert profile(shared, file.read_text()).status == 200


@pytest.mark.parametrize("kind", ["file", "link", "dangling", "directory", "missing"])
def test_no_existing_file_is_overwritten_and_no_link_is_followed(shared, directory, kind):
    file, target = directory / "cookie", directory / "target"
    before = len(shared.responder.sessions())
    match kind:
        case "file":
            file.write_text("mine")
        case "link" | "dangling":
            file.symlink_to(target)
            if kind == "link":
                target.write_text("mine")
        case "directory":
            file.mkdir()
        case "missing":
            file = directory / "absent/cookie"
    done = sessions(shared.responder, "import", "--cookie-file", file, text=access_token(shared))
    assert (done.returncode, done.stdout) == (73, "") and f"--cookie-file “{file}”: " in done.stderr
    assert len(shared.responder.sessions()) == before
    assert kind != "dangling" or not target.exists()
    assert kind not in ("file", "link") or file.read_text() == "mine"


def test_a_session_whose_cookie_could_not_be_shown_is_removed(shared):
    before = len(shared.responder.sessions())
    settings = shared.responder.directory / "settings"
    command = [BINARIES / "linkedin-signin", "sessions", "import", "--settings-file", settings]
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            command, input=access_token(shared), stdout=full, stderr=subprocess.PIPE, text=True, env=surroundings()
        )
    assert done.returncode == 74 and "No space left on device" in done.stderr
    assert len(shared.responder.sessions()) == before


def import_with(site, redirection, **options):
    """Runs the import with standard streams as a shell redirects them."""
    command = f"exec {BINARIES}/linkedin-signin sessions import --settings-file {site.responder.directory}/settings {redirection}"
    return subprocess.run(["bash", "-c", command], capture_output=True, text=True, env=surroundings(), timeout=60, **options)


def test_with_standard_output_closed_the_cookie_goes_nowhere_and_no_session_stays(shared):
    before = len(shared.responder.sessions())
    done = import_with(shared, ">&-", input=access_token(shared))
    assert done.returncode == 74 and without_store(done, shared.responder).stderr == "linkedin-signin: cannot write to standard output: Bad file descriptor\n"
    assert len(shared.responder.sessions()) == before


def test_with_standard_input_closed_no_token_is_read(shared):
    done = import_with(shared, "<&-")
    assert (done.returncode, done.stdout) == (65, "") and done.stderr == "linkedin-signin: cannot read standard input: Bad file descriptor\n"


def test_with_standard_error_closed_only_the_message_is_missing(shared):
    done = import_with(shared, "2>&-", input=access_token(shared))
    assert done.returncode == 0 and profile(shared, done.stdout).status == 200


def test_endless_input_is_refused_before_its_end(shared):
    command = [BINARIES / "linkedin-signin", "sessions", "import", "--settings-file", shared.responder.directory / "settings"]
    done = subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=surroundings())
    try:
        done.stdin.write("A" * 40_000)
        done.stdin.flush()
        assert done.wait(20) == 65 and "one line" in done.stderr.read()
    finally:
        done.kill()
        done.communicate()


REFUSALS = {
    "unknown token": ({}, "AQunknown", 65, "access-token-inactive"),
    "no token": ({}, "", 65, "one line"),
    "two lines": ({}, "AQa\nAQb\n", 65, "one line"),
    "header": ({}, "Bearer AQa", 65, "access-token-malformed"),
    "long": ({}, "A" * 9000, 65, "access-token-malformed"),
    "missing scopes": ({"scope": "openid profile"}, None, 65, "access-token-scopes: missing: email r_profile_basicinfo"),
}


@pytest.mark.parametrize("case", REFUSALS)
def test_a_token_that_cannot_be_used_is_refused_with_a_reason(shared, case):
    options, text, status, reason = REFUSALS[case]
    refuse(shared, access_token(shared, **options) if text is None else text, status, reason)


def refuse(site, text, status, reason, **options):
    before = len(site.responder.sessions())
    done = sessions(site.responder, "import", text=text, **options)
    assert (done.returncode, done.stdout) == (status, ""), done.stderr
    assert reason in done.stderr and not (text and text.strip() in done.stderr)
    assert len(site.responder.sessions()) == before


def test_the_token_of_another_application_is_refused(shared):
    text = access_token(shared)
    shared.simulator.settings(client_id="another")
    other = {**shared.responder.settings, "LINKEDIN_CLIENT_ID": "another"}
    file = shared.responder.directory / "other"
    file.touch(mode=0o600)
    file.write_text("".join(f"{name}={value}\n" for name, value in other.items()))
    command = [BINARIES / "linkedin-signin", "sessions", "import", "--settings-file", file]
    done = subprocess.run(command, input=text, capture_output=True, text=True, env=surroundings())
    assert (done.returncode, done.stdout) == (65, "") and "access-token-inactive" in done.stderr
    assert "belongs to another application" in done.stderr
    # Also if the provider would describe it.
    answer = '{"active":true,"client_id":"demo","status":"active","scope":"openid profile email r_profile_basicinfo"}'
    shared.simulator.fault("introspection", "answer", body=answer)
    done = subprocess.run(command, input=text, capture_output=True, text=True, env=surroundings())
    assert done.returncode == 65 and "access-token-foreign" in done.stderr


def test_an_expired_or_revoked_token_is_refused(shared):
    shared.simulator.settings(access_token_lifetime=0)
    refuse(shared, access_token(shared), 65, "access-token-expired")
    shared.simulator.settings(access_token_lifetime=5184000)
    old = access_token(shared)
    access_token(shared, scope="openid profile")
    refuse(shared, old, 65, "access-token-revoked")


AT_PROVIDER = [
    ("introspection", "status", {"status": 500}, 69, "introspection-unavailable"),
    ("introspection", "status", {"status": 429}, 69, "introspection-throttled"),
    ("introspection", "hang", {}, 69, "introspection-unavailable: timed-out"),
    ("introspection", "close", {}, 69, "introspection-malformed"),
    ("introspection", "garbage", {}, 69, "introspection-malformed"),
    ("introspection", "html", {}, 69, "introspection-malformed"),
    ("introspection", "json-array", {}, 69, "introspection-malformed"),
    ("introspection", "duplicate-keys", {}, 69, "introspection-malformed"),
    ("introspection", "redirect", {}, 69, "introspection-malformed"),
    ("introspection", "answer", {"status": 401, "body": "{}"}, 78, "token-client-refused"),
    ("userinfo", "revoked", {}, 65, "resource-token-refused"),
    ("userinfo", "status", {"status": 403}, 65, "resource-denied"),
    ("userinfo", "status", {"status": 500}, 69, "resource-unavailable"),
    ("userinfo", "garbage", {}, 69, "resource-malformed"),
]


@pytest.mark.parametrize("endpoint, fault, options, status, reason", AT_PROVIDER, ids=lambda value: str(value))
def test_a_fault_of_the_provider_stores_nothing(shared, endpoint, fault, options, status, reason):
    text = access_token(shared)
    shared.simulator.fault(endpoint, fault, **options)
    refuse(shared, text, status, reason)


def test_a_provider_that_is_down_is_named_as_unreachable(shared, directory):
    text = access_token(shared)
    file = directory / "settings"
    file.touch(mode=0o600)
    settings = {**shared.responder.settings, "SIGNIN_INTROSPECTION_ENDPOINT": "http://127.0.0.1:9/introspect"}
    file.write_text("".join(f"{name}={value}\n" for name, value in settings.items()))
    command = [BINARIES / "linkedin-signin", "sessions", "import", "--settings-file", file]
    done = subprocess.run(command, input=text, capture_output=True, text=True, env=surroundings())
    assert done.returncode == 69 and "(introspection-unavailable: unreachable" in done.stderr


def test_the_token_is_not_accepted_as_an_argument(shared):
    text = access_token(shared)
    done = sessions(shared.responder, "import", text)
    assert done.returncode == 64 and done.stdout == ""


def test_no_token_is_in_a_log_or_readable_in_the_store(shared):
    tokens = [access_token(shared, member) for member in (1, 2, 3)]
    cookies = [sessions(shared.responder, "import", text=text) for text in tokens]
    assert all(profile(shared, done.stdout).status == 200 for done in cookies)
    secrets = tokens + [cookie_in(done.stdout)["Cookie"].partition("=")[2] for done in cookies]
    log = shared.responder.settled_log() + "".join(done.stderr for done in cookies)
    log += shared.server.access_log.read_text() + shared.server.errors()
    for path in [path for path in shared.responder.state.rglob("*") if path.is_file()]:
        log += path.read_bytes().decode("latin-1") + str(path)
    # The log cuts long values.
    assert not [secret for secret in secrets if secret[:START] in log]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can act as another user")
def test_root_imports_as_the_owner_of_the_state_directory(make_site):
    with make_site() as site:
        site.responder.stop()
        # systemd's state directories are below a directory that only root can enter.
        private = site.responder.directory / "private"
        private.mkdir(mode=0o700)
        subprocess.run(["chown", "-R", "nobody:nogroup", site.responder.state], check=True)
        site.responder.state.rename(private / "state")
        site.responder.state.symlink_to(private / "state")
        done = sessions(site.responder, "import", text=access_token(site))
        assert done.returncode == 0, done.stderr
        entries = list((private / "state").rglob("*"))
        assert len(entries) > 3 and {entry.owner() for entry in entries} == {"nobody"}
        subprocess.run(["chown", "-R", "root:root", private], check=True)
        site.responder.start()
        assert profile(site, done.stdout).status == 200
        site.responder.state.unlink()
        site.responder.stop()
        done = sessions(site.responder, "import", text="AQ")
        assert done.returncode == 69 and "start serve first" in done.stderr
        site.responder.start()


def test_the_sign_out_of_an_imported_session_ends_it(shared):
    done = sessions(shared.responder, "import", text=access_token(shared))
    headers = {**NAVIGATION, "Origin": shared.url, "Sec-Fetch-Site": "same-origin", **cookie_in(done.stdout)}
    answer = shared.browser().post(f"{shared.url}/logout", headers=headers)
    assert answer.status == 303 and answer.set_cookies[SESSION][1]["max-age"] == "0"
    assert profile(shared, done.stdout).status == 401


COMMANDS = re.findall(r"^```sh\n(.*?)^```$", (REPOSITORY / "docs/tokens.md").read_text(), re.MULTILINE | re.DOTALL)
TOOLS = {"sudo": 'exec env "$@"', "linkedin-signin": 'exec "$PROGRAM" "$@" --settings-file "$SETTINGS"'}


def as_documented(site, directory):
    """Runs the commands of docs/tokens.md in order, and returns what each printed."""
    for name, text in TOOLS.items():
        (directory / name).write_text(f"#!/bin/sh\n{text}\n")
        (directory / name).chmod(0o755)
    secret = directory / "client-secret"
    secret.touch(mode=0o600)
    secret.write_text("demo-secret\n")
    settings = {**site.responder.settings, "LINKEDIN_CLIENT_SECRET": "", "LINKEDIN_CLIENT_SECRET_FILE": secret}
    (directory / "settings").write_text("".join(f"{name}={value}\n" for name, value in settings.items()))
    (directory / "token").write_text(access_token(site))
    environment = {**surroundings(), "PROGRAM": str(BINARIES / "linkedin-signin"), "SETTINGS": str(directory / "settings")}
    environment["PATH"] = f"{directory}:{environment['PATH']}"
    for command in COMMANDS:
        text = command.replace("/etc/linkedin-signin/", f"{directory}/").replace("https://example.com", site.url)
        # The name can mean an address of IPv6 too, and nothing listens there.
        text = text.replace("localhost", "127.0.0.1")
        done = subprocess.run(["bash", "-euo", "pipefail", "-c", text], cwd=directory, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, f"{text}\n{done.stdout}{done.stderr}"
        yield done.stdout


@pytest.mark.parametrize("front", ["nginx", "lighttpd"])
def test_the_documented_commands_work_as_written(make_site, tmp_path, front):
    with make_site(front=front, settings={"SIGNIN_TOKEN_SESSIONS": "yes"}, guard=["--token-sessions"]) as site:
        # Not in the directory of the site, where no token may be.
        outputs = as_documented(site, tmp_path)
        assert next(outputs) == "" and '"name":"Maya Lindqvist"' in next(outputs)
        next(outputs)
        assert site.responder.sessions() == []
        assert '"name":"Maya Lindqvist"' in next(outputs)
        assert len(site.responder.sessions()) == 1 and SESSION in (tmp_path / "jar").read_text()
        assert list(outputs) == []

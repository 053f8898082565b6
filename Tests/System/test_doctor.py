"""`doctor`: each thing that can be wrong is made wrong once, and the command names it."""

import http.server
import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from harness.clock import Clock
from harness.code_blocks import code_blocks
from harness.doctor import DIFFERENT, THIS_MONTH, USER, Diagnosis, diagnose, doctor, month
from harness.process import BINARIES, REPOSITORY, surroundings, wait_until
from harness.responder import Responder
from simulator import Simulator
from test_reload import reload
from test_systemd import hanging  # noqa: F401

@pytest.fixture(scope="module")
def provider():
    """A provider with the redirect URL of these tests."""
    redirect = "http://localhost:8080/oauth"
    options = ["--client-id", "demo", "--client-secret", "demo-secret", "--redirect-uri", redirect, "--quiet"]
    with Simulator(*options, binary=str(BINARIES / "linkedin-simulator")) as simulator:
        yield simulator


@pytest.fixture
def responder(directory, provider):
    """A running program, with a version of the profile API that is never too old."""
    provider.clear_faults()
    settings = {"LINKEDIN_VERSION": THIS_MONTH}
    with Responder(directory / "r", "http://localhost:8080", provider.url, settings) as responder:
        yield responder


def test_nothing_is_wrong_with_a_running_site(responder):
    found = diagnose(responder)
    assert (found.status, found.faults) == (0, set()), found.text
    assert found.report["status"] == "note"
    seen = {entry["subject"].split()[0] for entry in found.report["passed"]}
    assert {"settings", "clock", "random", "secrets", "key", "client", "SIGNIN_TOKEN_ENDPOINT", "LINKEDIN_VERSION"} <= seen


def test_the_text_says_what_why_and_what_to_do(responder):
    text = diagnose(responder, json=False, changes={"SIGNIN_SCOPES": "openid email"}).text
    assert re.search(r"^fault    program-other-settings  .*/login\n  what: .*scope is “.*\n  why:  .*\n  also: .*\n  do:   reload", text, re.M), text
    assert re.search(r"^ok       settings: valid$", text, re.M)


def test_every_wrong_setting_is_a_fault(responder):
    found = diagnose(responder, changes={"SIGNIN_WORKERS": "many", "SIGNIN_TYPO": "1"})
    subjects = [finding["subject"] for finding in found.report["findings"] if finding["code"] == "settings-invalid"]
    assert found.status == 2 and len(subjects) == 2 and "SIGNIN_WORKERS" in subjects[0] + subjects[1]


def test_a_redirect_url_of_this_machine_is_noted(responder):
    assert "localhost:8080/oauth" in diagnose(responder).finding("redirect-local")["what"]


def test_rules_and_their_lists_are_checked(responder, directory):
    members = directory / "members"
    members.write_text("subject=abc\n")
    members.chmod(0o600)
    found = diagnose(responder, "--require", "membre", "--require", f"allow={members}", "--require", "member")
    assert found.faults == {"rule-invalid"} and "membre" in found.finding("rule-invalid")["subject"]
    assert str(members) in found.finding("rule-note")["what"]


def test_missing_entropy_is_a_fault(responder, directory):
    source, library = directory / "entropy.c", directory / "entropy.so"
    source.write_text(
        "#include <errno.h>\n#include <stddef.h>\n#include <sys/syscall.h>\n#include <unistd.h>\n"
        "long getrandom(void *b, size_t n, unsigned f) {\n"
        "    if (f == 1 && n == 1) { errno = EAGAIN; return -1; }\n    return syscall(SYS_getrandom, b, n, f);\n}\n"
    )
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source], check=True)
    found = diagnose(responder, wrapper=["env", f"LD_PRELOAD={library}"])
    assert found.faults == {"entropy-missing"}, found.text


@pytest.mark.parametrize("seconds, code", [(30, "clock-drifting"), (900, "clock-drifting"), (-90, "clock-off"), (3600, "clock-off")])
def test_a_wrong_clock_is_found_by_the_providers_date(responder, directory, seconds, code):
    clock = Clock(directory / "clock")
    clock.shift = seconds
    clock._write()
    found = diagnose(responder, wrapper=clock.wrapper)
    assert code in found.faults, found.text
    # A date has whole seconds.
    shown = int(re.match(r"(\d+) s ", found.finding(code)["what"])[1])
    assert abs(shown - abs(seconds)) <= 2, found.text


def test_a_provider_without_a_date_leaves_the_clock_unchecked(responder, provider):
    for endpoint in ("authorization", "token", "jwks", "userinfo", "identityMe"):
        provider.fault(endpoint, "answer", status=400, headers={"Date": "now"}, body="{}")
    found = diagnose(responder)
    assert any(finding["subject"] == "clock" for finding in found.report["findings"] if finding["code"] == "not-checked")


def test_an_unreachable_endpoint_is_a_fault_and_the_others_are_asked(responder):
    found = diagnose(responder, changes={"SIGNIN_TOKEN_ENDPOINT": "https://127.0.0.1:9/token"})
    finding = found.finding("endpoint-unreachable")
    assert finding["subject"] == "SIGNIN_TOKEN_ENDPOINT 127.0.0.1:9"
    assert "if the port 9" in finding["remedies"][0] and "firewall" in finding["remedies"][1] and "curl" in finding["remedies"][2]
    assert any("SIGNIN_JWKS_URI" in entry["subject"] for entry in found.report["passed"])


def test_a_hung_endpoint_does_not_delay_the_others(responder, provider):
    provider.fault("token", "hang")
    provider.fault("userinfo", "hang")
    begun = time.monotonic()
    found = diagnose(responder, changes={"SIGNIN_TOTAL_TIMEOUT": "2s", "SIGNIN_CONNECT_TIMEOUT": "1s"})
    assert found.faults == {"endpoint-unreachable"} and time.monotonic() - begun < 8
    host = provider.url.removeprefix("http://")
    # One cause, one finding.
    assert found.finding("endpoint-unreachable")["subject"] == f"SIGNIN_TOKEN_ENDPOINT, SIGNIN_USERINFO_ENDPOINT {host}"
    assert any("SIGNIN_JWKS_URI" in entry["subject"] for entry in found.report["passed"])


@pytest.fixture
def https(certificate):
    """The address of a server with a certificate that ends in two days, which answers 400 to everything."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            self.send_response(400)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_):
            pass

    server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(f"{certificate}.pem", f"{certificate}.key")
    server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"https://localhost:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_certificate_is_checked_before_it_ends(responder, https, certificate):
    changes = {"SIGNIN_TOKEN_ENDPOINT": f"{https}/token"}
    found = diagnose(responder, changes=changes)
    assert found.faults == {"endpoint-untrusted"}, found.text
    assert "self-signed" in found.finding("endpoint-untrusted")["what"]
    found = diagnose(responder, changes={**changes, "SIGNIN_CA_FILE": f"{certificate}.pem"})
    assert (found.status, found.faults) == (1, {"certificate-ending", "endpoint-other"}), found.text
    assert found.finding("certificate-ending")["what"] == "the certificate expires in 1 day"


def test_an_endpoint_that_is_another_page_is_a_fault(responder, provider):
    found = diagnose(responder, changes={"SIGNIN_TOKEN_ENDPOINT": f"{provider.url}/nothing/here"})
    assert found.faults == {"endpoint-unexpected"} and "HTTP 404" in found.finding("endpoint-unexpected")["what"]


def test_a_wrong_secret_is_found_without_a_sign_in(responder):
    found = diagnose(responder, changes={"LINKEDIN_CLIENT_SECRET": "not-it"})
    remedies = found.finding("client-refused")["remedies"]
    assert found.faults == {"client-refused"} and "Auth tab" in remedies[0]
    assert len(remedies) == 2 and remedies[1].startswith("LINKEDIN_CLIENT_SECRET, or the file that LINKEDIN_CLIENT_SECRET_FILE names")


def unchecked(found, subject):
    """What a finding `not-checked` says about a subject."""
    return [f["what"] for f in found.report["findings"] if f["code"] == "not-checked" and f["subject"].startswith(subject)]


def test_the_secret_of_another_provider_is_not_sent_to_linkedin(responder):
    found = diagnose(responder, changes={"SIGNIN_INTROSPECTION_ENDPOINT": None})
    assert found.faults == set() and "SIGNIN_TOKEN_ENDPOINT" in unchecked(found, "client ID")[0], found.text
    assert not any(entry["subject"].startswith("client ID") for entry in found.report["passed"])


@pytest.mark.parametrize("status", [400, 403])
def test_an_answer_that_does_not_name_the_client_accepts_no_secret(responder, provider, status):
    provider.fault("introspection", "answer", status=status, body="{}")
    found = diagnose(responder)
    assert f"HTTP {status}" in unchecked(found, "client ID")[0]
    assert not any(entry["subject"].startswith("client ID") for entry in found.report["passed"])


def test_a_key_set_without_a_key_is_a_fault(responder, provider):
    provider.fault("jwks", "answer", body='{"keys":[]}')
    found = diagnose(responder)
    finding = found.finding("keys-unusable")
    assert "no usable key" in finding["what"] and finding["remedies"] == ["correct SIGNIN_JWKS_URI, or remove it to use LinkedIn's own key set"]


def test_a_key_set_of_an_old_cache_is_a_warning(responder, provider):
    body = subprocess.run(["curl", "-sf", f"{provider.url}/oauth/openid/jwks"], capture_output=True, text=True, check=True).stdout
    provider.fault("jwks", "answer", body=body, headers={"Age": "90000"})
    found = diagnose(responder)
    assert (found.status, found.faults) == (1, {"keys-old"}), found.text


def test_a_program_that_does_not_run_is_a_fault(responder):
    missing = responder.directory / "nothing"
    found = diagnose(responder, changes={"SIGNIN_LISTEN": f"unix:{missing}"})
    assert found.faults == {"socket-missing"} and found.finding("socket-missing")["remedies"][0] == "start the service of this site"


def test_a_socket_without_a_listener_is_a_fault(responder):
    path = responder.directory / "dead"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))
    assert diagnose(responder, changes={"SIGNIN_LISTEN": f"unix:{path}"}).faults == {"socket-silent"}


@pytest.mark.skipif(os.geteuid() != 0, reason="root is needed to be another user")
def test_the_web_server_must_be_able_to_connect(responder, directory):
    found = diagnose(responder, "--web-user", "www-data")
    assert f"enter {directory} (mode 700" in found.finding("socket-denied")["what"]
    for path in (directory, responder.directory):
        path.chmod(0o755)
    found = diagnose(responder, "--web-user", "www-data")
    finding = found.finding("socket-denied")
    assert "may not write to the socket (mode 660" in finding["what"] and "SIGNIN_SOCKET_GROUP=www-data" in finding["remedies"][0]
    responder.socket.chmod(0o666)
    assert diagnose(responder, "--web-user", "www-data").faults == {"socket-open"}
    found = diagnose(responder, "--web-user", "www-data", changes={"SIGNIN_ALLOWED_USERS": "root"})
    assert found.faults == {"socket-open", "user-not-allowed"} and found.report["findings"][0]["severity"] == "fault"
    assert found.finding("settings-not-loaded")["remedies"][0].startswith("first correct SIGNIN_ALLOWED_USERS, which has a fault; then ")
    assert "no user nobody-there" in unchecked(diagnose(responder, "--web-user", "nobody-there"), str(responder.socket))[0]


@pytest.mark.skipif(os.geteuid() != 0, reason="root is needed to be another user")
def test_a_program_that_accepts_only_the_web_server_is_asked_as_its_user(directory, provider):
    settings = {"SIGNIN_ALLOWED_USERS": "www-data", "SIGNIN_SOCKET_GROUP": "www-data", "LINKEDIN_VERSION": THIS_MONTH}
    with Responder(directory / "r", "http://localhost:8080", provider.url, settings) as responder:
        for path in (directory, responder.directory):
            path.chmod(0o755)
        found = diagnose(responder, "--web-user", "www-data")
        assert found.faults == set() and any("/readyz" in entry["subject"] for entry in found.report["passed"]), found.text


def test_a_program_that_does_not_answer_is_a_fault(responder):
    responder.process.signal(signal.SIGSTOP)
    found = diagnose(responder)
    responder.process.signal(signal.SIGCONT)
    assert found.faults == {"program-silent"} and "10" in found.finding("program-silent")["what"]
    assert found.finding("program-silent")["remedies"][0].startswith("look at the last lines of the log"), found.text


def test_a_program_with_hung_threads_is_a_fault(directory, provider, hanging):  # noqa: F811
    provider.clear_faults()
    members = directory / "members"
    members.write_text("subject=nobody\n")
    settings = {"SIGNIN_REQUEST_TIMEOUT": "1s", "SIGNIN_TOTAL_TIMEOUT": "1s", "SIGNIN_CONNECT_TIMEOUT": "1s", "SIGNIN_WORKERS": "2"}
    wrapper = ["env", f"LD_PRELOAD={hanging}", f"HANG_AT={members}"]
    responder = Responder(directory / "r", "http://localhost:8080", provider.url, {**settings, "LINKEDIN_VERSION": THIS_MONTH}, wrapper)
    responder.expected_errors.append("event=thread-hung reason=worker")
    responder.options = {"environment": {"NOTIFY_SOCKET": str(directory / "none"), "WATCHDOG_USEC": "200000"}}
    with responder, ThreadPoolExecutor(1) as pool:
        guard = {"SIGNIN_ACTION": "authorize", "SIGNIN_REQUIRE": f"allow={members}"}
        asked = pool.submit(responder.ask, "/auth", extra=guard)
        wait_until(lambda: responder.lines_so_far("thread-hung"), "the finding of the program")
        found = diagnose(responder)
        members.with_name("members.answer").touch()
        assert asked.result().status == 401
    assert found.faults == {"program-unhealthy", "program-not-ready"} and "worker" in found.finding("program-unhealthy")["what"], found.text


def test_the_database_is_asked_too(responder, database):
    found = diagnose(responder, changes={"SIGNIN_STORE": database.address("signin")})
    assert found.faults == set() and "synchronous" in found.finding("store-note")["what"], found.text
    assert any(entry["subject"] == "SIGNIN_STORE" for entry in found.report["passed"])
    found = diagnose(responder, changes={"SIGNIN_STORE": "postgresql://signin@127.0.0.1:9/signin"})
    assert found.faults == {"store-unusable"}


def test_a_program_that_is_not_ready_says_why(directory, provider):
    provider.fault("jwks", "hang")
    settings = {"SIGNIN_TOTAL_TIMEOUT": "1s", "SIGNIN_CONNECT_TIMEOUT": "1s", "LINKEDIN_VERSION": THIS_MONTH}
    with Responder(directory / "r", "http://localhost:8080", provider.url, settings) as responder:
        found = diagnose(responder)
    provider.clear_faults()
    finding = found.finding("endpoint-unreachable")
    assert found.faults == {"endpoint-unreachable"}, found.text
    assert any("/readyz: HTTP 503: keys-unavailable" in line for line in finding["also"]), finding


@pytest.mark.parametrize(
    "changes, words, own",
    [
        ({"SIGNIN_SCOPES": "openid email"}, "scope is “", set()),
        ({"SIGNIN_AUTHORIZATION_ENDPOINT": "http://127.0.0.1:9/authorize"}, "leads to ", {"endpoint-unreachable"}),
    ],
)
def test_a_program_with_other_settings_is_one_finding(responder, changes, words, own):
    found = diagnose(responder, changes=changes, expected=())
    assert found.faults == {"program-other-settings"} | own, found.text
    finding = found.finding("program-other-settings")
    assert words in finding["what"] and any("other values: " in line for line in finding["also"])


def test_settings_that_the_program_has_not_read_are_a_warning(responder):
    assert "settings-not-loaded" not in diagnose(responder).codes
    changes = {"SIGNIN_SITE_NAME": "Example Club", "SIGNIN_SESSION_LIFETIME": "20d"}
    found = diagnose(responder, changes=changes, expected=())
    assert (found.status, found.faults) == (1, {"settings-not-loaded"}), found.text
    finding = found.finding("settings-not-loaded")
    assert finding["what"] == f"{DIFFERENT}; other values: SIGNIN_SITE_NAME, SIGNIN_SESSION_LIFETIME"
    assert finding["remedies"][0] == "reload the service of this site"
    reload(responder, **changes)
    assert "settings-not-loaded" not in diagnose(responder).codes
    reload(responder, SIGNIN_WORKERS="3")
    finding = diagnose(responder).finding("settings-not-loaded")
    assert finding["what"] == f"{DIFFERENT}; other values: SIGNIN_WORKERS"
    assert finding["remedies"][0] == "restart the service of this site"


@pytest.mark.skipif(os.geteuid() != 0, reason="root is needed to be another user")
def test_an_unreadable_server_key_is_reported_to_root_without_advising_sudo(responder):
    (responder.state / "server-key").unlink()
    said = [what for what in unchecked(diagnose(responder), str(responder.socket)) if "server key" in what]
    assert said == ["the server key cannot be read from the state directory or the database"]


@pytest.mark.skipif(os.geteuid() != 0, reason="root is needed to be another user")
def test_another_user_is_advised_to_read_the_server_key_with_sudo(responder, directory):
    settings = responder.write_settings()
    os.chown(settings, 65534, 65534)
    for path in (directory, responder.directory):
        path.chmod(0o755)
    responder.socket.chmod(0o666)
    found = doctor(settings, wrapper=["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"])
    said = [what for what in unchecked(found, str(responder.socket)) if "server key" in what]
    assert said == ["the server key cannot be read; run this command with sudo"]


def test_a_new_client_secret_that_linkedin_rejects_is_one_finding_before_the_restart(responder, directory):
    secret = directory / "secret"
    secret.touch(mode=0o600)
    secret.write_text("demo-secret")
    changes = {"LINKEDIN_CLIENT_SECRET": None, "LINKEDIN_CLIENT_SECRET_FILE": str(secret)}
    assert "settings-not-loaded" not in diagnose(responder, changes=changes).codes, "the same secret in another place"
    secret.write_text("demo-secret-of-tomorrow")
    found = diagnose(responder, changes=changes)
    assert found.faults == {"client-refused"} and "settings-not-loaded" not in found.codes, found.text
    assert "other values: LINKEDIN_CLIENT_SECRET" in found.finding("client-refused")["also"][0], found.text
    also = diagnose(responder, changes={"LINKEDIN_CLIENT_ID": "other"}, expected=("client-refused",)).finding("client-refused")["also"]
    assert any("client_id is “demo”" in line for line in also) and any("other values: LINKEDIN_CLIENT_ID" in line for line in also), also


def test_a_program_that_runs_an_old_file_is_a_warning(responder, directory):
    copy = directory / "linkedin-signin"
    shutil.copy(BINARIES / "linkedin-signin", copy)
    command = [copy, "doctor", "--json", "--settings-file", responder.write_settings(), "--web-user", USER]
    found = Diagnosis(subprocess.run(command, capture_output=True, text=True, env=surroundings(), timeout=60))
    assert (found.status, found.faults) == (1, {"program-replaced"}), found.text


def test_few_free_descriptors_are_a_warning(responder):
    subprocess.run(["prlimit", f"--pid={responder.process.pid}", "--nofile=60:4096"], check=True)
    found = diagnose(responder)
    assert found.faults == {"descriptors-few"} and "of 60 file descriptors" in found.finding("descriptors-few")["what"]


def test_the_documented_commands_work(responder):
    """docs/doctor.md; test_doctor_site.py runs those with a web server."""
    secret = responder.directory / "secret"
    secret.write_text("demo-secret")
    secret.chmod(0o600)
    responder.settings.update({"LINKEDIN_CLIENT_SECRET": None, "LINKEDIN_CLIENT_SECRET_FILE": str(secret)})
    # Without an option, the command uses the settings of the installed package.
    settings = f"--settings-file {responder.write_settings()} --web-user {USER}"
    commands = [text for name, text in code_blocks((REPOSITORY / "docs/doctor.md").read_text()) if name == "sh" and "--url" not in text]
    assert len(commands) == 1
    for command in commands:
        command = command.replace("sudo ", "env ").replace("linkedin-signin doctor", f"{BINARIES}/linkedin-signin doctor {settings}")
        done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, env=surroundings(), timeout=60)
        assert done.returncode == 0 and "ok       settings: valid" in done.stdout, done.stdout + done.stderr


def codes():
    return subprocess.run([BINARIES / "linkedin-signin", "doctor", "--codes"], capture_output=True, text=True, check=True, env=surroundings()).stdout


def test_the_documented_table_of_codes_is_complete():
    assert codes() in (REPOSITORY / "docs/doctor.md").read_text()


def test_every_code_has_a_test():
    names = re.findall(r"^\| `([a-z-]+)` \|", codes(), re.MULTILINE)
    files = ("test_check*.py", "test_doctor*.py", "harness/unit_*.py")
    tests = "".join(path.read_text() for name in files for path in Path(__file__).parent.glob(name))
    assert len(names) > 60 and [code for code in names if f'"{code}"' not in tests] == []

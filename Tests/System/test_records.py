"""What is written down: log lines, files, arguments; and who may read it."""

import re
import socket
import ssl
import stat
import threading

import pytest

from harness.browser import SCRIPT
from harness.guarded import SUBJECTS
from harness.process import REPOSITORY, wait_until
from harness.responder import Responder
from harness.site import SESSION, from_provider

VALUE = r"(?:[!-~]+|\"(?:[^\"\\]|\\.)*\")"
LINE = re.compile(
    r"time=\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ level=(?:debug|info|warning|error) event=[a-z-]+"
    rf"(?: request=[0-9a-f]{{16}})?(?: reason=[A-Za-z0-9-]+)?(?: subject={VALUE})?(?: remote={VALUE})?"
    rf"(?: (?!request=|reason=|subject=|remote=)[a-z]+={VALUE})*"
)


def events(log, name):
    return [line for line in log.splitlines() if f" event={name} " in f"{line} "]


FORGERIES = ["%0atime=forged%20level=error", "%0d%0aforged", "%1b[31mred", "%e2%80%a8forged", "%c2%85forged", "%7f", "%00"]


@pytest.mark.parametrize("forgery", FORGERIES)
def test_a_forged_line_is_no_event(shared_site, forgery):
    shared_site.responder.settled_log()
    for path in (f"/x{forgery}", f"/login?return_to=/{forgery}", f"/oauth?code=a&state={forgery}", f"/oauth?state=a&error={forgery}"):
        before = len(shared_site.responder.log.splitlines())
        headers = {"User-Agent": "x" + forgery, "Accept-Language": forgery, "Origin": forgery}
        answer = shared_site.responder.ask(path, headers=headers, extra={"REMOTE_ADDR": "1\n" + forgery})
        # The log has a thread of its own; an event after the one in question has come when that one has.
        shared_site.responder.ask("/logout", "POST", headers={"Sec-Fetch-Site": "cross-site"})
        lines = logged(shared_site.responder, before, "sign-out-refused")
        assert len(lines) == (2 if not path.startswith("/x") or answer.status == 400 else 1), lines
        for line in lines:
            assert LINE.fullmatch(line) and line.isprintable(), line


def logged(responder, before, last):
    wait_until(lambda: events("\n".join(responder.log.splitlines()[before:]), last), f"the event {last}")
    return responder.log.splitlines()[before:]


def test_every_outcome_is_logged_with_request_and_reason(make_site):
    with make_site(settings={"SIGNIN_LOG_LEVEL": "debug"}) as site:
        site.responder.expected_errors.append(".")
        browser = site.browser()
        site.sign_in(browser)
        site.sign_out(browser, {"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"})
        site.sign_out(browser)
        site.sign_in(site.browser(), decision="cancel")
        browser.get(f"{site.url}/oauth?code=a&state=b")
        site.simulator.fault("token", "status", status=500)
        site.sign_in(site.browser())
        site.simulator.clear_faults()
        sessions = site.responder.state / "sessions"
        sessions.rename(sessions.with_name("away"))
        sessions.touch()
        assert site.sign_in(site.browser()).status == 503
        lines = logged(site.responder, 0, "store-failed")
        log = "\n".join(lines)
        assert all(LINE.fullmatch(line) for line in lines), [line for line in lines if not LINE.fullmatch(line)]
        for name, reason in (
            ("signed-in", None),
            ("sign-out-refused", "cross-site"),
            ("signed-out", None),
            ("sign-in-failed", "provider-cancelled"),
            ("sign-in-failed", "state-missing"),
            ("sign-in-failed", "token-unavailable"),
            ("store-failed", "store-"),
        ):
            found = [line for line in events(log, name) if reason is None or f" reason={reason}" in line]
            assert found and all(" request=" in line for line in found), (name, reason, log)
            assert all(" remote=127.0.0.1" in line for line in found), (name, reason, log)
            is_known = name in ("signed-in", "signed-out")
            assert all((f" subject={SUBJECTS[1]} " in line) == is_known for line in found), (name, reason, log)


def test_no_token_and_no_address_of_a_member_is_in_a_log_or_an_error_page(make_site):
    with make_site(settings={"SIGNIN_LOG_LEVEL": "debug"}) as site:
        site.responder.expected_errors.append(".")
        shown = ""
        canary = '{"error":"invalid_grant","error_description":"canary-description","access_token":"canary-access"}'
        for endpoint, fault, options in (
            # First, because keys are kept.
            ("jwks", "answer", {"body": canary}),
            ("token", "answer", {"status": 400, "body": canary}),
            ("token", "answer", {"status": 500, "body": canary}),
            ("token", "answer", {"body": canary}),
            ("token", "wrong-signature", {}),
            ("token", "expired", {}),
        ):
            site.simulator.fault(endpoint, fault, **options)
            answer = site.sign_in(site.browser())
            assert answer.status >= 500
            shown += answer.text
            site.simulator.clear_faults()
        browser = site.browser()
        assert site.sign_in(browser).status == 303
        site.simulator.fault("identityMe", "answer", status=500, body=canary)
        shown += browser.get(f"{site.url}/profile").text
        site.simulator.clear_faults()
        assert site.sign_in(browser).status == 303
        assert "maya.lindqvist@example.com" in browser.get(f"{site.url}/profile", headers=SCRIPT).text
        site.sign_out(browser)
        logged(site.responder, 0, "signed-out")
        for text in (site.responder.log, shown):
            assert "canary" not in text and "@example.com" not in text
            assert "eyJ" not in text, "no token in three segments"


def test_secret_is_in_no_argument_and_no_shared_file(site):
    site.sign_in(site.browser())
    assert b"demo-secret" not in open(f"/proc/{site.responder.process.pid}/cmdline", "rb").read()
    assert b"demo-secret" not in open(f"/proc/{site.responder.process.pid}/environ", "rb").read()
    settings = (REPOSITORY / "deploy/settings.example").read_text()
    assert re.findall(r"^#?LINKEDIN_CLIENT_SECRET=(.*)$", settings, re.MULTILINE) in ([""], [])


def test_settings_file_that_shows_its_secret_is_refused(directory):
    responder = Responder(directory / "r", "http://localhost:8080", "http://127.0.0.1:9")
    with responder:
        pass
    settings = responder.directory / "settings"
    settings.chmod(0o604)
    responder.launch()
    assert responder.process.child.wait(5) == 78
    assert "chmod 600" in responder.log and "demo-secret" not in responder.log
    settings.chmod(0o640)
    with responder:
        pass
    # A file without a secret is nobody's secret.
    secret = directory / "secret"
    secret.touch(mode=0o600)
    secret.write_text(responder.settings.pop("LINKEDIN_CLIENT_SECRET"))
    responder.settings["LINKEDIN_CLIENT_SECRET_FILE"] = str(secret)
    settings.chmod(0o644)
    with responder:
        assert responder.ask("/").status == 200


def test_stored_files_are_private_whatever_the_umask(make_site):
    with make_site() as site:
        site.responder.stop()
        site.responder.wrapper = ["sh", "-c", 'umask 0; exec "$@"', "sh"]
        site.responder.start()
        site.sign_in(site.browser())
        entries = list(site.responder.state.rglob("*"))
        assert len(entries) > 3
        for entry in entries:
            assert stat.S_IMODE(entry.stat().st_mode) == (0o700 if entry.is_dir() else 0o600), entry
        assert stat.S_IMODE(site.responder.socket.stat().st_mode) == 0o660


def test_an_administrator_ends_sessions_by_removing_their_records(site):
    browsers = [site.browser() for _ in range(3)]
    for browser, member in zip(browsers, (1, 2, 2)):
        site.sign_in(browser, member=member)
    for record in site.responder.sessions():
        if b"zhang.wei@example.com" in record.read_bytes():
            record.unlink()
    assert [site.is_signed_in(browser) for browser in browsers] == [True, False, False]
    for record in site.responder.sessions():
        record.unlink()
    assert not site.is_signed_in(browsers[0])


class Peer(threading.Thread):
    """A TLS server that keeps what anybody tells it after the handshake."""

    def __init__(self, host, certificate, configure):
        super().__init__(daemon=True)
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(f"{certificate}.pem", f"{certificate}.key")
        configure(self.context)
        self.listener = socket.create_server((host, 0))
        self.port = self.listener.getsockname()[1]
        self.calls, self.heard = 0, b""

    def run(self):
        while True:
            try:
                peer, _ = self.listener.accept()
            except OSError:
                return
            self.calls += 1
            try:
                with self.context.wrap_socket(peer, server_side=True) as secured:
                    self.heard += secured.recv(65536)
            except (OSError, ssl.SSLError):
                peer.close()

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        # Closing alone does not wake a thread that accepts.
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        self.join(5)


def old_versions(context):
    context.minimum_version = ssl.TLSVersion.TLSv1
    context.maximum_version = ssl.TLSVersion.TLSv1_1
    context.set_ciphers("ALL:@SECLEVEL=0")


CASES = {
    "unknown authority": (False, "127.0.0.1", lambda context: None, 502),
    "TLS 1.1": (True, "127.0.0.1", old_versions, 502),
    "another name": (True, "127.0.0.2", lambda context: None, 502),
    "trusted": (True, "127.0.0.1", lambda context: None, None),
}


# Python would rather not serve them either.
@pytest.mark.filterwarnings("ignore:ssl.TLSVersion:DeprecationWarning")
@pytest.mark.parametrize("case", CASES)
def test_a_provider_that_does_not_prove_itself_is_told_nothing(make_site, certificate, case):
    trusted, host, configure, expected = CASES[case]
    with Peer(host, certificate, configure) as peer:
        settings = {"SIGNIN_TOKEN_ENDPOINT": f"https://{host}:{peer.port}/token", "SIGNIN_CONNECT_TIMEOUT": "2s"}
        settings["SIGNIN_CA_FILE"] = f"{certificate}.pem" if trusted else None
        with make_site(settings=settings) as site:
            site.responder.expected_errors.append(".")
            browser = site.browser()
            answer = browser.get(site.consent(site.begin(browser)), headers=from_provider())
            lines = logged(site.responder, 0, "sign-in-failed")
        assert answer.is_html and SESSION not in answer.set_cookies
        assert peer.calls, "it was called"
        if expected:
            assert answer.status == expected and peer.heard == b""
            assert "untrusted" in lines[-1]
        else:
            assert b"demo-secret" in peer.heard, "a peer that proves itself is told"

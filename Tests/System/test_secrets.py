"""Secrets: no log, file, argument or untrusted provider receives one, and stored files are private."""

import socket
import ssl
import stat
import threading

import pytest

from harness.browser import SCRIPT
from harness.process import wait_until
from harness.site import SESSION, from_provider
from harness.webserver import FRONTS


@pytest.mark.parametrize("front", FRONTS)
def test_no_log_contains_a_secret(make_site, front):
    with make_site(front=front, settings={"SIGNIN_LOG_LEVEL": "debug"}) as site:
        site.responder.expected_errors.append(".")
        browser = site.browser()
        address = site.begin(browser)
        secrets = set(browser.jar["localhost"].values())
        callback = site.consent(address)
        secrets |= {part.split("=", 1)[1] for part in callback.split("?")[1].split("&")}
        browser.get(callback, headers=from_provider())
        secrets |= set(browser.jar["localhost"].values())
        browser.get(f"{site.url}/profile")
        browser.get(callback, headers=from_provider())
        site.sign_in(site.browser(), decision="cancel")
        browser.get(f"{site.url}/oauth?code=canary-code&state=canary-state&error=canary-error")
        site.sign_out(browser)
        tokens = site.simulator.requests("identityMe") + site.simulator.requests("userinfo")
        secrets |= {call["headers"]["authorization"].split()[1] for call in tokens}
    secrets |= {"demo-secret", "canary-code", "canary-state", "canary-error"}
    assert len(secrets) >= 8
    for log in (site.responder.process.log_path, site.server.access_log, site.server.error_log):
        text = log.read_text()
        assert not [secret for secret in secrets if secret in text], log


def test_no_log_or_error_page_contains_a_token_or_e_mail_address(make_site):
    with make_site(settings={"SIGNIN_LOG_LEVEL": "debug"}) as site:
        site.responder.expected_errors.append(".")
        shown = ""
        canary = '{"error":"invalid_grant","error_description":"canary-description","access_token":"canary-access"}'
        for endpoint, fault, options in (
            # First, because keys are cached.
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
        for text in (site.responder.settled_log(), shown):
            assert "canary" not in text and "@example.com" not in text
            assert "eyJ" not in text, "no signed token"


def test_no_file_contains_a_session_cookie_or_token(site):
    browser = site.browser()
    site.sign_in(browser)
    browser.get(f"{site.url}/profile")
    cookie = browser.jar["localhost"][SESSION].encode()
    (call, *_) = site.simulator.requests("identityMe")
    token = call["headers"]["authorization"].split()[1].encode()
    for path in site.responder.state.rglob("*"):
        assert cookie.decode() not in str(path)
        if path.is_file():
            content = path.read_bytes()
            assert cookie not in content and token not in content, path


def test_the_client_secret_is_in_no_argument_and_no_environment(site):
    site.sign_in(site.browser())
    assert b"demo-secret" not in open(f"/proc/{site.responder.process.pid}/cmdline", "rb").read()
    assert b"demo-secret" not in open(f"/proc/{site.responder.process.pid}/environ", "rb").read()


def test_stored_files_are_private_whatever_the_umask(make_site):
    with make_site() as site:
        site.responder.stop()
        site.responder.wrapper = ["sh", "-c", 'umask 0; exec "$@"', "sh"]
        site.responder.start()
        site.sign_in(site.browser())
        entries = [site.responder.state, *site.responder.state.rglob("*")]
        assert len(entries) > 3
        for entry in entries:
            assert stat.S_IMODE(entry.stat().st_mode) == (0o700 if entry.is_dir() else 0o600), entry
        assert stat.S_IMODE(site.responder.socket.stat().st_mode) == 0o660


class Peer(threading.Thread):
    """A TLS server that records everything it receives after the handshake."""

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
        # close() alone does not wake a thread that waits in accept().
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


# Python warns about these old versions.
@pytest.mark.filterwarnings("ignore:ssl.TLSVersion:DeprecationWarning")
@pytest.mark.parametrize("case", CASES)
def test_a_provider_with_an_untrusted_certificate_receives_nothing(make_site, certificate, case):
    trusted, host, configure, expected = CASES[case]
    with Peer(host, certificate, configure) as peer:
        settings = {"SIGNIN_TOKEN_ENDPOINT": f"https://{host}:{peer.port}/token", "SIGNIN_CONNECT_TIMEOUT": "2s"}
        settings["SIGNIN_CA_FILE"] = f"{certificate}.pem" if trusted else None
        with make_site(settings=settings) as site:
            site.responder.expected_errors.append(".")
            browser = site.browser()
            answer = browser.get(site.consent(site.begin(browser)), headers=from_provider())
            wait_until(lambda: site.responder.lines_so_far("sign-in-failed"), "a log line about the sign-in")
            lines = site.responder.lines_of("sign-in-failed")
        assert answer.is_html and SESSION not in answer.set_cookies
        assert peer.calls, "the program connected to it"
        if expected:
            assert answer.status == expected and peer.heard == b""
            assert "untrusted" in lines[-1]
        else:
            assert b"demo-secret" in peer.heard, "a trusted provider receives the secret"

"""Wrong, slow and hostile answers in place of a discovery document."""

import http.server
import gzip
import json
import signal
import socket
import struct
import threading
import time

import pytest

from harness.browser import Browser
from harness.json_server import send
from harness.providers import IssuerSite, Mock

BODY_LIMIT = 1 << 18


class Documents:
    """A server on the port of a provider that has only a discovery document, and answers as a test wants."""

    def __init__(self, provider):
        self.issuer = provider.issuer
        self.document = {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/first",
            "token_endpoint": f"{self.issuer}/token",
            "jwks_uri": f"{self.issuer}/keys",
        }
        self.fault, self.stolen = None, 0
        documents = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                if self.path == "/stolen":
                    documents.stolen += 1
                body = json.dumps(documents.document).encode()
                (documents.fault or send)(self, body)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", provider.port), Handler)
        self.server.daemon_threads = True

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


def slow(handler, body):
    """One byte of the header or body every tenth of a second."""
    text = b"HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n" + body
    try:
        for number in range(len(text)):
            handler.wfile.write(text[number : number + 1])
            time.sleep(0.1)
    except OSError:
        pass


def half(handler, body):
    """Half of the body, and then nothing."""
    send(handler, body[: len(body) // 2], length=len(body))
    threading.Event().wait(3)


def reset(handler, _):
    """Ends the connection without a response."""
    linger = struct.pack("ii", 1, 0)
    handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
    handler.connection.close()


def changed(document, **members):
    return json.dumps({**json.loads(document), **members}).encode()


FAULTS = {
    "discovery-unavailable": [
        lambda handler, body: send(handler, body, 500),
        lambda handler, body: send(handler, body, 404),
        lambda handler, body: send(handler, b"", 302, Location="/stolen"),
        lambda handler, body: send(handler, b"", 307, Location="/stolen"),
        lambda handler, body: send(handler, body, 206),
        lambda handler, body: send(handler, b"", 304),
        lambda handler, body: send(handler, body, 429, **{"Retry-After": "99999"}),
        lambda handler, body: send(handler, body, 503, **{"Retry-After": "garbage"}),
        lambda *_: threading.Event().wait(3),
        half,
        slow,
    ],
    "discovery-malformed": [
        lambda handler, body: None,
        reset,
        lambda handler, body: handler.wfile.write(b"garbage\r\n\r\n" + body),
        lambda handler, body: send(handler, gzip.compress(body), **{"Content-Encoding": "gzip"}),
        lambda handler, body: send(handler, body, **{"Transfer-Encoding": "chunked"}),
        lambda handler, body: send(handler, b"null"),
        lambda handler, body: send(handler, b"[" + body + b"]"),
        lambda handler, body: send(handler, body[:-1] + b',"a":NaN}'),
        lambda handler, body: send(handler, body[:-1] + b',"a":1e400}'),
        lambda handler, body: send(handler, body[:-1] + b',"a":"\\ud800"}'),
        lambda handler, body: send(handler, body + b"\0"),
        lambda handler, body: send(handler, body, length=len(body) + 10),
        lambda handler, body: send(handler, body + b" " * BODY_LIMIT),
        lambda handler, body: send(handler, body, kind="text/html"),
        lambda handler, body: send(handler, b"[" * 100_000),
        lambda handler, body: send(handler, b'\xef\xbb\xbf' + body),
        lambda handler, body: send(handler, body[:-1] + b',"issuer":"https://attacker.example"}'),
        lambda handler, body: send(handler, body.replace(b"first", b"\xff")),
        lambda handler, body: send(handler, changed(body, token_endpoint="http://attacker.example/token")),
        lambda handler, body: send(handler, changed(body, id_token_signing_alg_values_supported=["none", "HS256"])),
        lambda handler, body: send(handler, changed(body, jwks_uri=None)),
    ],
    "discovery-issuer": [lambda handler, body: send(handler, changed(body, issuer="https://attacker.example"))],
}


@pytest.mark.parametrize("reason", FAULTS)
def test_a_bad_document_is_named_and_the_last_one_stays_in_use(directory, reason):
    timeouts = {"SIGNIN_CONNECT_TIMEOUT": "1s", "SIGNIN_TOTAL_TIMEOUT": "2s", "SIGNIN_LOG_REPEATS": "yes"}
    site = IssuerSite(directory, Mock, settings=timeouts)
    with Documents(site.provider) as documents, site:
        site.wait_for("discovery-read")
        for number, fault in enumerate(FAULTS[reason], 1):
            known = len(site.responder.lines_so_far("discovery-failed"))
            documents.fault = fault
            site.responder.process.child.send_signal(signal.SIGHUP)
            site.wait_for("reloaded", number)
            site.wait_for("discovery-failed", known + 1)
            line = site.responder.lines_so_far("discovery-failed")[known]
            assert f"reason={reason} " in line and f"at={documents.issuer}/.well-known/openid-configuration" in line, line
            assert site.begin(Browser())[0].startswith(f"{documents.issuer}/first?")
        documents.fault = None
        documents.document["authorization_endpoint"] = f"{documents.issuer}/second"
        site.responder.process.child.send_signal(signal.SIGHUP)
        site.wait_for("discovery-read", 2)
        assert site.begin(Browser())[0].startswith(f"{documents.issuer}/second?")
        assert documents.stolen == 0

"""WebSockets behind a guard, with the lines of docs/guard.md."""

import socket
import socketserver
import threading
from contextlib import contextmanager

from harness.code_blocks import code_blocks
from harness.guarding import HTTP, with_application, within
from harness.process import REPOSITORY
from harness.raw import cookies, status

GUARD = ["--location", "/private/"]
OPENING = (("Upgrade", "websocket"), ("Sec-WebSocket-Version", "13"), ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="))


class Echo(socketserver.StreamRequestHandler):
    """Opens a WebSocket as far as a proxy looks, then returns every byte."""

    def handle(self):
        fields = {}
        self.rfile.readline()
        while line := self.rfile.readline().decode("latin-1").strip():
            name, _, value = line.partition(":")
            fields[name.lower()] = value.strip()
        if (fields.get("upgrade"), fields.get("connection")) != ("websocket", "upgrade") or "x-auth-subject" not in fields:
            self.wfile.write(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
            return
        self.wfile.write(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n")
        while piece := self.request.recv(1024):
            self.wfile.write(piece)


def documented():
    """The lines that docs/guard.md adds to the location of an application."""
    section = (REPOSITORY / "docs/guard.md").read_text().partition("\n### WebSockets\n")[2].partition("\n## ")[0]
    ((_, content),) = list(code_blocks(section))
    lines = [line for line in content.splitlines(keepends=True) if "proxy_http_version" in line or "proxy_set_header" in line]
    assert len(lines) == 4
    return "".join(lines)


@contextmanager
def opened(site, browser):
    """A connection that asks for a WebSocket, and the head of the response."""
    fields = [("Host", "localhost"), ("Connection", "Upgrade"), *OPENING, *cookies(browser)]
    head = "".join(f"{name}: {value}\r\n" for name, value in fields)
    with socket.create_connection(("127.0.0.1", site.port), 20) as peer:
        peer.sendall(f"GET /private/live HTTP/1.1\r\n{head}\r\n".encode())
        answer = b""
        while b"\r\n\r\n" not in answer and (piece := peer.recv(1024)):
            answer += piece
        yield peer, status(answer)


def test_only_a_member_opens_a_websocket_and_it_outlives_the_session(make_site):
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Echo) as application:
        application.daemon_threads = True
        threading.Thread(target=application.serve_forever, daemon=True).start()

        def edit(text):
            text = with_application(text, "nginx", "/private/", HTTP, f"127.0.0.1:{application.server_address[1]}")
            text = text.replace("proxy_set_header Host $host;", "")
            return within(text, "nginx", "/private/", "    client_max_body_size", documented() + "    client_max_body_size")

        with make_site(front="nginx", guard=GUARD, edit=edit) as site:
            browser = site.browser()
            with opened(site, browser) as (_, code):
                assert code == 401
            site.sign_in(browser)
            with opened(site, browser) as (peer, code):
                assert code == 101
                site.sign_out(browser)
                peer.sendall(b"still here")
                assert peer.recv(1024) == b"still here"
            with opened(site, browser) as (_, code):
                assert code == 401
        application.shutdown()

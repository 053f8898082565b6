"""An application behind a guard that returns each request as JSON.

A program of its own, so that it takes nothing from the thread that a test runs in: `application.py http PORT`,
`application.py fastcgi SOCKET`, or without arguments as a CGI program.
"""

import base64
import json
import os
import socketserver
import sys
from contextlib import suppress

from records import Request, response

FIELDS = b"Content-Type: application/json\r\nCache-Control: private, no-store\r\n"
HEAD = b"Status: 200 OK\r\n" + FIELDS + b"\r\n"


def answer(kind, received, body):
    """The pairs of name and value in their order, and the body."""
    received = [[name.decode("latin-1"), value.decode("latin-1")] for name, value in received]
    return json.dumps({"kind": kind, "received": received, "body": base64.b64encode(body).decode()}).encode()


class HTTPHandler(socketserver.StreamRequestHandler):
    """Serves HTTP/1.0, as nginx sends it to an application."""

    def handle(self):
        head = list(iter(lambda: self.rfile.readline().rstrip(b"\r\n"), b""))
        if not head:
            return  # a test that checks whether the server listens
        received = [(b":request", head[0])]
        received += [tuple(line.split(b": ", 1)) if b": " in line else (line, b"") for line in head[1:]]
        length = next((int(value) for name, value in received if name.lower() == b"content-length"), 0)
        content = answer("http", received, self.rfile.read(length))
        fields = FIELDS + b"Content-Length: %d\r\nConnection: close\r\n" % len(content)
        self.wfile.write(b"HTTP/1.0 200 OK\r\n" + fields + b"\r\n" + content)


class FastCGIHandler(socketserver.StreamRequestHandler):
    """Serves FastCGI 1.0 with one request for each connection."""

    def handle(self):
        with suppress(ConnectionError):  # a test that checks whether the server listens
            request = Request(self.rfile.read)
            self.wfile.write(response(HEAD + answer("fastcgi", request.pairs, request.body)))


class TCPServer(socketserver.ThreadingTCPServer):
    daemon_threads = True
    request_queue_size = 1024


class UnixServer(socketserver.ThreadingUnixStreamServer):
    daemon_threads = True
    request_queue_size = 1024


def answer_cgi():
    body = sys.stdin.buffer.read(int(os.environ.get("CONTENT_LENGTH") or 0))
    sys.stdout.buffer.write(HEAD + answer("cgi", os.environb.items(), body))


def server(kind, address):
    if kind == "http":
        return TCPServer(("127.0.0.1", int(address)), HTTPHandler)
    return UnixServer(address, FastCGIHandler)


if __name__ == "__main__":
    if len(sys.argv) == 1:
        answer_cgi()
    else:
        with server(*sys.argv[1:]) as listening:
            listening.serve_forever()

"""A FastCGI client that sends requests to the program without a web server (FastCGI 1.0 section 3)."""

import socket
import struct
from urllib.parse import unquote

from .answer import Answer
from .records import BEGIN, END, PARAMS, RESPONDER, STDERR, STDIN, STDOUT, parameters, record, records, stream


def request(values, body=b"", role=RESPONDER, keep=False):
    """The bytes of a complete request."""
    begin = record(BEGIN, struct.pack("!HB5x", role, 1 if keep else 0))
    return begin + stream(PARAMS, parameters(values)) + stream(STDIN, body)


def exchange(path, uri, method="GET", headers=None, body=b"", role=RESPONDER, extra=None):
    """Sends a request to the socket at `path` and returns the complete response."""
    target, _, query = uri.partition("?")
    values = {
        "REQUEST_METHOD": method,
        "SCRIPT_NAME": unquote(target),
        "QUERY_STRING": query,
        "REQUEST_URI": uri,
        "SERVER_PROTOCOL": "HTTP/1.1",
        "GATEWAY_INTERFACE": "CGI/1.1",
        "REMOTE_ADDR": "192.0.2.1",
        **({"CONTENT_LENGTH": str(len(body))} if body else {}),
        **{"HTTP_" + name.upper().replace("-", "_"): value for name, value in (headers or {}).items()},
        **(extra or {}),
    }
    with socket.socket(socket.AF_UNIX) as peer:
        peer.settimeout(30)
        peer.connect(str(path))
        peer.sendall(request(values, body, role))
        return _answer(peer, uri)


def _answer(peer, uri):
    streams = {STDOUT: b"", STDERR: b""}
    for kind, content in records(peer.recv):
        if kind == END:
            break
        streams[kind] += content
    head, _, body = streams[STDOUT].partition(b"\r\n\r\n")
    headers = [tuple(line.decode().split(": ", 1)) for line in head.split(b"\r\n") if line]
    assert headers and headers[0][0] == "Status", f"an answer begins with its status: {head!r}"
    return Answer(int(headers[0][1].split()[0]), headers[1:], body, uri, streams[STDERR])

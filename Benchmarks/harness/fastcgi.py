"""A FastCGI client for one request, to time the first answer."""

import socket
import struct
from pathlib import Path

from .sides import ROUTE, RULE

BEGIN, END, PARAMS, STDIN, STDOUT = 1, 3, 4, 5, 6
RESPONDER = 1
HEADER = struct.Struct("!BBHHBx")


def ask(path: Path, session: str) -> bytes | None:
    """Sends a session check to a socket and returns the answer; None if nothing listens there yet."""
    variables = {
        "REQUEST_METHOD": "GET",
        "SCRIPT_NAME": ROUTE,
        "REQUEST_URI": ROUTE,
        "QUERY_STRING": "",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "REMOTE_ADDR": "127.0.0.1",
        "SIGNIN_ACTION": "authorize",
        "SIGNIN_REQUIRE": RULE,
        "HTTP_COOKIE": f"__Host-session={session}",
    }
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(20)
        try:
            connection.connect(str(path))
        except (FileNotFoundError, ConnectionRefusedError):
            return None
        begin = record(BEGIN, struct.pack("!HB5x", RESPONDER, 0))
        parameters = record(PARAMS, b"".join(pair(*item) for item in variables.items())) + record(PARAMS, b"")
        connection.sendall(begin + parameters + record(STDIN, b""))
        return answer(connection)


def answer(connection: socket.socket) -> bytes:
    """Reads the output of the program until the end of the request."""
    output = b""
    with connection.makefile("rb") as stream:
        while header := stream.read(HEADER.size):
            _, kind, _, length, padding = HEADER.unpack(header)
            content = stream.read(length + padding)[:length]
            if kind == END:
                break
            if kind == STDOUT:
                output += content
    return output


def record(kind: int, content: bytes) -> bytes:
    """A record of request 1."""
    return HEADER.pack(1, kind, 1, len(content), 0) + content


def pair(name: str, value: str) -> bytes:
    """A name-value pair."""
    data = [name.encode(), value.encode()]
    lengths = b"".join(bytes([len(one)]) if len(one) < 128 else struct.pack("!I", len(one) | 1 << 31) for one in data)
    return lengths + b"".join(data)

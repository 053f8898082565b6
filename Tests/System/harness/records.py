"""Records of FastCGI 1.0 for client and server (section 3).

It needs nothing of the harness, because `application.py` is a program of its own.
"""

import struct

BEGIN, END, PARAMS, STDIN, STDOUT, STDERR = 1, 3, 4, 5, 6, 7
RESPONDER, AUTHORIZER = 1, 2


def record(kind, content=b""):
    return struct.pack("!BBHHBx", 1, kind, 1, len(content), 0) + content


def stream(kind, content):
    pieces = [content[start : start + 65535] for start in range(0, len(content), 65535)]
    return b"".join(record(kind, piece) for piece in pieces) + record(kind)


def parameters(values):
    def length(number):
        return struct.pack("!B", number) if number < 128 else struct.pack("!I", number | 1 << 31)

    pairs = [(name.encode(), value.encode()) for name, value in values.items()]
    return b"".join(length(len(name)) + length(len(value)) + name + value for name, value in pairs)


def response(content):
    """All records of the response to one request on a new connection."""
    return stream(STDOUT, content) + record(END, bytes(8))


def records(receive):
    """Kind and content of each record; `receive(n)` returns at most n bytes, and none at the end."""
    while True:
        kind, length, padding = struct.unpack("!xB2xHBx", _exactly(receive, 8))
        yield kind, _exactly(receive, length + padding)[:length]


class Request:
    """A complete request, as a responder or an authorizer receives it."""

    def __init__(self, receive):
        self.role = None
        self.body = b""
        encoded = b""
        for kind, content in records(receive):
            if kind == BEGIN:
                (self.role,) = struct.unpack("!H", content[:2])
            elif kind == PARAMS:
                encoded += content
                # lighttpd before 1.4.77 sends an authorizer no body and no end of the body.
                if not content and self.role == AUTHORIZER:
                    break
            elif kind == STDIN:
                self.body += content
                if not content and self.role == RESPONDER:
                    break
            else:
                raise ValueError(f"a record of type {kind} in a request")
        self.pairs = list(_pairs(encoded))

    @property
    def parameters(self):
        """The last value of each name, as PHP and linkedin-signin read them."""
        return {name.decode("latin-1"): value.decode("latin-1") for name, value in self.pairs}


def _pairs(encoded):
    """The names and values of a parameter stream in their order, as bytes (section 3.4)."""
    at = 0

    def length():
        nonlocal at
        size = 1 if encoded[at] < 128 else 4
        number = int.from_bytes(encoded[at : at + size], "big") & 0x7FFFFFFF
        at += size
        return number

    while at < len(encoded):
        end_of_name, end = length(), length()
        end_of_name += at
        end += end_of_name
        assert end <= len(encoded), "a parameter is truncated"
        yield encoded[at:end_of_name], encoded[end_of_name:end]
        at = end


def _exactly(receive, count):
    content = b""
    while len(content) < count:
        piece = receive(count - len(content))
        if not piece:
            raise ConnectionError("the other side closed the connection before its end")
        content += piece
    return content

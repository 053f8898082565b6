"""HTTP over one kept connection.

The browsers share the processors with what is measured, and http.client takes more than twice as long.
"""

import socket
from dataclasses import dataclass

from .failure import Failure


@dataclass(frozen=True)
class Answer:
    """Status, header fields with lower-case names, and body."""

    status: int
    fields: list[tuple[str, str]]
    body: bytes

    def values(self, name: str) -> list[str]:
        """The values of a field."""
        return [value for each, value in self.fields if each == name]


class Wire:
    """A connection that is opened when it is needed."""

    def __init__(self, host: str, port: int, limit: float, source: str = "127.0.0.1") -> None:
        self._address = (host, port)
        self._limit = limit
        self._source = source
        self._rest = b""
        self.sock: socket.socket | None = None

    def close(self) -> None:
        if self.sock is not None:
            self.sock.close()
        self.sock, self._rest = None, b""

    def send(self, method: str, target: str, headers: dict[str, str], body: str = "") -> None:
        """Sends a request."""
        if self.sock is None:
            self.sock = socket.create_connection(self._address, self._limit, (self._source, 0))
            self.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if body:
            headers = {**headers, "Content-Length": str(len(body.encode()))}
        fields = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        self.sock.sendall(f"{method} {target} HTTP/1.1\r\n{fields}\r\n{body}".encode())

    def receive(self) -> Answer:
        """Receives the answer to the request."""
        head = self._until(b"\r\n\r\n").decode("iso-8859-1").split("\r\n")
        pairs = (line.partition(":") for line in head[1:])
        fields = [(name.lower(), value.strip()) for name, _, value in pairs]
        answer = Answer(int(head[0].split(" ", 2)[1]), fields, b"")
        if "chunked" in answer.values("transfer-encoding"):
            body = b""
            while size := int(self._until(b"\r\n").partition(b";")[0], 16):
                body += self._take(size + 2)[:-2]
            self._until(b"\r\n")
        elif length := answer.values("content-length"):
            body = self._take(int(length[0]))
        elif answer.status in (204, 304):
            body = b""
        else:
            raise Failure(f"an answer with status {answer.status} does not say where it ends")
        if "close" in answer.values("connection"):
            self.close()
        return Answer(answer.status, fields, body)

    def _until(self, end: bytes) -> bytes:
        """What comes before a mark, which is skipped."""
        while (position := self._rest.find(end)) < 0:
            self._receive()
        found, self._rest = self._rest[:position], self._rest[position + len(end) :]
        return found

    def _take(self, count: int) -> bytes:
        while len(self._rest) < count:
            self._receive()
        found, self._rest = self._rest[:count], self._rest[count:]
        return found

    def _receive(self) -> None:
        piece = self.sock.recv(65_536) if self.sock is not None else b""
        if not piece:
            raise Failure("the connection ended before the answer")
        self._rest += piece

"""A FastCGI server that records its requests, as an application or as the guard itself (FastCGI 1.0)."""

import json
import socket
import threading

from .json_server import JSONServer
from .records import Request, response


class Recorder:
    """Listens at a path, records every request and responds with `answer` (default: the parameters as JSON)."""

    def __init__(self, path, answer=None):
        self.requests = []
        self._answer = answer or (lambda request: json_answer(request.parameters))
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(path))
        self._listener.listen(64)
        self.socket = path

    def __enter__(self):
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_):
        # A blocked accept() returns on shutdown(), not on close().
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _accept(self):
        while True:
            try:
                peer, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(peer,), daemon=True).start()

    def _serve(self, peer):
        with peer:
            peer.settimeout(10)
            try:
                request = Request(peer.recv)
            except (ConnectionError, TimeoutError):
                return
            self.requests.append(request)
            peer.sendall(response(self._answer(request)))


class HTTPRecorder(JSONServer):
    """The same over HTTP: the response to GET is its header fields."""

    def __init__(self):
        self.requests = []
        super().__init__(self._record)

    def _record(self, handler, _):
        self.requests.append(list(handler.headers.items()))
        return self.requests[-1]


def json_answer(value):
    return b"Status: 200 OK\r\nContent-Type: application/json\r\n\r\n" + json.dumps(value).encode()

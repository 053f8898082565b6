"""A server on loopback that responds in JSON."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def send(handler, body, status=200, kind="application/json", length=None, **fields):
    """Sends a response; `length` is what the response says about its length."""
    handler.send_response(status)
    for name, value in {"Content-Type": kind, "Content-Length": str(length or len(body)), **fields}.items():
        handler.send_header(name, value)
    handler.end_headers()
    try:
        handler.wfile.write(body)
    except OSError:
        pass


class JSONServer:
    """Responds to each GET and POST with the value that `answer(handler, body)` returns; `handler.path` has the path.

    If the value is a function, the function gets `handler` and sends the response."""

    def __init__(self, answer, port=0):
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                value = answer(self, self.rfile.read(int(self.headers["Content-Length"] or 0)).decode())
                value(self) if callable(value) else send(self, json.dumps(value).encode())

            do_POST = do_GET

            def log_message(self, *_):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self.port = self._server.server_port

    def __enter__(self):
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()

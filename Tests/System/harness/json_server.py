"""A server on loopback that responds in JSON."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class JSONServer:
    """Responds to each GET and POST with the value that `answer(handler, body)` returns; `handler.path` has the path."""

    def __init__(self, answer, port=0):
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                value = answer(self, self.rfile.read(int(self.headers["Content-Length"] or 0)).decode())
                body = json.dumps(value).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

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

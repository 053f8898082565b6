"""An application behind a guarded location that records its requests, over HTTP and FastCGI."""

import threading
from dataclasses import dataclass
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from .recorder import Recorder

FORM = """<!DOCTYPE html><meta charset="utf-8"><title>Form</title>
<form method="post" action="{action}" enctype="{type}">
<input name="text" value="{text}">{file}<button>Send</button></form>"""
FILE = '<input type="file" name="file">'
MULTIPART = "multipart/form-data"
URLENCODED = "application/x-www-form-urlencoded"


@dataclass(frozen=True)
class Arrival:
    method: str
    uri: str
    headers: dict  # by lower-case name
    body: bytes


class FormApplication:
    """Serves forms at /public/… and answers every POST with `reply`."""

    def __init__(self, directory):
        self.arrivals = []
        self.reply = (303, [("Location", "/public/done"), ("Set-Cookie", "flash=saved; Path=/")], b"")
        self.text = "Grüße, \u00e4\u00f6\u00fc & 100 %"
        self.gate = threading.Event()
        self.gate.set()
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._http.daemon_threads = True
        self.port = self._http.server_port
        self.socket = directory / "application"
        self._fastcgi = Recorder(self.socket, self._served)

    def __enter__(self):
        self._fastcgi.__enter__()
        self._thread = threading.Thread(target=self._http.serve_forever, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *details):
        self.gate.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()
        self._fastcgi.__exit__(*details)

    def posts(self):
        return [arrival for arrival in self.arrivals if arrival.method == "POST"]

    def answer(self, arrival):
        self.arrivals.append(arrival)
        if arrival.method == "POST":
            self.gate.wait(30)
            return self.reply
        if arrival.uri.startswith("/public/form"):
            kind, _, action = arrival.uri.partition("?")[2].partition("&action=")
            page = FORM.format(
                action=escape(action),
                type=MULTIPART if kind == "multipart" else URLENCODED,
                text=escape(self.text),
                file=FILE if kind == "multipart" else "",
            )
            return 200, [("Content-Type", "text/html; charset=utf-8")], page.encode()
        return 200, [("Content-Type", "text/html; charset=utf-8")], b"<!DOCTYPE html><h1>Done</h1>"

    def _handler(self):
        application = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do(self):
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                headers = {name.lower(): value for name, value in self.headers.items()}
                status, fields, answer = application.answer(Arrival(self.command, self.path, headers, body))
                self.send_response(status)
                for name, value in [*fields, ("Content-Length", str(len(answer)))]:
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(answer)

            do_GET = do_POST = do

            def log_message(self, *_):
                pass

        return Handler

    def _served(self, request):
        """The response to a request over FastCGI."""
        values = request.parameters
        headers = {name[5:].replace("_", "-").lower(): value for name, value in values.items() if name[:5] == "HTTP_"}
        headers["content-type"] = values.get("CONTENT_TYPE", "")
        headers["remote-user"] = values.get("REMOTE_USER", "")
        arrival = Arrival(values["REQUEST_METHOD"], values["REQUEST_URI"], headers, request.body)
        status, fields, answer = self.answer(arrival)
        head = "".join(f"{name}: {value}\r\n" for name, value in [("Status", str(status)), *fields])
        return head.encode() + b"\r\n" + answer

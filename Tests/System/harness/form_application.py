"""An application behind a guarded location: it remembers what reached it, over HTTP and over FastCGI alike."""

import socket
import struct
import threading
from dataclasses import dataclass
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from .fastcgi import BEGIN, END, PARAMS, STDIN, STDOUT, record, stream

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
    """Serves forms at /public/… and takes whatever is posted, with the answer that `reply` holds."""

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
        self._fastcgi = socket.socket(socket.AF_UNIX)
        self._fastcgi.bind(str(self.socket))
        self._fastcgi.listen(16)

    def __enter__(self):
        self._threads = [threading.Thread(target=target, daemon=True) for target in (self._http.serve_forever, self._serve)]
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.gate.set()
        self._http.shutdown()
        self._http.server_close()
        self._fastcgi.shutdown(socket.SHUT_RDWR)
        self._fastcgi.close()
        for thread in self._threads:
            thread.join()

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

    def _serve(self):
        while True:
            try:
                peer, _ = self._fastcgi.accept()
            except OSError:
                return
            threading.Thread(target=self._take, args=(peer,), daemon=True).start()

    def _take(self, peer):
        with peer, peer.makefile("rb") as lines:
            streams = {BEGIN: b"", PARAMS: b"", STDIN: b""}
            while True:
                kind, length, padding = struct.unpack("!xB2xHBx", lines.read(8))
                content = lines.read(length)
                lines.read(padding)
                streams[kind] += content
                if kind == STDIN and not length:
                    break
            values = dict(pairs(streams[PARAMS]))
            headers = {name[5:].replace("_", "-").lower(): value for name, value in values.items() if name[:5] == "HTTP_"}
            headers["content-type"] = values.get("CONTENT_TYPE", "")
            headers["remote-user"] = values.get("REMOTE_USER", "")
            arrival = Arrival(values["REQUEST_METHOD"], values["REQUEST_URI"], headers, streams[STDIN])
            status, fields, answer = self.answer(arrival)
            head = "".join(f"{name}: {value}\r\n" for name, value in [("Status", str(status)), *fields])
            peer.sendall(stream(STDOUT, head.encode() + b"\r\n" + answer) + record(END, bytes(8)))


def pairs(content):
    """The names and values of a parameter stream (FastCGI 1.0 section 3.4)."""
    while content:
        lengths = []
        for _ in range(2):
            size = 4 if content[0] >> 7 else 1
            lengths.append(int.from_bytes(content[:size], "big") & 0x7FFFFFFF)
            content = content[size:]
        name, value = content[: lengths[0]], content[lengths[0] : sum(lengths)]
        yield name.decode(), value.decode("utf-8", "surrogateescape")
        content = content[sum(lengths) :]

"""An application that chooses its page by the path of the request target, which it reads as a URL with `urlsplit`.

A program of its own: `router.py http PORT PAGE` or `router.py fastcgi SOCKET PAGE`. It shows PAGE below /private/.
"""

import socketserver
import sys
from contextlib import suppress
from urllib.parse import unquote, urlsplit

from application import TCPServer, UnixServer
from records import Request, response


def page(target, host):
    paths = []
    for address in (target, f"http://{host}{target}"):
        with suppress(ValueError):
            paths.append(urlsplit(address).path)
    readings = [*paths, *map(unquote, paths)]
    return (sys.argv[3] if any(path.startswith("/private/") for path in readings) else "open to everyone").encode()


class HTTPHandler(socketserver.StreamRequestHandler):
    def handle(self):
        head = [line.decode("latin-1") for line in iter(lambda: self.rfile.readline().rstrip(b"\r\n"), b"")]
        if not head:
            return  # a test that checks whether the server listens
        host = next((line[5:].strip() for line in head if line.lower().startswith("host:")), "")
        self.wfile.write(b"HTTP/1.0 200 OK\r\nConnection: close\r\n\r\n" + page(head[0].split(" ")[1], host))


class FastCGIHandler(socketserver.StreamRequestHandler):
    def handle(self):
        with suppress(ConnectionError):
            parameters = Request(self.rfile.read).parameters
            content = page(parameters["REQUEST_URI"], parameters.get("HTTP_HOST", ""))
            self.wfile.write(response(b"Status: 200 OK\r\n\r\n" + content))


if __name__ == "__main__":
    kind, address = sys.argv[1:3]
    with TCPServer(("127.0.0.1", int(address)), HTTPHandler) if kind == "http" else UnixServer(address, FastCGIHandler) as server:
        server.serve_forever()

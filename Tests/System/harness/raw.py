"""Requests as bytes, for what no client library would send."""

import socket

NAVIGATING = [("Accept", "text/html,*/*;q=0.8"), ("Sec-Fetch-Mode", "navigate"), ("Sec-Fetch-Dest", "document")]


def request(target, headers=(), method=b"GET", host="localhost", body=b""):
    """The bytes of a request; target and names and values of fields are text in Latin-1, or bytes."""
    fields = [("Host", host), ("Connection", "close"), *headers]
    if body:
        fields.append(("Content-Length", str(len(body))))
    lines = [method + b" " + _bytes(target) + b" HTTP/1.1"]
    lines += [_bytes(name) + b": " + _bytes(value) for name, value in fields]
    return b"\r\n".join(lines) + b"\r\n\r\n" + body


def send(port, content, timeout=20):
    """Everything that comes back until the server closes."""
    answer = b""
    with socket.create_connection(("127.0.0.1", port), timeout) as peer:
        try:
            peer.sendall(content)
            while piece := peer.recv(65536):
                answer += piece
        except ConnectionError:
            pass  # a server that has said its piece need not hear the rest
    return answer


def status(answer):
    return int(answer.split(b" ", 2)[1]) if answer.startswith(b"HTTP/1.") else 0


def cookies(browser):
    """The Cookie field of a browser at the site, as a list to add to headers."""
    jar = browser.jar.get("localhost", {})
    return [("Cookie", "; ".join(f"{name}={value}" for name, value in jar.items()))] if jar else []


def _bytes(text):
    return text if isinstance(text, bytes) else text.encode("latin-1")

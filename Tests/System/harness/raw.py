"""Requests as bytes, for requests that no client library sends."""

import socket

NAVIGATING = [("Accept", "text/html,*/*;q=0.8"), ("Sec-Fetch-Mode", "navigate"), ("Sec-Fetch-Dest", "document")]


def request(target, headers=(), method=b"GET", host="localhost", body=b""):
    """The bytes of a request; target, field names and values are Latin-1 text or bytes."""
    fields = [("Host", host), ("Connection", "close"), *headers]
    if body:
        fields.append(("Content-Length", str(len(body))))
    lines = [method + b" " + _bytes(target) + b" HTTP/1.1"]
    lines += [_bytes(name) + b": " + _bytes(value) for name, value in fields]
    return b"\r\n".join(lines) + b"\r\n\r\n" + body


def send(port, content, timeout=20):
    """Everything that the server sends until it closes the connection."""
    answer = b""
    with socket.create_connection(("127.0.0.1", port), timeout) as peer:
        try:
            peer.sendall(content)
            while piece := peer.recv(65536):
                answer += piece
        except ConnectionError:
            pass  # a server that has answered need not read the rest
    return answer


def status(answer):
    return int(answer.split(b" ", 2)[1]) if answer.startswith(b"HTTP/1.") else 0


def cookies(browser):
    """The Cookie field that a browser sends to the site, as a list of headers."""
    jar = browser.jar.get("localhost", {})
    return [("Cookie", "; ".join(f"{name}={value}" for name, value in jar.items()))] if jar else []


def _bytes(text):
    return text if isinstance(text, bytes) else text.encode("latin-1")

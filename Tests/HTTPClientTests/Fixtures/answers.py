"""The answers of the fault server: one function each, named by the path that asks for it.

A function gets the connection, the text behind `=` in the path, and the request. It returns "close" to end the
connection, which TLS does without close_notify unless the function has sent one.
"""

import contextlib
import gzip
import json
import socket
import ssl
import threading
import time

ANSWERS = {}


def answer(function):
    ANSWERS[function.__name__.replace("_", "-")] = function
    return function


def whole(connection, body="hello", status="200 OK", fields=()):
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", *fields]
    connection.send("\r\n".join(lines) + "\r\n\r\n" + body)


# Right answers.


@answer
def ok(connection, argument, request):
    whole(connection)


@answer
def echo(connection, argument, request):
    whole(connection, json.dumps(request))


@answer
def size(connection, argument, request):
    whole(connection, "x" * int(argument))


@answer
def status(connection, argument, request):
    whole(connection, "" if argument in ("204", "304") else "{}", argument + " Whatever")


@answer
def chunked(connection, argument, request):
    connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: Late\r\n\r\n"
                    "3\r\nhel\r\n2\r\nlo\r\n0\r\nLate: yes\r\n\r\n")


@answer
def interim(connection, argument, request):
    connection.send("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n")
    whole(connection, fields=["Final: yes"])


@answer
def head(connection, argument, request):
    connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")


@answer
def fields(connection, argument, request):
    whole(connection, fields=["Set-Cookie: a=1", "Set-Cookie: b=2", "Empty:", "Spaced:  \t in  the midst \t"])


@answer
def redirect(connection, argument, request):
    other = f"http://127.0.0.1:{connection.ports['other']}/ok/{request['token']}-other"
    whole(connection, "", argument + " Elsewhere", ["Location: " + other])


@answer
def until_close(connection, argument, request):
    """A body that ends with the connection, politely."""
    connection.send("HTTP/1.1 200 OK\r\n\r\nhello")
    connection.stream.unwrap()
    return "close"


# Kept connections.


@answer
def once(connection, argument, request):
    """Answers the first request of a connection and hangs up at the second, having read it."""
    if connection.served > 1:
        return "close"
    whole(connection)


@answer
def take_leave(connection, argument, request):
    """Answers, and closes as TLS wants it, with close_notify, not waiting for the client's."""
    whole(connection)
    connection.stream.settimeout(0)
    with contextlib.suppress(ssl.SSLWantReadError):
        connection.stream.unwrap()
    return "close"


@answer
def hang_up(connection, argument, request):
    """Answers, and closes without having announced it."""
    whole(connection)
    return "close"


FORGED = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged"


@answer
def length_below_body(connection, argument, request):
    connection.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello" + FORGED)


@answer
def late_excess(connection, argument, request):
    whole(connection)
    connection.send(FORGED)


# Requests to a proxy.


@answer
def tunnel(connection, argument, request):
    """Connects with the server that a proxy was asked for, or refuses port 1."""
    host, port = request["token"].rsplit(":", 1)
    if port == "1":
        return whole(connection, "", "403 Forbidden")
    with socket.create_connection((host, int(port))) as server:
        connection.send("HTTP/1.1 200 OK\r\n\r\n")
        back = threading.Thread(target=pump, args=(server, connection.stream), daemon=True)
        back.start()
        pump(connection.stream, server)
        back.join()
    return "close"


def pump(source, sink):
    while data := source.recv(65536):
        sink.sendall(data)
    sink.shutdown(socket.SHUT_WR)


# Answers that never end.


@answer
def silence(connection, argument, request):
    connection.hold()


@answer
def slow_header(connection, argument, request):
    connection.send("HTTP/1.1 200 OK\r\nSlow: ")
    while True:
        connection.send("a")
        time.sleep(0.02)


@answer
def slow_body(connection, argument, request):
    connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
    while True:
        connection.send("a")
        time.sleep(0.02)


@answer
def stalled_body(connection, argument, request):
    connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n" + "a" * 50)
    connection.hold()


@answer
def endless_body(connection, argument, request):
    connection.send("HTTP/1.1 200 OK\r\n\r\n")
    while True:
        connection.send("a" * 65536)


@answer
def endless_chunks(connection, argument, request):
    connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
    while True:
        connection.send("1000\r\n" + "a" * 4096 + "\r\n")


@answer
def endless_trailers(connection, argument, request):
    connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n")
    while True:
        connection.send("Late: yes\r\n" * 1000)


@answer
def endless_interim(connection, argument, request):
    while True:
        connection.send("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" * 1000)


@answer
def endless_continue(connection, argument, request):
    while True:
        connection.send("HTTP/1.1 100 Continue\r\n\r\n" * 1000)


# Answers that are too large.


@answer
def huge_length(connection, argument, request):
    connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n")
    connection.hold()


@answer
def many_fields(connection, argument, request):
    whole(connection, fields=["A: b"] * 10000)


@answer
def long_field(connection, argument, request):
    whole(connection, fields=["Long: " + "a" * 1000000])


# Answers that break off.


@answer
def hang_up_at_once(connection, argument, request):
    return "close"


@answer
def reset(connection, argument, request):
    connection.reset()
    return "close"


@answer
def half_header(connection, argument, request):
    connection.send("HTTP/1.1 200 OK\r\nContent-Len")
    return "close"


@answer
def length_above_body(connection, argument, request):
    connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n" + "a" * 50)
    return "close"


@answer
def no_last_chunk(connection, argument, request):
    connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n")
    return "close"


@answer
def truncated(connection, argument, request):
    """A body that ends with the connection, which ends without close_notify: anybody could have cut it."""
    connection.send("HTTP/1.1 200 OK\r\n\r\nhello")
    return "close"


@answer
def only_interim(connection, argument, request):
    connection.send("HTTP/1.1 103 Early Hints\r\n\r\n")
    return "close"


# Answers that are no HTTP, or say two things at once.


def raw(name, text):
    def function(connection, argument, request):
        connection.send(text)
        return "close"

    ANSWERS[name] = function


OK = b"HTTP/1.1 200 OK\r\n"
raw("garbage", b"\x16\x03\x01\x00\xff\x00" * 20)
raw("http-0.9", b"hello")
raw("http-2-preface", b"\x00\x00\x12\x04\x00\x00\x00\x00\x00" + b"\x00" * 18)
raw("no-status", b"HTTP/1.1 abc OK\r\nContent-Length: 2\r\n\r\n{}")
raw("two-lengths", OK + b"Content-Length: 5\r\nContent-Length: 3\r\n\r\nhello")
raw("two-lengths-in-one", OK + b"Content-Length: 5, 3\r\n\r\nhello")
raw("bad-length", OK + b"Content-Length: -5\r\n\r\nhello")
raw("length-and-chunked", OK + b"Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n")
raw("bad-chunk", OK + b"Transfer-Encoding: chunked\r\n\r\nxyz\r\nhello\r\n0\r\n\r\n")
raw("gzip-transfer", OK + b"Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n")
raw("no-colon", OK + b"Content-Length: 5\r\nno colon\r\n\r\nhello")
raw("bad-name", OK + b"Content-Length: 5\r\nbad name: a\r\n\r\nhello")
raw("folded", OK + b"Content-Length: 5\r\nFolded: a\r\n b\r\n\r\nhello")
raw("control", OK + b"Content-Length: 5\r\nControl: a\x01b\r\n\r\nhello")
raw("gzip", OK + b"Content-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(gzip.compress(b"{}"))
    + gzip.compress(b"{}"))
raw("unknown-encoding", OK + b"Content-Encoding: aes128gcm\r\nContent-Length: 5\r\n\r\nhello")

"""The answers of the fault server, one function each; the path of a request names the function.

A function gets the connection, the text behind `=` in the path, and the request. It returns "close" to end the
connection, which TLS does without close_notify unless the function has sent one.
"""

import contextlib
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


# Correct answers.


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
    """A body that ends with the connection, with close_notify."""
    connection.send("HTTP/1.1 200 OK\r\n\r\nhello")
    connection.stream.unwrap()
    return "close"


# Kept connections.


@answer
def once(connection, argument, request):
    """Answers the first request of a connection; reads the second and closes the connection."""
    if connection.served > 1:
        return "close"
    whole(connection)


@answer
def take_leave(connection, argument, request):
    """Answers, and closes with close_notify, without waiting for the client's."""
    whole(connection)
    connection.stream.settimeout(0)
    with contextlib.suppress(ssl.SSLWantReadError):
        connection.stream.unwrap()
    return "close"


@answer
def hang_up(connection, argument, request):
    """Answers, and closes without an announcement."""
    whole(connection)
    return "close"


FORGED = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged"


@answer
def drop(connection, argument, request):
    """Answers, closes its sending side and resets the connection, so that writing to it raises SIGPIPE."""
    whole(connection)
    connection.stream.shutdown(socket.SHUT_WR)
    connection.reset()
    return "close"


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
    """Connects to the requested server as a proxy, or refuses port 1."""
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

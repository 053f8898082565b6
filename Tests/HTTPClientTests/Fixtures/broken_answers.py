"""Answers that end early, are not HTTP or contradict themselves."""

import gzip

from answers import ANSWERS, answer

# Answers that end early.


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
    """A body that ends with the connection, without close_notify, so that anyone could have cut it short."""
    connection.send("HTTP/1.1 200 OK\r\n\r\nhello")
    return "close"


@answer
def only_interim(connection, argument, request):
    connection.send("HTTP/1.1 103 Early Hints\r\n\r\n")
    return "close"


# Answers that are not HTTP, or contradict themselves.


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

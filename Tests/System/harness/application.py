"""An application behind a guard: it answers whatever it is asked with what it was told, as JSON.

A program of its own, so that it takes nothing from the thread that a test runs in: `application.py http PORT`,
`application.py fastcgi SOCKET`, or without arguments as a CGI program.
"""

import asyncio
import base64
import json
import os
import struct
import sys



def answer(kind, told, body):
    """What a test reads: the pairs of name and value in their order, and the body."""
    told = [[name.decode("latin-1"), value.decode("latin-1")] for name, value in told]
    return json.dumps({"kind": kind, "told": told, "body": base64.b64encode(body).decode()}).encode()


async def serve_http(reader, writer):
    """HTTP/1.0, as nginx speaks it to an application."""
    try:
        head = await reader.readuntil(b"\r\n\r\n")
        line, *lines = head.rstrip(b"\r\n").split(b"\r\n")
        told = [(b":request", line)] + [tuple(line.split(b": ", 1)) if b": " in line else (line, b"") for line in lines]
        length = next((int(value) for name, value in told if name.lower() == b"content-length"), 0)
        content = answer("http", told, await reader.readexactly(length))
        fields = b"Content-Type: application/json\r\nContent-Length: %d\r\nConnection: close" % len(content)
        writer.write(b"HTTP/1.0 200 OK\r\n" + fields + b"\r\n\r\n" + content)
    finally:
        writer.close()


async def serve_fastcgi(reader, writer):
    """FastCGI 1.0, one request a connection."""
    streams = {4: b"", 5: b""}
    try:
        while True:
            kind, length, padding = struct.unpack("!xB2xHBx", await reader.readexactly(8))
            content = (await reader.readexactly(length + padding))[:length]
            if kind in streams:
                streams[kind] += content
            if kind == 5 and not content:
                break
        content = answer("fastcgi", pairs(streams[4]), streams[5])
        content = b"Status: 200 OK\r\nContent-Type: application/json\r\n\r\n" + content
        for start in range(0, len(content), 65528):
            piece = content[start : start + 65528]
            writer.write(struct.pack("!BBHHBx", 1, 6, 1, len(piece), 0) + piece)
        writer.write(struct.pack("!BBHHBx", 1, 6, 1, 0, 0) + struct.pack("!BBHHBx8x", 1, 3, 1, 8, 0))
    except asyncio.IncompleteReadError:
        pass  # a server that looks whether something listens
    finally:
        writer.close()


def pairs(content):
    """The name-value pairs of a PARAMS stream (FastCGI 1.0 section 3.4)."""
    at = 0

    def number():
        nonlocal at
        if content[at] < 128:
            at += 1
            return content[at - 1]
        at += 4
        return struct.unpack("!I", content[at - 4 : at])[0] & 0x7FFFFFFF

    found = []
    while at < len(content):
        name, value = number(), number()
        found.append((content[at : at + name], content[at + name : at + name + value]))
        at += name + value
    return found


def answer_cgi():
    body = sys.stdin.buffer.read(int(os.environ.get("CONTENT_LENGTH") or 0))
    content = answer("cgi", os.environb.items(), body)
    sys.stdout.buffer.write(b"Status: 200 OK\r\nContent-Type: application/json\r\n\r\n" + content)


async def serve(kind, address):
    if kind == "http":
        server = await asyncio.start_server(serve_http, "127.0.0.1", int(address), backlog=1024)
    else:
        server = await asyncio.start_unix_server(serve_fastcgi, address, backlog=1024)
    async with server:
        await server.serve_forever()


if __name__ == "__main__":
    if len(sys.argv) == 1:
        answer_cgi()
    else:
        asyncio.run(serve(*sys.argv[1:]))

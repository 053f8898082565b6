"""A server that sends faulty answers: the path names the answer and a token for the test.

Prints one line of JSON with its ports and certificates, then serves until its standard input ends.
"""

import json
import os
import shutil
import socket
import ssl
import sys
import tempfile
import threading
import warnings

import broken_answers
import certificates
import http2_faults
import multiplexing


class Journal:
    """The requests that arrived, by token."""

    def __init__(self):
        self.requests = {}
        self.changed = threading.Condition()

    def add(self, request):
        with self.changed:
            self.requests.setdefault(request["token"], []).append(request)
            self.changed.notify_all()

    def wait(self, token, count):
        with self.changed:
            self.changed.wait_for(lambda: len(self.requests.get(token, [])) >= count, timeout=8)
            return list(self.requests.get(token, []))


class Connection:
    """One accepted connection; anything can be written to it."""

    def __init__(self, number, stream, ports):
        self.number = number
        self.stream = stream
        self.ports = ports
        self.buffer = b""
        self.served = 0

    def send(self, data):
        self.stream.sendall(data if isinstance(data, bytes) else data.encode())

    def hold(self):
        """Waits until the client closes."""
        while self.stream.recv(65536):
            pass

    def reset(self):
        """Ends the connection with RST."""
        self.stream.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        self.stream.close()

    def read_until(self, enough):
        while not enough(self.buffer):
            data = self.stream.recv(65536)
            if not data:
                return False
            self.buffer += data
        return True

    def request(self):
        if not self.read_until(lambda data: b"\r\n\r\n" in data):
            return None
        head, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        lines = head.decode("latin-1").split("\r\n")
        method, target, _ = lines[0].split(" ")
        if method == "CONNECT":
            return {"method": method, "fault": "tunnel", "token": target, "headers": [], "body": "",
                    "connection": self.number}
        headers = [line.split(":", 1) for line in lines[1:]]
        headers = [[name, value.strip()] for name, value in headers]
        if target.startswith("/unread/"):
            # Closes the sending side and resets the connection while the client is still writing.
            self.stream.shutdown(socket.SHUT_WR)
            self.reset()
            return None
        length = int(dict((name.lower(), value) for name, value in headers).get("content-length", "0"))
        if not self.read_until(lambda data: len(data) >= length):
            return None
        body, self.buffer = self.buffer[:length], self.buffer[length:]
        fault, _, token = target.strip("/").partition("/")
        return {"method": method, "fault": fault, "token": token, "headers": headers,
                "body": body.decode("latin-1"), "connection": self.number}


def serve(connection, journal):
    """Answers one request after the other; records each when it has arrived and when it has ended."""
    while (request := connection.request()) is not None:
        if request["fault"] == "seen":
            token, _, count = request["token"].partition("/")
            body = json.dumps(journal.wait(token, int(count)))
            connection.send(f"HTTP/1.1 200 OK\r\nContent-Length: {len(body)}\r\n\r\n{body}")
            continue
        journal.add(request)
        connection.served += 1
        fault, _, argument = request["fault"].partition("=")
        try:
            if broken_answers.ANSWERS[fault](connection, argument, request) == "close":
                return
        finally:
            journal.add({**request, "token": request["token"] + "-over"})


def accept(name, listener, context, ports, journal):
    number = 0
    while True:
        stream, _ = listener.accept()
        # The request has arrived when it is recorded, without waiting for the client's next packet.
        stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        number += 1
        connection = Connection(number, stream, ports)
        threading.Thread(target=converse, args=(name, connection, context, journal), daemon=True).start()


def converse(name, connection, context, journal):
    """Serves a connection; records its unread rest under the listener's name at the end."""
    try:
        if context == "stall":
            return connection.hold()
        if context is not None:
            connection.stream = context.wrap_socket(connection.stream, server_side=True)
        if name.startswith("http2-faults"):
            return http2_faults.serve(connection, journal)
        serve(connection, journal)
    except (OSError, ValueError):
        pass  # The client closed the connection, or correctly refused to open one.
    finally:
        connection.stream.close()
        journal.add({"token": "rest-of-" + name, "method": "", "headers": [],
                     "body": connection.buffer.decode("latin-1"), "connection": connection.number})


def tls(directory, name, version=None):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    if version is not None:
        # The library's minimum is 1.2; security level 0 allows the versions that this test needs.
        context.set_ciphers("ALL:@SECLEVEL=0")
        context.minimum_version = context.maximum_version = version
    context.load_cert_chain(os.path.join(directory, name + ".pem"), os.path.join(directory, "key.pem"))
    return context


def main():
    warnings.simplefilter("ignore", DeprecationWarning)
    directory = tempfile.mkdtemp(prefix="fault-server-")
    certificates.make(directory)
    contexts = {"http": None, "other": None, "stall": "stall", "self-signed": tls(directory, "self-signed")}
    for name in certificates.LEAVES:
        contexts[name] = tls(directory, name)
    contexts["http2-faults"] = tls(directory, "good")
    contexts["http2-faults"].set_alpn_protocols(["h2", "http/1.1"])
    contexts["tls-1.0"] = tls(directory, "good", ssl.TLSVersion.TLSv1)
    contexts["tls-1.1"] = tls(directory, "good", ssl.TLSVersion.TLSv1_1)
    ports, journal, listeners = {}, Journal(), []
    for name, context in contexts.items():
        listener = socket.create_server(("127.0.0.1", 0), backlog=512)
        ports[name] = listener.getsockname()[1]
        listeners.append((name, listener, context))
    for listener in listeners:
        threading.Thread(target=accept, args=(*listener, ports, journal), daemon=True).start()
    (ports["http2"], ports["http2-brief"], ports["http2-common-name"]), nginx = multiplexing.start(directory)
    print(json.dumps({"ports": ports, "directory": directory}), flush=True)
    sys.stdin.read()
    nginx.terminate()
    nginx.wait()
    shutil.rmtree(directory)


main()

"""Faults behind a guard, each a context manager for a site with a function `is_open`."""

import os
import resource
import shutil
import signal
import socket
import struct
import threading
from contextlib import contextmanager


@contextmanager
def killed(site):
    site.responder.process.signal(signal.SIGKILL)
    yield
    site.responder.start()


@contextmanager
def stopped(site):
    site.responder.process.signal(signal.SIGSTOP)
    yield
    site.responder.process.signal(signal.SIGCONT)


@contextmanager
def without_socket(site):
    os.rename(site.responder.socket, f"{site.responder.socket}-away")
    yield
    os.rename(f"{site.responder.socket}-away", site.responder.socket)


@contextmanager
def answering(site, content):
    """Another server at the socket that sends this and closes the connection."""
    os.rename(site.responder.socket, f"{site.responder.socket}-away")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(site.responder.socket))
        listener.listen(64)

        def serve():
            while True:
                try:
                    peer, _ = listener.accept()
                except OSError:
                    return
                with peer:
                    peer.recv(65536)
                    peer.sendall(content)

        thread = threading.Thread(target=serve)
        thread.start()
        yield
        listener.shutdown(socket.SHUT_RDWR)
        thread.join()
    os.rename(f"{site.responder.socket}-away", site.responder.socket)


def closing(site):
    return answering(site, b"")


def cut_off(site):
    return answering(site, struct.pack("!BBHHBx", 1, 6, 1, 60, 0) + b"Status: 200 OK\r\n")


def talking_nonsense(site):
    return answering(site, b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")


@contextmanager
def without_descriptors(site):
    """Enough descriptors for a connection, but not for the file of its session."""
    process = site.responder.process
    usual = resource.prlimit(process.pid, resource.RLIMIT_NOFILE)
    limit = process.descriptors() + 8

    def is_open():
        # A session that the program remembers needs no descriptor while its file is unchanged.
        for path in site.responder.sessions():
            path.touch()
        return site.is_open()

    # A descriptor can be free by chance; five failures in a row show that none is.
    while any(is_open() for _ in range(5)):
        limit -= 1
        resource.prlimit(process.pid, resource.RLIMIT_NOFILE, (limit, usual[1]))
    yield
    resource.prlimit(process.pid, resource.RLIMIT_NOFILE, usual)


@contextmanager
def without_records(site):
    """Replaces the files of the store with empty files."""
    sessions = site.responder.state / "sessions"
    shards = {path.parent for path in site.responder.sessions()}
    for shard in shards:
        shard.rename(site.responder.state / f"away-{shard.name}")
        shard.touch()
    assert sessions not in shards
    yield
    for shard in shards:
        shard.unlink()
        (site.responder.state / f"away-{shard.name}").rename(shard)


@contextmanager
def with_damaged_sessions(site):
    kept = {path: path.read_bytes() for path in site.responder.sessions()}
    for path, content in kept.items():
        path.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    yield
    for path, content in kept.items():
        path.write_bytes(content)


@contextmanager
def without_keys(site):
    """Replaces the server key, as after an incomplete restore."""
    state = site.responder.state
    site.responder.stop()
    shutil.move(state, f"{state}-away")
    site.responder.start()
    yield
    site.responder.stop()
    shutil.rmtree(state)
    shutil.move(f"{state}-away", state)
    site.responder.start()


FAULTS = [killed, stopped, without_socket, closing, cut_off, talking_nonsense]
# These end all sessions; a visitor without a session does not notice the last four.
LOSING_SESSIONS = [without_records, with_damaged_sessions, without_keys]
OF_SESSIONS = [without_descriptors, *LOSING_SESSIONS]
FAULTS += OF_SESSIONS

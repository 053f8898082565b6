"""A running web server, and what starting one needs."""

import socket
from dataclasses import dataclass

from .servers import Server

# As many as wrk has threads.
WORKERS = 2


@dataclass(frozen=True)
class WebServer:
    """Where it listens on loopback."""

    port: int
    server: Server

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self.port}"


def free_port() -> int:
    """A port of 127.0.0.1 that is free now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def started(server: Server, port: int) -> WebServer:
    """The server, as soon as it listens."""
    server.wait_until(lambda: is_open(port))
    return WebServer(port, server)


def is_open(port: int) -> bool:
    """Whether something listens."""
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
    except OSError:
        return False
    return True

"""A running web server, and how to start one."""

import socket
from dataclasses import dataclass

from .servers import Server

# As many workers as wrk has threads.
WORKERS = 2


@dataclass(frozen=True)
class WebServer:
    """The base URL on loopback."""

    port: int
    server: Server

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self.port}"


def free_port() -> int:
    """A free port of 127.0.0.1."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def started(server: Server, port: int) -> WebServer:
    """Waits until the server listens."""
    server.wait_until(lambda: is_open(port))
    return WebServer(port, server)


def is_open(port: int) -> bool:
    """Whether a server listens."""
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
    except OSError:
        return False
    return True

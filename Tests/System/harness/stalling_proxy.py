"""A network between a gateway and its database that can stop carrying anything, without a refusal."""

import socket
import threading
from contextlib import suppress


class StallingProxy:
    """Carries connections from a socket in a directory to a PostgreSQL server."""

    def __init__(self, directory, server):
        directory.mkdir()
        self.directory = directory
        self.target = str(server.directory / ".s.PGSQL.5432")
        self.carries = threading.Event()
        self.listener = socket.socket(socket.AF_UNIX)
        self.sockets = [self.listener]
        self.accepted = 0

    def __enter__(self):
        self.carries.set()
        self.listener.bind(str(self.directory / ".s.PGSQL.5432"))
        self.listener.listen(64)
        threading.Thread(target=self.accept, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.carries.set()
        for each in self.sockets:
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()

    def stall(self):
        """Carries nothing from now on; connections still open, and nobody answers on them."""
        self.carries.clear()

    def heal(self):
        self.carries.set()

    def accept(self):
        with suppress(OSError):
            while True:
                near, _ = self.listener.accept()
                self.accepted += 1
                self.sockets.append(near)
                threading.Thread(target=self.connect, args=(near,), daemon=True).start()

    def connect(self, near):
        self.carries.wait()
        far = socket.socket(socket.AF_UNIX)
        self.sockets.append(far)
        try:
            far.connect(self.target)
        except OSError:
            near.close()
            return
        threading.Thread(target=self.carry, args=(near, far), daemon=True).start()
        self.carry(far, near)

    def carry(self, source, target):
        with suppress(OSError):
            while content := source.recv(65_536):
                self.carries.wait()
                target.sendall(content)
        for each in (source, target):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)

    def address(self, user, database="signin"):
        """The value of SIGNIN_STORE."""
        return f"postgresql://{user}@{str(self.directory).replace('/', '%2F')}/{database}"

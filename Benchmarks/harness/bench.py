"""What all measures share: the options, the programs, the floor, the simulator and nginx."""

import base64
import secrets
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from . import nginx, programs, wrk
from .failure import Failure
from .programs import Programs
from .rounds import Rounds, alternate
from .servers import Server, Servers, is_listening
from .sides import Shape, Side

# Where the floor is fastest, as the measure `floor` shows. Kept connections need a thread each, or they starve.
FLOOR_THREADS = 4
FLOOR_KEPT_THREADS = 64

LISTENING = "listening on "
# The name and the secret of the simulator's client.
CLIENT = "benchmark"


@dataclass(frozen=True)
class Options:
    """How much is measured."""

    rounds: int
    seconds: int
    sessions: tuple[int, ...]
    # The memory is read after so many answers.
    memory_requests: tuple[int, ...]
    starts: int
    # Threads of the product; None: its own choice.
    workers: int | None = None


class Bench:
    """One run; everything in it is built and started when it is first needed."""

    def __init__(self, options: Options, servers: Servers, binaries: Path | None) -> None:
        self.options = options
        self.servers = servers
        self.directory = servers.directory
        self._binaries = binaries
        self.floor = Side("floor", self.directory, is_threaded=True)
        self.twin = Side("twin", self.directory, is_threaded=True)
        self.product = Side("product", self.directory, is_threaded=False)

    @cached_property
    def programs(self) -> Programs:
        return Programs(self._binaries.resolve()) if self._binaries else programs.build()

    @cached_property
    def nginx(self) -> nginx.Nginx:
        return nginx.start(self.servers, [self.floor, self.twin, self.product], site=self.product)

    @cached_property
    def floor_program(self) -> Path:
        return programs.build_floor(self.directory)

    def start_floor(self, side: Side, threads: int = FLOOR_THREADS) -> None:
        """Starts the floor in a place, unless it runs there."""
        self._start_floor(side, False, threads)
        self._start_floor(side, True, FLOOR_KEPT_THREADS)

    def _start_floor(self, side: Side, is_kept: bool, threads: int) -> None:
        name, socket = side.server(is_kept), side.socket(is_kept)
        if self.servers.named(name) is None:
            server = self.servers.start(name, [str(self.floor_program), str(socket), str(threads)])
            server.wait_until(lambda: is_listening(socket))

    def stop_floor(self, side: Side) -> None:
        """Ends the floor in a place."""
        for is_kept in (False, True):
            self.stop(side.server(is_kept))
            side.socket(is_kept).unlink(missing_ok=True)

    def stop(self, name: str) -> None:
        """Ends a server if it runs."""
        server = self.servers.named(name)
        if server is not None:
            self.servers.stop(server)

    @cached_property
    def simulator(self) -> tuple[Server, str]:
        """The provider and its base URL; what it knows of its client is the same for everybody."""
        redirect = f"http://localhost:{self.nginx.port}/oauth"
        client = ["--client-id", CLIENT, "--client-secret", CLIENT, "--redirect-uri", redirect]
        server = self.servers.start("simulator", [str(self.programs.simulator), "--port", "0", "--quiet", *client])
        server.wait_until(lambda: LISTENING in server.log.read_text(encoding="utf-8"))
        lines = server.log.read_text(encoding="utf-8").splitlines()
        return server, next(line.removeprefix(LISTENING) for line in lines if line.startswith(LISTENING))

    @cached_property
    def strangers(self) -> Path:
        """Cookies of nobody, for programs that do not read them."""
        file = self.directory / "strangers"
        tickets = (base64.urlsafe_b64encode(secrets.token_bytes(32)).rstrip(b"=").decode() for _ in range(1000))
        file.write_text("\n".join(tickets) + "\n", encoding="ascii")
        return file

    def compare(self, shape: Shape, first: Side, second: Side, cookies: Path) -> Rounds[tuple[wrk.Load, wrk.Load]]:
        """Alternating runs of wrk."""
        return alternate(
            self.options.rounds,
            lambda: self.load(shape, first, cookies),
            lambda: self.load(shape, second, cookies),
        )

    def load(self, shape: Shape, side: Side, cookies: Path) -> wrk.Load:
        """One run of wrk."""
        name = side.server(shape.is_kept)
        program = self.servers.named(name)
        if program is None:
            raise Failure(f"{name} does not run")
        target = wrk.Target(self.nginx, shape.path(side), program)
        return wrk.run(self.servers, target, cookies, self.options.seconds)

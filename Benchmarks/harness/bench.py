"""What all measures share: options, programs, floor, simulator and web servers."""

import base64
import secrets
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from . import lighttpd, nginx, programs, provider, wrk
from .failure import Failure
from .programs import Programs
from .provider import Provider
from .rounds import Rounds, W, alternate, repeat
from .servers import Server, Servers, is_listening
from .sides import Shape, Side
from .webserver import WebServer

# The numbers with which the floor is fastest (measure `floor`). A kept connection needs its own thread, or it starves.
FLOOR_THREADS = 4
FLOOR_KEPT_THREADS = 64

# A file system in memory.
MEMORY = Path("/dev/shm")


@dataclass(frozen=True)
class Options:
    """How much is measured."""

    rounds: int
    # How many noisy rounds of each comparison may be repeated.
    spare_rounds: int
    seconds: int
    sessions: tuple[int, ...]
    # The numbers for the measure `peers`, where every session of another program is signed in.
    peer_sessions: tuple[int, ...]
    # The memory is read after these numbers of answers.
    memory_requests: tuple[int, ...]
    starts: int
    # Numbers of floor threads that the usual number is compared with.
    floor_threads: tuple[int, ...]
    # Worker threads of the product; None for its default.
    workers: int | None = None


class Bench:
    """One run; everything is built and started on first use."""

    def __init__(
        self, options: Options, servers: Servers, binaries: Path | None, earlier: Path | None = None
    ) -> None:
        self.options = options
        self.servers = servers
        self.directory = servers.directory
        self._binaries = binaries
        # An earlier build of the product to compare with; None: there is none.
        self.earlier_program = earlier.resolve() if earlier else None
        self.floor = Side("floor", self.directory, is_threaded=True)
        self.twin = Side("twin", self.directory, is_threaded=True)
        self.product = Side("product", self.directory, is_threaded=False)
        self.earlier = Side("earlier", self.directory, is_threaded=False)

    @cached_property
    def programs(self) -> Programs:
        return Programs(self._binaries.resolve()) if self._binaries else programs.build()

    @cached_property
    def nginx(self) -> WebServer:
        return nginx.start(self.servers, self._sides, site=self.product, verdicts=Path(self._memory.name) / "verdicts")

    @cached_property
    def _memory(self) -> tempfile.TemporaryDirectory[str]:
        """A directory in memory, removed at exit."""
        return tempfile.TemporaryDirectory(prefix="benchmarks.", dir=MEMORY if MEMORY.is_dir() else None)

    @cached_property
    def lighttpd(self) -> WebServer:
        return lighttpd.start(self.servers, self._sides)

    @property
    def _sides(self) -> list[Side]:
        return [self.floor, self.twin, self.product, self.earlier]

    def web(self, shape: Shape) -> WebServer:
        """The web server with the locations of a shape."""
        return self.lighttpd if shape is Shape.AUTHORIZER else self.nginx

    @cached_property
    def floor_program(self) -> Path:
        return programs.build_floor(self.directory)

    def start_floor(self, side: Side, threads: int = FLOOR_THREADS, kept_threads: int = FLOOR_KEPT_THREADS) -> None:
        """Starts the floor for a side, unless it runs already."""
        for shape, count in ((Shape.ANSWER, threads), (Shape.ANSWER_KEPT, kept_threads)):
            self._start_floor(side.server(shape), side.socket(shape), count)

    def _start_floor(self, name: str, socket: Path, threads: int) -> None:
        if self.servers.named(name) is None:
            server = self.servers.start(name, [str(self.floor_program), str(socket), str(threads)])
            server.wait_until(lambda: is_listening(socket))

    def stop_floor(self, side: Side) -> None:
        """Stops the floor of a side."""
        for shape in (Shape.ANSWER, Shape.ANSWER_KEPT):
            self.stop(side.server(shape))
            side.socket(shape).unlink(missing_ok=True)

    def stop(self, name: str) -> None:
        """Stops a server if it runs."""
        server = self.servers.named(name)
        if server is not None:
            self.servers.stop(server)

    @cached_property
    def simulator(self) -> tuple[Server, str]:
        """The provider and its base URL; all measures use the same client."""
        return provider.start_simulator(self.servers, self.programs, self.redirect)

    @cached_property
    def peers_simulator(self) -> str:
        """The base URL of the provider of other programs, which change its settings."""
        _, base = provider.start_simulator(self.servers, self.programs, "http://127.0.0.1/", "peers-simulator")
        return base

    @cached_property
    def repeater(self) -> Provider:
        """A provider that costs almost nothing, so that a sign-in measures the product and its store."""
        return provider.start_repeater(self.servers, self.programs, self.redirect)

    @property
    def redirect(self) -> str:
        """The callback of the site."""
        return f"http://localhost:{self.nginx.port}/oauth"

    @cached_property
    def strangers(self) -> Path:
        """Cookies without sessions, for programs that do not read them."""
        file = self.directory / "strangers"
        tickets = (base64.urlsafe_b64encode(secrets.token_bytes(32)).rstrip(b"=").decode() for _ in range(1000))
        file.write_text("\n".join(tickets) + "\n", encoding="ascii")
        return file

    def compare(self, shape: Shape, first: Side, second: Side, cookies: Path) -> Rounds[tuple[wrk.Load, wrk.Load]]:
        """Alternating runs of wrk."""
        return self.alternate(lambda: self.load(shape, first, cookies), lambda: self.load(shape, second, cookies))

    def alternate(self, first: Callable[[], W], second: Callable[[], W]) -> Rounds[tuple[W, W]]:
        """Alternates two measurements for the number of rounds in the options."""
        return alternate(self.options.rounds, self.options.spare_rounds, first, second)

    def repeat(self, make: Callable[[], W]) -> Rounds[W]:
        return repeat(self.options.rounds, self.options.spare_rounds, make)

    def load(
        self,
        shape: Shape,
        side: Side,
        cookies: Path,
        path: str | None = None,
        seconds: int | None = None,
        pause: int = 0,
    ) -> wrk.Load:
        """One run of wrk, at the location of the shape or at another path; for the seconds in the options, or for others.

        With a pause, each connection waits that many milliseconds on average before each request.
        """
        name = side.server(shape)
        program = self.servers.named(name)
        if program is None:
            raise Failure(f"{name} is not running")
        target = wrk.Target(self.web(shape), path or shape.path(side), program)
        return wrk.run(self.servers, target, cookies, seconds or self.options.seconds, pause)

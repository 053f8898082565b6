"""The product with a store, behind nginx."""

import itertools
import os
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from .bench import MEMORY, Bench
from .browser import Browser
from .failure import Failure
from .programs import execute
from .provider import CLIENT
from .servers import Server, is_listening
from .sides import OF_NGINX, Shape

SEED_LIMIT = 600
# The sessions with requests. wrk holds a request for each in memory: for a million, it needs seconds to begin, and then
# measures its own use of the processor's caches. A run of some seconds meets no more of them anyway.
IN_USE = 100_000
# A page that calls the provider once and stores the answer in the session.
PROFILE_ROUTE = "/profile"
# The issuers of further providers by ID; nothing listens there.
FURTHER = {"first": "http://127.0.0.1:9/first", "second": "http://127.0.0.1:9/second"}


class Site:
    """linkedin-signin with many sessions, which are copies of the session of a real sign-in; at most `IN_USE` are used."""

    def __init__(self, bench: Bench, sessions: int, group: str | None = None) -> None:
        """With a group, the members are of the first of two further providers, and in that group."""
        self.bench = bench
        self.sessions = sessions
        self.group = group
        name = f"{sessions}-{group}" if group else str(sessions)
        self.state = bench.directory / f"state-{name}"
        self.cookies = bench.directory / f"cookies-{name}"

    def start(self, settings: dict[str, str] | None = None) -> Server:
        """Starts the product with these sessions and stops the one that ran before."""
        if not self.cookies.exists():
            self._seed()
        return self._serve(settings or {})

    def start_earlier(self, program: Path) -> Server:
        """Starts an earlier build beside the product, on these sessions, and stops the one that ran before."""
        socket = self.bench.earlier.socket(Shape.ANSWER)
        self.bench.stop(self.bench.earlier.name)
        socket.unlink(missing_ok=True)
        environment = {**self.environment(), "SIGNIN_LISTEN": f"unix:{socket}"}
        server = self.bench.servers.start(self.bench.earlier.name, [str(program), "serve"], environment)
        server.wait_until(lambda: is_listening(socket))
        return server

    def stop(self) -> None:
        self.bench.stop(self.bench.product.name)

    def any_cookie(self) -> str:
        """The cookie of one session."""
        with self.cookies.open(encoding="ascii") as lines:
            return next(lines).strip()

    def require_checks(self, shapes: Sequence[Shape] = OF_NGINX) -> None:
        """Fails unless every shape admits members with a session and nobody else."""
        for shape in shapes:
            self.require_check(shape, shape.path(self.bench.product))

    def require_check(self, shape: Shape, path: str) -> None:
        """Checks one location of a shape."""
        browser = Browser(self.bench.web(shape).port)
        stranger = self.bench.strangers.read_text(encoding="ascii").split()[0]
        for session, expected in ((self.any_cookie(), 200), (stranger, 401), (None, 401)):
            status, body = browser.get(path, session)
            if status != expected:
                raise Failure(f"{path} answered {status} instead of {expected}: {body[:200]!r}")
        browser.close()

    def environment(self) -> dict[str, str]:
        """The settings: defaults, except for provider, paths and addresses."""
        _, provider = self.bench.simulator
        settings = {
            "LINKEDIN_CLIENT_ID": CLIENT,
            "LINKEDIN_CLIENT_SECRET": CLIENT,
            "LINKEDIN_PRODUCT": "verified",
            "SIGNIN_BASE_URL": f"http://localhost:{self.bench.nginx.port}",
            "SIGNIN_LISTEN": f"unix:{self.bench.product.socket(Shape.ANSWER)}",
            "SIGNIN_STATE_DIRECTORY": str(self.state),
            # Longer than any run, so that no session calls the provider again.
            "SIGNIN_PROFILE_CACHE": "1d",
            "SIGNIN_AUTHORIZATION_ENDPOINT": f"{provider}/oauth/v2/authorization",
            "SIGNIN_TOKEN_ENDPOINT": f"{provider}/oauth/v2/accessToken",
            "SIGNIN_JWKS_URI": f"{provider}/oauth/openid/jwks",
            "SIGNIN_PROFILE_ENDPOINT": f"{provider}/rest/identityMe",
            "SIGNIN_ISSUERS": f"{provider}/oauth",
        }
        if self.group:
            settings["SIGNIN_PROVIDERS"] = str(self._providers())
        if self.bench.options.workers is not None:
            settings["SIGNIN_WORKERS"] = str(self.bench.options.workers)
        return settings

    def _providers(self) -> Path:
        """A directory with the files of the further providers, which no measure calls."""
        directory = self.bench.directory / "providers"
        directory.mkdir(exist_ok=True)
        for name, issuer in FURTHER.items():
            lines = [f"PROVIDER_ISSUER={issuer}", "PROVIDER_CLIENT_ID=x", "PROVIDER_CLIENT_SECRET=x", "PROVIDER_GROUPS_CLAIM=groups"]
            (directory / name).write_text("\n".join(lines) + "\n", encoding="ascii")
            (directory / name).chmod(0o600)
        return directory

    def _serve(self, settings: dict[str, str]) -> Server:
        self.stop()
        socket = self.bench.product.socket(Shape.ANSWER)
        socket.unlink(missing_ok=True)
        command = [str(self.bench.programs.product), "serve"]
        server = self.bench.servers.start(self.bench.product.name, command, {**self.environment(), **settings})
        server.wait_until(lambda: is_listening(socket))
        return server

    def _seed(self) -> None:
        """Signs in once, fetches the profile, and copies the session."""
        self.state.mkdir(mode=0o700)
        cookie = self._first_session()
        # In memory, because making each copy durable on a disk takes milliseconds and is not needed.
        with tempfile.TemporaryDirectory(prefix="benchmarks.", dir=MEMORY if MEMORY.is_dir() else None) as directory:
            copy = Path(directory) / "state"
            execute(["cp", "-a", str(self.state), str(copy)], SEED_LIMIT)
            self._copy_session(cookie, copy)
            execute(["cp", "-a", f"{copy}/.", str(self.state)], SEED_LIMIT)
        # Otherwise the disk would still write during the measurement.
        execute(["sync", "-f", str(self.state)], SEED_LIMIT)

    def _first_session(self) -> str:
        # With one provider, `/login` leads to it without a page to choose on.
        self._serve({"SIGNIN_PROVIDERS": ""} if self.group else {})
        browser = Browser(self.bench.nginx.port)
        cookie = browser.sign_in()
        status, body = browser.get(PROFILE_ROUTE, cookie)
        browser.close()
        self.stop()
        if status != 200:
            raise Failure(f"{PROFILE_ROUTE} answered {status} after a sign-in: {body[:200]!r}")
        return cookie

    def _copy_session(self, cookie: str, state: Path) -> None:
        partial = Path(f"{self.cookies}.partial")
        command = [str(self.bench.programs.seeder), "--directory", str(state), "--count", str(self.sessions)]
        if self.group:
            name, issuer = next(iter(FURTHER.items()))
            command += ["--provider", name, "--issuer", issuer, "--group", self.group]
        with os.fdopen(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as output:
            try:
                subprocess.run(command, input=cookie.encode(), stdout=output, timeout=SEED_LIMIT, check=True)
            except (OSError, subprocess.SubprocessError) as error:
                raise Failure(f"the sessions could not be created: {error}") from error
        _shorten(partial, IN_USE)
        partial.rename(self.cookies)


def _shorten(file: Path, count: int) -> None:
    """Keeps the first lines of a file. The cookies are random, so the first ones are in all parts of the store."""
    with file.open("r+b") as lines:
        size = sum(len(line) for line in itertools.islice(lines, count))
        lines.truncate(size)

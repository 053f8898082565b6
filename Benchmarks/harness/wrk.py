"""Generates load with wrk, 2 threads and 32 connections."""

import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

from .browser import SESSION
from .failure import Failure
from .noise import Watch
from .servers import Server, Servers
from .webserver import WebServer

THREADS = 2
CONNECTIONS = 32
# The last one: a response that is not the expected page.
ERRORS = ("connect", "read", "write", "timeout", "status", "page")
SCRIPT = Path(__file__).resolve().parent.parent / "cookies.lua"


@dataclass(frozen=True)
class Load:
    """The result of one run of wrk; times in milliseconds, processor time in microseconds per request."""

    requests: int
    seconds: float
    p50: float
    p99: float
    program_cpu: float
    web_cpu: float
    # That of all other servers, such as a database.
    rest_cpu: float
    memory: float
    # The number of cores that other programs used.
    others: float

    @property
    def rate(self) -> float:
        return self.requests / self.seconds


@dataclass(frozen=True)
class Target:
    """A location of a web server and the program that answers there, which can be the web server itself."""

    web: WebServer
    path: str
    program: Server
    # What precedes each line of the cookies in the field Cookie.
    prefix: str = f"{SESSION}="
    # The only body that a response may have; None: bodies and redirects are not checked.
    body: str | None = None


def run(servers: Servers, target: Target, cookies: Path, seconds: int, pause: int = 0) -> Load:
    """Loads one location for some seconds; fails unless every request succeeds.

    With a pause, each connection waits that many milliseconds on average before each request.
    """
    web, path, program = target.web, target.path, target.program
    watch = Watch(servers)
    program_begin, web_begin, all_begin = program.cpu(), web.server.cpu(), servers.cpu()
    seen = wrk(target, cookies, seconds, pause)
    program_seconds, web_seconds = program.cpu() - program_begin, web.server.cpu() - web_begin
    if web.server is program:
        web_seconds = 0
    rest_seconds = servers.cpu() - all_begin - program_seconds - web_seconds
    others = watch.others()
    program.require_running()
    requests = int(seen["requests"])
    if (errors := {kind: seen[kind] for kind in ERRORS if seen[kind]}) or not requests:
        raise Failure(f"{program.name}, {path}: errors {errors} in {requests} requests")
    return Load(
        requests=requests,
        seconds=seen["seconds"],
        p50=seen["p50"],
        p99=seen["p99"],
        program_cpu=program_seconds / requests * 1e6,
        web_cpu=web_seconds / requests * 1e6,
        rest_cpu=rest_seconds / requests * 1e6,
        memory=program.memory(),
        others=others,
    )


def wrk(target: Target, cookies: Path, seconds: int, pause: int = 0) -> dict[str, float]:
    """Runs wrk and reads its last line."""
    url = target.web.base + target.path
    command = ["wrk", "-t", str(THREADS), "-c", str(CONNECTIONS), "-d", str(seconds), "-s", str(SCRIPT), url]
    environment = {"PATH": os.environ["PATH"], "COOKIES": str(cookies), "PREFIX": target.prefix}
    if target.body is not None:
        environment["BODY"] = target.body
    if pause:
        environment["PAUSE"] = str(pause)
    try:
        done = subprocess.run(
            command,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=seconds + 60,
            check=True,
        )
        seen: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    except subprocess.TimeoutExpired as error:
        raise Failure(f"wrk did not exit: {url}") from error
    except subprocess.CalledProcessError as error:
        raise Failure(f"wrk failed: {error.stdout}{error.stderr}") from error
    return seen

"""Generates load with wrk, 2 threads and 32 connections."""

import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

from .failure import Failure
from .noise import Watch
from .servers import Server, Servers
from .webserver import WebServer

THREADS = 2
CONNECTIONS = 32
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
    """A location of a web server and the program that answers there."""

    web: WebServer
    path: str
    program: Server


def run(servers: Servers, target: Target, cookies: Path, seconds: int, pause: int = 0) -> Load:
    """Loads one location for some seconds; fails unless every request succeeds.

    With a pause, each connection waits that many milliseconds on average before each request.
    """
    web, path, program = target.web, target.path, target.program
    watch = Watch(servers)
    program_begin, web_begin, all_begin = program.cpu(), web.server.cpu(), servers.cpu()
    seen = wrk(web.base + path, cookies, seconds, pause)
    program_seconds, web_seconds = program.cpu() - program_begin, web.server.cpu() - web_begin
    rest_seconds = servers.cpu() - all_begin - program_seconds - web_seconds
    others = watch.others()
    program.require_running()
    requests = int(seen["requests"])
    if seen["errors"] or not requests:
        raise Failure(f"{path}: {seen['errors']:.0f} errors in {requests} requests")
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


def wrk(url: str, cookies: Path, seconds: int, pause: int = 0) -> dict[str, float]:
    """Runs wrk and reads its last line."""
    command = ["wrk", "-t", str(THREADS), "-c", str(CONNECTIONS), "-d", str(seconds), "-s", str(SCRIPT), url]
    environment = {"PATH": os.environ["PATH"], "COOKIES": str(cookies)}
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

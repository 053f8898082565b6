"""This program beside others that Debian has, each as the guard of the same page.

Every response is checked: a redirect to a sign-in, which costs less than the page, must not be measured.
"""

import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from .. import apache, lemonldap, machine, packages, provider, wrk
from ..bench import Bench
from ..browser import SESSION
from ..failure import Failure
from ..nginx import PAGE_BODY
from ..peer import PAGE, Home, Peer
from ..results import Result, rank
from ..rounds import Rounds, rotate
from ..servers import Server
from ..sides import Shape
from ..site import Site
from ..visitor import Visitor
from ..webserver import free_port
from .latency import pause_for_half


@dataclass(frozen=True)
class Contestant:
    """A program with sessions, ready to be loaded."""

    name: str
    version: str
    target: wrk.Target
    # A line for each session, with the whole field Cookie.
    cookies: Path

    @property
    def servers(self) -> list[Server]:
        """Web server and program, which can be one process."""
        web, program = self.target.web.server, self.target.program
        return [web] if web is program else [web, program]

    def load(self, bench: Bench, pause: int) -> wrk.Load:
        """One run of wrk, after each session was used."""
        self.use_sessions()
        return wrk.run(bench.servers, self.target, self.cookies, bench.options.seconds, pause)

    def use_sessions(self) -> None:
        """Opens the page with each session and stores the cookies that the program sends, as browsers do.

        mod_auth_openidc stores the last use of a session once a minute. wrk does not take the new cookie from a response, so
        every response of the next minutes would have one.
        """
        visitor = Visitor()
        lines = self.cookies.read_text(encoding="ascii").splitlines()
        opened = [visitor.open(self.target.web.base + self.target.path, line) for line in lines]
        visitor.close()
        if wrong := [status for status, body, _ in opened if status != 200 or body != PAGE_BODY.encode()]:
            raise Failure(
                f"{self.name}: {len(wrong)} of {len(lines)} sessions get another page, with status {wrong[0]}"
            )
        write_cookies(self.cookies, [cookie for _, _, cookie in opened])


def measure(bench: Bench) -> Iterator[Result]:
    """Alternates all programs, for each number of sessions."""
    has_apache = is_installed("mod_auth_openidc", apache.PACKAGES)
    has_lemonldap = is_installed("LemonLDAP::NG", lemonldap.PACKAGES)
    for sessions in bench.options.peer_sessions if has_apache or has_lemonldap else ():
        with ExitStack() as stack:
            contestants = [product(bench, sessions)]
            if has_apache:
                contestants += [openidc(bench, stack, kind, sessions) for kind in apache.Sessions]
            if has_lemonldap:
                contestants.append(lemon(bench, stack, sessions))
            yield from compared(bench, contestants, sessions)


def is_installed(name: str, wanted: tuple[str, ...]) -> bool:
    """Whether the packages of a program are installed; if not, prints how to install them."""
    absent = [package for package, version in packages.versions(wanted).items() if not version]
    if absent:
        command = f"apt-get install --no-install-recommends {' '.join(absent)}"
        print(f"{name} is not measured, because packages are missing: {command}", file=sys.stderr, flush=True)
    return not absent


def compared(bench: Bench, contestants: list[Contestant], sessions: int) -> Iterator[Result]:
    """Rounds at full rate, then rounds in which each program has about half of its own full rate."""
    full = rounds(bench, contestants, [0] * len(contestants))
    pauses = [pause_for_half(pairs.median(lambda pair: pair[1].rate)) for pairs in full]
    half = rounds(bench, contestants, pauses)
    for one, at_full, at_half in zip(contestants, full, half, strict=True):
        memory = sum(server.proportional_memory() for server in one.servers)
        yield rank((one.name, one.version), sessions, at_full, at_half, memory)


def rounds(bench: Bench, contestants: list[Contestant], pauses: list[int]) -> list[Rounds[tuple[wrk.Load, wrk.Load]]]:
    """Alternating loads; each is paired with that of this program."""
    loads = [partial(one.load, bench, pause) for one, pause in zip(contestants, pauses, strict=True)]
    return rotate(bench.options.rounds, bench.options.spare_rounds, loads)


def product(bench: Bench, sessions: int) -> Contestant:
    """This program behind nginx."""
    site = Site(bench, sessions)
    program = site.start()
    site.require_checks((Shape.CHECK,))
    cookies = bench.directory / "cookies-product"
    write_cookies(cookies, [f"{SESSION}={value}" for value in site.cookies.read_text(encoding="ascii").split()])
    target = wrk.Target(bench.nginx, Shape.CHECK.path(bench.product), program, prefix="", body=PAGE_BODY)
    version = machine.output(str(bench.programs.product), "--version")
    return Contestant("this program", f"{version}, {described(('nginx',))}", target, cookies)


def openidc(bench: Bench, stack: ExitStack, kind: apache.Sessions, sessions: int) -> Contestant:
    """Apache, with its sessions in one place."""
    port = free_port()
    base = bench.peers_simulator
    # mod_auth_openidc requires the nonce, which LinkedIn does not return.
    provider.change_simulator(base, {"oidc": True, "redirect-uris": [apache.redirect(port)]})
    peer = apache.start(bench.servers, home(bench, stack), kind, sessions, port, base)
    stack.callback(bench.servers.stop, peer.program)
    return signed_in(bench, peer, base, sessions)


def lemon(bench: Bench, stack: ExitStack, sessions: int) -> Contestant:
    """LemonLDAP::NG behind nginx."""
    port, portal_port = free_port(), free_port()
    base = bench.peers_simulator
    # This version of LemonLDAP::NG sends no code challenge, which the simulator requires as a standard provider.
    settings = {"oidc": False, "token-type": True, "redirect-uris": [lemonldap.redirect(portal_port)]}
    provider.change_simulator(base, settings)
    peer, portal = lemonldap.start(bench.servers, home(bench, stack), port, portal_port, base)
    for server in (peer.program, peer.web.server, portal):
        stack.callback(bench.servers.stop, server)
    contestant = signed_in(bench, peer, base, sessions)
    bench.servers.stop(portal)
    return contestant


def home(bench: Bench, stack: ExitStack) -> Home:
    """A directory on the file system of this program's sessions; their own directory admits no other user."""
    directory = tempfile.TemporaryDirectory(prefix="benchmarks.", dir=bench.directory.parent)
    return Home(Path(stack.enter_context(directory)))


def signed_in(bench: Bench, peer: Peer, base: str, sessions: int) -> Contestant:
    """Signs in once for each session; fails unless the page needs a session."""
    visitor = Visitor(base)
    cookies = [visitor.sign_in(peer.page, PAGE_BODY) for _ in range(sessions)]
    name, _, value = cookies[0].partition("=")
    for forged in ("", f"{name}={value[::-1]}"):
        status, _, _ = visitor.open(peer.page, forged)
        if status == 200:
            raise Failure(f"{peer.name} admits a visitor {'with a forged' if forged else 'without a'} session cookie")
    visitor.close()
    file = bench.directory / f"cookies-{peer.program.name}"
    write_cookies(file, cookies)
    target = wrk.Target(peer.web, PAGE, peer.program, prefix="", body=PAGE_BODY)
    return Contestant(peer.name, described(peer.packages), target, file)


def write_cookies(file: Path, cookies: list[str]) -> None:
    """Writes a file that only its owner can read."""
    file.touch(mode=0o600)
    file.write_text("".join(f"{cookie}\n" for cookie in cookies), encoding="ascii")


def described(names: tuple[str, ...]) -> str:
    """Packages with their versions."""
    return ", ".join(f"{name} {version}" for name, version in packages.versions(names).items())

"""What the measured programs of others have in common."""

import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from .servers import Server
from .webserver import WebServer

PAGE = "/page"


@dataclass(frozen=True)
class Peer:
    """A program that guards a page, and the web server in front of it, which can be the program itself."""

    name: str
    # The Debian packages of which a measurement shows the versions.
    packages: tuple[str, ...]
    web: WebServer
    program: Server

    @property
    def page(self) -> str:
        """The URL of the guarded page."""
        return self.web.base + PAGE


@dataclass(frozen=True)
class Home:
    """A directory of one peer, which does not run as root: LemonLDAP::NG refuses to, and Apache's workers cannot."""

    path: Path

    @property
    def user(self) -> str | None:
        """The user of the peer, which Debian always has; None for the user of this program."""
        return "www-data" if os.geteuid() == 0 else None

    def hand_over(self) -> None:
        """Gives all files to the user of the peer."""
        if self.user:
            for each in (self.path, *self.path.rglob("*")):
                shutil.chown(each, self.user, self.user)

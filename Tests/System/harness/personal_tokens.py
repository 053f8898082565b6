"""Personal tokens: the command that administers them, and guarded sites that accept them."""

import subprocess

from .guarded import Guarded
from .process import BINARIES, surroundings
from .tokens import without_store

ACCEPTING = {"SIGNIN_PERSONAL_TOKENS": "90d"}


def tokens(responder, *words):
    """Runs `linkedin-signin tokens` with the settings of a running program."""
    command = [BINARIES / "linkedin-signin", "tokens", *words, "--settings-file", responder.directory / "settings"]
    done = subprocess.run(command, capture_output=True, text=True, env=surroundings(), timeout=60)
    return without_store(done, responder)


def made(site, subject, *locations, name="backup", life="30d", more=()):
    """A new token, as `tokens create` prints it."""
    places = [word for location in locations or ("/",) for word in ("--location", location)]
    done = tokens(site.responder, "create", "--subject", subject, "--name", name, *places, "--ends-after", life, *more)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def bearer(token):
    return {"Authorization": f"Bearer {token}"}


def accepting(directory, front, wrapper=(), settings=None):
    """A guarded site that accepts personal tokens; `wrapper` starts the program."""
    site = Guarded(directory, front, {**ACCEPTING, **(settings or {})}, wrapper=wrapper)
    site.guard = [*site.guard, "--personal-tokens"]
    return site

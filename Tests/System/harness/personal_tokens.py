"""Personal tokens: the command that administers them, and guarded sites that accept them."""

import re
import subprocess
from urllib.parse import urlencode

from .browser import NAVIGATION
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
    done = tokens(site.responder, "create", "--subject", subject, "--name", name, *places, "--expires-after", life, *more)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


OWN = {**NAVIGATION, "Sec-Fetch-Site": "same-origin", "Content-Type": "application/x-www-form-urlencoded"}
TOKEN = re.compile(r"lsi_[A-Za-z0-9_-]{43}")


def form_of(text):
    """The value that makes the form of the page work once; empty if the page has no form."""
    found = re.search(r'name="form" value="([^"]+)"', text)
    return found[1] if found else ""


def hidden_fields(text):
    """The hidden fields of the forms of a page."""
    return dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]+)"', text))


def send(site, browser, headers=OWN, **fields):
    return browser.request("POST", f"{site.url}/tokens", headers, urlencode(fields).encode())


def send_wish(site, browser, **wish):
    """The answer to the form that makes a token, from a page that the browser has just loaded."""
    page = browser.get(f"{site.url}/tokens", headers=NAVIGATION)
    return send(site, browser, form=form_of(page.text), **wish)


def bearer(token):
    return {"Authorization": f"Bearer {token}"}


def accepting(directory, front, wrapper=(), settings=None):
    """A guarded site that accepts personal tokens; `wrapper` starts the program."""
    site = Guarded(directory, front, {**ACCEPTING, **(settings or {})}, wrapper=wrapper)
    site.guard = [*site.guard, "--personal-tokens"]
    return site

"""Access tokens that another program of the same application obtained, and the command that imports them."""

import re
import subprocess

from .process import BINARIES, surroundings

SCOPES = {
    "openid": "openid profile email",
    "verified": "openid profile email r_profile_basicinfo",
    "basic-profile": "r_basicprofile",
    "v1": "r_basicprofile",
}


def access_token(site, member=1, scope=None):
    """Signs a member in at the provider, without the program, and returns the access token."""
    linkedin = site.simulator
    linkedin.client_id, linkedin.client_secret, linkedin.redirect_uri = "demo", "demo-secret", f"{site.url}/oauth"
    product = site.responder.settings["LINKEDIN_PRODUCT"]
    return linkedin.tokens(member, scope=scope or SCOPES[product])["access_token"]


def sessions(responder, *words, text="", **options):
    """Runs `linkedin-signin sessions` with the settings of a running program."""
    command = [BINARIES / "linkedin-signin", "sessions", *words, "--settings-file", responder.directory / "settings"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, env=surroundings(), timeout=60, **options)
    return without_store(done, responder)


def without_store(done, responder):
    """Takes the line away with which a command that changes the store says which one, after a look at this line."""
    settings = responder.settings
    store = re.escape(settings.get("SIGNIN_STORE") or settings["SIGNIN_STATE_DIRECTORY"])
    line = f"^linkedin-signin: site {re.escape(settings['SIGNIN_BASE_URL'])}, store {store}\n"
    done.stderr = re.sub(line, "", done.stderr)
    return done


def cookie_in(line):
    """The header with a session cookie, from the line that the import prints."""
    name, _, value = line.strip().partition(": ")
    assert name == "Cookie" and value.startswith("__Host-session="), name
    return {name: value}

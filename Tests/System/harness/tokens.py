"""Access tokens that another program of the same application obtained, and the command that imports them."""

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
    return subprocess.run(command, input=text, capture_output=True, text=True, env=surroundings(), timeout=60, **options)


def cookie_in(line):
    """The header with a session cookie, from the line that the import prints."""
    name, _, value = line.strip().partition(": ")
    assert name == "Cookie" and value.startswith("__Host-session="), name
    return {name: value}

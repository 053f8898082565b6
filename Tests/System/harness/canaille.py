"""Canaille, whose members see pages with forms."""

from pathlib import Path

from .browser import Browser
from .forms import follow, submit
from .providers import CLIENT, SECRET, Provider


class Canaille(Provider):
    """Announces and sends `iss`, and rotates refresh tokens."""

    name, email = "Ada Lovelace", "ada@example.org"
    subject = "ada"
    sends_issuer = True
    password = "correct horse"

    def command(self):
        # Without -P, this module would hide the package of the same name.
        return ["-P", Path(__file__).with_name("canaille_provider.py"), self.port, CLIENT, SECRET, self.redirect]

    @property
    def keys(self):
        return Browser().get(f"{self.issuer}/oauth/jwks.json").text

    def consent(self, address, decision="allow"):
        browser, site = Browser(), self.redirect
        page = follow(browser, browser.get(address), site)
        if "csrf_token" not in page.text:
            return page.location
        page = follow(browser, submit(browser, page, login="ada"), site)
        page = follow(browser, submit(browser, page, password=self.password), site)
        return submit(browser, page, answer="accept" if decision == "allow" else "deny").location

"""A browser for the sites of other programs: it follows redirects and keeps cookies."""

import urllib.parse

from .browser import CONSENT, FORM, location
from .failure import Failure
from .wire import Answer, Wire

LIMIT = 60.0
# More redirects than any sign-in has.
STEPS = 12
REDIRECTS = (301, 302, 303, 307)


class Visitor:
    """Signs in over kept connections, each time as a new visitor."""

    def __init__(self, provider: str = "") -> None:
        """Consents at the provider with this base URL, if a sign-in is needed."""
        self._provider = urllib.parse.urlsplit(provider).netloc
        self._wires: dict[str, Wire] = {}

    def close(self) -> None:
        for wire in self._wires.values():
            wire.close()

    def sign_in(self, page: str, body: str) -> str:
        """Opens a guarded page, signs in, and returns the field Cookie with which the page has this body."""
        cookies: dict[str, str] = {}
        url = page
        for _ in range(STEPS):
            answer = self._ask(url, cookies)
            if answer.status not in REDIRECTS:
                if url != page or answer.status != 200 or answer.body != body.encode():
                    raise Failure(f"after a sign-in, {url} has status {answer.status} and shows {answer.body[:300]!r}")
                return header(cookies)
            url = urllib.parse.urljoin(url, location(answer, url))
        raise Failure(f"{page} redirected more than {STEPS} times; the last address is {url}")

    def open(self, page: str, cookie: str) -> tuple[int, bytes, str]:
        """Opens a page without following a redirect; returns status, body, and the field Cookie for the next request."""
        cookies = dict(each.split("=", 1) for each in cookie.split("; ") if each)
        answer = self._ask(page, cookies)
        return answer.status, answer.body, header(cookies)

    def _ask(self, url: str, cookies: dict[str, str]) -> Answer:
        """Requests one page and updates the cookies; at the provider, consents and neither sends nor keeps cookies."""
        address = urllib.parse.urlsplit(url)
        wire = self._wires.setdefault(address.netloc, Wire(address.hostname or "", address.port or 80, LIMIT))
        target = address.path + (f"?{address.query}" if address.query else "")
        # mod_auth_openidc redirects only a request that accepts HTML.
        fields = {"Host": address.netloc, "Accept": "text/html"}
        if address.netloc == self._provider:
            wire.send("POST", target, {**fields, **FORM}, CONSENT)
            return wire.receive()
        wire.send("GET", target, {**fields, "Cookie": header(cookies)} if cookies else fields)
        answer = wire.receive()
        for line in answer.values("set-cookie"):
            name, _, value = line.partition(";")[0].partition("=")
            cookies.pop(name, None)
            if value:
                cookies[name] = value
        return answer


def header(cookies: dict[str, str]) -> str:
    """The value of the field Cookie."""
    return "; ".join(f"{name}={value}" for name, value in cookies.items())

"""The parts of a browser that a sign-in needs."""

import urllib.parse
from collections.abc import Iterable

from .failure import Failure
from .wire import Answer, Wire

LIMIT = 60.0
SESSION = "__Host-session"
CONSENT = "member=1&decision=allow"
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


class Browser:
    """Signs in at a local site over kept connections, each time as a new visitor."""

    def __init__(self, port: int, address: str = "127.0.0.1") -> None:
        """Connects from an address; the product limits each client address."""
        self._host = {"Host": f"localhost:{port}"}
        self._site = Wire("127.0.0.1", port, LIMIT, address)
        self._provider: Wire | None = None

    def close(self) -> None:
        self._site.close()
        if self._provider is not None:
            self._provider.close()

    @property
    def waiting_descriptor(self) -> int:
        """The connection to the site; readable when an answer has arrived or the connection has ended."""
        if self._site.sock is None:
            raise Failure("the site closed the connection")
        return self._site.sock.fileno()

    def sign_in(self) -> str:
        """Signs in and returns the value of the session cookie."""
        self.send_callback()
        answer = self._answer(self._site, "the callback")
        session = cookies(answer.values("set-cookie")).get(SESSION)
        if not session:
            raise Failure(f"the callback answered {answer.status} and set no session")
        return session

    def send_callback(self) -> None:
        """Signs in up to the callback, without reading its answer."""
        self._site.send("GET", "/login", self._host)
        login = self._answer(self._site, "/login")
        pending = cookies(login.values("set-cookie"))
        callback = self._consent(location(login, "/login"))
        cookie = "; ".join(f"{name}={value}" for name, value in pending.items())
        self._site.send("GET", callback, {**self._host, "Cookie": cookie})

    def get(self, path: str, session: str | None = None) -> tuple[int, bytes]:
        """Status and body of one page."""
        headers = {**self._host, "Accept": "application/json"}
        if session is not None:
            headers["Cookie"] = f"{SESSION}={session}"
        self._site.send("GET", path, headers)
        answer = self._answer(self._site, path)
        return answer.status, answer.body

    def _consent(self, url: str) -> str:
        """Consents at the provider and returns path and query of the callback."""
        address = urllib.parse.urlsplit(url)
        if self._provider is None:
            self._provider = Wire(address.hostname or "", address.port or 80, LIMIT)
        target, headers = f"{address.path}?{address.query}", {"Host": address.netloc, **FORM}
        self._provider.send("POST", target, headers, CONSENT)
        answer = self._answer(self._provider, "the provider")
        back = urllib.parse.urlsplit(location(answer, "the provider"))
        return f"{back.path}?{back.query}"

    @staticmethod
    def _answer(wire: Wire, what: str) -> Answer:
        try:
            return wire.receive()
        except (OSError, ValueError, IndexError, Failure) as error:
            raise Failure(f"{what} did not answer: {error!r}") from error


def location(answer: Answer, what: str) -> str:
    """The Location of an answer."""
    for where in answer.values("location"):
        return where
    raise Failure(f"{what} answered {answer.status} without a Location")


def cookies(lines: Iterable[str]) -> dict[str, str]:
    """Names and values of Set-Cookie lines, without deleted cookies, which have an empty value."""
    pairs = (line.partition(";")[0].partition("=") for line in lines)
    return {name: value for name, _, value in pairs if value}

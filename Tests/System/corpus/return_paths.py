"""Return paths that have led browsers, servers or their authors astray.

Every slash in front of a foreign host is spelt in every way that something between browser and site may read as a
slash or drop; the rest are fragments put before and behind such a host.
"""

from itertools import product

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
SLASHES_OF_TWO = ["//", "/\\", "\\/", "\\\\", "/\t/", "/\n\\", "/%2f", "/%5c", "///", "/;/", "https://", "https:/\\", "HtTpS:", "/./\\"]
USERINFO = ["", "localhost@", "localhost:80@", "a:b@", "@", ":@", "localhost%40", "localhost\\@", "[::1]@"]
HOSTS = ["evil.example", "[::ffff:7f00:1]", "017700000001", "evil\u3002example"]
# Slashes, colons, full stops and spaces of other scripts, and what case folding or normalising makes of them.
LOOKALIKES = "\u2044\u2215\u29f8\uff0f\ufe68\uff3c\u29f5\u2216\u3002\uff0e\uff61\u2024\u2025\ufe52\uff1a\ufe55\u02d0\u00a0\u2000\u200b\u200d"
LOOKALIKES += "\u202e\u2028\u2029\u2060\u3000\ufeff\ufffd\ufffe\u0301\u0338\u00ad\u034f\u180e\u2064\U0001f517\U000e0001\u0660\u212a\u0130"


def encoded(text, depth):
    """Percent-encoded so many times."""
    text = "".join(f"%{byte:02x}" for byte in text.encode())
    for _ in range(depth - 1):
        text = text.replace("%", "%25")
    return text


def return_paths():
    """All of them, each once."""
    return list(dict.fromkeys(_return_paths()))


def _return_paths():
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
    for slashes, userinfo, host in product(SLASHES_OF_TWO, USERINFO, HOSTS):
        yield f"{slashes}{userinfo}{host}/"
    for spelt, depth in product(("/", "\\", "\t", "\r\n", ".", "@", ":", "#", "?", "\x00"), range(1, 6)):
        for frame in ("/{}{}", "/{}/{}", "{}/{}", "//{}{}", "/a{}//{}", "/..{}/{}"):
            yield frame.format(encoded(spelt, depth), HOST)
    for code in [*range(0x21), 0x22, 0x23, 0x3C, 0x3E, 0x5C, 0x5E, 0x60, 0x7B, 0x7C, 0x7D, 0x7F, *range(0x80, 0xA1)]:
        for frame in ("/{}/{}", "{}//{}", "/{}\\{}", "//{}{}", "/a{}{}"):
            yield frame.format(chr(code), HOST)
    for character in LOOKALIKES:
        for frame in ("/{}{}", "{}{}", "{0}{0}{1}", "/{}/{}", "//evil{}{}", "/..{}{}"):
            yield frame.format(character, HOST)
    for scheme, frame in product(SCHEMES[:8], ("/{}{}", "{}/{}", "?{}//{}", "/{}//{}", "//{}//{}", "{}%2f%2f{}", "{}localhost@{}", "/x/{}\\{}")):
        yield frame.format(scheme, HOST)
    for length in (1500, 1535, 1536, 1537, 8192):
        for start in ("/", "//", "/\\", "https://evil.example/", "/%2f", "/?"):
            yield start + "a" * (length - len(start))
    yield "/" + "a" * 4096
    yield "//" + "a" * 2048 + "." + HOST

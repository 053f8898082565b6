"""Spellings of the path of a guarded file."""

from itertools import product

PATH = "/maya/canary.txt"
SLASHES = [
    "//", "///", "/./", "/x/../", "/%2e/", "/%2E/", "/%2e%2e/maya/", "/x/%2e%2e/", "/x/.%2e/", "/x/%2e./", "/..;/",
    "/.;/", "/;/", "/;a=b/", "%2f", "%2F", "%252f", "%25252f", "\\", "%5c", "%5C", "%255c", "/\\", "\\/", "/%5c",
    "%2f/", "/%2f", "/%20/", "/%09/", "/%00/", "/...//", "/.../", "/~/", "/%c0%af", "%c0%af", "%e0%80%af",
    "%f0%80%80%af", "\u00c0\u00af", "%u002f", "%ef%bc%8f", "\u00ef\u00bc\u008f", "%e2%88%95", "/\t/", "/%0d%0a/",
    "/%c0%ae/", "/%c0%ae%c0%ae/maya/", "/x/..%00/",
]
ENDS = [
    "", ".", "..", "/", "//", "/.", "/..", "/../canary.txt", "%20", "%00", "%00.html", "%2500", ";", ";a=b",
    ";/../canary.txt", "?", "?x=/anyone/", "#", "#/anyone/", "%23", "%23/../canary.txt", "%3f", "%3F/../canary.txt",
    "~", "%0a", "%0d%0a", "\\", "%5c", "::$DATA", "%ff", "\u00ff", "\t", "%09", "%", "%2", "%zz", "&", "*", "%2e",
    "%2f", "%2f.", "%c0%80", "\u0000", "\u007f", "\u0001",
]
# Open locations and routes of the program, as starting points.
WAYS = ["/anyone", "/open", "/login", "/oauth", "/logout", "/missing", "", "/anyone/x/..", "/%61nyone", "/anyone;"]
BACK = ["/..", "/%2e%2e", "/.%2e", "%2f..", "/..%2f.", "%2f%2e%2e", "/..;", "\\..", "%5c..", "/%252e%252e", "//..", "/./.."]
OTHERS = [
    "http://localhost{}", "http://evil.example{}", "HTTP://LOCALHOST{}", "http:{}", "http:/{}", "https://localhost{}",
    "http://localhost/anyone/..{}", "http://maya@localhost{}", "ftp://localhost{}", "*{}", "/.{}", "/..{}", "/%2e{}",
    "{}{}", "//localhost{}", "//localhost/..{}", "/anyone?{}", "/anyone#{}", "/anyone%3f/..{}", "/anyone%23/..{}",
    "/\u00ef\u00bb\u00bf..{}",
]


def spellings():
    for index, character in enumerate(PATH):
        overlong = f"%{0xC0 | ord(character) >> 6:02x}%{0x80 | ord(character) & 63:02x}"
        code = f"{ord(character):02x}"
        escaped = [f"%{code}", f"%{code.upper()}", f"%25{code}", f"%u00{code}"]
        for spelled in (*escaped, overlong, character.upper(), character + "\x00"):
            yield PATH[:index] + spelled + PATH[index + 1 :]
    for slash in SLASHES:
        yield f"{slash if slash.startswith('/') else '/' + slash}maya/canary.txt"
        yield f"/maya{slash}canary.txt"
    for end, start in product(ENDS, ["/maya/canary.txt", "/maya", "/maya//canary.txt"]):
        yield start + end
    for way, back in product(WAYS, BACK):
        yield f"{way}{back}{PATH}"
    for other in OTHERS:
        yield other.format(PATH, PATH)
    yield from ("/MAYA/canary.txt", "/Maya/Canary.TXT", "maya/canary.txt", "/may\u00e1/canary.txt")
    yield from ("/maya /canary.txt", "/maya/canary.txt HTTP/1.0")
    yield "".join(f"%{ord(character):02x}" for character in PATH)
    yield "/" + "".join(f"%{ord(character):02X}" for character in PATH[1:])
    yield "/maya/" + "a/../" * 200 + "canary.txt"


# The beginning of a path that a URL without a scheme has in front of its path, and spellings of it.
AUTHORITIES = [
    "//e", "//e:80", "//e:", "//@", "//a@e", "//a:b@e", "//[::1]", "//127.0.0.1", "//%65", "//e%00", "//e;", "//e%20",
    "//.", "//..", "//\u00e9", "//", "///e", "////e", "//e/.", "/.//e", "/x/..//e", "/x//e", "/\\e", "/\\", "/\\\\e",
    "/\\/e", "//\\e", "\\\\e", "\\/e", "\\e", "/\t/e", "/%2fe", "/%2Fe", "%2f%2fe", "/%5ce", "/%5Ce", "/%09/e", "/%0a/e",
    "/%252fe", "http://h//e", "http://h/\\e", "http://h\\e", "http:\\\\e", "http:/", "http:", "//e?", "//e#", "/?", "/#",
]


def targets(directory, file):
    """Request targets that an application could read as /directory/file if it reads them as a URL."""
    path = f"/{directory}/{file}"
    for start in AUTHORITIES:
        yield start + path
        yield start + path.replace("/", "\\")
        yield f"{start}/{directory}\\{file}"
        yield f"{start}/%{ord(directory[0]):02x}{directory[1:]}/{file}"
    for end in ("", "?a=b", "#a", "?\\", "#\\", "/"):
        yield f"/{directory}\\{file}{end}"
        yield f"//e/{directory}/{file}{end}"
    yield from (path.replace("/", slash) for slash in ("\\\\", "/\\", "\\/", "%5c", "/%5c"))
    yield from (f"/open{back}{path}" for back in ("\\..", "\\..\\..", "\\", "/\\..", "\\.", "//..", "/..//e"))
    for spelling in spellings():
        yield spelling.replace("maya", directory).replace("canary.txt", file)


# Host headers that become a part of the path if an application puts them in front of it.
HOSTS = [
    "e{}?", "e{}#", "e:80{}?", "{}?", "e?{}", "e#{}", "e@f{}?", "a@e", "e%2f", "e%5c", "e{}", "[::1]{}?", "e;{}", "e,f{}?", "\u00e9{}?",
]

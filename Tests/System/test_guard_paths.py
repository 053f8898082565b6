"""However a guarded path is spelt, whoever may not read the file does not get it."""

import re
from concurrent.futures import ThreadPoolExecutor
from itertools import product

import pytest

from harness.guarded import canary
from harness.raw import NAVIGATING, cookies, request, send, status

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
# Places that everybody may enter, and routes of the program, as a way in.
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
        for spelt in (*escaped, overlong, character.upper(), character + "\x00"):
            yield PATH[:index] + spelt + PATH[index + 1 :]
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


ALL = list(dict.fromkeys(spellings()))


@pytest.fixture(scope="module")
def answers(guarded_alone):
    """What Maya, somebody else and nobody are answered to every spelling."""
    clients = {"maya": guarded_alone.member(1), "else": guarded_alone.member(4), "nobody": guarded_alone.browser()}
    guarded_alone.responder.expected_errors.append("rule-missing")
    guarded_alone.server.expected_errors.append("invalid|failed|not found|forbidden")
    fields = {name: [*NAVIGATING, *cookies(browser)] for name, browser in clients.items()}
    with ThreadPoolExecutor(8) as pool:
        asked = {
            (name, path): pool.submit(send, guarded_alone.port, request(path, fields[name]))
            for name, path in product(clients, ALL)
        }
        return {key: future.result() for key, future in asked.items()}


def reads(answer):
    return canary("maya") in answer


def test_no_spelling_opens_the_file_to_whom_the_rule_does_not_admit(answers):
    assert len(ALL) >= 300
    for path in ALL:
        for client in ("else", "nobody"):
            assert canary("maya") not in answers[client, path], (client, path)
            # Not a byte of it, and nothing that tells it from a file that is not there, where the member finds it.
            if reads(answers["maya", path]):
                assert status(answers[client, path]) in ((303, 401) if client == "nobody" else (403,)), (client, path)


def test_many_spellings_open_the_file_to_the_member(answers):
    found = {path for path in ALL if reads(answers["maya", path])}
    assert len(found) > 30, "otherwise nothing was tried"
    assert {"/%6daya/canary.txt", "/maya%2fcanary.txt"} <= found


def test_path_with_dot_segments_is_refused(answers, guarded_alone):
    """An application would get it as it was sent, and may take it for another path than the server did."""
    for path, client in product(ALL, ("maya", "nobody")):
        plain = re.sub("%2e", ".", re.split("[?]", path)[0], flags=re.IGNORECASE) + " "
        if path.startswith("/") and re.search(r"(/|%2f|\\|%5c)\.\.?(/|%2f|\\|%5c|[;# ])", plain, re.IGNORECASE):
            assert status(answers[client, path]) in (400, 403, 404), (client, path)


@pytest.mark.parametrize("method", [b"HEAD", b"POST", b"OPTIONS", b"PROPFIND", b"get", b"QUERY"])
def test_no_method_opens_the_file(guarded_alone, method):
    for path in (PATH, "//maya/./canary.txt", "/anyone/%2e%2e/maya/canary.txt"):
        answer = send(guarded_alone.port, request(path, NAVIGATING, method, body=b"a=b" if method == b"POST" else b""))
        assert status(answer) >= 300 and canary("maya") not in answer
        assert f"Content-Length: {len(canary('maya'))}\r\n".encode() not in answer

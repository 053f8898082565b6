"""No request header forges an identity for an application or changes a decision of the guard."""

import base64
import json
import re
from concurrent.futures import ThreadPoolExecutor

import pytest

from harness.answer import Answer
from harness.guarded import EMAILS, SUBJECTS, Received, canary
from harness.raw import NAVIGATING, cookies, request, send, status

FORGED = {"subject": SUBJECTS[2], "email": EMAILS[2], "name": "Mallory", "groups": "forged-staff"}
WORDS = [
    ("x auth subject", FORGED["subject"]),
    ("x auth email", FORGED["email"]),
    ("x auth name", FORGED["name"]),
    ("x auth groups", FORGED["groups"]),
    ("auth groups", FORGED["groups"]),
    ("variable auth groups", FORGED["groups"]),
    ("auth subject", FORGED["subject"]),
    ("auth email", FORGED["email"]),
    ("auth name", FORGED["name"]),
    ("remote user", FORGED["subject"]),
    ("variable remote user", FORGED["subject"]),
    ("variable auth email", FORGED["email"]),
    ("http remote user", FORGED["subject"]),
    ("http x auth subject", FORGED["subject"]),
    ("redirect remote user", FORGED["subject"]),
    ("x remote user", FORGED["subject"]),
    ("x forwarded user", FORGED["subject"]),
    ("x forwarded email", FORGED["email"]),
    ("signin action", "denied"),
    ("signin require", "anyone"),
    ("http signin require", "anyone"),
]
SPELLINGS = [
    lambda words: "-".join(words).title(),
    lambda words: "_".join(words).upper(),
    lambda words: "_".join(words),
    lambda words: ".".join(words),
    lambda words: "!".join(words),
    lambda words: "-".join(words[:-1]) + "_" + words[-1],
    lambda words: "_".join(words[:-1]) + "-" + words[-1].upper(),
    lambda words: "-".join(words).swapcase(),
    lambda words: "~".join(words),
    lambda words: "-".join(words) + " ",
    lambda words: "-".join(words) + "\x00",
]
FORWARDED = [
    ("Authorization", "Basic " + base64.b64encode(f"{SUBJECTS[2]}:secret".encode()).decode()),
    ("Authorization", f"Bearer {SUBJECTS[2]}"),
    ("X-Forwarded-For", "127.0.0.1"),
    ("X-Forwarded-Host", "evil.example"),
    ("X-Forwarded-Proto", "https"),
    ("X-Forwarded-Uri", "/anyone/canary.txt"),
    ("Forwarded", "for=127.0.0.1;host=evil.example;proto=https"),
    ("X-Original-URI", "/anyone/canary.txt"),
    ("X-Original-URL", "/anyone/canary.txt"),
    ("X-Rewrite-URL", "/anyone/canary.txt"),
    ("X-HTTP-Method-Override", "OPTIONS"),
    ("X-Real-IP", "127.0.0.1"),
    ("X-Accel-Redirect", "/anyone/canary.txt"),
    ("User-Agent", "kube-probe/1.0"),
    ("Referer", "http://localhost/maya/"),
    ("Range", "bytes=0-"),
    ("Upgrade", "h2c"),
    ("Proxy", "http://evil.example"),
    ("Content-Length", "0"),
    ("Script-Name", "/anyone/canary.txt"),
    ("Request-URI", "/anyone/canary.txt"),
]
# Identity headers that no client may send, in the spellings of CGI and of HTTP libraries.
NEVER_TOLD = {"x_auth_subject", "x_auth_email", "x_auth_name", "x_auth_groups", "proxy"}
# lighttpd rejects requests with one of these.
NAMED = re.compile("x[-_.]auth[-_.](?:subject|email|name|groups)", re.IGNORECASE)
SINGLE = [(spell(words.split()), value) for words, value in WORDS for spell in SPELLINGS] + FORWARDED


@pytest.fixture(scope="module")
def site(guarded_alone):
    guarded_alone.responder.expected_errors.append("-")
    guarded_alone.server.expected_errors.append("invalid|conflict|forbidden")
    return guarded_alone


def target(site, place):
    return site.url_of(place, "").removeprefix(site.url)


def sets():
    """Each header alone, each pair of spellings of one name, and all at once."""
    yield from ([field] for field in SINGLE)
    for words, value in WORDS:
        yield [(spell(words.split()), value) for spell in SPELLINGS[:7]]
        yield [(spell(words.split()), value) for spell in SPELLINGS[:4]]
    yield [field for field in SINGLE if field[0] not in ("Authorization", "Content-Length") and field[0].isprintable()]


def received(answer):
    head, _, body = answer.partition(b"\r\n\r\n")
    if b"chunked" in head:
        body = body[body.index(b"{") : body.rindex(b"}") + 1]
    fields = [("Content-Type", "application/json")]
    # lighttpd also applies ranges to responses of applications; this range is the whole response.
    return Received(Answer(status(answer), fields, body)) if status(answer) in (200, 206) else None


def told_by_client(site, seen, headers):
    """The headers that reached the application under a name reserved for linkedin-signin or the web server."""
    if site.front == "lighttpd" and any("!" in name or "~" in name for name, _ in headers):
        return []  # the configuration says that these pass
    names = ((re.sub("[^a-z]", "_", name.lower()), value) for name, value in seen.received)
    plain = ((name if seen.kind == "http" else name.removeprefix("http_"), value) for name, value in names)
    sent = {value for _, value in headers}
    return [(name, value) for name, value in plain if name in NEVER_TOLD and value in sent]


@pytest.mark.parametrize("number", [None, 1, 5, 7], ids=["nobody", "maya", "without address", "address not verified"])
def test_an_application_never_sees_a_forged_identity(site, number):
    browser = site.member(number) if number else site.browser()
    truth = (SUBJECTS[number], EMAILS[number]) if number else (None, None)
    base = [*NAVIGATING, *cookies(browser)]
    places = ["open"] if site.front == "lighttpd" else ["open", "public"]
    places += ["app"] if number else []
    heard = 0
    with ThreadPoolExecutor(8) as pool:
        asked = {
            pool.submit(send, site.port, request(target(site, place), base + headers)): (place, headers)
            for place in places
            for headers in sets()
        }
    for future, (place, headers) in asked.items():
        seen = received(future.result())
        if seen is None:
            assert 400 <= status(future.result()) < 500, (place, headers, future.result())
            continue
        heard += 1
        assert seen.identity[:2] == truth, (place, headers, seen.received)
        assert seen.identity[2] != FORGED["name"], (place, headers)
        assert not any(seen.all("AUTH_GROUPS")), (place, headers)
        assert told_by_client(site, seen, headers) == [], (place, headers)
        if seen.kind != "http":
            assert all(len(seen.all(name)) <= 1 for name in ("REMOTE_USER", "AUTH_EMAIL", "AUTH_NAME")), seen.received
    assert heard > len(SINGLE) * len(places) * 0.7, "the web servers reject only a few of them"


def test_a_cgi_program_behind_lighttpd_never_sees_a_forged_identity(site):
    browser = site.member(1)
    for headers in sets():
        if len(headers) == 1:
            continue  # each request would start a process
        answer = send(site.port, request(target(site, "other"), [*NAVIGATING, *cookies(browser), *headers]))
        seen = received(answer)
        if status(answer) < 400:
            assert seen.identity == (SUBJECTS[1], EMAILS[1], "Maya Lindqvist")
            assert told_by_client(site, seen, headers) == [], headers


@pytest.mark.parametrize("place", ["maya", "missing"])
def test_no_request_header_changes_a_guard_decision(site, place):
    member, nobody = cookies(site.member(4)), []
    with ThreadPoolExecutor(8) as pool:
        for visitor, expected in ((member, 403), (nobody, 303 if place == "maya" else 403)):
            send_all = lambda headers: send(site.port, request(f"/{place}/canary.txt", [*NAVIGATING, *visitor, *headers]))
            for headers, answer in zip(sets(), pool.map(send_all, sets())):
                assert canary(place) not in answer and canary("anyone") not in answer, headers
                if site.front == "lighttpd" and any(NAMED.fullmatch(name) for name, _ in headers):
                    assert status(answer) in (400, 403), (headers, answer)
                    continue
                assert status(answer) in (expected, 400), (headers, answer)
                assert status(answer) == expected or not _is_plain(site, headers), (headers, answer)


def _is_plain(site, headers):
    """Whether no web server rejects any of them."""
    if site.kind == "nginx" and any(name.lower().startswith("x-auth-") for name, _ in headers):
        return False
    return all(name.replace("-", "").isalnum() and name != "Content-Length" for name, _ in headers) and len(headers) == 1


WRITTEN = {2: "伟 张", 3: "O’Connor-Núñez 👩🏽‍🔬", 6: "<img src=x", 7: "محمد الفارسي"}


def test_identity_headers_can_be_decoded(site):
    for number in WRITTEN:
        seen = site.ask("app", browser=site.member(number))
        (name,) = {value for value in seen.all("AUTH_NAME")}
        assert name.isascii() and name.isprintable()
        names = json.dumps(seen.identity, ensure_ascii=False)
        assert WRITTEN[number] in names

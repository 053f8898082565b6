"""Every fault behind a guard keeps it closed: no byte of a guarded file is served."""

import socket
import struct
from concurrent.futures import ThreadPoolExecutor

import pytest

from harness.faults import FAULTS, LOSING_SESSIONS, OF_SESSIONS
from harness.guarded import ALL_GUARDS, CANARY, GUARDS, SUBJECTS, Guarded, canary
from harness.process import wait_until
from harness.raw import NAVIGATING, cookies, request, send, status
from harness.records import AUTHORIZER, BEGIN, PARAMS, RESPONDER, STDIN, parameters, record, stream
from harness.site import SESSION, from_provider

REQUESTS = [(b"GET", []), (b"HEAD", []), (b"POST", []), (b"GET", [("Range", "bytes=0-9")]), (b"GET", [("Accept", "*/*")])]
RULE = {"SIGNIN_REQUIRE": f"subject={SUBJECTS[1]}"}


# The web servers, and nginx with kept verdicts.
FRONTS = [(front, None) for front in ALL_GUARDS] + [(front, "1s") for front in ALL_GUARDS if front != "lighttpd"]


@pytest.fixture(params=FRONTS, ids=["-".join(filter(None, front)) for front in FRONTS], scope="module")
def site(request, tmp_path_factory):
    front, verdicts = request.param
    with Guarded(tmp_path_factory.mktemp("g"), front, patience=1, verdicts=verdicts) as site:
        site.responder.expected_errors.append(".")
        site.server.expected_errors.append(".")
        site.clients = {"member": cookies(site.member()), "nobody": []}
        site.admits = lambda headers: CANARY in ask(site, site.clients["member"], b"GET", headers)
        # nginx asks about a request with Authorization also if it has a verdict.
        site.is_open = lambda: site.admits([("Authorization", "Basic YTpi")])
        yield site


def ask(site, cookie, method, headers, place="maya"):
    fields = [*NAVIGATING, *cookie, *headers]
    return send(site.port, request(f"/{place}/canary.txt", fields, method, body=b"a=b" if method == b"POST" else b""))


@pytest.mark.parametrize("fault", FAULTS, ids=[fault.__name__.replace("_", " ") for fault in FAULTS])
def test_a_fault_opens_nothing_and_leaves_nothing_behind(site, fault):
    wait_until(site.is_open, "the member let in before")
    assert site.admits([])
    cases = [(name, *sent) for name in site.clients for sent in REQUESTS]
    # One at a time if the requests compete for the same resource.
    with fault(site), ThreadPoolExecutor(1 if fault in OF_SESSIONS else len(cases)) as pool:
        wait_until(lambda: not site.admits([]), "the end of a kept verdict")
        answers = list(pool.map(lambda case: ask(site, site.clients[case[0]], *case[1:]), cases))
    for (name, method, headers), answer in zip(cases, answers):
        assert CANARY[:10] not in answer and f"Content-Length: {len(canary('maya'))}\r\n".encode() not in answer
        asks_to_sign_in = name == "nobody" and fault in OF_SESSIONS or fault in LOSING_SESSIONS
        assert status(answer) >= (300 if asks_to_sign_in else 403), (name, method, answer)
    wait_until(site.is_open, "the member let in again")


def hostile_cookies(value):
    other = "A" * len(value)
    changed = [value[:-1], value + "A", value.swapcase(), f'"{value}"', value + "%00", value[::-1]]
    for text in ("", other, *changed, "../" * 9, "\u00ff" * 43, "A" * 7000):
        yield [("Cookie", f"{SESSION}={text}")]
    for first, second in ((value, other), (other, value), (value, "")):
        yield [("Cookie", f"{SESSION}={first}; {SESSION}={second}")]
    yield [("Cookie", f"{SESSION}={value}"), ("Cookie", f"{SESSION}={other}")]
    yield [("Cookie", f"{SESSION}={other}"), ("Cookie", f"{SESSION}={value}")]
    yield [("Cookie", f"{SESSION.lower()}={value}")]
    yield [("Cookie", f"session={value}")]
    yield [("Cookie", ";" * 5000)]
    yield [("Authorization", f"Bearer {value}"), ("X-Session", value)]
    yield [(f"X-{number}", "a" * 1000) for number in range(200)]


def test_no_other_cookie_opens_a_guarded_file(site):
    (member,) = site.clients["member"]
    value = dict(pair.split("=", 1) for pair in member[1].split("; "))[SESSION]
    assert CANARY in ask(site, [("Cookie", f"{SESSION}={value}")], b"GET", []), "the valid cookie opens it"
    for headers in hostile_cookies(value):
        for method, more in REQUESTS:
            answer = ask(site, headers, method, more)
            assert CANARY[:10] not in answer and (status(answer) >= 300 or not answer), (headers, answer)


@pytest.mark.parametrize("role", [RESPONDER, AUTHORIZER])
def test_truncated_parameters_are_never_allowed(site, role):
    (member,) = site.clients["member"]
    values = {"REQUEST_METHOD": "GET", "SCRIPT_NAME": "/auth", "REQUEST_URI": "/auth", "HTTP_COOKIE": member[1], **RULE}
    values |= {"SIGNIN_ACTION": "authorize", "QUERY_STRING": "", "SERVER_PROTOCOL": "HTTP/1.1"}
    begin, whole = record(BEGIN, struct.pack("!HB5x", role, 0)), parameters(values)
    assert b"Status: 200" in exchange(site, begin + stream(PARAMS, whole) + stream(STDIN, b""))
    cuts = [len(parameters(dict(list(values.items())[:count]))) for count in range(len(values))]
    for cut in [*cuts, *range(0, len(whole), 7)]:
        content = begin + record(PARAMS, whole[:cut])
        for sent in (content, content + record(STDIN), content + record(PARAMS)[:-1]):
            assert b"Status: 200" not in exchange(site, sent), cut
    # A truncated rule is a different rule and must not be used: here the whole stream ends too early.
    for cut in range(1, len(whole)):
        if cut not in cuts:
            assert b"Status: 200" not in exchange(site, begin + stream(PARAMS, whole[:cut]) + stream(STDIN, b"")), cut


def test_oversized_parameters_are_never_allowed(site):
    (member,) = site.clients["member"]
    values = {"REQUEST_METHOD": "GET", "SCRIPT_NAME": "/auth", "HTTP_COOKIE": member[1], **RULE}
    begin = record(BEGIN, struct.pack("!HB5x", AUTHORIZER, 0))
    for long in ({f"HTTP_X_{n}": "a" * 1000 for n in range(300)}, {"HTTP_X": "a" * 300_000}, {"X" * 300_000: ""}):
        assert b"Status: 200" not in exchange(site, begin + stream(PARAMS, parameters(values | long)) + stream(STDIN, b""))
    for rule in ("", " ", "member " * 3 + "nobody", "anyone member", "member,", "subject=", "Member", "\u00a0member"):
        content = parameters(values | {"SIGNIN_REQUIRE": rule})
        assert b"Status: 200" not in exchange(site, begin + stream(PARAMS, content) + stream(STDIN, b"")), rule


def exchange(site, content):
    """The response of the program to these bytes on its socket."""
    answer = b""
    with socket.socket(socket.AF_UNIX) as peer:
        peer.settimeout(20)
        peer.connect(str(site.responder.socket))
        try:
            peer.sendall(content)
            peer.shutdown(socket.SHUT_WR)
            while piece := peer.recv(65536):
                answer += piece
        except ConnectionError:
            pass
    return answer


@pytest.mark.parametrize("front", GUARDS)
def test_a_full_disk_admits_no_visitor_without_a_session(make_guarded, mount_namespace, front):
    with make_guarded(front) as site:
        site.responder.expected_errors.append("store-failed")
        site.responder.stop()
        script = 'mount -t tmpfs -o size=256k,mode=700 none "$1" && shift && exec "$@"'
        site.responder.wrapper = [*mount_namespace, "sh", "-c", script, "sh", site.responder.state]
        site.responder.start()
        member, nobody = site.member(), site.browser()
        inside = f"/proc/{site.responder.process.pid}/root{site.responder.state}"
        with open(f"{inside}/filler", "wb", buffering=0) as filler, pytest.raises(OSError):
            while True:
                filler.write(bytes(4096))
        answer = nobody.get(site.url_of("member"))
        assert answer.status == 303 and CANARY not in answer.body
        answer = nobody.get(site.consent(answer.location), headers=from_provider())
        assert answer.status == 503 and SESSION not in answer.set_cookies
        assert nobody.get(site.url_of("member")).status == 303
        assert CANARY in member.get(site.url_of("member")).body, "reading a session needs no space"

"""Faults of responses and connections."""

import base64
import http.client
import json
import socket
import time

import pytest

from simulator import Simulator

pytestmark = pytest.mark.nightly

JWKS = "/oauth/openid/jwks"


def connect(linkedin):
    host, _, port = linkedin.host.partition(":")
    return socket.create_connection((host, int(port)), timeout=5)


def wire(linkedin, path=JWKS):
    """Everything that a kept connection receives until it is closed."""
    with connect(linkedin) as connection:
        connection.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        return b"".join(iter(lambda: connection.recv(65536), b""))


# Over the wire


def test_a_response_can_be_delayed(linkedin):
    linkedin.fault("jwks", "delay", count=1, ms=300)
    start = time.monotonic()
    assert linkedin.get(JWKS).status == 200
    assert 0.3 <= time.monotonic() - start < 2


def test_a_request_can_hang(linkedin):
    linkedin.fault("jwks", "hang", count=1)
    with pytest.raises(TimeoutError):
        linkedin.get(JWKS, timeout=0.3)
    assert linkedin.get(JWKS).status == 200


def test_a_connection_can_be_closed(linkedin):
    linkedin.fault("jwks", "close", count=1)
    assert wire(linkedin) == b""


def test_a_response_can_arrive_slowly(linkedin):
    linkedin.fault("v1", "drip", count=1, ms=5)
    with connect(linkedin) as connection:
        connection.sendall(b"GET /v1/people/~:(public-profile-url) HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        pieces = list(iter(lambda: connection.recv(65536), b""))
    body = b"".join(pieces).partition(b"\r\n\r\n")[2]
    assert json.loads(body)["status"] == 410
    assert len(pieces) > len(body) / 2


def test_a_response_can_be_truncated(linkedin):
    linkedin.fault("jwks", "truncated", count=1, bytes=7)
    with pytest.raises(http.client.IncompleteRead) as broken:
        linkedin.get(JWKS)
    assert broken.value.expected == 7
    assert json.loads(broken.value.partial)["keys"]


def test_a_chunked_response_can_be_truncated(linkedin):
    linkedin.fault("jwks", "truncated-chunks", count=1)
    head, _, body = wire(linkedin).partition(b"\r\n\r\n")
    assert b"Transfer-Encoding: chunked" in head
    assert body.endswith(b"}\r\n")


def test_a_response_can_be_huge(linkedin):
    linkedin.fault("jwks", "huge", count=1)
    reply = linkedin.get(JWKS)
    assert len(reply.body) > 2 << 20
    assert reply.json["keys"]
    assert "content-length" not in reply.headers


def test_a_redirect_leads_to_a_counted_path(linkedin):
    linkedin.fault("token", "redirect", count=1, status=307)
    reply = linkedin.exchange("a-code")
    assert (reply.status, reply.headers["location"]) == (307, f"{linkedin.url}/elsewhere/token")
    assert linkedin.count("elsewhere") == 0
    linkedin.request("POST", reply.headers["location"], form={"client_secret": "leaked"})
    [request] = linkedin.requests("elsewhere")
    assert request["form"] == [["client_secret", "leaked"]]


@pytest.mark.parametrize("fault", ["garbage", "html", "empty"])
def test_a_body_can_be_something_other_than_json(linkedin, fault):
    linkedin.fault("token", fault, count=1)
    reply = linkedin.exchange("a-code")
    assert reply.status == 200
    with pytest.raises(ValueError):
        reply.json


def test_any_response_can_be_set(linkedin):
    linkedin.fault("jwks", "answer", count=1, status=299, type="text/odd", body="é")
    reply = linkedin.get(JWKS)
    assert (reply.status, reply.headers["content-type"], reply.text) == (299, "text/odd", "é")
    linkedin.fault("jwks", "answer", count=1, body64=base64.b64encode(b"\xff\x00").decode())
    assert linkedin.get(JWKS).body == b"\xff\x00"


def test_any_header_can_be_set(linkedin):
    headers = {"Content-Length": ["2", "3"], "Content-Encoding": "gzip", "X": "y" * 70000}
    linkedin.fault("jwks", "answer", count=1, version="HTTP/9.9", body="{}{}", headers=headers)
    with connect(linkedin) as connection:
        connection.sendall(f"GET {JWKS} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
        head, _, body = b"".join(iter(lambda: connection.recv(65536), b"")).partition(b"\r\n\r\n")
    lines = head.split(b"\r\n")
    assert lines[0] == b"HTTP/9.9 200 OK"
    assert [line for line in lines if line.startswith(b"Content-")] == [
        b"Content-Encoding: gzip",
        b"Content-Length: 2",
        b"Content-Length: 3",
        b"Content-Type: application/json",
    ]
    assert b"X: " + b"y" * 70000 in lines
    assert body == b"{}{}"


@pytest.mark.parametrize(
    ("endpoint", "status", "member"),
    [
        ("token", 400, ("error", "invalid_redirect_uri")),
        ("token", 401, ("error", "invalid_client")),
        ("token", 429, ("serviceErrorCode", 101)),
        ("token", 500, ("error", "server_error")),
        ("userinfo", 401, ("serviceErrorCode", 65600)),
        ("userinfo", 403, ("serviceErrorCode", 100)),
        ("userinfo", 429, ("serviceErrorCode", 101)),
        ("identityMe", 426, ("code", "NONEXISTENT_VERSION")),
        ("me", 504, ("status", 504)),
    ],
)
def test_any_status_can_be_set(linkedin, endpoint, status, member):
    linkedin.fault(endpoint, "status", count=1, status=status)
    paths = {"userinfo": "/v2/userinfo", "identityMe": "/rest/identityMe", "me": "/v2/me"}
    reply = linkedin.exchange("a-code") if endpoint == "token" else linkedin.get(paths[endpoint])
    assert reply.status == status
    assert reply.json[member[0]] == member[1]
    assert ("retry-after" in reply.headers) == (status == 429)


def test_each_kind_of_401_has_its_own_text(linkedin):
    for code in [65600, 65601, 65602, 65604]:
        linkedin.fault("userinfo", "status", count=1, status=401, code=code)
        assert linkedin.get("/v2/userinfo").json["serviceErrorCode"] == code


def test_retry_after_can_be_nonsense(linkedin):
    linkedin.fault("userinfo", "status", count=1, status=429, retry_after="soon")
    assert linkedin.get("/v2/userinfo").headers["retry-after"] == "soon"


def test_tokens_can_be_revoked_for_a_time(linkedin):
    token = linkedin.tokens()["access_token"]
    linkedin.fault("userinfo", "revoked", count=2)
    replies = [linkedin.get("/v2/userinfo", token=token) for _ in range(3)]
    assert [reply.status for reply in replies] == [401, 401, 200]
    assert replies[0].json["code"] == "REVOKED_ACCESS_TOKEN"


def test_the_token_endpoint_can_return_the_tokens_of_another_member(linkedin):
    own = linkedin.get("/v2/userinfo", token=linkedin.tokens()["access_token"]).json["sub"]
    for id_token in ("yes", "no"):
        linkedin.fault("token", "other-member", count=1, member=2, id_token=id_token)
        tokens = linkedin.tokens()
        assert linkedin.get("/v2/userinfo", token=tokens["access_token"]).json["sub"] != own
        assert ("id_token" in tokens) == (id_token == "yes")


# Load


def test_two_hundred_hanging_requests_do_not_delay_others(linkedin):
    linkedin.fault("token", "hang")
    descriptors = linkedin.open_descriptors()
    waiting = [connect(linkedin) for _ in range(200)]
    for connection in waiting:
        connection.sendall(b"POST /oauth/v2/accessToken HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n")
    assert len(linkedin.requests("token", at_least=200)) == 200
    linkedin.clear_faults()
    start = time.monotonic()
    linkedin.tokens()
    assert time.monotonic() - start < 3
    assert linkedin.open_descriptors() > 200
    for connection in waiting:
        connection.close()
    deadline = time.monotonic() + 5
    while linkedin.open_descriptors() > descriptors and time.monotonic() < deadline:
        linkedin.get(JWKS)
    assert linkedin.open_descriptors() <= descriptors


def test_a_signal_ends_the_simulator_although_requests_hang():
    with Simulator() as simulator:
        simulator.fault("jwks", "hang")
        with connect(simulator) as connection:
            connection.sendall(f"GET {JWKS} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
            simulator.requests("jwks", at_least=1)
            start = time.monotonic()
            assert simulator.stop() == 0
            assert time.monotonic() - start < 2

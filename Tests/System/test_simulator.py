"""The command, and the simulator's authorization endpoint."""

import html
import re
import signal
import subprocess
import time

import pytest

import id_token
from simulator import BINARY, Simulator, query_of

pytestmark = pytest.mark.nightly


# The command


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_simulator_with_status_0_even_at_once(number):
    for _ in range(5):
        with Simulator() as simulator:
            simulator.process.send_signal(number)
            assert simulator.process.wait(timeout=5) == 0


def test_the_simulator_listens_within_a_second():
    seconds = []
    for _ in range(3):
        start = time.monotonic()
        with Simulator():
            seconds.append(time.monotonic() - start)
    assert min(seconds) < 1


def test_a_port_in_use_is_an_error(linkedin):
    port = linkedin.url.rpartition(":")[2]
    run = subprocess.run([BINARY, "--port", port], capture_output=True, text=True, timeout=5)
    assert run.returncode != 0
    assert "listening" not in run.stdout
    assert run.stderr.startswith("Error:")


def test_help_names_every_control_path():
    run = subprocess.run([BINARY, "--help"], capture_output=True, text=True, timeout=5)
    for path in ["/oauth/v2/authorization", "/rest/identityMe", "/control/faults", "decision", "wrong-signature"]:
        assert path in run.stdout


def test_quiet_prints_no_requests():
    with Simulator("--quiet") as quiet, Simulator() as talkative:
        for simulator in [quiet, talkative]:
            simulator.get("/oauth/openid/jwks")
        assert "jwks" in talkative.messages()
        assert quiet.messages() == ""


def test_the_simulator_signs_with_the_key_that_it_is_given(tmp_path):
    key = tmp_path / "key.pem"
    subprocess.run(["openssl", "genrsa", "-out", key, "2048"], check=True, capture_output=True)
    public = []
    for _ in range(2):
        with Simulator("--signing-key", str(key)) as simulator:
            (published,) = simulator.get("/oauth/openid/jwks").json["keys"]
            assert id_token.verifies(simulator.tokens()["id_token"], published)
            public.append(published["n"])
            simulator.rotate_key()
            public.append(simulator.get("/oauth/openid/jwks").json["keys"][0]["n"])
    assert public[0] == public[2] and len(set(public)) == 3


def test_a_file_without_a_signing_key_is_an_error(tmp_path):
    (tmp_path / "empty").touch()
    for name in ("empty", "missing"):
        run = subprocess.run([BINARY, "--signing-key", tmp_path / name], capture_output=True, text=True, timeout=5)
        assert run.returncode != 0 and run.stdout == ""
        assert f"--signing-key: {tmp_path / name} is not a readable RSA key" in run.stderr


# Authorization


@pytest.mark.parametrize("changes", [{"client_id": "another"}, {"client_id": None}, {"redirect_uri": None}])
def test_an_unknown_application_gets_a_page_and_no_redirect(linkedin, changes):
    reply = linkedin.get(linkedin.authorization_url(**changes))
    assert reply.status == 400
    assert "Bummer, something went wrong" in reply.text
    assert "location" not in reply.headers


@pytest.mark.parametrize("change", ["/", "?", "/../oauth", "%20"])
def test_the_redirect_uri_is_compared_exactly(linkedin, change):
    reply = linkedin.get(linkedin.authorization_url(redirect_uri=linkedin.redirect_uri + change))
    assert reply.status == 400
    assert "redirect_uri does not match" in reply.text


@pytest.mark.parametrize(
    ("scope", "error"),
    [
        ("r_liteprofile", "unauthorized_scope_error"),
        ("openid nonsense", "invalid_scope_error"),
        ("openid", "openid_insufficient_scope_error"),
        (None, "invalid_request"),
    ],
)
def test_a_wrong_scope_is_reported_to_the_application(linkedin, scope, error):
    location = linkedin.get(linkedin.authorization_url(scope=scope)).headers["location"]
    assert location.startswith(linkedin.redirect_uri + "?")
    answer = query_of(location)
    assert answer["error"] == error
    assert answer["state"] == "a-state"
    assert "code" not in answer


def test_a_refused_scope_is_described_with_html_entities(linkedin):
    location = linkedin.get(linkedin.authorization_url(scope="r_liteprofile")).headers["location"]
    assert "error_description=Scope+%26quot%3Br_liteprofile%26quot%3B+is+not+authorized+for+your+application" in location


def test_another_response_type_is_reported_to_the_application(linkedin):
    location = linkedin.get(linkedin.authorization_url(response_type="token")).headers["location"]
    assert query_of(location)["error"] == "unsupported_response_type"


def test_the_consent_page_offers_every_member_and_runs_no_script(linkedin):
    reply = linkedin.get(linkedin.authorization_url())
    assert reply.status == 200
    assert len(re.findall('<input type="radio" name="member"', reply.text)) == 7
    for name in ["Maya Lindqvist", "伟 张", "Zoë 🚀 O’Connor-Núñez 👩🏽‍🔬", "Teguh", "Олена Коваленко", "محمد الفارسي"]:
        assert f"<bdi>{name}</bdi>" in reply.text
    assert html.escape("<script>alert(2)</script>") in reply.text
    assert "<script" not in reply.text
    assert not re.search(r'(src|href|action)="(?!/dms/)', reply.text)
    assert "default-src 'none'" in reply.headers["content-security-policy"]


@pytest.mark.parametrize(
    ("decision", "error"),
    [
        ("cancel", ("user_cancelled_login", "The user cancelled LinkedIn login")),
        ("deny", ("user_cancelled_authorize", "The user cancelled the authorization")),
    ],
)
def test_a_member_can_refuse(linkedin, decision, error):
    answer = query_of(linkedin.decide(linkedin.authorization_url(), decision=decision))
    assert answer == {"error": error[0], "error_description": error[1], "state": "a-state"}


def test_a_member_can_consent_without_being_asked(linkedin):
    linkedin.settings(consenting_member=3)
    try:
        code = query_of(linkedin.get(linkedin.authorization_url()).headers["location"])["code"]
    finally:
        linkedin.settings(consenting_member=0)
    assert id_token.claims(linkedin.exchange(code).json["id_token"])["given_name"] == "Zoë 🚀"


def test_a_sign_in_without_state_returns_none(linkedin):
    assert set(query_of(linkedin.decide(linkedin.authorization_url(state=None)))) == {"code"}

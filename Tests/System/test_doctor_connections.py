"""`doctor`: which certificate authorities and which proxy the calls to LinkedIn use."""

import socket
import subprocess

import pytest

from harness.doctor import diagnose
from test_doctor import https, provider, responder  # noqa: F401


def test_an_additional_authority_is_trusted_besides_the_others(responder, https, certificate, directory):  # noqa: F811
    changes = {"SIGNIN_TOKEN_ENDPOINT": f"{https}/token", "SIGNIN_EXTRA_CA_FILE": f"{certificate}.pem"}
    assert diagnose(responder, changes=changes).faults == {"certificate-ending", "endpoint-other"}
    # Another authority replaces those of the system.
    other = directory / "other.pem"
    subject = ["-subj", "/CN=other", "-days", "2", "-keyout", "/dev/null", "-out", other]
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", *subject], check=True, capture_output=True)
    assert diagnose(responder, changes={**changes, "SIGNIN_CA_FILE": str(other)}).faults == {"certificate-ending", "endpoint-other"}
    found = diagnose(responder, changes={**changes, "SIGNIN_EXTRA_CA_FILE": str(other), "SIGNIN_CA_FILE": f"{certificate}.pem"})
    assert found.faults == {"certificate-ending", "endpoint-other"}, found.text
    assert diagnose(responder, changes={**changes, "SIGNIN_EXTRA_CA_FILE": str(other)}).faults == {"endpoint-untrusted"}


@pytest.mark.parametrize(("variables", "expected"), [
    ({}, "none"),
    ({"https_proxy": "http://a:b@127.0.0.1:9"}, "https_proxy=http://<redacted>@127.0.0.1:9, from the environment of this command or of the unit"),
    ({"ALL_PROXY": "http://127.0.0.1:9", "no_proxy": "example.com, localhost"}, "none"),
])
def test_the_proxy_of_each_host_is_named(responder, https, variables, expected):  # noqa: F811
    environment = ["env", "no_proxy=", *(f"{name}={value}" for name, value in variables.items())]
    found = diagnose(responder, changes={"SIGNIN_TOKEN_ENDPOINT": f"{https}/token"}, wrapper=environment)
    assert {entry["what"] for entry in found.report["passed"] if entry["subject"] == "proxy for localhost"} == {expected}
    # The proxy refuses connections, so the finding shows that libcurl used it.
    assert ("endpoint-unreachable" in found.faults) == (expected != "none"), found.text
    if expected != "none":
        finding = found.finding("endpoint-unreachable")
        assert finding["what"].endswith(", through the proxy https_proxy=http://<redacted>@127.0.0.1:9"), finding
        assert finding["remedies"][0].startswith("start or correct the proxy https_proxy=http://<redacted>@127.0.0.1:9"), finding


def test_the_command_that_names_who_listens_looks_at_ports_too(responder):  # noqa: F811
    with socket.create_server(("127.0.0.1", 0)) as other:
        address = f"127.0.0.1:{other.getsockname()[1]}"
        found = diagnose(responder, changes={"SIGNIN_LISTEN": f"tcp:{address}"})
    assert f"is it linkedin-signin that listens there? ss -lxtnp | grep {address}" in found.finding("program-silent")["remedies"]

"""`doctor`: which certificate authorities and which proxy the calls to LinkedIn use."""

import socket
import subprocess

import pytest

from harness.doctor import THIS_MONTH, diagnose
from harness.guarding import replaced
from test_check import check
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


def test_a_client_certificate_that_nginx_requires_is_named(make_site, certificate):
    authority = f"ssl_verify_client on; ssl_client_certificate {certificate}.pem;"
    settings = {"LINKEDIN_VERSION": THIS_MONTH, "SIGNIN_CA_FILE": f"{certificate}.pem"}
    with make_site(certificate=certificate, settings=settings, edit=lambda text: text.replace("http {", f"http {{ {authority}", 1)) as site:
        found = diagnose(site.responder, "--url", site.url)
    assert found.faults == {"certificate-ending", "site-route-missing"}, found.text
    finding = found.finding("site-route-missing")
    assert finding["what"] == "HTTP 400 “No required SSL certificate was sent”: nginx demands a client certificate", finding
    assert "ssl_verify_client optional" in finding["remedies"][0], finding


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


def test_a_site_behind_a_dead_proxy_of_the_service_is_not_called_unreachable(responder, https):  # noqa: F811
    proxy = "https_proxy=http://127.0.0.1:9"
    environment = ["env", "no_proxy=", proxy]
    found = diagnose(responder, "--url", https, wrapper=environment)
    assert found.faults == {"site-proxy"} and f", through the proxy {proxy}; " in found.finding("site-proxy")["what"], found.text
    remedies = found.finding("site-proxy")["remedies"]
    assert remedies[0].startswith(f"start or correct the proxy {proxy}") and remedies[1].startswith("or write no_proxy=localhost "), remedies
    found = diagnose(responder, "--url", https, changes={"SIGNIN_TOKEN_ENDPOINT": f"{https}/token"}, wrapper=environment)
    assert found.faults == {"endpoint-unreachable"} and https in str(found.finding("endpoint-unreachable")["also"]), found.text


@pytest.mark.parametrize(("proxy", "words"), [
    ("htp://proxy:3128", "https_proxy: is htp://proxy:3128, which has the scheme htp, but libcurl knows only http, https, socks"),
    ("http://a:b@proxy:port", "https_proxy: is http://<redacted>@proxy:port, which has the port “port” instead of a number"),
    ("proxy:70000", "has the port “70000”"), ("http://:3128", "has no host"), ("http://[::1", "has no host"),
])
def test_a_proxy_that_libcurl_cannot_use_is_an_error(directory, responder, https, proxy, words):  # noqa: F811
    status, errors, _ = check(directory, https_proxy=proxy)
    assert status == 78 and words in errors, errors
    environment = ["env", "no_proxy=", f"https_proxy={proxy}"]
    found = diagnose(responder, "--url", https, changes={"SIGNIN_TOKEN_ENDPOINT": f"{https}/token"}, wrapper=environment)
    assert found.faults == {"settings-invalid"}, found.text


@pytest.mark.parametrize("proxy", ["proxy", "proxy:3128", "http://a:b@proxy.example:3128/", "socks5h://[::1]:1080", "HTTPS://proxy", ""])
def test_a_proxy_that_libcurl_can_use_is_no_error(directory, proxy):
    assert check(directory, https_proxy=proxy)[:2] == (0, "")


def test_the_command_that_names_who_listens_looks_at_ports_too(responder):  # noqa: F811
    with socket.create_server(("127.0.0.1", 0)) as other:
        address = f"127.0.0.1:{other.getsockname()[1]}"
        found = diagnose(responder, changes={"SIGNIN_LISTEN": f"tcp:{address}"})
    assert f"if the process that listens at {address} is not linkedin-signin, stop it; this command shows it: ss -lxtnp | grep {address}" in found.finding("program-silent")["remedies"]


def test_lighttpd_with_http_2_answers_all_questions(make_site, certificate):
    settings = {"LINKEDIN_VERSION": THIS_MONTH, "SIGNIN_CA_FILE": f"{certificate}.pem"}
    without = lambda text: replaced(text, '"server.h2proto" => "disable"', '"server.h2proto" => "enable"')
    with make_site(front="lighttpd", guard=["--location", "/private/"], edit=without, certificate=certificate, settings=settings) as site:
        found = diagnose(site.responder, "--url", site.url, "--guarded", "/private/")
    assert found.faults == {"certificate-ending"} and "HTTP/2" not in found.text, found.text


HANDSHAKES = {
    "proxy-protocol": (lambda text: text.replace(" ssl http2;", " ssl http2 proxy_protocol;"), 0, "if the server expects the PROXY protocol"),
    "old-tls": (lambda text: text.replace("TLSv1.2 TLSv1.3;", "TLSv1;"), 1, "such as ssl_protocols TLSv1; in nginx"),
}


@pytest.mark.parametrize("kind", HANDSHAKES)
def test_a_web_server_whose_handshake_fails_is_not_accused_of_its_certificate(make_site, certificate, kind):
    edit, number, words = HANDSHAKES[kind]
    settings = {"LINKEDIN_VERSION": THIS_MONTH, "SIGNIN_CA_FILE": f"{certificate}.pem"}
    with make_site(certificate=certificate, settings=settings, edit=edit) as site:
        site.server.expected_errors += ["broken header", "SSL"]
        finding = diagnose(site.responder, "--url", site.url).finding("endpoint-untrusted")
    assert finding["what"] == "localhost: the TLS handshake failed before a certificate was judged", finding
    assert words in finding["remedies"][number] and finding["remedies"][-1].startswith("the error log of the server has the reason"), finding


@pytest.mark.parametrize("version", ["TLSv1.2", "TLSv1.3"])
def test_a_client_certificate_that_lighttpd_requires_is_named(make_site, certificate, version):
    lines = f'ssl.verifyclient.activate = "enable"\nssl.verifyclient.enforce = "enable"\nssl.verifyclient.ca-file = "{certificate}.pem"\n'
    settings = {"LINKEDIN_VERSION": THIS_MONTH, "SIGNIN_CA_FILE": f"{certificate}.pem"}
    edit = lambda text: replaced(text, '"MinProtocol" => "TLSv1.2"', f'"MaxProtocol" => "{version}"') + lines
    with make_site(front="lighttpd", certificate=certificate, settings=settings, edit=edit) as site:
        site.server.expected_errors.append("SSL")
        finding = diagnose(site.responder, "--url", site.url).finding("endpoint-untrusted")
    assert finding["what"] == "localhost: the server demands a client certificate, and ended the connection without it", finding
    assert finding["remedies"][0].startswith('in lighttpd, write ssl.verifyclient.enforce = "disable" next to'), finding

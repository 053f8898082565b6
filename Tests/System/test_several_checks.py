"""`check` and `doctor` about several providers, and client secrets that systemd passes."""

import shutil
import subprocess

import pytest

from harness.browser import Browser
from harness.doctor import DIFFERENT, diagnose
from harness.process import BINARIES, surroundings
from harness.providers import PACKAGES, SECRET, Idpyoidc, Mock
from harness.several import SeveralSite, serving, several

pytestmark = pytest.mark.skipif(not PACKAGES.exists(), reason="deploy/packages test could not download the providers")
REAL = {"idp": Idpyoidc, "mock": Mock}


def test_doctor_names_the_provider_with_a_fault_and_reports_the_others_as_usable(directory):
    with several(directory, REAL, names=dict.fromkeys(REAL, "Example")) as site:
        faults = {"discovery-unavailable", "discovery-invalid", "endpoint-unreachable", "endpoint-unexpected", "keys-unusable", "settings-not-loaded"}
        found = diagnose(site.responder)
        assert not faults & set(found.codes), found.text
        silent = {"subject": f"mock: PROVIDER_ISSUER {site.providers['mock'].issuer}", "what": "its discovery document can be used"}
        assert silent in found.report["passed"], found.text
        site.providers["mock"].stop()
        found = diagnose(site.responder)
        finding = found.finding("discovery-unavailable")
        assert finding["subject"] == "mock: PROVIDER_ISSUER"
        assert f"{site.providers['mock'].issuer}/.well-known/openid-configuration: " in finding["what"]
        assert finding["what"].endswith("Couldn't connect to server; sign-ins with the other providers still work"), finding
        assert "nobody can sign in with this provider" in finding["why"]
        passed = {entry["subject"]: entry["what"] for entry in found.report["passed"]}
        # Its discovery document announces logout tokens.
        what = f"its discovery document can be used; to receive logout tokens, register {site.url}/oauth/idp as back-channel logout URL"
        assert passed[f"idp: PROVIDER_ISSUER {site.providers['idp'].issuer}"] == what
        assert passed["idp: key set"] == "has a key that can verify ID tokens"
        assert [subject for subject in passed if subject.startswith("linkedin: SIGNIN_TOKEN_ENDPOINT ")]
        assert not [subject for subject in passed if subject.startswith("mock: ")]
        assert faults & set(found.codes) == {"discovery-unavailable"}, found.text


def test_doctor_finds_a_wrong_endpoint_of_one_provider_and_that_the_program_has_not_loaded_it(directory):
    with several(directory, REAL) as site:
        site.add("idp", SIGNIN_TOKEN_ENDPOINT="http://127.0.0.1:1/token")
        found = diagnose(site.responder)
        changed = f"{DIFFERENT}; other values: SIGNIN_TOKEN_ENDPOINT in {site.folder}/idp"
        assert found.finding("settings-not-loaded")["what"] == changed
        finding = found.finding("endpoint-unreachable")
        assert finding["subject"].startswith("idp: SIGNIN_TOKEN_ENDPOINT") and "127.0.0.1:1" in str(finding), finding


def test_doctor_finds_a_redirect_address_that_the_web_server_does_not_know(directory):
    with several(directory, REAL) as site:
        found = diagnose(site.responder, "--url", site.url)
        assert "site-route-missing" not in found.codes, found.text
        whats = [entry["what"] for entry in found.report["passed"]]
        assert f"leads to LinkedIn, and back to {site.url}/oauth" in whats, found.text
        shutil.copy(site.folder / "mock", site.folder / "third")
        finding = diagnose(site.responder, "--url", site.url).finding("site-route-missing")
        assert finding["subject"] == f"{site.url}/oauth/third" and finding["what"].startswith("HTTP 404"), finding


def test_check_lists_the_redirect_url_of_each_provider_and_all_errors_with_their_places(directory):
    with several(directory, REAL, names={"idp": "Example"}) as site:
        command = [BINARIES / "linkedin-signin", "check", "--settings-file", site.responder.write_settings()]
        done = subprocess.run(command, capture_output=True, text=True, env=surroundings())
        assert done.returncode == 0, done.stderr
        for name, path in (("LinkedIn", "/oauth"), ("Example", "/oauth/idp"), ("127.0.0.1", "/oauth/mock")):
            assert f"register this redirect URL at {name}: {site.url}{path}\n" in done.stdout, done.stdout
        assert " and mock have the same " not in done.stdout
        shutil.copy(site.folder / "mock", site.folder / "third")
        done = subprocess.run(command, capture_output=True, text=True, env=surroundings())
        for what in ("name “127.0.0.1”, so visitors", "issuer and the same client ID, so a person"):
            assert f"note: the providers mock and third have the same {what}" in done.stdout, done.stdout
        (site.folder / "third").unlink()
        site.add("idp", PROVIDER_ISSUER="http://sso.example.com")
        site.add("mock", PROVIDER_CLIENT_ID="")
        done = subprocess.run(command, capture_output=True, text=True, env=surroundings())
        assert done.returncode == 78
        (idp,) = [line for line in done.stderr.splitlines() if f"{site.folder}/idp:1: PROVIDER_ISSUER" in line]
        assert "https" in idp
        assert [line for line in done.stderr.splitlines() if f"{site.folder}/mock" in line and "PROVIDER_CLIENT_ID" in line]


def test_check_names_each_provider_whose_document_was_never_fetched(directory):
    site = SeveralSite(directory, REAL)
    command = [BINARIES / "linkedin-signin", "check", "--settings-file"]

    def noted():
        done = subprocess.run([*command, site.responder.write_settings()], capture_output=True, text=True, env=surroundings())
        assert done.returncode == 0, done.stderr
        return {name for name in REAL if f"has not fetched the discovery document of {name} yet" in done.stdout}, done.stdout

    with site:
        names, text = noted()
        assert names == set(REAL) and text.count("note: PROVIDER_ISSUER: ") == 2, text
        assert "sudo linkedin-signin doctor tests the issuer, the endpoints and the client secret" in text
        site.providers["mock"].start()
        site.wait_for_documents(["mock"])
        assert noted()[0] == {"idp"}


def with_credentials(directory, secrets):
    """A site whose secrets of providers are files with the names that systemd gives the files of a directory (systemd.exec(5))."""
    credentials = directory / "credentials"
    credentials.mkdir()
    for name, secret in secrets.items():
        file = credentials / f"provider-secrets_{name}"
        file.touch(mode=0o600)
        file.write_text(f"{secret}\n")
    site = SeveralSite(directory, REAL)
    site.wrapper = ["env", f"CREDENTIALS_DIRECTORY={credentials}"]
    add = site.add
    site.add = lambda name, **more: add(name, **{"PROVIDER_CLIENT_SECRET": None, **more})
    return serving(site)


def test_each_provider_gets_its_own_secret_from_the_directory_of_credentials(directory):
    """Only the provider idp requires the secret, and a wrong one of the provider mock is not sent to it."""
    with with_credentials(directory, {"idp": SECRET, "mock": "of-another-provider"}) as site:
        for name in REAL:
            assert site.sign_in_at(name, Browser()).status == 303
        assert "of-another-provider" not in site.responder.settled_log()


def test_the_secret_of_another_provider_is_not_accepted(directory):
    with with_credentials(directory, {"idp": "of-another-provider", "mock": SECRET}) as site:
        site.responder.expected_errors.append("event=sign-in-failed .*reason=token-client-refused")
        assert site.sign_in_at("idp", Browser()).status == 502
        (line,) = site.responder.lines_of("sign-in-failed")
        assert "reason=token-client-refused" in line and "provider=idp" in line
        assert site.sign_in_at("mock", Browser()).status == 303

"""What doctor finds about an OpenID provider of which the settings have only the issuer."""

import pytest

from harness.doctor import diagnose
from harness.providers import PACKAGES, IssuerSite, Mock, running

pytestmark = pytest.mark.skipif(not PACKAGES.exists(), reason="deploy/packages test could not download the providers")


def test_doctor_names_the_address_and_the_reason(directory):
    with running(directory, Mock) as site:
        found = diagnose(site.responder, "--url", site.url)
        passed = {entry["subject"]: entry["what"] for entry in found.report["passed"]}
        assert passed[f"{site.url}/oauth"] == "the sign-in cookie and the query come back"
        name = site.responder.settings.get("PROVIDER_NAME", "127.0.0.1")
        assert f"leads to {name}, and back to {site.url}/oauth" in passed.values(), passed
        assert not {"discovery-unavailable", "discovery-invalid", "endpoint-unexpected", "keys-unusable"} & set(found.codes), found.text
        site.provider.stop()
        finding = diagnose(site.responder).finding("discovery-unavailable")
        assert f"{site.provider.issuer}/.well-known/openid-configuration" in finding["what"]
        site.provider.start()
        site.responder.settings["PROVIDER_ISSUER"] = site.provider.issuer + "/"
        site.responder.write_settings()
        finding = diagnose(site.responder).finding("discovery-invalid")
        assert site.provider.issuer in finding["what"]


def test_doctor_reports_a_provider_that_never_responded_as_one_fault(directory):
    with IssuerSite(directory, Mock) as site:
        site.responder.expected_errors += ["discovery-failed", "discovery-unavailable"]
        found = diagnose(site.responder, "--url", site.url)
        assert found.faults == {"discovery-unavailable"}, found.text

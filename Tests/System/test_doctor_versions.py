"""`doctor` and the versions of LinkedIn's profile API: too old, rejected, retired."""

import http.server
import threading

import pytest

from harness.doctor import THIS_MONTH, diagnose, month
from test_doctor import provider, responder  # noqa: F401


@pytest.mark.parametrize("ago, code", [(8, None), (9, "version-old"), (11, "version-old"), (12, "version-retired")])
def test_the_age_of_the_newest_version_counts(responder, ago, code):  # noqa: F811
    found = diagnose(responder, changes={"LINKEDIN_VERSION": f"{month(ago + 3)}.01,{month(ago)}"})
    assert found.faults == ({code} if code else set()), found.text


@pytest.mark.parametrize("versions", [THIS_MONTH, f"{month(3)},{month(2)},{THIS_MONTH}"])
def test_versions_that_the_provider_all_rejects_are_retired(responder, provider, versions):  # noqa: F811
    provider.fault("identityMe", "status", status=426)
    found = diagnose(responder, changes={"LINKEDIN_VERSION": versions})
    what = found.finding("version-retired")["what"]
    assert (found.status, found.faults) == (2, {"version-retired"}), found.text
    assert what == "LinkedIn rejects " + ", ".join(f"{version} (HTTP 426)" for version in versions.split(","))


REJECTIONS = [
    {"fault": "status", "status": 426},
    {"fault": "answer", "status": 400, "body": '{"message":"API version not available"}'},
]


@pytest.mark.parametrize("rejection", REJECTIONS)
def test_a_rejected_version_is_a_warning_if_another_is_accepted(responder, provider, rejection):  # noqa: F811
    old, older = month(2), f"{month(3)}.03"
    provider.fault("identityMe", count=2, **rejection)
    provider.clear_requests()
    found = diagnose(responder, changes={"LINKEDIN_VERSION": f"{older},{old},{THIS_MONTH},{month(1)}"})
    assert (found.status, found.faults) == (1, {"version-rejected"}), found.text
    finding, status = found.finding("version-rejected"), rejection["status"]
    assert finding["what"] == f"LinkedIn rejects {older} (HTTP {status}), {old} (HTTP {status}) and accepts {THIS_MONTH}"
    assert finding["remedies"] == [f"LINKEDIN_VERSION={THIS_MONTH},{month(1)}"]
    asked = [request["headers"]["linkedin-version"] for request in provider.requests("identityMe")]
    assert asked == [older, old, THIS_MONTH]


def test_a_version_is_retired_if_the_other_brings_no_usable_answer(responder):  # noqa: F811
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(426 if self.headers["LinkedIn-Version"] == month(1) else 503)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_):
            pass

    with http.server.HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        address = f"http://localhost:{server.server_port}/rest/identityMe"
        changes = {"LINKEDIN_VERSION": f"{month(1)},{THIS_MONTH}", "SIGNIN_PROFILE_ENDPOINT": address}
        found = diagnose(responder, changes=changes)
        server.shutdown()
        thread.join()
    what = f"LinkedIn rejects {month(1)} (HTTP 426), and accepts none of the others"
    assert found.faults == {"version-retired"} and found.finding("version-retired")["what"] == what, found.text

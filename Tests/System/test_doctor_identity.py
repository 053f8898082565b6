"""`doctor` with header fields of a client that tell an application who is signed in."""

import re

import pytest

from harness.guarding import replaced
from test_doctor_site import FRONTS, look, make, unchecked  # noqa: F401

TRUSTING = {
    "nginx": lambda text: re.sub(r'( *if \(\$signin_\w+_claims != ""\) \{\n) *return 400;\n', r"\1", text),
    "lighttpd": lambda text: re.sub(r'^\$REQUEST_HEADER\["X-Auth-(?:Subject|Email)"\].*\n', "", text, flags=re.MULTILINE),
}


@pytest.mark.parametrize("front", FRONTS)
def test_identity_headers_of_clients_are_found(make, front):
    with make(front, TRUSTING[front]) as site:
        found = look(site)
    assert (found.status, found.faults) == (1, {"identity-accepted"}), found.text
    assert found.finding("identity-accepted")["what"].startswith("X-Auth-Subject, X-Auth-Email")


SPELLING = {
    "nginx": lambda text: replaced(
        re.sub(r'if \(\$http_x_auth_groups != ""\) \{\n.*\n *\}\n', "", text), "underscores_in_headers off", "underscores_in_headers on"
    ),
    "lighttpd": lambda text: re.sub(r'^\$REQUEST_HEADER\["X(?:_Auth_Groups|\.Auth\.Email)"\].*\n', "", text, flags=re.MULTILINE),
}
# The printed configuration does not know the claim of `doctor`.
CLAIM = ["X-Auth-Claim-department", "X_Auth_Claim_department", "X.Auth.Claim.department"]
SPELLED = {
    "nginx": ["X-Auth-Groups", CLAIM[0], "X_Auth_Groups", CLAIM[1]],
    "lighttpd": [CLAIM[0], "X_Auth_Groups", CLAIM[1], "X.Auth.Email", CLAIM[2]],
}


@pytest.mark.parametrize("front", FRONTS)
def test_groups_and_claims_of_clients_are_found_in_each_spelling(make, front):
    with make(front, SPELLING[front]) as site:
        found = look(site, changes={"SIGNIN_APPLICATION_CLAIMS": "department"})
    assert found.faults == {"identity-accepted"}, found.text
    assert found.finding("identity-accepted")["what"].split(" of a client")[0].split(", ") == SPELLED[front]


@pytest.mark.parametrize("answer, words", [("444", "no response"), ("429", "HTTP 429"), ("502", "HTTP 502")])
def test_identity_headers_without_a_clear_answer_are_not_checked(make, answer, words):
    edit = lambda text: re.sub(r'(if \(\$signin_\w+_claims != ""\) \{\n *return )400;', rf"\g<1>{answer};", text)  # noqa: E731
    with make(edit=edit) as site:
        found = look(site)
        passed = [entry["subject"] for entry in found.report["passed"]]
    assert found.faults == set() and any(words in what and "X-Auth-Email" in what for what in unchecked(found)), found.text
    assert "identity headers" not in passed

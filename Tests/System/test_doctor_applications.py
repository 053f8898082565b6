"""`doctor --guarded … --cookie-file`: applications behind a guard that take an identity from the client of a member."""

import subprocess

import pytest

from harness.browser import Browser
from harness.doctor import diagnose
from harness.guarding import FASTCGI, with_application
from harness.process import BINARIES, surroundings
from harness.recorder import Recorder
from test_check_applications import PARAMETERS, sign_in, site  # noqa: F401
from test_doctor_identity import TRUSTING
from test_doctor_site import GUARD, SETTINGS, unchecked

TESTED = "with the session of --cookie-file"


def write(file, browser, mode=0o600):
    """Writes the Cookie header that a browser sends to the site."""
    file.write_text("; ".join(f"{name}={value}" for name, value in browser.jar["localhost"].items()) + "\n")
    file.chmod(mode)
    return file


def visit(responder, url, paths, file, **keywords):
    options = [word for path in paths for word in ("--guarded", path)]
    found = diagnose(responder, "--url", url, *options, "--cookie-file", file, **keywords)
    assert file.read_text().split("=")[1].strip() not in str(found.report), "the session is a secret"
    return found


def test_doctor_reports_exactly_the_guarded_php_locations_where_a_client_chooses_its_name(site, directory):  # noqa: F811
    site.nginx.expected_errors.append("Primary script unknown")
    browser = Browser()
    sign_in(site, browser, "/printed/page.php")
    found = visit(site.program, site.url, [f"/{name}/page.php" for name in PARAMETERS], write(directory / "cookie", browser))
    forged = {finding["subject"]: finding for finding in found.report["findings"] if finding["code"] == "identity-forged"}
    places = {name: f"{site.url}/{name}/page.php {TESTED}" for name in PARAMETERS}
    assert set(forged) == {places[name] for name, (_, is_forged) in PARAMETERS.items() if is_forged}, found.report
    for finding in forged.values():
        assert finding["what"] == "the page shows an invented name that the client sent in Authorization, as with curl -u name:x"
        assert finding["severity"] == "fault" and finding["remedies"][0].startswith("include the -fastcgi.conf file"), finding
        assert "check --nginx -" in finding["remedies"][1], finding
    passed = {entry["subject"]: entry["what"] for entry in found.report["passed"]}
    for name, (_, is_forged) in PARAMETERS.items():
        assert ("an application whose page shows no user name" in passed.get(places[name], "")) == (not is_forged), passed
    assert not any("REMOTE_USER" in what for what in unchecked(found)), found.text


# nginx sets every identity field of the application, also if the site accepts them from clients.
HEADERS = [("nginx", False, []), ("nginx", True, []), ("lighttpd", False, []), ("lighttpd", True, ["X-Auth-Subject", "X-Auth-Email"])]


@pytest.mark.parametrize("front, is_trusting, fields", HEADERS)
def test_doctor_reports_the_identity_headers_that_reach_an_application_behind_a_guard(make_site, directory, front, is_trusting, fields):
    def edit(text):
        text = with_application(text, front, "/private/", FASTCGI, directory / "application")
        return TRUSTING[front](text) if is_trusting else text

    with Recorder(directory / "application"), make_site(front=front, guard=GUARD, edit=edit, settings=SETTINGS) as made:
        browser = made.browser()
        made.sign_in(browser)
        found = visit(made.responder, made.url, ["/private/"], write(directory / "cookie", browser))
    assert (f"{made.url}/private/ {TESTED}" in {entry["subject"] for entry in found.report["passed"]}) == (not fields), found.report
    if fields:
        what = f"the page shows an invented name that the client sent in {', '.join(fields)}, as with curl -H 'X-Auth-Subject: name'"
        assert found.finding("identity-forged")["what"] == what, found.text


def test_a_session_that_opens_nothing_and_another_address_are_not_checked(make_site, directory):
    with make_site(guard=GUARD, settings=SETTINGS) as made:
        browser = made.browser()
        made.sign_in(browser)
        file = write(directory / "cookie", browser)
        url = f"http://127.0.0.1:{made.port}"
        found = visit(made.responder, url, ["/private/"], file, expected=["site-other-address"])
        assert f"the session is sent only to {made.url}" in unchecked(found), found.text
        file.write_text("__Host-session=AAAA")
        found = visit(made.responder, made.url, ["/private/"], file)
        (finding,) = [finding for finding in found.report["findings"] if finding["subject"].endswith(TESTED)]
        assert finding["what"].startswith("HTTP 303 to a request with the session"), finding
        assert finding["remedies"][0].startswith("write into the file the Cookie header that the browser"), finding


@pytest.mark.parametrize("options, words", [
    (["--guarded", "/a"], "is readable or writable by every user; run: chmod 600 "), ([], "--cookie-file needs --guarded"),
])
def test_a_session_that_every_user_can_read_is_an_error_of_the_command_line(directory, options, words):
    file = directory / "cookie"
    file.write_text("__Host-session=AAAA")
    file.chmod(0o644)
    command = [BINARIES / "linkedin-signin", "doctor", "--url", "https://a.example", *options, "--cookie-file", file]
    done = subprocess.run(command, capture_output=True, text=True, env=surroundings())
    assert done.returncode == 64 and words in done.stderr and "AAAA" not in done.stderr, done.stderr

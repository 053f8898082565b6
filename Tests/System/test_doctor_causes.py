"""`doctor` reports one cause once, and tells causes apart that look alike."""

import os
import shutil
import subprocess

import pytest

from harness.clock import Clock
from harness.doctor import DIFFERENT, USER, Diagnosis, diagnose
from harness.process import BINARIES, surroundings
from simulator import Simulator
from test_check import AS_NOBODY, check, give
from test_doctor import provider, responder  # noqa: F401
from test_doctor_site import FRONTS, look, make, parameters, within  # noqa: F401

OURS = "SIGNIN_AUTHORIZATION_ENDPOINT SIGNIN_TOKEN_ENDPOINT SIGNIN_JWKS_URI SIGNIN_USERINFO_ENDPOINT SIGNIN_PROFILE_ENDPOINT".split()
NAMESPACE = pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount")


def addresses(origin):
    return {name: f"{origin}/{number}" for number, name in enumerate(OURS)}


@pytest.mark.parametrize(
    "origin, code, first",
    [
        ("https://no.such.host.invalid", "name-unresolved", "getent ahosts no.such.host.invalid"),
        ("https://127.0.0.1", "endpoint-unreachable", "firewall pass port 443"),
        ("https://127.0.0.1:9", "endpoint-unreachable", "if the port 9 or the host is wrong"),
    ],
)
def test_an_outage_is_one_finding_with_its_consequences(responder, origin, code, first):  # noqa: F811
    changes = {**addresses(origin), "SIGNIN_INTROSPECTION_ENDPOINT": f"{origin}/i"}
    found = diagnose(responder, changes=changes, expected={"program-other-settings", "settings-not-loaded"})
    assert found.faults == {code}, found.text
    finding = found.finding(code)
    for name in OURS:
        assert name in finding["subject"] or name == "SIGNIN_PROFILE_ENDPOINT", finding
    assert first in finding["remedies"][0]
    also = " ".join(finding["also"])
    for consequence in ("key set: ", "client ID and secret: ", "clock: "):
        assert consequence in also, finding
    assert not {"key set", "clock"} & {entry["subject"] for entry in found.report["findings"]}


def test_issuers_of_another_host_than_the_token_endpoint_are_a_warning(responder):  # noqa: F811
    found = diagnose(responder, changes={"SIGNIN_ISSUERS": "https://www.linkedin.com/oauth"})
    assert found.faults == {"issuer-other"} and "SIGNIN_ISSUERS" in found.finding("issuer-other")["remedies"][0], found.text


def test_issuers_of_another_host_than_the_token_endpoint_are_noted(directory):
    name, linkedin = "SIGNIN_ISSUERS", "https://www.linkedin.com/oauth"
    assert not [line for line in check(directory)[2] if name in line]
    for changes, words in (
        ({name: linkedin}, f"the token endpoint is at 127.0.0.1, and the program accepts ID tokens only of {linkedin}; write"),
        ({name: ""}, "ID tokens only of https://www.linkedin.com/oauth, https://www.linkedin.com; write the issuer of 127.0.0.1 into"),
        ({"SIGNIN_TOKEN_ENDPOINT": f"{linkedin}/v2/accessToken", name: f"{linkedin}2"}, f"only of {linkedin}2; remove SIGNIN_ISSUERS"),
    ):
        status, errors, notes = check(directory, **changes)
        assert (status, errors) == (0, "") and [line for line in notes if words in line], (words, notes)


SERVER = "http://127.0.0.1:9"
REST = f"SIGNIN_AUTHORIZATION_ENDPOINT is at {SERVER}, SIGNIN_TOKEN_ENDPOINT is at {SERVER}, SIGNIN_USERINFO_ENDPOINT is at {SERVER}"


@pytest.mark.parametrize("changes, words", [
    ({"SIGNIN_JWKS_URI": f"{SERVER}001/j"}, f"SIGNIN_JWKS_URI is at {SERVER}001, and {REST}, SIGNIN_ISSUERS is at {SERVER};"),
    ({"SIGNIN_ISSUERS": f"{SERVER}001/oauth"}, f"SIGNIN_ISSUERS is at {SERVER}001, and {REST}, SIGNIN_JWKS_URI is at {SERVER};"),
    ({"SIGNIN_TOKEN_ENDPOINT": "http://localhost:9001/t"}, "SIGNIN_TOKEN_ENDPOINT is at http://localhost:9001, and SIGNIN_AUTHORIZATION_"),
    ({"SIGNIN_AUTHORIZATION_ENDPOINT": "https://id.example/a"}, "is at https://id.example, and SIGNIN_TOKEN_ENDPOINT is at"),
    ({"SIGNIN_TOKEN_ENDPOINT": None, "SIGNIN_ISSUERS": None}, f"SIGNIN_JWKS_URI is at {SERVER}, and SIGNIN_TOKEN_ENDPOINT is at https://www"),
])
def test_addresses_of_another_provider_are_a_warning(directory, changes, words):
    settings = {name: value or "" for name, value in changes.items()}
    status, errors, notes = check(directory, "--quiet", **settings)
    assert (status, errors) == (0, "") and len(notes) == 1 and words in notes[0], notes


GOOGLE = {
    "SIGNIN_AUTHORIZATION_ENDPOINT": "https://accounts.google.com/o/oauth2/v2/auth",
    "SIGNIN_TOKEN_ENDPOINT": "https://oauth2.googleapis.com/token",
    "SIGNIN_JWKS_URI": "https://www.googleapis.com/oauth2/v3/certs", "SIGNIN_ISSUERS": "https://accounts.google.com",
    "SIGNIN_USERINFO_ENDPOINT": "https://openidconnect.googleapis.com/v1/userinfo",
}


@pytest.mark.parametrize("changes", [
    {},
    {name: "" for name in GOOGLE},
    GOOGLE,
    # Browsers use another address than this machine, and the list has a former issuer.
    {"SIGNIN_AUTHORIZATION_ENDPOINT": "https://id.example/a", "SIGNIN_ISSUERS": "https://id.example/,http://127.0.0.1:9/oauth"},
    {"SIGNIN_USERINFO_ENDPOINT": "https://api.example/u"},
])
def test_addresses_of_one_provider_at_several_hosts_are_no_warning(directory, changes):
    assert check(directory, "--quiet", **changes) == (0, "", [])


def test_doctor_compares_addresses_with_the_discovery_document(responder, provider):  # noqa: F811
    issuer, other = f"{provider.url}/oauth", "http://127.0.0.1:9"
    own = "SIGNIN_JWKS_URI", f"{issuer}/openid/jwks"
    for changes, code, words in (
        ({"SIGNIN_ISSUERS": f"{issuer}/"}, "issuer-other", f"the issuer in the document is {issuer}, and the settings have {issuer}/"),
        ({"SIGNIN_ISSUERS": f"{other}/oauth"}, "endpoint-other", f"SIGNIN_ISSUERS is at {other}, and "),
        ({own[0]: f"{issuer}/typo"}, "endpoint-unexpected", f"is {issuer}/typo, and the discovery document of {issuer} has {own[1]}"),
    ):
        found = diagnose(responder, changes=changes)
        finding = found.finding(code)
        assert found.faults == {code} and words in " ".join([finding["what"], *finding.get("also", [])]), found.text
    with Simulator("--quiet") as second:
        for changes, words in (
            ({own[0]: f"{second.url}/oauth/openid/jwks"}, f"SIGNIN_JWKS_URI={own[1]}"),
            ({"SIGNIN_TOKEN_ENDPOINT": f"{second.url}/oauth/v2/accessToken"}, f"SIGNIN_TOKEN_ENDPOINT={issuer}/v2/accessToken"),
            ({"SIGNIN_ISSUERS": f"{second.url}/oauth"}, "correct SIGNIN_ISSUERS, or the endpoints"),
        ):
            found = diagnose(responder, changes=changes)
            assert found.faults == {"endpoint-other"}, found.text
            assert found.finding("endpoint-other")["remedies"][0].startswith(words), found.report


def test_a_provider_that_the_program_has_not_loaded_is_named_in_place_of_its_settings(responder, directory):  # noqa: F811
    providers = directory / "providers"
    providers.mkdir()
    (providers / "two").write_text("PROVIDER_ISSUER=http://127.0.0.1:9/two\nPROVIDER_CLIENT_ID=a\n")
    found = diagnose(responder, changes={"SIGNIN_PROVIDERS": str(providers)})
    assert found.finding("settings-not-loaded")["what"] == f"{DIFFERENT}; other values: SIGNIN_PROVIDERS; the provider two is new ({providers}/two)"
    (providers / "two").write_text("SIGNIN_IDLE_LIMIT=1d\n")
    status, errors, _ = check(directory, SIGNIN_PROVIDERS=str(providers))
    words = f"{providers}/two:1: SIGNIN_IDLE_LIMIT: is not a setting of one provider: move this line to the settings file of the site\n"
    assert status == 78 and words in errors, errors


def test_an_address_with_a_fault_is_corrected_before_the_program_loads_it(responder, provider):  # noqa: F811
    found = diagnose(responder, changes={"SIGNIN_AUTHORIZATION_ENDPOINT": f"{provider.url}/typo"})
    remedy = found.finding("program-other-settings")["remedies"][0]
    assert remedy.startswith("first correct SIGNIN_AUTHORIZATION_ENDPOINT "), found.report


def test_a_comment_after_the_name_of_the_site_is_noted(directory):
    status, _, notes = check(directory, SIGNIN_SITE_NAME="Club # ours")
    assert status == 0 and [note for note in notes if note.startswith("note: SIGNIN_SITE_NAME contains “ #”, and pages show")], notes


def test_names_that_resolve_and_names_that_do_not_are_two_findings(responder):  # noqa: F811
    changes = {"SIGNIN_TOKEN_ENDPOINT": "https://no.such.host.invalid/t", "SIGNIN_USERINFO_ENDPOINT": "https://127.0.0.1:9/u"}
    found = diagnose(responder, changes=changes)
    assert {"name-unresolved", "endpoint-unreachable"} <= found.faults, found.text


REPLACED = '$HTTP["url"] == "/oauth" { setenv.set-request-header = ( "Accept" => "*/*"%s ) }\n'


@pytest.mark.parametrize("front, edit, code, remedy", [
    ("lighttpd", lambda text: text + REPLACED % "", "parameters-missing", "remove Accept from setenv.set-request-header"),
    ("lighttpd", lambda text: text + REPLACED % ', "Cookie" => ""', "cookie-lost", "remove Accept and Cookie from setenv.set-request-header"),
    (
        "nginx", lambda text: within(text, "location = /oauth {", f'fastcgi_param HTTP_ACCEPT "*/*"; {parameters(text)}'),
        "parameters-missing", "remove fastcgi_param HTTP_ACCEPT, and proxy_set_header Accept from a proxy in front",
    ),
], ids=["lighttpd-accept", "lighttpd-both", "nginx-accept"])
def test_only_the_header_that_does_not_arrive_is_named(make, front, edit, code, remedy):  # noqa: F811
    with make(front, edit) as site:
        found = look(site)
    assert found.faults == {code} and found.finding(code)["remedies"] == [remedy], found.report
    assert ("Cookie" in found.finding(code)["what"]) == (code == "cookie-lost"), found.text


def test_settings_that_a_replaced_program_has_not_loaded_are_a_part_of_the_finding_about_it(responder, directory):  # noqa: F811
    copy = directory / "linkedin-signin"
    shutil.copy(BINARIES / "linkedin-signin", copy)
    responder.settings["SIGNIN_SITE_NAME"] = "Another"
    command = [copy, "doctor", "--json", "--settings-file", responder.write_settings(), "--web-user", USER]
    found = Diagnosis(subprocess.run(command, capture_output=True, text=True, env=surroundings(), timeout=60))
    finding = found.finding("program-replaced")
    assert (found.status, found.faults) == (1, {"program-replaced"}) and "restart" in finding["remedies"][0], found.text
    assert finding["also"][0].endswith(f"POST /login: {DIFFERENT}; other values: SIGNIN_SITE_NAME"), finding


@NAMESPACE
def test_a_read_only_file_system_is_not_called_a_wrong_mode(directory):
    directory.chmod(0o755)
    place = directory / "place"
    place.mkdir(mode=0o755)
    state = place / "state"
    state.mkdir(mode=0o700)
    mount = 'mount -t tmpfs -o mode=755 none "$0" && mkdir -m 700 "$0/state" && mount -o remount,ro "$0" && exec "$@"'
    status, errors, _ = check(place, prefix=["unshare", "--mount", "sh", "-c", mount, place])
    assert status == 78 and "/place/state is on a file system that is mounted read-only" in errors and "chmod" not in errors, errors
    state.chmod(0o500)
    give(AS_NOBODY, state)
    status, errors, _ = check(place, prefix=AS_NOBODY)
    assert status == 78 and "is not writable for its owner (mode 500); run: chmod 700" in errors and "read-only" not in errors, errors


@NAMESPACE
def test_the_socket_of_a_unit_is_corrected_in_the_unit(responder):  # noqa: F811
    prepare = (
        "mount -t tmpfs -o mode=755 none /run && mkdir /run/linkedin-signin && mount -t tmpfs none /etc/systemd/system"
        ' && echo "[Socket]\nSocketMode=0600" >/etc/systemd/system/linkedin-signin@.socket && exec "$@"'
    )
    listen = (
        "import os, socket, sys; s = socket.socket(socket.AF_UNIX); path = '/run/linkedin-signin/site.socket'; "
        "s.bind(path); os.chmod(path, 0o600); s.listen(); os.execvp(sys.argv[1], sys.argv[1:])"
    )
    wrapper = ["unshare", "--mount", "sh", "-c", prepare, "sh", "/usr/bin/python3", "-c", listen]
    changes = {"SIGNIN_LISTEN": "unix:/run/linkedin-signin/site.socket", "SIGNIN_TOTAL_TIMEOUT": "2s", "SIGNIN_CONNECT_TIMEOUT": "1s"}
    found = diagnose(responder, "--web-user", "www-data", changes=changes, wrapper=wrapper)
    finding = found.finding("socket-denied")
    assert "linkedin-signin@site.socket opens it" in finding["what"]
    assert "systemctl edit linkedin-signin@site.socket" in finding["remedies"][0]


@NAMESPACE
@pytest.mark.parametrize("unit, words", [("chrony", "systemctl enable --now chrony"), (None, "apt-get install systemd-timesyncd")])
def test_a_missing_clock_service_is_named(responder, directory, unit, words):  # noqa: F811
    clock = Clock(directory / "clock")
    clock.shift = 3600
    clock._write()
    hide = "mount -t tmpfs none /etc/systemd/system; mount -t tmpfs none /usr/lib/systemd/system; "
    create = f"touch /usr/lib/systemd/system/{unit}.service; " if unit else ""
    wrapper = ["unshare", "--mount", "sh", "-c", hide + create + 'exec "$@"', "sh", *clock.wrapper]
    finding = diagnose(responder, wrapper=wrapper).finding("clock-off")
    assert words in finding["remedies"][0], finding
    assert ("no service that sets the clock is installed" in finding["what"]) == (unit is None)


@pytest.mark.parametrize(
    "address, words",
    [("http://localhost:9999", "redirect_uri is “http://localhost:8080/oauth”"), ("http://localhost:8080/account", "HTTP 404")],
)
def test_the_settings_of_another_site_are_one_finding(responder, address, words):  # noqa: F811
    found = diagnose(responder, changes={"SIGNIN_BASE_URL": address}, expected=())
    assert found.faults == {"store-unusable"}, found.text
    finding = found.finding("store-unusable")
    assert "belongs to http://localhost:8080" in finding["what"] and any(words in line for line in finding["also"])


@pytest.mark.parametrize("front", FRONTS)
def test_a_program_that_does_not_run_is_one_finding_also_through_the_web_server(make, front):  # noqa: F811
    with make(front) as site:
        site.server.expected_errors.append("")
        site.responder.stop()
        found = look(site)
        site.responder.start()
    assert found.faults == {"socket-missing"}, found.text
    assert f"{site.url}/login: HTTP 50" in "".join(found.finding("socket-missing")["also"])


@pytest.mark.skipif(os.geteuid() != 0, reason="root is needed to be another user")
def test_a_user_that_the_program_refuses_is_one_finding_also_through_the_web_server(make):  # noqa: F811
    with make() as site:
        site.server.expected_errors.append("")
        site.responder.stop()
        site.responder.settings["SIGNIN_ALLOWED_USERS"] = "nobody"
        site.responder.start()
        found = look(site)
    assert found.faults == {"user-not-allowed"}, found.text
    assert any(f"{site.url}/login: HTTP 50" in line for line in found.finding("user-not-allowed")["also"]), found.text


# Lines of an operator in nginx, and the finding of doctor.
OF_OPERATOR = {
    "return 503;": ("location = /login {", "site-gateway"),
    "return 301 https://other.example;": ("location = /login {", "site-other-address"),
    "satisfy any; allow all;": ("location ^~ /private/ {", "guard-missing"),
}


@pytest.mark.parametrize("line", OF_OPERATOR)
def test_a_response_that_may_be_that_of_a_line_leads_to_the_review_of_the_web_server_first(make, line):  # noqa: F811
    block, code = OF_OPERATOR[line]
    with make(edit=lambda text: within(text, block, line)) as site:
        finding = look(site, "--guarded", "/private/a.txt").finding(code)
    remedy = "run: nginx -T | linkedin-signin check --nginx -, which finds lines that keep requests from linkedin-signin or from its "
    assert finding["remedies"][0] == f"{remedy}guards", finding

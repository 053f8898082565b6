"""Whether `check` finds the program of the settings in the configuration of a web server."""

import json
import re
import subprocess

import pytest

from harness.process import BINARIES
from test_check import settings
from test_check_lost_guards import Nginx
from test_check_servers import LAST, check, printed, replaced


def programs(kind, directory, listen, text):
    """What `check` says about the program of settings with an address."""
    (directory / "settings").write_text(f"SIGNIN_BASE_URL=https://example.com\nSIGNIN_LISTEN={listen}\n")
    problems, _ = check(f"--{kind}", "-", "--settings-file", directory / "settings", text=text)
    return [problem for problem in problems if "the program of these settings" in problem]


@pytest.mark.parametrize("kind", ["nginx", "lighttpd"])
def test_sites_that_use_another_program_than_that_of_the_settings_are_found(kind, directory):
    text, _ = printed(kind, directory)
    assert programs(kind, directory, f"unix:{directory}/socket", text) == []
    found = programs(kind, directory, f"unix:{directory}/other", text)
    assert len(found) == 1 and f"They lead to {directory}/socket. " in found[0]


@pytest.mark.parametrize("kind", ["nginx", "lighttpd"])
@pytest.mark.parametrize("listen", ["", "inherited"])
def test_a_program_with_a_socket_of_systemd_can_be_at_any_address(kind, listen, directory):
    text, _ = printed(kind, directory)
    assert programs(kind, directory, listen, text) == []


@pytest.mark.parametrize("kind", ["nginx", "lighttpd"])
def test_a_site_that_uses_only_the_pages_for_signing_in_uses_its_program(kind, directory):
    pages = {
        "nginx": f"""server {{
            listen unix:{directory}/pages;
            location = /oauth {{ fastcgi_param SIGNIN_ACTION ""; fastcgi_pass unix:{directory}/second; }}
        }}
        }}
        """,
        "lighttpd": f"""$HTTP["host"] == "pages.example" {{
            $HTTP["url"] =~ "^/(login|oauth)$" {{
                fastcgi.server = ( "" => (( "socket" => "{directory}/second", "check-local" => "disable" )) )
            }}
        }}
        """,
    }
    text, _ = printed(kind, directory, replaced(r"\}\s*\Z" if kind == "nginx" else LAST, pages[kind], times=1))
    for name, count in (("socket", 0), ("second", 0), ("third", 1)):
        found = programs(kind, directory, f"unix:{directory}/{name}", text)
        assert len(found) == count, (name, found)
        assert all(f"They lead to {directory}/second, {directory}/socket. " in each for each in found)


def test_one_server_of_an_upstream_is_enough(directory):
    second = replaced(r"^( *)server unix:[^;{]*;", lambda line: f"{line[0]}\n{line[1]}server unix:{directory}/second backup;")
    text, _ = printed("nginx", directory, second)
    for name, count in (("socket", 0), ("second", 0), ("third", 1)):
        assert len(programs("nginx", directory, f"unix:{directory}/{name}", text)) == count, name


def test_json_has_the_same_findings_and_the_same_status(directory):
    text, _ = printed("nginx", directory)
    address = {"SIGNIN_BASE_URL": "http://localhost:" + re.search(r"\$signin_localhost_(\d+)_server on;", text)[1]}
    (directory / "pages").mkdir()
    (directory / "pages/footer.mustache").write_text('<footer style="color: red">{{text.signIn}}</footer>\n')
    more = {"SIGNIN_TEMPLATES": str(directory / "pages")}
    for options, change, status, code in (
        ([], more, "note", 0),
        (["--quiet"], more, "ok", 0),
        ([], {"SIGNIN_WORKERS": "many"}, "error", 78),
        (["--nginx", "-"], address, "ok", 0),
        (["--nginx", "-"], {"text": ""}, "error", 78),
    ):
        given = change.pop("text", text) if options[:1] == ["--nginx"] else None
        line = [BINARIES / "linkedin-signin", "check", "--json", *options]
        environment = settings(directory, **change)
        done = subprocess.run(line, input=given, capture_output=True, text=True, env=environment, timeout=20)
        assert (done.returncode, done.stderr) == (code, ""), done
        found = json.loads(done.stdout)
        assert found["status"] == status, found
        assert "canary" not in done.stdout
        if options == [] and code == 0:
            assert found["redirect_url"] == "http://localhost:8080/oauth"
            assert {"name": "LINKEDIN_CLIENT_ID", "value": "demo", "source": "environment"} in found["settings"]
            (note,) = [note for note in found["notes"] if "footer.mustache" in note]
            what = f"SIGNIN_TEMPLATES: {directory}/pages/footer.mustache: line 1: a style attribute, which the content security policy forbids"
            assert note.startswith(what)
        if change.get("SIGNIN_WORKERS"):
            assert [problem["subject"] for problem in found["problems"]] == ["SIGNIN_WORKERS"]


def test_json_has_the_code_the_severity_and_the_remedies_of_each_finding(directory):
    def found(*options, text=None, **change):
        command = [BINARIES / "linkedin-signin", "check", "--json", *options]
        done = subprocess.run(command, input=text, capture_output=True, text=True, env=settings(directory, **change), timeout=20)
        body = json.loads(done.stdout)
        findings = body["findings"]
        assert all(set(each) == {"code", "severity", "subject", "what", "why", "remedies"} for each in findings), findings
        severities = [each["severity"] for each in findings]
        lists = [len(body[name]) for name in ("problems", "warnings", "notes")]
        assert [severities.count(name) for name in ("fault", "warning", "note")] == lists, body
        return [(each["code"], each["severity"]) for each in findings], findings

    assert found("--quiet")[0] == []
    codes, (workers,) = found("--quiet", SIGNIN_WORKERS="many")
    assert codes == [("settings-invalid", "fault")] and workers["subject"] == "SIGNIN_WORKERS", workers
    codes, (state,) = found("--quiet", SIGNIN_STATE_DIRECTORY=str(directory / "none/state"))
    assert codes == [("store-unusable", "fault")] and state["remedies"][0].startswith("run: install -d "), state
    (directory / "pages").mkdir()
    (directory / "pages/footer.mustache").write_text('<footer style="color: red">{{text.signIn}}</footer>\n')
    assert ("setting-note", "note") in found(SIGNIN_TEMPLATES=str(directory / "pages"))[0]
    nginx = Nginx(directory)
    text, listen = nginx.text(), f"listen 127.0.0.1:{nginx.sites[0].port};"
    fields = '"$http_x_auth_subject$http_x_auth_email$http_x_auth_name";'
    for old, new, code in (
        (listen, listen, None),
        (listen, f"{listen} return 503;", ("server-unsafe", "fault")),
        (listen, "listen 443 ssl proxy_protocol;", ("server-doubtful", "warning")),
        (listen, "listen 443 ssl proxy_protocol; set_real_ip_from 192.0.2.1;", ("server-note", "note")),
        (listen, f"{listen} merge_slashes off;", ("server-bypass", "fault")),
        ("error_log /dev/null crit;", "", ("server-log", "fault")),
        ("http {", "http { upstream a { server unix:/a; }\nupstream a { server unix:/b; }", ("server-program", "fault")),
        (fields, '""; location /a/ { proxy_set_header A a; proxy_pass http://a; }', ("server-identity", "fault")),
        (text, "", ("server-unreadable", "fault")),
    ):
        assert set(found("--nginx", "-", text=text.replace(old, new))[0]) == {code} - {None}, new

"""SIGHUP: new settings, templates, secrets and server keys take effect without a restart, or an error leaves the old ones."""

import re
import signal
import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from harness.browser import NAVIGATION
from harness.fastcgi import request as fastcgi_request
from harness.machines import command
from harness.process import free_port, wait_until
from harness.records import END, records
from harness.responder import Responder
from harness.site import Site, from_provider
from test_provider_connections import Provider
from test_provider_connections import settings as provider_settings

SIGNED_OUT = """
{{<layout}}{{$main}}
<h1>Our own goodbye</h1>
{{#signOutPage}}<a href="{{signOutPage}}">{{text.signOutAtProvider}}</a>{{/signOutPage}}
<a href="{{paths.login}}">{{text.signIn}}</a>
{{/main}}{{/layout}}
"""
NAMES = re.compile(r'(?:changed|settings)="?([A-Z_ ]*)"?')


@pytest.fixture
def responder(directory):
    """A program whose sign-in is not used."""
    return Responder(directory / "r", "http://localhost:8080", "http://127.0.0.1:9", {"SIGNIN_CONTACT": "before@example.com"})


def reload(responder, event="reloaded", **changes):
    """Writes changed settings, sends SIGHUP and returns the log lines until the event, which is the last one of a reload."""
    responder.settings.update(changes)
    responder.write_settings()
    responder.settled_log()
    before = responder.log
    responder.process.child.send_signal(signal.SIGHUP)
    wait_until(lambda: f"event={event}" in responder.log[len(before) :], event)
    return responder.settled_log()[len(before) :]


def named(log, event):
    """The settings that the line of an event names."""
    (line,) = [line for line in log.splitlines() if f"event={event}" in line]
    return NAMES.search(line)[1].split() if NAMES.search(line) else []


def page(responder, path="/"):
    return responder.ask(path, headers=NAVIGATION).text


def test_new_settings_take_effect_at_a_reload(site):
    member, pid = site.member(), site.responder.process.pid
    log = reload(site.responder, SIGNIN_SITE_NAME="The New Name", SIGNIN_SESSION_LIFETIME="20d")
    assert named(log, "reloaded") == ["SIGNIN_SITE_NAME", "SIGNIN_SESSION_LIFETIME"]
    assert "The New Name" in site.browser().get(f"{site.url}/", headers=NAVIGATION).text
    assert site.is_signed_in(member) and site.responder.process.pid == pid
    cookies = [line for line in site.sign_in(site.browser()).all("Set-Cookie") if line.startswith("__Host-session=")]
    assert 20 * 86_400 - 5 < int(re.search(r"Max-Age=(\d+)", cookies[0])[1]) <= 20 * 86_400
    assert named(reload(site.responder), "reloaded") == []


def test_the_keys_of_the_provider_stay_known_at_a_reload(site):
    site.member()
    for number in range(2):
        reload(site.responder, SIGNIN_SITE_NAME=f"Name {number}")
    site.simulator.fault("jwks", "status", status=503)
    assert site.sign_in(site.browser()).status == 303


def test_limits_of_the_server_take_effect_at_a_reload(responder):
    with responder:
        assert responder.ask("/login", "POST", body=b"x" * 3000).status == 405
        reload(responder, SIGNIN_MAX_BODY="1024", SIGNIN_KEPT_BODY="0")
        assert responder.ask("/login", "POST", body=b"x" * 3000).status == 413
        reload(responder, SIGNIN_MAX_BODY="1M")
        assert responder.ask("/login", "POST", body=b"x" * 3000).status == 405


def test_every_error_is_logged_and_the_old_settings_stay(responder):
    responder.expected_errors.append("event=reload-refused")
    with responder:
        wrong = {"SIGNIN_SITE_NAME": "New", "SIGNIN_REQUEST_TIMEOUT": "soon", "SIGNIN_HOME": "//evil", "SIGNIN_LISTEN": "nowhere"}
        log = reload(responder, "reload-refused", **wrong)
        line = r"level=error event=reload-refused reason=setting-invalid setting=(\S+) place=\S+settings:\d+ detail="
        wait_until(lambda: len(re.findall(line, responder.log)) > 2, "a line for each error")
        assert sorted(re.findall(line, responder.log)) == ["SIGNIN_HOME", "SIGNIN_LISTEN", "SIGNIN_REQUEST_TIMEOUT"]
        assert "New" not in page(responder)
        assert "reloaded" not in log
        reload(responder, **{name: None for name in wrong}, SIGNIN_CONTACT="after@example.com")


@pytest.mark.parametrize("wrong", ["client-secret", "template", "certificate", "key", "file", "user"])
def test_a_file_that_cannot_be_used_leaves_the_old_settings(responder, wrong):
    responder.expected_errors.append("event=reload-refused")
    templates = responder.directory / "templates"
    templates.mkdir(parents=True)
    secret = responder.directory / "secret"
    secret.touch(mode=0o600)
    secret.write_text("demo-secret\n")
    responder.settings.update(SIGNIN_TEMPLATES=str(templates), LINKEDIN_CLIENT_SECRET=None, LINKEDIN_CLIENT_SECRET_FILE=str(secret))
    with responder:
        change = {"SIGNIN_SITE_NAME": "New"}
        if wrong == "client-secret":
            secret.chmod(0o644)
            subject, reason = "LINKEDIN_CLIENT_SECRET_FILE", "setting-invalid"
        elif wrong == "template":
            (templates / "home.mustache").write_text("{{")
            subject, reason = "SIGNIN_TEMPLATES", "setting-invalid"
        elif wrong == "certificate":
            (responder.directory / "ca.pem").write_text("no certificate\n")
            change["SIGNIN_CA_FILE"] = str(responder.directory / "ca.pem")
            subject, reason = "SIGNIN_CA_FILE", "setting-invalid"
        elif wrong == "key":
            (responder.state / "server-key").write_text("damaged\n")
            subject, reason = "server key file", "store-unusable"
        elif wrong == "user":
            change["SIGNIN_ALLOWED_USERS"] = "nosuchuser"
            subject, reason = "SIGNIN_ALLOWED_USERS", "setting-invalid"
        else:
            change["SIGNIN_CONTACT"] = "a\nSIGNIN_UNKNOWN=1"
            subject, reason = "SIGNIN_UNKNOWN", "setting-invalid"
        log = reload(responder, "reload-refused", **change)
        lines = [line for line in log.splitlines() if "reload-refused" in line]
        assert any(f"reason={reason}" in line and subject in line for line in lines), log
        assert "New" not in page(responder)


def test_a_changed_template_takes_effect_at_a_reload(responder):
    templates = responder.directory / "templates"
    templates.mkdir(parents=True)
    responder.settings["SIGNIN_TEMPLATES"] = str(templates)
    with responder:
        assert "Our own goodbye" not in page(responder, "/logout")
        (templates / "signed-out.mustache").write_text(SIGNED_OUT)
        assert "Our own goodbye" not in page(responder, "/logout"), "before the reload"
        reload(responder)
        assert "Our own goodbye" in page(responder, "/logout")


def test_a_changed_client_secret_takes_effect_at_a_reload(make_site, directory):
    secret = directory / "secret"
    secret.touch(mode=0o600)
    secret.write_text("not-the-secret\n")
    with make_site(settings={"LINKEDIN_CLIENT_SECRET": None, "LINKEDIN_CLIENT_SECRET_FILE": str(secret)}) as site:
        site.responder.expected_errors.append("token-client-refused")
        assert site.sign_in(site.browser()).status >= 500
        secret.write_text("demo-secret\n")
        assert named(reload(site.responder), "reloaded") == ["LINKEDIN_CLIENT_SECRET"]
        assert site.sign_in(site.browser()).status == 303


def test_a_reload_keeps_the_connections_to_the_provider_unless_their_settings_change(responder):
    def clients():
        tasks = Path(f"/proc/{responder.process.pid}/task")
        return {task.name for task in tasks.iterdir() if (task / "comm").read_text() == "http-client\n"}

    with responder:
        # A thread names itself a moment after its start.
        wait_until(lambda: len(clients()) == 2, "one thread for the provider, one for kept forms")
        before = clients()
        reload(responder, SIGNIN_SITE_NAME="Another")
        assert clients() == before
        reload(responder, SIGNIN_TOTAL_TIMEOUT="9s")
        wait_until(lambda: len(clients() - before) == 2, "two new threads")


def test_an_authority_that_the_system_no_longer_trusts_is_not_trusted_after_a_reload(directory, certificate, mount_namespace):
    bundle, own, port = directory / "certs/ca-certificates.crt", Path(f"{certificate}.pem").read_text(), free_port()
    bundle.parent.mkdir()
    of_system = Path("/etc/ssl/certs/ca-certificates.crt").read_text()
    bundle.write_text(of_system + own)
    script = 'mount --bind "$1" /etc/ssl/certs && shift && exec "$@"'
    wrapper = [*mount_namespace, "sh", "-c", script, "sh", bundle.parent]
    values = {**provider_settings(port, certificate), "SIGNIN_CA_FILE": None}
    with Site(directory, settings=values, wrapper=wrapper) as site:
        site.responder.expected_errors.append("reason=token-unavailable")
        with Provider(directory / "provider", port, certificate, site.simulator.url):
            assert site.sign_in(site.browser()).status == 303
            reload(site.responder)
            assert site.sign_in(site.browser()).status == 303
            (bundle.parent / "new").write_text(of_system)
            (bundle.parent / "new").rename(bundle)
            reload(site.responder)
            assert site.sign_in(site.browser()).status == 502


def test_settings_that_need_a_restart_are_named_and_not_used(responder):
    with responder:
        changes = {"SIGNIN_LISTEN": f"unix:{responder.directory}/other", "SIGNIN_WORKERS": "3", "SIGNIN_SITE_NAME": "New"}
        log = reload(responder, **changes)
        assert named(log, "restart-needed") == ["SIGNIN_LISTEN", "SIGNIN_WORKERS"]
        assert named(log, "reloaded") == ["SIGNIN_SITE_NAME"]
        assert "New" in page(responder) and not (responder.directory / "other").exists()
        assert named(reload(responder), "restart-needed") == ["SIGNIN_LISTEN", "SIGNIN_WORKERS"]
        reload(responder, SIGNIN_LISTEN=f"unix:{responder.socket}", SIGNIN_WORKERS=None)
        assert "restart-needed" not in responder.log.splitlines()[-2]


def test_settings_that_are_right_only_after_a_restart_are_refused_with_this_advice(responder):
    responder.settings["SIGNIN_IDLE_LIMIT"] = "7d"
    with responder:
        responder.expected_errors = ["reload-refused"]
        changes = {"SIGNIN_SESSION_LIFETIME": "2d", "SIGNIN_IDLE_LIMIT": "1d"}
        log = reload(responder, "reload-refused", **changes)
        assert "only a restart applies SIGNIN_IDLE_LIMIT: restart the program" in log
        responder.stop()
        responder.start()


def test_a_user_who_is_no_longer_allowed_cannot_use_a_kept_connection(responder):
    values = {"REQUEST_METHOD": "GET", "SCRIPT_NAME": "/login", "REQUEST_URI": "/login", "REMOTE_ADDR": "192.0.2.1"}
    with responder, socket.socket(socket.AF_UNIX) as peer:
        peer.settimeout(10)
        peer.connect(str(responder.socket))
        peer.sendall(fastcgi_request(values, keep=True))
        assert any(kind == END for kind, _ in records(peer.recv))
        responder.settings["SIGNIN_ALLOWED_USERS"] = "nobody"
        responder.write_settings()
        responder.process.child.send_signal(signal.SIGHUP)
        wait_until(lambda: "event=reloaded changed=SIGNIN_ALLOWED_USERS" in responder.log, "the reload")
        peer.sendall(fastcgi_request(values, keep=True))
        try:
            answer = peer.recv(1)
        except ConnectionResetError:
            answer = b""
        assert answer == b""
        wait_until(lambda: "reason=user-not-allowed" in responder.log, "the refusal")


def test_the_log_level_takes_effect_at_a_reload(responder):
    with responder:
        reload(responder, SIGNIN_LOG_LEVEL="info")
        responder.settings["SIGNIN_LOG_LEVEL"] = "error"
        responder.write_settings()
        before = responder.log
        responder.process.child.send_signal(signal.SIGHUP)
        wait_until(lambda: "event=reloading" in responder.log[len(before) :], "the reload")

        def is_silent():
            length = len(responder.log)
            responder.ask("/logout", "POST", headers={"Sec-Fetch-Site": "cross-site"})
            responder.ask("/logout", "POST", headers={"Sec-Fetch-Site": "cross-site"})
            return len(responder.log) == length

        wait_until(is_silent, "silence")


def test_a_sign_in_under_way_keeps_the_settings_it_began_with_and_ends_well(site):
    browser = site.browser()
    callback = site.consent(site.begin(browser))
    site.simulator.fault("token", "delay", ms=1500, count=1)
    with ThreadPoolExecutor(1) as pool:
        under_way = pool.submit(browser.get, callback, headers=from_provider())
        assert site.simulator.requests("token", at_least=1)
        reload(site.responder, SIGNIN_HOME="/new-home/")
        assert not under_way.done()
        answer = under_way.result()
    assert answer.status == 303 and answer.location == "/"
    assert site.is_signed_in(browser)
    assert site.sign_in(site.browser()).location == "/new-home/"


def test_a_sign_in_that_waits_for_a_retry_ends_well_after_a_reload(site):
    browser = site.browser()
    callback = site.consent(site.begin(browser))
    site.responder.expected_errors.append("reason=keys-unavailable")
    site.simulator.fault("jwks", "status", status=503)
    assert browser.get(callback, headers=from_provider()).status == 502
    site.simulator.clear_faults()
    reload(site.responder, SIGNIN_SITE_NAME="The New Name")
    assert browser.get(callback, headers=from_provider()).status == 303
    assert site.simulator.count("token") == 1
    assert site.is_signed_in(browser)


def test_a_reload_uses_a_new_server_key_and_ends_sign_ins_of_the_last_one(site):
    member, begun, old = site.member(), site.browser(), site.browser()
    addresses = [site.begin(begun), site.begin(old)]
    for browser, address, status in ((begun, addresses[0], 303), (old, addresses[1], 400)):
        names = ("SIGNIN_STATE_DIRECTORY", "SIGNIN_BASE_URL")
        done = command({name: site.responder.settings[name] for name in names}, "key", "rotate")
        assert done.returncode == 0 and "has a new server key: to use it, reload the service of this site" in done.stdout
        reload(site.responder)
        # The file keeps the last key and no older one.
        assert browser.get(site.consent(address), headers=from_provider()).status == status
    assert site.is_signed_in(member) and site.is_signed_in(begun)
    assert site.sign_in(site.browser()).status == 303


@pytest.mark.parametrize("front", ["nginx", "lighttpd"])
def test_no_request_fails_and_nothing_is_left_behind_while_the_program_reloads(make_site, front):
    with make_site(front=front, guard=["--location", "/private/"]) as site:
        place = site.server.directory / "site/private"
        place.mkdir()
        (place / "file").write_text("file")
        cookie = site.member().jar["localhost"]
        ended, statuses = threading.Event(), []

        def visit():
            browser = site.browser()
            browser.jar["localhost"] = dict(cookie)
            while not ended.is_set():
                statuses.append(browser.get(f"{site.url}/private/file").status)

        threads = [threading.Thread(target=visit) for _ in range(4)]
        for number in range(3):
            reload(site.responder, SIGNIN_SITE_NAME=f"Warm {number}")
        descriptors, tasks = site.responder.process.descriptors(), site.responder.process.threads()
        for thread in threads:
            thread.start()
        for number in range(25):
            reload(site.responder, SIGNIN_SITE_NAME=f"Name {number}")
        ended.set()
        for thread in threads:
            thread.join()
        assert len(statuses) > 25 and set(statuses) == {200}
        wait_until(lambda: site.responder.process.descriptors() <= descriptors + 8, "closed descriptors")
        wait_until(lambda: site.responder.process.threads() <= tasks + 4, "ended threads")


def test_the_settings_page_marks_exactly_the_settings_that_a_reload_leaves(responder):
    with responder:
        text = command({}, "print-settings").stdout
        sections = re.findall(r"^### (\w+)\n\n- Value: .*\n- Default: .*\n- To apply a change: (reload|restart)$", text, re.MULTILINE)
        marked = {name for name, change in sections if change == "restart"}
        assert len(sections) == text.count("\n### ")
        assert {"SIGNIN_LISTEN", "SIGNIN_STATE_DIRECTORY", "SIGNIN_STORE", "SIGNIN_WORKERS"} <= marked
        samples = {"SIGNIN_IDLE_LIMIT": "2d", "SIGNIN_SPENT_STATES": "200", "SIGNIN_KEPT_TOTAL": "32M", "SIGNIN_STORE_CACHE": "2s"}
        assert set(named(reload(responder, **samples), "restart-needed")) == set(samples) <= marked

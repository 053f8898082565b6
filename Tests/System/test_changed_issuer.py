"""An issuer that changes: the provider keeps its ID, and the members of the ID, only after `store adopt --provider`."""

import signal
import subprocess

import pytest

from harness.browser import Browser
from harness.doctor import diagnose
from harness.process import BINARIES, surroundings
from harness.providers import PACKAGES, Mock, running
from harness.several import several
from test_presets import at_github

needs_packages = pytest.mark.skipif(not PACKAGES.exists(), reason="deploy/packages test could not download the providers")


def run(responder, *words):
    command = [BINARIES / "linkedin-signin", *words, "--settings-file", responder.write_settings()]
    return subprocess.run(command, capture_output=True, text=True, env=surroundings(), timeout=60)


def reload(site, event):
    count = len(site.responder.lines_so_far(event))
    site.responder.process.child.send_signal(signal.SIGHUP)
    site.wait_for(event, count + 1)


def renamed(site):
    """Changes the host of the issuer in the settings: the provider answers at both. Returns both issuers."""
    old = site.provider.issuer
    site.provider.issuer = site.responder.settings["PROVIDER_ISSUER"] = old.replace("127.0.0.1", "localhost")
    site.responder.write_settings()
    return old, site.provider.issuer


@needs_packages
def test_an_id_keeps_its_members_after_the_command_and_the_start_is_refused_before_it(directory):
    with running(directory, Mock, settings={"PROVIDER_ID": "own"}) as site:
        browser = Browser()
        assert site.sign_in(browser).status == 303
        old, new = renamed(site)
        kept = site.responder.state / "provider-own.json"
        command = f"run: linkedin-signin store adopt --provider own --from {old} --settings-file {site.responder.write_settings()}"
        found = f"own is the ID of {old}: after a mistake, write that issuer; if the provider changed its issuer, {command}. If this is another provider, set another PROVIDER_ID: "
        found += f"members of {new} would become the members of {old} with the same subjects"
        for refused in (run(site.responder, "check"), run(site.responder, "serve")):
            assert refused.returncode == 78 and f"PROVIDER_ISSUER: {found}" in refused.stderr, refused.stderr
        assert found in diagnose(site.responder).finding("settings-invalid")["what"]
        site.responder.expected_errors.append("event=reload-refused")
        reload(site, "reload-refused")
        assert command in site.responder.log and site.session(browser)["signed_in"]

        for words, said in [
            (("own", "--from", "https://third.example"), f"--from: the ID own belongs to {old}, not to https://third.example"),
            (("other", "--from", old), "--provider: no provider with an issuer has the ID “other”; IDs in the settings: own"),
        ]:
            done = run(site.responder, "store", "adopt", "--provider", *words)
            assert (done.returncode, done.stderr) == (65, f"linkedin-signin: {said}\n")
        done = run(site.responder, "store", "adopt", "--provider", "own", "--from", old)
        assert (done.returncode, done.stdout) == (0, f"the ID own belongs to {new} now\n"), done.stderr
        assert done.stderr == f"linkedin-signin: site {site.url}, store {site.responder.state}\n"
        done = run(site.responder, "store", "adopt", "--provider", "own", "--from", old)
        assert done.returncode == 65 and f"the ID own belongs to {new} already: nothing to do" in done.stderr

        assert run(site.responder, "check").returncode == 0
        reload(site, "reloaded")
        site.wait_for("discovery-read", 2)
        assert f'"issuer":"{new}"' in kept.read_text().replace(" ", "")
        assert site.session(browser)["subject"] == "own::ada"
        again = Browser()
        assert site.sign_in(again).status == 303 and site.session(again)["subject"] == "own::ada"


def test_the_id_of_a_github_server_is_kept_by_the_same_command(directory):
    with at_github(directory) as site:
        browser = Browser()
        assert site.sign_in(browser).status == 303
        old, new = renamed(site)
        done = run(site.responder, "store", "adopt", "--provider", "github", "--from", old)
        assert (done.returncode, done.stdout) == (0, f"the ID github belongs to {new} now\n"), done.stderr
        reload(site, "reloaded")
        assert site.session(browser)["subject"] == "github::583231"


@needs_packages
def test_a_provider_of_a_file_is_named_by_the_file_and_all_changed_issuers_are_reported(directory):
    with several(directory, {"mock": Mock, "twin": Mock}) as site:
        for name in ("mock", "twin"):
            site.add(name, PROVIDER_ISSUER=site.providers[name].issuer.replace("127.0.0.1", "localhost"))
        refused = run(site.responder, "check")
        assert refused.returncode == 78
        for name in ("mock", "twin"):
            assert f"rename {site.folder}/{name}: members of" in refused.stderr and "PROVIDER_ID" not in refused.stderr, refused.stderr
            done = run(site.responder, "store", "adopt", "--provider", name, "--from", site.providers[name].issuer)
            assert done.returncode == 0, done.stderr
        assert run(site.responder, "check").returncode == 0

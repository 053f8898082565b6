"""Server keys in the database and in a file, and their rotation."""

import os
import subprocess

import pytest

from harness.machines import MAKE_KEY, OUTAGE, Machines, check, command
from harness.process import wait_until
from harness.responder import Responder
from harness.site import Site, from_provider

NOBODY = 65534


def server_keys(database):
    return int(database.run("SELECT count(*) FROM linkedin_signin.server_key", database="signin")[0])


def test_rotation_of_the_server_key_interrupts_no_sign_in_and_signs_nobody_out(directory, database):
    key = directory / "store-key"
    subprocess.run(["bash", "-c", MAKE_KEY], cwd=directory, check=True)
    settings = {"SIGNIN_STORE_KEY_FILE": str(key)}
    with Machines(directory, database, "nginx", **settings) as machines:
        assert server_keys(database) == 1 and not (machines.site.responder.state / "server-key").exists()
        member = machines.site.browser()
        assert machines.site.sign_in(member).status == 303
        begun = [(machines.site.browser(), machines.site.url), (machines.site.browser(), machines.second)]
        addresses = [browser.get(f"{url}/login").location for browser, url in begun]
        own = {"SIGNIN_STORE": database.address("signin"), "SIGNIN_BASE_URL": machines.site.url}
        done = command({**own, **settings}, "key", "rotate")
        assert done.returncode == 0 and done.stdout == "all machines seal with a new server key in 30 s\n"
        for responder in (machines.site.responder, machines.other):
            wait_until(lambda: "event=server-keys-read keys=2" in responder.log, "new key", 5)
        # As if the 30 seconds were over: what the machines have read counts.
        database.run("UPDATE linkedin_signin.server_key SET seals_from = now()", database="signin")
        for responder in (machines.site.responder, machines.other):
            responder.stop()
            responder.start()
        begun.append((machines.site.browser(), machines.site.url))
        addresses.append(begun[-1][0].get(f"{machines.site.url}/login").location)
        # Each sign-in ends at the other machine.
        for (browser, url), address in zip(begun, addresses, strict=True):
            callback = machines.site.consent(address)
            other = machines.second if url == machines.site.url else machines.site.url
            answer = browser.get(callback.replace(machines.site.url, other), headers=from_provider())
            assert answer.status == 303, machines.site.responder.log + machines.other.log
            assert machines.status(other, browser) == 200
        assert machines.status(machines.second, member) == 200


def test_sign_in_under_way_continues_if_the_database_answers_after_the_start(directory, database):
    key = directory / "store-key"
    subprocess.run(["bash", "-c", MAKE_KEY], cwd=directory, check=True)
    with Site(directory, "nginx") as site:
        begun = site.browser()
        address = site.begin(begun)
        site.responder.stop()
        site.responder.settings.update({"SIGNIN_STORE": database.address("signin"), "SIGNIN_STORE_KEY_FILE": str(key)})
        site.responder.expected_errors += OUTAGE
        database.kill()
        site.responder.start()
        database.start()
        wait_until(lambda: "event=server-keys-read" in site.responder.log, "the key is in the database", 20)
        assert begun.get(site.consent(address), headers=from_provider()).status == 303


def test_machine_with_another_key_does_not_start(directory, database):
    keys = [directory / name for name in ("first", "second")]
    for key in keys:
        key.touch(mode=0o600)
        subprocess.run(["bash", "-c", MAKE_KEY.replace("> store-key", f"> {key}")], check=True)
    settings = {"SIGNIN_STORE": database.address("signin")}
    assert command({**settings, "SIGNIN_STORE_KEY_FILE": str(keys[0])}, "key", "rotate").returncode == 0
    settings["SIGNIN_STORE_KEY_FILE"] = str(keys[1])
    responder = Responder(directory / "r", "http://localhost:8080", "http://127.0.0.1:9", settings)
    responder.launch()
    assert responder.process.child.wait(10) == 78
    assert "SIGNIN_STORE_KEY: a server key in the database was sealed with another key" in responder.log
    assert "was sealed with another key" in check(settings).stderr
    keys[1].write_text("too-short")
    assert "SIGNIN_STORE_KEY: is not a key of 32 bytes" in check(settings).stderr


def test_rotation_of_the_key_file_interrupts_no_sign_in_at_a_restart(directory):
    with Site(directory, "nginx") as site:
        member, begun = site.browser(), site.browser()
        assert site.sign_in(member).status == 303
        address = site.begin(begun)
        state = site.responder.state
        own = {"SIGNIN_STATE_DIRECTORY": str(state), "SIGNIN_BASE_URL": site.url}
        done = command(own, "key", "rotate")
        assert done.returncode == 0 and "has a new server key: to use it, reload the service of this site" in done.stdout
        assert len((state / "server-key").read_text().split()) == 2
        site.responder.stop()
        site.responder.start()
        assert begun.get(site.consent(address), headers=from_provider()).status == 303
        assert site.is_signed_in(begun) and site.is_signed_in(member)
        assert command(own, "key", "rotate").returncode == 0
        assert len((state / "server-key").read_text().split()) == 2


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a directory away")
def test_root_rotates_the_key_file_of_the_user_of_serve(directory):
    """As systemd's DynamicUser= has it: the user of serve cannot reach the state directory by its path."""
    state = directory / "private/state"
    state.mkdir(mode=0o700, parents=True)
    state.parent.chmod(0o700)
    os.chown(state, NOBODY, NOBODY)
    for _ in range(2):
        done = command({"SIGNIN_STATE_DIRECTORY": str(state)}, "key", "rotate")
        assert (done.returncode, done.stderr) == (0, f"linkedin-signin: site without SIGNIN_BASE_URL, store {state}\n")
        assert done.stdout.startswith(f"{state}/server-key has a new server key: ")
        status = (state / "server-key").stat()
        assert (status.st_uid, status.st_gid, status.st_mode & 0o777) == (NOBODY, NOBODY, 0o600)
    assert len((state / "server-key").read_text().split()) == 2

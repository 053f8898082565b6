"""Lists of members are read again after each change, and errors in them are logged."""

import os
import signal

import pytest

from harness.guarded import CANARY, SUBJECTS
from harness.process import wait_until

SOON = 5  # seconds; a list is checked once a second


@pytest.fixture(scope="module")
def listed(guarded_alone):
    """A site with lists, and a function that returns whether members 1 and 2 are admitted."""
    guarded_alone.responder.expected_errors.append("list-refused|list-unreadable|list-invalid")
    browsers = guarded_alone.member(1), guarded_alone.member(2)
    url = guarded_alone.url_of("listed")
    return guarded_alone, lambda: tuple(CANARY in browser.get(url).body for browser in browsers)


@pytest.fixture(autouse=True)
def only_first(listed):
    """Every test starts with a list that contains member 1."""
    site, admitted = listed
    write(site.allowed, f"subject={SUBJECTS[1]}")
    write(site.denied)
    await_state(admitted, (True, False))


def write(path, *lines):
    """Replaces the file by rename, as careful editors do, so that nobody reads half a list."""
    new = path.with_suffix(".new")
    new.write_text("".join(f"{line}\n" for line in lines))
    new.rename(path)


def await_state(look, expected):
    wait_until(lambda: look() == expected, f"admitted {expected}", SOON)


def test_a_line_takes_effect_when_written_and_stops_when_removed(listed):
    site, admitted = listed
    with open(site.allowed, "a") as file:
        file.write("email = Zhang.Wei@Example.COM # joined today\n")
    await_state(admitted, (True, True))
    write(site.allowed, "# nobody left but", f"subject={SUBJECTS[2]}")
    await_state(admitted, (False, True))
    write(site.allowed, "email-domain=example.com")
    await_state(admitted, (True, True))
    write(site.denied, f"subject={SUBJECTS[1]}")
    await_state(admitted, (False, True))
    write(site.denied)
    await_state(admitted, (True, True))
    write(site.allowed)
    await_state(admitted, (False, False))


@pytest.mark.parametrize("which", ["allowed", "denied"])
def test_a_missing_list_admits_nobody_until_it_is_back(listed, which):
    site, admitted = listed
    path = getattr(site, which)
    content = path.read_text()
    path.unlink()
    await_state(admitted, (False, False))
    wait_until(lambda: f"{path} does not exist: create this list" in site.responder.log, "a line about it")
    assert "list-unreadable" in site.responder.settled_log()
    path.write_text(content)
    await_state(admitted, (True, False))


@pytest.mark.parametrize("fault", ["directory", "dangling link", "written by all"])
def test_an_untrustworthy_list_file_admits_nobody(listed, fault):
    site, admitted = listed
    if fault == "written by all":
        site.allowed.chmod(0o666)
    else:
        site.allowed.unlink()
        site.allowed.mkdir() if fault == "directory" else os.symlink("/nowhere", site.allowed)
    await_state(admitted, (False, False))
    if fault == "directory":
        site.allowed.rmdir()


@pytest.mark.parametrize("line", ["*", "email=a@b@c", f"subject={SUBJECTS[1]},{SUBJECTS[2]}", "email-domain=example.com."])
def test_a_list_with_a_broken_line_admits_nobody_and_the_line_is_logged(listed, line):
    site, admitted = listed
    complaints = lambda: site.responder.log.count(f"{site.denied} line 2")
    before = complaints()
    write(site.denied, f"subject={SUBJECTS[3]}", line)
    await_state(admitted, (False, False))
    wait_until(lambda: complaints() > before, "a complaint about the line", SOON)
    assert "reason=list-invalid" in site.responder.settled_log()
    write(site.denied, f"subject={SUBJECTS[2]}")
    await_state(admitted, (True, False))


def test_a_change_that_keeps_size_and_time_of_modification_takes_effect(listed):
    site, admitted = listed
    for number, expected in ((2, (False, True)), (1, (True, False))):
        site.allowed.write_text(f"subject={SUBJECTS[number]}\n")
        os.utime(site.allowed, (1e9, 1e9))
        await_state(admitted, expected)


def reads_of(site, path):
    return site.responder.log.count(f"event=list-read file={path} ")


def test_a_reload_reads_unchanged_lists_again(listed):
    site, _ = listed
    before = reads_of(site, site.denied)
    site.responder.process.child.send_signal(signal.SIGHUP)
    wait_until(lambda: reads_of(site, site.denied) > before, "the list is read again", SOON)

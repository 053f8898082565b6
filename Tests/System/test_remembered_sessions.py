"""Sessions that checks remember: every worker sees what happens to their records."""

import os
import shutil
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from harness.process import wait_until
from harness.site import Site

GUARD = {"SIGNIN_ACTION": "authorize", "SIGNIN_REQUIRE": "member"}
# Of four workers at once, so that each takes some.
CHECKS = 48


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    with Site(tmp_path_factory.mktemp("site"), settings={"SIGNIN_WORKERS": "4"}) as site:
        yield site


@pytest.fixture
def member(site):
    """The cookie of a signed-in member, and the record of the session."""
    before = set(records(site))
    cookie = site.member().jar["localhost"]["__Host-session"]
    [record] = set(records(site)) - before
    wait_until_remembered(record)
    assert check(site, cookie) == {200}
    return cookie, record


def records(site):
    return [path for path in (site.responder.state / "sessions").glob("*/*") if path.is_file()]


def wait_until_remembered(record):
    """A record that changed within the last second is not remembered."""
    wait_until(lambda: time.time() - record.stat().st_ctime > 1.1, "a record that is remembered")


def check(site, cookie):
    """The statuses of many checks at the same time."""
    headers = {"Cookie": f"__Host-session={cookie}"}
    with ThreadPoolExecutor(16) as pool:
        answers = pool.map(lambda _: site.responder.ask("/auth", headers=headers, extra=GUARD), range(CHECKS))
        return {answer.status for answer in answers}


def remove(record, _):
    record.unlink()


def truncate(record, _):
    os.truncate(record, record.stat().st_size - 1)


def overwrite(record, _):
    """Other bytes of the same size, with the same time as before."""
    status = record.stat()
    record.write_bytes(bytes(byte ^ 1 for byte in record.read_bytes()))
    os.utime(record, ns=(status.st_atime_ns, status.st_mtime_ns))


def replace(record, other):
    """The record of another session in its place, of the same size."""
    copy = record.with_name("copy")
    assert other.stat().st_size == record.stat().st_size
    shutil.copy(other, copy)
    copy.rename(record)


@pytest.mark.parametrize("change", [remove, truncate, overwrite, replace])
def test_every_worker_sees_at_once_that_a_record_has_changed(site, member, change):
    cookie, record = member
    before = set(records(site))
    other = site.member().jar["localhost"]["__Host-session"]
    [others] = set(records(site)) - before
    change(record, others)
    assert check(site, cookie) == {401}
    assert check(site, other) == {200}


def test_every_worker_sees_at_once_that_a_record_is_there_again(site, member):
    cookie, record = member
    content = record.read_bytes()
    record.unlink()
    assert check(site, cookie) == {401}
    record.write_bytes(content)
    record.chmod(0o600)
    assert check(site, cookie) == {200}


def test_every_worker_sees_a_sign_out_at_once(site, member):
    cookie, _ = member
    before = set(records(site))
    browsers = [site.member() for _ in range(5)]
    for record in set(records(site)) - before:
        wait_until_remembered(record)
    for browser in browsers:
        ended = browser.jar["localhost"]["__Host-session"]
        assert check(site, ended) == {200}
        site.sign_out(browser)
        assert check(site, ended) == {401}
    assert check(site, cookie) == {200}

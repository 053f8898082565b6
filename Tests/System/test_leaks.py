"""Fifty thousand requests leave nothing behind."""

import os
import re
import subprocess

import pytest

from harness.process import REPOSITORY, wait_until
from harness.site import SESSION

pytestmark = pytest.mark.extended

REQUESTS = 50_000
# Each thread of the C library keeps some memory. A leak of 128 bytes a request exceeds this limit.
GROWTH = 6 << 20


def load(site, cookie, count):
    """Sends at least this many requests, eight at a time."""
    script = REPOSITORY / "Tests/System/harness/mix.lua"
    command = ["wrk", "-t1", "-c8", "-d4s", "-s", script, "-H", f"Cookie: {SESSION}={cookie}", "-H", "Accept: application/json"]
    sent = 0
    for _ in range(100):
        if sent >= count:
            break
        output = subprocess.run([*command, site.url], capture_output=True, text=True, check=True, timeout=60).stdout
        sent += int(re.search(r"(\d+) requests in", output)[1])
        assert "Socket errors" not in output, output
    assert sent >= count


def test_fifty_thousand_requests_leak_nothing(make_site):
    with make_site(settings={"SIGNIN_LOG_LEVEL": "error"}) as site:
        browser = site.browser()
        site.sign_in(browser)
        assert site.is_signed_in(browser)
        cookie = browser.jar["localhost"][SESSION]
        process = site.responder.process
        load(site, cookie, REQUESTS // 5)
        before = process.memory(), process.descriptors(), process.threads()
        load(site, cookie, REQUESTS)
        wait_until(lambda: process.descriptors() <= before[1], "the end of the last connection")
        # The shared pool and the log's queue start their threads on first use.
        assert process.threads() <= before[2] + os.cpu_count() + 1
        assert process.memory() - before[0] < GROWTH
        assert site.is_signed_in(browser)


def test_memory_of_code_that_is_not_used_again_is_given_back(make_site):
    # The program looks at its threads every 50 ms, and gives memory back at every hundredth look.
    often = ("env", "NOTIFY_SOCKET=/nonexistent", "WATCHDOG_USEC=100000")
    with make_site(wrapper=often) as site:
        browser = site.browser()
        process = site.responder.process
        site.sign_in(browser)
        highest = process.memory("RssFile")
        assert site.is_signed_in(browser)
        highest = max(highest, process.memory("RssFile"))
        wait_until(lambda: process.memory("RssFile") < highest - (1 << 20), "less memory of code")
        assert site.is_signed_in(browser)

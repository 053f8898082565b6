"""Browsers that one test after the other uses, because the start of a browser takes longer than most tests."""

import shutil
import tempfile
from contextlib import suppress

from selenium.common.exceptions import WebDriverException

from .chromium import Chromium

MOST = 2


class IdleBrowsers:
    """Instances of Chromium without a user, the last used at the end; each has only what a new profile has."""

    def __init__(self):
        self.idle = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        while self.idle:
            close(*self.idle.pop(0))

    def take(self, javascript=True, **look):
        """A browser, and its profile; `look` is what every browser can be set to."""
        found = [pair for pair in self.idle if pair[0].javascript == javascript]
        if found:
            self.idle.remove(found[-1])
        else:
            profile = tempfile.mkdtemp(prefix="signin-browser-")
            found = [(Chromium(profile, javascript), profile)]
        browser, profile = found[-1]
        browser.look(**look)
        return browser, profile

    def give_back(self, browser, profile):
        try:
            browser.renew()
        except WebDriverException:
            close(browser, profile)
        else:
            self.idle.append((browser, profile))
        while len(self.idle) > MOST:
            close(*self.idle.pop(0))


def close(browser, profile):
    with suppress(WebDriverException):
        browser.__exit__()
    shutil.rmtree(profile, ignore_errors=True)

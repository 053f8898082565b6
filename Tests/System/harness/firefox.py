"""Firefox."""

import json
from pathlib import Path

from selenium import webdriver

from .engine import Engine
from .marionette import Marionette
from .process import Process, wait_until

PREFERENCES = {
    "marionette.port": 0,  # Firefox chooses a port and writes it to a file
    "network.proxy.type": 0,
    "intl.accept_languages": "en-US",
    "devtools.jsonview.enabled": False,
    "services.settings.server": "data:,",
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
}


class Firefox(Engine):
    def __init__(self, directory):
        profile = Path(directory, "profile")
        profile.mkdir()
        lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in PREFERENCES.items()]
        (profile / "user.js").write_text("".join(lines))
        command = ["firefox-esr", "--headless", "--no-remote", "--marionette", "--profile", profile]
        self._process = Process("firefox", command, directory, {"HOME": str(directory)})
        try:
            super().__init__(webdriver.Remote(Marionette(self._port(profile)), options=_options()))
        except BaseException:
            self._process.stop()
            raise

    def _port(self, profile):
        file = profile / "MarionetteActivePort"

        def written():
            assert self._process.is_running, self._process.log
            return file.exists() and file.read_text().strip()

        wait_until(written, "the port of Firefox", 60)
        return int(file.read_text())

    def __exit__(self, *details):
        try:
            super().__exit__(*details)
        finally:
            self._process.stop()


def _options():
    options = webdriver.FirefoxOptions()
    options.accept_insecure_certs = True
    return options

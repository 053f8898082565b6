"""Chromium with its developer tools."""

import json
from collections import defaultdict

from selenium import webdriver
from selenium.webdriver.chrome.service import Service

from .engine import Engine


class Chromium(Engine):
    def __init__(self, directory, language="en-US", javascript=True, dark=False, width=1280, height=900):
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        options.accept_insecure_certs = True
        for argument in (
            "--headless=new",
            "--no-sandbox",
            "--disable-dev-shm-usage",
            "--disable-gpu",
            "--no-first-run",
            "--no-proxy-server",
            "--disable-background-networking",
            f"--user-data-dir={directory}",
            f"--lang={language}",
            f"--window-size={width},{height}",
        ):
            options.add_argument(argument)
        preferences = {"intl.accept_languages": language}
        if not javascript:
            preferences["profile.managed_default_content_settings.javascript"] = 2
        options.add_experimental_option("prefs", preferences)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        super().__init__(webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options))
        if dark:
            self.driver.execute_cdp_cmd(
                "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": "dark"}]}
            )
        if width < 500:
            # A window has a minimum width; the emulated screen has none.
            self.driver.execute_cdp_cmd(
                "Emulation.setDeviceMetricsOverride",
                {"width": width, "height": height, "deviceScaleFactor": 2, "mobile": True},
            )

    def complaints(self):
        """Warnings of the browser: violations of the content policy, rejected cookies, failed loads."""
        return [
            entry["message"]
            for entry in self.driver.get_log("browser")
            if entry["level"] in ("SEVERE", "WARNING") and "favicon.ico" not in entry["message"]
        ]

    def requests(self):
        """Address and header fields of every request since the last call, including redirects."""
        addresses, fields = defaultdict(list), defaultdict(list)
        for entry in self.driver.get_log("performance"):
            event = json.loads(entry["message"])["message"]
            details = event["params"]
            if event["method"] == "Network.requestWillBeSent":
                addresses[details["requestId"]].append(details["request"]["url"])
            elif event["method"] == "Network.requestWillBeSentExtraInfo":
                headers = {name.lower(): value for name, value in details["headers"].items()}
                fields[details["requestId"]].append(headers)
        return [pair for name in addresses for pair in zip(addresses[name], fields[name])]

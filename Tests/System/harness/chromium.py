"""Chromium with its developer tools."""

import json
from collections import defaultdict

from selenium import webdriver
from selenium.webdriver.chrome.service import Service

from .engine import Engine

WIDTH, HEIGHT = 1280, 900
LANGUAGE = "en-US"


class Chromium(Engine):
    def __init__(self, directory, javascript=True):
        self.javascript = javascript  # what a running browser cannot change
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
            f"--lang={LANGUAGE}",
            f"--window-size={WIDTH},{HEIGHT}",
        ):
            options.add_argument(argument)
        preferences = {"intl.accept_languages": LANGUAGE}
        if not javascript:
            preferences["profile.managed_default_content_settings.javascript"] = 2
        options.add_experimental_option("prefs", preferences)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        super().__init__(webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options))

    def look(self, language=LANGUAGE, dark=False, width=WIDTH):
        """Sets the language, the theme and the width of the screen for this tab."""
        if language != LANGUAGE:
            agent = self.driver.execute_script("return navigator.userAgent")
            self.driver.execute_cdp_cmd("Emulation.setUserAgentOverride", {"userAgent": agent, "acceptLanguage": language})
        if dark:
            theme = {"name": "prefers-color-scheme", "value": "dark"}
            self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [theme]})
        if width < 500:
            # A window has a minimum width; the emulated screen has none.
            self.driver.execute_cdp_cmd(
                "Emulation.setDeviceMetricsOverride",
                {"width": width, "height": HEIGHT, "deviceScaleFactor": 2, "mobile": True},
            )

    def renew(self):
        """Leaves one new tab, without cookies, caches, permissions, history and log of the former tabs.

        Other data belong to an origin, and each site of a run has its own port.
        """
        former = self.driver.window_handles
        self.driver.switch_to.window(former[0])
        self.driver.switch_to.new_window("tab")
        (tab,) = set(self.driver.window_handles) - set(former)
        for handle in former:
            self.driver.switch_to.window(handle)
            self.driver.close()
        self.driver.switch_to.window(tab)
        for command in ("Network.clearBrowserCookies", "Network.clearBrowserCache", "Browser.resetPermissions"):
            self.driver.execute_cdp_cmd(command, {})
        for kind in ("browser", "performance"):
            self.driver.get_log(kind)

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

"""Chromium, driven as a visitor would use it."""

import json
from collections import defaultdict

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

from .process import REPOSITORY

SCREENSHOTS = REPOSITORY / ".build/screenshots"


class Chromium:
    def __init__(self, directory, language="en-US", javascript=True, dark=False, width=1280, height=900):
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
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
        self.driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
        self.driver.set_page_load_timeout(30)
        if dark:
            self.driver.execute_cdp_cmd(
                "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": "dark"}]}
            )
        if width < 500:
            # A window has a least width; the emulated screen has none.
            self.driver.execute_cdp_cmd(
                "Emulation.setDeviceMetricsOverride",
                {"width": width, "height": height, "deviceScaleFactor": 2, "mobile": True},
            )

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.driver.quit()

    def open(self, url):
        self.driver.get(url)

    @property
    def url(self):
        return self.driver.current_url

    @property
    def text(self):
        return self.driver.find_element(By.TAG_NAME, "body").text

    @property
    def heading(self):
        return self.driver.find_element(By.TAG_NAME, "h1").text

    def find(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def one(self, selector):
        found = self.find(selector)
        assert len(found) == 1, f"{selector}: {len(found)} elements in\n{self.driver.page_source}"
        return found[0]

    def click(self, selector):
        """Clicks, and waits until the page has gone."""
        element = self.one(selector)
        page = self.driver.find_element(By.TAG_NAME, "html")
        element.click()
        WebDriverWait(self.driver, 20).until(lambda _: _is_gone(page))

    def wait_for(self, condition, what):
        WebDriverWait(self.driver, 20).until(lambda _: condition(), what)

    def cookies(self):
        return {cookie["name"]: cookie for cookie in self.driver.get_cookies()}

    def complaints(self):
        """What the browser warns of: violations of the content policy, refused cookies, failed loads."""
        return [
            entry["message"]
            for entry in self.driver.get_log("browser")
            if entry["level"] in ("SEVERE", "WARNING") and "favicon.ico" not in entry["message"]
        ]

    def requests(self):
        """Address and header fields of every request since the last call, as they went over the wire, redirects too."""
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

    def screenshot(self, name):
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        self.driver.save_screenshot(str(SCREENSHOTS / f"{name}.png"))


def _is_gone(element):
    try:
        element.tag_name
        return False
    except Exception as error:
        # Stale, or in a frame that was replaced while it was asked.
        return "stale" in str(error).lower() or "detached" in str(error).lower() or "does not belong" in str(error)

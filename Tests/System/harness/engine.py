"""The functions that all browser engines share."""

from selenium.common.exceptions import NoSuchElementException, StaleElementReferenceException, WebDriverException
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

from .process import REPOSITORY

SCREENSHOTS = REPOSITORY / ".build/screenshots"
SECONDS = 60


class Engine:
    """A browser with a new profile."""

    def __init__(self, driver):
        self.driver = driver
        self.driver.set_page_load_timeout(30)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.driver.quit()

    def open(self, url):
        self.driver.get(url)

    def back(self):
        self.driver.back()

    @property
    def url(self):
        return self.driver.current_url

    @property
    def text(self):
        return self.driver.find_element(By.TAG_NAME, "body").text

    @property
    def heading(self):
        return self.driver.find_element(By.TAG_NAME, "h1").text

    @property
    def source(self):
        return self.driver.page_source

    def find(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def one(self, selector):
        found = self.find(selector)
        assert len(found) == 1, f"{selector}: {len(found)} elements in\n{self.source}"
        return found[0]

    def click(self, selector):
        """Clicks and waits until the page has been replaced."""
        element = self.one(selector)
        page = self.driver.find_element(By.TAG_NAME, "html")
        element.click()
        WebDriverWait(self.driver, SECONDS).until(lambda _: _is_gone(page), f"{selector} left the page")

    def wait_for(self, condition, what):
        """Waits for a condition and retries if the page changes while it is read."""
        changing = [NoSuchElementException, StaleElementReferenceException]
        WebDriverWait(self.driver, SECONDS, ignored_exceptions=changing).until(lambda _: condition(), what)

    def cookies(self):
        return {cookie["name"]: cookie for cookie in self.driver.get_cookies()}

    def forget_cookies(self, url):
        """Opens a site and removes its cookies."""
        self.open(url)
        self.driver.delete_all_cookies()

    def screenshot(self, name):
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        self.driver.save_screenshot(str(SCREENSHOTS / f"{name}.png"))


def _is_gone(element):
    try:
        element.tag_name
        return False
    except (StaleElementReferenceException, NoSuchElementException):
        return True
    except WebDriverException as error:
        # The frame was replaced during the call.
        return any(word in str(error).lower() for word in ("stale", "detached", "discarded", "does not belong"))

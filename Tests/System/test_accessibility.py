"""Accessibility of every kind of page: axe-core in both themes, small and zoomed screens, and the keyboard."""

import subprocess

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from harness.axe import AXE, violations
from harness.form_site import FormSite
from harness.process import BINARIES, surroundings
from harness.providers import PACKAGES, Mock
from harness.several import several

pytestmark = pytest.mark.extended

ALLOW = 'button[name="decision"][value="allow"]'
SIGN_OUT = 'form[action="/logout"] button:not([name])'


needs_axe = pytest.mark.skipif(not AXE.exists(), reason="axe-core is missing; run deploy/packages test with access to PyPI")


# Error pages that differ in more than their texts.
PROBLEMS = [f"problem-{name}" for name in ("account-not-allowed", "form-sent", "profile-denied", "provider-throttled", "state-used")]


def pages(chromium, directory):
    """Opens every page that `preview` writes, of error pages those that differ in more than their texts, and yields its name."""
    done = subprocess.run([BINARIES / "linkedin-signin", "preview", directory / "pages"], env=surroundings(), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    found = {path.name.removesuffix("-light.html"): path for path in sorted((directory / "pages/en").glob("*-light.html"))}
    names = [name for name in found if not name.startswith("problem-") or name in PROBLEMS]
    assert len(names) >= 20 and set(PROBLEMS) < set(names)
    for name in names:
        chromium.open(f"file://{found[name]}")
        yield name


def visit(chromium, site):
    """Opens one page of a site after another and yields its name."""
    chromium.open(f"{site.url}/")
    yield "home without a session"
    chromium.click('a[href="/login"]')
    chromium.click('button[name="decision"][value="cancel"]')
    yield "cancelled"
    chromium.click('main a[href^="/login"]')
    chromium.click(ALLOW)
    yield "home"
    chromium.open(f"{site.url}/profile")
    yield "profile"
    site.member()
    chromium.open(f"{site.url}/")
    yield "home with a profile link and another session"
    chromium.open(f"{site.url}/private/")
    yield "denied"
    chromium.open(f"{site.url}/logout")
    yield "sign-out form"
    chromium.click(SIGN_OUT)
    yield "signed out"
    chromium.open(f"{site.url}/login")
    chromium.click(ALLOW)
    chromium.open(f"{site.url}/")
    chromium.click('a[href="/tokens"]')
    yield "personal tokens"
    chromium.one("#name").send_keys("backup")
    chromium.one("#locations").send_keys("/")
    chromium.click("form.fields button")
    yield "new personal token"
    chromium.open(f"{site.url}/")
    chromium.click('a[href="/forget"]')
    yield "question about deletion"
    chromium.click('form[action="/forget"] button')
    yield "data deleted"
    chromium.open(f"{site.url}/oauth?code=a&state=b")
    yield "error"
    chromium.open(f"{site.url}/login?return_to=/{'a' * 3000}")
    yield "address too long"


@pytest.fixture
def private_site(make_site):
    guard = ["--personal-tokens", "--location", "/private/", "--require", "email-domain=example.co.uk"]
    with make_site(settings={"SIGNIN_PERSONAL_TOKENS": "90d"}, guard=guard) as site:
        private = site.server.directory / "site/private"
        private.mkdir()
        (private / "index.html").write_text("<!DOCTYPE html><title>For members</title><p>For members")
        yield site


@needs_axe
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_axe_finds_nothing_on_the_pages_of_a_site(private_site, make_chromium, dark):
    chromium = make_chromium(dark=dark)
    chromium.driver.execute_cdp_cmd("Page.setBypassCSP", {"enabled": True})
    found = {name: violations(chromium) for name in visit(chromium, private_site)}
    assert len(found) == 14 and not any(found.values()), found


@needs_axe
def test_axe_finds_a_mistake(chromium):
    chromium.open('data:text/html,<title>a</title><main><h1>a</h1><img src="x"><p style="color:%23ccc">pale text</p></main>')
    assert {name for name, _ in violations(chromium)} == {"color-contrast", "html-has-lang", "image-alt"}


OVERFLOW = """
    const width = document.documentElement.clientWidth;
    return document.documentElement.scrollWidth > width ||
        [...document.querySelectorAll('body *:not(.scenery *)')].some(element => element.getBoundingClientRect().right > width + 1);"""


@pytest.mark.parametrize("width, text", [(320, 100), (640, 100), (640, 200)], ids=["320 px", "zoom 200 %", "text 200 %"])
def test_no_page_needs_horizontal_scrolling(directory, make_chromium, width, text):
    chromium = make_chromium()
    screen = {"width": width, "height": 720, "deviceScaleFactor": 2, "mobile": False}
    chromium.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
    found = {}
    for name in pages(chromium, directory):
        chromium.driver.execute_script(f"document.documentElement.style.fontSize = '{text}%'")
        found[name] = chromium.driver.execute_script(OVERFLOW)
        chromium.screenshot(f"{name}-{width}-{text}")
    assert not any(found.values()), found


FOCUS = """
    const element = document.activeElement, style = getComputedStyle(element), box = element.getBoundingClientRect();
    return element === document.body ? null : {
        index: [...document.querySelectorAll('*')].indexOf(element),
        outline: style.outlineStyle === 'none' ? 0 : parseFloat(style.outlineWidth),
        visible: box.width > 0 && box.height > 0 && box.bottom <= innerHeight + 1,
        what: element.outerHTML.slice(0, 100)};"""
FOCUSABLE = """
    const all = [...document.querySelectorAll('*')];
    return all.filter(element => element.matches('a[href], button, input, summary') && element.checkVisibility())
        .map(element => all.indexOf(element));"""


def test_the_keyboard_reaches_every_control_in_order_with_a_visible_focus(directory, chromium):
    for name in pages(chromium, directory):
        stops = []
        for _ in range(40):
            ActionChains(chromium.driver).send_keys(Keys.TAB).perform()
            focus = chromium.driver.execute_script(FOCUS)
            if focus and stops and focus["index"] == stops[0]["index"]:
                break
            stops += [focus] if focus else []
        assert all(stop["outline"] >= 2 and stop["visible"] for stop in stops), (name, stops)
        found, expected = [stop["index"] for stop in stops], chromium.driver.execute_script(FOCUSABLE)
        # A page can begin in a field: the controls above it come after the last one.
        first = expected.index(found[0])
        assert found == expected[first:] + expected[:first], (name, stops)


def press(chromium, text):
    """Presses Tab until the control with this text has the focus, then Enter."""
    for _ in range(30):
        ActionChains(chromium.driver).send_keys(Keys.TAB).perform()
        if text in chromium.driver.switch_to.active_element.text:
            break
    else:
        raise AssertionError(f"no control {text}")
    before = chromium.url, chromium.heading
    ActionChains(chromium.driver).send_keys(Keys.ENTER).perform()
    chromium.wait_for(lambda: (chromium.url, chromium.heading) != before, f"the page after {text}")


@pytest.mark.skipif(not PACKAGES.exists(), reason="deploy/packages test could not download the providers")
def test_a_visitor_chooses_a_provider_with_the_keyboard_only(directory, chromium):
    with several(directory, {"mock": Mock}, names={"mock": "Example"}) as site:
        chromium.open(f"{site.url}/login?return_to=/profile")
        press(chromium, "Example")
        assert chromium.url.startswith(site.providers["mock"].issuer) and "redirect_uri=" in chromium.url
        chromium.open(f"{site.url}/login?return_to=/profile")
        press(chromium, "LinkedIn")
        press(chromium, "Allow")
        assert chromium.url == f"{site.url}/profile" and "Maya Lindqvist" in chromium.text
        chromium.open(f"{site.url}/login")
        assert chromium.text.index("LinkedIn") < chromium.text.index("You signed in here last time")


def test_a_visitor_signs_in_and_out_with_the_keyboard_only(site, chromium):
    chromium.open(f"{site.url}/")
    press(chromium, "Sign in with LinkedIn")
    press(chromium, "Allow")
    press(chromium, "Show my profile link")
    assert "Maya Lindqvist" in chromium.text
    chromium.open(f"{site.url}/")
    press(chromium, "Sign out")
    assert "__Host-session" not in chromium.cookies()


@needs_axe
def test_the_page_that_sends_a_kept_form_is_accessible(directory, chromium):
    with FormSite(directory) as site:
        chromium.open(f"{site.url}/public/form?urlencoded&action=/proxied/note")
        chromium.click("button")
        # The script of the page would send the form at once.
        chromium.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
        chromium.click(ALLOW)
        assert "/resume" in chromium.url
        chromium.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
        assert violations(chromium) == []

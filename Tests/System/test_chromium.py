"""The site in Chromium, as a visitor sees it; screenshots are in .build/screenshots."""

import re
from contextlib import contextmanager

import pytest

from harness.process import wait_until
from harness.site import Site

pytestmark = pytest.mark.extended

# The language tag of the pages and words from the home page, for each browser language.
LANGUAGES = {
    "en-US": ("en", "Sign in with LinkedIn"),
    "zh-CN": ("zh-Hans", "登录"),
    "zh-TW": ("zh-Hant", "登入"),
    "de-DE": ("de", "Mit LinkedIn anmelden"),
    "fr-FR": ("fr", "Se connecter"),
    "es-MX": ("es", "Iniciar sesión"),
    "ja-JP": ("ja", "サインイン"),
}
# Every language at both widths, and every width in both colors.
LOOKS = [(language, *look) for language in LANGUAGES for look in ((320, False), (1280, True))]
LOOKS += [("en-US", 320, True), ("en-US", 1280, False)]
SIGN_IN = 'a[href="/login"]'
PROFILE = 'a[href="/profile"]'
SIGN_OUT = 'form[action="/logout"] button:not([name])'
PROVIDER_ALLOW = 'button[name="decision"][value="allow"]'
PROVIDER_CANCEL = 'button[name="decision"][value="cancel"]'


def sign_in(chromium, site, member=1):
    chromium.open(f"{site.url}/")
    chromium.click(SIGN_IN)
    allow(chromium, site, member)
    assert chromium.url == f"{site.url}/"


def allow(chromium, site, member=1):
    """Signs in as a member at the provider."""
    assert chromium.url.startswith(site.simulator.url)
    for option in chromium.find(f'input[name="member"][value="{member}"], option[value="{member}"]'):
        option.click()
    chromium.click(PROVIDER_ALLOW)


@pytest.fixture
def make_private_site(make_site):
    """Makes a site with a page for members: `with make_private_site(front, *options) as site`."""

    @contextmanager
    def make(front, *options):
        with make_site(front=front, guard=["--location", "/private/", *options]) as site:
            private = site.server.directory / "site/private"
            private.mkdir()
            (private / "index.html").write_text("<!DOCTYPE html><title>For members</title><p>For members")
            yield site

    return make


def test_the_home_page_shows_its_three_controls_in_each_state(each_site, make_chromium):
    site, chromium = each_site, make_chromium()
    chromium.open(f"{site.url}/")
    chromium.screenshot(f"home-signed-out-{site.front}")
    assert chromium.one(SIGN_IN).is_enabled()
    assert chromium.find(PROFILE) == [] and chromium.find(SIGN_OUT) == []
    assert chromium.find('a[href*="profile-thirdparty"]') == []

    sign_in(chromium, site)
    chromium.screenshot(f"home-signed-in-{site.front}")
    assert "Maya Lindqvist" in chromium.text
    assert chromium.find(SIGN_IN) == [] and chromium.find('a[href*="profile-thirdparty"]') == []
    chromium.click(PROFILE)
    chromium.screenshot(f"profile-{site.front}")
    link = chromium.one('a[href*="/profile-thirdparty-redirect/"]').get_attribute("href")
    assert chromium.complaints() == []

    chromium.open(f"{site.url}/")
    chromium.screenshot(f"home-with-link-{site.front}")
    chromium.click(f'a[href="{link}"]')
    assert chromium.url.startswith(site.simulator.url) and "Maya" in chromium.text

    chromium.open(f"{site.url}/")
    chromium.click(SIGN_OUT)
    chromium.screenshot(f"signed-out-{site.front}")
    assert "__Host-session" not in chromium.cookies()
    chromium.open(f"{site.url}/")
    assert chromium.one(SIGN_IN).is_enabled()
    assert chromium.complaints() == []


def test_cookies_are_bound_to_the_host_on_plain_localhost(site, chromium):
    sign_in(chromium, site)
    cookie = chromium.cookies()["__Host-session"]
    assert (cookie["secure"], cookie["httpOnly"], cookie["path"], cookie["sameSite"]) == (True, True, "/", "Lax")
    assert cookie["domain"] == "localhost"
    assert not [name for name in chromium.cookies() if name.startswith("__Host-signin-")]


def test_cancelling_leads_to_a_friendly_page(site, chromium):
    chromium.open(f"{site.url}/")
    chromium.click(SIGN_IN)
    chromium.click(PROVIDER_CANCEL)
    chromium.screenshot("cancelled")
    assert chromium.url.startswith(f"{site.url}/oauth?error=")
    assert "user_cancelled" not in chromium.text
    chromium.click('main a[href^="/login"]')
    chromium.click(PROVIDER_ALLOW)
    assert "Maya Lindqvist" in chromium.text


def test_the_sign_out_form_sends_its_origin(site, chromium):
    sign_in(chromium, site)
    chromium.requests()
    chromium.click(SIGN_OUT)
    # The first request is the form; its response redirects to the page at the same address.
    fields = [fields for address, fields in chromium.requests() if address == f"{site.url}/logout"][0]
    assert fields["origin"] == site.url
    assert "__Host-session" not in chromium.cookies()


def test_no_referrer_contains_a_code_or_leaves_the_site(site, chromium):
    chromium.open(f"{site.url}/")
    chromium.click(SIGN_IN)
    chromium.click(PROVIDER_ALLOW)
    requests = chromium.requests()
    callback = next(address for address, _ in requests if "/oauth?code=" in address)
    # The page for an unexpected code has links, and so does the page behind them.
    strange = re.sub("state=[^&]*", "state=strange", callback)
    for selector in ('main a[href="/"]', 'main a[href^="/login"]'):
        chromium.open(strange)
        assert chromium.url == strange
        chromium.click(selector)
    chromium.open(f"{site.url}/")
    chromium.click(PROFILE)
    chromium.open(f"{site.url}/")
    chromium.click('a[href*="/profile-thirdparty-redirect/"]')
    chromium.open(f"{site.url}/")
    chromium.click(SIGN_OUT)
    requests += chromium.requests()
    seen = [(address, fields["referer"]) for address, fields in requests if "referer" in fields]
    assert (f"{site.url}/logout", f"{site.url}/") in seen, "the log contains the referrers"
    assert not [seen for _, referrer in seen if "oauth?" in referrer or "code=" in referrer]
    assert not [address for address, referrer in seen if referrer.startswith(site.url) and not address.startswith(site.url)]


def test_back_after_sign_out_does_not_show_the_member(site, chromium):
    sign_in(chromium, site)
    chromium.click(PROFILE)
    chromium.open(f"{site.url}/")
    chromium.click(SIGN_OUT)
    chromium.driver.back()
    assert chromium.url == f"{site.url}/" and "Maya" not in chromium.driver.page_source
    chromium.driver.back()
    assert chromium.url.startswith(site.simulator.url), "the profile page leads to sign-in"


@pytest.mark.parametrize("front", ["nginx", "lighttpd"])
def test_back_after_sign_out_does_not_show_a_guarded_page(make_private_site, make_chromium, front):
    with make_private_site(front) as site:
        chromium = make_chromium()
        chromium.open(f"{site.url}/private/")
        allow(chromium, site, 1)
        assert "For members" in chromium.text
        chromium.open(f"{site.url}/")
        chromium.click(SIGN_OUT)
        for _ in range(2):
            chromium.driver.back()
        assert "For members" not in chromium.driver.page_source
        assert chromium.url.startswith(site.simulator.url), "the guarded page leads to sign-in"


@pytest.mark.parametrize("front", ["nginx", "lighttpd"])
def test_back_after_a_change_of_account_does_not_show_a_page_of_the_former_member(make_private_site, make_chromium, front):
    with make_private_site(front, "--require", "email=maya.lindqvist@example.com") as site:
        chromium = make_chromium()
        chromium.open(f"{site.url}/private/")
        allow(chromium, site, 1)
        assert "For members" in chromium.text
        chromium.open(f"{site.url}/login?return_to=/")
        allow(chromium, site, 2)
        for _ in range(2):
            chromium.driver.back()
        assert chromium.url == f"{site.url}/private/"
        assert "For members" not in chromium.source and "This account has no access" in chromium.text


def test_the_page_after_a_deletion_can_be_loaded_again(site, chromium):
    sign_in(chromium, site)
    chromium.open(f"{site.url}/forget")
    chromium.click("button.danger")
    for _ in range(2):
        assert chromium.heading == "Your data is deleted"
        chromium.driver.refresh()
    chromium.click('nav a[lang="fr"]')
    assert chromium.heading == "Vos données sont supprimées"
    for _ in range(3):
        chromium.back()
        assert not chromium.find("button.danger"), "the page that asks does not come back"
    assert chromium.complaints() == []


def test_five_tabs_finish_in_reverse(site, chromium):
    driver = chromium.driver
    driver.get(f"{site.url}/login?return_to=/?tab=0")
    for number in range(1, 5):
        driver.switch_to.new_window("tab")
        driver.get(f"{site.url}/login?return_to=/?tab={number}")
    for number, handle in reversed(list(enumerate(driver.window_handles))):
        driver.switch_to.window(handle)
        chromium.click(PROVIDER_ALLOW)
        assert chromium.url == f"{site.url}/?tab={number}"
        assert "Maya Lindqvist" in chromium.text


@pytest.mark.parametrize("front", ["nginx", "lighttpd"])
def test_twelve_restored_tabs_return_to_their_own_addresses(make_private_site, make_chromium, front):
    with make_private_site(front) as site:
        chromium = make_chromium()
        driver = chromium.driver
        addresses = [f"{site.url}/private/?tab={number}&{'a' * 100}" for number in range(12)]
        driver.get(addresses[0])
        for address in addresses[1:]:
            driver.switch_to.new_window("tab")
            driver.get(address)
        tabs = list(zip(driver.window_handles, addresses))
        # The tab that waited longest finishes first; the last tabs have lost their cookies.
        cookies = driver.execute_cdp_cmd("Network.getAllCookies", {})["cookies"]
        assert len([cookie for cookie in cookies if cookie["name"].startswith("__Host-signin-")]) == 12
        assert sum(len(cookie["name"]) + len(cookie["value"]) + 3 for cookie in cookies) < 8192
        for count, (handle, address) in enumerate(tabs):
            if count == 6:
                for name in chromium.cookies():
                    if name.startswith("__Host-signin-"):
                        driver.delete_cookie(name)
            driver.switch_to.window(handle)
            chromium.click(PROVIDER_ALLOW)
            assert chromium.url == address and "For members" in chromium.text


@pytest.mark.parametrize("front", ["nginx", "lighttpd"])
def test_a_rejected_member_can_sign_in_with_another_account(make_private_site, make_chromium, front):
    with make_private_site(front, "--require", "email-domain=example.co.uk") as site:
        chromium = make_chromium()
        chromium.open(f"{site.url}/private/?x=1")
        allow(chromium, site, 1)
        assert chromium.url == f"{site.url}/private/?x=1" and "Maya Lindqvist" in chromium.text
        assert "If you use another account, this site signs you out first." in chromium.text
        chromium.screenshot(f"denied-{front}")
        chromium.click(SIGN_OUT)
        chromium.screenshot(f"another-account-{front}")
        assert "__Host-session" not in chromium.cookies() and "to use another account" in chromium.text
        assert "linkedin.com" not in chromium.source  # nobody is signed in there: a simulator takes its place
        chromium.click('main a[href^="/login"]')
        allow(chromium, site, 3)
        assert chromium.url == f"{site.url}/private/?x=1" and "For members" in chromium.text


def test_signing_out_leads_to_the_configured_site(directory, make_site, make_chromium):
    """The browser checks the redirect of the form against the page's form-action policy."""
    (directory / "other").mkdir()
    with Site(directory / "other") as other:
        (other.server.directory / "site/bye.html").write_text("<!DOCTYPE html><title>Bye</title><p>See you")
        with make_site(settings={"SIGNIN_AFTER_SIGN_OUT": f"{other.url}/bye.html"}) as site:
            chromium = make_chromium()
            sign_in(chromium, site)
            chromium.click(SIGN_OUT)
            chromium.wait_for(lambda: chromium.url == f"{other.url}/bye.html", "the other site")
            assert "See you" in chromium.text


def test_everything_works_without_javascript(site, make_chromium):
    chromium = make_chromium(javascript=False)
    chromium.open("data:text/html,<h1>no</h1><script>document.querySelector('h1').textContent='yes'</script>")
    assert chromium.heading == "no", "JavaScript is off"
    sign_in(chromium, site)
    chromium.click(PROFILE)
    assert chromium.one('a[href*="/profile-thirdparty-redirect/"]')
    chromium.open(f"{site.url}/")
    chromium.click(SIGN_OUT)
    assert chromium.cookies() == {}


def test_reloading_a_finished_callback_continues_to_the_page(site, chromium):
    chromium.open(f"{site.url}/login?return_to=/profile")
    callback = site.consent(chromium.url)
    for _ in range(2):
        chromium.open(callback)
        assert chromium.url == f"{site.url}/profile" and "Maya Lindqvist" in chromium.text
    chromium.open(f"{site.url}/")
    chromium.click(SIGN_OUT)
    chromium.open(callback)
    chromium.screenshot("callback-again")
    assert "already used" in chromium.heading
    assert chromium.find('main a[href="/"]') and chromium.find('main a[href^="/login"]')


def test_another_site_cannot_sign_a_visitor_out(site, chromium):
    sign_in(chromium, site)
    form = f"<form method=post action='{site.url}/logout'><button>x</button></form>"
    chromium.open(f"data:text/html,{form}")
    chromium.click("button")
    chromium.screenshot("cross-site")
    assert chromium.heading == "You were not signed out" and "__Host-session" in chromium.cookies()
    chromium.click("main button")
    chromium.open(f"{site.url}/")
    assert "Maya Lindqvist" not in chromium.text


@pytest.mark.parametrize("member", range(2, 8))
def test_every_name_is_shown_unchanged(site, chromium, member):
    sign_in(chromium, site, member)
    chromium.click(PROFILE)
    chromium.screenshot(f"member-{member}")
    expected = {2: "张", 3: "🚀", 4: "Teguh", 5: "Олена", 6: "<img src=x onerror=alert(1)>", 7: "محمد"}
    assert expected[member] in chromium.text
    assert chromium.find("img[onerror]") == [] and len(chromium.find("main script")) == 1
    assert not [line for line in chromium.complaints() if "script" in line.lower()]


def test_the_profile_link_can_be_copied(site, chromium):
    permission = {"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"], "origin": site.url}
    chromium.driver.execute_cdp_cmd("Browser.grantPermissions", permission)
    sign_in(chromium, site)
    chromium.click(PROFILE)
    link = chromium.one('main a[href*="/profile-thirdparty-redirect/"]').get_attribute("href")
    assert chromium.one("code#link").text == link
    chromium.one("button#copy").click()
    chromium.wait_for(lambda: chromium.one("#copied").text == "Copied", "the word that it is copied")
    assert chromium.driver.execute_async_script("navigator.clipboard.readText().then(arguments[0])") == link
    assert chromium.complaints() == []


def test_without_profile_links_the_pages_do_not_mention_them(make_site, make_chromium):
    with make_site(settings={"LINKEDIN_PRODUCT": "openid", "SIGNIN_SITE_NAME": "Example Club"}) as site:
        chromium = make_chromium()
        chromium.open(f"{site.url}/")
        chromium.screenshot("openid-home")
        assert "profile" not in chromium.text and chromium.driver.title == "Sign in to Example Club"
        sign_in(chromium, site)
        chromium.screenshot("openid-signed-in")
        assert chromium.one("header").text == "Example Club"
        chromium.click(PROFILE)
        chromium.screenshot("openid-profile")
        for text in ("app", "product", "settings", "link"):
            assert text not in chromium.one("main").text.replace("linkedin", "").lower().split()
        assert site.responder.settled_log().count("profile-link-not-offered") == 1


@pytest.mark.parametrize("language, width, dark", LOOKS)
def test_pages_fit_and_use_the_language_of_the_browser(site, make_chromium, dark, width, language):
    chromium = make_chromium(language=language, dark=dark, width=width)
    look = f"{language}-{width}-{'dark' if dark else 'light'}"

    def check(page):
        chromium.screenshot(f"{page}-{look}")
        assert chromium.one("html").get_attribute("lang") == LANGUAGES[language][0]
        overflow = "return document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert chromium.driver.execute_script(overflow) <= 0
        background = chromium.driver.execute_script("return getComputedStyle(document.body).backgroundColor")
        assert (sum(_channels(background)) < 384) == dark, background

    chromium.open(f"{site.url}/")
    check("home")
    assert LANGUAGES[language][1] in chromium.text
    sign_in(chromium, site)
    check("signed-in")
    chromium.click(PROFILE)
    check("profile")
    chromium.open(f"{site.url}/oauth?code=a&state=b")
    check("problem")
    assert chromium.complaints() == [] or all("400" in line for line in chromium.complaints())


def _channels(color):
    """The three channels of `rgb(1, 2, 3)`; a transparent background counts as white."""
    numbers = [float(part) for part in color[color.index("(") + 1 : -1].replace("/", ",").split(",")]
    return [255] * 3 if len(numbers) == 4 and numbers[3] == 0 else numbers[:3]


@pytest.mark.parametrize("obeys_policy", [True, False])
def test_pages_do_not_make_a_browser_request_an_icon(each_site, make_chromium, obeys_policy):
    """A browser requests one on a page that names none: the plain page, opened last, proves that this browser does."""
    site, chromium = each_site, make_chromium()
    (site.server.directory / "site" / "plain.html").write_text("<!DOCTYPE html><title>plain</title>")
    chromium.driver.execute_cdp_cmd("Page.setBypassCSP", {"enabled": not obeys_policy})
    sign_in(chromium, site)
    for path in ("/", "/profile", "/oauth?code=a&state=b", "/logout", "/plain.html"):
        chromium.open(f"{site.url}{path}")
    log = lambda: site.server.access_log.read_text()
    wait_until(lambda: "/favicon.ico" in log() and "/plain.html" in log(), "the icon of the plain page")
    assert "/favicon.ico" not in log().partition("/plain.html")[0]
    assert not [line for line in chromium.complaints() if "data:" in line], "the policy blocks the named icon"

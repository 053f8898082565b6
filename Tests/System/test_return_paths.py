"""No return path of the corpus leads a browser elsewhere, judged by Chromium's own reading of each Location."""

from concurrent.futures import ThreadPoolExecutor
from urllib.parse import quote, unquote, urljoin, urlsplit

import pytest

from corpus.return_paths import return_paths
from harness import raw
from harness.browser import Browser

RESOLVE = "return arguments[0].map(text => { try { return new URL(text, arguments[1]).origin } catch { return null } })"
GUARDING = {"SCRIPT_NAME": "/guarded", "SIGNIN_ACTION": "signin", "SIGNIN_REQUIRE": "member"}


def origins(chromium, texts, base):
    """Where Chromium would go from `base`; null for what it takes for no address."""
    return chromium.driver.execute_script(RESOLVE, texts, base)


def by_parameter(responder, text):
    """A sign-in that is to return to the text."""
    return responder.ask(f"/login?return_to={quote(text, safe='')}", extra={"SCRIPT_NAME": "/login"})


def by_address(responder, text, more={}):
    """One that begins at a guarded place with the text in its request line, as a web server hands it on."""
    headers = {"Accept": "text/html", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document", **more}
    return responder.ask("/guarded", headers=headers, extra={**GUARDING, "REQUEST_URI": text})


def location(site, begin, text):
    """Where a sign-in ends; past the web server, which would refuse many of the texts."""
    answer = begin(site.responder, text)
    if answer.status == 414:
        assert answer.location is None and not answer.set_cookies, (text, answer)
        # The page about an address that is too long has a link to the sign-in that leads home.
        return "/"
    assert answer.status == 303 and answer.location.startswith(site.simulator.url), (text, answer)
    cookies = "; ".join(f"{name}={value}" for name, (value, _) in answer.set_cookies.items())
    callback = Browser().post(answer.location, {"member": 1, "decision": "allow"}).location.removeprefix(site.url)
    answer = site.responder.ask(callback, headers={"Cookie": cookies})
    assert answer.status == 303, (text, answer)
    return answer.location


def check(site, chromium, end):
    """Nothing of the corpus makes `end`, which tells a Location, lead to another site."""
    base = f"{site.url}/oauth"
    chromium.open(f"{site.url}/")
    texts = return_paths()
    assert len(texts) > 2000
    astray = {text for text, origin in zip(texts, origins(chromium, texts, base)) if origin != site.url}
    assert len(astray) > 600, "the corpus would lead elsewhere if it were believed"
    with ThreadPoolExecutor(6) as pool:
        found = list(pool.map(end, texts))
    assert {place for text, place in zip(texts, found) if text in astray} == {"/"}
    # What stands behind the location may decode it once or twice and redirect there.
    for decode in (str, unquote, lambda text: unquote(unquote(text))):
        decoded = [decode(text) for text in found]
        wrong = {text for text, origin in zip(found, origins(chromium, decoded, base)) if origin != site.url}
        wrong |= {text for text, read in zip(found, decoded) if urlsplit(urljoin(base, read)).netloc != urlsplit(site.url).netloc}
        assert not wrong
    for text in set(found):
        assert text.startswith("/") and text.isascii() and text.isprintable() and not set(text) & set(' "<>#')
        assert "\\" not in text.partition("?")[0]


@pytest.mark.parametrize("begin", [by_parameter, by_address], ids=lambda begin: begin.__name__.replace("_", " "))
def test_no_return_path_leads_to_another_site(site, chromium, begin):
    check(site, chromium, lambda text: location(site, begin, text))


def test_no_address_leads_a_member_to_another_site_who_is_sent_back_at_once(site, chromium):
    browser = site.browser()
    site.sign_in(browser)
    cookies = "; ".join(f"{name}={value}" for name, value in browser.jar["localhost"].items())
    check(site, chromium, lambda text: by_address(site.responder, text, {"Cookie": cookies}).location)


SPELLINGS = ["", "?", "?return_to=%2Fa", "?code=a&state=b"]
WAYS = [".{}", "a/..{}", "a/%2e%2E{}", "a%2F..%2f{}", "./.{}", "%2e{}"]


def test_no_sign_in_ends_where_another_begins(each_site):
    """Whatever the web server routes to these pages, in any spelling, is no place to come back to."""
    for route in ("/login", "/oauth", "/logout"):
        escaped = f"/%{ord(route[1]):x}{route[2:]}"
        spellings = [path + query for path in (route, escaped) for query in SPELLINGS]
        spellings += [("/" + way).format(path) for way in WAYS for path in (route, escaped)]
        spellings += [f"{route}/", f"{route}s", f"/a{route}", route.upper(), f"{route}%3F", f"/%25{ord(route[1]):x}{route[2:]}"]
        ended = {text: location(each_site, by_parameter, text) for text in spellings}
        routed = {text for text in spellings if is_routed(each_site, text)}
        assert len(routed) >= 16 and {ended[text] for text in routed} == {"/"}, ended
        assert {text for text in ended if text != ended[text]} == routed, "every other path is kept"


def is_routed(site, target):
    """Whether a request reaches the program: what does not is a file that is not there."""
    return raw.status(raw.send(site.port, raw.request(target, raw.NAVIGATING))) != 404

"""Return paths: no entry of the corpus leads to another site, as Chromium itself resolves each Location."""

from concurrent.futures import ThreadPoolExecutor
from urllib.parse import quote, unquote, urljoin, urlsplit

import pytest

from corpus.return_paths import return_paths
from harness import raw
from harness.browser import Browser

RESOLVE = "return arguments[0].map(text => { try { return new URL(text, arguments[1]).origin } catch { return null } })"
GUARDING = {"SCRIPT_NAME": "/guarded", "SIGNIN_ACTION": "signin", "SIGNIN_REQUIRE": "member"}


def origins(chromium, texts, base):
    """The address that Chromium resolves from `base`; null if it is not an address."""
    return chromium.driver.execute_script(RESOLVE, texts, base)


def by_parameter(responder, text):
    """Starts a sign-in with the text as return path."""
    return responder.ask(f"/login?return_to={quote(text, safe='')}", extra={"SCRIPT_NAME": "/login"})


def by_address(responder, text, more={}):
    """Starts a sign-in at a guarded location with the text as request target, as a web server passes it on."""
    headers = {"Accept": "text/html", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document", **more}
    return responder.ask("/guarded", headers=headers, extra={**GUARDING, "REQUEST_URI": text})


def location(site, begin, text):
    """Finishes a sign-in without the web server, which would reject many of the texts."""
    answer = begin(site.responder, text)
    if answer.status == 414:
        assert answer.location is None and not answer.set_cookies, (text, answer)
        # The page about a too long address links to a sign-in that leads to the home page.
        return "/"
    assert answer.status == 303 and answer.location.startswith(site.simulator.url), (text, answer)
    cookies = "; ".join(f"{name}={value}" for name, (value, _) in answer.set_cookies.items())
    callback = Browser().post(answer.location, {"member": 1, "decision": "allow"}).location.removeprefix(site.url)
    answer = site.responder.ask(callback, headers={"Cookie": cookies})
    assert answer.status == 303, (text, answer)
    return answer.location


def check(site, chromium, end):
    """Checks that no text of the corpus makes the Location from `end` lead to another site."""
    base = f"{site.url}/oauth"
    chromium.open(f"{site.url}/")
    texts = return_paths()
    assert len(texts) > 2000
    astray = {text for text, origin in zip(texts, origins(chromium, texts, base)) if origin != site.url}
    assert len(astray) > 600, "the corpus leads to other sites if used unchecked"
    with ThreadPoolExecutor(6) as pool:
        found = list(pool.map(end, texts))
    assert {place for text, place in zip(texts, found) if text in astray} == {"/"}
    # The application may decode the path once or twice and redirect there.
    for decode in (str, unquote, lambda text: unquote(unquote(text))):
        decoded = [decode(text) for text in found]
        wrong = {text for text, origin in zip(found, origins(chromium, decoded, base)) if origin != site.url}
        wrong |= {text for text, read in zip(found, decoded) if urlsplit(urljoin(base, read)).netloc != urlsplit(site.url).netloc}
        assert not wrong
    for text in set(found):
        assert text.startswith("/") and text.isascii() and text.isprintable() and not set(text) & set(' "<>#')
        assert "\\" not in text.partition("?")[0]


@pytest.mark.extended
@pytest.mark.parametrize("begin", [by_parameter, by_address], ids=lambda begin: begin.__name__.replace("_", " "))
def test_no_return_path_leads_to_another_site(site, chromium, begin):
    check(site, chromium, lambda text: location(site, begin, text))


def test_no_guarded_address_leads_a_returning_member_to_another_site(site, chromium):
    browser = site.browser()
    site.sign_in(browser)
    cookies = "; ".join(f"{name}={value}" for name, value in browser.jar["localhost"].items())
    check(site, chromium, lambda text: by_address(site.responder, text, {"Cookie": cookies}).location)


SPELLINGS = ["", "?", "?return_to=%2Fa", "?code=a&state=b"]
WAYS = [".{}", "a/..{}", "a/%2e%2E{}", "a%2F..%2f{}", "./.{}", "%2e{}"]


def test_no_return_path_is_a_sign_in_route(each_site):
    """A path that the web server routes to the program, in any spelling, is not a return path."""
    for route in ("/login", "/oauth", "/logout"):
        escaped = f"/%{ord(route[1]):x}{route[2:]}"
        spellings = [path + query for path in (route, escaped) for query in SPELLINGS]
        spellings += [("/" + way).format(path) for way in WAYS for path in (route, escaped)]
        spellings += [f"{route}/", f"{route}s", f"/a{route}", route.upper(), f"{route}%3F", f"/%25{ord(route[1]):x}{route[2:]}"]
        ended = {text: location(each_site, by_parameter, text) for text in spellings}
        routed = {text for text in spellings if is_routed(each_site, text)}
        assert len(routed) >= 16 and {ended[text] for text in routed} == {"/"}, ended
        assert {text for text in ended if text != ended[text]} == routed, "every other path stays a return path"


def is_routed(site, target):
    """Whether a request reaches the program; other requests ask for a missing file."""
    return raw.status(raw.send(site.port, raw.request(target, raw.NAVIGATING))) != 404

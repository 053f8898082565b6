"""No return path of the corpus leads a browser elsewhere, judged by Chromium's own reading of each Location."""

from concurrent.futures import ThreadPoolExecutor
from urllib.parse import quote, unquote, urljoin, urlsplit

import pytest

from corpus.return_paths import return_paths
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

"""No return path of the corpus leads a browser elsewhere, judged by Chromium's own reading of each Location."""

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import quote, unquote, urljoin, urlsplit

from harness.browser import Browser
from harness.site import from_provider

CORPUS = Path(__file__).with_name("corpus") / "return_paths.txt"
RESOLVE = "return arguments[0].map(text => { try { return new URL(text, arguments[1]).origin } catch { return null } })"


def corpus():
    return [json.loads(line) for line in CORPUS.read_text().splitlines()]


def origins(chromium, texts, base):
    """Where Chromium would go from `base`; null for what it takes for no address."""
    return chromium.driver.execute_script(RESOLVE, texts, base)


def location(site, text):
    """Where a sign-in ends that was begun with the text."""
    browser = Browser()
    address = browser.get(f"{site.url}/login?return_to={quote(text, safe='')}").location
    answer = browser.get(site.consent(address), headers=from_provider())
    assert answer.status == 303, (text, answer)
    return answer.location


def test_corpus_is_what_its_maker_writes(directory):
    maker = CORPUS.with_name("make_return_paths.py")
    copy = directory / maker.name
    copy.write_text(maker.read_text())
    subprocess.run([sys.executable, copy], check=True)
    assert (directory / CORPUS.name).read_text() == CORPUS.read_text()
    assert len(corpus()) > 600


def test_no_return_path_leads_to_another_site(site, chromium):
    base = f"{site.url}/oauth"
    chromium.open(f"{site.url}/")
    texts = corpus()
    astray = [text for text, origin in zip(texts, origins(chromium, texts, base)) if origin != site.url]
    assert len(astray) > 150, "the corpus would lead elsewhere if it were believed"
    with ThreadPoolExecutor(6) as pool:
        found = list(pool.map(lambda text: location(site, text), texts))
    assert {found[texts.index(text)] for text in astray} == {"/"}
    # What stands behind the location may decode it once or twice and redirect there.
    for decode in (str, unquote, lambda text: unquote(unquote(text))):
        decoded = [decode(text) for text in found]
        wrong = {text for text, origin in zip(found, origins(chromium, decoded, base)) if origin != site.url}
        wrong |= {text for text, read in zip(found, decoded) if urlsplit(urljoin(base, read)).netloc != urlsplit(site.url).netloc}
        assert not wrong
    for text in found:
        assert text.startswith("/") and text.isascii() and text.isprintable() and not set(text) & set(' \\"<>#')

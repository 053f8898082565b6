"""The forms of pages that other programs made."""

import html
import re
from urllib.parse import urljoin

FIELD = re.compile(r"<input\b[^>]*>")
ATTRIBUTE = re.compile(r'([\w-]+)="([^"]*)"')


def hidden_fields(page):
    """The hidden fields of a page with one form."""
    found = [dict(ATTRIBUTE.findall(field)) for field in FIELD.findall(page.text)]
    return {field["name"]: html.unescape(field.get("value", "")) for field in found if field.get("type") == "hidden" and "name" in field}


def submit(browser, page, **fields):
    """Sends the form of a page to its own address."""
    return browser.post(page.url, {**hidden_fields(page), **fields})


def follow(browser, page, site):
    """Follows redirects until a page, or until the address of a callback at the site."""
    while page.location and not page.location.startswith(site):
        page = browser.get(urljoin(page.url, page.location))
    return page

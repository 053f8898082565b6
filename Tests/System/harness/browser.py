"""A client with a cookie jar (RFC 6265bis) that sends one request at a time.

Python's own jar returns no Secure cookie to http://localhost, which every browser does; so the jar here is explicit.
"""

import http.client
import ssl
from urllib.parse import urlencode, urljoin, urlsplit

from .answer import Answer

NAVIGATION = {
    "Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
    "Accept-Language": "en-US,en;q=0.9",
    "Sec-Fetch-Dest": "document",
    "Sec-Fetch-Mode": "navigate",
    "Sec-Fetch-Site": "none",
    "User-Agent": "system-tests",
}
SCRIPT = {
    "Accept": "application/json",
    "Sec-Fetch-Dest": "empty",
    "Sec-Fetch-Mode": "cors",
    "Sec-Fetch-Site": "same-origin",
    "User-Agent": "system-tests",
}
# Requests of a browser whose response nobody sees.
RESOURCES = {
    "image": {"Accept": "image/avif,image/webp,*/*;q=0.8", "Sec-Fetch-Dest": "image", "Sec-Fetch-Mode": "no-cors"},
    "script": {"Accept": "*/*", "Sec-Fetch-Dest": "script", "Sec-Fetch-Mode": "no-cors"},
    "frame": {**NAVIGATION, "Sec-Fetch-Dest": "iframe"},
    "prefetch": {**NAVIGATION, "Sec-Purpose": "prefetch;prerender"},
    "old-prefetch": {**NAVIGATION, "Purpose": "prefetch"},
    "old-image": {"Accept": "image/png,image/svg+xml"},
}


class Browser:
    def __init__(self, timeout=30, source=None):
        """`source` is the client address that the site sees, an address of loopback."""
        self.jar = {}  # host -> {name: value}
        self.timeout = timeout
        self.source = (source, 0) if source else None

    def get(self, url, headers=NAVIGATION, method="GET"):
        return self.request(method, url, headers)

    def post(self, url, fields=None, headers=NAVIGATION):
        body = urlencode(fields or {}).encode()
        return self.request("POST", url, {**headers, "Content-Type": "application/x-www-form-urlencoded"}, body)

    def request(self, method, url, headers=NAVIGATION, body=None):
        parts = urlsplit(url)
        headers = {key: value for key, value in headers.items() if value is not None}
        cookies = self.cookies_for(url)
        if cookies and "Cookie" not in headers:
            headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in cookies.items())
        # The literal address: nothing listens on the other one that localhost also names.
        host = "127.0.0.1" if parts.hostname == "localhost" else parts.hostname
        if parts.scheme == "https":
            context = ssl._create_unverified_context()
            connection = http.client.HTTPSConnection(
                host, parts.port, timeout=self.timeout, source_address=self.source, context=context
            )
        else:
            connection = http.client.HTTPConnection(host, parts.port, self.timeout, self.source)
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        try:
            connection.request(method, target, body, {"Host": parts.netloc, **headers})
            response = connection.getresponse()
            answer = Answer(response.status, response.getheaders(), response.read(), url)
        finally:
            connection.close()
        self._keep(answer)
        return answer

    def follow(self, answer, **keywords):
        """Follows a redirect."""
        assert answer.location, f"no redirect: {answer}"
        return self.get(urljoin(answer.url, answer.location), **keywords)

    def cookies_for(self, url):
        parts = urlsplit(url)
        return self.jar.get(parts.hostname, {}) if _is_trustworthy(parts) else {}

    def _keep(self, answer):
        parts = urlsplit(answer.url)
        jar = self.jar.setdefault(parts.hostname, {})
        for name, (value, attributes) in answer.set_cookies.items():
            if name.startswith("__Host-"):
                # RFC 6265bis 4.1.3.2: a browser rejects a cookie that violates the prefix of its name.
                if "secure" not in attributes or attributes.get("path") != "/" or "domain" in attributes:
                    continue
            if "secure" in attributes and not _is_trustworthy(parts):
                continue
            if attributes.get("max-age") == "0":
                jar.pop(name, None)
            else:
                jar[name] = value


def _is_trustworthy(parts):
    return parts.scheme == "https" or parts.hostname in ("localhost", "127.0.0.1")

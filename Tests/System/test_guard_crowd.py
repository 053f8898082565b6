"""Two hundred browsers at once, and every answer carries the identity of whoever asked."""

import http.client
import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from harness.answer import Answer
from harness.browser import NAVIGATION
from harness.guarded import EMAILS, SUBJECTS, Guarded, Told
from harness.webserver import FRONTS

BROWSERS = 200
REQUESTS = 50


@pytest.fixture(params=FRONTS, scope="module")
def crowd(request, tmp_path_factory):
    """A site, and browsers with the numbers of their members; every eighth is nobody's."""
    numbers = [count % 8 for count in range(BROWSERS)]
    with Guarded(tmp_path_factory.mktemp("g"), request.param) as site:
        with ThreadPoolExecutor(8) as pool:
            browsers = list(pool.map(lambda one: site.member(one) if one else site.browser(), numbers))
        yield site, list(zip(numbers, browsers))


def ask(connection, browser, place, mark):
    cookies = "; ".join(f"{name}={value}" for name, value in browser.jar.get("localhost", {}).items())
    headers = {**NAVIGATION, **({"Cookie": cookies} if cookies else {})}
    connection.request("GET", f"/{place}/?{mark}", headers={"Host": "localhost", **headers})
    response = connection.getresponse()
    return Answer(response.status, response.getheaders(), response.read())


def visit(site, number, browser, first):
    """All requests of one browser, to places in turn; what was wrong with the answers."""
    connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=60)
    # A process for each request would measure the machine: CGI programs are left out.
    places = ["open", "app", "public", "other"] if site.kind == "nginx" else ["open", "app"]
    expected = (SUBJECTS[number], EMAILS[number]) if number else (None, None)
    wrong = []
    try:
        for count in range(REQUESTS):
            place, mark = places[count % len(places)], f"visit={first}-{count}"
            answer = ask(connection, browser, place, mark)
            if not number and place in ("app", "other"):
                if answer.status != 303:
                    wrong.append((place, mark, answer.status))
                continue
            told = Told(answer)
            line = (told.all(":request") or told.all("REQUEST_URI"))[0]
            if answer.status != 200 or told.identity[:2] != expected or mark not in line:
                wrong.append((place, mark, told.identity, json.dumps(told.told)))
    finally:
        connection.close()
    return wrong


def test_every_answer_carries_its_own_identity(crowd):
    site, browsers = crowd
    with ThreadPoolExecutor(32) as pool:
        visits = [pool.submit(visit, site, *who, first) for first, who in enumerate(browsers)]
        assert [wrong for future in visits for wrong in future.result()] == []

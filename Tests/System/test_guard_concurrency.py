"""Two hundred browsers at once; every response has the identity of its own member."""

import http.client
import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from harness.answer import Answer
from harness.browser import NAVIGATION
from harness.guarded import EMAILS, SUBJECTS, Guarded, Received
from harness.webserver import FRONTS

pytestmark = pytest.mark.extended

BROWSERS = 200
REQUESTS = 20


@pytest.fixture(params=[*FRONTS, "nginx with kept verdicts"], scope="module")
def crowd(request, tmp_path_factory):
    """A site and browsers with the numbers of their members; every eighth browser has no session."""
    numbers = [count % 8 for count in range(BROWSERS)]
    front, _, keeps_verdicts = request.param.partition(" ")
    with Guarded(tmp_path_factory.mktemp("g"), front, verdicts="1s" if keeps_verdicts else None) as site:
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
    """Sends all requests of one browser to each location in turn and returns the faults of the responses."""
    connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=60)
    # CGI programs are excluded: a process for each request would test only the machine.
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
            received = Received(answer)
            line = (received.all(":request") or received.all("REQUEST_URI"))[0]
            if answer.status != 200 or received.identity[:2] != expected or mark not in line:
                wrong.append((place, mark, received.identity, json.dumps(received.received)))
    finally:
        connection.close()
    return wrong


def test_every_response_has_the_identity_of_its_own_member(crowd):
    site, browsers = crowd
    with ThreadPoolExecutor(32) as pool:
        visits = [pool.submit(visit, site, *who, first) for first, who in enumerate(browsers)]
        assert [wrong for future in visits for wrong in future.result()] == []

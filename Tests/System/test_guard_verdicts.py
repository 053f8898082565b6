"""nginx with kept verdicts (--cache-verdicts): what it keeps, for whom, and how soon a verdict ends."""

import re
import shutil
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest

from harness.guarded import ALL_GUARDS, CANARY, EMAILS, SUBJECTS
from harness.included import IncludedSite, IncludingNginx
from harness.process import wait_until
from harness.raw import NAVIGATING, cookies, request, send, status
from harness.recorder import Recorder
from harness.site import SESSION

pytestmark = pytest.mark.extended

# Seconds: time between the clock's answer to a test and nginx's own look at it, on a busy machine.
MARGIN = 0.25
COOKIE = ("Cookie", f"{SESSION}=A")
REPEATED = 20


@pytest.fixture(params=[front for front in ALL_GUARDS if front != "lighttpd"])
def site(request, make_guarded):
    with make_guarded(request.param, verdicts="1s") as site:
        yield site


def ask(site, cookie, headers=(), place="maya"):
    return send(site.port, request(f"/{place}/canary.txt", [*NAVIGATING, *cookie, *headers]))


def last_admission(site, cookie, begin):
    """The seconds from `begin` to the last request that was admitted; returns when none was for two seconds."""
    last = 0.0
    while (now := time.monotonic() - begin) < min(last + 2, 10):
        if CANARY in ask(site, cookie):
            last = now
    return last


def test_after_a_sign_out_a_copy_of_the_cookie_passes_for_less_than_the_time(site):
    browser = site.member(1)
    copy = cookies(browser)
    for _ in range(3):
        assert CANARY in ask(site, copy)
        assert site.sign_out(browser).status == 303
        begin = time.monotonic()
        assert status(ask(site, cookies(browser))) == 303, "the browser itself no longer sends the cookie"
        assert last_admission(site, copy, begin) < 1 + MARGIN
        assert site.sign_in(browser).status == 303
        copy = cookies(browser)


def test_when_the_program_ends_nobody_passes_for_longer_than_the_time(site):
    site.server.expected_errors.append(".")
    member = cookies(site.member(1))
    assert CANARY in ask(site, member)
    site.responder.process.signal(signal.SIGKILL)
    begin = time.monotonic()
    assert last_admission(site, member, begin) < 1 + MARGIN
    site.responder.start()


def test_members_behind_one_address_have_their_own_identity_and_their_own_rights(site):
    members = {number: site.member(number) for number in (1, 2, 3)}
    # With a kept verdict about each member and about each of two rules.
    for _ in range(REPEATED):
        for number, browser in members.items():
            assert site.ask("app", browser=browser).identity[:2] == (SUBJECTS[number], EMAILS[number])
            expected = 200 if number == 1 else 403
            assert status(ask(site, cookies(browser))) == expected
            assert status(ask(site, cookies(browser), place="member")) == 200
        assert status(ask(site, [])) == 303


def test_only_the_user_of_nginx_can_read_verdicts(site):
    member = cookies(site.member(1))
    (directory,) = site.server.directory.glob("verdicts*")
    for _ in range(REPEATED):
        assert CANARY in ask(site, member)
    paths = [directory, *directory.rglob("*")]
    assert {path.stat().st_mode & 0o777 for path in paths if path.is_dir()} == {0o700}
    files = [path for path in paths if path.is_file()]
    assert files and {path.stat().st_mode & 0o777 for path in files} == {0o600}
    wait_until(lambda: not any(path.is_file() for path in directory.rglob("*")), "the removal of old verdicts")


def test_if_nginx_cannot_keep_a_verdict_it_rejects_the_request(site):
    site.server.expected_errors.append(r"mkdir\(\) |open\(\) ")
    member = cookies(site.member(1))
    assert CANARY in ask(site, member)
    (directory,) = site.server.directory.glob("verdicts*")
    shutil.rmtree(directory)
    begin = int(time.time())
    wait_until(lambda: int(time.time()) > begin and CANARY not in ask(site, member), "the end of the second with a kept verdict")
    admitted = 0
    for _ in range(REPEATED):
        admitted += CANARY in ask(site, member)
        assert status(ask(site, [])) == 303
        assert status(ask(site, member, place="both")) == 403
    assert admitted <= int(time.time()) - begin, "only the first question of a second is answered without a file"
    directory.mkdir(mode=0o700)
    assert CANARY in ask(site, member)


class Asked:
    """An nginx with kept verdicts in front of a scripted program; `answers` are its answers by cookie or by rule."""

    def __init__(self, directory, life, rule="member"):
        guard = ["--location", "/a/", "--location", "/b/", "--require", rule, "--require", "subject=B"]
        lines = "location ^~ /a/ { include {files}-guard-a.conf; SLASH } location ^~ /b/ { include {files}-guard-b.conf; }"
        self.answers = {}
        self.recorder = Recorder(directory / "socket", self.answer)
        self.site = IncludedSite(directory, self.recorder.socket, [*guard, "--cache-verdicts", life], lines)
        self.directory, self.lines = directory, lines

    def answer(self, asked):
        if asked.parameters["SIGNIN_ACTION"] != "authorize":
            return b"Status: 403 No\r\n\r\n"
        cookie = asked.parameters.get("HTTP_COOKIE")
        self.cookies.append(cookie)
        return self.answers.get(cookie) or self.answers.get(asked.parameters["SIGNIN_REQUIRE"], b"Status: 200 OK\r\n\r\n")

    @contextmanager
    def nginx(self, line=""):
        """Writes the configuration again and starts nginx with it; `line` is one of the location /a/."""
        self.site.lines = self.lines.replace("SLASH", line)
        nginx = IncludingNginx(self.directory, [self.site])
        nginx.expected_errors.append(".")
        for name in "ab":
            (self.site.root / name / "below").mkdir(parents=True, exist_ok=True)
            for page in ("index.html", "page", "below/index.html"):
                (self.site.root / name / page).write_text("for members")
        self.cookies = []
        with nginx:
            yield self

    def ask(self, path="/a/page", headers=(COOKIE,), method=b"GET", body=b""):
        answer = send(self.site.port, request(path, [*NAVIGATING, *headers], method, body=body))
        return status(answer)

    def statuses(self, count):
        """The statuses of equal requests on several connections, so that every worker gets some."""
        with ThreadPoolExecutor(8) as pool:
            return set(pool.map(lambda _: self.ask(), range(count)))

    @property
    def showing_name(self):
        """A line for a location: answers have the name of the member in a header."""
        return f"add_header Seen $signin_localhost_{self.site.port}_name;"

    def name(self, cookie=COOKIE[1]):
        answer = send(self.site.port, request("/a/page", [*NAVIGATING, ("Cookie", cookie)]))
        assert status(answer) == 200
        return re.search(rb"\r\nSeen: (\S+)", answer)[1].decode()

    def names(self, cookies):
        """The names of several members, on several connections."""
        with ThreadPoolExecutor(8) as pool:
            return list(pool.map(self.name, cookies))

    def remove_verdicts(self):
        """Removes the files with verdicts and returns their number."""
        files = [path for path in self.directory.glob("verdicts*/**/*") if path.is_file()]
        for path in files:
            path.unlink(missing_ok=True)
        return len(files)

    def questions(self, *arguments, **named):
        """The number of questions about equal requests, of which all get the same answer."""
        self.cookies.clear()
        answers = {self.ask(*arguments, **named) for _ in range(REPEATED)}
        assert len(answers) == 1
        return len(self.cookies)


@pytest.fixture
def asked(directory):
    asked = Asked(directory, "10s")
    with asked.recorder, asked.nginx():
        yield asked


# nginx keeps the second verdict, and the end of a period may fall between two requests.
FEW = (1, 2, 3, 4)


def test_nginx_asks_twice_about_equal_requests_of_a_member(asked):
    assert asked.questions() in FEW
    assert asked.questions(method=b"HEAD") <= 2, "the verdict does not depend on it"
    assert asked.statuses(REPEATED) == {200}


@pytest.mark.parametrize("size", [1000, 4000, 5600, 6400, 7200, 8100])
def test_a_member_with_long_cookies_passes_and_nginx_keeps_the_verdict(asked, size):
    # The longest identity that fits into an answer to a question without a cache.
    asked.answers["member"] = b"Status: 200 OK\r\nX-Auth-Name: " + b"n" * 6000 + b"\r\n\r\n"
    for fields in (1, 3):
        cookies = [("Cookie", f"{SESSION}=A; other{field}=" + "a" * size) for field in range(fields)]
        assert asked.ask(headers=cookies) == 200
        assert asked.questions(headers=cookies) in FEW


UNKEPT = {
    "no cookie": {"headers": []},
    "no session cookie": {"headers": [("Cookie", "session=A")]},
    "Authorization": {"headers": [COOKIE, ("Authorization", "Bearer A")]},
    "Authorization 0": {"headers": [COOKIE, ("Authorization", "0")]},
    "Authorization :": {"headers": [COOKIE, ("Authorization", ": __Host-session=A")]},
    "OPTIONS": {"method": b"OPTIONS"},
    "POST": {"method": b"POST", "body": b"a=b"},
    "PUT": {"method": b"PUT", "body": b"a=b"},
    "DELETE": {"method": b"DELETE"},
}


@pytest.mark.parametrize("case", UNKEPT)
def test_nginx_asks_about_every_request_that_needs_more_than_its_cookies(asked, case):
    assert asked.questions(**UNKEPT[case]) == REPEATED
    # Its verdict is not kept for others either.
    asked.answers["member"] = b"Status: 403 No\r\n\r\n"
    assert asked.questions() == REPEATED
    asked.answers.clear()
    assert asked.questions() in FEW
    assert asked.questions(**UNKEPT[case]) == REPEATED


ANSWERS = {
    "signed out": (401, b"Status: 401 No\r\n\r\n"),
    "denied": (403, b"Status: 403 No\r\n\r\n"),
    "error": (500, b"Status: 500 No\r\n\r\n"),
    "redirect": (500, b"Status: 303 Away\r\nLocation: /\r\n\r\n"),
    "no content": (200, b"Status: 204 No\r\n\r\n"),
    "cookie": (200, b"Status: 200 OK\r\nSet-Cookie: a=b\r\n\r\n"),
    "not stored": (200, b"Status: 200 OK\r\nCache-Control: no-store\r\n\r\n"),
}


@pytest.mark.parametrize("case", ANSWERS)
def test_only_a_plain_200_is_kept(asked, case):
    expected, asked.answers["member"] = ANSWERS[case]
    assert asked.questions() == REPEATED
    assert asked.ask() == expected or case == "signed out"
    # A visitor who may pass later does so at once.
    asked.answers.clear()
    assert asked.ask() == 200


def test_a_verdict_is_for_one_cookie_field(asked):
    assert asked.questions() in FEW
    asked.answers["member"] = b"Status: 403 No\r\n\r\n"
    for other in (f"{SESSION}=B", f"{SESSION}=a", f"{SESSION}=A;", f"{SESSION}=A; b=c", f"b=c; {SESSION}=A"):
        assert asked.questions(headers=[("Cookie", other)]) == REPEATED, other


def test_a_verdict_is_for_one_rule(asked):
    asked.answers["subject=B"] = b"Status: 403 No\r\n\r\n"
    for _ in range(REPEATED):
        assert asked.ask("/a/page") == 200 and asked.ask("/b/page") == 403


def test_a_changed_rule_never_gets_a_verdict_of_the_old_rule(directory):
    asked = Asked(directory, "10s")
    denied = b"Status: 403 No\r\n\r\n"
    with asked.recorder:
        while True:
            asked.answers.clear()
            with asked.nginx():
                assert asked.questions() in FEW
            asked.answers.update({"member": denied, "subject=A": denied})
            with asked.nginx():
                kept = asked.ask()
            asked.site.guard[5] = "subject=A"
            with asked.nginx():
                assert asked.ask() == 403
            asked.site.guard[5] = "member"
            if kept == 200:
                break  # The verdict outlived the restart, and only the rule was another one.


def test_a_directory_costs_one_question_with_the_documented_line(directory):
    asked = Asked(directory, "1s")
    other = [("Cookie", "none=A")]
    with asked.recorder:
        with asked.nginx():
            assert asked.questions("/a/", other) == 2 * REPEATED
        with asked.nginx("try_files $uri ${uri}index.html $uri/ =404;"):
            assert asked.questions("/a/", other) == REPEATED
            assert asked.questions("/a/below/", other) == REPEATED
            found = {path: asked.ask(path, other) for path in ("/a/", "/a/page", "/a/below", "/a/below/", "/a/none", "/a/none/")}
    assert found == {"/a/": 200, "/a/page": 200, "/a/below": 301, "/a/below/": 200, "/a/none": 404, "/a/none/": 404}


def named(name):
    return f"Status: 200 OK\r\nX-Auth-Name: {name}\r\n\r\n".encode()


# The printed limit for two guarded locations is 100 in each worker.
MORE_THAN_OPEN = 150


def test_more_members_than_nginx_keeps_files_open_have_their_own_identity(directory):
    asked = Asked(directory, "10s")
    members = {f"{SESSION}={number}": f"name-{number}" for number in range(MORE_THAN_OPEN)}
    asked.answers.update({cookie: named(name) for cookie, name in members.items()})
    with asked.recorder, asked.nginx(asked.showing_name):
        for _ in range(4):
            assert asked.names(members) == list(members.values())
        assert len(asked.cookies) < 4 * len(members), "some answers come from kept verdicts"


def test_after_the_removal_of_a_kept_verdict_its_member_passes_for_a_second_at_most(asked):
    for _ in range(3):
        assert asked.questions() in FEW
        asked.answers["member"] = b"Status: 403 No\r\n\r\n"
        assert asked.remove_verdicts()
        begin, last = time.monotonic(), 0.0
        while (now := time.monotonic() - begin) < last + 2:
            if 200 in asked.statuses(REPEATED):
                last = now
        assert last < 1 + MARGIN
        asked.answers.clear()


def test_when_nginx_keeps_a_verdict_anew_no_worker_uses_the_older_one(directory):
    asked = Asked(directory, "10s")
    with asked.recorder, asked.nginx(asked.showing_name):
        for number in range(10):
            asked.answers["member"] = named(f"name-{number}")
            asked.remove_verdicts()
            wait_until(lambda name=f"name-{number}": asked.name() == name, "a question about the member")
            assert set(asked.names([COOKIE[1]] * REPEATED)) == {f"name-{number}"}

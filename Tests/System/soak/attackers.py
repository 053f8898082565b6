"""What attackers do; each function is one action of the plan."""

import secrets as random_texts
import socket
import time
from urllib.parse import parse_qs, quote, urlencode, urlsplit

from harness.browser import NAVIGATION, Browser
from harness.guarded import SUBJECTS, canary
from harness.personal_tokens import bearer
from harness.raw import request as raw_request
from harness.raw import send, status
from harness.site import SESSION, from_provider

CHECK = frozenset({"program", "read"})


class Attackers:
    """A part of `Members`."""

    def wrong_state(self, slot, generator):
        """A callback that nobody asked for, in a browser without a sign-in."""
        browser = Browser(source=slot.source)
        query = urlencode({"code": random_texts.token_urlsafe(40), "state": random_texts.token_urlsafe(32)})
        done = self.ask(lambda: browser.get(f"{self.site.url}/oauth?{query}", headers=from_provider()))
        self.explain(done, slot.source, "event=sign-in-failed.*reason=(state-missing|callback-malformed)", "wrong state")
        self.no_session("wrong state", done, browser)

    def stolen_callback(self, slot, _):
        """A member's callback in another browser, which also began a sign-in."""
        victim, thief = Browser(source=slot.source), Browser(source=slot.source)
        begun = [self.ask(lambda: each.get(f"{self.site.url}/login")) for each in (victim, thief)]
        if any(each.status != 303 for each in begun):
            return
        consent = self.ask(lambda: Browser().post(begun[0].answer.location, {"member": slot.member, "decision": "allow"}))
        if not consent.answer or not consent.answer.location:
            return
        for browser in (victim, thief):
            self.keep_secrets(parse_qs(urlsplit(consent.answer.location).query), browser)
        done = self.ask(lambda: thief.get(consent.answer.location, headers=from_provider()))
        self.explain(done, slot.source, "event=sign-in-failed.*reason=state-missing", "stolen callback")
        self.no_session("stolen callback", done, thief)

    def no_session(self, what, done, browser):
        if SESSION in browser.jar.get("localhost", {}):
            self.judge.report("wrong allow", done.answered, f"{what} was answered with a session")
        self.judge.expect(what, done.status, (400,), done.asked, done.answered, CHECK)

    def forge(self, slot, generator):
        """A cookie that nobody issued."""
        value = random_texts.token_urlsafe(32)
        if slot.session and generator.random() < 0.5:
            place = generator.randrange(42)
            other = generator.choice([letter for letter in "ABCDEFGHabcdefgh0123" if letter != slot.session.value[place]])
            value = slot.session.value[:place] + other + slot.session.value[place + 1 :]
        self.check_forged(slot, generator, {"Cookie": f"{SESSION}={value}"})

    def two_cookies(self, slot, generator):
        if slot.session:
            first, second = generator.sample([slot.session.value, random_texts.token_urlsafe(32)], 2)
            self.check_forged(slot, generator, {"Cookie": f"{SESSION}={first}; {SESSION}={second}"})

    def forge_token(self, slot, generator):
        headers = bearer("lsi_" + random_texts.token_urlsafe(32))
        self.application(None, slot.source, headers)

    def check_forged(self, slot, generator, headers):
        way = generator.choice(self.ways)
        way(None, slot.source, headers)

    def hostile(self, slot, generator):
        """Requests that no browser sends."""
        what = generator.choice(HOSTILE)
        what(self, slot)

    def spelled(self, slot):
        path = "/public/..%2fmember/canary.txt"
        self.raw_without_content("spelling", slot, raw_request(path))

    def long_field(self, slot):
        field = ("Cookie", f"{SESSION}=" + "A" * 7000)
        self.raw_without_content("long field", slot, raw_request("/member/canary.txt", [field]))

    def own_identity(self, slot):
        fields = [("X-Auth-Subject", SUBJECTS[1]), ("Remote-User", SUBJECTS[1]), ("X-Original-URI", "/public/")]
        self.raw_without_content("own identity", slot, raw_request("/member/canary.txt", fields))

    def raw_without_content(self, what, slot, content):
        asked = time.time()
        try:
            answer = send(self.site.port, content)
        except OSError:
            answer = b""
        code = status(answer)
        if canary("member") in answer:
            self.judge.report("wrong allow", time.time(), f"{what} got the guarded file")
        self.judge.expect(what, code or None, (302, 303, 400, 401, 403, 404, 414, 431), asked, time.time(), CHECK)

    def cross_site_sign_out(self, slot):
        if not slot.browser:
            return
        headers = {**NAVIGATION, "Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"}
        done = self.ask(lambda: slot.browser.post(f"{self.site.url}/logout", headers=headers))
        self.explain(done, slot.source, "event=sign-out-refused.*reason=cross-site", "hostile")
        self.judge.expect("cross-site sign-out", done.status, (403,), done.asked, done.answered, CHECK)

    def evil_return(self, slot):
        path = quote("//evil.example/" + random_texts.token_hex(4))
        browser = Browser(source=slot.source)
        done = self.ask(lambda: browser.get(f"{self.site.url}/login?return_to={path}"))
        self.explain(done, slot.source, "event=return-path-refused", "hostile")
        self.judge.expect("evil return path", done.status, (303,), done.asked, done.answered, CHECK)

    def not_fastcgi(self, slot):
        """Bytes on the program's socket that are not FastCGI."""
        asked = time.time()
        try:
            with socket.socket(socket.AF_UNIX) as peer:
                peer.settimeout(20)
                peer.connect(str(self.site.responder.socket))
                peer.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
                peer.recv(1000)
        except OSError:
            pass
        self.explanations.add(asked, time.time() + 2, "event=peer-refused.*reason=record-refused", "hostile", 1)


HOSTILE = [
    Attackers.spelled,
    Attackers.long_field,
    Attackers.own_identity,
    Attackers.cross_site_sign_out,
    Attackers.evil_return,
    Attackers.not_fastcgi,
]

"""What members and their scripts do; each function is one action of the plan."""

import http.client

import re
import threading
import time
from types import SimpleNamespace
from urllib.parse import parse_qs, urlencode, urlsplit

from harness.browser import NAVIGATION, SCRIPT, Browser
from harness.guarded import SUBJECTS, Received, canary
from harness.personal_tokens import TOKEN, bearer, form_of
from harness.site import SESSION, from_provider

from .attackers import CHECK, Attackers
from .judge import ALLOWED, REFUSED, UNAVAILABLE, Credential, Observation

MEMBERS = {subject: member for member, subject in SUBJECTS.items()}
CHANGE = frozenset({"program", "read", "write", "change"})
PROFILE = CHANGE | {"provider"}
OWN = {**NAVIGATION, "Sec-Fetch-Site": "same-origin"}
FORM = {**OWN, "Content-Type": "application/x-www-form-urlencoded"}
AUTHORIZE = {"SIGNIN_ACTION": "authorize", "SIGNIN_REQUIRE": "member"}

# Where a token of a script is good.
TOKEN_PLACE = "app"
LIFE_OF_TOKENS = 86_400
TOKENS_OF_A_MEMBER = 8
# After a failure, the program asks for the profile of this session again after a minute.
HOLD = 62


class Slot:
    """A place for one browser of a member."""

    def __init__(self, number):
        self.number = number
        self.member = number % len(SUBJECTS) + 1
        self.source = f"127.0.{1 + number // 200}.{1 + number % 200}"
        self.busy = threading.Lock()
        self.browser = None
        self.session = None


class Members(Attackers):
    def __init__(self, site, judge, explanations, windows, lifetime, idle, browsers):
        self.site, self.judge, self.explanations, self.windows = site, judge, explanations, windows
        self.lifetime, self.idle = lifetime, idle
        self.ways = (self.application, self.file, self.rule, self.direct, self.who, self.profile)
        self.slots = [Slot(number) for number in range(browsers)]
        self.secrets = set()
        self.away = []  # sessions whose browsers were closed: they end by themselves
        self.ended = []  # sessions that members ended
        self.numbers = iter(range(1, 1 << 30))
        self.lock = threading.Lock()

    # Requests

    def ask(self, send):
        """Sends a request; `answer` is None if the connection ended."""
        asked = time.time()
        try:
            answer = send()
        except (OSError, http.client.HTTPException, AssertionError):
            answer = None
        return SimpleNamespace(asked=asked, answered=time.time(), answer=answer, status=answer.status if answer else None)

    def observe(self, credential, what, done, verdict, identity=None, needs=CHECK):
        self.judge.observe(
            Observation(credential, what, done.asked, done.answered, verdict, done.status, identity, needs)
        )

    def explain(self, done, source, pattern, cause):
        """Explains one log line about a request of this address. Notes of the program in nginx's log have no address."""
        of_source = rf"^(?!.*remote=(?!{re.escape(source)}(?: |$))).*{pattern}"
        self.explanations.add(done.asked, done.answered + 2, of_source, cause, 1)

    # Sign-in and sign-out

    def sign_in(self, slot, _):
        browser = Browser(source=slot.source)
        slot.browser, slot.session = None, None
        begun = self.ask(lambda: browser.get(f"{self.site.url}/login"))
        if begun.status != 303:
            return self.judge.expect("login", begun.status, (303,), begun.asked, begun.answered, CHECK)
        address = begun.answer.location
        self.keep_secrets(parse_qs(urlsplit(address).query), browser)
        consent = self.ask(lambda: Browser(source=slot.source).post(address, {"member": slot.member, "decision": "allow"}))
        if not consent.answer or not consent.answer.location:
            return self.judge.expect("consent", consent.status, (), consent.asked, consent.answered, PROFILE)
        callback = consent.answer.location
        self.keep_secrets(parse_qs(urlsplit(callback).query), browser)
        done = self.ask(lambda: browser.get(callback, headers=from_provider()))
        needs = PROFILE | {"keys"}
        ticket = browser.jar.get("localhost", {}).get(SESSION)
        if done.status != 303 or not ticket:
            return self.judge.expect("callback", done.status, (), done.asked, done.answered, needs)
        self.judge.expect("callback", done.status, (303,), done.asked, done.answered, needs)
        if cause := self.windows.forbids_sign_in(done.asked, done.answered):
            self.judge.report("wrong allow", done.answered, f"member {slot.member} signed in during {cause}")
        self.secrets.add(ticket)
        session = Credential(
            slot.member, "session", f"of browser {slot.number}", done.asked, done.answered, self.lifetime, self.idle
        )
        session.value = ticket
        self.judge.issue(session)
        slot.browser, slot.session = browser, session

    def keep_secrets(self, query, browser):
        for name in ("state", "code", "nonce"):
            self.secrets.update(query.get(name, []))
        self.secrets.update(browser.jar.get("localhost", {}).values())

    def sign_out(self, slot, generator):
        session, browser = slot.session, slot.browser
        slot.session, slot.browser = None, None
        self.judge.begin_end(session)
        done = self.ask(lambda: self.site.sign_out(browser))
        self.judge.end(session, done.answered, done.status == 303)
        self.judge.expect("sign-out", done.status, (303,), done.asked, done.answered, CHANGE)
        self.keep(self.ended, session)
        self.check_value(session, generator)

    def sign_out_everywhere(self, slot, generator):
        session, browser = slot.session, slot.browser
        fields = {"everywhere": "yes"}
        ending = self.judge.begin_end_all(slot.member, ("session",))
        done = self.ask(lambda: browser.post(f"{self.site.url}/logout", fields, {**OWN, "Origin": self.site.url}))
        self.judge.end_all(ending, done.answered, done.status == 303)
        if done.status == 401:
            return self.observe(session, "everywhere", done, REFUSED, needs=CHANGE)
        self.judge.expect("everywhere", done.status, (303,), done.asked, done.answered, CHANGE)
        self.keep(self.ended, session)
        self.check_value(session, generator)

    def forget(self, slot, generator):
        session, browser = slot.session, slot.browser
        ending = self.judge.begin_end_all(slot.member, ("session", "token"))
        done = self.ask(lambda: browser.post(f"{self.site.url}/forget", {}, {**OWN, "Origin": self.site.url}))
        self.judge.end_all(ending, done.answered, done.status == 303)
        if done.status == 401:
            return self.observe(session, "forget", done, REFUSED, needs=CHANGE)
        self.judge.expect("forget", done.status, (303,), done.asked, done.answered, CHANGE)
        self.keep(self.ended, session)
        self.check_value(session, generator)

    def close_browser(self, slot, _):
        self.keep(self.away, slot.session)
        slot.session, slot.browser = None, None

    def keep(self, shelf, session):
        with self.lock:
            shelf.append(session)
            del shelf[:-200]

    # Checks

    def check(self, slot, generator):
        self.check_value(slot.session, generator, slot)

    def return_to_closed(self, _, generator):
        """A browser that was closed comes back; its session has often ended by then."""
        with self.lock:
            session = self.away.pop(0) if self.away else None
        if session:
            self.check_value(session, generator)

    def replay(self, _, generator):
        """Sends the cookie of a session that a member ended."""
        with self.lock:
            session = generator.choice(self.ended) if self.ended else None
        if session:
            self.check_value(session, generator)

    def check_value(self, session, generator, slot=None):
        (way,) = generator.choices(self.ways, (4, 4, 2, 3, 2, 1))
        source = slot.source if slot else "127.0.0.1"
        verdict = way(session, source, {"Cookie": f"{SESSION}={session.value}"})
        if slot and verdict == REFUSED:
            slot.session, slot.browser = None, None

    def get(self, path, source, headers):
        return self.ask(lambda: Browser(source=source).get(f"{self.site.url}{path}", headers={**SCRIPT, **headers}))

    def is_lost(self, done):
        """Whether a fault, for example lack of a descriptor, replaced the answer after the program rejected the request."""
        return done.status not in (200, 401, 403) and self.windows.is_disturbed(done.asked, done.answered, CHECK)

    def application(self, credential, source, headers):
        done = self.get("/app/", source, headers)
        identity = MEMBERS.get(Received(done.answer).identity[0], 0) if done.status == 200 else None
        if "Authorization" in headers and (done.status == 401 or self.is_lost(done)):
            self.explain(done, source, "event=personal-token-refused.*reason=personal-token-unknown", "token")
        return self.judge_guarded(credential, "application", done, identity)

    def file(self, credential, source, headers):
        done = self.get("/member/canary.txt", source, headers)
        if done.status == 200 and done.answer.body != canary("member"):
            self.judge.report("wrong content", done.answered, f"{len(done.answer.body)} bytes of another file")
        return self.judge_guarded(credential, "file", done)

    def rule(self, credential, source, headers):
        """The first member only."""
        path = "/maya/canary.txt"
        done = self.get(path, source, headers)
        is_other = credential and credential.member != 1
        if is_other and (done.status == 401 or self.is_lost(done)):
            # The program rejected the member, whose session ended before the request for the page.
            self.explain(done, source, f"event=access-denied.*reason=not-named.*location={path}", "rule")
        if is_other and done.status == 403:
            self.explain(done, source, "event=access-denied.*reason=not-named", "rule")
            # The program accepted the session. A check that fails by a fault has the same status, and says nothing.
            if not self.windows.is_disturbed(done.asked, done.answered, CHECK):
                self.observe(credential, "rule", done, ALLOWED)
                return ALLOWED
        return self.judge_guarded(credential, "rule", done, 1 if done.status == 200 else None)

    def direct(self, credential, source, headers):
        """The program's own answer to nginx."""
        done = self.ask(lambda: self.site.responder.ask("/auth", headers=headers, extra={**AUTHORIZE, "REMOTE_ADDR": source}))
        identity = MEMBERS.get(done.answer.header("X-Auth-Subject"), 0) if done.status == 200 else None
        return self.judge_guarded(credential, "auth", done, identity)

    def who(self, credential, source, headers):
        done = self.get("/session", source, headers)
        verdict, identity = UNAVAILABLE, None
        if done.status == 200:
            signed_in = done.answer.json["signed_in"]
            verdict = ALLOWED if signed_in else REFUSED
            identity = MEMBERS.get(done.answer.json["subject"], 0) if signed_in else None
        self.observe(credential, "session", done, verdict, identity)
        return verdict

    def profile(self, credential, source, headers):
        done = self.get("/profile", source, headers)
        verdict = {200: ALLOWED, 401: REFUSED}.get(done.status, UNAVAILABLE)
        if credential and verdict == UNAVAILABLE:
            if self.windows.is_disturbed(done.asked, done.answered, PROFILE):
                credential.held = done.answered
            elif done.answered < credential.held + HOLD:
                self.judge.expect("profile held back", done.status, (502, 503, 504), done.asked, done.answered, PROFILE)
                return verdict
        identity = MEMBERS.get(done.answer.json["subject"], 0) if done.status == 200 else None
        self.observe(credential, "profile", done, verdict, identity, PROFILE)
        return verdict

    def judge_guarded(self, credential, what, done, identity=None):
        verdict = {200: ALLOWED, 401: REFUSED, 302: REFUSED, 303: REFUSED}.get(done.status, UNAVAILABLE)
        self.observe(credential, what, done, verdict, identity)
        return verdict

    # Personal tokens

    def make_token(self, slot, generator):
        if len(self.judge.live(slot.member, "token")) >= TOKENS_OF_A_MEMBER:
            return self.revoke_token(slot, generator)
        name = f"script {next(self.numbers)}"
        page = self.ask(lambda: slot.browser.get(f"{self.site.url}/tokens", headers=NAVIGATION))
        form = form_of(page.answer.text) if page.status == 200 else ""
        if not form:
            if page.status in (303, 401):
                return self.observe(slot.session, "tokens page", page, REFUSED)
            return self.judge.expect("tokens page", page.status, (), page.asked, page.answered, CHECK, "without a form")
        fields = urlencode({"name": name, "locations": f"/{TOKEN_PLACE}/", "days": "1", "form": form}).encode()
        done = self.ask(lambda: slot.browser.request("POST", f"{self.site.url}/tokens", FORM, fields))
        if done.status != 303 or "/login" in (done.answer.location or ""):
            # The session may have ended meanwhile.
            if done.status in (303, 401):
                return self.observe(slot.session, "make token", done, REFUSED, needs=CHANGE)
            return self.judge.expect("make token", done.status, (), done.asked, done.answered, CHANGE)
        self.judge.expect("make token", done.status, (303,), done.asked, done.answered, CHANGE)
        page = self.ask(lambda: slot.browser.get(f"{self.site.url}/tokens", headers=NAVIGATION))
        found = TOKEN.findall(page.answer.text) if page.status == 200 else []
        if len(found) != 1:
            if page.status in (303, 401):
                return self.observe(slot.session, "tokens page", page, REFUSED)
            return self.judge.expect("tokens page", page.status, (), page.asked, page.answered, CHECK, "without the token")
        token = Credential(slot.member, "token", name, done.asked, page.answered, LIFE_OF_TOKENS)
        token.value = found[0]
        self.secrets.add(token.value.removeprefix("lsi_"))
        self.judge.issue(token)

    def use_token(self, slot, generator):
        """A script uses a token, where it is good and where it is not."""
        known = self.judge.live(slot.member, "token")
        if known:
            self.present(generator.choice(known), slot.source, generator)

    def present(self, token, source, generator):
        headers = bearer(token.value)
        if generator.random() < 0.2:
            done = self.get("/member/canary.txt", source, headers)
            reason = "unknown" if done.status == 401 else "location"
            self.explain(done, source, f"event=personal-token-refused.*reason=personal-token-{reason}", "token")
            expected = (403, 401) if token.ending else (403,)
            return self.judge.expect("token elsewhere", done.status, expected, done.asked, done.answered, CHECK)
        return self.application(token, source, headers)

    def revoke_token(self, slot, generator):
        known = self.judge.live(slot.member, "token")
        if not known:
            return
        token = known[0]
        page = self.ask(lambda: slot.browser.get(f"{self.site.url}/tokens", headers=NAVIGATION))
        button = rf'aria-label="[^"]*: {token.label}".*?name="revoke" value="([0-9a-f]+)"'
        found = re.search(button, page.answer.text, re.DOTALL) if page.status == 200 else None
        if not found:
            if page.status == 200 and token.ending:
                return
            if page.status == 303:
                return self.observe(slot.session, "tokens page", page, REFUSED)
            return self.judge.expect("tokens page", page.status, (), page.asked, page.answered, CHECK, f"without {token.label}")
        fields = urlencode({"revoke": found[1]}).encode()
        self.judge.begin_end(token)
        done = self.ask(lambda: slot.browser.request("POST", f"{self.site.url}/tokens", FORM, fields))
        if done.status == 303 and "/login" in (done.answer.location or ""):
            return self.observe(slot.session, "revoke token", done, REFUSED, needs=CHANGE)
        self.judge.end(token, done.answered, done.status == 303)
        self.judge.expect("revoke token", done.status, (303,), done.asked, done.answered, CHANGE)
        self.present(token, slot.source, generator)

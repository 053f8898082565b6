"""Starts, controls and stops linkedin-simulator.

    with Simulator() as linkedin:
        linkedin.fault("token", "hang", count=1)
        location = linkedin.decide(authorization_url, member=2)
        assert linkedin.count("token") == 1

The program is $LINKEDIN_SIMULATOR, or the debug build. Standard library only.
"""

import http.client
import json
import os
import re
import subprocess
import tempfile
import urllib.parse
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
BINARIES = os.environ.get("SYSTEM_TEST_BINARIES", REPOSITORY / ".build/debug")
BINARY = os.environ.get("LINKEDIN_SIMULATOR", str(Path(BINARIES) / "linkedin-simulator"))


class Reply:
    """An HTTP response: status, headers (names in lower case), body."""

    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def text(self):
        return self.body.decode()


class Simulator:
    """A running simulator: `url`, `pid`, `client_id`, `client_secret`, `redirect_uri`, and the calls below."""

    def __init__(
        self,
        *options,
        client_id="simulated-client",
        client_secret="simulated-secret",
        redirect_uri="http://127.0.0.1:8080/oauth",
        binary=BINARY,
    ):
        self.client_id, self.client_secret, self.redirect_uri = client_id, client_secret, redirect_uri
        application = ["--client-id", client_id, "--client-secret", client_secret, "--redirect-uri", redirect_uri]
        self.log = tempfile.TemporaryFile()
        self.process = subprocess.Popen(
            [binary, "--port", "0", *application, *options], stdout=subprocess.PIPE, stderr=self.log, text=True
        )
        self.pid = self.process.pid
        line = self.process.stdout.readline()
        listening = re.fullmatch(r"listening on (http://127\.0\.0\.1:\d+)\n", line)
        if not listening:
            self.stop()
            raise RuntimeError(f"the simulator said {line!r} and: {self.messages()}")
        self.url = listening[1]
        self.host = self.url.removeprefix("http://")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self):
        """Stops the simulator with SIGTERM and returns its exit status."""
        if self.process.poll() is None:
            self.process.terminate()
        status = self.process.wait(timeout=10)
        self.process.stdout.close()
        return status

    def messages(self):
        """What the simulator has written to standard error so far."""
        self.log.seek(0)
        return self.log.read().decode()

    # Requests

    def request(self, method, target, form=None, headers=None, body=None, timeout=10):
        """Sends a request, follows no redirect, and returns a Reply; target is a path or a URL of the simulator."""
        headers = dict(headers or {})
        if form is not None:
            body = urllib.parse.urlencode(form)
            headers.setdefault("Content-Type", "application/x-www-form-urlencoded")
        connection = http.client.HTTPConnection(self.host, timeout=timeout)
        try:
            connection.request(method, target.removeprefix(self.url), body=body, headers=headers)
            response = connection.getresponse()
            fields = {name.lower(): value for name, value in response.getheaders()}
            return Reply(response.status, fields, response.read())
        finally:
            connection.close()

    def get(self, target, token=None, headers=None, **options):
        headers = dict(headers or {})
        if token is not None:
            headers["Authorization"] = f"Bearer {token}"
        return self.request("GET", target, headers=headers, **options)

    # Signing in

    def authorization_url(self, scope="openid profile email", state="a-state", **more):
        """The URL to which an application sends its visitor; None omits a parameter."""
        query = {
            "response_type": "code",
            "client_id": self.client_id,
            "redirect_uri": self.redirect_uri,
            "state": state,
            "scope": scope,
            **more,
        }
        return f"{self.url}/oauth/v2/authorization?" + urllib.parse.urlencode(
            {name: value for name, value in query.items() if value is not None}
        )

    def decide(self, authorization_url, member=1, decision="allow"):
        """Answers the consent page (allow, cancel or deny) and returns the address of the redirect."""
        reply = self.request("POST", authorization_url, form={"member": member, "decision": decision})
        assert reply.status == 302, f"{reply.status}: {reply.text}"
        return reply.headers["location"]

    def code(self, member=1, **parameters):
        """Signs a member in and returns the authorization code."""
        return query_of(self.decide(self.authorization_url(**parameters), member))["code"]

    def exchange(self, code=None, headers=None, timeout=10, **changes):
        """Redeems a code as an application would; None omits a parameter."""
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "client_id": self.client_id,
            "client_secret": self.client_secret,
            "redirect_uri": self.redirect_uri,
            **changes,
        }
        form = {name: value for name, value in form.items() if value is not None}
        return self.request("POST", "/oauth/v2/accessToken", form=form, headers=headers, timeout=timeout)

    def tokens(self, member=1, **parameters):
        """Signs a member in and returns the token response."""
        reply = self.exchange(self.code(member, **parameters))
        assert reply.status == 200, f"{reply.status}: {reply.text}"
        return reply.json

    def refresh(self, token, **changes):
        """Sends a refresh token as an application would."""
        form = {"grant_type": "refresh_token", "refresh_token": token, "code": None, "redirect_uri": None}
        return self.exchange(**{**form, **changes})

    # Control

    def control(self, method, path, members=None):
        body = None if members is None else json.dumps(members)
        reply = self.request(method, f"/control/{path}", body=body, timeout=60)
        if reply.status != 200:
            raise ValueError(reply.text)
        return reply.json

    def fault(self, endpoint, fault, count=None, **options):
        """Sets a fault for the next `count` requests, or until cleared; `_` in an option's name stands for `-`."""
        options = {name.replace("_", "-"): value for name, value in options.items()}
        return self.control("POST", "faults", {"endpoint": endpoint, "fault": fault, "count": count, **options})

    def clear_faults(self, endpoint=None):
        return self.control("DELETE", "faults" + (f"?endpoint={endpoint}" if endpoint else ""))

    def requests(self, endpoint=None, at_least=0):
        """The journal: endpoint, time, method, path, query and form (lists of pairs), headers (names in lower case).

        Returns as soon as there have been `at_least` so many.
        """
        query = {"at-least": at_least} | ({"endpoint": endpoint} if endpoint else {})
        return self.control("GET", "requests?" + urllib.parse.urlencode(query))["requests"]

    def count(self, endpoint=None):
        """How many requests an endpoint, or all, have received."""
        return self.control("GET", "requests" + (f"?endpoint={endpoint}" if endpoint else ""))["count"]

    def clear_requests(self):
        self.control("DELETE", "requests")

    def settings(self, **changes):
        """Changes settings and returns all of them; `_` in a name stands for `-`."""
        changes = {name.replace("_", "-"): value for name, value in changes.items()}
        return self.control("POST", "settings", changes) if changes else self.control("GET", "settings")

    def rotate_key(self):
        """Replaces the signing key and returns the identifier of the new one."""
        return self.control("POST", "rotate-key")["kid"]

    def issued(self):
        """All tokens that were ever issued: kind, token, member, expires, revoked."""
        return self.control("GET", "tokens")["tokens"]

    def revoke(self, member=None, kind=None):
        """Revokes the access tokens, the refresh tokens or both of one member or of all, and returns their number."""
        fields = {"member": member, "kind": kind}
        fields = {name: value for name, value in fields.items() if value is not None}
        return self.control("POST", "revoke", fields)["revoked"]

    def open_descriptors(self):
        return len(os.listdir(f"/proc/{self.pid}/fd"))


def query_of(url):
    """The parameters of a URL; fails if one is repeated."""
    pairs = urllib.parse.parse_qsl(urllib.parse.urlsplit(url).query, keep_blank_values=True, strict_parsing=True)
    assert len(dict(pairs)) == len(pairs), url
    return dict(pairs)

"""A server that gives the answers of GitHub's documentation, on a loopback port, as GitHub Enterprise Server does.

Its path begins with /login/oauth for the browser and the token, and with /api/v3 for the REST API. A file names other answers by
path: `status`, `fields`, `body` (sent `times`), `missing` bytes at its end, or `silent` for no answer; or `entries`, the entries of
a list, which has pages.
"""

import base64
import hashlib
import json
import secrets
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlsplit

USER = {
    "login": "ada",
    "id": 583231,
    "name": "Ada Lovelace",
    "email": "public@attacker.example",
    "avatar_url": "https://avatars.githubusercontent.com/u/583231?v=4",
    "html_url": "https://github.com/ada",
}
EMAILS = [
    {"email": "old@example.org", "primary": False, "verified": True, "visibility": None},
    {"email": "ada@example.org", "primary": True, "verified": True, "visibility": "private"},
]


def membership(number, login, state="active"):
    organization = {"login": login, "id": number, "url": f"https://api.github.com/orgs/{login}"}
    return {"state": state, "role": "member", "organization": organization}


def team(number, slug, organization, login):
    return {"id": number, "name": slug.title(), "slug": slug, "organization": {"login": login, "id": organization}}


# The scope that an endpoint needs, and its entries.
LISTS = {
    "emails": ("user:email", EMAILS),
    "memberships/orgs": ("read:org", [membership(9919, "Example-Org"), membership(5, "invited", "pending")]),
    "teams": ("read:org", [team(1, "core", 9919, "Example-Org"), team(2, "core", 5, "invited")]),
}


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        url = urlsplit(self.path)
        fields = {name: values[0] for name, values in parse_qs(url.query).items()}
        other = self.server.others.get(url.path, {})
        match url.path:
            case "/":
                return self.send(200, {})
            case "/login/oauth/authorize":
                return self.authorize(fields)
        scopes = self.server.tokens.get(self.headers.get("Authorization", "").removeprefix("Bearer "))
        if scopes is None:
            return self.send(401, {"message": "Bad credentials", "status": "401"})
        if not self.headers.get("User-Agent"):
            return self.send(403, {"message": "Request forbidden by administrative rules."})
        if other and "entries" not in other:
            return self.send_other(**other)
        if url.path == "/api/v3/user":
            return self.send(200, USER)
        scope, entries = LISTS.get(url.path.removeprefix("/api/v3/user/"), (None, None))
        if scope not in scopes:
            return self.send(404, {"message": "Not Found", "status": "404"})
        self.send_page(other.get("entries", entries), fields, url.path)

    def send_page(self, entries, fields, path):
        entries = [entry for entry in entries if entry.get("state") == fields.get("state", entry.get("state"))]
        size, page = min(100, int(fields.get("per_page", 30))), int(fields.get("page", 1))
        link = f'<http://{self.headers["Host"]}{path}?page={page + 1}>; rel="next"'
        self.send(200, entries[size * (page - 1) : size * page], {"Link": link} if len(entries) > size * page else {})

    def send_other(self, status=200, fields=None, body="", times=1, missing=0, silent=False):
        if silent:
            # Returns when the client closes the connection.
            return self.rfile.read(1)
        self.send_body(status, {"Content-Type": "application/json", **(fields or {})}, body.encode() * times, missing)

    def authorize(self, fields):
        if fields.get("client_id") != self.server.client:
            return self.send(404, {})
        assert fields["code_challenge_method"] == "S256"
        code = secrets.token_hex(10)
        self.server.codes[code] = fields["code_challenge"], fields["scope"].split()
        callback = {"code": code, "state": fields["state"], "iss": f"http://127.0.0.1:{self.server.server_port}/login/oauth"}
        self.send_response(302)
        self.send_header("Location", f"{fields['redirect_uri']}?{urlencode(callback)}")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        fields = {name: values[0] for name, values in parse_qs(body).items()}
        if self.path != "/login/oauth/access_token" or "client_id" not in fields:
            return self.send(404, {"error": "Not Found"})
        if (fields["client_id"], fields.get("client_secret")) != (self.server.client, self.server.secret):
            return self.send(200, {"error": "incorrect_client_credentials", "error_description": "The client_id is incorrect."})
        verifier = hashlib.sha256(fields.get("code_verifier", "").encode()).digest()
        challenge, scopes = self.server.codes.pop(fields["code"], (None, []))
        if challenge != base64.urlsafe_b64encode(verifier).decode().rstrip("="):
            return self.send(200, {"error": "bad_verification_code", "error_description": "The code passed is incorrect or expired."})
        token = "gho_" + secrets.token_hex(18)
        self.server.tokens[token] = scopes
        return self.send(200, {"access_token": token, "scope": ",".join(scopes), "token_type": "bearer"})

    def send(self, status, value, fields=None):
        fields = {"Content-Type": "application/json; charset=utf-8", **(fields or {})}
        self.send_body(status, fields, json.dumps(value).encode())

    def send_body(self, status, fields, body, missing=0):
        self.send_response(status)
        for name, value in fields.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body) + missing))
        self.end_headers()
        self.wfile.write(body)


class Server(ThreadingHTTPServer):
    @property
    def others(self):
        return json.loads(self.file.read_text()) if self.file.exists() else {}


def main(port, client, secret, file):
    server = Server(("127.0.0.1", int(port)), Handler)
    (server.client, server.secret, server.codes, server.tokens, server.file) = (client, secret, {}, {}, Path(file))
    server.serve_forever()


if __name__ == "__main__":
    main(*sys.argv[1:])

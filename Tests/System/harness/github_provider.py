"""A server that gives the answers of GitHub's documentation, on a loopback port, as GitHub Enterprise Server does.

Its path begins with /login/oauth for the browser and the token, and with /api/v3 for the REST API.
"""

import base64
import hashlib
import json
import secrets
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
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


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        url = urlsplit(self.path)
        fields = {name: values[0] for name, values in parse_qs(url.query).items()}
        match url.path:
            case "/":
                return self.send(200, {})
            case "/login/oauth/authorize":
                return self.authorize(fields)
        if self.headers.get("Authorization", "").removeprefix("Bearer ") not in self.server.tokens:
            return self.send(401, {"message": "Bad credentials", "status": "401"})
        if not self.headers.get("User-Agent"):
            return self.send(403, {"message": "Request forbidden by administrative rules."})
        match url.path:
            case "/api/v3/user":
                return self.send(200, USER)
            case "/api/v3/user/emails":
                return self.send(200, EMAILS)
        return self.send(404, {"message": "Not Found", "status": "404"})

    def authorize(self, fields):
        if fields.get("client_id") != self.server.client:
            return self.send(404, {})
        assert fields["code_challenge_method"] == "S256"
        code = secrets.token_hex(10)
        self.server.codes[code] = fields["code_challenge"]
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
        challenge = self.server.codes.pop(fields["code"], None)
        if challenge != base64.urlsafe_b64encode(verifier).decode().rstrip("="):
            return self.send(200, {"error": "bad_verification_code", "error_description": "The code passed is incorrect or expired."})
        token = "gho_" + secrets.token_hex(18)
        self.server.tokens.add(token)
        return self.send(200, {"access_token": token, "scope": "user:email", "token_type": "bearer"})

    def send(self, status, value):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def main(port, client, secret):
    server = ThreadingHTTPServer(("127.0.0.1", int(port)), Handler)
    (server.client, server.secret, server.codes, server.tokens) = (client, secret, {}, set())
    server.serve_forever()


if __name__ == "__main__":
    main(*sys.argv[1:])

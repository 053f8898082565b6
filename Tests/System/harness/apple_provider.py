"""A server that behaves as the documentation of Sign in with Apple says, on a loopback port.

Its addresses are those of appleid.apple.com. Its only member allows or cancels on a page that sends a form to the site.
"""

import base64
import hashlib
import json
import secrets
import sys
import time
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key
from cryptography.hazmat.primitives.serialization import load_pem_private_key

SUBJECT = "001999.0123456789abcdef0123456789abcdef.0815"
# The name and the address that a browser can change on the way.
USER = {"name": {"firstName": "Ada", "lastName": "Lovelace"}, "email": "attacker@example.org"}
MEMBER = {"email": "q7x@privaterelay.appleid.com", "email_verified": "true", "is_private_email": "true"}
LONGEST = 15_777_000


def base64url(data):
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        url = urlsplit(self.path)
        issuer = self.server.issuer
        match url.path:
            case "/.well-known/openid-configuration":
                return self.send(200, {
                    "issuer": issuer,
                    "authorization_endpoint": f"{issuer}/auth/authorize",
                    "token_endpoint": f"{issuer}/auth/token",
                    "revocation_endpoint": f"{issuer}/auth/revoke",
                    "jwks_uri": f"{issuer}/auth/keys",
                    "response_types_supported": ["code"],
                    "response_modes_supported": ["query", "fragment", "form_post"],
                    "subject_types_supported": ["pairwise"],
                    "id_token_signing_alg_values_supported": ["RS256"],
                    "scopes_supported": ["openid", "email", "name"],
                    "token_endpoint_auth_methods_supported": ["client_secret_post"],
                })  # fmt: skip
            case "/auth/keys":
                key = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(self.server.key.public_key()))
                return self.send(200, {"keys": [{**key, "kid": "own", "alg": "RS256", "use": "sig"}]})
            case "/auth/authorize":
                return self.authorize({name: values[0] for name, values in parse_qs(url.query).items()})
        return self.send(404, {})

    def authorize(self, fields):
        if (fields.get("client_id"), fields.get("redirect_uri")) != (self.server.client, self.server.redirect):
            return self.send(400, {"error": "invalid_client"})
        mode, scopes = fields.get("response_mode", "query"), fields.get("scope", "").split()
        if mode != "form_post" and {"name", "email"} & set(scopes):
            return self.send(400, {"error": "invalid_request", "error_description": "response_mode must be form_post"})
        code = f"c{secrets.token_hex(16)}.0.rsy.{secrets.token_urlsafe(16)}"
        self.server.codes[code] = fields
        answer = {"state": fields["state"], "code": code}
        if mode == "query":
            return self.send(302, {}, {"Location": f"{self.server.redirect}?{urlencode(answer)}"})
        if not self.server.knows_member:
            self.server.knows_member = True
            answer["user"] = json.dumps(USER)
        cancelled = {"state": fields["state"], "error": "user_cancelled_authorize"}
        page = "<!DOCTYPE html><title>Sign in</title>" + self.form("allow", answer) + self.form("cancel", cancelled)
        return self.send(200, page, {"Content-Type": "text/html; charset=utf-8"})

    def form(self, name, fields):
        inputs = "".join(f'<input type="hidden" name="{key}" value="{escape(value)}">' for key, value in fields.items())
        return f'<form id="{name}" method="post" action="{self.server.redirect}">{inputs}<button>{name}</button></form>'

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        fields = {name: values[0] for name, values in parse_qs(body).items()}
        if not self.is_client(fields):
            return self.send(400, {"error": "invalid_client"})
        match self.path:
            case "/auth/token":
                return self.token(fields)
            case "/auth/revoke":
                print("revoked", fields["token"].split("-")[0], flush=True)
                return self.send(200, "")
        return self.send(404, {})

    def is_client(self, fields):
        secret = fields.get("client_secret", "")
        try:
            header = jwt.get_unverified_header(secret)
            claims = jwt.decode(secret, self.server.client_key, ["ES256"], audience=self.server.issuer, issuer=self.server.team)
            is_own = fields["client_id"] == claims["sub"] == self.server.client and header["kid"] == self.server.key_id
            is_new = secret not in self.server.client_secrets
        except (jwt.InvalidTokenError, KeyError) as error:
            print("client refused:", error, flush=True)
            return False
        self.server.client_secrets.add(secret)
        return is_own and is_new and claims["exp"] - claims["iat"] <= LONGEST and self.headers["Authorization"] is None

    def token(self, fields):
        started = {}
        if fields["grant_type"] == "authorization_code":
            started = self.server.codes.pop(fields["code"], None)
            verifier = hashlib.sha256(fields.get("code_verifier", "").encode()).digest()
            if started is None or fields["redirect_uri"] != self.server.redirect or started["code_challenge"] != base64url(verifier):
                return self.send(400, {"error": "invalid_grant"})
        access = f"access-{secrets.token_urlsafe(16)}"
        now = int(time.time())
        claims = {"iss": self.server.issuer, "aud": self.server.client, "sub": SUBJECT, "iat": now, "exp": now + 86400}
        claims |= {"at_hash": base64url(hashlib.sha256(access.encode()).digest()[:16]), "auth_time": now}
        claims |= MEMBER if "email" in started.get("scope", "").split() else {}
        claims |= {"nonce": started["nonce"], "nonce_supported": True} if "nonce" in started else {}
        tokens = {"access_token": access, "token_type": "Bearer", "expires_in": 3600}
        tokens |= {"refresh_token": f"refresh-{secrets.token_urlsafe(16)}"} if started else {}
        tokens["id_token"] = jwt.encode(claims, self.server.key, "RS256", headers={"kid": "own"})
        return self.send(200, tokens)

    def send(self, status, value, fields=()):
        body = (value if isinstance(value, str) else json.dumps(value)).encode()
        self.send_response(status)
        for name, text in {"Content-Type": "application/json;charset=UTF-8", "Content-Length": str(len(body)), **dict(fields)}.items():
            self.send_header(name, text)
        self.end_headers()
        self.wfile.write(body)


def main(port, client, team, key_id, key, redirect):
    server = ThreadingHTTPServer(("127.0.0.1", int(port)), Handler)
    (server.client, server.team, server.key_id, server.redirect) = (client, team, key_id, redirect)
    server.issuer = f"http://127.0.0.1:{port}"
    server.client_key = load_pem_private_key(Path(key).read_bytes(), None).public_key()
    server.key = generate_private_key(65537, 2048)
    (server.codes, server.client_secrets, server.knows_member) = ({}, set(), False)
    server.serve_forever()


if __name__ == "__main__":
    main(*sys.argv[1:])

"""An OpenID provider whose answers a test chooses."""

import base64
import json
import secrets
import subprocess
import time
from urllib.parse import parse_qs, urlencode, urlsplit

from .providers import CLIENT, signing_key
from .several import Hostile


def base64url(data):
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


class Scripted(Hostile):
    """All of these providers give their own RSA keys the same `kid`. The ID token has neither a name nor an address."""

    def __init__(self, directory, redirect):
        super().__init__(directory, redirect)
        directory.mkdir(parents=True)
        signing_key(directory)
        self.key = self.signer = directory / "key.pem"  # `signer` is the key of the next ID token.
        self.document["userinfo_endpoint"] = f"{self.issuer}/userinfo"
        self.redirect, self.nonces = redirect, {}
        self.userinfo = {"sub": "ada", "name": "Ada Lovelace", "email": "ada@example.org", "email_verified": True}

    def consent(self, address, **more):
        """The callback with a code, and with more parameters."""
        asked = {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}
        code = secrets.token_urlsafe(16)
        self.nonces[code] = asked["nonce"]
        return f"{self.redirect}?{urlencode({'code': code, 'state': asked['state'], **more})}"

    def answer(self, path, body):
        if path == "/keys":
            return {"keys": [self.public_key]}
        if path == "/userinfo":
            return self.userinfo
        if path != "/token":
            return self.document
        nonce = self.nonces.get(parse_qs(body)["code"][0], "")
        tokens = {"access_token": secrets.token_urlsafe(16), "token_type": "Bearer", "expires_in": 3600}
        return {**tokens, "id_token": self.id_token(nonce)}

    def token_requests(self):
        """The fields of each request for tokens."""
        bodies = [call.removeprefix("POST /token ") for call in self.calls if call.startswith("POST /token ")]
        return [parse_qs(body) for body in bodies]

    @property
    def public_key(self):
        show = ["openssl", "rsa", "-in", self.key, "-noout", "-modulus"]
        modulus = subprocess.run(show, check=True, capture_output=True, text=True).stdout.strip().partition("=")[2]
        names = {"kty": "RSA", "use": "sig", "alg": "RS256", "kid": "1", "e": "AQAB"}
        return {**names, "n": base64url(bytes.fromhex(modulus))}

    def id_token(self, nonce):
        now = int(time.time())
        claims = {"iss": self.issuer, "aud": CLIENT, "sub": "ada", "nonce": nonce, "iat": now, "exp": now + 600}
        parts = [base64url(json.dumps(part).encode()) for part in ({"alg": "RS256", "kid": "1"}, claims)]
        sign = ["openssl", "dgst", "-sha256", "-sign", self.signer]
        signature = subprocess.run(sign, check=True, capture_output=True, input=".".join(parts).encode()).stdout
        return ".".join([*parts, base64url(signature)])

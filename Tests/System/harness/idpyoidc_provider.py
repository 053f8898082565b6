"""An OpenID provider of idpyoidc on a loopback port: PKCE required, ES256, a new key at each start.

The client authenticates with Basic, or with private_key_jwt if its secret is the path of a key; without a secret, it is a
public client.
"""

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

import requests
from cryptojwt import b64d
from cryptojwt.jwk.ec import ECKey
from cryptojwt.jwk.x509 import import_private_key_from_pem_file
from cryptojwt.jwt import JWT
from idpyoidc.server import Server
from idpyoidc.server.configure import OPConfiguration
from idpyoidc.server.cookie_handler import CookieHandler
from idpyoidc.server.exception import OidcEndpointError
from idpyoidc.server.oidc.authorization import Authorization
from idpyoidc.server.oidc.provider_config import ProviderConfiguration
from idpyoidc.server.oidc.session import Session
from idpyoidc.server.oidc.token import Token
from idpyoidc.server.oidc.userinfo import UserInfo as UserInfoEndpoint
from idpyoidc.server.scopes import SCOPE2CLAIMS
from idpyoidc.server.user_info import UserInfo

MEMBERS = {
    "ada": {
        "name": "Ada Lovelace",
        "email": "ada@example.org",
        "email_verified": True,
        "profile": "https://people.example.org/ada",
        "groups": ["staff", "members"],
    }
}
SCOPE2CLAIMS["profile"].append("groups")
CRYPT = {"kwargs": {"keys": {"key_defs": [{"type": "OCT", "use": ["enc"], "kid": "password"}, {"type": "OCT", "use": ["enc"], "kid": "salt"}]}}}


def configuration(issuer, method):
    authn = {"client_authn_method": [method]}
    return {
        "issuer": issuer,
        "httpc_params": {"verify": False, "timeout": 1},
        "keys": {"uri_path": "jwks.json", "key_defs": [{"type": "EC", "crv": "P-256", "use": ["sig"]}]},
        "preference": {"id_token_signing_alg_values_supported": ["ES256"]},
        "cookie_handler": {
            "class": CookieHandler,
            "kwargs": {
                "keys": {"key_defs": [{"type": "OCT", "use": ["enc"]}, {"type": "OCT", "use": ["sig"]}]},
                "name": {"session": "op", "register": "op_reg", "session_management": "op_sman"},
            },
        },
        "endpoint": {
            "provider_config": {"path": ".well-known/openid-configuration", "class": ProviderConfiguration, "kwargs": {}},
            "authorization": {
                "path": "authorization",
                "class": Authorization,
                "kwargs": {"response_types_supported": ["code"], "response_modes_supported": ["query"]},
            },
            "token": {"path": "token", "class": Token, "kwargs": authn},
            "userinfo": {"path": "userinfo", "class": UserInfoEndpoint, "kwargs": {"client_authn_method": ["bearer_header"]}},
            "session": {"path": "session", "class": Session, "kwargs": {"post_logout_uri_path": "out", "signing_alg": "ES256"}},
        },
        "add_ons": {
            "pkce": {"function": "idpyoidc.server.oauth2.add_on.pkce.add_support", "kwargs": {"essential": True, "code_challenge_methods": {"S256": None}}}
        },
        "userinfo": {"class": UserInfo, "kwargs": {"db": MEMBERS}},
        "authentication": {
            "anon": {
                "acr": "urn:oasis:names:tc:SAML:2.0:ac:classes:InternetProtocolPassword",
                "class": "idpyoidc.server.user_authn.user.NoAuthn",
                "kwargs": {"user": "ada"},
            }
        },
        "authz": {
            "class": "idpyoidc.server.authz.AuthzHandling",
            "kwargs": {
                "grant_config": {
                    "usage_rules": {
                        "authorization_code": {"supports_minting": ["access_token", "refresh_token", "id_token"], "max_usage": 1},
                        "access_token": {},
                        "refresh_token": {"supports_minting": ["access_token", "refresh_token", "id_token"]},
                    },
                    "expires_in": 43200,
                }
            },
        },
        "token_handler_args": {
            "code": {"lifetime": 600, "kwargs": {"crypt_conf": CRYPT}},
            "token": {"class": "idpyoidc.server.token.jwt_token.JWTToken", "kwargs": {"lifetime": 3600, "aud": [issuer]}},
            "refresh": {"lifetime": 86400, "kwargs": {"crypt_conf": CRYPT}},
            "id_token": {"class": "idpyoidc.server.token.id_token.IDToken", "kwargs": {"lifetime": 3600}},
        },
        "session_params": {"encrypter": CRYPT},
    }


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        self.answer("")

    def do_POST(self):
        self.answer(self.rfile.read(int(self.headers.get("Content-Length", 0))).decode())

    def answer(self, body):
        url, server = urlsplit(self.path), self.server.provider
        path = url.path.lstrip("/")
        if path == "jwks.json":
            return self.send(200, server.keyjar.export_jwks_as_json().encode())
        if path == "end":
            return self.end(parse_qs(url.query))
        name = next((name for name, endpoint in server.endpoint.items() if endpoint.endpoint_path == path), None)
        if name is None:
            return self.send(404, b"{}")
        endpoint = server.get_endpoint(name)
        fields = {key: values[0] for key, values in parse_qs(body or url.query).items()}
        headers = {key.lower(): value for key, value in self.headers.items()}
        http = {"headers": headers, "method": self.command, "url": self.path}
        try:
            request = endpoint.parse_request(fields, http_info=http) if name != "provider_config" else {}
        except OidcEndpointError:
            # Such as a wrong secret (RFC 6749 §5.2).
            return self.send(401, b'{"error":"invalid_client"}')
        if "error" in request:
            return self.send(400, request.to_json().encode())
        done = endpoint.process_request(request, http_info=http)
        if "error" in done:
            return self.send(400, json.dumps({key: done[key] for key in done if key.startswith("error")}).encode())
        if name == "authorization":
            sent = endpoint.do_response(request=request, **done)
            self.send_response(303)
            self.send_header("Location", sent["response"])
            self.send_header("Content-Length", "0")
            return self.end_headers()
        sent = endpoint.do_response(request=request, **done)["response"]
        if name == "token" and "id_token" in json.loads(sent):
            payload = json.loads(sent)["id_token"].split(".")[1]
            self.server.sign_ins.append(json.loads(b64d(payload.encode())))
        if name == "provider_config":
            # idpyoidc sends `iss` in every callback, but does not announce it (RFC 9207 §3).
            sent = json.dumps({**json.loads(sent), "authorization_response_iss_parameter_supported": True})
        return self.send(200, sent.encode())

    def end(self, query):
        """Sends the client a logout token for the sign-in with this number, or for its member; answers what the client said."""
        provider, sent = self.server.provider, []

        def post(_, url, data, headers, **more):
            answer = requests.post(url, data, headers=headers, **more)
            sent.extend([data, answer.status_code, dict(answer.headers), answer.text])
            return answer

        provider.context.httpc = post
        endpoint, claims = provider.get_endpoint("session"), self.server.sign_ins[int(query["number"][0])]
        if "member" in query:
            events = {"http://schemas.openid.net/event/backchannel-logout": {}}
            token = JWT(provider.keyjar, iss=provider.context.issuer, lifetime=120, sign_alg="ES256")
            token.with_jti = True
            data = "logout_token=" + token.pack({"sub": claims["sub"], "events": events}, recv=claims["aud"][0])
            uri = provider.context.cdb[claims["aud"][0]]["backchannel_logout_uri"]
            post("POST", uri, data, {"Content-Type": "application/x-www-form-urlencoded"})
        else:
            endpoint.do_verified_logout(claims["sid"])
        self.send(200, json.dumps(sent).encode())

    def send(self, status, body):
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def main(port, client, secret, redirect):
    issuer = f"http://127.0.0.1:{port}"
    method = "private_key_jwt" if secret.endswith(".pem") else "client_secret_basic" if secret else "none"
    provider = Server(OPConfiguration(configuration(issuer, method), base_path="."), cwd=".")
    provider.context.cdb[client] = {
        **({"client_secret": secret} if secret else {}),
        "client_id": client,
        "redirect_uris": [(redirect, None)],
        "backchannel_logout_uri": redirect,
        "response_types_supported": ["code"],
        "token_endpoint_auth_method": method,
        "id_token_signed_response_alg": "ES256",
        "allowed_scopes": ["openid", "profile", "email", "offline_access"],
    }
    if method == "private_key_jwt":
        key = ECKey(use="sig").load_key(import_private_key_from_pem_file(secret).public_key())
        provider.keyjar.import_jwks({"keys": [key.serialize()]}, client)
        # Only the issuer is an audience of an assertion, as in the update of RFC 9700.
        provider.get_endpoint("token").allowed_targets = [""]
    elif secret:
        provider.keyjar.add_symmetric(client, secret)
    server = ThreadingHTTPServer(("127.0.0.1", int(port)), Handler)
    server.provider, server.sign_ins = provider, []
    server.serve_forever()


if __name__ == "__main__":
    main(*sys.argv[1:])

"""Canaille on a loopback port, with one member and one client in memory and a new key."""

import os
import secrets
import sys

# Plain http, which is right on loopback.
os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"

from canaille import create_app  # noqa: E402
from canaille.app import models  # noqa: E402
from canaille.backends import Backend  # noqa: E402
from joserfc.jwk import RSAKey  # noqa: E402
from werkzeug.serving import make_server  # noqa: E402


def main(port, client, secret, redirect):
    key = RSAKey.generate_key(2048, auto_kid=True)
    settings = {
        **{"SECRET_KEY": secrets.token_hex(16), "SERVER_NAME": f"127.0.0.1:{port}", "PREFERRED_URL_SCHEME": "http"},
        **{"SESSION_COOKIE_SECURE": False, "OAUTH2_TOKEN_EXPIRES_IN": {"authorization_code": 60, "refresh_token": 60}},
        "CANAILLE": {"DATABASE": "memory", "JAVASCRIPT": False, "SMTP": None, "ENABLE_PASSWORD_COMPROMISSION_CHECK": False},
        # Members are asked for their consent.
        "CANAILLE_OIDC": {"ACTIVE_JWKS": [key.as_dict(private=True)], "TRUSTED_DOMAINS": []},
    }
    app = create_app(settings)
    with app.app_context():
        names = {"user_name": "ada", "formatted_name": "Ada Lovelace", "given_name": "Ada", "family_name": "Lovelace"}
        Backend.instance.save(models.User(**names, emails=["ada@example.org"], password="correct horse"))
        registered = models.Client(
            client_id=client,
            client_secret=secret,
            client_name="site",
            client_uri="https://site.example",
            redirect_uris=[redirect],
            grant_types=["authorization_code", "refresh_token"],
            response_types=["code"],
            scope=["openid", "profile", "email"],
            token_endpoint_auth_method="client_secret_basic",
        )
        Backend.instance.save(registered)
        registered.audience = [registered]
        Backend.instance.save(registered)
    make_server("127.0.0.1", int(port), app, threaded=True).serve_forever()


if __name__ == "__main__":
    main(*sys.argv[1:])

"""Glewlwyd of Debian, with its database in a file and the settings that its administration makes."""

import json
import re
import shutil
import subprocess
from pathlib import Path

from .browser import Browser
from .providers import CLIENT, SECRET, Provider, signing_key

PAGES = Path("/usr/share/glewlwyd/webapp")
TABLES = Path("/usr/share/dbconfig-common/data/glewlwyd/install/sqlite3")
SCOPES = ["openid", "profile", "email"]
MEDIA_TYPES = {".html": "text/html", ".css": "text/css", ".js": "application/javascript", ".json": "application/json"}
TYPE = {"Content-Type": "application/json", "Accept": "application/json"}


class Glewlwyd(Provider):
    """Requires PKCE with S256, sends `iss`, rotates refresh tokens; e-mail and name are only in userinfo."""

    name, email = "Ada Lovelace", "ada@example.org"
    subject = r"\w{32}"
    sends_issuer = True
    program = "glewlwyd"
    first_page = "/config"
    password = "correct horse"

    def __init__(self, directory, redirect):
        super().__init__(directory, redirect)
        self.api = f"{self.issuer}/api"
        self.issuer = f"{self.api}/oidc"

    def command(self):
        return [f"--config-file={self.directory}/glewlwyd.conf"]

    def start(self):
        database = self.directory / "database"
        database.unlink(missing_ok=True)
        with open(TABLES, "rb") as tables:
            subprocess.run(["sqlite3", database], stdin=tables, check=True)
        self.write_settings(database)
        super().start()
        self.set_up()
        return self

    def write_settings(self, database):
        address = self.api.removesuffix("/api")
        modules = ("user", "user_middleware", "client", "user_auth_scheme", "plugin")
        pages = self.directory / "pages"
        if not pages.exists():
            shutil.copytree(PAGES, pages, ignore=shutil.ignore_patterns("config.json"))
            (pages / "config.json").write_text(json.dumps({"GlewlwydUrl": f"{address}/", "sessionSchemes": []}))
        folders = {f"{name}_module_path": f"/usr/lib/glewlwyd/{name.removeprefix('user_auth_')}" for name in modules}
        settings = {
            **{"port": self.port, "bind_address": "127.0.0.1", "external_url": address, "api_prefix": "api", "login_url": "login.html"},
            **{"log_mode": "console", "log_level": "INFO", "session_key": "GLEWLWYD", "session_expiration": 3600},
            **{"admin_scope": "g_admin", "profile_scope": "g_profile", "hash_algorithm": "SHA512", "cookie_secure": False},
            **{"static_files_path": f"{pages}/", "use_secure_connection": False, **folders},
            # Without these settings, it does not start, although it reads none of the files.
            **{f"secure_connection_{name}_file": "" for name in ("key", "pem", "ca")},
        }
        lines = [f"{name} = {json.dumps(value)}" for name, value in settings.items()]
        lines.append(f'database = {{ type = "sqlite3"; path = "{database}"; }};')
        types = ", ".join(f'{{ extension = "{name}"; mime_type = "{kind}"; }}' for name, kind in MEDIA_TYPES.items())
        lines.append(f"static_files_mime_types = ( {types} )")
        (self.directory / "glewlwyd.conf").write_text("\n".join(lines) + "\n")

    def call(self, browser, method, path, **body):
        answer = browser.request(method, f"{self.api}{path}", TYPE, json.dumps(body).encode())
        assert answer.status == 200, f"{path}: {answer.text}"

    def set_up(self):
        """Makes the OpenID provider, a member and a client, as an administrator does."""
        key, public = signing_key(self.directory)
        flows = ("token", "none", "password", "client", "device")
        parameters = {
            **{"iss": self.issuer, "jwt-type": "rsa", "jwt-key-size": "256", "key": key, "cert": public},
            **{"access-token-duration": 60, "refresh-token-duration": 3600, "refresh-token-rolling": True, "refresh-token-one-use": "always"},
            **{"auth-type-code-enabled": True, "auth-type-refresh-enabled": True, **{f"auth-type-{flow}-enabled": False for flow in flows}},
            **{"allow-non-oidc": False, "oauth-as-iss-id": True, "jwks-show": True, "subject-type": "public"},
            **{"pkce-allowed": True, "pkce-required": True, "pkce-method-plain-allowed": False},
            **{"introspection-revocation-allowed": True, "introspection-revocation-allow-target-client": True},
            **{"name-claim": "on-demand", "name-claim-scope": ["profile"], "email-claim": "on-demand", "email-claim-scope": ["email"]},
            **{"session-management-allowed": False, "client-secret-parameter": "client_secret"},
        }
        browser = Browser()
        self.call(browser, "POST", "/auth/", username="admin", password="password")
        self.call(browser, "POST", "/mod/plugin/", module="oidc", name="oidc", display_name="OIDC", parameters=parameters, enabled=True)
        for scope in SCOPES[1:]:
            self.call(browser, "POST", "/scope/", name=scope, display_name=scope, description=scope, password_required=False, scheme={})
        member = {"username": "ada", "name": self.name, "email": self.email, "password": self.password, "enabled": True}
        self.call(browser, "POST", "/user/", **member, scope=[*SCOPES, "g_profile"])
        client = {"client_id": CLIENT, "name": "site", "confidential": True, "enabled": True, "client_secret": SECRET, "password": SECRET}
        client |= {"redirect_uri": [self.redirect], "authorization_type": ["code", "refresh_token"]}
        self.call(browser, "POST", "/client/", **client, scope=SCOPES, token_endpoint_auth_method=["client_secret_basic"])

    @property
    def keys(self):
        return Browser().get(f"{self.issuer}/jwks").text

    def consent(self, address, decision="allow"):
        """What the scripts of the login page do."""
        browser = Browser()
        page = browser.get(address)
        if not re.match(f"{self.api.removesuffix('/api')}/login.html", page.location or ""):
            return page.location
        self.call(browser, "POST", "/auth/", username="ada", password=self.password)
        granted = " ".join(SCOPES) if decision == "allow" else ""
        self.call(browser, "PUT", f"/auth/grant/{CLIENT}", scope=granted)
        return browser.get(f"{address}&g_continue").location

"""LemonLDAP::NG of Debian as an OpenID provider: its demonstration accounts, and sessions in files."""

import json
import re
from pathlib import Path

from .browser import Browser
from .forms import hidden_fields, submit
from .providers import CLIENT, SECRET, Provider, signing_key

SERVER = Path(__file__).with_name("lemonldap_provider.pl")


class LemonLDAP(Provider):
    """Requires PKCE, sends no `iss` in callbacks, and keeps a refresh token when it is used."""

    name, email = "Doctor Who", "dwho@badwolf.org"
    subject = "dwho"
    sends_issuer = False
    program = "perl"

    def __init__(self, directory, redirect):
        super().__init__(directory, redirect)
        file = directory / "lemonldap-ng.ini"
        self.environment = {"LLNG_DEFAULTCONFFILE": str(file)}
        templates = "/usr/share/lemonldap-ng/portal/templates"
        file.write_text(
            "[all]\nlogLevel = notice\nlogger = Lemonldap::NG::Common::Logger::Std\nlocalSessionStorage =\n"
            f"[configuration]\ntype = File\ndirName = {directory}\n"
            f"[portal]\nstaticPrefix = /static\ntemplateDir = {templates}\nlanguages = en\n"
        )

    def command(self):
        return [SERVER, self.port]

    def start(self):
        self.write_settings()
        return super().start()

    def write_settings(self):
        key, public = signing_key(self.directory)
        client = {
            **{"ClientID": CLIENT, "ClientSecret": SECRET, "RedirectUris": self.redirect, "RequirePKCE": 1, "UserIDAttr": "uid"},
            **{"IDTokenSignAlg": "RS256", "RefreshToken": 1, "AccessTokenExpiration": 60, "BypassConsent": 0},
        }
        unused = ("captcha_mail_enabled", "captcha_register_enabled", "portalDisplayResetPassword", "portalDisplayRegister", "notification")
        settings = {
            **json.loads(Path("/var/lib/lemonldap-ng/conf/lmConf-1.json").read_text()),
            **{"portal": f"{self.issuer}/", "domain": "127.0.0.1", "securedCookie": 0, "captcha": "NoCaptcha", **dict.fromkeys(unused, 0)},
            **{"authentication": "Demo", "userDB": "Same", "passwordDB": "Null", "registerDB": "Null", "localSessionStorage": ""},
            **{"globalStorageOptions": self.storage("sessions"), "persistentStorageOptions": self.storage("persistent")},
            **{"issuerDBOpenIDConnectActivation": 1, "oidcServiceMetaDataIssuer": self.issuer, "oidcServiceAllowAuthorizationCodeFlow": 1},
            **{"oidcServicePrivateKeySig": key, "oidcServicePublicKeySig": public, "oidcServiceKeyIdSig": "key"},
            "oidcRPMetaDataOptions": {"site": {f"oidcRPMetaDataOptions{name}": value for name, value in client.items()}},
            "oidcRPMetaDataExportedVars": {"site": {"name": "cn", "email": "mail"}},
        }
        (self.directory / "lmConf-1.json").write_text(json.dumps(settings))

    def storage(self, name):
        folder = self.directory / name
        (folder / "lock").mkdir(parents=True, exist_ok=True)
        return {"Directory": str(folder), "LockDirectory": f"{folder}/lock"}

    @property
    def keys(self):
        return Browser().get(f"{self.issuer}/oauth2/jwks").text

    def consent(self, address, decision="allow"):
        browser = Browser()
        page = browser.get(address)
        page = submit(browser, page, user="dwho", password="dwho")
        if "confirm" not in hidden_fields(page):
            return page.location
        if decision == "allow":
            return submit(browser, page).location
        refusal = re.search(r'id="refuse"[^>]* val="([^"]+)"', page.text)[1]
        return submit(browser, page, confirm=refusal).location

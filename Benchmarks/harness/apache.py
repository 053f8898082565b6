"""Apache with mod_auth_openidc, which checks the session in Apache's own process."""

import secrets
from enum import Enum
from pathlib import Path

from .nginx import PAGE_BODY
from .peer import PAGE, Home, Peer
from .provider import CLIENT
from .servers import Servers
from .webserver import WORKERS, started

PACKAGES = ("apache2", "libapache2-mod-auth-openidc")
MODULES = Path("/usr/lib/apache2/modules")
# Each process can serve all connections of wrk. With Debian's 25 threads, a process that has no thread left closes connections.
THREADS = 64
# The module's own default, and the entries that it creates for one sign-in: the session, and a nonce that must not come again.
LEAST_ENTRIES, ENTRIES_OF_SESSION = 500, 3

CONFIGURATION = """\
ServerRoot {home}
ServerName 127.0.0.1
DefaultRuntimeDir {home}
PidFile {home}/pid
Listen 127.0.0.1:{port}
ListenBacklog 4096
ErrorLog {home}/error.log
LogLevel warn
LoadModule mpm_event_module {modules}/mod_mpm_event.so
LoadModule authn_core_module {modules}/mod_authn_core.so
LoadModule authz_core_module {modules}/mod_authz_core.so
LoadModule authz_user_module {modules}/mod_authz_user.so
LoadModule auth_openidc_module {modules}/mod_auth_openidc.so
StartServers {workers}
ServerLimit {workers}
ThreadLimit {threads}
ThreadsPerChild {threads}
MaxRequestWorkers {all_threads}
MinSpareThreads 1
MaxSpareThreads {all_threads}
KeepAlive On
MaxKeepAliveRequests 0
KeepAliveTimeout 60
ServerTokens Prod
DocumentRoot {home}/site
<Directory />
    AllowOverride None
    Options None
</Directory>
OIDCProviderMetadataURL {provider}/oauth/.well-known/openid-configuration
OIDCClientID {client}
OIDCClientSecret {client}
OIDCScope "openid profile email"
OIDCPKCEMethod S256
OIDCRedirectURI http://127.0.0.1:{port}/callback
OIDCCryptoPassphrase {secret}
# Longer than any run, so that no session expires.
OIDCSessionInactivityTimeout 86400
{sessions}
<Location />
    AuthType openid-connect
    Require valid-user
</Location>
"""


class Sessions(Enum):
    """Where mod_auth_openidc keeps its sessions."""

    SHARED_MEMORY = "shared memory"
    FILES = "files"
    COOKIE = "the cookie"

    @property
    def server(self) -> str:
        """The name of the server with these sessions."""
        return f"apache-{self.name.lower().replace('_', '-')}"

    def directives(self, home: Path, sessions: int) -> str:
        """The lines that choose this place for a number of sessions; what they do not name has the module's default."""
        return {
            Sessions.SHARED_MEMORY: "OIDCCacheType shm\n"
            f"OIDCCacheShmMax {max(LEAST_ENTRIES, sessions * ENTRIES_OF_SESSION)}",
            Sessions.FILES: f"OIDCCacheType file\nOIDCCacheDir {home}/sessions",
            Sessions.COOKIE: "OIDCSessionType client-cookie",
        }[self]


def start(servers: Servers, home: Home, kind: Sessions, sessions: int, port: int, provider: str) -> Peer:
    """Starts Apache with an empty store for a number of sessions."""
    for name in ("site", "sessions"):
        (home.path / name).mkdir()
    (home.path / "site" / PAGE.lstrip("/")).write_text(PAGE_BODY, encoding="ascii")
    text = CONFIGURATION.format(
        home=home.path,
        port=port,
        modules=MODULES,
        workers=WORKERS,
        threads=THREADS,
        all_threads=WORKERS * THREADS,
        provider=provider,
        client=CLIENT,
        secret=secrets.token_urlsafe(32),
        sessions=kind.directives(home.path, sessions),
    )
    file = home.path / "apache.conf"
    file.write_text(text, encoding="ascii")
    home.hand_over()
    server = servers.start(kind.server, ["apache2", "-DFOREGROUND", "-f", str(file)], user=home.user)
    return Peer(f"mod_auth_openidc, sessions in {kind.value}", PACKAGES, started(server, port), server)


def redirect(port: int) -> str:
    """The callback."""
    return f"http://127.0.0.1:{port}/callback"

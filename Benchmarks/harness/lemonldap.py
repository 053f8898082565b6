"""LemonLDAP::NG's FastCGI server behind nginx, with sessions in files."""

import json
import urllib.request
from pathlib import Path

from . import nginx
from .nginx import PAGE_BODY
from .peer import PAGE, Home, Peer
from .provider import CLIENT
from .servers import Server, Servers, is_listening
from .webserver import WORKERS

# The portal does not start without the last three.
PACKAGES = (
    "lemonldap-ng-fastcgi-server",
    "lemonldap-ng-handler",
    "liblemonldap-ng-portal-perl",
    "libgd-securityimage-perl",
    "libimage-magick-perl",
)
PROGRAM = "/usr/sbin/llng-fastcgi-server"
# Debian's number of processes; the portal, which is stopped before a measurement, needs fewer.
PROCESSES, PORTAL_PROCESSES = 7, 2

# Debian's lemonldap-ng.ini without its `checkTime`, about which that file says that performance is better without it.
INI = """\
[all]
logger = Lemonldap::NG::Common::Logger::Std
logLevel = warn
[configuration]
type = File
dirName = {home}/conf
localStorage = Cache::FileCache
localStorageOptions = {{'namespace' => 'config', 'default_expires_in' => 600, 'directory_umask' => '007', \
'cache_root' => '{home}/cache', 'cache_depth' => 3}}
[portal]
staticPrefix = /static
templateDir = /usr/share/lemonldap-ng/portal/templates
languages = en
[handler]
status = 0
useRedirectOnError = 1
"""

# The locations are those of Debian's test-nginx.conf and portal-nginx.conf.
SITE = """\
    server {{
        listen 127.0.0.1:{port} backlog=4096;
        root {home}/site;
        location = /lmauth {{
            internal;
            include /etc/nginx/fastcgi_params;
            fastcgi_pass unix:{handler};
            fastcgi_pass_request_body off;
            fastcgi_param CONTENT_LENGTH "";
            fastcgi_param HTTP_HOST $host;
            fastcgi_param X_ORIGINAL_URI $original_uri;
        }}
        location / {{
            set $original_uri $uri$is_args$args;
            auth_request /lmauth;
            auth_request_set $lmlocation $upstream_http_location;
            auth_request_set $auth_subject $upstream_http_auth_subject;
            auth_request_set $auth_email $upstream_http_auth_email;
            auth_request_set $auth_name $upstream_http_auth_name;
            error_page 401 $lmlocation;
            try_files $uri =404;
        }}
    }}
    server {{
        listen 127.0.0.1:{portal_port};
        root /usr/share/lemonldap-ng/portal/htdocs/;
        location / {{
            include /etc/nginx/fastcgi_params;
            fastcgi_pass unix:{portal};
            fastcgi_param HTTP_HOST $host;
            fastcgi_param LLTYPE psgi;
            fastcgi_param SCRIPT_FILENAME $document_root/index.psgi;
            fastcgi_param SCRIPT_NAME "";
            fastcgi_param PATH_INFO $uri;
        }}
    }}"""


def start(servers: Servers, home: Home, port: int, portal_port: int, provider: str) -> tuple[Peer, Server]:
    """Starts handler, portal and nginx; returns the peer, and the portal, which only sign-ins need."""
    for name in ("conf", "cache", "sessions/lock", "psessions/lock", "site"):
        (home.path / name).mkdir(parents=True)
    (home.path / "site" / PAGE.lstrip("/")).write_text(PAGE_BODY, encoding="ascii")
    ini = home.path / "lemonldap-ng.ini"
    ini.write_text(INI.format(home=home.path), encoding="ascii")
    settings = json.dumps(configuration(home.path, port, portal_port, provider))
    (home.path / "conf" / "lmConf-1.json").write_text(settings, encoding="utf-8")
    home.hand_over()
    handler = start_server(servers, home, "lemonldap-handler", PROCESSES)
    portal = start_server(servers, home, "lemonldap-portal", PORTAL_PROCESSES)
    content = SITE.format(
        port=port,
        portal_port=portal_port,
        home=home.path,
        handler=home.path / "lemonldap-handler.socket",
        portal=home.path / "lemonldap-portal.socket",
    )
    web = nginx.run(servers, "lemonldap-nginx", port, WORKERS, content)
    return Peer("LemonLDAP::NG, sessions in files", (PACKAGES[0], "nginx"), web, handler), portal


def start_server(servers: Servers, home: Home, name: str, processes: int) -> Server:
    """Starts one FastCGI server."""
    socket = home.path / f"{name}.socket"
    environment = {
        "LLNG_DEFAULTCONFFILE": str(home.path / "lemonldap-ng.ini"),
        "LLNG_DEFAULTLOGGER": "Lemonldap::NG::Common::Logger::Std",
    }
    options = ["--foreground", "--socket", str(socket), "--pid", f"{home.path}/{name}.pid", "--proc", str(processes)]
    server = servers.start(name, [PROGRAM, *options], environment, home.user)
    server.wait_until(lambda: is_listening(socket))
    return server


def redirect(portal_port: int) -> str:
    """The callback of the portal."""
    return f"http://127.0.0.1:{portal_port}/?openidconnectcallback=1"


def configuration(home: Path, port: int, portal_port: int, provider: str) -> dict[str, object]:
    """The content of lmConf-1.json: where Debian's file names a store, this is the same kind of store."""

    def files(directory: str) -> dict[str, str]:
        return {
            "Directory": f"{home}/{directory}",
            "LockDirectory": f"{home}/{directory}/lock",
            "generateModule": "Lemonldap::NG::Common::Apache::Session::Generate::SHA256",
        }

    return {
        "cfgNum": 1,
        "cfgDate": "1",
        "cfgVersion": "2.16.1",
        "domain": "127.0.0.1",
        "cookieName": "lemonldap",
        "portal": f"http://127.0.0.1:{portal_port}/",
        "port": port,
        "trustedDomains": "*",
        "authentication": "OpenIDConnect",
        "userDB": "Same",
        "passwordDB": "Null",
        "registerDB": "Null",
        "timeout": 72000,
        "whatToTrace": "uid",
        "globalStorage": "Apache::Session::File",
        "globalStorageOptions": files("sessions"),
        "persistentStorage": "Apache::Session::File",
        "persistentStorageOptions": files("psessions"),
        "localSessionStorage": "Cache::FileCache",
        "localSessionStorageOptions": {
            "cache_depth": 3,
            "cache_root": f"{home}/cache",
            "default_expires_in": 600,
            "directory_umask": "007",
            "namespace": "sessions",
        },
        "locationRules": {"127.0.0.1": {"default": "accept"}},
        "exportedHeaders": {"127.0.0.1": {"Auth-Subject": "$uid", "Auth-Email": "$mail", "Auth-Name": "$cn"}},
        "oidcOPMetaDataJSON": {"provider": fetched(f"{provider}/oauth/.well-known/openid-configuration")},
        "oidcOPMetaDataJWKS": {"provider": fetched(f"{provider}/oauth/openid/jwks")},
        "oidcOPMetaDataExportedVars": {"provider": {"uid": "sub", "mail": "email", "cn": "name"}},
        "oidcOPMetaDataOptions": {
            "provider": {
                "oidcOPMetaDataOptionsClientID": CLIENT,
                "oidcOPMetaDataOptionsClientSecret": CLIENT,
                "oidcOPMetaDataOptionsScope": "openid profile email",
                "oidcOPMetaDataOptionsTokenEndpointAuthMethod": "client_secret_post",
                "oidcOPMetaDataOptionsCheckJWTSignature": 1,
                # LinkedIn returns no nonce.
                "oidcOPMetaDataOptionsUseNonce": 0,
            }
        },
    }


def fetched(url: str) -> str:
    with urllib.request.urlopen(url, timeout=20) as answer:
        return str(answer.read().decode())

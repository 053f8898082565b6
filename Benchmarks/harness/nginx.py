"""One nginx for all sides, so that both sides of a pair use the same."""

import os
from pathlib import Path

from .rules import Rule
from .servers import Servers
from .sides import OF_NGINX, PROFILE, ROUTE, RULE, Shape, Side
from .webserver import WORKERS, WebServer, free_port, started

# The file that a guarded location serves.
PAGE_BODY = "a page of a site\n"

# Idle connections per worker; together as many as wrk opens.
KEPT = 16

PARAMETERS = """\
fastcgi_param REQUEST_METHOD $request_method;
fastcgi_param QUERY_STRING $query_string;
fastcgi_param REQUEST_URI $request_uri;
fastcgi_param SERVER_PROTOCOL $server_protocol;
fastcgi_param GATEWAY_INTERFACE CGI/1.1;
fastcgi_param REMOTE_ADDR $remote_addr;
fastcgi_param HTTP_PROXY "";
"""

# What the nginx of every measure has in common.
FRAME = """\
{user}worker_processes {workers};
daemon off;
pid {directory}/{name}.pid;
error_log {directory}/{name}-error.log warn;
worker_rlimit_nofile 16384;
events {{ worker_connections 8192; }}
http {{
    access_log off;
    server_tokens off;
    default_type text/plain;
    keepalive_requests 1000000000;
    client_body_temp_path {directory}/{name}-body;
    fastcgi_temp_path {directory}/{name}-fastcgi;
    proxy_temp_path {directory}/{name}-proxy;
    scgi_temp_path {directory}/{name}-scgi;
    uwsgi_temp_path {directory}/{name}-uwsgi;
{content}
}}
"""

MAIN = """\
    fastcgi_buffer_size 8k;
    fastcgi_buffers 8 8k;
    fastcgi_read_timeout 120s;
    fastcgi_next_upstream off;
    map "" $signin_require {{ default ""; }}
    # As print-config nginx --cache-verdicts 1s writes it.
    fastcgi_cache_path {verdicts}
        levels=2 keys_zone=verdicts:32m max_size=64m inactive=1s use_temp_path=off manager_files=1000;
    map "$request_method $http_authorization" $signin_unkept {{
        "GET " "";
        "HEAD " "";
        default 1;
    }}
    map $http_cookie $signin_nobody {{ "~__Host-session=" ""; default 1; }}
    map "" $signin_asked {{
        volatile;
        default "unix:/run/linkedin-signin/socket;$signin_require;$time_iso8601";
    }}
{upstreams}
    server {{
        listen 127.0.0.1:{port} backlog=4096;
        root {directory}/site;
{locations}
    }}"""

UPSTREAM = """\
    upstream {name} {{ server unix:{socket};{keepalive} }}"""

ANSWER = """\
        location = {path} {{
            include {directory}/parameters;
            fastcgi_param CONTENT_TYPE $content_type;
            fastcgi_param CONTENT_LENGTH $content_length;
            fastcgi_param SCRIPT_NAME {route};
            fastcgi_param SIGNIN_ACTION authorize;
            fastcgi_param SIGNIN_REQUIRE "{rule}";
            fastcgi_pass {upstream};
            fastcgi_keep_conn {kept};
        }}"""

# A page of the program itself, without a rule.
PAGE = "\n".join(line for line in ANSWER.splitlines() if "SIGNIN_" not in line)

# A guarded location as print-config writes it: the rule in one variable, the identity in three.
CHECK = """\
        location = {path} {{
            set $signin_require "{rule}";
            auth_request {path}/asks;
            auth_request_set $auth_subject $upstream_http_x_auth_subject;
            auth_request_set $auth_email $upstream_http_x_auth_email;
            auth_request_set $auth_name $upstream_http_x_auth_name;
            try_files /page =404;
        }}
        location = {path}/asks {{
            internal;
            include {directory}/parameters;
            fastcgi_param CONTENT_LENGTH "";
            fastcgi_param SCRIPT_NAME {route};
            fastcgi_param SIGNIN_ACTION authorize;
            fastcgi_param SIGNIN_REQUIRE $signin_require;
            fastcgi_pass_request_body off;
            fastcgi_pass {upstream};
            fastcgi_keep_conn {kept};{verdicts}
        }}"""

# The lines of print-config; the upstream is in the key because all sides share the cache.
VERDICTS = """
            fastcgi_cache verdicts;
            fastcgi_cache_key "{upstream};$signin_asked;$http_cookie";
            fastcgi_cache_valid 200 1s;
            fastcgi_cache_min_uses 2;
            fastcgi_cache_bypass $signin_unkept;
            fastcgi_no_cache $signin_unkept $signin_nobody;
            open_file_cache max=200 inactive=1s;
            open_file_cache_valid 1s;
            open_file_cache_min_uses 1;
            open_file_cache_errors off;"""

SITE = """\
        location / {{
            include {directory}/parameters;
            fastcgi_param CONTENT_TYPE $content_type;
            fastcgi_param CONTENT_LENGTH $content_length;
            fastcgi_param SCRIPT_NAME $uri;
            fastcgi_pass {upstream};
        }}"""


def start(servers: Servers, sides: list[Side], site: Side, verdicts: Path) -> WebServer:
    """Starts nginx with a location for every shape of every side; all other paths go to `site`.

    `verdicts` is a directory in memory.
    """
    directory, port = servers.directory, free_port()
    (directory / "site").mkdir()
    (directory / "site" / "page").write_text(PAGE_BODY, encoding="ascii")
    (directory / "parameters").write_text(PARAMETERS, encoding="ascii")
    return run(servers, "nginx", port, WORKERS, configuration(directory, port, sides, site, verdicts))


def run(servers: Servers, name: str, port: int, workers: int, content: str) -> WebServer:
    """Starts one nginx with the content of its block `http`."""
    directory = servers.directory
    # Workers without root's rights could not open the sockets, which belong to root.
    user = "user root;\n" if os.geteuid() == 0 else ""
    file = directory / f"{name}.conf"
    file.write_text(
        FRAME.format(user=user, workers=workers, directory=directory, name=name, content=content), encoding="utf-8"
    )
    return started(servers.start(name, ["nginx", "-e", f"{directory}/{name}-error.log", "-c", str(file)]), port)


def configuration(directory: Path, port: int, sides: list[Side], site: Side, verdicts: Path) -> str:
    """The content of the block `http`."""
    pairs = [(side, shape) for side in sides for shape in OF_NGINX]
    locations = [SITE.format(directory=directory, upstream=upstream(site, Shape.ANSWER))]
    locations += [location(directory, side, shape, shape.path(side), RULE) for side, shape in pairs]
    locations += [location(directory, site, rule.shape, rule.path, rule.text(directory)) for rule in Rule]
    return MAIN.format(
        directory=directory,
        verdicts=verdicts,
        port=port,
        upstreams="\n".join(upstream_block(side, shape) for side, shape in pairs),
        locations="\n".join(locations),
    )


def upstream(side: Side, shape: Shape) -> str:
    """The name of an upstream."""
    return f"{side.name}-{shape.value}"


def upstream_block(side: Side, shape: Shape) -> str:
    keepalive = f" keepalive {KEPT};" if shape.is_kept else ""
    return UPSTREAM.format(name=upstream(side, shape), socket=side.socket(shape), keepalive=keepalive)


def location(directory: Path, side: Side, shape: Shape, path: str, rule: str) -> str:
    """The location of one shape of one side, with the internal location of a check."""
    template = CHECK if shape.is_check else PAGE if shape.is_profile else ANSWER
    return template.format(
        directory=directory,
        path=path,
        rule=rule,
        route=PROFILE if shape.is_profile else ROUTE,
        upstream=upstream(side, shape),
        verdicts=VERDICTS.format(upstream=upstream(side, shape)) if shape.keeps_verdicts else "",
        kept="on" if shape.is_kept else "off",
    )

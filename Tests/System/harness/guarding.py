"""The configurations of nginx and lighttpd that guard a site: all that a web server is told stands here.

A guarded place is a directory of the document root with its rule; what answers there is a file, or an application.
"""

import os
from dataclasses import dataclass


@dataclass(frozen=True)
class Place:
    name: str
    rule: str | None  # None: the configuration forgets it
    behind: str = "files"  # or "fastcgi", "http" (nginx), "cgi" (lighttpd)
    action: str = "authorize"  # nginx: what the program is asked for


def configuration(kind, places, **values):
    """The whole text. `socket` is the program's, `application` and `backend` those behind it."""
    make = _lighttpd if kind == "lighttpd" else _nginx
    return make(places, **values)


NGINX = """
worker_processes 2;
pid {directory}/nginx.pid;
error_log {directory}/nginx-error.log;
{user}
events {{ worker_connections 1024; }}
http {{
    default_type text/plain;
    access_log off;
    client_body_temp_path {directory}/nginx-body;
    fastcgi_temp_path {directory}/nginx-fastcgi;
    proxy_temp_path {directory}/nginx-proxy;
    uwsgi_temp_path {directory}/nginx-uwsgi;
    scgi_temp_path {directory}/nginx-scgi;
    map "" $signin_require {{ default ""; }}
    upstream linkedin_signin {{ server unix:{socket}; }}
    fastcgi_next_upstream off;
    fastcgi_read_timeout {patience}s;
    fastcgi_buffer_size 8k;
    fastcgi_buffers 8 8k;
    client_max_body_size 8m;
    fastcgi_param REQUEST_METHOD $request_method;
    fastcgi_param SCRIPT_NAME $uri;
    fastcgi_param QUERY_STRING $query_string;
    fastcgi_param REQUEST_URI $request_uri;
    fastcgi_param CONTENT_TYPE $content_type;
    fastcgi_param CONTENT_LENGTH $content_length;
    fastcgi_param SERVER_PROTOCOL $server_protocol;
    fastcgi_param GATEWAY_INTERFACE CGI/1.1;
    fastcgi_param REMOTE_ADDR $remote_addr;
    fastcgi_param HTTP_PROXY "";
    server {{
        listen 127.0.0.1:{port};
        server_name localhost;
        root {directory}/site;
        location = / {{ fastcgi_pass linkedin_signin; }}
        location = /login {{ fastcgi_pass linkedin_signin; }}
        location = /oauth {{ fastcgi_pass linkedin_signin; }}
        location = /profile {{ fastcgi_pass linkedin_signin; }}
        location = /logout {{ fastcgi_pass linkedin_signin; }}
        location = /session {{ fastcgi_pass linkedin_signin; }}
        auth_request_set $auth_subject $upstream_http_x_auth_subject;
        auth_request_set $auth_email $upstream_http_x_auth_email;
        auth_request_set $auth_name $upstream_http_x_auth_name;
{places}{asking}
    }}
}}
"""

NGINX_PLACE = """
        location ^~ /{name}/ {{
            {rule}
            auth_request /ask-{action};
            error_page 401 = @signin;
            error_page 403 = @denied;
            {behind}
        }}
"""

NGINX_ASK = """
        location {where} {{
            {internal}
            fastcgi_pass linkedin_signin;
            fastcgi_pass_request_body off;
            fastcgi_param REQUEST_METHOD $request_method;
            fastcgi_param SCRIPT_NAME $uri;
            fastcgi_param QUERY_STRING $query_string;
            fastcgi_param REQUEST_URI $request_uri;
            fastcgi_param SERVER_PROTOCOL $server_protocol;
            fastcgi_param GATEWAY_INTERFACE CGI/1.1;
            fastcgi_param REMOTE_ADDR $remote_addr;
            fastcgi_param HTTP_PROXY "";
            fastcgi_param SIGNIN_ACTION {action};
            fastcgi_param SIGNIN_REQUIRE $signin_require;
        }}
"""

NGINX_BEHIND = {
    "files": "",
    "fastcgi": """include /etc/nginx/fastcgi_params;
            fastcgi_param REMOTE_USER $auth_subject;
            fastcgi_param AUTH_EMAIL $auth_email;
            fastcgi_param AUTH_NAME $auth_name;
            fastcgi_param HTTP_X_AUTH_SUBJECT "";
            fastcgi_param HTTP_X_AUTH_EMAIL "";
            fastcgi_param HTTP_X_AUTH_NAME "";
            fastcgi_pass unix:{application};""",
    "http": """proxy_set_header X-Auth-Subject $auth_subject;
            proxy_set_header X-Auth-Email $auth_email;
            proxy_set_header X-Auth-Name $auth_name;
            proxy_pass http://127.0.0.1:{backend};""",
}


def _nginx(places, **values):
    blocks = []
    for place in places:
        rule = "" if place.rule is None else f'set $signin_require "{place.rule}";'
        behind = NGINX_BEHIND[place.behind].format(**values)
        blocks.append(NGINX_PLACE.format(name=place.name, rule=rule, action=place.action, behind=behind))
    asking = [
        NGINX_ASK.format(where=f"= /ask-{action}", internal="internal;", action=action)
        for action in sorted({place.action for place in places})
    ]
    for where, action in (("@signin", "signin"), ("@denied", "denied")):
        asking.append(NGINX_ASK.format(where=where, internal="", action=action))
    user = "user root;" if os.geteuid() == 0 else ""
    return NGINX.format(places="".join(blocks), asking="".join(asking), user=user, **values)


LIGHTTPD = """
server.modules = ("mod_setenv", "mod_fastcgi", "mod_cgi")
server.document-root = "{directory}/site"
server.bind = "127.0.0.1"
server.port = {port}
server.errorlog = "{directory}/lighttpd-error.log"
server.upload-dirs = ("{directory}")
server.max-request-size = 8192
mimetype.assign = ("" => "text/plain")
server.http-parseopts = (
    "header-strict" => "enable",
    "host-strict" => "enable",
    "host-normalize" => "enable",
    "url-normalize-unreserved" => "enable",
    "url-normalize-required" => "enable",
    "url-ctrls-reject" => "enable",
    "url-path-2f-decode" => "enable",
    "url-path-dotseg-remove" => "enable",
)
{places}
$HTTP["url"] =~ "^/(login|oauth|profile|logout|session)?\\z" {{
    fastcgi.server = ("/" => ("linkedin-signin" => (
        "socket" => "{socket}", "check-local" => "disable", "fix-root-scriptname" => "enable", "read-timeout" => {patience}
    )))
}}
"""

LIGHTTPD_PLACE = """
$HTTP["url"] =^ "/{name}/" {{
    {rule}
    fastcgi.server = (
        "/" => ("linkedin-signin" => (
            "socket" => "{socket}", "mode" => "authorizer", "check-local" => "disable", "read-timeout" => {patience}
        )),{behind}
    )
    {handler}
}}
"""


def _lighttpd(places, **values):
    blocks = []
    for place in places:
        rule = "" if place.rule is None else f'setenv.add-environment = ("SIGNIN_REQUIRE" => "{place.rule}")'
        behind = handler = ""
        if place.behind == "fastcgi":
            behind = '\n        "/{}/" => ("application" => ("socket" => "{}", "check-local" => "disable"))'
            behind = behind.format(place.name, values["application"])
        elif place.behind == "cgi":
            handler = 'cgi.assign = (".py" => "/usr/bin/python3")'
        blocks.append(LIGHTTPD_PLACE.format(name=place.name, rule=rule, behind=behind, handler=handler, **values))
    return LIGHTTPD.format(places="".join(blocks), **values)

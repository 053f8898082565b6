"""An application behind nginx with a guarded location, and the responder that guards it."""

import os
from contextlib import ExitStack

from .application import Application
from .process import Process, free_port
from .site import Site
from .webserver import WebServer

CONFIGURATION = """
daemon off;
worker_processes 1;
pid {directory}/nginx.pid;
error_log {directory}/nginx-error.log;
{user}
events {{}}
http {{
    access_log off;
    client_body_temp_path {directory}/body;
    fastcgi_temp_path {directory}/fastcgi;
    proxy_temp_path {directory}/proxy;
    uwsgi_temp_path {directory}/uwsgi;
    scgi_temp_path {directory}/scgi;
    upstream linkedin_signin {{ server unix:{socket}; }}
    map "" $signin_require {{ default ""; }}
    server {{
        {listen}
        client_max_body_size 4m;
        {parameters}
        fastcgi_next_upstream off;
        fastcgi_read_timeout 75s;

        location /public/ {{ proxy_pass http://127.0.0.1:{application}; }}
        location /proxied/ {{
            set $signin_require "{rule}";
            auth_request /auth;
            auth_request_set $auth_subject $upstream_http_x_auth_subject;
            error_page 401 = @signin;
            error_page 403 = @denied;
            proxy_set_header X-Auth-Subject $auth_subject;
            proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
            proxy_pass http://127.0.0.1:{application};
            proxy_buffer_size 32k;
            proxy_buffers 8 32k;
        }}
        location /served/ {{
            set $signin_require "{rule}";
            auth_request /auth;
            auth_request_set $auth_subject $upstream_http_x_auth_subject;
            error_page 401 = @signin;
            error_page 403 = @denied;
            {parameters}
            fastcgi_param HTTP_X_AUTH_SUBJECT "";
            fastcgi_param REMOTE_USER $auth_subject;
            fastcgi_pass unix:{fastcgi};
        }}
        location = /auth {{
            internal;
            fastcgi_pass_request_body off;
            {parameters}
            fastcgi_param CONTENT_LENGTH "";
            fastcgi_param SIGNIN_ACTION authorize;
            fastcgi_param SIGNIN_REQUIRE $signin_require;
            fastcgi_pass linkedin_signin;
        }}
        location @signin {{
            {parameters}
            fastcgi_param SIGNIN_ACTION signin;
            fastcgi_param SIGNIN_REQUIRE $signin_require;
            # One buffer takes the header of the application's answer to a form that was kept.
            fastcgi_buffer_size 32k;
            fastcgi_buffers 8 32k;
            fastcgi_pass linkedin_signin;
        }}
        location @denied {{
            {parameters}
            fastcgi_param SIGNIN_ACTION denied;
            fastcgi_param SIGNIN_REQUIRE $signin_require;
            fastcgi_pass linkedin_signin;
        }}
        location / {{ fastcgi_pass linkedin_signin; }}
    }}
}}
"""
PARAMETERS = """
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
"""


LISTEN = "listen 127.0.0.1:{port};"
LISTEN_TLS = """
listen 127.0.0.1:{port} ssl http2;
ssl_certificate {certificate}.pem;
ssl_certificate_key {certificate}.key;
"""


class GuardedServer(WebServer):
    def __init__(self, directory, socket, port, application, rule, certificate):
        self.application = application
        self.rule = rule
        super().__init__("nginx", directory, socket, port, certificate)

    def render(self, socket, certificate, guard):
        return CONFIGURATION.format(
            directory=self.directory,
            listen=LISTEN_TLS.format(port=self.port, certificate=certificate) if certificate else LISTEN.format(port=self.port),
            socket=socket,
            application=self.application.port,
            fastcgi=self.application.socket,
            rule=self.rule,
            parameters=PARAMETERS,
            user="user root;" if os.geteuid() == 0 else "",
        )

    def __enter__(self):
        self.process = Process(self.kind, ["nginx", "-e", self.error_log, "-c", self.configuration], self.directory)
        self.process.wait_for_listener(("127.0.0.1", self.port))
        return self


class GuardedSite(Site):
    """A site whose application lies at /proxied/ and /served/, for members, and at /public/, for everybody."""

    def __init__(self, directory, settings=None, rule="member", certificate=None):
        super().__init__(directory, settings=settings, certificate=certificate)
        self.rule = rule

    def make_server(self, stack):
        self.application = stack.enter_context(Application(self.directory))
        place = (self.directory / "front", self.responder.socket, self.port)
        return GuardedServer(*place, self.application, self.rule, self.certificate)

    def kept(self):
        return [path for path in (self.responder.state / "kept").iterdir()]

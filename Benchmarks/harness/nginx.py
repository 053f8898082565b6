"""The web server: one nginx for all sides, so that both sides of a pair have the same."""

import os
import socket
from pathlib import Path

from .servers import Server, Servers
from .sides import Shape, Side

# As many as wrk has threads.
WORKERS = 2
# Idle connections that each worker keeps: together as many as wrk has connections.
KEPT = 16

PARAMETERS = """\
fastcgi_param REQUEST_METHOD $request_method;
fastcgi_param QUERY_STRING $query_string;
fastcgi_param SERVER_PROTOCOL $server_protocol;
fastcgi_param GATEWAY_INTERFACE CGI/1.1;
fastcgi_param REMOTE_ADDR $remote_addr;
fastcgi_param HTTP_PROXY "";
"""

BODY = """\
fastcgi_param CONTENT_TYPE $content_type;
fastcgi_param CONTENT_LENGTH $content_length;
"""

MAIN = """\
{user}worker_processes {workers};
daemon off;
pid {directory}/nginx.pid;
error_log {directory}/nginx-error.log warn;
worker_rlimit_nofile 16384;
events {{ worker_connections 8192; }}
http {{
    access_log off;
    server_tokens off;
    default_type text/plain;
    keepalive_requests 1000000000;
    client_body_temp_path {directory}/nginx-body;
    fastcgi_temp_path {directory}/nginx-fastcgi;
    proxy_temp_path {directory}/nginx-proxy;
    scgi_temp_path {directory}/nginx-scgi;
    uwsgi_temp_path {directory}/nginx-uwsgi;
    fastcgi_buffer_size 8k;
    fastcgi_buffers 8 8k;
    fastcgi_read_timeout 120s;
    fastcgi_next_upstream off;
{upstreams}
    server {{
        listen 127.0.0.1:{port} backlog=4096;
        root {directory}/site;
{locations}
    }}
}}
"""

UPSTREAM = """\
    upstream {name} {{ server unix:{socket};{keepalive} }}"""

ANSWER = """\
        location = {path} {{
            include {directory}/parameters;
            include {directory}/body;
            fastcgi_param SCRIPT_NAME {route};
            fastcgi_param REQUEST_URI {route};
            fastcgi_pass {upstream};
            fastcgi_keep_conn {kept};
        }}"""

CHECK = """\
        location = {path} {{ auth_request {path}/asks; try_files /page =404; }}
        location = {path}/asks {{
            internal;
            include {directory}/parameters;
            fastcgi_param CONTENT_LENGTH "";
            fastcgi_param SCRIPT_NAME {route};
            fastcgi_param REQUEST_URI {route};
            fastcgi_pass_request_body off;
            fastcgi_pass {upstream};
            fastcgi_keep_conn {kept};
        }}"""

SITE = """\
        location / {{
            include {directory}/parameters;
            include {directory}/body;
            fastcgi_param SCRIPT_NAME $uri;
            fastcgi_param REQUEST_URI $request_uri;
            fastcgi_pass {upstream};
        }}"""


class Nginx:
    """A running nginx with a location for every shape of every side, whose servers come and go."""

    def __init__(self, port: int, server: Server) -> None:
        self.port = port
        self.server = server

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self.port}"


def free_port() -> int:
    """A port of 127.0.0.1 that is free now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def start(servers: Servers, sides: list[Side], site: Side) -> Nginx:
    """Starts nginx; what no shape names goes to `site`."""
    directory, port = servers.directory, free_port()
    (directory / "site").mkdir()
    (directory / "site" / "page").write_text("a page of a site\n", encoding="ascii")
    (directory / "parameters").write_text(PARAMETERS, encoding="ascii")
    (directory / "body").write_text(BODY, encoding="ascii")
    file = directory / "nginx.conf"
    file.write_text(configuration(directory, port, sides, site), encoding="ascii")
    server = servers.start("nginx", ["nginx", "-e", f"{directory}/nginx-error.log", "-c", str(file)])
    server.wait_until(lambda: is_open(port))
    return Nginx(port, server)


def configuration(directory: Path, port: int, sides: list[Side], site: Side) -> str:
    """The whole of nginx.conf."""
    upstreams = []
    locations = [SITE.format(directory=directory, upstream=site.name)]
    for side in sides:
        upstreams.append(UPSTREAM.format(name=side.name, socket=side.socket(False), keepalive=""))
        kept = {"name": f"{side.name}-kept", "socket": side.socket(True), "keepalive": f" keepalive {KEPT};"}
        upstreams.append(UPSTREAM.format(**kept))
        locations += [shape_locations(directory, side, shape) for shape in Shape]
    return MAIN.format(
        directory=directory,
        port=port,
        workers=WORKERS,
        # Workers that lose their rights could not open the sockets, which belong to whoever runs this.
        user="user root;\n" if os.geteuid() == 0 else "",
        upstreams="\n".join(upstreams),
        locations="\n".join(locations),
    )


def shape_locations(directory: Path, side: Side, shape: Shape) -> str:
    """The location of one shape of one side, with the internal one that a check needs."""
    return (CHECK if shape.is_check else ANSWER).format(
        directory=directory,
        path=shape.path(side),
        route=shape.route,
        upstream=f"{side.name}-kept" if shape.is_kept else side.name,
        kept="on" if shape.is_kept else "off",
    )


def is_open(port: int) -> bool:
    """Whether something listens."""
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
    except OSError:
        return False
    return True

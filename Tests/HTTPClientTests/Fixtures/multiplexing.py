"""Starts nginx for HTTP/2, which the fault server does not support."""

import os
import socket
import subprocess

CONFIGURATION = """
daemon off;
worker_processes 1;
user root;
pid {directory}/nginx.pid;
error_log {directory}/nginx.log;
events {{ worker_connections 512; }}
http {{
    access_log off;
    client_body_temp_path {directory}/body;
    proxy_temp_path {directory}/proxy;
    fastcgi_temp_path {directory}/fastcgi;
    uwsgi_temp_path {directory}/uwsgi;
    scgi_temp_path {directory}/scgi;
    ssl_certificate {directory}/good.pem;
    ssl_certificate_key {directory}/key.pem;
    add_header Protocol $server_protocol;
    add_header Connection-Number $connection;
    server {{
        listen 127.0.0.1:{ports[0]} ssl http2;
        return 200 "$request_uri";
    }}
    server {{
        listen 127.0.0.1:{ports[1]} ssl http2;
        keepalive_requests 2;
        return 200 "$request_uri";
    }}
    server {{
        listen 127.0.0.1:{ports[2]} ssl http2;
        ssl_certificate {directory}/common-name.pem;
        return 200 "$request_uri";
    }}
}}
"""


def start(directory):
    """Returns three ports and the process.

    The second allows two requests on each connection; the certificate of the third names its host in the subject only.

    nginx inherits listening sockets, so that a test need not wait for it.
    """
    listeners = [socket.create_server(("127.0.0.1", 0), backlog=512) for _ in range(3)]
    ports = [listener.getsockname()[1] for listener in listeners]
    descriptors = [listener.fileno() for listener in listeners]
    path = os.path.join(directory, "nginx.conf")
    with open(path, "w") as file:
        file.write(CONFIGURATION.format(directory=directory, ports=ports))
    environment = {**os.environ, "NGINX": "".join(f"{descriptor};" for descriptor in descriptors)}
    environment["PATH"] += ":/usr/sbin:/sbin"
    process = subprocess.Popen(["nginx", "-c", path, "-e", os.path.join(directory, "nginx.log")],
                               env=environment, pass_fds=descriptors, stdin=subprocess.DEVNULL)
    return ports, process

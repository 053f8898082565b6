"""Starts nginx for what the fault server cannot speak: HTTP/2."""

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
    server {{
        listen 127.0.0.1:{port} ssl http2;
        ssl_certificate {directory}/good.pem;
        ssl_certificate_key {directory}/key.pem;
        add_header Protocol $server_protocol;
        add_header Connection-Number $connection;
        return 200 "$request_uri";
    }}
}}
"""


def start(directory):
    """Returns the port and the process, which inherits a socket that already listens, so that no one has to wait."""
    listener = socket.create_server(("127.0.0.1", 0), backlog=512)
    port = listener.getsockname()[1]
    path = os.path.join(directory, "nginx.conf")
    with open(path, "w") as file:
        file.write(CONFIGURATION.format(directory=directory, port=port))
    environment = {**os.environ, "NGINX": f"{listener.fileno()};"}
    environment["PATH"] += ":/usr/sbin:/sbin"
    return port, subprocess.Popen(["nginx", "-c", path, "-e", os.path.join(directory, "nginx.log")],
                                  env=environment, pass_fds=[listener.fileno()], stdin=subprocess.DEVNULL)

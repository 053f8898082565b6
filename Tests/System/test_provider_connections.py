"""Calls over TLS and HTTP/2 to a provider that closes connections at any time."""

import os
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

from harness.process import Process, free_port
from harness.site import Site, from_provider

# Closes a connection after three requests, like a server that reloads its configuration often.
CONFIGURATION = """
daemon off;
worker_processes 1;
{user}
pid {directory}/nginx.pid;
error_log {directory}/error.log;
events {{ worker_connections 1024; }}
http {{
    access_log {directory}/access.log;
    client_body_temp_path {directory}/body;
    proxy_temp_path {directory}/proxy;
    fastcgi_temp_path {directory}/fastcgi;
    uwsgi_temp_path {directory}/uwsgi;
    scgi_temp_path {directory}/scgi;
    server {{
        listen 127.0.0.1:{port} ssl http2 backlog=512;
        server_name localhost;
        ssl_certificate {certificate}.pem;
        ssl_certificate_key {certificate}.key;
        keepalive_requests 3;
        location / {{ proxy_pass {simulator}; }}
    }}
}}
"""


class Provider(Process):
    """nginx before the simulator."""

    def __init__(self, directory, port, certificate, simulator):
        directory.mkdir()
        configuration = directory / "nginx.conf"
        user = "user root;" if os.geteuid() == 0 else ""
        fields = {"directory": directory, "port": port, "certificate": certificate, "simulator": simulator}
        configuration.write_text(CONFIGURATION.format(user=user, **fields))
        super().__init__("nginx", ["nginx", "-e", directory / "error.log", "-c", configuration], directory)
        self.wait_for_listener(("127.0.0.1", port))


def settings(port, certificate):
    base = f"https://localhost:{port}"
    return {
        "SIGNIN_TOKEN_ENDPOINT": f"{base}/oauth/v2/accessToken",
        "SIGNIN_JWKS_URI": f"{base}/oauth/openid/jwks",
        "SIGNIN_PROFILE_ENDPOINT": f"{base}/rest/identityMe",
        "SIGNIN_CA_FILE": f"{certificate}.pem",
    }


def test_sign_ins_work_although_the_provider_closes_connections_after_three_requests(directory, certificate):
    port = free_port()
    with Site(directory, settings=settings(port, certificate)) as site:
        with Provider(directory / "provider", port, certificate, site.simulator.url):

            def visit(number):
                browser = site.browser()
                signed_in = site.sign_in(browser, member=number % 7 + 1).status
                return signed_in, browser.get(f"{site.url}/profile").status

            with ThreadPoolExecutor(8) as visitors:
                answers = list(visitors.map(visit, range(200)))
        assert answers == [(303, 200)] * 200, site.responder.log
        log = (directory / "provider/access.log").read_text()
        assert "HTTP/2.0" in log and "HTTP/1.1" not in log
        assert log.count("POST ") == 200, "a code is redeemed only once"


def test_the_log_names_the_host_and_why_its_certificate_is_not_trusted(directory, certificate):
    port = free_port()
    values = {**settings(port, certificate), "SIGNIN_CA_FILE": None}
    with Site(directory, settings=values) as site:
        site.responder.expected_errors.append("reason=token-unavailable")
        with Provider(directory / "provider", port, certificate, site.simulator.url):
            browser = site.browser()
            callback = site.consent(site.begin(browser))
            assert browser.get(callback, headers=from_provider()).status == 502
        assert 'detail="untrusted the certificate of localhost is self-signed"' in site.responder.settled_log()
        assert urlsplit(callback).query.split("code=")[1].split("&")[0] not in site.responder.log

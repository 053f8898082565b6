"""Applications that choose their page by the request target, behind a guard and at an open location of a web server."""

import sys
from pathlib import Path

from .guarding import FASTCGI, HTTP, replaced, with_application
from .php import php_fpm
from .process import Process, free_port

PAGE = "the canary page below /private/"
HERE = Path(__file__).parent
PHP = HERE / "router.php"
APPLICATIONS = ("node-http", "python-http", "python-fastcgi", "php-http", "php-fastcgi")
FIELDS = ("REQUEST_URI $request_uri", "REQUEST_METHOD $request_method", f"SCRIPT_FILENAME {PHP}", "REDIRECT_STATUS 200")


class Router:
    """One application. `with_routes` is an edit of the printed configuration that passes it all requests."""

    def __init__(self, name, directory):
        self.language, self.protocol = name.split("-")
        self.directory = directory
        self.address = free_port() if self.protocol == "http" else directory / "router"

    @property
    def command(self):
        address = str(self.address)
        if self.language == "node":
            return ["node", HERE / "router.js", address, PAGE]
        if self.language == "python":
            return [sys.executable, HERE / "router.py", self.protocol, address, PAGE]
        if self.protocol == "fastcgi":
            return php_fpm(address, self.directory, PAGE=PAGE)
        return ["php", "-S", f"127.0.0.1:{address}", PHP]

    def __enter__(self):
        self.process = Process(f"router-{self.language}", self.command, self.directory, {"PAGE": PAGE})
        self.process.wait_for_listener(("127.0.0.1", self.address) if self.protocol == "http" else self.address)
        return self

    def __exit__(self, *_):
        self.process.stop()

    def with_routes(self, kind, text):
        return self.with_nginx(text) if kind == "nginx" else self.with_lighttpd(text)

    def with_nginx(self, text):
        if self.protocol == "http":
            address = f"127.0.0.1:{self.address}"
            text = with_application(text, "nginx", "/private/", HTTP, address)
            text = text.replace("proxy_set_header Host $host;", "proxy_set_header Host $http_host;")
            passing = f"proxy_set_header Host $http_host; proxy_pass http://{address};"
        else:
            text = with_application(text, "nginx", "/private/", FASTCGI, self.address)
            text = replaced(text, "$document_root$fastcgi_script_name", str(PHP))
            passing = "".join(f"fastcgi_param {field}; " for field in FIELDS) + f"fastcgi_pass unix:{self.address};"
        return replaced(text, "    root ", f"    location / {{ {passing} }}\n    root ")

    def with_lighttpd(self, text):
        if self.protocol == "http":
            text = replaced(text, '    "mod_fastcgi",\n', '    "mod_fastcgi",\n    "mod_proxy",\n')
            return text + f'proxy.server = ( "" => (( "host" => "127.0.0.1", "port" => {self.address} )) )\n'
        if self.language == "python":
            text = with_application(text, "lighttpd", "/private/", FASTCGI, self.address)
            return text + f'fastcgi.server = ( "/" => (( "socket" => "{self.address}", "check-local" => "disable" )) )\n'
        # The front controller: lighttpd passes every address without a file to it, with the address in REQUEST_URI.
        (self.directory / "front/site/index.php").symlink_to(PHP)
        return text + (
            f'fastcgi.server = ( ".php" => (( "socket" => "{self.address}" )) )\nserver.error-handler-404 = "/index.php"\n'
        )

"""What `check` finds about versions of TLS and sizes of requests, and what web servers do with these lines."""

import subprocess

import pytest

from harness.process import free_port, surroundings
from harness.webserver import WebServer
from test_check_servers import check

VERSIONS = "allows only versions of TLS that no current browser uses, so browsers cannot connect to the pages of linkedin-signin, and "
SIZES = "reject {}requests of sign-ins with {}, because the address of a sign-in has up to 2048 bytes, and the address, the cookies "
NGINX, LIGHTTPD = SIZES.format("", "414 or 400"), SIZES.format("", "431")
# With these lines, most visitors can sign in.
LONG = [SIZES.format("long ", "414 or 400"), SIZES.format("long ", "431")]
OTHER = "server {{ listen 127.0.0.1:{port} ssl{default}; server_name other.example; ssl_certificate {pem}; ssl_certificate_key {key}; {line} }}\n"
DEFAULT = " default_server"
# Lines in the block of the site in place of its ssl_protocols, and those of another server of the same address.
OF_NGINX = {
    "ssl_protocols TLSv1;": VERSIONS,
    "ssl_protocols SSLv3 TLSv1 TLSv1.1;": VERSIONS,
    "ssl_conf_command MaxProtocol TLSv1.1;": VERSIONS,
    "ssl_protocols TLSv1 TLSv1.1 TLSv1.2;": None,
    "ssl_protocols TLSv1.3; ssl_conf_command Options -ServerPreference;": None,
    ("ssl_protocols TLSv1.2;", "ssl_protocols TLSv1.1;", DEFAULT): VERSIONS,
    ("ssl_protocols TLSv1.1;", "ssl_protocols TLSv1.2;", DEFAULT): None,
    ("ssl_protocols TLSv1.2;", "ssl_protocols TLSv1.1;", ""): None,
    "connection_pool_size 256; large_client_header_buffers 1 256;": NGINX,
    "large_client_header_buffers 4 1k;": LONG[0],
    "large_client_header_buffers 1 2k;": LONG[0],
    "client_header_buffer_size 8k; large_client_header_buffers 2 1k;": LONG[0],
    "large_client_header_buffers 2 512;": NGINX,
    "large_client_header_buffers 2 4k;": None,
    "client_header_buffer_size 256;": None,
    ("", "large_client_header_buffers 2 512;", DEFAULT): None,
}
OLD = 'ssl.openssl.ssl-conf-cmd = ( "MaxProtocol" => "TLSv1.1" )'
# Another socket, for devices without a current version of TLS.
DEVICES = '$SERVER["socket"] == "127.0.0.1:{0}" {{ ssl.engine = "enable" ssl.pemfile = "{1}.pem" ssl.privkey = "{1}.key" ' + OLD + " }}"
OF_LIGHTTPD = {
    OLD: VERSIONS,
    DEVICES: None,
    'ssl.openssl.ssl-conf-cmd = ( "Protocol" => "-ALL, TLSv1.1" )': VERSIONS,
    'ssl.openssl.ssl-conf-cmd = ( "Protocol" => "-ALL, TLSv1.2", "MinProtocol" => "TLSv1" )': None,
    'ssl.openssl.ssl-conf-cmd = ( "MaxProtocol" => "TLSv1.2" )': None,
    "server.max-request-field-size = 1024": LIGHTTPD,
    "server.max-request-field-size = 2048": LONG[1],
    "server.max-request-field-size = 4096": None,
}


def status(server, length=4):
    """The status of a long request of a sign-in, with what browsers and other applications add; 0 if there is no connection."""
    fields = ["Cookie: a=" + "c7Q-" * 69 * length, "User-Agent: Mozilla/5.0 " + "x" * 400, "Accept-Language: en-US,en;q=0.9"]
    command = ["curl", "-sk", "-o", "/dev/null", "-w", "%{http_code}", "--noproxy", "*", "--connect-to", f"::127.0.0.1:{server.port}"]
    command += [word for field in fields for word in ("-H", field)]
    path = f"https://localhost:{server.port}/login?return_to=/" + "%2Fq" * 95 * length
    done = subprocess.run([*command, path], capture_output=True, text=True, env=surroundings(), timeout=20)
    return int(done.stdout)


def judge(server, words):
    """The findings of check about a configuration, and whether the web server passes the request on to the missing program."""
    command = ["nginx", "-T", "-e", server.directory / "log", "-c"] if server.kind == "nginx" else ["lighttpd", "-pp", "-f"]
    done = subprocess.run([*command, server.configuration], capture_output=True, text=True, env=surroundings())
    assert done.returncode == 0, done.stderr
    server.expected_errors += ["connect", "SSL", "too (long|large)", r"gw_backend", "431"]
    with server:
        passed = [status(server, length) in (500, 502, 503) for length in (1, 4)]
    assert passed == [words in (None, *LONG), words is None]
    problems, warnings = check(f"--{server.kind}", "-", "--quiet", text=done.stdout)
    found = warnings if words in LONG else problems
    assert problems + warnings == found and len(found) == (words is not None) and all(words in text for text in found), problems + warnings


@pytest.mark.parametrize("lines", OF_NGINX, ids=str)
def test_a_line_of_nginx_with_which_browsers_cannot_connect_is_an_error(lines, directory, certificate):
    own, other, default = (lines, None, "") if isinstance(lines, str) else lines

    def edit(text):
        text = text.replace("ssl_protocols TLSv1.2 TLSv1.3;", own, 1)
        port = text.partition(" ssl http2;")[0].rpartition(":")[2]
        pair = {"pem": f"{certificate}.pem", "key": f"{certificate}.key"}
        added = OTHER.format(port=port, default=default, line=other, **pair) if other else ""
        head, brace, rest = text.rpartition("}")
        return head + added + brace + rest

    judge(WebServer("nginx", directory / "front", directory / "socket", certificate=certificate, edit=edit), OF_NGINX[lines])


@pytest.mark.parametrize("address", ["{}", "*:{}", "0.0.0.0:{}"])
def test_the_versions_of_the_default_server_count_however_its_address_is_written(address, directory, certificate):
    def edit(text):
        text = text.replace("ssl_protocols TLSv1.2 TLSv1.3;", "ssl_protocols TLSv1.1;", 1)
        start = text.partition(" ssl http2;")[0]
        port = start.rpartition(":")[2]
        text = text.replace(f"127.0.0.1:{port} ssl", f"0.0.0.0:{port} ssl")
        pair = {"pem": f"{certificate}.pem", "key": f"{certificate}.key"}
        other = OTHER.format(port=port, default=DEFAULT, line="ssl_protocols TLSv1.2;", **pair)
        head, brace, rest = text.rpartition("}")
        return head + other.replace(f"127.0.0.1:{port}", address.format(port)) + brace + rest

    judge(WebServer("nginx", directory / "front", directory / "socket", certificate=certificate, edit=edit), None)


@pytest.mark.parametrize("line", OF_LIGHTTPD)
def test_a_line_of_lighttpd_with_which_browsers_cannot_connect_is_an_error(line, directory, certificate):
    def edit(text):
        own = 'ssl.openssl.ssl-conf-cmd = ( "MinProtocol" => "TLSv1.2" )'
        assert text.count(own) == 1
        return text.replace(own, line) if line.startswith("ssl") else text + line.format(free_port(), certificate) + "\n"

    judge(WebServer("lighttpd", directory / "front", directory / "socket", certificate=certificate, edit=edit), OF_LIGHTTPD[line])

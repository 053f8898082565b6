"""lighttpd with an authorizer for each location."""

from pathlib import Path

from .nginx import PAGE_BODY
from .servers import Servers
from .sides import RULE, Shape, Side
from .webserver import WORKERS, WebServer, free_port, started

MAIN = """\
server.modules = ( "mod_setenv", "mod_fastcgi" )
server.document-root = "{root}"
server.bind = "127.0.0.1"
server.port = {port}
server.errorlog = "{directory}/lighttpd-error.log"
server.upload-dirs = ( "{directory}" )
server.max-worker = {workers}
server.max-fds = 16384
server.listen-backlog = 4096
server.max-keep-alive-requests = 60000
mimetype.assign = ( "" => "text/plain" )
{locations}
"""

LOCATION = """\
$HTTP["url"] =~ "^{path}\\z" {{
    setenv.add-environment = ( "SIGNIN_REQUIRE" => "{rule}" )
    fastcgi.server = ( "/" => ( ( "socket" => "{socket}", "mode" => "authorizer", "check-local" => "disable" ) ) )
}}"""


def start(servers: Servers, sides: list[Side]) -> WebServer:
    """Starts lighttpd with one location for each side."""
    directory, port = servers.directory, free_port()
    root = directory / "lighttpd-site"
    for side in sides:
        page = root / Shape.AUTHORIZER.path(side).lstrip("/")
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(PAGE_BODY, encoding="ascii")
    file = directory / "lighttpd.conf"
    file.write_text(configuration(directory, root, port, sides), encoding="ascii")
    return started(servers.start("lighttpd", ["lighttpd", "-D", "-f", str(file)]), port)


def configuration(directory: Path, root: Path, port: int, sides: list[Side]) -> str:
    """The content of lighttpd.conf."""
    shape = Shape.AUTHORIZER
    locations = (LOCATION.format(path=shape.path(side), rule=RULE, socket=side.socket(shape)) for side in sides)
    return MAIN.format(directory=directory, root=root, port=port, workers=WORKERS, locations="\n".join(locations))

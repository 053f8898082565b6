"""Faults of a site whose messages once led an operator the wrong way: what check and doctor name first.

usage: remedies.py BINARIES FAULT
"""

import shutil
import sys

from sites import OPERATOR, Site, install, run

FIRST, SECOND = Site("", "https://example.com"), Site("example.org", "https://example.org")


def removed_site():
    """The web server still has the guards of a site that was removed."""
    for server in ("nginx", "lighttpd"):
        text = run("print-config", server, "--location", "/private/", *SECOND.option).stdout
        (OPERATOR / server).write_text(text)
        run("check", f"--{server}", OPERATOR / server)
    shutil.rmtree(SECOND.folder)
    for server in ("nginx", "lighttpd"):
        said = run("check", f"--{server}", OPERATOR / server, status=78).stderr
        words = f"lead to {SECOND.socket}, the socket of {SECOND.unit}.service, and this machine has no {SECOND.folder}/settings"
        assert words in said and len(said.splitlines()) == 1, said


def main(binaries, fault):
    install(binaries)
    FIRST.write()
    SECOND.write()
    globals()[fault]()


if __name__ == "__main__":
    main(*sys.argv[1:])

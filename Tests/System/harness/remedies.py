"""Faults of a site whose messages once led an operator the wrong way: what check and doctor name first.

usage: remedies.py BINARIES FAULT
"""

import shutil
import subprocess
import sys

from mixed_sites import lay_out_as_systemd
from sites import OPERATOR, PATH, PROGRAM, REPOSITORY, Site, install, run
from unit_files import refuse

FIRST, SECOND = Site("", "https://example.com"), Site("example.org", "https://example.org")


def start_once(site):
    site.start()
    site.stop()


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


def secret_of_root():
    """systemd-tmpfiles gives the file of a secret to root again, so a chown does not last."""
    shutil.copy(REPOSITORY / "deploy/debian/tmpfiles", "/usr/lib/tmpfiles.d/linkedin-signin.conf")
    secret = SECOND.folder / "client-secret"
    SECOND.write(LINKEDIN_CLIENT_SECRET_FILE=secret)
    assert SECOND.serve().wait(20) == 78
    said = (OPERATOR / "log").read_text()
    assert "credential: remove the setting that names the file" in said and "chown" not in said, said


def settings_of_root():
    """A user who does not run the service cannot be helped by a change of its unit."""
    shutil.copy(REPOSITORY / "deploy/debian/tmpfiles", "/usr/lib/tmpfiles.d/linkedin-signin.conf")
    command = ["setpriv", "--reuid=www-data", "--regid=www-data", "--clear-groups", PROGRAM, "check", "--quiet", *SECOND.option]
    said = subprocess.run(command, capture_output=True, text=True, env=PATH, cwd="/").stderr
    words = "run this command as root, or, if www-data is the user of serve, run: usermod -a -G linkedin-signin www-data"
    assert words in said and "systemctl edit" not in said, said


def replaced_link():
    """A directory in place of systemd's link is one finding, whoever owns it."""
    start_once(SECOND)
    target = lay_out_as_systemd(SECOND)
    SECOND.state.unlink()
    SECOND.state.mkdir(mode=0o755)
    refuse(SECOND, f"{SECOND.state} is not a link to {target}, and both exist")


def main(binaries, fault):
    install(binaries)
    FIRST.write()
    SECOND.write()
    globals()[fault]()


if __name__ == "__main__":
    main(*sys.argv[1:])

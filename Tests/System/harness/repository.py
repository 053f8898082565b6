"""A signed APT repository, as deploy/repository makes it, on loopback."""

import http.server
import os
import re
import shutil
import subprocess
import tempfile
import threading
import time
from functools import partial
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[3]
URL = "https://packages.example.com"
OPTIONS = "APT::Get::Assume-Yes yes; APT::Update::Error-Mode any;"
# The repository is the only source. This machine's own configuration may tell apt to accept expired lists.
BARE_APT = f"""
    rm -rf /etc/apt/sources.list /etc/apt/sources.list.d/* /etc/apt/apt.conf /etc/apt/apt.conf.d/* /var/lib/apt/lists/*
    echo '{OPTIONS}' >/etc/apt/apt.conf.d/test
"""


class Repository:
    """An empty repository with a signing key of its own."""

    def __enter__(self):
        # A short path, because GnuPG has its sockets there.
        self.place = Path(tempfile.mkdtemp(prefix="signin-apt-"))
        self.place.chmod(0o755)
        self.path, home = self.place / "repository", self.place / "gnupg"
        self.environment = {**os.environ, "GNUPGHOME": str(home)}
        make_signing_key(home, self.environment)
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(Files, directory=str(self.path)))
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()
        run("gpgconf", "--kill", "gpg-agent", env=self.environment)
        # The agent removes its sockets at the same time.
        shutil.rmtree(self.place, ignore_errors=True)

    def add(self, *packages, **environment):
        """Adds packages; without one, signs the index again."""
        run(REPOSITORY / "deploy/repository", self.path, *packages, env={**self.environment, **environment})

    def expire(self):
        """Signs the index as it was signed a month ago."""
        self.add(SOURCE_DATE_EPOCH=str(int(time.time()) - 31 * 86400))

    def change_package(self):
        """Changes one byte of the only package."""
        [file] = (self.path / "pool").iterdir()
        flip(file)

    def documented(self, text):
        """Commands of a page with the address of this repository."""
        return text.replace(URL, self.url)

    def commands(self):
        """The commands of docs/install.md that add this repository, and those that install the package, both for root."""
        text = (REPOSITORY / "docs/install.md").read_text()
        (lines,) = re.findall(r"^(.*keyrings.*\n.*sources\.list\.d.*\n)(.*apt-get install linkedin-signin)$", text, re.MULTILINE)
        return [self.documented(line.replace("sudo ", "")) for line in lines]


class Files(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def flip(path):
    """Changes one byte in the middle of a file."""
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def make_signing_key(home, environment):
    home.mkdir(mode=0o700)
    owner = "Tester <tester@example.com>"
    run("gpg", "--batch", "--quiet", "--passphrase", "", "--quick-generate-key", owner, "ed25519", "sign", env=environment)


def install_from(repository, package, trial):
    """The commands of docs/install.md. What apt must refuse comes first, because it installs nothing then."""
    add, install = repository.commands()
    repository.add(package)
    repository.expire()
    trial.sh(BARE_APT + add)
    trial.expect("InRelease is expired" in trial.sh(f"if ({install}) 2>&1; then false; fi"), "apt refuses an expired index")
    repository.add()
    repository.change_package()
    trial.expect("Hash Sum mismatch" in trial.sh(f"if ({install}) 2>&1; then false; fi"), "apt refuses a changed package")
    repository.change_package()
    trial.step("apt refused an expired index and a changed package")
    said = trial.sh(install)
    trial.expect("installed and not started" in said, "the installation says what to do")


def repacked(package, output, **fields):
    """The same package with other values of control fields, such as Version."""
    with tempfile.TemporaryDirectory() as unpacked:
        run("dpkg-deb", "-R", package, unpacked)
        control = Path(unpacked) / "DEBIAN/control"
        for name, value in fields.items():
            control.write_text(re.sub(f"^{name}: .*$", f"{name}: {value}", control.read_text(), flags=re.MULTILINE))
        run("dpkg-deb", "-Znone", "--root-owner-group", "-b", unpacked, output)
    return Path(output)


def run(*command, **options):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, **options)
    assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
    return done.stdout

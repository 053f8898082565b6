"""Runs the commands of a documentation page in order, as an operator would paste them.

usage: Tests/mount-namespace documented.py DOCUMENT SCRATCH BINARIES PORT

Changes below /etc, /usr, /var/lib, /var/cache and /var/backups and to generated files of the repository go to SCRATCH. Five things
are replaced: builds and unit tests, because they take minutes (the binaries under test are used instead, in the package too); the
length of the long run; systemd, because it does not run here (`systemctl` only checks that its units are installed); the address
on which nginx listens; and the address of the APT repository, which is on loopback.
"""

import http.client
import os
import re
import shutil
import ssl
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

from code_blocks import code_blocks
from debian import package, static_program
from process import wait_until
from repository import URL, Repository, make_signing_key, run

REPOSITORY = Path(__file__).resolve().parents[3]
TOOLS = {
    "sudo": 'exec env "$@"',
    "swift": """
        case "$*" in
        "build "*"--product linkedin-signin" | "build "*"--build-tests"* | "build "*"--product linkedin-signinPackageTests" | "build --explicit-target-dependency-import-check error --disable-index-store") exit 0 ;;
        esac
        exit 1""",
    "strip": 'exec /usr/bin/strip "$@"',
    # Other packages' triggers and fsync take most of the time.
    "apt-get": 'exec /usr/bin/apt-get -y -q -o Dpkg::Options::=--force-unsafe-io -o Dpkg::Options::=--no-triggers "$@"',
    "journalctl": 'test "$1 $2" = "-u linkedin-signin"',
    "systemctl": """
        shift
        for unit in "$@"; do
            case $unit in
            --now | nginx | lighttpd) continue ;;
            *@*) file=${unit%%@*}@.${unit##*.} ;;
            *) file=$unit ;;
            esac
            test -f "/etc/systemd/system/$file" || test -f "/usr/lib/systemd/system/$file" || { echo "systemctl: no unit $unit" >&2; exit 1; }
        done""",
}
# The tests in Swift succeed if the filter names a target and, in brackets, a pattern of a test name.
SWIFT_TESTS = r"""#!/bin/sh
for filter in "$@"; do :; done
target=${filter#^} target=${target%%Tests*} pattern=${filter#*(}
[ "$pattern" = "$filter" ] && pattern='' || pattern=${pattern%)}
grep -rqE "func \`.*$pattern" "Tests/${target}Tests" && echo 'Test run with 1 test'
"""
GENERATED = ["docs/settings.md", "docs/pages.md", "nginx.conf.example", "deploy/lighttpd.conf"]
SERVER = """server {
    listen 443 ssl;
    server_name example.com;
    ssl_certificate /etc/ssl/certs/example.com.pem;
    ssl_certificate_key /etc/ssl/private/example.com.key;
    %s
}
"""
INCLUDE = "include /etc/nginx/snippets/linkedin-signin-example.com-server.conf;"


class Machine:
    def __init__(self, scratch, binaries, port, opened):
        self.scratch, self.port, self.binaries, self.opened = Path(scratch), port, binaries, opened
        self.repository = None
        run("mount", "-t", "tmpfs", "none", scratch)
        for name in ("etc", "usr", "var/lib", "var/log", "var/cache", "var/backups"):
            self.overlay(Path("/", name))
        run("mount", "-t", "tmpfs", "none", "/run")
        tools = self.scratch / "tools"
        tools.mkdir()
        for name, text in TOOLS.items():
            (tools / name).write_text(f"#!/bin/sh\n{text}\n")
            (tools / name).chmod(0o755)
        (REPOSITORY / ".build/debug").mkdir(parents=True, exist_ok=True)
        self.overlay((REPOSITORY / ".build/debug").resolve())
        tests = REPOSITORY / ".build/debug/linkedin-signinPackageTests.xctest"
        tests.unlink(missing_ok=True)
        tests.write_text(SWIFT_TESTS)
        tests.chmod(0o755)
        self.release = self.scratch / "release"
        self.release.mkdir()
        shutil.copy(Path(binaries) / "linkedin-signin", self.release)
        swift = Path(shutil.which("swiftc")).parent
        path = f"{tools}:/usr/local/bin:/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin:{swift}"
        self.environment = {"PATH": path, "LC_ALL": "C.UTF-8", "SYSTEM_TEST_BINARIES": str(binaries)}
        # Compression takes a minute.
        self.environment["DPKG_DEB_COMPRESSOR_LEVEL"] = "0"
        self.environment["TEST_LOGS"] = str(self.scratch / "logs")
        self.generated = {name: self.protect(name) for name in GENERATED}
        self.settings = iter(["/etc/linkedin-signin/settings", "/etc/linkedin-signin/example.org/settings"])
        (Path("/etc/nginx/sites-enabled") / "default").unlink(missing_ok=True)
        certificate, key = "/etc/ssl/certs/example.com.pem", "/etc/ssl/private/example.com.key"
        subject = ["-subj", "/CN=example.com", "-days", "2"]
        run("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate, *subject)

    def overlay(self, directory):
        """Mounts a directory over itself, so that changes of it stay in the namespace."""
        upper, work = (self.scratch / directory.relative_to("/") / name for name in ("upper", "work"))
        upper.mkdir(parents=True)
        work.mkdir()
        options = f"lowerdir={directory},upperdir={upper},workdir={work}"
        run("mount", "-t", "overlay", "overlay", "-o", options, directory)

    def protect(self, name):
        """Mounts a copy over a file of the repository and returns the original content."""
        copy = self.scratch / Path(name).name
        shutil.copy(REPOSITORY / name, copy)
        run("mount", "--bind", copy, REPOSITORY / name)
        return copy.read_text()

    def sh(self, text):
        """Runs a block of commands and the steps that the text around it describes."""
        text = text.replace(".build/release", str(self.release)).replace(".build/debug", str(self.binaries))
        # The plan of this seed has faults of the provider only: three seconds are too short to recover from a restart.
        text = re.sub(r"^(Tests/soak --seconds) \d+", r"\1 3 --seed 4", text, flags=re.MULTILINE)
        text = re.sub(r"(\./)?\.build/(package|signed|repository)", rf"{self.scratch}/\2", text)
        if URL in text:
            text = self.apt_repository().documented(text)
        if "deploy/reproduce" in text:
            built = rf"deploy/package --program {static_program(self.binaries)} --output \1 && cp Package.resolved \1"
            text = re.sub(r"^deploy/reproduce --output (\S+)$", built, text, flags=re.MULTILINE)
        if "deploy/release" in text:
            self.environment["GNUPGHOME"] = str(self.scratch / "gnupg")
            make_signing_key(self.scratch / "gnupg", self.environment)
        if "member@example.com" in text or "sessions forget" in text:
            self.make_member()
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", text],
            cwd=REPOSITORY,
            env=self.environment,
            input="the-client-secret\n",
            capture_output=True,
            text=True,
            timeout=120,
        )
        if "deploy/release" in text:
            run("gpgconf", "--kill", "gpg-agent", env=self.environment)
        assert done.returncode == 0, f"{text}\n{done.stdout}{done.stderr}"
        if "print-config lighttpd" in text and "--write" in text:
            self.include_in_lighttpd(done.stdout)
        if "--nginx -" in text:
            self.visit()
        for name, content in self.generated.items():
            assert (REPOSITORY / name).read_text() == content, f"{text}\n{name} has changed"

    def apt_repository(self):
        """The only repository of apt, with the package of the program under test."""
        if not self.repository:
            for path in (*Path("/etc/apt").glob("sources.list"), *Path("/etc/apt/sources.list.d").iterdir()):
                path.unlink()
            self.repository = self.opened.enter_context(Repository())
            names = ("linkedin-signin", "linkedin-simulator")
            self.repository.add(*(package(self.binaries, self.scratch / "packaged", name) for name in names))
        return self.repository

    def make_member(self):
        """A member with a personal token, whom the commands of the pages name."""
        command = "linkedin-signin tokens create --subject 782bbtaQ --email member@example.com --name a --location / --expires-after 1d"
        settings = ["--settings-file", "/etc/linkedin-signin/settings"]
        run(*command.split(), *settings, env={**self.environment, "SIGNIN_PERSONAL_TOKENS": "1d"})

    def ini(self, text):
        """Appends the lines to the settings file that the page describes."""
        with open(next(self.settings), "a") as file:
            file.write(text)

    def nginx(self, text):
        """Writes the lines to the configuration of the site."""
        text = text if INCLUDE in text else f"{INCLUDE}\n{text}"
        text = text if "server {" in text else SERVER % text
        text = text.replace("listen 443 ssl;", f"listen 127.0.0.1:{self.port} ssl;")
        Path("/etc/nginx/sites-enabled/example.com").write_text(text)
        run("nginx", "-t", env=self.environment)

    def include_in_lighttpd(self, printed):
        lines = re.findall(r'^    (include ".*-(?:guard-.*|site)\.conf")$', printed, re.MULTILINE)
        assert len(lines) > 1, printed
        with open("/etc/lighttpd/lighttpd.conf", "a") as file:
            root = 'server.document-root = "/srv/example"'
            file.write('\n$HTTP["host"] == "example.com" {\n' + "\n".join([root, *lines]) + "\n}\n")

    def visit(self):
        """Starts the processes that systemd would start, and opens the guarded page."""
        os.makedirs("/run/linkedin-signin", exist_ok=True)
        extra = {"SIGNIN_SOCKET_GROUP": "www-data", "LINKEDIN_CLIENT_SECRET_FILE": "/etc/linkedin-signin/client-secret"}
        command = ["linkedin-signin", "serve", "--settings-file", "/etc/linkedin-signin/settings"]
        log = open(self.scratch / "log", "w")
        environment = {**self.environment, **extra}
        processes = [
            subprocess.Popen([shutil.which(command[0], path=self.environment["PATH"]), *command[1:]], env=environment, stderr=log),
            subprocess.Popen(["nginx", "-g", "daemon off;"], env=self.environment, stderr=log),
        ]
        try:
            status, location = self.answer()
            assert status == 303, status
            assert location.startswith("https://www.linkedin.com/oauth/v2/authorization?"), location
            assert "redirect_uri=https%3A%2F%2Fexample.com%2Foauth" in location, location
        finally:
            for process in processes:
                process.terminate()
                process.wait()

    def answer(self):
        """The response to a visitor of the guarded page. The guard denies until the program listens."""
        context = ssl.create_default_context(cafile="/etc/ssl/certs/example.com.pem")
        context.check_hostname = False
        seen = []

        def answered():
            connection = http.client.HTTPSConnection("127.0.0.1", self.port, context=context, timeout=10)
            try:
                connection.request("GET", "/private/", headers={"Host": "example.com", "Accept": "text/html"})
                answer = connection.getresponse()
            except ConnectionRefusedError:
                return False
            seen.append((answer.status, answer.getheader("Location") or ""))
            return answer.status not in (500, 502)

        wait_until(answered, "an answer of the site")
        return seen[-1]


def main(document, scratch, binaries, port):
    with ExitStack() as opened:
        print(f"{follow(document, Machine(scratch, binaries, int(port), opened))} blocks")


def follow(document, machine):
    """Runs the blocks of a page and returns their number."""
    if document not in ("docs/install.md", "CONTRIBUTING.md"):
        # The other pages assume that the program is installed. Without a package, this takes less time.
        machine.sh("install -m 0755 .build/release/linkedin-signin /usr/bin/")
        machine.sh("install -m 0644 deploy/linkedin-signin*.s* /usr/lib/systemd/system/")
        machine.sh("sed -i s,/usr/local/bin/,/usr/bin/, /usr/lib/systemd/system/linkedin-signin*.s*")
        machine.sh("linkedin-signin print-settings --as-file | install -D -m 0644 /dev/stdin /etc/linkedin-signin/settings")
        for language, content in code_blocks((REPOSITORY / "docs/install.md").read_text()):
            if "systemctl enable" in content:
                break
            if language == "ini" or "client-secret" in content:
                getattr(machine, language)(content)
        settings = "--settings-file /etc/linkedin-signin/settings"
        machine.sh(f"linkedin-signin print-config nginx {settings} --location /private/ --write")
        # As systemd makes them for a service that has run.
        for path in ("/var/lib/private", "/var/lib/private/linkedin-signin", "/var/lib/private/linkedin-signin/sessions"):
            Path(path).mkdir(mode=0o700, exist_ok=True)
        for path in ("/var/lib/private/linkedin-signin", "/var/lib/private/linkedin-signin/sessions"):
            shutil.chown(path, "nobody")
        os.symlink("private/linkedin-signin", "/var/lib/linkedin-signin")
        Path("/etc/linkedin-signin/blocked").write_text("# nobody\n")
    count = 0
    for language, content in code_blocks((REPOSITORY / document).read_text()):
        if language in ("sh", "ini", "nginx") and not re.search("^(deploy/demo|linkedin-simulator demo)", content, re.MULTILINE):
            getattr(machine, language)(content)
            count += 1
    return count


if __name__ == "__main__":
    main(*sys.argv[1:])

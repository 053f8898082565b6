"""Two sites with the packaged units and paths, on a copy of this machine without systemd.

usage: sites.py BINARIES
"""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
from pathlib import Path

from code_blocks import code_blocks
from process import wait_until

REPOSITORY = Path(__file__).resolve().parents[3]
ETC, LIB, RUN = Path("/etc/linkedin-signin"), Path("/var/lib"), Path("/run/linkedin-signin")
OPERATOR = Path("/var/operator")
USER = 990
PATH = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}
PROGRAM = "/usr/bin/linkedin-signin"


class Site:
    """A site as its units have it; the name is empty for linkedin-signin.service."""

    def __init__(self, name, url):
        self.name, self.url = name, url
        self.folder = ETC / name
        self.unit = f"linkedin-signin@{name}" if name else "linkedin-signin"
        self.state = LIB / (f"linkedin-signin-{name}" if name else "linkedin-signin")
        self.runtime = Path("/run") / (f"linkedin-signin-admin-{name}" if name else "linkedin-signin-admin")
        self.socket = RUN / (f"{name}.socket" if name else "socket")
        self.credentials = Path("/run/credentials") / f"{self.unit}.service"
        self.option = ["--site", name] if name else []
        self.process = None

    def write(self, more=(), **changes):
        """Writes the settings; `more` are whole lines."""
        settings = {"LINKEDIN_CLIENT_ID": f"client-of-{self.name or 'first'}", "SIGNIN_BASE_URL": self.url, **changes}
        lines = [f"{name}={value}" for name, value in settings.items() if value is not None]
        self.folder.mkdir(exist_ok=True)
        file = self.folder / "settings"
        file.write_text("\n".join([*lines, *more]) + "\n")
        os.chown(file, 0, USER)
        file.chmod(0o640)
        secret = self.folder / "client-secret"
        secret.write_text("demo-secret\n")
        secret.chmod(0o600)

    def serve(self, environment=None, **options):
        """Starts the program as systemd does: its user, its directories, a copy of the secret, and nothing else."""
        self.state.mkdir(mode=0o700, exist_ok=True)
        self.credentials.mkdir(parents=True, exist_ok=True)
        copy = self.credentials / "linkedin-client-secret"
        secret = self.folder / "client-secret"
        copy.write_text(secret.read_text() if secret.exists() else "\n")
        copy.chmod(0o400)
        copies = [copy]
        for file in (self.folder / "provider-secrets").glob("*"):
            copies.append(self.credentials / f"provider-secrets_{file.name}")
            shutil.copy(file, copies[-1])
        self.runtime.mkdir(exist_ok=True)
        for path in (self.state, self.credentials, *copies, self.runtime):
            os.chown(path, USER, USER)
        environment = {**PATH, "STATE_DIRECTORY": str(self.state), "CREDENTIALS_DIRECTORY": str(self.credentials), **(environment or {})}
        command = ["setpriv", "--pdeathsig=KILL", f"--reuid={USER}", f"--regid={USER}", "--clear-groups", PROGRAM, "serve"]
        command += ["--settings-file", str(self.folder / "settings")]
        streams = {"stdout": subprocess.DEVNULL, "stderr": open(OPERATOR / "log", "w")}
        self.process = subprocess.Popen(command, env=environment, cwd="/", **streams, **options)
        return self.process

    def start(self):
        self.serve()
        wait_until(lambda: self.socket.exists() or self.process.poll() is not None, f"{self.unit} listens")
        assert self.process.poll() is None, (OPERATOR / "log").read_text()

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        assert self.process.wait(20) == 0

    @property
    def key(self):
        return (self.state / "server-key").read_text()

    def announcement(self):
        return f"linkedin-signin: site {self.url}, store {self.state}\n"


def run(*words, environment=None, status=0):
    """Runs the command as root; the environment and the directory are those of an operator's shell."""
    done = subprocess.run(
        [PROGRAM, *map(str, words)], capture_output=True, text=True, env={**PATH, **(environment or {})}, cwd=OPERATOR, timeout=60
    )
    assert done.returncode == status, f"{words}: {done.returncode}\n{done.stdout}{done.stderr}"
    return done


def install(binaries):
    """Does what the package does, and makes the user of the service."""
    shutil.copy(Path(binaries) / "linkedin-signin", PROGRAM)
    for unit in (REPOSITORY / "deploy").glob("linkedin-signin*.s*"):
        (Path("/usr/lib/systemd/system") / unit.name).write_text(unit.read_text().replace("/usr/local/bin/", "/usr/bin/"))
    Path("/usr/share/linkedin-signin").mkdir(parents=True)
    with open("/usr/share/linkedin-signin/settings.example", "w") as example:
        subprocess.run([PROGRAM, "print-settings", "--as-file"], stdout=example, env=PATH, check=True)
    with open("/etc/passwd", "a") as users, open("/etc/group", "a") as groups:
        users.write(f"linkedin-signin:x:{USER}:{USER}::/var/lib/linkedin-signin:/usr/sbin/nologin\n")
        groups.write(f"linkedin-signin:x:{USER}:\n")
    for directory in (ETC, OPERATOR, RUN):
        directory.mkdir()
    os.chown(RUN, USER, USER)


def second_site_of_the_page():
    """Runs the commands of the section of install.md about several sites, except those of systemctl, and writes its settings."""
    section = (REPOSITORY / "docs/install.md").read_text().partition("\n## Several sites\n")[2].partition("\n## ")[0]
    for language, content in code_blocks(section):
        if language == "ini":
            (ETC / "example.org/settings").write_text(content)
        elif "systemctl" not in content:
            text = content.replace("sudo ", "")
            subprocess.run(["bash", "-euc", text], check=True, input="demo-secret\n", text=True, env=PATH)


def administer(first, second):
    """Every command acts on the site that it names, says which, and refuses the store of the other."""
    file = ["--settings-file", second.folder / "settings"]
    for site, other, options in ((second, first, second.option), (second, first, file), (first, second, [])):
        keys = site.key, other.key
        rotated = run("key", "rotate", *options)
        assert rotated.stderr == site.announcement()
        assert rotated.stdout.endswith(f": to use it, run: systemctl reload {site.unit}.service\n"), rotated.stdout
        assert site.key != keys[0] and other.key == keys[1], options
        assert run("sessions", "revoke", "--all", *options).stderr.startswith(site.announcement())
        made = run("tokens", "create", "--subject", "a", "--name", "backup", "--location", "/", "--expires-after", "1d", *options)
        hint = "linkedin-signin: no session and no personal token of a member with the subject a is stored: if the subject is wrong"
        assert made.stderr.startswith(site.announcement()) and len(os.listdir(site.state / "tokens")) > 0
        assert (hint in made.stderr) == (options == second.option or site == first), "the third token is of a known member"
        assert f"# {site.unit}.service" in run("check", *options).stdout
    listed = [len(run("tokens", "list", "--json", *options).stdout.splitlines()) for options in ([], second.option)]
    assert listed[1] == listed[0] + 1, "two of the second site, one of the first"
    wrong = {"SIGNIN_STATE_DIRECTORY": str(first.state)}
    for words in (["sessions", "revoke", "--all"], ["sessions", "list"], ["key", "rotate"], ["tokens", "list"]):
        refused = run(*words, *file, environment=wrong, status=78).stderr
        assert f"the state directory {first.state} belongs to {first.url}" in refused, refused
    refused = run("check", "--quiet", *file, environment=wrong, status=78).stderr
    assert f"“{first.state}” is read-only for {second.unit}.service" in refused and len(refused.splitlines()) == 1, refused
    assert "unset it" in run("sessions", "list", *second.option, environment=wrong, status=78).stderr
    assert "--site example.org" in run("sessions", "list", "--site", "nobody", status=78).stderr


def move(site):
    """A new address needs one explicit command, and serve does not start before it."""
    old, site.url = site.url, "https://new.example.org"
    site.stop()
    site.write()
    assert site.serve().wait(20) == 78
    assert f"store adopt --from {old}" in run("check", *site.option, status=78).stderr
    assert "belongs to" in run("store", "adopt", "--from", "https://third.example", *site.option, status=65).stderr
    assert f"belongs to {site.url} now" in run("store", "adopt", "--from", old, *site.option).stdout
    site.start()
    run("sessions", "count", *site.option)


def name_by_host(first):
    """The site of linkedin-signin.service can be named like the others, by its host."""
    host = first.url.removeprefix("https://")
    assert f"# {first.unit}.service" in run("check", "--site", host).stdout
    assert run("sessions", "count", "--site", host.upper()).returncode == 0
    said = run("sessions", "forget", "--subject", "Nobody", "--site", host, status=65).stderr
    assert "no session and no personal token of a member with the subject Nobody is stored" in said, said


def hide_files(site):
    """A file of a setting that the service cannot use is one finding of check and of doctor."""
    folder = Path("/root/pictures")
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    for name, file in (("SIGNIN_LOGO", "logo.svg"), ("SIGNIN_CA_FILE", "ca.pem"), ("LINKEDIN_CLIENT_SECRET_FILE", "secret")):
        (folder / file).write_text("x")
        for path, words in ((folder / file, "is hidden from"), (file, "is not an absolute path")):
            site.write(**{name: path})
            said = subprocess.run([PROGRAM, "check", "--quiet", *site.option], capture_output=True, text=True, env=PATH, cwd=folder).stderr
            assert len(said.splitlines()) == 1 and words in said, said
            done = subprocess.run([PROGRAM, "doctor", "--json", *site.option], capture_output=True, text=True, env=PATH, cwd=folder)
            found = [finding for finding in json.loads(done.stdout)["findings"] if finding["code"] == "settings-invalid"]
            assert len(found) == 1 and words in found[0]["what"], found
    site.write()


def refused_settings(site):
    """Settings that the service refuses: what `check` of root must refuse first."""
    logo, authorities, templates = ETC / "logo.svg", ETC / "authorities.pem", ETC / "templates"
    logo.write_text('<svg xmlns="http://www.w3.org/2000/svg"/>')
    shutil.copy("/etc/ssl/certs/ca-certificates.crt", authorities)
    templates.mkdir()
    own = ETC / "own-secret"
    own.write_text("demo-secret\n")
    key = ETC / "store-key"
    key.write_text("k" * 43)
    for path, mode in ((logo, 0o600), (authorities, 0o600), (own, 0o600), (key, 0o600), (templates, 0o700)):
        path.chmod(mode)
    (OPERATOR / "logo.svg").write_text(logo.read_text())
    (OPERATOR / "templates").mkdir()
    closed = LIB / "closed"
    closed.mkdir(mode=0o700)
    listener, of_root = socket.create_server(("127.0.0.1", 0)), socket.socket(socket.AF_UNIX)
    taken = f"{site.runtime}/taken"
    of_root.bind(taken)
    of_root.listen()
    yield "a secret file of root", {"LINKEDIN_CLIENT_SECRET_FILE": own}, None
    yield "monitoring in a missing directory", {"SIGNIN_ADMIN_LISTEN": "unix:/run/nowhere/socket"}, None
    yield "monitoring in a directory of root", {"SIGNIN_ADMIN_LISTEN": f"unix:{ETC}/socket"}, None
    yield "monitoring at a port of root", {"SIGNIN_ADMIN_LISTEN": "tcp:127.0.0.1:80"}, None
    yield "monitoring at a port in use", {"SIGNIN_ADMIN_LISTEN": f"tcp:127.0.0.1:{listener.getsockname()[1]}"}, None
    yield "monitoring at a socket in use", {"SIGNIN_ADMIN_LISTEN": f"unix:{taken}"}, None
    group = {"SIGNIN_ADMIN_LISTEN": f"unix:{site.runtime}/own", "SIGNIN_SOCKET_GROUP": "www-data"}
    yield "monitoring for another group", group, None
    yield "a port of root", {"SIGNIN_LISTEN": "tcp:127.0.0.1:80"}, None
    yield "a port of another program", {"SIGNIN_LISTEN": f"tcp:127.0.0.1:{listener.getsockname()[1]}"}, None
    yield "a logo of root", {"SIGNIN_LOGO": logo}, None
    yield "templates of root", {"SIGNIN_TEMPLATES": templates}, None
    yield "authorities of root", {"SIGNIN_CA_FILE": authorities}, None
    yield "a relative logo", {"SIGNIN_LOGO": "logo.svg"}, None
    yield "relative templates", {"SIGNIN_TEMPLATES": "templates"}, None
    yield "a relative secret file", {"LINKEDIN_CLIENT_SECRET_FILE": "own-secret"}, None
    yield "a state directory of root", {"SIGNIN_STATE_DIRECTORY": closed}, None
    yield "a password file of root", {"SIGNIN_STORE_PASSWORD_FILE": own, "SIGNIN_STORE": "postgresql://signin@/signin"}, None
    yield "a store key file of root", {"SIGNIN_STORE_KEY_FILE": key, "SIGNIN_STORE": "postgresql://signin@/signin"}, None
    yield "the address of another site", {"SIGNIN_BASE_URL": "https://other.example"}, None
    yield "a settings file of root", {}, lambda: os.chown(site.folder / "settings", 0, 0)
    yield "no client secret", {}, (site.folder / "client-secret").unlink


def remedies(site):
    """What check and doctor say about a secret that only root can read leads to a service that both find right."""
    settings, own = site.folder / "settings", ETC / "own-secret"
    for file, words in ((own, f"write the secret into {site.folder}/client-secret, which"), (site.folder / "client-secret", None)):
        site.write(LINKEDIN_CLIENT_SECRET_FILE=file)
        line = f"remove line 3 of {settings}"
        said = run("check", "--quiet", *site.option, status=78).stderr
        assert line in said and (words or f"{line}, because systemd passes this file") in said and "chgrp" not in said, said
        file.chmod(0o640)
        os.chown(file, 0, USER)
        shared = run("check", *site.option).stdout
        assert f"{file} contains LINKEDIN_CLIENT_SECRET and is readable for its group" in shared and line in shared, shared
        file.chmod(0o600)
    site.write(SIGNIN_STORE="postgresql://signin@/signin", SIGNIN_STORE_PASSWORD_FILE=own)
    said = run("check", "--quiet", *site.option, status=78).stderr
    assert f"LoadCredential=signin-store-password:{own}" in said and f"systemctl edit {site.unit}.service" in said, said
    site.write()


def monitor(first, second):
    """The address of the running service is right for check, and two sites have different ones."""
    for address in (f"unix:{first.runtime}/socket", "tcp:127.0.0.1:9101"):
        first.write(SIGNIN_ADMIN_LISTEN=address)
        shutil.rmtree(first.runtime, ignore_errors=True)
        run("check", "--quiet", *first.option)
        first.start()
        run("check", "--quiet", *first.option)
        second.write(SIGNIN_ADMIN_LISTEN=address)
        said = run("check", "--quiet", *second.option, status=78).stderr
        assert f"SIGNIN_ADMIN_LISTEN: is {address} in {second.folder}/settings and in {first.folder}/settings:" in said, said
        first.stop()
    first.write()
    second.write()


def begin(site):
    """Before the first start, check names the command of install.md, and nothing that systemd will do."""
    secret = site.folder / "client-secret"
    secret.rename(secret.with_name("later"))
    said = run("check", *site.option, status=78)
    secret.with_name("later").rename(secret)
    assert f"systemctl enable --now {site.unit}.socket {site.unit}.service" in said.stderr, said.stderr
    assert "state directory" not in said.stdout, said.stdout


def disown(site):
    """A state directory of root is one finding of doctor, with the command that repairs it."""
    os.chown(site.state, 0, 0)
    found = json.loads(run("doctor", "--json", *site.option, status=2).stdout)["findings"]
    about = [finding for finding in found if finding["code"] in ("store-unusable", "program-not-ready")]
    assert [finding["code"] for finding in about] == ["store-unusable"], about
    assert about[0]["remedies"] == [f"run: systemctl restart {site.unit}.service"], about
    os.chown(site.state, USER, USER)


def hide(site):
    """A list that the unit hides from the service is an error, because the guard would reject everybody."""
    members = Path("/var/tmp/members")
    members.write_text("subject=Ada\n")
    members.chmod(0o644)
    rule = ["--require", f"allow={members}"]
    said = run("check", "--quiet", *rule, *site.option, status=78).stderr
    assert f"“{members}” is hidden from {site.unit}.service (PrivateTmp=yes); move it" in said, said
    found = json.loads(run("doctor", "--json", *rule, *site.option, status=2).stdout)["findings"]
    assert any(finding["code"] == "rule-invalid" and "is hidden from" in finding["what"] for finding in found), found
    closed = ETC / "members"
    closed.write_text("subject=Ada\n")
    closed.chmod(0o600)
    found = json.loads(run("doctor", "--json", "--require", f"allow={closed}", *site.option, status=2).stdout)["findings"]
    (about,) = [finding for finding in found if str(closed) in json.dumps(finding)]
    assert about["code"] == "file-unreadable" and "not readable by user linkedin-signin" in about["also"][0], about
    assert about["remedies"][0].startswith("run: chgrp "), about
    closed.unlink()


def rotate(site):
    """A new client secret is effective after a restart of this site's service, and doctor says so."""
    folders = providers, secrets = site.folder / "providers", site.folder / "provider-secrets"
    providers.mkdir(mode=0o755)
    secrets.mkdir(mode=0o700)
    (providers / "sso").write_text("PROVIDER_ISSUER=http://127.0.0.1:9/sso\nPROVIDER_CLIENT_ID=a\n")
    os.chown(providers / "sso", 0, USER)
    secret, secret_of_provider = site.folder / "client-secret", secrets / "sso"
    secret_of_provider.write_text("demo-secret\n")
    secret_of_provider.chmod(0o600)

    def not_read():
        found = json.loads(run("doctor", "--json", *site.option, status=2).stdout)["findings"]
        return [finding for finding in found if finding["code"] == "settings-not-loaded"]

    # It has the server key from before its rotation.
    site.stop()
    site.start()
    assert not_read() == []
    for file, name in ((secret, "LINKEDIN_CLIENT_SECRET"), (secret_of_provider, f"PROVIDER_CLIENT_SECRET in {providers}/sso")):
        file.write_text("new-secret\n")
        (finding,) = not_read()
        assert name in finding["what"], finding
        assert f"systemctl restart {site.unit}.service" in finding["remedies"][0], finding
        site.stop()
        site.start()
        assert not_read() == []
    for folder in folders:
        shutil.rmtree(folder)
    site.stop()
    site.write((site.folder / "settings").read_text().splitlines()[2:])
    site.start()


def main(binaries):
    install(binaries)
    first, second = Site("", "https://example.com"), Site("example.org", "https://example.org")
    first.write(SIGNIN_PERSONAL_TOKENS="90d")
    second_site_of_the_page()
    try:
        work(first, second)
    finally:
        for site in (first, second):
            if site.process and site.process.poll() is None:
                site.process.kill()


def work(first, second):
    second.write((second.folder / "settings").read_text().splitlines()[2:], SIGNIN_PERSONAL_TOKENS="90d")
    for site in (first, second):
        begin(site)
        run("check", "--quiet", *site.option)
        site.start()
        assert (site.state / "base-url").read_text() == f"{site.url}\n"
    administer(first, second)
    disown(second)
    hide(second)
    rotate(second)
    move(second)
    first.stop()
    for what, changes, spoil in refused_settings(first):
        first.write(**changes)
        if spoil:
            spoil()
        said = run("check", "--quiet", status=78).stderr
        assert all(name in said for name in [*changes][:1]), f"{what}: {said}"
        assert first.serve().wait(20) != 0, what
    first.write()
    run("check", "--quiet")
    first.start()
    name_by_host(first)
    first.stop()
    second.stop()
    hide_files(first)
    remedies(first)
    monitor(first, second)


if __name__ == "__main__":
    main(*sys.argv[1:])

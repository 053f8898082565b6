"""Fixtures of the system tests. The classes that they start are in `harness`."""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

from harness.chromium import Chromium
from harness.debian import package, run
from harness.firefox import Firefox
from harness.guarded import ALL_GUARDS, GUARDS, Guarded
from harness.idle_browsers import IdleBrowsers
from harness.machines import prepare, synchronous_standby
from harness.postgresql import PostgreSQL
from harness.process import BINARIES, REPOSITORY
from harness.repetitions import Counting
from harness.site import Site
from harness.visited import Visited
from harness.webserver import FRONTS
from harness.webkit import WebKit
from simulator import Simulator

ENGINES = {"chromium": Chromium, "firefox": Firefox, "webkit": WebKit}


def pytest_configure(config):
    config.addinivalue_line("markers", "extended: slow, or about packages and documents; `deploy/test` leaves it to `deploy/test extended`")
    config.addinivalue_line("markers", "nightly: about the simulator, Tests/soak or deploy/test, which no operator's site runs; only `deploy/test nightly` runs it")


def pytest_sessionstart(session):
    for name in ("linkedin-signin", "linkedin-simulator"):
        if not (BINARIES / name).exists():
            pytest.exit(f"{BINARIES / name} is missing; build it, or set SYSTEM_TEST_BINARIES", returncode=3)


@pytest.fixture
def directory():
    """A directory with a short path, because the path of a Unix socket has at most 107 bytes."""
    with _directory() as path:
        yield path


@pytest.fixture(scope="session")
def deb(tmp_path_factory):
    """The Debian package."""
    return package(BINARIES, tmp_path_factory.mktemp("package"))


@pytest.fixture
def mount_namespace():
    """A command that runs the command after it in a mount namespace of its own."""
    script = REPOSITORY / "Tests/mount-namespace"
    check = subprocess.run([script, "--check"], capture_output=True, text=True)
    if check.returncode != 0:
        pytest.skip(check.stdout.strip())
    return [script]


@pytest.fixture
def machine(mount_namespace, directory):
    """Runs a shell script on a copy of this machine, without systemd; `dpkg` changes only the copy."""
    prepare = """
        set -eu
        mount -t tmpfs none "$SCRATCH"
        for name in etc usr var; do
            mkdir -p "$SCRATCH/$name/upper" "$SCRATCH/$name/work"
            mount -t overlay overlay -o "lowerdir=/$name,upperdir=$SCRATCH/$name/upper,workdir=$SCRATCH/$name/work" "/$name"
        done
        mount -t tmpfs none /run
        # Other packages' triggers and fsync take most of the time.
        dpkg() { command dpkg --force-unsafe-io --no-triggers "$@"; }
        settings=/etc/linkedin-signin/settings sessions=/var/lib/private/linkedin-signin/sessions
    """

    def execute(script, *arguments):
        environment = {**os.environ, "SCRATCH": str(directory), "PATH": f"{os.environ['PATH']}:/usr/sbin:/sbin"}
        return run([*mount_namespace, "sh", "-c", prepare + script, "sh", *arguments], env=environment)

    return execute


@pytest.fixture(params=FRONTS, scope="session")
def shared_site(request):
    """One site for each web server, shared by tests that change nothing."""
    with _directory() as path, Site(path, request.param) as site:
        yield site


@pytest.fixture(scope="session")
def counting():
    """A site that counts repetitions; a minute of its time passes while other tests run."""
    with _directory() as path, Counting(path) as site:
        yield site


@pytest.fixture(scope="session", autouse=True)
def begin_to_count(request):
    """Starts that site before the first test, if any test needs it."""
    if any("counting" in item.fixturenames for item in request.session.items):
        request.getfixturevalue("counting")


@pytest.fixture(params=FRONTS)
def each_site(request, directory):
    """A new site for each web server."""
    with Site(directory, request.param) as site:
        yield site


@pytest.fixture
def site(directory):
    """A new site behind nginx with the shipped example."""
    with Site(directory) as site:
        yield site


@pytest.fixture
def make_site(directory):
    """Makes a site with settings: `with make_site(front=..., settings={...}) as site`."""
    return lambda **options: Site(directory, **options)


@pytest.fixture(params=ALL_GUARDS, scope="session")
def guarded(request):
    """One guarded site for each web server, shared by tests that change nothing."""
    with _directory() as path, Guarded(path, request.param) as site:
        yield site


@pytest.fixture(params=ALL_GUARDS, scope="module")
def guarded_alone(request):
    """One guarded site for each web server and test file, for tests that change the site."""
    with _directory() as path, Guarded(path, request.param) as site:
        yield site


@pytest.fixture
def make_guarded(directory):
    """Makes a new guarded site: `with make_guarded("nginx", settings={...}) as site`."""
    return lambda front="nginx", **options: Guarded(directory, front, **options)


@pytest.fixture(params=GUARDS, scope="module")
def visited(request, certificate):
    """A guarded site over TLS for browsers, once for each web server."""
    with _directory() as path, Visited(path, request.param, certificate) as site:
        yield site


@pytest.fixture
def postgresql(directory):
    """A new PostgreSQL server without tables."""
    directory.chmod(0o711)  # the server's own user has to get in
    with PostgreSQL(directory / "db") as server:
        yield server


@pytest.fixture
def database(postgresql):
    """A PostgreSQL server with the roles, the tables and the rights that docs/several-machines.md describes."""
    return prepare(postgresql)


@pytest.fixture
def standby(directory, database):
    """A standby that the commits of `database` wait for."""
    with synchronous_standby(directory, database) as standby:
        yield standby


@pytest.fixture(scope="module")
def running():
    """One simulator for a test file."""
    with Simulator() as simulator:
        yield simulator


@pytest.fixture
def linkedin(running):
    """The simulator of the test file, without faults and requests of the previous test."""
    running.clear_faults()
    running.clear_requests()
    return running


@pytest.fixture(scope="session")
def idle_browsers():
    with IdleBrowsers() as browsers:
        yield browsers


@pytest.fixture
def make_chromium(idle_browsers):
    """Makes Chromium like one with a new profile: `make_chromium(language=..., javascript=..., dark=..., width=...)`."""
    taken = []

    def make(**options):
        taken.append(idle_browsers.take(**options))
        return taken[-1][0]

    yield make
    for pair in taken:
        idle_browsers.give_back(*pair)


@pytest.fixture
def chromium(make_chromium):
    return make_chromium()


@pytest.fixture
def webkit():
    with _Closing() as browsers:
        yield browsers.open(WebKit)


@pytest.fixture(params=ENGINES, scope="module")
def engine(request):
    """Each browser engine, one instance for a test file."""
    with _Closing() as browsers:
        yield browsers.open(ENGINES[request.param])


@pytest.fixture(scope="session")
def certificate():
    """The path of a self-signed certificate and its key, without their suffixes."""
    with _directory() as path:
        base = path / "localhost"
        names = "subjectAltName=DNS:localhost,IP:127.0.0.1"
        command = "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost".split()
        command += ["-addext", names, "-keyout", f"{base}.key", "-out", f"{base}.pem"]
        subprocess.run(command, check=True, capture_output=True)
        yield base


class _directory:
    def __enter__(self):
        self.path = Path(tempfile.mkdtemp(prefix="signin-"))
        return self.path

    def __exit__(self, *_):
        shutil.rmtree(self.path)


class _Closing:
    def __enter__(self):
        self.opened = []
        return self

    def open(self, engine, **options):
        profile = tempfile.mkdtemp(prefix="signin-browser-")
        browser = engine(profile, **options)
        self.opened.append((browser, profile))
        return browser

    def __exit__(self, *_):
        for browser, profile in self.opened:
            browser.__exit__()
            shutil.rmtree(profile, ignore_errors=True)

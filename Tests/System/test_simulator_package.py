"""The package of the simulator: a site can be tried from two installed packages, without Swift and without a build."""

import json
import re
import subprocess

import pytest

from harness.debian import package, run
from harness.process import BINARIES, REPOSITORY, free_port

pytestmark = pytest.mark.extended

SHARE = "usr/share/linkedin-simulator/deploy"


@pytest.fixture(scope="module")
def simulator_deb(tmp_path_factory):
    return package(BINARIES, tmp_path_factory.mktemp("simulator"), "linkedin-simulator")


# Signs member 1 in at the site $1 with curl, and prints the guarded page.
SIGN_IN = r"""
    sign_in() {
        visit="curl -sS -b $SCRATCH/jar -c $SCRATCH/jar -H Sec-Fetch-Mode:navigate -H Sec-Fetch-Dest:document -H Accept:text/html"
        asked=$($visit -o "$SCRATCH/page" -w '%{redirect_url}' "$1/private/")
        callback=$($visit -o "$SCRATCH/page" -w '%{redirect_url}' -d 'member=1&decision=allow' "$asked")
        $visit -L "$callback"
    }
    export HOME=$SCRATCH PATH=$PATH:/usr/sbin
"""


def test_the_demo_runs_from_the_two_packages_with_one_or_both_web_servers(deb, simulator_deb, machine):
    port = free_port(5)
    printed = machine(
        SIGN_IN
        + """
        dpkg -i "$1" "$2" >/dev/null
        cd /
        linkedin-simulator demo --background --port "$3"
        sign_in "http://localhost:$3"
        linkedin-simulator demo --stop
        rm /usr/sbin/nginx
        linkedin-simulator demo --background --port "$3"
        sign_in "http://localhost:$(($3 + 1))"
        linkedin-simulator demo --stop
        rm /usr/lib/lighttpd/mod_openssl.so
        linkedin-simulator demo --background --port "$3" 2>&1 || echo "status $?"
        """,
        deb,
        simulator_deb,
        str(port),
    )
    both, alone, none = printed.split("stopped\n")
    assert f"    http://localhost:{port}/\n" in both and f"behind lighttpd:   http://localhost:{port + 1}/" in both
    assert f"    http://localhost:{port + 1}/\n" in alone and "behind lighttpd" not in alone
    for page in (both, alone):
        assert "<h1>Hello, <bdi>Maya Lindqvist</bdi></h1>" in page, printed
        assert "Stop it with: linkedin-simulator demo --stop" in page
    assert none == "linkedin-simulator demo: neither nginx nor lighttpd is installed; as root: apt-get install nginx\nstatus 1\n"


def test_lintian_finds_no_error_and_no_warning(simulator_deb):
    done = subprocess.run(["lintian", "--allow-root", "--fail-on", "error,warning", simulator_deb], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "")


def test_the_package_has_these_files_and_no_others(simulator_deb):
    lines = [line.split() for line in run(["dpkg-deb", "-c", simulator_deb]).splitlines()]
    files = {line[5].removeprefix("./") for line in lines if not line[0].startswith("d")}
    parts = [path for name in ("demo*", "render") for path in (REPOSITORY / "deploy").glob(name)]
    scripts = [path.name for path in parts if path.is_file()]
    templates = [f"demo-templates/{path.name}" for path in (REPOSITORY / "deploy/demo-templates").iterdir()]
    assert files == {
        "usr/bin/linkedin-simulator",
        "usr/libexec/linkedin-simulator",
        "usr/share/man/man1/linkedin-simulator.1.gz",
        *(f"{SHARE}/{name}" for name in scripts + templates),
        *(f"usr/share/doc/linkedin-simulator/{name}" for name in ("NOTICE.gz", "changelog.gz", "copyright")),
    }


def test_the_demo_needs_the_program_of_the_same_version(deb, simulator_deb):
    version = run(["dpkg-deb", "-f", deb, "Version"]).strip()
    assert f"linkedin-signin (= {version})" in run(["dpkg-deb", "-f", simulator_deb, "Depends"])


def test_the_parts_list_names_each_package_that_is_linked(simulator_deb):
    document = json.loads((simulator_deb.parent / f"{simulator_deb.stem}.spdx.json").read_text())
    parts = {part["name"].lower(): part for part in document["packages"]}
    pins = json.loads((REPOSITORY / "Package.resolved").read_text())["pins"]
    for pin in pins:
        part = parts[pin["identity"]]
        assert part["versionInfo"] == pin["state"]["version"] and part["licenseDeclared"] != "NOASSERTION", part
    copyright = (REPOSITORY / "deploy/debian/copyright").read_text()
    assert [pin["identity"] for pin in pins if not re.search(rf"\b{pin['identity']}\b", copyright, re.IGNORECASE)] == []


def test_the_manual_describes_the_simulator_and_the_demo(simulator_deb, tmp_path):
    run(["dpkg-deb", "-x", simulator_deb, tmp_path])
    page = tmp_path / "usr/share/man/man1/linkedin-simulator.1.gz"
    done = subprocess.run(["man", "--warnings", "-l", page], capture_output=True, text=True, env={"MANWIDTH": "130", "LC_ALL": "C.UTF-8"})
    assert (done.returncode, done.stderr) == (0, "")
    assert "--redirect-uri" in done.stdout and "linkedin-simulator demo --stop" in done.stdout
    assert "linkedin-simulator --port 9000" in done.stdout.partition("EXAMPLES")[2]

"""The APT repository of deploy/repository: apt installs and upgrades from it, and refuses what the key has not signed."""

import re
import subprocess

import pytest

from harness.debian import run
from harness.process import REPOSITORY
from harness.repository import BARE_APT, Repository, flip, repacked

pytestmark = pytest.mark.extended

# fsync and triggers of other packages take most of the time.
FASTER = "echo 'DPkg::Options {--force-unsafe-io; --no-triggers};' >>/etc/apt/apt.conf.d/test"
VERSION = "dpkg-query -W -f 'linkedin-signin ${Version}\\n' linkedin-signin"


@pytest.fixture
def repository():
    with Repository() as repository:
        yield repository


@pytest.fixture(scope="module")
def older(deb, tmp_path_factory):
    return repacked(deb, tmp_path_factory.mktemp("older") / "older.deb", Version="0.0.1")


def test_apt_installs_and_upgrades_with_the_commands_of_the_page(machine, repository, deb, older):
    repository.add(older)
    add, install = repository.commands()
    script = f"""
        {add}
        {install}
        {VERSION}
        GNUPGHOME={repository.environment["GNUPGHOME"]} "$1" "$2" "$3"
        apt-get update
        apt-get upgrade
        {VERSION}
        apt-get install --allow-downgrades linkedin-signin=0.0.1
        {VERSION}
    """
    printed = machine(BARE_APT + FASTER + script, REPOSITORY / "deploy/repository", repository.path, deb)
    new = run(["dpkg-deb", "-f", deb, "Version"]).strip()
    assert re.findall("^linkedin-signin ([0-9.]+)$", printed, re.MULTILINE) == ["0.0.1", new, "0.0.1"]


def changed_package(repository, package):
    repository.add(package)
    repository.change_package()


def changed_list(repository, package):
    repository.add(package)
    for file in repository.path.glob("dists/stable/main/binary-amd64/**/*"):
        if file.is_file():
            flip(file)


def changed_index(repository, package):
    repository.add(package)
    index = repository.path / "dists/stable/InRelease"
    index.write_text(index.read_text().replace("Suite: stable", "Suite: Stable"))


def expired_index(repository, package):
    repository.add(package)
    repository.expire()


def index_of_another_key(repository, package):
    repository.add(package)
    key = repository.path / "linkedin-signin.asc"
    with Repository() as other:
        other.add()
        key.write_bytes((other.path / "linkedin-signin.asc").read_bytes())


# Debian 12's apt verifies with gpgv, Debian 13's with sqv.
REFUSALS = {
    changed_package: "Hash Sum mismatch",
    changed_list: "Hash Sum mismatch",
    changed_index: "BADSIG|Bad signature|Message has been manipulated",
    expired_index: r"InRelease is expired \(invalid since",
    index_of_another_key: "NO_PUBKEY|Missing key",
}


@pytest.mark.parametrize("damage", REFUSALS, ids=lambda damage: damage.__name__.replace("_", " "))
def test_apt_refuses(machine, repository, older, damage):
    damage(repository, older)
    add, install = repository.commands()
    printed = machine(f"{BARE_APT}{FASTER}\n{add}\nif ({install}) 2>&1; then echo installed; fi; {VERSION} || echo none")
    assert re.search(REFUSALS[damage], printed) and printed.endswith("none\n"), printed


def test_a_list_can_be_read_by_its_hash_after_the_next_one(repository, deb, older):
    lists = repository.path / "dists/stable/main/binary-amd64"
    repository.add(older)
    first = (lists / "Packages.xz").read_bytes()
    (digest,) = run(["sha256sum", lists / "Packages.xz"]).split()[:1]
    repository.add(deb)
    assert (lists / "Packages.xz").read_bytes() != first and (lists / "by-hash/SHA256" / digest).read_bytes() == first


def test_a_version_in_the_repository_never_changes(repository, older):
    repository.add(older)
    index = repository.path / "dists/stable/InRelease"
    before = index.read_bytes()
    changed = repacked(older, older.parent / "changed.deb", Section="net")
    done = subprocess.run(
        [REPOSITORY / "deploy/repository", repository.path, changed], capture_output=True, text=True, env=repository.environment
    )
    assert done.returncode == 1 and "raise its version" in done.stderr, done.stderr
    assert index.read_bytes() == before


def test_a_directory_with_other_files_is_not_made_a_repository(repository, tmp_path):
    (tmp_path / "kept").touch()
    done = subprocess.run([REPOSITORY / "deploy/repository", tmp_path], capture_output=True, text=True, env=repository.environment)
    assert done.stderr == f"deploy/repository: {tmp_path} is not empty, and is not an APT repository\n"
    assert list(tmp_path.iterdir()) == [tmp_path / "kept"]

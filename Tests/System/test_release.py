"""The scripts of a release: deploy/reproduce compares two builds, deploy/release signs packages, deploy/image pushes images."""

import json
import os
import re
import shutil
import subprocess

import pytest

from harness.debian import run
from harness.process import REPOSITORY
from harness.repository import Repository, flip, repacked

pytestmark = pytest.mark.extended

# Stands for deploy/package, which takes half an hour here: "packages" the source and the versions of the Swift packages.
PACKAGE = """#!/bin/sh
cd "$(dirname "$0")/.."
[ -e Package.resolved ] || date +%N >Package.resolved
mkdir -p "$2"
cat source Package.resolved >"$2/program.deb"
[ -z "$DIFFERENT" ] || pwd >>"$2/program.deb"
"""


@pytest.fixture
def source(tmp_path):
    """A repository with a commit and a change that is not committed."""
    place = tmp_path / "source"
    (place / "deploy").mkdir(parents=True)
    shutil.copy(REPOSITORY / "deploy/reproduce", place / "deploy")
    (place / "deploy/package").write_text(PACKAGE)
    (place / "deploy/package").chmod(0o755)
    (place / "source").write_text("committed\n")
    for command in ("init -q", "add .", "-c user.name=a -c user.email=a@example.com commit -qm one"):
        run(["git", *command.split()], cwd=place)
    (place / "source").write_text("changed\n")
    return place


def reproduce(source, output, **environment):
    command = [source / "deploy/reproduce", "--output", output]
    return subprocess.run(command, capture_output=True, text=True, env={**os.environ, **environment})


def test_two_builds_of_a_commit_with_the_same_versions_are_equal(source, tmp_path):
    done = reproduce(source, tmp_path / "new")
    assert done.returncode == 0, done.stderr
    resolved = (tmp_path / "new/Package.resolved").read_text()
    assert (tmp_path / "new/program.deb").read_text() == f"committed\n{resolved}"
    (source / "Package.resolved").write_text("kept\n")
    assert reproduce(source, tmp_path / "again").returncode == 0
    assert (tmp_path / "again/program.deb").read_text() == "committed\nkept\n"


def test_a_build_that_depends_on_its_directory_is_no_release(source, tmp_path):
    done = reproduce(source, tmp_path / "new", DIFFERENT="yes")
    assert done.returncode == 1 and "deploy/reproduce: the two builds differ:" in done.stderr and "program.deb" in done.stderr
    assert list((tmp_path / "new").iterdir()) == []


def write_checksums(place):
    (place / "SHA256SUMS").write_text(run(["sh", "-c", "sha256sum *.deb *.spdx.json"], cwd=place))


@pytest.fixture(scope="module")
def built(deb, tmp_path_factory):
    """What deploy/package wrote on two architectures."""
    place = tmp_path_factory.mktemp("built")
    shutil.copytree(deb.parent, place / "amd64")
    (place / "arm64").mkdir()
    other = repacked(deb, place / "arm64" / deb.name.replace("amd64", "arm64"), Architecture="arm64")
    other.with_suffix(".spdx.json").write_text("{}")
    write_checksums(place / "arm64")
    for architecture in ("amd64", "arm64"):
        shutil.copy(REPOSITORY / "Package.resolved", place / architecture)
    return [place / "amd64", place / "arm64"]


@pytest.fixture
def signer():
    with Repository() as repository:
        key = run(["gpg", "--armor", "--export-secret-keys"], env=repository.environment)
        yield {**repository.environment, "SIGNING_KEY": key}


def release(output, built, environment, *options):
    command = [REPOSITORY / "deploy/release", *options, "--output", output, *built]
    return subprocess.run(command, capture_output=True, text=True, env=environment)


def test_a_release_has_the_signed_packages_of_all_architectures_and_their_repository(built, signer, tmp_path):
    done = release(tmp_path / "release", built, {**signer, "GNUPGHOME": "/nonexistent"})
    assert done.returncode == 0, done.stderr
    run(["sha256sum", "--strict", "-c", "SHA256SUMS"], cwd=tmp_path / "release")
    run(["gpg", "--verify", tmp_path / "release/SHA256SUMS.asc", tmp_path / "release/SHA256SUMS"], env=signer)
    names = {path.name for path in (tmp_path / "release").iterdir()}
    packages = {path.name for place in built for path in place.glob("*.*")}
    assert names == {*packages, "SHA256SUMS", "SHA256SUMS.asc", "repository.tar"}
    run(["tar", "-xf", tmp_path / "release/repository.tar", "-C", tmp_path])
    suite = tmp_path / "repository/dists/stable"
    run(["gpg", "--verify", suite / "InRelease"], env=signer)
    for architecture in ("amd64", "arm64"):
        listed = re.findall("^Architecture: (.*)$", (suite / f"main/binary-{architecture}/Packages").read_text(), re.MULTILINE)
        assert listed == [architecture]


def test_a_release_is_refused_if_a_package_has_changed(built, signer, tmp_path):
    shutil.copytree(built[0], tmp_path / "amd64")
    [package] = (tmp_path / "amd64").glob("*.deb")
    flip(package)
    done = release(tmp_path / "release", [tmp_path / "amd64", built[1]], signer)
    assert done.returncode == 1 and f"{tmp_path}/amd64 is not what deploy/package wrote" in done.stderr


def test_the_tag_of_a_release_is_its_version(built, signer, tmp_path):
    version = re.search(r"^## (\S+),", (REPOSITORY / "CHANGELOG.md").read_text(), re.MULTILINE)[1]
    done = release(tmp_path / "wrong", built, signer, "--tag", "v99.0.0")
    assert done.returncode == 1 and done.stderr.endswith(f"the tag is v99.0.0, and the packages have the version {version}\n")
    done = release(tmp_path / "right", built, signer, "--tag", f"v{version}")
    dated = re.search(rf"^## {version}, \d{{4}}-", (REPOSITORY / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert done.returncode == 0 if dated else done.stderr.endswith(f"CHANGELOG.md has no date for {version}\n"), done.stderr
    assert not list(tmp_path.glob("*/SHA256SUMS*")) or dated


def test_packages_of_different_versions_are_no_release(built, deb, signer, tmp_path):
    (tmp_path / "older").mkdir()
    older = repacked(deb, tmp_path / "older/linkedin-signin_0.0.1_arm64.deb", Version="0.0.1", Architecture="arm64")
    older.with_suffix(".spdx.json").write_text("{}")
    write_checksums(tmp_path / "older")
    shutil.copy(REPOSITORY / "Package.resolved", tmp_path / "older")
    done = release(tmp_path / "release", [built[0], tmp_path / "older"], signer)
    assert done.returncode == 1 and "the packages have different versions: 0.0.1, " in done.stderr


def test_a_release_is_refused_if_its_architectures_have_other_versions_of_swift_packages(built, signer, tmp_path):
    shutil.copytree(built[1], tmp_path / "arm64")
    (tmp_path / "arm64/Package.resolved").write_text("{}")
    done = release(tmp_path / "release", [built[0], tmp_path / "arm64"], signer)
    assert done.returncode == 1 and done.stderr.endswith("contain other versions of Swift packages\n")


@pytest.mark.skipif(not shutil.which("buildah"), reason="buildah is missing; run deploy/packages image")
def test_the_images_of_two_architectures_are_pushed_as_one_with_the_printed_digest(tmp_path):
    places = {name: str(tmp_path / name) for name in ("runroot", "graphroot")}
    lines = ["[storage]", 'driver = "vfs"', *(f'{name} = "{place}"' for name, place in places.items())]
    (tmp_path / "storage.conf").write_text("\n".join(lines))
    environment = {**os.environ, "CONTAINERS_STORAGE_CONF": str(tmp_path / "storage.conf")}
    (tmp_path / "Containerfile").write_text("FROM scratch\nCOPY Containerfile /\n")
    architectures = ["amd64", "arm64"]
    for name in architectures:
        run(["buildah", "build", "--quiet", "--format=oci", f"--arch={name}", f"--tag={name}", tmp_path], env=environment)
        run(["buildah", "push", "--quiet", name, f"oci-archive:{tmp_path}/{name}.tar"], env=environment)
    archives = [tmp_path / f"{name}.tar" for name in architectures]
    printed = run([REPOSITORY / "deploy/image", "push", f"oci:{tmp_path}/pushed", *archives], env=environment)
    (pushed,) = json.loads((tmp_path / "pushed/index.json").read_text())["manifests"]
    assert printed == f"digest={pushed['digest']}\n"
    blobs = tmp_path / "pushed/blobs/sha256"
    images = json.loads((blobs / pushed["digest"].partition(":")[2]).read_text())["manifests"]
    assert [image["platform"]["architecture"] for image in images] == architectures
    assert all((blobs / image["digest"].partition(":")[2]).exists() for image in images)
    assert "linkedin-signin" not in run(["buildah", "images"], env=environment)

"""The Debian package: its contents and its dependencies."""

import gzip
import json
import os
import re
import subprocess

import pytest

from harness.debian import package, run, static_program
from harness.process import BINARIES, REPOSITORY

pytestmark = pytest.mark.extended

DOCUMENTS = "usr/share/doc/linkedin-signin"
MANUAL = {1: "linkedin-signin", 5: "linkedin-signin.conf", 7: "linkedin-signin-rules"}
COMPLETIONS = {
    "bash": "usr/share/bash-completion/completions/linkedin-signin",
    "zsh": "usr/share/zsh/vendor-completions/_linkedin-signin",
    "fish": "usr/share/fish/vendor_completions.d/linkedin-signin.fish",
}


@pytest.fixture(scope="module")
def root(deb, tmp_path_factory):
    """The files of the package."""
    place = tmp_path_factory.mktemp("root")
    run(["dpkg-deb", "-x", deb, place])
    return place


def field(deb, name):
    return run(["dpkg-deb", "-f", deb, name]).strip()


def manual(root, section):
    """A manual page as it is shown, in one line and without breaks in words."""
    page = root / f"usr/share/man/man{section}/{MANUAL[section]}.{section}.gz"
    done = subprocess.run(
        ["man", "--warnings", "-l", page], capture_output=True, text=True, env={**os.environ, "MANWIDTH": "200", "LC_ALL": "C.UTF-8"}
    )
    assert (done.returncode, done.stderr) == (0, "")
    return " ".join(done.stdout.split())


def test_lintian_finds_no_error_and_no_warning(deb):
    done = subprocess.run(["lintian", "--allow-root", "--fail-on", "error,warning", deb], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "")


def test_the_package_has_these_files_and_no_others(deb):
    lines = [line.split() for line in run(["dpkg-deb", "-c", deb]).splitlines()]
    assert {line[1] for line in lines} == {"root/root"}
    files = {line[5].removeprefix("./"): line[0] for line in lines if not line[0].startswith("d")}
    units = {f"usr/lib/systemd/system/linkedin-signin{kind}" for kind in (".service", ".socket", "@.service", "@.socket")}
    pages = {f"{DOCUMENTS}/docs/{path.name}" for path in REPOSITORY.glob("docs/*")}
    examples = ("nginx.conf", "lighttpd.conf", "prometheus-rules.yml", "grafana-dashboard.json")
    named = ("README.md", "SECURITY.md", "NOTICE.gz", "changelog.gz", "copyright", *(f"examples/{name}" for name in examples))
    assert set(files) == {
        "usr/bin/linkedin-signin",
        "usr/lib/sysusers.d/linkedin-signin.conf",
        "usr/lib/tmpfiles.d/linkedin-signin.conf",
        "usr/share/linkedin-signin/settings.example",
        *(f"usr/share/man/man{section}/{name}.{section}.gz" for section, name in MANUAL.items()),
        *(f"{DOCUMENTS}/{name}" for name in named),
        *COMPLETIONS.values(),
        *units,
        *pages,
    }
    assert files.pop("usr/bin/linkedin-signin") == "-rwxr-xr-x" and set(files.values()) == {"-rw-r--r--"}


def test_a_program_outside_of_its_build_directory_is_rejected_in_one_sentence(tmp_path):
    program = tmp_path / "linkedin-signin"
    command = [REPOSITORY / "deploy/package", "--output", tmp_path / "package", "--program", program]

    def error():
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 1 and done.stdout == ""
        return done.stderr

    assert error() == f"deploy/package: --program {program}: there is no such file\n"
    program.write_bytes((BINARIES / "linkedin-signin").read_bytes())
    product = tmp_path / "linkedin-signin.product"
    beside = f"{product}/Objects.LinkFileList"
    where = "name the program in the directory where swift build wrote it"
    assert error() == f"deploy/package: --program {program}: {beside} is missing; {where}\n"
    product.mkdir()
    (product / "Objects.LinkFileList").write_text("'/elsewhere/a.o'\n")
    assert error() == f"deploy/package: --program {program}: {beside} names no object file of a build\n"


def test_a_release_build_of_more_than_25_megabytes_is_not_packaged(tmp_path):
    # In place of a release build, `swift build` says where the debug build is, which is larger.
    program, _ = (static_program(BINARIES, name) for name in ("linkedin-signin", "linkedin-simulator"))
    (tmp_path / "swift").write_text(f"#!/bin/sh\necho {program.parent}\n")
    (tmp_path / "swift").chmod(0o755)
    command = [REPOSITORY / "deploy/package", "--output", tmp_path / "package"]
    environment = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert done.returncode == 1 and list((tmp_path / "package").iterdir()) == []
    assert re.fullmatch(r"deploy/package: linkedin-signin has \d{8} bytes after strip; the limit is 25000000\n", done.stderr)


def test_units_start_the_program_of_the_package(root):
    for name in ("linkedin-signin", "linkedin-signin@"):
        shipped = (root / f"usr/lib/systemd/system/{name}.service").read_text()
        manually = (REPOSITORY / f"deploy/{name}.service").read_text()
        assert "/usr/bin/linkedin-signin serve --settings-file " in shipped and "/usr/local" not in shipped
        assert shipped.partition("[Unit]")[2] == manually.partition("[Unit]")[2].replace("/usr/local/bin/", "/usr/bin/")


def test_every_needed_library_is_a_dependency(deb, root):
    needed = re.findall(r"NEEDED.*\[(.*)\]", run(["readelf", "-d", root / "usr/bin/linkedin-signin"]))
    depends = re.split(r", | \| ", re.sub(r" \([^)]*\)", "", field(deb, "Depends")))
    assert "libcurl.so.4" in needed
    for name in needed:
        owners = {line.split(":")[0] for line in run(["dpkg-query", "-S", f"*/{name}"]).splitlines()}
        assert owners & set(depends), name
    assert {"ca-certificates", "systemd"} <= set(depends)


def test_the_version_is_the_same_everywhere(deb):
    version = run([BINARIES / "linkedin-signin", "--version"]).strip()
    newest = re.search(r"^## (\S+),", (REPOSITORY / "CHANGELOG.md").read_text(), re.MULTILINE)[1]
    changes = run(["dpkg-parsechangelog", "-S", "Version", "-l", "-"], input=debian_changelog())
    assert (field(deb, "Version"), newest, changes.strip()) == (version, version, version)


def debian_changelog():
    environment = {**os.environ, "SOURCE_DATE_EPOCH": "0"}
    command = [REPOSITORY / "deploy/debian/changelog", "A <a@example.com>"]
    return run(command, input=(REPOSITORY / "CHANGELOG.md").read_text(), env=environment)


def test_two_packages_of_one_program_are_equal_byte_for_byte(deb, tmp_path):
    again = package(BINARIES, tmp_path, TZ="Asia/Shanghai", LC_ALL="C")
    assert again.read_bytes() == deb.read_bytes()
    for name in (f"{deb.stem}.spdx.json", "SHA256SUMS"):
        assert (tmp_path / name).read_text() == (deb.parent / name).read_text()


def test_checksums_are_those_of_the_files(deb):
    assert run(["sha256sum", "--strict", "-c", "SHA256SUMS"], cwd=deb.parent) == f"{deb.name}: OK\n{deb.stem}.spdx.json: OK\n"


def test_the_parts_list_has_the_versions_that_are_linked(deb, root):
    document = json.loads((deb.parent / f"{deb.stem}.spdx.json").read_text())
    assert (document["spdxVersion"], document["dataLicense"]) == ("SPDX-2.3", "CC0-1.0")
    parts = {part["name"]: part for part in document["packages"]}
    pins = json.loads((REPOSITORY / "Package.resolved").read_text())["pins"]
    for pin in pins:
        if pin["identity"] in ("swift-crypto", "swift-asn1", "swift-argument-parser"):
            assert parts[pin["identity"]]["versionInfo"] == pin["state"]["version"]
            assert parts[pin["identity"]]["downloadLocation"].endswith(f"@{pin['state']['revision']}")
        else:
            assert pin["identity"] not in {name.lower() for name in parts}, "only tests and the simulator use it"
    installed = run(["dpkg-query", "-W", "-f", "${Version}", "libcurl4"])
    assert parts["libcurl4"]["versionInfo"] == installed and {"boringssl", "swift-runtime"} <= set(parts)
    identifiers = {part["SPDXID"] for part in document["packages"]}
    relations = document["relationships"]
    assert {relation["relatedSpdxElement"] for relation in relations} == identifiers
    kinds = {relation["relatedSpdxElement"]: relation["relationshipType"] for relation in relations}
    assert kinds["SPDXRef-swift-crypto"] == "STATIC_LINK" and kinds["SPDXRef-libcurl4"] == "DYNAMIC_LINK"


def test_the_manual_describes_every_command_and_option(root):
    text = manual(root, 1)
    dump = run([BINARIES / "linkedin-signin", "--experimental-dump-help"])
    names = {f"--{name}" for name in re.findall(r'"kind" : "long",\s+"name" : "([^"]+)"', dump)}
    commands = set(re.findall(r'"commandName" : "([^"]+)"', dump)) - {"help"}
    assert len(names) > 5 and {name for name in names | commands if name not in text} == set()


@pytest.mark.parametrize("section", MANUAL)
def test_the_manual_has_the_sections_that_readers_look_for(root, section):
    page = root / f"usr/share/man/man{section}/{MANUAL[section]}.{section}.gz"
    titles = re.findall(r"^\.SH (.*)$", gzip.decompress(page.read_bytes()).decode(), re.MULTILINE)
    expected = {1: ["EXIT STATUS", "ENVIRONMENT", "FILES", "EXAMPLES"], 5: ["ENVIRONMENT", "FILES", "EXAMPLES"], 7: ["EXAMPLES"]}
    assert [title for title in titles if title in expected[1]] == expected[section]
    examples = manual(root, section).rpartition(" EXAMPLES ")[2].partition(" SEE ALSO ")[0]
    if section == 5:
        assert "LINKEDIN_CLIENT_ID=" in examples and "SIGNIN_BASE_URL=" in examples
    else:
        assert examples.count("sudo ") == {1: 6, 7: 2}[section] and "linkedin-signin " in examples


def test_the_manual_describes_every_setting(root):
    printed = run([BINARIES / "linkedin-signin", "print-settings"])
    sections = re.findall(r"^### (\w+)\n\n((?:- .*\n)+)\n(.*)$", printed, re.MULTILINE)
    text = manual(root, 5)
    assert len(sections) > 40
    for name, facts, meaning in sections:
        entry = f"{name} {meaning} {' '.join(f'{fact[2:]}.' for fact in facts.splitlines())}"
        entry = re.sub(r"\[`(\w+)`\]\(#\w+\)", r"\1", entry).replace("`", "")
        assert entry in text, entry
    assert "This page is" not in text and "](#" not in text


def test_the_manual_describes_every_condition(root):
    table = (REPOSITORY / "docs/guard.md").read_text().partition("| condition |")[2].partition("\n\n")[0]
    conditions = re.findall(r"^\| `([^`]+)` \|", table, re.MULTILINE)
    text = manual(root, 7)
    assert len(conditions) > 6 and [name for name in conditions if name not in text] == []


@pytest.mark.parametrize("shell", COMPLETIONS)
def test_the_shell_reads_the_completions(root, shell):
    assert run([shell, "-n", root / COMPLETIONS[shell]]) == ""


def test_fish_completes_a_command(root):
    source = f'source {root / COMPLETIONS["fish"]}; complete -C "linkedin-signin print-c"'
    environment = {**os.environ, "HOME": str(root), "PATH": f"{root}/usr/bin:{os.environ['PATH']}"}
    assert run(["fish", "--no-config", "-c", source], env=environment).startswith("print-config\t")


@pytest.mark.parametrize("option", ["check --settings-file", "check --nginx", "sessions import --cookie-file", "preview"])
def test_bash_and_fish_complete_the_name_of_a_file(root, directory, option):
    (directory / "folder-for-test").mkdir()
    words = f"linkedin-signin {option} {directory}/folder-"
    script = """
        source "$1"
        read -ra COMP_WORDS <<<"$2"
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMP_LINE=$2 COMP_POINT=${#2}
        _linkedin-signin linkedin-signin "${COMP_WORDS[-1]}" "${COMP_WORDS[-2]}"
        printf '%s\\n' "${COMPREPLY[@]}"
    """
    assert run(["bash", "-c", script, "bash", root / COMPLETIONS["bash"], words]) == f"{directory}/folder-for-test\n"
    environment = {**os.environ, "HOME": str(root), "PATH": f"{root}/usr/bin:{os.environ['PATH']}"}
    source = f'source {root / COMPLETIONS["fish"]}; complete -C "{words}"'
    assert run(["fish", "--no-config", "-c", source], env=environment).split() == [f"{directory}/folder-for-test/"]


def test_another_architecture_is_refused(tmp_path):
    program = static_program(BINARIES)
    command = [REPOSITORY / "deploy/package", "--architecture", "arm64", "--program", program, "--output", tmp_path]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (1, f"deploy/package: {program} is not a program for arm64\n")


def test_every_instruction_of_the_containerfile_is_explained():
    blocks = (REPOSITORY / "deploy/Containerfile").read_text().replace("\\\n", "").split("\n\n")
    names = re.findall(r"^([A-Z]+) ", "\n".join(blocks), re.MULTILINE)
    assert names[0] == "ARG" and {"USER", "VOLUME", "ENTRYPOINT"} < set(names)
    assert [block for block in blocks if not block.startswith("# ")] == []

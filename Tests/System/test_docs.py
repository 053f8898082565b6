"""README and docs: links work, names exist, and every command and configuration runs."""

import re
import subprocess
from pathlib import Path

import pytest

from harness.code_blocks import code_blocks, without_code_blocks
from harness.log_tables import cases, documented, events_in_sources, reasons_in_sources
from harness.process import BINARIES, REPOSITORY, free_port, surroundings
from harness.responder import provider

pytestmark = pytest.mark.extended

PAGES = sorted(f"docs/{path.name}" for path in REPOSITORY.glob("docs/*.md"))
DOCUMENTS = ["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", *PAGES]
LINK = re.compile(r"\]\(([^)\s]+)\)")
SETTING = re.compile(r"\b((?:LINKEDIN|SIGNIN)_[A-Z_]+[A-Z])\b")
# Parameters in the web server's configuration, not settings.
PARAMETERS = {"SIGNIN_ACTION", "SIGNIN_REQUIRE", "SIGNIN_REQUEST_ID"}


def text_of(document):
    return (REPOSITORY / document).read_text()


def blocks(document, language):
    """The contents of the code blocks in a language."""
    return [content for name, content in code_blocks(text_of(document)) if name == language]


def anchors(document):
    """The names that headings have as link targets."""
    return {anchor(heading) for heading in re.findall(r"^#+ (.*)$", without_code_blocks(text_of(document)), re.MULTILINE)}


def anchor(heading):
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def settings():
    command = [BINARIES / "linkedin-signin", "print-settings"]
    return subprocess.run(command, check=True, capture_output=True, text=True, env=surroundings()).stdout


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_link_has_a_target(document):
    for link in LINK.findall(text_of(document)):
        if link.startswith("https://"):
            continue
        path, _, anchor = link.partition("#")
        target = (REPOSITORY / document).parent / path if path else REPOSITORY / document
        assert target.exists(), link
        assert not anchor or anchor in anchors(target.resolve().relative_to(REPOSITORY)), link


def test_the_index_leads_to_every_page():
    pages = {link.partition("#")[0] for link in LINK.findall(text_of("docs/README.md"))}
    assert {f"docs/{page}" for page in pages} >= set(PAGES) - {"docs/README.md"}


@pytest.mark.parametrize("document", [page for page in PAGES if text_of(page).count("\n") > 300])
def test_a_long_page_begins_with_links_to_its_sections(document):
    text = text_of(document)
    sections = {f"#{anchor(heading)}" for heading in re.findall(r"^## (.*)$", without_code_blocks(text), re.MULTILINE)}
    assert sections - set(LINK.findall(text.partition("\n## ")[0])) == set()


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_named_file_of_the_repository_exists(document):
    for path in re.findall(r"`((?:deploy|docs|Tests|Sources|Benchmarks)/[\w./+-]+)[` ]", text_of(document)):
        assert (REPOSITORY / path).exists(), path


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_named_swift_file_exists_once(document):
    program = [path.name for path in REPOSITORY.glob("Sources/*/**/*.swift") if "linkedin-simulator" not in path.parts]
    others = [path.name for path in REPOSITORY.glob("Sources/linkedin-simulator/**/*.swift")]
    others += [path.name for path in REPOSITORY.glob("Tests/**/*.swift")]
    for name in re.findall(r"`([\w+-]+\.swift)`", text_of(document)):
        assert program.count(name) == 1 or (name not in program and others.count(name) == 1), name


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_named_setting_exists(document):
    known = set(SETTING.findall(settings())) | PARAMETERS
    assert set(SETTING.findall(text_of(document))) <= known


def test_docs_settings_is_what_the_program_prints():
    assert text_of("docs/settings.md") == settings(), "run: linkedin-signin print-settings > docs/settings.md"


def test_the_table_of_conditions_is_what_a_message_names():
    command = [BINARIES / "linkedin-signin", "check", "--require", "nothing"]
    said = subprocess.run(command, capture_output=True, text=True, env=surroundings()).stderr
    names = re.search(r"the conditions are (.*)", said)[1].replace(" and ", ", ").split(", ")
    table = text_of("docs/guard.md").partition("\n## Rules\n")[2].partition("\n##")[0]
    rows = "".join(re.findall(r"^\| (`.*?) \|", table, re.MULTILINE))
    assert sorted(re.findall(r"`([a-z-]+)", rows)) == sorted(re.match("[a-z-]+", name)[0] for name in names)


def test_the_table_of_events_is_complete():
    assert documented("Events") == events_in_sources()


@pytest.mark.parametrize("name", ["EventName", "Problem.Kind", "FindingCode"])
def test_a_public_name_is_a_literal_so_that_a_renamed_case_keeps_it(name):
    found = cases(name)
    assert len(found) > 50 and [case for case, literal in found if not literal] == []


def test_the_table_of_reasons_is_complete():
    assert documented("Reasons") == reasons_in_sources()


def test_every_page_that_troubleshooting_names_has_this_title():
    texts = (REPOSITORY / "Sources/Pages/Texts/English.swift").read_text().replace("{provider}", "LinkedIn")
    titles = {line.partition(" = ")[2] for line in texts.splitlines() if "itle = " in line}
    section = text_of("docs/troubleshooting.md").partition("\n## What visitors report\n")[2].partition("\n## ")[0]
    rows = [row for row in re.findall(r"^\| (.*?) \|", section, re.MULTILINE) if not row.startswith("at LinkedIn:")]
    named = [text for row in rows for text in re.findall(r"\*([^*]+)\*", row)]
    assert len(named) > 15 and set(named) <= titles


def test_the_python_example_decodes_names():
    scope = {}
    exec(blocks("docs/guard.md", "python")[0], scope)  # noqa: S102, the example is ours
    assert scope["decoded"]("UTF-8''Zo%C3%AB") == "Zoë" and scope["decoded"]("Zoe") == "Zoe"


def test_the_php_example_decodes_names():
    code = blocks("docs/guard.md", "php")[0] + "\necho $name;"
    for value, name in (("UTF-8''Zo%C3%AB", "Zoë"), ("Zoe", "Zoe")):
        done = subprocess.run(
            ["php", "-r", f"$_SERVER['AUTH_NAME'] = {value!r};" + code], capture_output=True, text=True, check=True
        )
        assert done.stdout == name


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_code_block_has_a_tested_language(document):
    assert {name for name, _ in code_blocks(text_of(document))} <= {"sh", "ini", "nginx", "php", "python", "sql", "yaml", ""}


def test_the_settings_for_the_simulator_are_those_of_the_tests():
    (block,) = [content for _, content in code_blocks(text_of("docs/install.md")) if "simulated-client" in content]
    used = {**provider("http://127.0.0.1:9000", "openid"), "LINKEDIN_CLIENT_ID": "simulated-client"}
    del used["LINKEDIN_PRODUCT"]  # the default
    assert dict(line.split("=", 1) for line in block.splitlines()) == used
    usage = subprocess.run([BINARIES / "linkedin-simulator", "--help"], check=True, capture_output=True, text=True).stdout
    assert "simulated-client" in usage and "simulated-secret" in usage


def test_readme_can_be_scanned():
    assert len(text_of("README.md").splitlines()) <= 150


@pytest.mark.parametrize("document", sorted({*DOCUMENTS, "Benchmarks/README.md"} - {"docs/settings.md"}))
def test_lines_of_prose_have_at_most_128_characters(document):
    lines = without_code_blocks(text_of(document)).splitlines()
    assert [line for line in lines if len(line) > 128 and not re.match(r"\||  <", line)] == []


def test_the_readme_tells_how_to_operate_in_at_most_30_lines():
    section = text_of("README.md").partition("\n## Operate\n")[2].partition("\n## ")[0]
    assert "systemctl reload" in section and "sessions revoke" in section and "docs/operate.md" in section
    assert len(section.splitlines()) <= 30


RUN_HERE = ["README.md", "CONTRIBUTING.md"]
RUN_HERE += [f"docs/{name}.md" for name in ("install", "guard", "operate", "log", "troubleshooting")]
# Pages whose commands need a site with members, or a database, and what runs them.
RUN_ELSEWHERE = {"docs/tokens.md": "test_import.py", "docs/several-machines.md": "harness/machines.py", "docs/doctor.md": "test_doctor.py"}
RUN_ELSEWHERE["docs/personal-tokens.md"] = "test_personal_tokens.py"
RUN_ELSEWHERE["docs/pages.md"] = "test_own_pages.py"
RUN_ELSEWHERE["docs/providers.md"] = "test_issuer.py"


def test_the_commands_of_every_page_are_run():
    assert {document for document in DOCUMENTS if blocks(document, "sh")} == {*RUN_HERE, *RUN_ELSEWHERE}
    for document, name in RUN_ELSEWHERE.items():
        assert document in (REPOSITORY / "Tests/System" / name).read_text(), document


@pytest.mark.parametrize("document", RUN_HERE)
def test_every_command_and_configuration_works_as_written(document, directory, mount_namespace):
    driver = REPOSITORY / "Tests/System/harness/documented.py"
    command = [*mount_namespace, "/usr/bin/python3", driver, document, directory]
    done = subprocess.run([*command, BINARIES, str(free_port())], capture_output=True, text=True, env=surroundings())
    assert done.returncode == 0, done.stdout + done.stderr
    assert int(done.stdout.split()[0]) >= 1


def test_the_documented_change_of_debians_lighttpd_turns_off_http_2(directory):
    old, new = re.search(r'replace `("server.h2proto".*?)` by\s`(.*?)`', text_of("docs/install.md")).groups()
    text = Path("/etc/lighttpd/lighttpd.conf").read_text()
    assert text.count(old) == 1
    (directory / "lighttpd.conf").write_text(text.replace(old, new))
    subprocess.run(["lighttpd", "-tt", "-f", directory / "lighttpd.conf"], check=True, capture_output=True, env=surroundings())
    command = ["lighttpd", "-p", "-f", directory / "lighttpd.conf"]
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=surroundings())
    assert re.search(r'server.feature-flags[^)]*"server.h2proto" *=> "disable"', done.stdout), done.stdout

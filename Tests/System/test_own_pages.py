"""Pages that a site makes its own: templates. docs/pages.md describes them."""

import subprocess

from harness.code_blocks import code_blocks
from harness.process import BINARIES, REPOSITORY

PAGE = (REPOSITORY / "docs/pages.md").read_text()
FOLDER = "/etc/linkedin-signin/templates"


def run(*arguments, **settings):
    environment = {"PATH": "/usr/bin:/bin", **settings}
    return subprocess.run([BINARIES / "linkedin-signin", *arguments], capture_output=True, text=True, env=environment, timeout=60)


def checked(directory, **settings):
    """The messages of `check` about the pages."""
    least = {"LINKEDIN_CLIENT_ID": "a", "LINKEDIN_CLIENT_SECRET": "b", "SIGNIN_BASE_URL": "https://example.com"}
    done = run("check", "--quiet", **{**least, "SIGNIN_STATE_DIRECTORY": str(directory / "state"), **settings})
    assert (done.returncode == 0) == (done.stderr == "")
    return done.stderr


def test_the_page_about_pages_is_what_the_program_prints():
    assert run("print-templates").stdout == PAGE, "run: linkedin-signin print-templates > docs/pages.md"


def test_the_commands_of_the_page_give_templates_that_check_accepts(directory):
    blocks = list(code_blocks(PAGE))
    commands = [line for name, content in blocks if name == "sh" for line in content.splitlines()]
    assert commands
    for command in commands:
        done = run(*command.replace(FOLDER, str(directory / "templates")).split()[1:])
        assert done.returncode == 0 and done.stderr == "", command
    lines = [line for name, content in blocks if name == "ini" for line in content.splitlines()]
    settings = dict(line.replace(FOLDER, str(directory / "templates")).split("=", 1) for line in lines)
    assert "SIGNIN_TEMPLATES" in settings and checked(directory, **settings) == ""


def test_a_template_that_was_changed_is_kept_and_named(directory):
    folder = directory / "templates"
    first = run("print-templates", folder)
    names = sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())
    assert first.stdout.splitlines() == [f"written: {folder}/{name}" for name in sorted(names, key=first.stdout.index)]
    assert {"home.mustache", "style.css", "languages/zh-Hant.txt"} <= set(names) and len(names) == 19
    (folder / "home.mustache").write_text("{{paths.login}}{{paths.profile}}{{paths.logout}}{{profileLink}}")
    (folder / "style.css").unlink()
    second = run("print-templates", folder)
    assert second.returncode == 0 and second.stdout.count("unchanged: ") == 17
    assert f"written: {folder}/style.css" in second.stdout.splitlines()
    assert f"kept: {folder}/home.mustache differs from the built-in file" in second.stdout.splitlines()
    assert (folder / "home.mustache").read_text().startswith("{{paths.login}}")


def test_a_folder_that_cannot_be_written_is_named(directory):
    (directory / "file").write_text("")
    done = run("print-templates", directory / "file")
    assert done.returncode == 73 and done.stdout == ""
    assert f"{directory}/file/layout.mustache" in done.stderr

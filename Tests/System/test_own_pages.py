"""Pages that a site makes its own: color, logo and templates. docs/pages.md describes them."""

import re
import subprocess

import pytest

from harness.code_blocks import code_blocks
from harness.browser import NAVIGATION
from harness.process import BINARIES, REPOSITORY
from harness.providers import PACKAGES, Mock
from harness.several import SeveralSite
from test_reload import reload

PAGE = (REPOSITORY / "docs/pages.md").read_text()
FOLDER = "/etc/linkedin-signin/templates"
LOGO = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 40">
<rect width="40" height="40" rx="8" fill="#8a1538"/><rect x="48" y="14" width="72" height="12" fill="#8a1538"/></svg>"""


def run(*arguments, directory=None, umask=-1, **settings):
    command, environment = [BINARIES / "linkedin-signin", *arguments], {"PATH": "/usr/bin:/bin", **settings}
    return subprocess.run(command, capture_output=True, text=True, env=environment, cwd=directory, umask=umask, timeout=60)


def checked(directory, about="SIGNIN_ACCENT_COLOR", **settings):
    """The notes of `check` about a setting, and its errors."""
    least = {"LINKEDIN_CLIENT_ID": "a", "LINKEDIN_CLIENT_SECRET": "b", "SIGNIN_BASE_URL": "https://example.com"}
    (directory / "state").mkdir(mode=0o700, exist_ok=True)
    done = run("check", **{**least, "SIGNIN_STATE_DIRECTORY": str(directory / "state"), **settings})
    assert (done.returncode == 0) == (done.stderr == "")
    notes = [line for line in done.stdout.splitlines() if line.startswith(f"note: {about}")]
    return "\n".join([*notes, done.stderr]).strip()


def test_the_page_about_pages_is_what_the_program_prints():
    assert run("print-templates").stdout == PAGE, "run: linkedin-signin print-templates > docs/pages.md"


def test_the_commands_of_the_page_give_pages_with_the_settings_that_it_names(directory):
    for name in ("logo.svg", "linkedin.svg"):
        (directory / name).write_text(LOGO)
    settings, commands = {}, []
    for name, content in code_blocks(PAGE):
        lines = content.replace("/etc/linkedin-signin", str(directory)).splitlines()
        if name == "ini":
            settings.update(line.split("=", 1) for line in lines)
            (directory / "settings").write_text("".join(f"{name}={value}\n" for name, value in settings.items()))
        elif name == "sh":
            commands += lines
    for command in commands:
        arguments = command.removeprefix("sudo ").split()[1:]
        if arguments[0] == "preview":  # without the option, the command reads the settings file of the package
            arguments += ["--settings-file", directory / "settings"]
        done = run(*arguments, directory=directory)
        assert done.returncode == 0 and done.stderr == "", command
    names = {"SITE_NAME", "CONTACT", "TEMPLATES", "LOGO", "PROVIDER_LOGO", "ACCENT_COLOR"}
    assert len(commands) == 2 and {f"SIGNIN_{name}" for name in names} == set(settings)
    rejected = (directory / "pages/en/problem-account-not-allowed-light.html").read_text()
    assert settings["SIGNIN_CONTACT"] in rejected and "To ask for access:" in rejected and settings["SIGNIN_SITE_NAME"] in rejected
    assert "--accent: #8a1538" in (directory / "pages/fr/home-dark.html").read_text()
    notes = checked(directory, **settings)
    assert re.fullmatch("note: SIGNIN_ACCENT_COLOR: links in the dark theme are #[0-9a-f]{6}, because #8a1538 is hard to read on .*", notes)


def test_a_template_that_was_changed_is_kept_and_named(directory):
    folder = directory / "templates"
    first = run("print-templates", folder)
    names = sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())
    assert first.stdout.splitlines() == [f"written: {folder}/{name}" for name in sorted(names, key=first.stdout.index)]
    assert {"home.mustache", "style.css", "languages/zh-Hant.txt"} <= set(names) and len(names) >= 22
    (folder / "home.mustache").write_text("{{paths.login}}{{paths.profile}}{{paths.logout}}{{profileLink}}")
    (folder / "style.css").unlink()
    second = run("print-templates", folder)
    assert second.returncode == 0 and second.stdout.count("unchanged: ") == len(names) - 2
    assert f"written: {folder}/style.css" in second.stdout.splitlines()
    assert f"kept: {folder}/home.mustache differs from the built-in file" in second.stdout.splitlines()
    assert (folder / "home.mustache").read_text().startswith("{{paths.login}}")


@pytest.mark.parametrize("command", ["print-templates", "preview"])
def test_nobody_else_can_write_to_the_files_whatever_the_umask(directory, command):
    for umask in (0, 0o077):
        folder = directory / f"{umask}"
        assert run(command, folder / "deep/folder", umask=umask).returncode == 0
        modes = {(path.is_dir(), path.stat().st_mode & 0o777) for path in (folder, *folder.rglob("*"))}
        assert modes == {(True, 0o755), (False, 0o644)}, umask


def test_a_folder_that_cannot_be_written_is_named(directory):
    (directory / "file").write_text("")
    done = run("print-templates", directory / "file")
    assert done.returncode == 73 and done.stdout == ""
    assert re.search(f"{directory}/file/layout.mustache cannot be read: Not a directory\n$", done.stderr)


@pytest.mark.parametrize("name, value, message", [
    ("SIGNIN_ACCENT_COLOR", "red", "SIGNIN_ACCENT_COLOR: “red” is not # with three or six hexadecimal digits, such as #0a66c2"),
    ("SIGNIN_LOGO", "/nonexistent.svg", "SIGNIN_LOGO: “/nonexistent.svg” does not exist"),
    ("SIGNIN_LOGO", "/etc/passwd", "SIGNIN_LOGO: “/etc/passwd” is not a picture in SVG, PNG, WebP, JPEG or GIF"),
])
def test_a_color_or_logo_that_cannot_be_used_is_named(directory, name, value, message):
    assert checked(directory, **{name: value}) == f"linkedin-signin: {message}"


def test_a_site_whose_first_page_no_setting_names_is_noted(directory):
    assert checked(directory, about="SIGNIN_HOME") == (
        "note: SIGNIN_HOME is not set, so a member who signs in at /login comes to the home page of linkedin-signin at /; "
        "name the first page of the site, such as SIGNIN_HOME=/members/"
    )
    assert checked(directory, about="SIGNIN_HOME", SIGNIN_HOME="/members/") == ""


def test_color_and_logo_take_effect_at_a_reload_and_a_broken_logo_changes_nothing(site):
    logo = site.directory / "logo.svg"
    logo.write_text(LOGO)

    def page():
        return site.browser().get(f"{site.url}/", headers=NAVIGATION).text

    assert "<img" not in page() and "8a1538" not in page()
    reload(site.responder, SIGNIN_ACCENT_COLOR="#8a1538", SIGNIN_LOGO=str(logo))
    shown = page()
    assert '<img class="logo" src="data:image/svg+xml;base64,' in shown and "--accent: #8a1538;" in shown and "%238a1538" in shown
    logo.write_text("no picture")
    site.responder.expected_errors.append("setting=SIGNIN_LOGO ")
    log = reload(site.responder, event="reload-refused")
    assert "SIGNIN_LOGO" in log and page() == shown


@pytest.mark.skipif(not PACKAGES.exists(), reason="deploy/packages test could not download the providers")
def test_each_provider_has_its_own_logo_and_color_on_its_button(directory, chromium):
    logos = {}
    for name in ("linkedin", "mock", "twin"):
        logos[name] = directory / f"{name}.svg"
        logos[name].write_text(LOGO.replace("<svg", f'<svg id="{name}"'))
    kinds, settings = dict.fromkeys(["mock", "plain", "twin"], Mock), {"SIGNIN_PROVIDER_LOGO": str(logos["linkedin"])}
    with SeveralSite(directory, kinds, settings=settings) as site:
        site.add("mock", SIGNIN_PROVIDER_LOGO=logos["mock"], SIGNIN_PROVIDER_COLOR="#8a1538")
        site.add("twin", SIGNIN_PROVIDER_LOGO=logos["twin"], SIGNIN_PROVIDER_COLOR="#fc0")
        site.reload()
        chromium.open(f"{site.url}/login")
        shown = """return Object.fromEntries([...document.querySelectorAll('.signin')].map(button => {
            const [style, mark] = [getComputedStyle(button), button.querySelector('img')]
            return [button.dataset.provider, [style.backgroundColor, style.color, style.borderColor, mark && atob(mark.src.split(',')[1])]]
        }))"""
        first = chromium.driver.execute_script(shown)
        marks = {name: mark for name, (*_, mark) in first.items()}
        assert marks == {"plain": None, **{name: logo.read_text() for name, logo in logos.items()}}
        assert {background for background, *_ in first.values()} == {"rgba(0, 0, 0, 0)"}
        assert first["mock"][2] == "rgb(138, 21, 56)" != first["plain"][2]
        blue = ("linkedin", ["rgb(10, 102, 194)", "rgb(255, 255, 255)"])
        for name, colors in (blue, ("mock", ["rgb(138, 21, 56)", "rgb(255, 255, 255)"]), ("twin", ["rgb(255, 204, 0)", "rgb(0, 0, 0)"])):
            chromium.driver.add_cookie({"name": "__Host-provider", "value": name, "secure": True, "path": "/"})
            chromium.open(f"{site.url}/login")
            assert chromium.driver.execute_script(shown)[name][:2] == colors
        assert chromium.complaints() == []
        site.add("mock", SIGNIN_PROVIDER_COLOR="red")
        site.responder.expected_errors.append("setting=SIGNIN_PROVIDER_COLOR ")
        log = reload(site.responder, event="reload-refused")
        assert f"{site.folder}/mock:" in log and "is not # with three or six hexadecimal digits" in log


def test_a_logo_runs_no_script_and_loads_nothing(make_site, make_chromium, directory):
    logo = directory / "hostile.svg"
    logo.write_text(
        LOGO.replace("<svg", """<svg onload="document.title = 'run'" xmlns:xlink="http://www.w3.org/1999/xlink" """).replace(
            "</svg>",
            """<script>top.document.title = 'run'; fetch('/auth')</script><image href="https://other.example/a.png" width="9" height="9"/>
            <foreignObject width="9" height="9"><iframe xmlns="http://www.w3.org/1999/xhtml" src="https://other.example/"/></foreignObject>
            <style>@import url(https://other.example/a.css);</style></svg>""",
        )
    )
    with make_site(settings={"SIGNIN_LOGO": str(logo), "SIGNIN_SITE_NAME": "Example Club"}) as site:
        chromium = make_chromium()
        chromium.requests()
        chromium.open(f"{site.url}/")
        picture = "const logo = document.querySelector('header img'); return [logo.complete, logo.naturalWidth > 0, logo.alt]"
        assert chromium.driver.execute_script(picture) == [True, True, "Example Club"]
        assert chromium.driver.title == "Sign in to Example Club" and chromium.complaints() == []
        addresses = {address for address, _ in chromium.requests() if not address.startswith("data:")}
        assert addresses == {f"{site.url}/"}

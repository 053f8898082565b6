"""`preview`: every page as a file, and how these pages look on small and large screens, in both themes and all languages."""

import functools
import http.server
import os
import re
import subprocess
import threading

import pytest

from harness.axe import violations
from harness.chromium import Chromium
from harness.code_blocks import code_blocks
from harness.process import BINARIES
from test_accessibility import PROBLEMS, needs_axe
from test_own_pages import LOGO, PAGE, run

LANGUAGES = ["de", "en", "es", "fr", "ja", "zh-Hans", "zh-Hant"]
THEMES = ["light", "dark"]
BRANDED = ["home", "home-with-link", "signed-out", "tokens-made", "problem-account-not-allowed"]
WIDTHS = {"small": (320, 640), "large": (1280, 900)}
BRANDS = {"own": [], "brand": ["--settings-file", "settings"]}
# A yellow that nobody can read on white, and a name that needs two lines.
SETTINGS = {"SIGNIN_ACCENT_COLOR": "#ffcc00", "SIGNIN_SITE_NAME": "Gesellschaft der Freunde der Rechenmaschinen zu Berlin"}


class Served:
    """The pages of `preview` on a server, so that a browser regards them as one site."""

    def __init__(self, folder):
        class Handler(http.server.SimpleHTTPRequestHandler):
            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=folder))
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        self.names = sorted({path.name.rpartition("-")[0] for path in (folder / "en").glob("*.html")})
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with a preview of the built-in pages, and one with the color, logo and name of a site."""
    folder = tmp_path_factory.mktemp("preview")
    (folder / "logo.svg").write_text(LOGO)
    settings = {**SETTINGS, "SIGNIN_LOGO": folder / "logo.svg"}
    (folder / "settings").write_text("".join(f"{name}={value}\n" for name, value in settings.items()))
    for name, options in BRANDS.items():
        done = run("preview", name, *options, directory=folder)
        written = len([*folder.glob(f"{name}/*/*.html")])
        assert (done.returncode, done.stderr) == (0, "") and done.stdout.startswith(f"{written} pages written: open ")
    return folder


@pytest.fixture(scope="module")
def served(folder):
    """Both previews, each on its own server."""
    sites = {name: Served(folder / name) for name in BRANDS}
    yield sites
    for site in sites.values():
        site.server.shutdown()
        site.server.server_close()


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    with Chromium(tmp_path_factory.mktemp("chromium")) as chromium:
        yield chromium


def resize(browser, size):
    width, height = WIDTHS[size]
    screen = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    browser.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)


def test_the_index_links_every_page_in_every_language_and_theme(folder, browser, served):
    browser.open(f"{served['own'].url}/index.html")
    links = browser.driver.execute_script("return [...document.links].map(link => link.getAttribute('href'))")
    assert sorted(links) == sorted(str(path.relative_to(folder / "own")) for path in (folder / "own").glob("*/*.html"))
    names = served["own"].names
    assert len(links) == len(set(links)) == len(names) * len(LANGUAGES) * len(THEMES) and len(names) >= 69
    assert set(PROBLEMS) < set(names)


def test_a_page_of_the_preview_shows_its_theme_and_loads_nothing(folder, make_chromium):
    chromium = make_chromium()
    for theme, colour in (("light", "rgb(255, 255, 255)"), ("dark", "rgb(30, 36, 43)")):
        for name in ("profile", "resume"):
            chromium.requests()
            chromium.open(f"file://{folder}/own/en/{name}-{theme}.html")
            assert chromium.driver.execute_script("return getComputedStyle(document.querySelector('main')).backgroundColor") == colour
            assert {url.partition(":")[0] for url, _ in chromium.requests()} <= {"file", "data"}
            assert chromium.url.endswith(f"/{name}-{theme}.html")
    # The policy stops the script that would send the form; the browser says so, and nothing else.
    assert all("Executing inline script" in complaint for complaint in chromium.complaints())


def test_a_wrong_color_of_a_provider_that_a_file_adds_is_an_error(directory):
    (directory / "settings").write_text("SIGNIN_SITE_NAME=Example Club\n")
    (directory / "providers").mkdir()
    (directory / "providers/google").write_text("PROVIDER_ISSUER=https://accounts.google.com\nSIGNIN_PROVIDER_COLOR=red\n")
    done = run("preview", directory / "pages", "--settings-file", directory / "settings")
    assert done.returncode == 78 and not (directory / "pages").exists()
    assert f"{directory}/providers/google:2: SIGNIN_PROVIDER_COLOR: “red” is not # with three or six" in done.stderr


def test_only_the_settings_of_the_pages_matter(folder, directory):
    (directory / "settings").write_text("SIGNIN_ACCENT_COLOR=blue\nSIGNIN_STATE_DIRECTORY=here\nSIGNIN_LOGO=/nonexistent\n")
    done = run("preview", directory / "pages", "--settings-file", directory / "settings")
    assert done.returncode == 78 and not (directory / "pages").exists()
    assert [line.split(": ")[2] for line in done.stderr.splitlines()] == ["SIGNIN_ACCENT_COLOR", "SIGNIN_LOGO"]


def test_a_preview_replaces_a_preview_and_nothing_else(directory):
    (directory / "mine").mkdir()
    (directory / "mine/index.html").write_text("my page")
    done = run("preview", directory / "mine")
    assert done.returncode == 73 and "contains files that no preview wrote" in done.stderr
    assert [path.name for path in (directory / "mine").iterdir()] == ["index.html"]
    for name in ("First Club", "Second Club"):
        assert run("preview", directory / "pages", SIGNIN_SITE_NAME=name).returncode == 0
    assert "Second Club" in (directory / "pages/en/home-light.html").read_text()


def test_a_preview_removes_no_directory_and_follows_no_link(directory):
    pages, other = directory / "pages", directory / "other"
    assert run("preview", pages).returncode == 0
    (pages / "en/home-light.html").unlink()
    (pages / "en/home-light.html").mkdir()
    (pages / "en/home-light.html/mine").write_text("my text")
    done = run("preview", pages)
    assert done.returncode == 73 and f"{pages}/en/home-light.html cannot be written: Is a directory" in done.stderr
    assert (pages / "en/home-light.html/mine").read_text() == "my text"
    (pages / "en").rename(other)
    (pages / "en").symlink_to(other)
    (other / "home-dark.html").write_text("my page")
    done = run("preview", pages)
    assert done.returncode == 73 and f"{pages}/en is a symbolic link: remove it, or name another folder" in done.stderr
    assert (other / "home-dark.html").read_text() == "my page"


def test_a_folder_in_which_this_user_cannot_write_is_named_with_advice(directory):
    (directory / "locked").mkdir(mode=0o555)
    # Root could write there with its capabilities.
    bare = ["setpriv", "--bounding-set=-all", "--inh-caps=-all"] if os.geteuid() == 0 else []
    command = [*bare, BINARIES / "linkedin-signin", "preview", directory / "locked"]
    done = subprocess.run(command, capture_output=True, text=True, env={"PATH": "/usr/bin:/bin"}, timeout=60)
    advice = f"{directory}/locked/index.html cannot be written: Permission denied; name a folder in which this user can write"
    assert done.returncode == 73 and advice in done.stderr


CONTRAST = """
    const [screen, texts, done] = arguments;
    const light = ([r, g, b]) => [r, g, b].map(part => part / 255)
        .map(part => part <= .04045 ? part / 12.92 : ((part + .055) / 1.055) ** 2.4)
        .reduce((sum, part, index) => sum + part * [.2126, .7152, .0722][index], .05);
    const image = new Image();
    image.src = `data:image/png;base64,${screen}`;
    image.decode().then(() => {
        const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d');
        canvas.drawImage(image, 0, 0);
        done(texts.map(([ink, box]) => {
            const text = light(ink), pixels = canvas.getImageData(...box).data, found = [];
            for (let start = 0; start < pixels.length; start += 4) {
                const pair = [text, light(pixels.slice(start, start + 3))].sort((a, b) => b - a);
                found.push(pair[0] / pair[1]);
            }
            return Math.min(...found);
        }));
    });"""
HIDE_TEXT = """
    scrollTo(0, document.body.scrollHeight);
    return [...document.querySelectorAll('.brand, .languages *')].map(element => {
        const box = element.getBoundingClientRect(), ink = getComputedStyle(element).color.match(/[0-9]+/g).map(Number);
        // Without the mark before the name of the site.
        const left = element.className === 'brand' ? box.left + 40 : box.left;
        element.style.color = 'transparent';
        return [ink, [left, box.top, box.right - left, box.height].map(Math.round)];
    }).filter(([, [, top, , height]]) => top >= 0 && top + height <= innerHeight);"""


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("width, height", [(1280, 900), (1280, 560), (844, 390), (320, 640)])
def test_text_in_front_of_the_drawing_keeps_a_contrast_of_4_5_to_1(browser, served, theme, width, height):
    screen = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    browser.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
    browser.open(f"{served['own'].url}/en/home-{theme}.html")
    texts = browser.driver.execute_script(HIDE_TEXT)
    found = browser.driver.execute_async_script(CONTRAST, browser.driver.get_screenshot_as_base64(), texts)
    assert len(found) >= 7 and min(found) >= 4.5, found


@pytest.mark.parametrize("theme, color", [("light", "black"), ("dark", "white")])
def test_text_in_front_of_a_picture_of_the_operator_keeps_its_contrast(browser, directory, theme, color):
    (directory / "templates").mkdir()
    picture = f"data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'%3E%3Crect width='999' height='999' fill='{color}'/%3E%3C/svg%3E"
    (directory / "templates/backdrop.mustache").write_text(f'<img class="scenery" src="{picture}" alt="">\n')
    done = run("preview", directory / "pages", SIGNIN_TEMPLATES=str(directory / "templates"))
    assert (done.returncode, done.stderr) == (0, "")
    resize(browser, "large")
    browser.open(f"file://{directory}/pages/en/home-{theme}.html")
    texts = browser.driver.execute_script(HIDE_TEXT)
    found = browser.driver.execute_async_script(CONTRAST, browser.driver.get_screenshot_as_base64(), texts)
    assert len(found) == 8 and min(found) >= 4.5, found


DRAWING = """
    const {left, top, width, height} = document.querySelector('.scenery').getBoundingClientRect();
    return [left, top, width - document.documentElement.clientWidth, height - innerHeight];"""


def test_the_drawing_fills_the_window_except_with_more_contrast_forced_colors_and_in_print(browser, served):
    resize(browser, "large")
    # A page that scrolls.
    browser.open(f"{served['own'].url}/en/tokens-made-light.html")
    browser.driver.execute_script("scrollTo(0, 200)")
    assert browser.driver.execute_script(DRAWING) == [0, 0, 0, 0]
    for media, name, value in (("", "prefers-contrast", "more"), ("", "forced-colors", "active"), ("print", "prefers-contrast", "")):
        emulated = {"media": media, "features": [{"name": name, "value": value}]}
        browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", emulated)
        assert browser.driver.execute_script(DRAWING)[3] == -WIDTHS["large"][1], (media, name)
    browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": []})


OVERFLOW = """
    const [base, pages, done] = arguments, found = [];
    const frame = document.createElement('iframe');
    frame.style.height = '900px';
    document.body.append(frame);
    const isCut = element => {
        const style = frame.contentWindow.getComputedStyle(element);
        // A long link in its field can be scrolled and copied.
        if (element.id === 'link' || element.hidden || style.display === 'inline') return false;
        return element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0;
    };
    const check = name => {
        const page = frame.contentDocument;
        if (!page.querySelector('h1')) found.push([name, 'no heading']);
        for (const width of [320, 1280]) {
            frame.style.width = `${width}px`;
            if (page.documentElement.scrollWidth > width) found.push([name, width, 'scrolls']);
            for (const element of page.querySelectorAll('body *:not(.scenery *)')) {
                const box = element.getBoundingClientRect();
                if (box.right > width || box.left < 0) found.push([name, width, 'outside', element.outerHTML.slice(0, 100)]);
                if (isCut(element)) found.push([name, width, 'cut', element.outerHTML.slice(0, 100)]);
            }
        }
    };
    (async () => {
        frame.style.border = '0';
        for (const page of pages) {
            const loaded = new Promise(resolve => { frame.onload = resolve });
            frame.src = `${base}/${page}-light.html`;
            await loaded;
            check(page);
        }
        done(found);
    })();"""


@pytest.mark.extended
@pytest.mark.parametrize("brand", BRANDS)
def test_no_page_in_any_language_scrolls_sideways_or_cuts_text(browser, served, brand):
    site = served[brand]
    resize(browser, "large")
    browser.driver.set_script_timeout(120)
    browser.open(f"{site.url}/index.html")
    pages = [f"{language}/{name}" for language in LANGUAGES for name in site.names if not name.startswith("problem-")]
    # Error pages differ in their texts only, and German has the longest words.
    pages += [f"{language}/{name}" for language in ("de", "ja") for name in site.names if name.startswith("problem-")]
    if brand != "own":
        pages = [page for page in pages if page.startswith("de/")]
    assert browser.driver.execute_async_script(OVERFLOW, site.url, pages) == []


def test_the_check_of_small_screens_finds_a_heading_that_is_cut(folder, browser, served):
    text = (folder / "own/en/home-light.html").read_text()
    style = "<style>h1 { white-space: nowrap !important; overflow: hidden; }</style>"
    # Without its policy, which would reject another style sheet.
    (folder / "own/cut-light.html").write_text(re.sub("<meta http-equiv[^>]*>", style, text).replace("Sign in to", "Sign in with any of your accounts to"))
    browser.open(f"{served['own'].url}/index.html")
    found = browser.driver.execute_async_script(OVERFLOW, served["own"].url, ["cut"])
    assert [width for _, width, what, *_ in found if what == "cut"] == [320, 1280]


def test_on_a_phone_a_short_page_is_in_the_upper_middle_and_a_long_one_begins_at_the_top(browser, served):
    screen = {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": False}
    browser.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
    space = {}
    for name in ("home-without-links", "problem-account-not-allowed", "forget", "tokens-made"):
        browser.open(f"{served['own'].url}/en/{name}-light.html")
        space[name] = browser.driver.execute_script(
            """const main = document.querySelector('main').getBoundingClientRect(), all = document.documentElement.scrollHeight;
            return [document.querySelector('header').getBoundingClientRect().top, all - main.bottom, all]"""
        )
    for above, below, height in (space["home-without-links"], space["problem-account-not-allowed"]):
        assert height == 844 and 60 < above < below < 3 * above, space
    assert 40 < space["forget"][0] < 80 and 40 < space["tokens-made"][0] < 80 and space["tokens-made"][2] > 844, space


def test_on_a_phone_the_icon_of_a_button_is_beside_its_text_and_the_end_of_a_token_in_one_line(browser, served):
    def look(width):
        screen = {"width": width, "height": 844, "deviceScaleFactor": 1, "mobile": False}
        browser.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)

    # So narrow that the text has two lines.
    look(250)
    browser.open(f"{served['own'].url}/fr/home-light.html")
    lines, gap = browser.driver.execute_script(
        """const range = document.createRange(), button = document.querySelector('.signin');
        range.selectNode(button.lastChild);
        const lines = [...range.getClientRects()], icon = button.querySelector('.mark').getBoundingClientRect();
        return [lines.length, Math.min(...lines.map(line => line.left)) - icon.right]"""
    )
    assert lines > 1 and 0 < gap < 16
    look(390)
    browser.open(f"{served['own'].url}/en/tokens-made-light.html")
    assert browser.driver.execute_script(
        """const [name, ending] = document.querySelectorAll('.token h2 > *');
        return [...Array(40).keys()].filter(length => {
            name.textContent = 'n '.repeat(length) + 'x';
            return ending.getClientRects().length > 1;
        })"""
    ) == []


@pytest.mark.extended
@needs_axe
@pytest.mark.parametrize("brand", BRANDS)
def test_axe_finds_nothing_on_the_pages_of_a_preview(browser, served, brand):
    site = served[brand]
    names = [name for name in site.names if not name.startswith("problem-")] + PROBLEMS
    found = {}
    # A color and a logo change nothing that only one of these pages has.
    for name in names if brand == "own" else BRANDED:
        for theme in THEMES:
            for size in WIDTHS if theme == "light" else ["large"]:
                resize(browser, size)
                browser.open(f"{site.url}/en/{name}-{theme}.html")
                found[name, theme, size] = violations(browser)
                browser.screenshot(f"{brand}-{name}-{theme}-{size}")
    browser.open(f"{site.url}/index.html")
    found["index"] = violations(browser)
    assert len(found) > 15 and {page: faults for page, faults in found.items() if faults} == {}

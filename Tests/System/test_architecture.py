"""docs/architecture.md is true: the map equals Package.swift, and each named file declares what the page says."""

import re

import pytest

from harness.process import REPOSITORY

TARGET = re.compile(r'^        \.(target|executableTarget|systemLibrary)\(\s*name: "([\w-]+)"(.*?)(?=^        (?:\.|//)|^    \])', re.M | re.S)
ROW = re.compile(r"^\| `([\w-]+)` \| (.*?) \| ?(.*?) ?\|$", re.MULTILINE)
PLACE = re.compile(r"`([\w-]+)/([\w+-]+\.swift)`((?:,? `\w+`)*)")
KIND = r"(?:func|init|struct|class|enum|actor|protocol|typealias|case|let|var)"


def page():
    return (REPOSITORY / "docs/architecture.md").read_text()


def targets(manifest):
    """The targets below Sources, each with the targets and packages that it depends on."""
    found = {}
    for _, name, rest in TARGET.findall(manifest):
        if 'path: "' in rest:
            continue
        list_of_dependencies = (re.search(r"dependencies: \[(.*?)\]", rest, re.S) or ["", ""])[1]
        packages = set(re.findall(r'package: "([\w-]+)"', list_of_dependencies))
        own = re.sub(r"\.product\(.*?\)", "", list_of_dependencies, flags=re.S)
        found[name] = set(re.findall(r'"([\w-]+)"', own)) | packages
    return found


def rows(section):
    text = page().partition(f"## {section}\n")[2].partition("\n## ")[0]
    return {name: (sentence, set(re.findall(r"`([\w-]+)`", needs))) for name, sentence, needs in ROW.findall(text)}


def test_the_map_equals_the_manifest():
    manifest = targets((REPOSITORY / "Package.swift").read_text())
    assert len(manifest) > 10
    assert {name: needs for name, (_, needs) in rows("Map").items()} == manifest


def test_the_map_lists_a_target_after_everything_it_depends_on():
    seen = set()
    for name, (sentence, needs) in rows("Map").items():
        assert needs & set(rows("Map")) <= seen, f"{name} comes before {needs - seen}"
        assert sentence.count(".") <= 1 and len(sentence) > 20, sentence
        seen.add(name)


def test_the_manifest_is_read_completely():
    names = {path.name for path in (REPOSITORY / "Sources").iterdir() if path.is_dir()}
    assert set(targets((REPOSITORY / "Package.swift").read_text())) == names


def declares(text, name):
    return re.search(rf"\b{KIND} {name}\b|\b{name}\(" if name == "init" else rf"\b{KIND} {name}\b", text)


@pytest.mark.parametrize("section", ["GET /auth", "One session id", "Reload", "The FastCGI engine"])
def test_every_named_file_declares_the_named_parts(section):
    text = page().partition(f"## {section}\n")[2].partition("\n## ")[0]
    places = PLACE.findall(text)
    assert len(places) >= 5, section
    for target, file, parts in places:
        paths = list((REPOSITORY / "Sources" / target).rglob(file))
        assert len(paths) == 1, f"{target}/{file}"
        for part in re.findall(r"`(\w+)`", parts):
            assert declares(paths[0].read_text(), part), f"{target}/{file} does not declare {part}"


def test_every_word_of_the_glossary_is_used():
    text = page().partition("## Words\n")[2].partition("\n## ")[0]
    words = re.findall(r"^\| \*(.*?)\* \|", text, re.MULTILINE)
    assert len(words) >= 15
    everything = "\n".join(path.read_text() for path in [REPOSITORY / "README.md", *(REPOSITORY / "docs").glob("*.md")])
    for word in words:
        assert everything.lower().count(word) > 1, word


def folders(target):
    """For each folder of a target, the other folders whose types it uses. The folder of the target itself is left out."""
    files = [path for path in target.glob("*/**/*.swift")]
    # Without comments and without texts, except those with interpolations.
    texts = {path: re.sub(r'//.*|"[^"\\\n]*"', "", path.read_text()) for path in files}
    owner = {}
    for path, text in texts.items():
        for name in re.findall(r"^(?:package )?(?:final )?(?:struct|class|enum|actor|protocol) (\w+)", text, re.M):
            owner[name] = path.relative_to(target).parts[0]
    uses = {folder: set() for folder in owner.values()}
    for path, text in texts.items():
        folder = path.relative_to(target).parts[0]
        own = set(re.findall(r"\b(?:struct|class|enum|actor|protocol) (\w+)", text))
        used = {owner[name] for name in set(re.findall(r"\b[A-Z]\w+\b", text)) - own if name in owner}
        uses.setdefault(folder, set()).update(used - {folder})
    return uses


@pytest.mark.parametrize("target", sorted(path.name for path in (REPOSITORY / "Sources").iterdir()))
def test_folders_of_a_target_have_no_cycles(target):
    uses = folders(REPOSITORY / "Sources" / target)
    while uses:
        free = [folder for folder, needs in uses.items() if not needs & set(uses)]
        assert free, f"cycle between {uses}"
        for folder in free:
            del uses[folder]

"""docs/architecture.md is true: the map equals Package.swift, and each named file declares what the page says."""

import re

import pytest

from harness.process import REPOSITORY

TARGET = re.compile(r'^        \.(target|executableTarget|systemLibrary)\(\s*name: "([\w-]+)"(.*?)(?=^        (?:\.|//)|^    \])', re.M | re.S)
ROW = re.compile(r"^\| `([\w-]+)` \| (.*?) \| ?(.*?) ?\|$", re.MULTILINE)
PLACE = re.compile(r"`([\w-]+(?:/[\w-]+)*/[\w+-]+\.swift)`((?:,? `\w+`)*)")
SECTIONS = ["GET /auth", "One session id", "The contract of a store", "Where a provider plugs in", "The features of the site", "Reload", "The FastCGI engine"]
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


def test_the_protocol_names_no_provider():
    for path in (REPOSITORY / "Sources/OpenID").rglob("*.swift"):
        assert "linkedin" not in path.read_text().lower(), path


def declares(text, name):
    return re.search(rf"\b{KIND} {name}\b|\b{name}\(" if name == "init" else rf"\b{KIND} {name}\b", text)


@pytest.mark.parametrize("section", SECTIONS)
def test_every_named_file_declares_the_named_parts(section):
    text = page().partition(f"## {section}\n")[2].partition("\n## ")[0]
    places = PLACE.findall(text)
    assert len(places) >= 5, section
    for place, parts in places:
        for part in re.findall(r"`(\w+)`", parts):
            assert declares((REPOSITORY / "Sources" / place).read_text(), part), f"{place} does not declare {part}"


def test_every_path_of_the_page_exists():
    paths = re.findall(r"`([\w.+-]+(?:/[\w.+-]+)*/[\w+-]+\.\w+)[`:]", page())
    assert len(paths) > 50
    roots = REPOSITORY / "Sources", REPOSITORY
    assert sorted({path for path in paths if not any((root / path).is_file() for root in roots)}) == []


def test_every_word_of_the_glossary_is_used():
    text = page().partition("## Words\n")[2].partition("\n## ")[0]
    words = re.findall(r"^\| \*(.*?)\* \|", text, re.MULTILINE)
    assert len(words) >= 15
    everything = "\n".join(path.read_text() for path in [REPOSITORY / "README.md", *(REPOSITORY / "docs").glob("*.md")])
    for word in words:
        assert everything.lower().count(word) > 1, word


def test_the_list_of_pages_has_every_page():
    texts = {path.name: path.read_text() for path in (REPOSITORY / "Sources/Pages/Pages").glob("*.swift")}
    pages = {name for text in texts.values() for name in re.findall(r"^(?:struct|extension) (\w+): PageContent\b", text, re.M)}
    assert len(pages) > 5
    assert set(re.findall(r"^        (\w+)\.self,$", texts["Page.swift"], re.M)) == pages


TYPE = re.compile(r"^ *(?:(?:public|package|private|fileprivate|final|indirect) )*(?:struct|class|enum|actor|protocol) (\w+)", re.M)
EXTENSION = re.compile(r"^(?:package |private )?extension (\w+)\b.*?\{\n(.*?)^\}", re.M | re.S)
MEMBER = re.compile(r"^    (?:(?:package|static|mutating|nonisolated) )*(?:func|var) (\w+)", re.M)
TOP = "the target's own folder"
# Each pair (folder, folder that it uses) closes a circle today. A pair that no longer exists fails the test too.
KNOWN_CIRCLES = {
    "WebServerConfiguration": {("Reading", TOP): "a review names the web server and the location that it was asked about"},
    "linkedin-signin": {("Monitoring", TOP): "the metrics have the version, and one file names it"},
    "linkedin-simulator": {
        ("API", TOP): "endpoints receive a Request, which knows its fault",
        ("Control", TOP): "controls change the settings of the simulator",
        ("OAuth", TOP): "endpoints receive a Request, which knows its fault",
        ("Pages", TOP): "pages are made from a Request",
    },
}


def folders(target):
    """For each folder of a target, the other folders whose types or extensions it uses."""
    # Without comments and without texts, except those with interpolations.
    texts = {path: re.sub(r'//.*|"[^"\\\n]*"', "", path.read_text()) for path in target.rglob("*.swift")}
    folder = {path: (path.relative_to(target).parts[:-1] or (TOP,))[0] for path in texts}
    declaring = {}
    for path, text in texts.items():
        for name in TYPE.findall(text):
            declaring.setdefault(name, set()).add(folder[path])
    # A name that types of several folders have, such as the nested type Fault, names no folder.
    types = {name: min(homes) for name, homes in declaring.items() if len(homes) == 1}
    members, uses = {}, {name: set() for name in folder.values()}
    for path, text in texts.items():
        for extended, body in EXTENSION.findall(text):
            for name in MEMBER.findall(body) if types.get(extended, folder[path]) != folder[path] else []:
                members.setdefault(name, set()).add(folder[path])
    for path, text in texts.items():
        used = {types[name] for name in set(re.findall(r"\b[A-Z]\w+\b", text)) - set(TYPE.findall(text)) if name in types}
        # A name that several folders give to a member, or that a type of its own also has, names no folder.
        for name in set(re.findall(r"(?:\.|\bawait |\btry )(\w+)\b", text)) & set(members):
            if len(members[name]) == 1 and declared(texts, name) == 1:
                used |= members[name]
        uses[folder[path]] |= used - {folder[path]}
    return uses


def declared(texts, name):
    return sum(len(re.findall(rf"\b(?:func|var|let|case) {name}\b", text)) for text in texts.values())


@pytest.mark.parametrize("target", sorted(path.name for path in (REPOSITORY / "Sources").iterdir()))
def test_folders_of_a_target_have_no_cycles(target):
    uses, known = folders(REPOSITORY / "Sources" / target), KNOWN_CIRCLES.get(target, {})
    for folder, needed in known:
        assert needed in uses.get(folder, ()), f"{folder} no longer uses {needed}: remove the pair from KNOWN_CIRCLES"
        uses[folder].discard(needed)
    assert circles(uses) == {}


def circles(uses):
    """The folders that use each other in a circle, and those that use such a folder."""
    while free := [folder for folder, needs in uses.items() if not needs & set(uses)]:
        uses = {folder: needs for folder, needs in uses.items() if folder not in free}
    return uses


@pytest.mark.parametrize(
    "leaf, calls_leaf",
    [
        ("struct Leaf {\n    var hub: Hub\n}\n", "let leaf: Leaf"),
        ("extension Hub {\n    func finish() {}\n}\n", "func begin() { self.finish() }"),
    ],
)
def test_a_circle_between_two_folders_is_found_also_if_one_of_them_extends_a_type_of_the_other(tmp_path, leaf, calls_leaf):
    for name in ("Hubs", "Leaves"):
        (tmp_path / name).mkdir()
    (tmp_path / "Leaves/Leaf.swift").write_text(leaf)
    (tmp_path / "Hubs/Hub.swift").write_text("struct Hub {\n}\n")
    assert circles(folders(tmp_path)) == {}
    (tmp_path / "Hubs/Hub.swift").write_text(f"struct Hub {{\n    {calls_leaf}\n}}\n")
    assert circles(folders(tmp_path)) == {"Hubs": {"Leaves"}, "Leaves": {"Hubs"}}

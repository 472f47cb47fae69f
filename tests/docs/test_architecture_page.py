"""docs/architecture.md is true: it names every folder, what it names exists, and its three paths can be followed."""

import ast
import functools
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
PACKAGE = ROOT / "src" / "recollect"
PAGE = ROOT / "docs" / "architecture.md"
MOST_HOPS = 25
PAGES = [
    "README.md",
    "AGENTS.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    *(f"docs/{p.name}" for p in PAGE.parent.glob("*.md")),
]
PAGES = [page for page in PAGES if (ROOT / page).exists()]
# First parts of paths that are checked; any other path in a page is one of the user's (`.claude/memory`).
FOLDERS = {path.name for path in PACKAGE.iterdir() if path.is_dir() and path.name != "__pycache__"}
OUTSIDE = ("src", "tests", "docs", "bench", "scripts", "packages", "plugins", ".github")


def module_folders() -> list[str]:
    """Every folder of the package that holds modules, and the folder of assets."""
    found = {path.parent.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*.py")} - {"."}
    return sorted({*found, "assets"})


def named_paths(text: str) -> set[str]:
    """The paths in a page's code spans that lie in this repository: any module, and whatever is in a known folder."""
    spans = [span for span in re.findall(r"`([^`\s]+)`", text) if re.fullmatch(r"[\w.-]+(/[\w.-]*)+", span)]
    return {span for span in spans if span.endswith(".py") or span.partition("/")[0] in (*OUTSIDE, *FOLDERS)}


def exists(span: str) -> bool:
    """Whether a path is one of the package or of the repository; a module may stand without its ending."""
    return any((base / (span.rstrip("/") + ending)).exists() for base in (PACKAGE, ROOT) for ending in ("", ".py"))


@pytest.mark.parametrize("page", PAGES)
def test_every_path_that_a_page_names_exists(page):
    text = re.sub(r"^```.*?^```", "", (ROOT / page).read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    missing = sorted(span for span in named_paths(text) if not exists(span))
    assert missing == []


def test_every_folder_is_named_on_the_page():
    text = PAGE.read_text("utf-8")
    headings = " ".join(re.findall(r"^#+ .*", text, re.MULTILINE))
    missing = [
        folder
        for folder in module_folders()
        if f"`{folder}/`" not in text and not re.search(rf"(^|[ ,]){folder}/", headings)
    ]
    assert missing == []


def test_every_top_folder_has_a_heading_with_a_question():
    headings = [line for line in PAGE.read_text("utf-8").splitlines() if re.match(r"### .*/", line)]
    assert all(line.endswith("?") for line in headings)
    asked = {name for line in headings for name in re.findall(r"([a-z_]+)/", line)}
    assert asked == FOLDERS - {"hot"}, "hot/ is a shim, and named under hooks/"


def test_every_module_beside_the_folders_is_named():
    text = PAGE.read_text("utf-8")
    assert [
        path.name for path in PACKAGE.glob("*.py") if path.stem != "__init__" and f"`{path.name}`" not in text
    ] == []


# -- the three paths -----------------------------------------------------------------------------------------------


def paths() -> dict[str, list[str]]:
    """The hops of each path: the module that each numbered line begins with."""
    found: dict[str, list[str]] = {}
    for section in re.split(r"^## ", PAGE.read_text("utf-8"), flags=re.MULTILINE):
        if section.startswith("Path "):
            found[section.splitlines()[0]] = re.findall(r"^\d+\. `([\w/]+\.py)`: ", section, re.MULTILINE)
    return found


def test_there_are_three_paths_of_at_most_25_hops():
    assert len(paths()) == 3
    assert {name: len(hops) for name, hops in paths().items() if not 10 <= len(hops) <= MOST_HOPS} == {}


@pytest.mark.parametrize("name", list(paths()))
def test_each_hop_is_imported_loaded_or_wired_by_one_before_it(name):
    hops = paths()[name]
    unreached = [
        hop
        for number, hop in enumerate(hops)
        if number and not any(hop in reached(earlier) for earlier in hops[:number])
    ]
    assert unreached == []


def test_a_hop_that_nothing_leads_to_is_noticed():
    hops = next(iter(paths().values()))
    assert not any("interop/scrub.py" in reached(hop) for hop in hops)


@functools.cache
def reached(module: str) -> frozenset[str]:
    """The modules that a module imports, or names in a string: a table of handlers, `load("…")`, `python -m …`."""
    if not (PACKAGE / module).is_file():  # another test names it
        return frozenset()
    tree = ast.parse((PACKAGE / module).read_text("utf-8"))
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("recollect"):
            names.update({node.module, *(f"{node.module}.{alias.name}" for alias in node.names)})
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and re.fullmatch(r"[a-z_.]+", node.value):
            beside = ".".join(("recollect", *Path(module).parent.parts))
            dotted = node.value.removeprefix("recollect.").rstrip(".")
            names.update({f"recollect.{dotted}", f"recollect.{dotted.rpartition('.')[0]}", f"{beside}.{dotted}"})
            if node.value.startswith("recollect.") and node.value.endswith("."):  # load(f"recollect.clients.{name}")
                names.update(f"recollect.{dotted}.{path.stem}" for path in (PACKAGE / dotted).glob("*.py"))
    return frozenset(found for dotted in names for found in _files(dotted))


def _files(dotted: str) -> list[str]:
    """The file of a dotted name; of a package also what its `__init__` imports."""
    path = PACKAGE.joinpath(*dotted.split(".")[1:])
    if path.with_suffix(".py").is_file():
        return [path.with_suffix(".py").relative_to(PACKAGE).as_posix()]
    if path != PACKAGE and (path / "__init__.py").is_file():
        return list(reached((path / "__init__.py").relative_to(PACKAGE).as_posix()))
    return []

"""Versions that a text states: `react 18.2.0`, `pydantic==2.7`, `pnpm@9`, "since Django 4.2"."""

import re
from collections.abc import Mapping, Sequence

from recollect.policy.verdicts.text_spans import Span, mask, words

NUMBER = r"v?\d+(?:\.(?:\d+|x))+(?:[-.]?(?:rc|alpha|beta|dev|post)[.\d]*)?"
PACKAGE = r"@?[A-Za-z][\w.-]*(?:/[\w.-]+)?"
STATED = re.compile(
    rf"(?<![\w./@-])(?P<name>{PACKAGE})(?P<sign>\s*(?:===?|>=|~=|\^|~|@)\s*|\s+(?:version\s+)?|`?\s+`?)"
    rf"(?P<number>{NUMBER}|(?<=[@=])v?\d+|v\d+)(?![\w.]*[\w-])(?P<plus>\+)?"
)
SINCE = re.compile(
    r"(?:since|from|at least|>=|≥|after|newer than|minimum|requires?|needs?)\s*(?:version\s+)?[`'\"]?$", re.IGNORECASE
)
LATER = re.compile(r"\s*(?:\+|or (?:later|newer|higher|above)|and (?:later|newer|up|above)|onwards)", re.IGNORECASE)
UNNAMED = words(
    "version versions release tag since from to at in is was on of the and or with for by under over python3 port about"
    " step section figure table page chapter rfc http https ipv tls ssl ipv4 ipv6 took than api line lines"
)
Stated = tuple[str, str, bool, Span]


def found(text: str) -> tuple[list[Stated], str]:
    """Return name, number, whether later ones are meant too, and the place of each; and the text without them."""
    stated: list[Stated] = []
    for match in STATED.finditer(text):
        name = match["name"].rstrip(".")
        if name.lower() in UNNAMED or name[0].isdigit():
            continue
        before, after = text[: match.start()], text[match.end() :]
        is_at_least = ">" in match["sign"] or bool(match["plus"] or SINCE.search(before) or LATER.match(after))
        stated.append((name, match["number"].removeprefix("v"), is_at_least, Span(*match.span(), match[0])))
    return stated, mask(text, [span for *_, span in stated])


def key(name: str) -> str:
    """Return a package's name as it is compared: lower case, with hyphens."""
    return re.sub(r"[-_.]+", "-", name).lower()


def locked(known: Mapping[str, Sequence[str]], name: str) -> Sequence[str]:
    """Return the versions at which a package is locked or required; empty for a package that is not used."""
    return known.get(key(name), ())


def matches(stated: str, locked_at: str, *, is_at_least: bool) -> bool:
    """Return whether a stated version is the locked one: equal as far as it is stated, or not above it."""
    wanted, has = _numbers(stated), _numbers(locked_at)
    if is_at_least:
        return has >= wanted
    shared = min(len(wanted), len(has))
    return wanted[:shared] == has[:shared]


def _numbers(version: str) -> list[int]:
    return [int(part) for part in re.findall(r"\d+", version.partition("-")[0].partition("+")[0])]


# -- what lock files and manifests say ---------------------------------------------------------------------------------

TOML_LOCK = re.compile(r'\[\[package\]\]\s*\nname = "([^"\n]+)"\s*\nversion = "([^"\n]+)"')
NPM_LOCK = re.compile(r'"(?:node_modules/)?((?:@[\w.-]+/)?[\w.-]+)":\s*\{\s*"version":\s*"([^"\n]+)"')
YARN_LOCK = re.compile(r'^"?((?:@[\w.-]+/)?[\w.-]+)@[^\n]*:\n\s+version:?\s+"?([^"\n]+)"?', re.MULTILINE)
PNPM_LOCK = re.compile(r"^\s+'?/?((?:@[\w.-]+/)?[\w.-]+)[@/](\d[\w.-]*)(?:\([^\n]*\))?'?:", re.MULTILINE)
REQUIREMENT = re.compile(r"^\s*([A-Za-z][\w.-]*)(?:\[[^\]]*\])?\s*==\s*([\w.]+)", re.MULTILINE)
GO_MOD = re.compile(r"^\s*(?:require\s+)?((?:[\w.-]+/)*[\w.-]+)\s+v(\d[\w.+-]*)", re.MULTILINE)
GEM_LOCK = re.compile(r"^    ([\w-]+) \((\d[\w.]*)\)", re.MULTILINE)
JSON_DEPENDENCY = re.compile(r'"((?:@[\w.-]+/)?[\w.-]+)":\s*"(?:\^|~|=|v)?(\d+(?:\.\d+)*[\w.-]*)"')
PINNED_TOML = re.compile(r'"([A-Za-z][\w.-]*)(?:\[[^\]]*\])?\s*(?:==|~=)\s*([\w.]+)[^"]*"')
TOML_DEPENDENCY = re.compile(
    r'^([A-Za-z][\w.-]*)\s*=\s*(?:\{[^}\n]*version\s*=\s*)?"(?:\^|~|=)?(\d+(?:\.\d+)*)"', re.MULTILINE
)
RUNTIMES = {".python-version": "python", ".nvmrc": "node", ".node-version": "node", ".ruby-version": "ruby",
            ".go-version": "go", "rust-toolchain": "rust"}  # fmt: skip
TOOL_VERSIONS = re.compile(r"^([\w-]+)\s+(\d[\w.]*)", re.MULTILINE)
READERS = {
    "uv.lock": TOML_LOCK, "poetry.lock": TOML_LOCK, "pdm.lock": TOML_LOCK, "Cargo.lock": TOML_LOCK,
    "package-lock.json": NPM_LOCK, "npm-shrinkwrap.json": NPM_LOCK, "yarn.lock": YARN_LOCK,
    "pnpm-lock.yaml": PNPM_LOCK, "go.mod": GO_MOD, "Gemfile.lock": GEM_LOCK, ".tool-versions": TOOL_VERSIONS,
    "Pipfile.lock": re.compile(r'"([\w.-]+)":\s*\{[^{}]*?"version":\s*"==([^"\n]+)"'),
    "composer.lock": re.compile(r'"name":\s*"([^"\n]+)",\s*"version":\s*"v?([^"\n]+)"'),
    "package.json": JSON_DEPENDENCY, "pyproject.toml": PINNED_TOML, "Cargo.toml": TOML_DEPENDENCY,
}  # fmt: skip
LOCKS = frozenset(name for name in READERS if name not in ("package.json", "pyproject.toml", "Cargo.toml"))


def is_version_file(name: str) -> bool:
    """Return whether a file of this name states versions."""
    return name in READERS or name in RUNTIMES or _is_requirements(name)


def _is_requirements(name: str) -> bool:
    return name.startswith("requirements") and name.endswith((".txt", ".in"))


def read_versions(files: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """Return the versions of each package from files by their paths; lock files go before manifests."""
    by_lock: dict[str, dict[str, None]] = {}
    by_manifest: dict[str, dict[str, None]] = {}
    for path, text in files.items():
        name = path.rpartition("/")[2]
        kept = by_lock if name in LOCKS or name in RUNTIMES else by_manifest
        for package, version in _pairs(name, text):
            kept.setdefault(key(package), {})[version] = None
            if name == "go.mod" and "/" in package:  # "chi v5.1" is said of github.com/go-chi/chi/v5
                short = re.sub(r"/v\d+$", "", package).rpartition("/")[2]
                kept.setdefault(key(short), {})[version] = None
    return {name: tuple(found) for name, found in (by_manifest | by_lock).items()}


def _pairs(name: str, text: str) -> list[tuple[str, str]]:
    if name in RUNTIMES:
        stated = re.search(r"\d+(?:\.\d+)*", text)
        return [(RUNTIMES[name], stated[0])] if stated else []
    reader = REQUIREMENT if _is_requirements(name) else READERS.get(name)
    return [(found[0], found[1]) for found in reader.findall(text)] if reader else []

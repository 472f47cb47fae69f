"""The commands that a project defines: targets of Makefiles, scripts of package.json and pyproject.toml, recipes."""

import re
from collections.abc import Mapping

TARGET = re.compile(r"^([A-Za-z][\w./-]*(?:[ \t]+[A-Za-z][\w./-]*)*)[ \t]*::?(?!=)", re.MULTILINE)
RECIPE = re.compile(r"^@?([A-Za-z][\w-]*)(?:[ \t]+[^:=\n]*)?:(?!=)", re.MULTILINE)
NPM_SCRIPTS = re.compile(r'"scripts"\s*:\s*\{(.*?)\}', re.DOTALL)
NPM_SCRIPT = re.compile(r'"([^"\n]+)"\s*:\s*"')
PYTHON_TABLE = re.compile(
    r"^\[(?:project\.(?:gui-)?scripts|tool\.poetry\.scripts|tool\.pdm\.scripts|tool\.poe\.tasks|tool\.hatch[\w.]*scripts)\]\s*\n"
    r"(.*?)(?=^\[|\Z)", re.MULTILINE | re.DOTALL,
)  # fmt: skip
PYTHON_SCRIPT = re.compile(r'^"?([A-Za-z][\w:.-]*)"?\s*=', re.MULTILINE)
PRE_COMMIT_NAMES = frozenset({"package.json", "pyproject.toml"})
MAKEFILES = frozenset({"Makefile", "makefile", "GNUmakefile"})
JUSTFILES = frozenset({"justfile", "Justfile", ".justfile"})


def is_script_file(name: str) -> bool:
    """Return whether a file of this name defines commands."""
    return name in MAKEFILES or name in JUSTFILES or name in PRE_COMMIT_NAMES or name.endswith(".mk")


def read_scripts(files: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """Return, by runner, the commands that files define, each with the path of its file."""
    found: dict[str, dict[str, str]] = {"make": {}, "npm": {}, "just": {}, "python": {}}
    for path, text in files.items():
        name = path.rpartition("/")[2]
        if name in MAKEFILES or name.endswith(".mk"):
            names = [part for match in TARGET.findall(text) for part in match.split()]
            found["make"] |= dict.fromkeys(names, path)
        elif name in JUSTFILES:
            found["just"] |= dict.fromkeys(RECIPE.findall(text), path)
        elif name == "package.json":
            block = NPM_SCRIPTS.search(text)
            found["npm"] |= dict.fromkeys(NPM_SCRIPT.findall(block[1]) if block else (), path)
        elif name == "pyproject.toml":
            blocks = PYTHON_TABLE.findall(text)
            found["python"] |= {script: path for block in blocks for script in PYTHON_SCRIPT.findall(block)}
    return found


def is_definition(runner: str, name: str, path: str, line: str) -> bool:
    """Return whether a line of a file defines a command of a runner."""
    base, quoted = path.rpartition("/")[2], re.escape(name)
    if runner in ("make", "just"):
        is_file = base in MAKEFILES | JUSTFILES or base.endswith(".mk")
        return is_file and bool(re.match(rf"@?(?:[\w./-]+\s+)*{quoted}(?:\s[^:=]*)?:(?!=)", line))
    if runner == "npm":
        return base == "package.json" and bool(re.match(rf'\s*"{quoted}"\s*:\s*"', line))
    return base == "pyproject.toml" and bool(re.match(rf'"?{quoted}"?\s*=', line))

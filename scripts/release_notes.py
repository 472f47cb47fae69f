"""Print the changelog section of a release: `python scripts/release_notes.py v0.2.0`.

Exits with 1 if the tag, pyproject.toml (of both distributions), the program's version or the changelog disagree.
"""

import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent
PROJECTS = (ROOT / "pyproject.toml", ROOT / "packages" / "recollect-eval-data" / "pyproject.toml")


def versions() -> dict[str, str]:
    """Return the version that each file declares, by the file's path."""
    found = {
        path.relative_to(ROOT).as_posix(): tomllib.loads(path.read_text("utf-8"))["project"]["version"]
        for path in PROJECTS
    }
    module = ROOT / "src" / "recollect" / "__init__.py"
    declared = re.search(r'^__version__ = "(.+)"$', module.read_text("utf-8"), re.MULTILINE)
    return found | {module.relative_to(ROOT).as_posix(): declared[1] if declared else ""}


def notes(version: str) -> str:
    """Return the changelog's section of a version, without its heading; empty if there is none."""
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    pattern = rf"^## \[{re.escape(version)}\] - \d{{4}}-\d\d-\d\d\n(.*?)(?=^## |\Z)"
    section = re.search(pattern, changelog, re.MULTILINE | re.DOTALL)
    return section[1].strip() if section else ""


def main(tag: str) -> None:
    """Print the notes of a tag, or end with what disagrees."""
    version = tag.removeprefix("v")
    others = {path: declared for path, declared in versions().items() if declared != version}
    if others or not tag.startswith("v"):
        sys.exit(f"the tag {tag} disagrees with {others}")
    if not notes(version):
        sys.exit(f"CHANGELOG.md has no section [{version}] with a date")
    print(notes(version))


if __name__ == "__main__":
    main(sys.argv[1])

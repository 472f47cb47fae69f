"""Read settings files: regular files below their project, of a bounded length and depth."""

import json
import re
import tomllib
from pathlib import Path
from typing import Any

from recollect import foreign_files

KEY_PARTS = 32
# A dotted key costs Python's TOML reader the square of its parts: one of 50,000 parts takes a minute.
_PART = r"(?:[A-Za-z0-9_-]++|\"[^\"\n]{0,200}+\"|'[^'\n]{0,200}+')"
_DEEP_KEY = re.compile(rf"(?<![A-Za-z0-9_-]){_PART}(?:[ \t]*+\.[ \t]*+{_PART}){{{KEY_PARTS},}}")


def text(path: Path, root: Path | None = None) -> str:
    """Return a settings file's text; with `root`, only of a file that lies below it.

    Raises FileNotFoundError or NotADirectoryError where there is none, OSError where it cannot be read, and
    UnicodeDecodeError where it is not UTF-8.
    """
    data = foreign_files.read(str(path), root=str(root or ""), most_bytes=foreign_files.SETTINGS_BYTES)
    return data.decode("utf-8-sig")


def toml(path: Path, root: Path | None = None) -> dict[str, Any]:
    """Return what a TOML file says. Raises as `text` does, ValueError where it is not TOML, RecursionError."""
    return parse_toml(text(path, root))


def parse_toml(source: str) -> dict[str, Any]:
    """Return what a TOML text says; raises ValueError where it is not TOML, RecursionError."""
    if _DEEP_KEY.search(source):
        raise ValueError(f"a key has more than {KEY_PARTS} parts")
    return tomllib.loads(source)


def json_object(source: str) -> dict[str, Any]:
    """Return the JSON object that a text holds; empty for another value. Raises ValueError and RecursionError."""
    found = json.loads(source)
    return found if isinstance(found, dict) else {}

"""What a change of a memory changed, as lines: for histories that people read."""

import difflib
from collections.abc import Iterator, Mapping
from typing import Any

# What a reader does not look for in a history: it follows from the rest, or changes with every use.
UNTOLD = {"uid", "content", "updated_at", "created_at", "edits", "times_revised", "usage", "closed_at", "derived_from"}
SIGNS = "+-"


def differences(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines that a change removed and added, behind `-` and `+`; of a new or erased memory all it says."""
    if not before or not after:
        sign, image = ("+", after) if after else ("-", before)
        title = image.get("title", "")
        said = (line for line in _content_lines(image) if line.partition(": ")[2].rstrip(".") != title.rstrip("."))
        yield from (f"{sign}{line}" for line in (f"title: {title}", *said))
        return
    for line in difflib.unified_diff(list(_lines(before)), list(_lines(after)), lineterm="", n=0):
        if line[0] in SIGNS and not line.startswith(("+++", "---")):
            yield line


def content_lines(value: object) -> list[str]:
    """Return the value of a field as lines: items of a list behind a hyphen."""
    if isinstance(value, list):
        return [f"- {'; '.join(content_lines(part))}" for part in value]
    if isinstance(value, dict):
        return [f"{name}: {'; '.join(content_lines(part))}" for name, part in value.items()]
    return [str(value)]


def _lines(image: Mapping[str, Any]) -> Iterator[str]:
    """Yield a memory as lines `field: value`; a text of several lines gives several."""
    for name, value in image.items():
        if name not in UNTOLD:
            yield f"{name}: {', '.join(map(str, value)) if isinstance(value, list) else value}"
    yield from _content_lines(image)
    yield from (f"{name}: {value}" for name, value in (image.get("usage") or {}).items() if name == "pinned")


def _content_lines(image: Mapping[str, Any]) -> Iterator[str]:
    """Yield the content of a memory as lines `field: value`."""
    for name, value in (image.get("content") or {}).items():
        for text in content_lines(value) if value is not None else ():
            yield from (f"{name}: {line}" for line in text.splitlines() if line.strip())

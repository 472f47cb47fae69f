"""Find Claude's own notes in `.claude/memory`, and propose a vault folder that does not collide with them."""

import itertools
import json
import os
from collections.abc import Iterator
from pathlib import Path

from recollect import foreign_files
from recollect.formats import memory_folder
from recollect.vault.layouts import JSON_ROOT

OTHER_ROOT = ".recollect/memory"
MOST_NOTES = 200
MOST_BYTES = 5_000_000


def claude_notes_in(root: Path) -> list[str]:
    """Return the Markdown files below `.claude/memory` that are not claude-memory's index: `MEMORY.md`, topic files.

    Paths are from `.claude/memory`, sorted, at most 200 of them; links are not followed. Empty where there are none.
    """
    folder = root / JSON_ROOT
    names = sorted(itertools.islice(_markdown(folder), MOST_NOTES + 1))
    index = memory_folder.INDEX
    return [name for name in names if name != index or not memory_folder.is_index(_read(folder, index))][:MOST_NOTES]


def propose_root(root: Path) -> str:
    """Return the vault's root that `init` should propose, as `vault.root` has it.

    `.claude/memory`, unless Claude's notes are there and claude-memory is not: then `.recollect/memory`.
    """
    return OTHER_ROOT if claude_notes_in(root) and not holds_vault(root) else JSON_ROOT


def holds_vault(root: Path) -> bool:
    """Return whether `.claude/memory` is claude-memory's: it has its index, its configuration, or records of a kind."""
    folder = root / JSON_ROOT
    if memory_folder.is_index(_read(folder, memory_folder.INDEX)):
        return True
    try:
        config = json.loads(_read(folder, memory_folder.CONFIG))
    except (ValueError, RecursionError):
        config = None
    has_config = isinstance(config, dict) and not memory_folder.CONFIG_KEYS.isdisjoint(config)
    return has_config or any(_holds_records(folder / name) for name in memory_folder.CATEGORIES)


def _holds_records(folder: Path) -> bool:
    try:
        return folder.is_dir() and any(name.endswith(".json") for name in map(str, folder.iterdir()))
    except OSError:
        return False


def _markdown(folder: Path) -> Iterator[str]:
    for place, _, names in os.walk(folder):
        for name in names:
            if memory_folder.is_markdown(name):
                yield (Path(place) / name).relative_to(folder).as_posix()


def _read(folder: Path, name: str) -> str:
    try:
        return foreign_files.read(str(folder / name), root=str(folder), most_bytes=MOST_BYTES).decode(
            "utf-8", "replace"
        )
    except OSError:
        return ""

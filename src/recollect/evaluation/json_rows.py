"""Read the rows of a data set: JSON lines in a file, or in all `*.jsonl` files of a folder."""

import json
from pathlib import Path
from typing import Any

from recollect import foreign_files
from recollect.errors import BadInput


def read(data: Path) -> list[dict[str, Any]]:
    """Return the objects in a file or folder, in the order of names and lines; raise BadInput if one is unreadable."""
    files = sorted(data.glob("*.jsonl")) if data.is_dir() else [data]
    return [row for file in files for row in _rows(file)]


def _rows(file: Path) -> list[dict[str, Any]]:
    try:
        text = foreign_files.read(str(file), most_bytes=foreign_files.DATASET_BYTES).decode("utf-8")
        rows = [json.loads(line) for line in text.splitlines() if line.strip()]
    except (OSError, ValueError, RecursionError) as error:
        raise BadInput(f"cannot be read: {error!r}", target=file, fix="Each line has to be a JSON object.") from None
    return [row for row in rows if isinstance(row, dict)]

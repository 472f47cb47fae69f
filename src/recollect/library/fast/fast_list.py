"""List memories from their rows, without loading the model's classes; vault files that changed are read first."""

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from recollect.errors import StoreError
from recollect.library.fast import fast_reader
from recollect.library.fast.fast_reader import Warn
from recollect.model.listed_memory import ListedMemory
from recollect.model.query import Query
from recollect.store.hook_reader import event_json
from recollect.store.hook_reader.connection import ReadFailed
from recollect.store.sqlite.memory_reader import MemoryReader

FILE_GONE = "its file is gone: {path}"
MAY_BE_REPLACED = "perhaps replaced by: {title}"


class ListRow(NamedTuple):
    """A memory of a page, with what a person needs to choose it."""

    memory: ListedMemory
    id: str
    """Its short id: 8 characters, more if two memories' ids end alike."""
    stale: str
    """Why it may no longer hold; empty if nothing speaks against it."""


class FastList(NamedTuple):
    """A page of a list."""

    rows: list[ListRow]
    total: int
    """How many memories there are on all pages."""
    now: float
    """The time, in seconds since 1970."""


def find(folder: Path, query: Query, *, all_projects: bool, env: Mapping[str, str], warn: Warn) -> FastList:
    """Return the memories of the project around a folder that pass a query's filters, newest first.

    Raises StoreError if the store cannot be read.
    """
    reader = fast_reader.open_current_reader(folder, env, warn)
    try:
        checkout, now = fast_reader.checkout_around(reader, folder), event_json.moment(env)
        project, root = (checkout.project, checkout.root) if checkout else ("", str(folder))
        wanted = replace(query, project=None if all_projects else project, unexpired_at=now)
        memories, total = reader.listed(wanted)
        return FastList(_rows(reader, memories, project, root, now), total, now)
    except ReadFailed as error:
        raise StoreError(f"the store cannot be read: {error}", fix="Run `recollect doctor`.") from error


def _rows(reader: MemoryReader, memories: list[ListedMemory], project: str, root: str, now: float) -> list[ListRow]:
    ids = reader.short_ids([memory.uid for memory in memories])
    newer = reader.perhaps_replaced(project, now)
    rows = []
    for memory in memories:
        gone = _missing_file(memory, root) if memory.project == project else ""
        stale = MAY_BE_REPLACED.format(title=newer[memory.uid]) if memory.uid in newer else gone
        rows.append(ListRow(memory, ids[memory.uid], stale if memory.status == "active" else ""))
    return rows


def _missing_file(memory: ListedMemory, root: str) -> str:
    """Return that the files which a memory is about no longer exist; empty if one does, or if it names none."""
    places = [os.path.join(root, path) for path in memory.files]  # noqa: PTH118 - Path.exists fails on a long name
    return FILE_GONE.format(path=memory.files[0]) if places and not any(map(os.path.exists, places)) else ""

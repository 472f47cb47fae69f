"""List memories from their rows, without loading the model's classes; vault files that changed are read first."""

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from recollect.errors import StoreError
from recollect.hooks.project_lookup import current_branch
from recollect.library.fast import fast_reader
from recollect.library.fast.fast_reader import Warn
from recollect.model.query import Query
from recollect.model.rows.listed_memory import ListedMemory
from recollect.store.hook_reader import event_json
from recollect.store.hook_reader.connection import ReadFailed
from recollect.store.hook_reader.store_reader import CheckoutRow
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


def find(
    folder: Path, query: Query, *, all_projects: bool, env: Mapping[str, str], warn: Warn, stale: bool = False
) -> FastList:  # fmt: skip
    """Return the memories of the project around a folder that pass a query's filters, newest first.

    With `stale` only those that may no longer hold.

    Raises StoreError if the store cannot be read.
    """
    reader = fast_reader.open_current_reader(folder, env, warn)
    try:
        checkout, now = fast_reader.checkout_around(reader, folder), event_json.moment(env)
        project = checkout.project if checkout else ""
        wanted = replace(query, project=None if all_projects else project, unexpired_at=now)
        if stale:
            memories, _ = reader.listed(replace(wanted, limit=None, offset=0))
            rows = [row for row in _rows(reader, memories, checkout, str(folder), now) if row.stale]
            last = None if query.limit is None else query.offset + query.limit
            return FastList(rows[query.offset : last], len(rows), now)
        memories, total = reader.listed(wanted)
        return FastList(_rows(reader, memories, checkout, str(folder), now), total, now)
    except ReadFailed as error:
        raise StoreError(f"the store cannot be read: {error}", fix="Run `recollect doctor`.") from error


def stale_reasons(folder: Path, *, all_projects: bool, env: Mapping[str, str], warn: Warn) -> dict[str, str]:
    """Return why active memories may no longer hold, by uid; those that nothing speaks against are left out."""
    found = find(folder, Query(), all_projects=all_projects, env=env, warn=warn, stale=True)
    return {row.memory.uid: row.stale for row in found.rows}


def _rows(
    reader: MemoryReader, memories: list[ListedMemory], checkout: CheckoutRow | None, folder: str, now: float
) -> list[ListRow]:  # fmt: skip
    project, root = (checkout.project, checkout.root) if checkout else ("", folder)
    gone_code = reader.stale_reasons([memory.uid for memory in memories], current_branch(root))
    ids = reader.short_ids([memory.uid for memory in memories])
    newer = reader.perhaps_replaced(project, now)
    rows = []
    for memory in memories:
        gone = _missing_file(memory, root) if memory.project == project else ""
        gone = gone_code.get(memory.uid, "") or gone
        stale = MAY_BE_REPLACED.format(title=newer[memory.uid]) if memory.uid in newer else gone
        rows.append(ListRow(memory, ids[memory.uid], stale if memory.status == "active" else ""))
    return rows


def _missing_file(memory: ListedMemory, root: str) -> str:
    """Return that the files which a memory is about no longer exist; empty if one does, or if it names none."""
    places = [os.path.join(root, path) for path in memory.files]  # noqa: PTH118 - Path.exists fails on a long name
    return FILE_GONE.format(path=memory.files[0]) if places and not any(map(os.path.exists, places)) else ""

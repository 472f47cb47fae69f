"""Read one memory from its row, without loading the model's classes. The caller opens the project if that fails."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from recollect.hooks.project_lookup import current_branch
from recollect.library.fast.fast_reader import Warn, are_files_unchanged, checkout_around, open_reader, warn_of_settings
from recollect.model.rows.listed_memory import LinkedMemory
from recollect.policy.memories.naming import Named, preferred
from recollect.store.hook_reader import event_json
from recollect.store.hook_reader.connection import ReadFailed
from recollect.store.sqlite.memory_reader import MemoryReader, VerdictRow


class ShownMemory(NamedTuple):
    """A memory as its row has it, and what is around it."""

    image: Mapping[str, Any]
    revision: str
    path: str | None
    """Its file in the vault; None if it has none."""
    id: str
    """Its short id."""
    links: Sequence[LinkedMemory]
    now: float
    """The time, in seconds since 1970."""
    checked: VerdictRow | None = None
    """The verdict on the code that it names; None where it names none, or was not checked yet."""
    branch: str = ""
    """The branch that is checked out, or the commit where HEAD is detached."""


def find(folder: Path, name: str, env: Mapping[str, str], warn: Warn) -> ShownMemory | None:
    """Return the memory of a name from its row; None if the name is ambiguous or a vault file changed since the scan.

    None too for an unknown name or checkout, and if the store cannot be read.
    """
    reader = open_reader(env)
    try:
        found = _find(reader, folder, name, env) if reader else None
    except ReadFailed:
        return None
    if reader and found:
        warn_of_settings(reader, folder, env, warn)
    return found


def _find(reader: MemoryReader, folder: Path, name: str, env: Mapping[str, str]) -> ShownMemory | None:
    checkout = checkout_around(reader, folder)
    if checkout is None:
        return None
    found = preferred(reader.resolve(checkout.project, name), checkout.project, lambda row: _named(row[0]))
    if len(found) != 1 or not are_files_unchanged(reader, checkout.root):
        return None
    image, revision = found[0]
    uid = image["uid"]
    seen = reader.sighting(checkout.root, uid)
    if seen and seen.digest != revision:
        return None  # another checkout says something else
    path, short = seen.path if seen else None, reader.short_ids([uid])[uid]
    around = reader.verdict_of(uid), current_branch(checkout.root)
    return ShownMemory(image, revision, path, short, reader.links_of(uid), event_json.moment(env), *around)


def _named(image: Mapping[str, Any]) -> Named:
    return Named(image.get("project", "global"), image.get("status", "active"), image["kind"])

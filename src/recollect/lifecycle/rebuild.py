"""A lost or damaged database comes back from the journal's mirror; the vaults are scanned afterwards."""

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path

from pydantic import ValidationError

from recollect.model import memory
from recollect.model.memory import Memory
from recollect.store import journal
from recollect.store.base import Entry, KnownCheckout
from recollect.store.sqlite import SqliteStore

TRUSTED = "trusted"


@dataclass(slots=True)
class Rebuilt:
    """What came back, and what could not."""

    memories: int = 0
    entries: int = 0
    lost: list[str] = field(default_factory=list)


def trust_entry(checkout: KnownCheckout, *, group: str, at: str, actor: str) -> Entry:
    """The journal line of a checkout that somebody vouched for: a rebuild must know where the vaults are."""
    image = json.dumps({key: value for key, value in asdict(checkout).items() if key != "project"})
    return Entry(group, at, actor, TRUSTED, "", checkout.project, None, image)


def from_journal(store: SqliteStore, path: Path) -> Rebuilt:
    """Replay every image. Entries keep their order and get new numbers, so the old mirror is set aside."""
    done, last = Rebuilt(), dict[str, tuple[Entry, Memory | None]]()
    entries = []
    for line in journal.read(path):
        if isinstance(line, str):
            done.lost.append(line)
            continue
        entries.append(Entry(*[getattr(line, name) for name in line.__slots__ if name != "seq"]))
        if line.action != TRUSTED:
            _replay(store, line, last, done)
    with store.writing():
        store.record(entries)
        for entry in (one for one in entries if one.action == TRUSTED):
            store.meet(KnownCheckout(project=entry.project, **json.loads(entry.after or "{}")))
        for entry, found in last.values():
            _settle(store, entry, found)
    journal.set_aside(path)
    journal.catch_up(store, path)
    done.memories, done.entries = sum(found is not None for _, found in last.values()), len(entries)
    return done


def _replay(store: SqliteStore, line: Entry, last: dict[str, tuple[Entry, Memory | None]], done: Rebuilt) -> None:
    try:
        found = memory.from_json(line.after, store.kinds) if line.after else None
    except ValidationError:
        done.lost.append(f"entry {line.seq}: its image of {line.uid} does not fit the schema")
        return
    last[line.uid] = (line, found)


def _settle(store: SqliteStore, entry: Entry, found: Memory | None) -> None:
    if found is None:
        gone = memory.from_json(entry.before, store.kinds) if entry.before and entry.action == "purged" else None
        if gone:
            store.bury(gone.project, gone.digest, entry.at, entry.reason or "")
        return
    name = store.named(found.project, found.kind, found.slug)
    if name is None:
        store.put(found, entry.revision or found.revision())

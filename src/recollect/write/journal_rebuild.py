"""A lost or damaged database comes back from the journal's mirror; the vaults are scanned afterwards."""

import contextlib
import json
from dataclasses import asdict, dataclass, field
from pathlib import Path

from pydantic import ValidationError

from recollect.model import memory, text
from recollect.model.fact import Fact, is_fact
from recollect.model.memory import Memory
from recollect.project_context import ProjectContext
from recollect.store import journal_mirror
from recollect.store.protocols import Entry, KnownCheckout, Store

MET, SET = "met", "set"


@dataclass(slots=True)
class Rebuilt:
    """What came back, and what could not."""

    memories: int = 0
    entries: int = 0
    lost: list[str] = field(default_factory=list)


def meeting(checkout: KnownCheckout, *, group: str, at: str, actor: str) -> Entry:
    """The journal line of a checkout: a rebuild must know where the vaults are, and under which name."""
    image = json.dumps({key: value for key, value in asdict(checkout).items() if key != "project"})
    return Entry(group, at, actor, MET, "", checkout.project, None, image)


def remember(context: ProjectContext, name: str, value: str | None) -> None:
    """Keep a setting of the store's own, with a line in the journal, so that it outlives a lost database."""
    with context.store.writing():
        put(context, name, value)


def put(context: ProjectContext, name: str, value: str | None) -> None:
    """The same, inside a transaction that is open."""
    image = json.dumps({"name": name, "value": value}, ensure_ascii=False)
    group = text.new_uid(context.clock())
    context.store.set_setting(name, value)
    context.store.record([Entry(group, context.stamp(), context.actor, SET, "", context.project, None, image)])


def from_journal(store: Store, path: Path) -> Rebuilt:
    """Replay every image into an empty store; entries keep their order and get new numbers."""
    done, last = Rebuilt(), dict[str, tuple[Entry, Memory | None]]()
    entries, uses, facts = list[Entry](), dict[str, list[Entry]](), dict[str, Entry]()
    for line in journal_mirror.read(path):
        if isinstance(line, str):
            done.lost.append(line)
            continue
        entries.append(line)
        if is_fact(line.uid):
            facts[line.uid] = line
        elif line.action == "touched":
            uses.setdefault(line.uid, []).append(line)
        elif line.action not in (MET, SET):
            _replay(store, line, last, done)
    with store.writing():
        store.record(entries)
        for entry in (one for one in entries if one.action == MET):
            store.projects.meet(KnownCheckout(project=entry.project, **json.loads(entry.after or "{}")))
        for entry in (one for one in entries if one.action == SET):
            store.set_setting(**json.loads(entry.after or "{}"))
        for entry, found in last.values():
            _settle(store, entry, _used(found, entry, uses.get(entry.uid, [])), done)
        for stated in facts.values():
            _restate(store, stated, done)
    done.memories, done.entries = sum(found is not None for _, found in last.values()), len(entries)
    return done


def _replay(store: Store, line: Entry, last: dict[str, tuple[Entry, Memory | None]], done: Rebuilt) -> None:
    try:
        found = memory.from_json(line.after, store.kinds) if line.after else None
    except ValidationError:
        done.lost.append(f"entry {line.seq}: its image of {line.uid} does not fit the schema")
        return
    last[line.uid] = (line, found)


def _used(found: Memory | None, entry: Entry, uses: list[Entry]) -> Memory | None:
    """Count the uses since the last image of a memory."""
    later = [one for one in uses if one.seq > entry.seq]
    if found is None or not later:
        return found
    counted = {"hits": found.usage.hits + len(later), "last_hit_at": later[-1].at}
    return found.model_copy(update={"usage": found.usage.model_copy(update=counted)})


def _restate(store: Store, entry: Entry, done: Rebuilt) -> None:
    try:
        if entry.after:
            store.facts.put(Fact.model_validate_json(entry.after))
    except ValidationError:
        done.lost.append(f"entry {entry.seq}: its image of {entry.uid} does not fit the schema")


def _settle(store: Store, entry: Entry, found: Memory | None, done: Rebuilt) -> None:
    if found is None and entry.action == "purged":
        for image in store.images(entry.uid):
            _bury(store, entry, image)
    elif found and store.named(found.project, found.kind, found.slug):
        done.lost.append(f"{found.kind}/{found.slug} ({found.uid}): another memory has its name")
    elif found:
        store.put(found, entry.revision or found.revision())


def _bury(store: Store, entry: Entry, image: str) -> None:
    with contextlib.suppress(ValidationError):
        gone = memory.from_json(image, store.kinds)
        store.bury(gone.project, gone.digest, entry.at, entry.reason or "")

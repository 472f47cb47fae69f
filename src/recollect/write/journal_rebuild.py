"""Rebuild a lost or damaged database from the journal's mirror; the vaults are scanned afterwards."""

import contextlib
import json
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from recollect.model import memory, text
from recollect.model.fact import Fact, is_fact
from recollect.model.memory import Memory
from recollect.model.rows.file_id import is_file
from recollect.project_context import ProjectContext
from recollect.store import journal_mirror
from recollect.store.protocols import Entry, Joined, KnownCheckout, Store

MET, SET, ERASED, NAMED, JOINED, PARTED = "met", "set", "erased", "named", "joined", "parted"
REWEIGHED, WEIGHTS = "reweighed", "weights"
"""The action of an entry about the importance of many memories, and the name of the values in its images."""
ABOUT_PROJECTS = (MET, NAMED, JOINED, PARTED)
"""Entries about projects and their checkouts, without a memory."""


@dataclass(slots=True)
class Rebuilt:
    """What a rebuild restored."""

    memories: int = 0
    entries: int = 0
    lost: list[str] = field(default_factory=list)
    """A line for each journal line or memory that could not be restored, and why."""


def meeting(checkout: KnownCheckout, *, group: str, at: str, actor: str) -> Entry:
    """Return the journal entry of a checkout: a rebuild needs to know where the vaults are, and whose they are."""
    image = json.dumps({key: value for key, value in asdict(checkout).items() if key != "project"})
    return Entry(
        group=group, at=at, actor=actor, action=MET, uid="", project=checkout.project, before=None, after=image
    )


def naming(meeting: Entry, alias: str) -> Entry:
    """Return the journal entry of a name that stands for the project of a checkout, recorded with its meeting."""
    return replace(meeting, action=NAMED, after=json.dumps({"name": alias}))


def joining(context: ProjectContext, joined: Joined, *, group: str, reason: str) -> Entry:
    """Return the journal entry of two projects that were joined, with everything that is needed to take it back."""
    return replace(_entry(context, JOINED, group, asdict(joined)), reason=reason)


def parting(context: ProjectContext, joined: Joined, *, undoes: str) -> Entry:
    """Return the journal entry of a joining that was taken back."""
    return replace(_entry(context, PARTED, text.new_uid(context.clock()), asdict(joined)), undoes=undoes)


def joined_of(entry: Entry) -> Joined:
    """Return what a journal entry says that a joining moved."""
    image: dict[str, Any] = json.loads(entry.after or "{}")
    for name, value in image.items():
        image[name] = tuple(value) if isinstance(value, list) else value
    return Joined(**image)


def _entry(context: ProjectContext, action: str, group: str, image: object) -> Entry:
    """Return a journal entry about projects, with an image that is no memory."""
    return Entry(
        group=group,
        at=context.stamp(),
        actor=context.actor,
        action=action,
        uid="",
        project=context.project,
        before=None,
        after=json.dumps(image, ensure_ascii=False),
        root=context.root,
    )


def remember(context: ProjectContext, name: str, value: str | None) -> None:
    """Set a setting of the store, with a journal entry, so that it survives a lost database."""
    with context.store.writing():
        put(context, name, value)


def put(context: ProjectContext, name: str, value: str | None) -> None:
    """Set a setting with a journal entry, inside a transaction that is open."""
    context.store.set_setting(name, value)
    entry = _entry(context, SET, text.new_uid(context.clock()), {"name": name, "value": value})
    context.store.record([replace(entry, root=None)])


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
        elif line.action == REWEIGHED:
            _weigh_again(line, last)
        elif line.action not in (*ABOUT_PROJECTS, SET) and not is_file(line.uid):  # files are where they were
            _read_image(store, line, last, done)
    with store.writing():
        store.record(entries)
        _restore_checkouts_and_settings(store, entries)
        for entry, found in last.values():
            _restore_memory(store, entry, _with_uses(found, entry, uses.get(entry.uid, [])), done)
        for entry in facts.values():
            _restore_fact(store, entry, done)
        _restore_tombstones(store, entries)
    done.memories, done.entries = sum(found is not None for _, found in last.values()), len(entries)
    return done


def _restore_tombstones(store: Store, entries: list[Entry]) -> None:
    """Bury the texts of memories that were erased for ever: their entries hold only the texts' hashes."""
    for entry in entries:
        if entry.action == ERASED and entry.revision:
            store.bury(entry.project, entry.revision, entry.at, entry.reason or "")


def _restore_checkouts_and_settings(store: Store, entries: list[Entry]) -> None:
    for entry in entries:
        if entry.action == SET:
            store.set_setting(**json.loads(entry.after or "{}"))
        elif entry.action in ABOUT_PROJECTS:
            _restore_project(store, entry)


def _restore_project(store: Store, entry: Entry) -> None:
    """Repeat what an entry says about a project: a checkout, a name, a joining, or a joining that was taken back."""
    if entry.action == MET:
        store.projects.meet(KnownCheckout(project=entry.project, **json.loads(entry.after or "{}")))
    elif entry.action == NAMED:
        store.projects.alias(json.loads(entry.after or "{}")["name"], entry.project)
    elif entry.action == JOINED:
        joined = joined_of(entry)
        store.projects.join(joined.source, joined.target)
        for name in joined.names:  # also those that an older version did not record
            store.projects.alias(name, joined.target)
    else:
        store.projects.part(joined_of(entry))


def _read_image(store: Store, entry: Entry, last: dict[str, tuple[Entry, Memory | None]], done: Rebuilt) -> None:
    """Put an entry and its memory into `last`, by uid; None stands for a memory that was erased."""
    try:
        found = memory.from_json(entry.after, store.kinds) if entry.after else None
    except ValidationError:
        done.lost.append(f"entry {entry.seq}: its image of {entry.uid} does not fit the schema")
        return
    last[entry.uid] = (entry, found)


def _weigh_again(entry: Entry, last: dict[str, tuple[Entry, Memory | None]]) -> None:
    """Set the importance of the memories in `last` as an entry of the journal says."""
    for uid, value in json.loads(entry.after or "{}").get(WEIGHTS, {}).items():
        written, found = last.get(uid, (entry, None))
        if found is not None:
            last[uid] = (written, found.model_copy(update={"importance": value}))


def _with_uses(found: Memory | None, entry: Entry, uses: list[Entry]) -> Memory | None:
    """Return a memory with the uses counted that come after its last image."""
    later = [use for use in uses if use.seq > entry.seq]
    if found is None or not later:
        return found
    counted = {"hits": found.usage.hits + len(later), "last_hit_at": later[-1].at}
    return found.model_copy(update={"usage": found.usage.model_copy(update=counted)})


def _restore_fact(store: Store, entry: Entry, done: Rebuilt) -> None:
    try:
        if entry.after:
            store.facts.put(Fact.model_validate_json(entry.after))
    except ValidationError:
        done.lost.append(f"entry {entry.seq}: its image of {entry.uid} does not fit the schema")


def _restore_memory(store: Store, entry: Entry, found: Memory | None, done: Rebuilt) -> None:
    """Put a memory into the store, or the tombstones of one that was purged."""
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
        project = store.projects.canonical(gone.project) or gone.project  # it may have been joined since
        store.bury(project, gone.digest, entry.at, entry.reason or "")

"""The one write path: `commit` applies changes to store, journal and vault, all or nothing.

Files are written first, then the database commits: a process killed in between leaves a file that the next scan
takes in, never a memory whose file is missing. If the database refuses, the files are put back.
"""

import contextlib
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import assert_never

from recollect.errors import Conflict, NotFound, RecollectError, Refused, Resurrection
from recollect.lifecycle import room, twin
from recollect.lifecycle.space import Space
from recollect.lifecycle.twin import Base, Twins
from recollect.model import change as ask
from recollect.model import clock, text
from recollect.model.change import Change
from recollect.model.memory import STRICTNESS, UNTAGGED, Edit, Memory, Status, from_json
from recollect.policy import revision
from recollect.store import journal
from recollect.store.base import Entry, Stored
from recollect.vault import files
from recollect.vault.files import Writing


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one change: its action in the past tense, and the memory before and after."""

    action: str
    memory: Memory
    """As it is now; as it last was, when it is gone."""
    before: Memory | None = None
    path: str | None = None
    revision: str | None = None
    notes: tuple[str, ...] = ()


def commit(space: Space, changes: Sequence[Change]) -> list[Outcome]:
    """Apply changes as one group; what they entail (window, cap) is part of it, and is noted on the first."""
    with _vault_held(space, changes):
        with Writing(space.vault.root) as writing, space.store.writing():
            group = Group(space, Twins(space, writing))
            outcomes = group.apply(changes)
            space.store.record(group.entries)
        if space.config.vault.auto_commit and writing.changed:
            twin.commit_to_git(space, writing.changed, _summary(outcomes))
    mirror(space)
    entailed = [
        f"{one.action} {one.memory.kind}/{one.memory.slug}: {one.memory.closed_reason}"
        for one in outcomes[len(changes) :]
    ]
    return [replace(outcomes[0], notes=(*outcomes[0].notes, *entailed)), *outcomes[1:]] if entailed else outcomes


def _summary(outcomes: Sequence[Outcome]) -> str:
    told = [one for one in outcomes if one.action != "unchanged"] or list(outcomes)
    more = f" and {len(told) - 1} more" if len(told) > 1 else ""
    return f"{told[0].action} {told[0].memory.kind} '{told[0].memory.title}'{more}"


@contextlib.contextmanager
def _vault_held(space: Space, changes: Sequence[Change]) -> Iterator[None]:
    if not any(_concerns_vault(space, change) for change in changes):
        yield
        return
    with twin.held(space):
        yield


def _concerns_vault(space: Space, change: Change) -> bool:
    return space.vault.is_on and not isinstance(change, ask.Touch)


def mirror(space: Space) -> None:
    """Bring the journal's mirror up to date."""
    try:
        journal.catch_up(space.store, space.journal)
    except RecollectError as error:  # the change itself is safe in the database; the mirror catches up next time
        space.warn(f"WARNING: {error.message}")


@dataclass(slots=True)
class Group:
    """One commit under way: a method per change."""

    space: Space
    twins: Twins
    entries: list[Entry] = field(default_factory=list)
    now: str = field(init=False)
    """The time that the whole group happens at."""

    def __post_init__(self) -> None:
        self.now = self.space.stamp()

    def apply(self, changes: Sequence[Change]) -> list[Outcome]:
        """Every change in turn, and what it entails; then the views."""
        outcomes: list[Outcome] = []
        queue = deque(changes)
        while queue:
            outcome = self._apply(queue.popleft())
            outcomes.append(outcome)
            if outcome.action == "created":
                queue.extend(room.entailed(self.space, outcome.memory))
        self.twins.publish()
        return outcomes

    def _apply(self, change: Change) -> Outcome:  # noqa: C901, PLR0911 - one case per change, and nothing else
        match change:
            case ask.Create():
                return self._create(change)
            case ask.Revise():
                return self._revise(change)
            case ask.Touch():
                return self._touch(change)
            case ask.Weigh():
                return self._weigh(change)
            case ask.Retire():
                return self._retire_vanished(change, change.vanished) if change.vanished else self._retire(change)
            case ask.Archive():
                return self._collect(change) if change.drop_file else self._archive(change)
            case ask.Restore():
                return self._restore(change)
            case ask.Purge():
                return self._purge(change)
            case ask.TakeIn():
                return self._take_in(change)
            case ask.Revert():
                return self._revert(change)
            case _:
                assert_never(change)

    def base(self, uid: str) -> Base:
        """The memory to change; what its file says beyond the store is taken in first."""
        stored = self._stored(uid)
        found = self.twins.read(stored)
        if found.memory != stored.memory:
            self._record("taken in", stored.memory, found.memory, found.revision)
        return found

    def _stored(self, uid: str) -> Stored:
        stored = self.space.store.get(uid)
        if stored is None:
            raise NotFound("there is no such memory", target=uid)
        return stored

    # -- create -------------------------------------------------------------------------------------------------

    def _create(self, change: ask.Create) -> Outcome:
        memory = change.memory
        known = self._same_text(memory) if change.merge_duplicate else None
        if known:
            return self._merge_metadata(known.uid, memory)
        if not change.keep_slug:
            slug = self._free_slug(memory)
            return self._keep("created", memory if slug == memory.slug else memory.having(slug=slug), None)
        former = self._former(memory)
        return self._keep("created", memory.having(uid=former.memory.uid) if former else memory, former)

    def _same_text(self, memory: Memory) -> Memory | None:
        found = self.space.store.same_text(memory.project, memory.digest, self.space.clock().timestamp())
        return found.memory if found else None

    def _merge_metadata(self, uid: str, new: Memory) -> Outcome:
        """D9: a duplicate brings its metadata, the text stays."""
        base = self.base(uid)
        old = base.memory
        tags = sorted({*old.tags, *new.tags} - {UNTAGGED})
        paths = {anchor.path for anchor in old.anchors}
        after = old.having(
            tags=tuple(revision.evict_tags(old.tags, tags)[0]) or old.tags,
            anchors=(*old.anchors, *(anchor for anchor in new.anchors if anchor.path not in paths)),
            importance=max(old.importance, new.importance),
            sensitivity=max(old.sensitivity, new.sensitivity, key=STRICTNESS.index),
            confidence=old.confidence if new.confidence is None else new.confidence,
            expires_at=new.expires_at or old.expires_at,
        )
        if after == old:
            return self._unchanged("known", base)
        return self._keep("merged", after.having(updated_at=self.now), base)

    def _former(self, memory: Memory) -> Base | None:
        """The retired memory that a create of the same name takes the place of; refused over any other (B38, B40)."""
        self._meet_file(memory)
        known = self.space.store.named(memory.project, memory.kind, memory.slug)
        if known is None:
            return None
        base = self.base(known.memory.uid)
        former = base.memory
        was_here = base.sighting is not None and base.sighting.presence == "seen"
        if base.data is None and (former.status != "active" or was_here):
            return base  # its file is gone or collected: the name is free
        if former.status != "retired":
            fix = "Use --action update" if former.status == "active" else "Unarchive it first"
            problem = f"an {former.status} memory has this name"
            raise Refused(problem, target=memory.slug, code="CREATE_ERROR", fix=f"{fix}, or choose another slug.")
        retired = clock.parse(former.closed_at)
        if retired and self.space.clock() - retired < timedelta(hours=revision.RESURRECTION_HOURS):
            details: list[tuple[str, object]] = [("retired_at", former.closed_at)]
            raise Resurrection("retired less than 24 hours ago", target=memory.slug, details=details)
        return base

    def _meet_file(self, memory: Memory) -> None:
        """A file that lies at the target and that the store has not met is taken in before it is judged."""
        spot = self.twins.spot(memory)
        known = self.space.store.named(memory.project, memory.kind, memory.slug)
        if known or spot is None or files.look(self.twins.place(spot[1])) is None:
            return
        layout, path = spot
        data = files.read(self.twins.place(path))
        uid = text.new_uid(self.space.clock())
        said = layout.decode(path, data, uid=uid, project=memory.project, now=self.now)
        self._take_in(ask.TakeIn(path, said, text.md5(data)))

    def _free_slug(self, memory: Memory) -> str:
        slug, number = memory.slug, 1
        while self._is_taken(memory, slug):
            number += 1
            slug = f"{memory.slug[: text.SLUG_CHARS - 7].rstrip('-')}-{number}"
        return slug

    def _is_taken(self, memory: Memory, slug: str) -> bool:
        if self.space.store.named(memory.project, memory.kind, slug):
            return True
        spot = self.twins.spot(memory if slug == memory.slug else memory.having(slug=slug))
        return spot is not None and (self.space.vault.root / spot[1]).exists()

    # -- revise, touch, weigh -----------------------------------------------------------------------------------

    def _revise(self, change: ask.Revise) -> Outcome:
        base = self.base(change.memory.uid)
        if change.expect and change.expect != base.revision:
            details: list[tuple[str, object]] = [("expected_hash", change.expect), ("current_hash", base.revision)]
            raise Conflict("the memory changed since it was read", target=change.memory.slug, details=details)
        notes: list[str] = []
        if change.guarded:
            merged = revision.merge(base.memory, change.memory, self._exists, self.now)
            notes += [f"WARNING: {line}" for line in revision.shrunken_lists(base.memory, merged)]
            after = self._renamed(base.memory, merged, notes)
        else:
            after = self._edited(base.memory, change.memory)
        if after == base.memory:
            is_missing = base.data is None and self.twins.spot(after) is not None and after.status == "active"
            return self._keep("published", after, base) if is_missing else self._unchanged("unchanged", base)
        return self._keep("updated", after, base, notes=notes)

    def _edited(self, old: Memory, new: Memory) -> Memory:
        """A person's edit: free to take away, but it stands in the history like any other."""
        if new == old:
            return old
        edits = [
            Edit(date=self.now, summary=f"Edited {name}", field=name, old_value=before, new_value=after)
            for name, before, after in revision.differences(old, new)
        ]
        history = revision.with_edits(old.edits, *edits)
        return new.having(updated_at=self.now, times_revised=old.times_revised + 1, edits=history)

    def _renamed(self, old: Memory, new: Memory, notes: list[str]) -> Memory:
        slug = text.slugify(new.title)
        if not revision.deserves_rename(old.title, new.title) or slug in ("", old.slug):
            return new
        if self._is_taken(new, slug):
            notes.append(f"WARNING: the slug {slug} is taken; {old.slug} stays")
            return new
        return new.having(slug=slug)

    def _exists(self, path: str) -> bool:
        return (self.space.vault.root / path).exists()  # B44: from the project's root, not the caller's folder

    def _touch(self, change: ask.Touch) -> Outcome:
        stored = self._stored(change.uid)
        usage = stored.memory.usage
        session = usage.last_session if change.session is None else change.session
        counted = usage.model_copy(update={"hits": usage.hits + 1, "last_hit_at": self.now, "last_session": session})
        after = stored.memory.having(usage=counted)
        return self._put("touched", stored.memory, after, stored.revision, None)

    def _weigh(self, change: ask.Weigh) -> Outcome:
        """The store's memory is valued, whichever version this checkout has; a file that holds the counters follows."""
        stored = self._stored(change.uid)
        usage = stored.memory.usage
        pinned = usage.pinned if change.pinned is None else change.pinned
        valued = usage.model_copy(update={"appreciation": usage.appreciation + change.appreciate, "pinned": pinned})
        importance = stored.memory.importance if change.importance is None else change.importance
        after = stored.memory.having(usage=valued, importance=importance)
        here = self.twins.read(stored)
        path, seen = self.twins.write(here.memory.having(usage=valued), here) if here.data else (None, after.revision())
        kept = seen if here.revision == stored.revision else stored.revision
        action = "weighed" if change.pinned is None else "pinned" if change.pinned else "unpinned"
        return self._put(action, stored.memory, after, kept, path)

    # -- closing and bringing back ------------------------------------------------------------------------------

    def _retire(self, change: ask.Retire) -> Outcome:
        base = self.base(change.uid)
        if base.memory.status == "retired":
            return self._unchanged("already_retired", base)
        if base.memory.status == "archived":
            fix = "Restore it first (`recollect restore`, or --action unarchive), then retire it."
            raise Refused("an archived memory is not retired", target=base.memory.slug, code="DELETE_ERROR", fix=fix)
        return self._close("retired", base, change.reason)

    def _retire_vanished(self, change: ask.Retire, path: str) -> Outcome:
        """Its file is gone: decided by sync, looked at once more under the lock."""
        stored = self._stored(change.uid)
        sighting = self.space.store.sighting_of(self.space.root, change.uid)
        is_gone = sighting is not None and sighting.path == path and files.look(self.twins.place(path)) is None
        if sighting and is_gone:
            self.space.store.see(replace(sighting, presence="retired"))
        if not is_gone or stored.memory.status != "active":
            return Outcome("unchanged", stored.memory, stored.memory, revision=stored.revision)
        after = self._closed(stored.memory, "retired", change.reason)
        self.twins.unlist(path)
        return self._put("retired", stored.memory, after, after.revision(), path, reason=change.reason)

    def _archive(self, change: ask.Archive) -> Outcome:
        base = self.base(change.uid)
        status = base.memory.status
        if status == "archived":
            return self._unchanged("already_archived", base)
        if status != "active":
            problem = f"only an active memory is archived; this one is {status}"
            raise Refused(problem, target=base.memory.slug, code="ARCHIVE_ERROR", fix="Restore it first.")
        return self._close("archived", base, change.reason)

    def _collect(self, change: ask.Archive) -> Outcome:
        base = self.base(change.uid)
        if base.memory.status != "retired":
            return self._unchanged("unchanged", base)
        after = self._closed(base.memory, "archived", change.reason)
        self.twins.drop(base)
        return self._put("archived", base.memory, after, after.revision(), None, reason=change.reason)

    def _restore(self, change: ask.Restore) -> Outcome:
        base = self.base(change.uid)
        status = base.memory.status
        if status == "active" and change.only != "archived":
            return self._unchanged("already_active", base)
        if change.only and status != change.only:
            code = "UNARCHIVE_ERROR" if change.only == "archived" else "RESTORE_ERROR"
            fix = "Nothing needs doing." if status == "active" else "Use `recollect restore`: it brings back both."
            problem = f"only {change.only} memories come back this way; this one is {status}"
            raise Refused(problem, target=base.memory.slug, code=code, fix=fix)
        action, verb = ("unarchived", "Unarchived") if status == "archived" else ("restored", "Restored")
        edit = Edit(date=self.now, summary=verb, field="record_status", old_value=status, new_value="active")
        history = revision.with_edits(base.memory.edits, edit)
        opened: dict[str, object] = {"status": "active", "closed_at": None, "closed_reason": None}
        return self._keep(action, base.memory.having(**opened, updated_at=self.now, edits=history), base)

    def _purge(self, change: ask.Purge) -> Outcome:
        base = self.base(change.uid)
        if change.only_retired and base.memory.status != "retired":
            return self._unchanged("unchanged", base)
        notes = ["MEMORY.md and the daily logs keep their lines"] if self.space.vault.logs else []
        reason = revision.clean_reason(change.reason, notes)
        self.twins.drop(base)
        for image in self.space.store.images(change.uid) | {base.memory.image}:  # an older branch holds older texts
            self.space.store.bury(base.memory.project, from_json(image, self.space.kinds).digest, self.now, reason)
        self.space.store.remove(change.uid)
        self._record("purged", base.memory, None, None, reason=reason)
        return Outcome("purged", base.memory, base.memory, notes=tuple(notes))

    def _close(self, status: Status, base: Base, reason: str) -> Outcome:
        notes: list[str] = []
        reason = revision.clean_reason(reason, notes)
        return self._keep(status, self._closed(base.memory, status, reason), base, reason=reason, notes=notes)

    def _closed(self, memory: Memory, status: Status, reason: str) -> Memory:
        summary = f"{status.title()}: {reason}"
        edit = Edit(date=self.now, summary=summary, field="record_status", old_value=memory.status, new_value=status)
        history = revision.with_edits(memory.edits, edit)
        return memory.having(
            status=status, closed_at=self.now, closed_reason=reason, updated_at=self.now, edits=history
        )

    # -- what files say, and undoing ----------------------------------------------------------------------------

    def _take_in(self, change: ask.TakeIn) -> Outcome:
        place, layout = self.twins.place(change.path), self.space.vault.layout_of(change.path)
        said, store = change.memory, self.space.store
        # A file is its name's: another process, or another checkout, may have kept it under another uid.
        stored = store.named(said.project, said.kind, said.slug) or store.get(said.uid)
        before = stored.memory if stored else None
        found = files.look(place)
        if layout is None or found is None or text.md5(files.read(place)) != change.revision:
            return Outcome("unchanged", said, before)  # it changed again: the next scan sees it
        after = revision.adopt(before, said, layout.name) if before else said
        self._forget_moved(after.uid, change.path)
        self.twins.see(change.path, after.uid, found, change.revision)
        self.twins.list(change.path, after)
        if before == after and stored and stored.revision == change.revision:
            return Outcome("unchanged", after, before, change.path, change.revision)
        return self._put("taken in", before, after, change.revision, change.path)

    def _forget_moved(self, uid: str, path: str) -> None:
        old = self.space.store.sighting_of(self.space.root, uid)
        if old and old.path != path and files.look(self.twins.place(old.path)) is None:
            self.space.store.unsee(self.space.root, old.path)
            self.twins.unlist(old.path)

    def _revert(self, change: ask.Revert) -> Outcome:
        stored = self.space.store.get(change.uid)
        left, now = change.leaves, stored.memory if stored else None
        if (left.having(usage=now.usage) if left and now else left) != now:  # counted uses do not matter
            fix = "Undo it there first, or edit the memory here."
            raise Refused("it was changed since, elsewhere", target=change.uid, code="UNDO_ERROR", fix=fix)
        base = self.base(change.uid) if stored else None
        if change.image is not None:
            self.space.store.unbury(change.image.project, change.image.digest)
            return self._keep("undone", change.image, base, undoes=change.undoes)
        if base is None:
            raise Refused("nothing is left to undo", target=change.uid, code="UNDO_ERROR")
        self.twins.drop(base)
        self.space.store.remove(change.uid)
        self._record("undone", base.memory, None, None, undoes=change.undoes)
        return Outcome("undone", base.memory, base.memory)

    # -- keeping ------------------------------------------------------------------------------------------------

    def _unchanged(self, action: str, base: Base) -> Outcome:
        return Outcome(action, base.memory, base.memory, base.path, base.revision)

    def _keep(
        self,
        action: str,
        after: Memory,
        base: Base | None,
        *,
        reason: str | None = None,
        notes: Sequence[str] = (),
        undoes: str | None = None,
    ) -> Outcome:
        """Write the twin, then the row and the journal."""
        path, kept = self.twins.write(after, base, bring=undoes is not None)
        if action == "created":
            self.twins.log(after)
        before = base.memory if base else None
        outcome = self._put(action, before, after, kept, path, reason=reason, undoes=undoes)
        return replace(outcome, notes=tuple(notes)) if notes else outcome

    def _put(
        self,
        action: str,
        before: Memory | None,
        after: Memory,
        kept: str,
        path: str | None,
        *,
        reason: str | None = None,
        undoes: str | None = None,
    ) -> Outcome:
        self.space.store.put(after, kept)
        self._record(action, before, after, kept, reason=reason, undoes=undoes)
        return Outcome(action, after, before, path, kept)

    def _record(
        self,
        action: str,
        before: Memory | None,
        after: Memory | None,
        kept: str | None,
        *,
        reason: str | None = None,
        undoes: str | None = None,
    ) -> None:
        about = after or before
        if about is None:
            return
        was, now = before.image if before else None, after.image if after else None
        uid, where = about.uid, about.project
        group = self.entries[0].group if self.entries else text.new_uid(self.space.clock())
        self.entries.append(
            Entry(
                group, self.now, self.space.actor, action, uid, where, was, now, kept, reason, undoes, self.space.root
            )
        )

"""The one write path: `commit` applies changes to store, journal and vault, all or nothing.

Files are written first, then the database commits: a process killed in between leaves a file that the next scan
takes in, never a memory whose file is missing. If the database refuses, the files are put back.
"""

import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import assert_never, cast

from recollect.errors import BadInput, Conflict, NotFound, RecollectError, Refused, Resurrection
from recollect.formats import memory_log
from recollect.model import change as ask
from recollect.model import clock, text
from recollect.model.change import Change
from recollect.model.fact import Fact, is_fact
from recollect.model.memory import MOST, OTHERS_WORDS, SHAREABLE, STRICTNESS, Edit, Memory, from_json
from recollect.policy.memories import merging, revision
from recollect.policy.secrets import screening
from recollect.project_context import ProjectContext
from recollect.store import journal_mirror
from recollect.store.protocols import Entry, Stored
from recollect.vault import files
from recollect.vault.files import Writing
from recollect.write import admission, change_screening, closing, facts, vault_files
from recollect.write.outcome import Outcome
from recollect.write.vault_files import Base, VaultFiles


def commit(
    context: ProjectContext, changes: Sequence[Change], *, group_id: str = "", also: Callable[[], None] | None = None
) -> list[Outcome]:
    """Apply changes as one group; what they entail (window, cap) is part of it, and is noted on the first.

    Whatever they say is screened for secrets before any of it reaches the disk. `group_id` continues a group, so that
    what was committed in parts is undone as a whole. `also` writes what is true if and only if the group is.
    """
    screened, notes = change_screening.changes(changes)
    is_durable = not all(isinstance(change, ask.Touch) for change in changes)
    with _vault_held(context, changes):
        with Writing(context.vault.root) as writing, context.store.writing(durable=is_durable):
            group = Group(context, VaultFiles(context, writing), group_id)
            outcomes = [_noted(one, notes.get(n, ())) for n, one in enumerate(group.apply(screened))]
            context.store.record(group.entries)
            if also:
                also()
        if context.config.vault.auto_commit and writing.changed:
            vault_files.commit_to_git(context, writing.changed, _summary(outcomes))
    mirror(context)
    entailed = [f"{one.action} {_named(one.memory)}: {one.memory.closed_reason}" for one in outcomes[len(changes) :]]
    return [_noted(outcomes[0], entailed), *outcomes[1:]] if outcomes else []


def commit_each(context: ProjectContext, changes: Sequence[Change]) -> list[Outcome]:
    """All at once; one by one where another process took something away meanwhile."""
    if not changes:
        return []
    with contextlib.suppress(NotFound):
        return commit(context, changes)
    done: list[Outcome] = []
    for change in changes:
        with contextlib.suppress(NotFound):
            done += commit(context, [change])
    return done


def _named(memory: Memory) -> str:
    return f"{memory.kind}/{memory.slug}" if memory.sensitivity in SHAREABLE else f"a {memory.sensitivity} memory"


def _noted(outcome: Outcome, notes: Sequence[str]) -> Outcome:
    return replace(outcome, notes=(*outcome.notes, *notes)) if notes else outcome


def _summary(outcomes: Sequence[Outcome]) -> str:
    memories = [one for one in outcomes if not one.is_fact]
    told = [one for one in memories if one.action != "unchanged"] or memories
    more = f" and {len(told) - 1} more" if len(told) > 1 else ""
    if not told:
        return "facts"
    first = told[0].memory
    name = f"{first.kind} '{first.title}'" if first.sensitivity in SHAREABLE else _named(first)
    return f"{told[0].action} {name}{more}"


@contextlib.contextmanager
def _vault_held(context: ProjectContext, changes: Sequence[Change]) -> Iterator[None]:
    if not any(_concerns_vault(context, change) for change in changes):
        yield
        return
    with vault_files.held(context):
        yield


def _concerns_vault(context: ProjectContext, change: Change) -> bool:
    if isinstance(change, ask.Touch | ask.Assert | ask.Retract):
        return False
    return context.vault.is_on or (not isinstance(change, ask.Create) and context.vault.has_log)


def mirror(context: ProjectContext) -> None:
    """Bring the journal's mirror up to date."""
    try:
        journal_mirror.catch_up(context.store, context.journal)
    except RecollectError as error:  # the change itself is safe in the database; the mirror catches up next time
        context.warn(f"WARNING: {error.message}")


@dataclass(slots=True)
class Group:
    """One commit under way: a method per change."""

    context: ProjectContext
    twins: VaultFiles
    group_id: str = ""
    entries: list[Entry] = field(default_factory=list)
    now: str = field(init=False)
    """The time that the whole group happens at."""

    def __post_init__(self) -> None:
        self.now = self.context.stamp()

    def apply(self, changes: Sequence[Change]) -> list[Outcome]:
        """Every change in turn, and what it entails; then the views."""
        outcomes, entailed = list[Outcome](), list[Outcome]()
        for change in changes:
            outcome = self._apply(change)
            outcomes.append(outcome)
            if outcome.action == "created":  # at once: the next one must not push out the same again
                entailed += [self._apply(more) for more in admission.entailed(self.context, outcome.memory)]
        self.twins.publish()
        return [*outcomes, *entailed]

    def _apply(self, change: Change) -> Outcome:  # noqa: C901, PLR0911, PLR0912 - one case per change, and nothing else
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
                return closing.vanish(self, change) if change.vanished else closing.retire(self, change)
            case ask.Archive():
                return closing.collect(self, change) if change.drop_file else closing.archive(self, change)
            case ask.Restore():
                return closing.restore(self, change)
            case ask.Purge():
                return closing.purge(self, change)
            case ask.Move():
                return self._move(change)
            case ask.TakeIn():
                return self._take_in(change)
            case ask.Revert():
                return self._revert(change)
            case ask.Assert():
                return facts.state(self, change)
            case ask.Retract():
                return facts.retract(self, change)
            case _:
                assert_never(change)

    def base(self, uid: str) -> Base:
        """The memory to change; what its file says beyond the store is taken in first."""
        stored = self.stored(uid)
        found = self.twins.read(stored)
        if found.memory != stored.memory:
            found = replace(found, memory=screening.memory(found.memory).memory)
            self.record("taken in", stored.memory, found.memory, found.revision)
        return found

    def stored(self, uid: str) -> Stored:
        """A memory as the store has it."""
        stored = self.context.store.get(uid)
        if stored is None:
            raise NotFound("there is no such memory", target=uid)
        return stored

    # -- create -------------------------------------------------------------------------------------------------

    def _create(self, change: ask.Create) -> Outcome:
        memory = (
            change.memory
            if change.exact
            else admission.admitted(self.context, change.memory, has_expiry=change.expiry_named)
        )
        known = self._same_text(memory) if change.merge_duplicate else None
        if known:
            return self._merge_metadata(known.uid, memory, expiry_named=change.expiry_named)
        self.context.store.unbury(memory.project, memory.digest)  # what is kept on purpose is no longer unwanted
        if not change.keep_slug:
            slug = self._free_slug(memory)
            return self.keep("created", memory if slug == memory.slug else memory.having(slug=slug), None)
        former = self._former(memory)
        return self.keep("created", memory.having(uid=former.memory.uid) if former else memory, former)

    def _same_text(self, memory: Memory) -> Memory | None:
        """The memory that says the same; none where one of the two is a person's and the other somebody else's."""
        found = self.context.store.same_text(memory.project, memory.digest, self.context.clock().timestamp())
        if found is None or (found.memory.origin in OTHERS_WORDS) != (memory.origin in OTHERS_WORDS):
            return None
        return found.memory

    def _merge_metadata(self, uid: str, new: Memory, *, expiry_named: bool) -> Outcome:
        """D9: a duplicate brings its metadata, the text stays."""
        base = self.base(uid)
        old = base.memory
        tags = merging.joined_tags(old, new)
        paths = {anchor.path for anchor in old.anchors}
        after = old.having(
            tags=tuple(revision.evict_tags(old.tags, tags)[0]) or old.tags,
            anchors=(*old.anchors, *(anchor for anchor in new.anchors if anchor.path not in paths)),
            concepts=tuple(dict.fromkeys((*old.concepts, *new.concepts))),
            files_read=tuple(dict.fromkeys((*old.files_read, *new.files_read))),
            files_modified=tuple(dict.fromkeys((*old.files_modified, *new.files_modified))),
            cue=old.cue or new.cue,
            importance=max(old.importance, new.importance),
            sensitivity=max(old.sensitivity, new.sensitivity, key=STRICTNESS.index),
            confidence=old.confidence if new.confidence is None else new.confidence,
            expires_at=new.expires_at if expiry_named else revision.longer_life(old, new),
        )
        if after == old:
            return self.unchanged("known", base)
        return self.keep("merged", after.having(updated_at=self.now), base)

    def _former(self, memory: Memory) -> Base | None:
        """The retired memory that a create of the same name takes the place of; refused over any other (B38, B40)."""
        self._meet_file(memory)
        known = self.context.store.named(memory.project, memory.kind, memory.slug)
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
        if retired and self.context.clock() - retired < timedelta(hours=revision.RESURRECTION_HOURS):
            details: list[tuple[str, object]] = [("retired_at", former.closed_at)]
            raise Resurrection("retired less than 24 hours ago", target=memory.slug, details=details)
        return base

    def _meet_file(self, memory: Memory) -> None:
        """A file that lies at the target and that the store has not met is taken in before it is judged."""
        spot = self.twins.spot(memory)
        known = self.context.store.named(memory.project, memory.kind, memory.slug)
        if known or spot is None or files.look(self.twins.place(spot[1])) is None:
            return
        layout, path = spot
        data = files.read(self.twins.place(path))
        uid = text.new_uid(self.context.clock())
        said = layout.decode(path, data, uid=uid, project=memory.project, now=self.now)
        self._take_in(ask.TakeIn(path, said, text.md5(data)))

    def _free_slug(self, memory: Memory) -> str:
        slug, number = memory.slug, 1
        while self._is_taken(memory, slug):
            number += 1
            slug = f"{memory.slug[: text.SLUG_CHARS - 7].rstrip('-')}-{number}"
        return slug

    def _is_taken(self, memory: Memory, slug: str) -> bool:
        if self.context.store.named(memory.project, memory.kind, slug):
            return True
        spot = self.twins.spot(memory if slug == memory.slug else memory.having(slug=slug))
        return spot is not None and (self.context.vault.root / spot[1]).exists()

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
            return self.keep("published", after, base) if is_missing else self.unchanged("unchanged", base)
        return self.keep("updated", after, base, notes=notes)

    def _edited(self, old: Memory, new: Memory) -> Memory:
        """A person's edit: free to take away, but it stands in the history like any other."""
        if new == old:
            return old
        edits = [
            Edit(date=self.now, summary=f"Edited {name}", field=name, old_value=before, new_value=after)
            for name, before, after in revision.differences(old, new)
        ]
        history = revision.with_edits(old.edits, *edits)
        moved = new.kind != old.kind and self._is_taken(new, new.slug)
        slug = self._free_slug(new) if moved else new.slug
        return new.having(updated_at=self.now, times_revised=old.times_revised + 1, edits=history, slug=slug)

    def _renamed(self, old: Memory, new: Memory, notes: list[str]) -> Memory:
        slug = text.slugify(new.title)
        if not revision.deserves_rename(old.title, new.title) or slug in ("", old.slug):
            return new
        if self._is_taken(new, slug):
            notes.append(f"WARNING: the slug {slug} is taken; {old.slug} stays")
            return new
        return new.having(slug=slug)

    def _exists(self, path: str) -> bool:
        return (self.context.vault.root / path).exists()  # B44: from the project's root, not the caller's folder

    def _move(self, change: ask.Move) -> Outcome:
        base = self.base(change.uid)
        after = base.memory.having(project=change.project)
        return self.keep("moved", after.having(slug=self._free_slug(after)), base)

    def _touch(self, change: ask.Touch) -> Outcome:
        stored = self.stored(change.uid)
        if change.session and not self.context.store.access(change.uid, change.session, self.now):
            return Outcome("unchanged", stored.memory, stored.memory, revision=stored.revision)
        usage = stored.memory.usage
        number = usage.last_session if change.number is None else change.number
        counted = usage.model_copy(update={"hits": usage.hits + 1, "last_hit_at": self.now, "last_session": number})
        after = stored.memory.model_copy(update={"usage": counted})
        self.context.store.put(after, stored.revision)
        self._enter("touched", change.uid)  # a use needs no images: it only adds one
        return Outcome("touched", after, stored.memory, revision=stored.revision)

    def _weigh(self, change: ask.Weigh) -> Outcome:
        """The store's memory is valued, whichever version this checkout has; a file that holds the counters follows."""
        stored = self.stored(change.uid)
        if self.twins.has_news(stored):  # somebody wrote to it meanwhile: that counts first
            news = self.base(change.uid)
            self.context.store.put(news.memory, news.revision)
            stored = Stored(news.memory, news.revision)
        usage = stored.memory.usage
        pinned = usage.pinned if change.pinned is None else change.pinned
        worth = usage.appreciation + change.appreciate
        if abs(worth) > MOST:
            raise BadInput("more than a memory can be worth", target=stored.memory.slug)
        valued = usage.model_copy(update={"appreciation": worth, "pinned": pinned})
        importance = stored.memory.importance if change.importance is None else change.importance
        after = stored.memory.having(usage=valued, importance=importance)
        here = self.twins.read(stored)
        path, seen = self.twins.write(here.memory.having(usage=valued), here) if here.data else (None, after.revision())
        kept = seen if here.revision == stored.revision else stored.revision
        action = "weighed" if change.pinned is None else "pinned" if change.pinned else "unpinned"
        return self.put(action, stored.memory, after, kept, path)

    # -- what files say, and undoing ----------------------------------------------------------------------------

    def _take_in(self, change: ask.TakeIn) -> Outcome:
        place, layout = self.twins.place(change.path), self.context.vault.layout_of(change.path)
        said, store = change.memory, self.context.store
        # A file is its name's: another process, or another checkout, may have kept it under another uid.
        stored = store.named(said.project, said.kind, said.slug) or store.get(said.uid)
        before = stored.memory if stored else None
        found = files.look(place)
        if layout is None or found is None or text.md5(files.read(place)) != change.revision:
            return Outcome("unchanged", said, before)  # it changed again: the next scan sees it
        last = self.twins.last(before.uid, store.sighting_at(self.context.root, change.path)) if before else None
        is_counted = layout.name == "markdown" and b"<memory-metadata>" in files.read(place)[:64]
        fresh = said if is_counted else admission.born(self.context, said)
        after = revision.adopt(before, said, layout.name, last) if before else fresh
        self._forget_moved(after.uid, change.path)
        self.twins.see(change.path, after.uid, found, change.revision)
        self.twins.list(change.path, after)
        if before == after and stored and stored.revision == change.revision:
            return Outcome("unchanged", after, before, change.path, change.revision)
        return self.put("taken in", before, after, change.revision, change.path)

    def _forget_moved(self, uid: str, path: str) -> None:
        old = self.context.store.sighting_of(self.context.root, uid)
        if old and old.path != path and files.look(self.twins.place(old.path)) is None:
            self.context.store.unsee(self.context.root, old.path)
            self.twins.unlist(old.path)

    def _revert(self, change: ask.Revert) -> Outcome:
        if is_fact(change.uid):
            return facts.revert(self, change, change.image if isinstance(change.image, Fact) else None)
        return self._revert_memory(change, cast("Memory | None", change.image), cast("Memory | None", change.leaves))

    def _revert_memory(self, change: ask.Revert, image: Memory | None, left: Memory | None) -> Outcome:
        stored = self.context.store.get(change.uid)
        now = stored.memory if stored else None
        if (left.having(usage=now.usage) if left and now else left) != now:  # counted uses do not matter
            fix = "Undo it there first, or edit the memory here."
            raise Refused("it was changed since, elsewhere", target=change.uid, code="UNDO_ERROR", fix=fix)
        base = self.base(change.uid) if stored else None
        if image is not None:
            for said in {image.image, *(self.context.store.images(change.uid) if now is None else ())}:
                self.context.store.unbury(image.project, from_json(said, self.context.kinds).digest)
            counted = revision.counted(image, now) if now else image
            return self.keep("undone", counted, base, undoes=change.undoes)
        if base is None:
            raise Refused("nothing is left to undo", target=change.uid, code="UNDO_ERROR")
        self.twins.drop(base)
        self.twins.unlog(base.memory)
        self.context.store.remove(change.uid)
        self.record("undone", base.memory, None, None, undoes=change.undoes)
        return Outcome("undone", base.memory, base.memory)

    # -- keeping ------------------------------------------------------------------------------------------------

    def unchanged(self, action: str, base: Base) -> Outcome:
        """Nothing had to be done."""
        return Outcome(action, base.memory, base.memory, base.path, base.revision)

    def keep(
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
        before = base.memory if base else None
        self._relog(action, before, after, is_undo=undoes is not None)
        outcome = self.put(action, before, after, kept, path, reason=reason, undoes=undoes)
        return _noted(outcome, notes)

    def _relog(self, action: str, before: Memory | None, after: Memory, *, is_undo: bool) -> None:
        """The log holds what everybody may see; what becomes so, or comes back, is written to it."""
        was_shown = before is not None and before.sensitivity in SHAREABLE
        is_shown = after.sensitivity in SHAREABLE
        is_record = after.channel in memory_log.CHANNELS
        if action == "created":
            self.twins.log(after)
        elif before and was_shown and not is_shown:
            self.twins.unlog(before)
        elif is_shown and not was_shown and (is_record or is_undo):
            self.twins.log(after, again=True)

    def put(
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
        """Write the row and the journal."""
        self.context.store.put(after, kept)
        self.record(action, before, after, kept, reason=reason, undoes=undoes)
        return Outcome(action, after, before, path, kept)

    def record(
        self,
        action: str,
        before: Memory | Fact | None,
        after: Memory | Fact | None,
        kept: str | None = None,
        *,
        reason: str | None = None,
        undoes: str | None = None,
    ) -> None:
        """Enter a change into the journal, with both images."""
        about = after or before
        if about:
            was, now = before.image if before else None, after.image if after else None
            self._enter(action, about.uid, was, now, kept, reason, undoes)

    def _enter(  # noqa: PLR0917 - the columns of the journal, in order
        self,
        action: str,
        uid: str,
        was: str | None = None,
        now: str | None = None,
        kept: str | None = None,
        reason: str | None = None,
        undoes: str | None = None,
    ) -> None:
        self.group_id = self.group_id or text.new_uid(self.context.clock())
        by, root, where = (
            self.context.actor,
            self.context.root,
            self.context.project,
        )  # where it was done, not whose it is
        self.entries.append(
            Entry(self.group_id, self.now, by, action, uid, where, was, now, kept, reason, undoes, root)
        )

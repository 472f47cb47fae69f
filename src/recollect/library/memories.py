"""The library's verbs that create, change and remove memories."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from recollect.errors import Conflict
from recollect.lazy import load
from recollect.model.change import Archive, Create, Purge, Restore, Retire, Revise, Weigh
from recollect.model.memory import Memory, Origin, Sensitivity
from recollect.opening.open_project import OpenProject
from recollect.policy.memories import compose, revision
from recollect.policy.memories.compose import Note
from recollect.policy.memories.taught import Tally
from recollect.policy.scopes import scope
from recollect.store.protocols import Entry
from recollect.write import anchors, commit, undo, vault_sync
from recollect.write.outcome import Outcome

if TYPE_CHECKING:
    from recollect.pipeline.review import ReviewItem

NO_REASON = "No reason provided"


class MemoryVerbs(OpenProject):
    """Remember, edit, retire, restore, purge, and undo."""

    def remember(
        self,
        text: str,
        *,
        kind: str = "note",
        title: str | None = None,
        why: str | None = None,
        tags: Sequence[str] = (),
        fields: Mapping[str, Any] | None = None,
        files: Sequence[str] = (),
        confidence: float | None = None,
        importance: float = 0.5,
        sensitivity: Sensitivity | None = None,
        origin: Origin = "user",
        session: str | None = None,
        ttl_days: float | None = None,
        everywhere: bool = False,
        supersedes: Sequence[str] = (),
    ) -> Outcome:
        """Save a memory; if an active memory says the same already, add the new metadata to that one.

        `text` fills the main field of the kind and `why` its reason; `fields` sets any other field. Without a title
        the first line of the text is the title. `files` are the files that the memory is about; `everywhere` shows it
        in every project. Secrets are removed from the text. Without `sensitivity`, it is derived from the text. The
        memories named in `supersedes` are retired in the same change.
        """
        note = Note(
            text, kind, title, why, tags, fields, files, confidence, importance, sensitivity, origin, session,
            ttl_days, everywhere,
        )  # fmt: skip
        made, *closed = self.remember_all([note], superseding=[self.find(name).memory for name in supersedes])
        return made.with_notes([f"{old.action} {old.memory.kind}/{old.memory.slug}" for old in closed])

    def remember_all(self, notes: Iterable[Note], *, superseding: Sequence[Memory] = ()) -> list[Outcome]:
        """Save many memories and retire those that they supersede, in one group: all of it or nothing."""
        creates = [
            Create(self._compose(note), classify=note.sensitivity is None, expiry_named=note.ttl_days is not None)
            for note in notes
        ]
        self.meet()
        self.look()
        return commit.commit(self._context, revision.superseding(creates, superseding))

    def revise(self, memory: Memory, *, expect: str | None = None, classify: bool = False) -> Outcome:
        """Replace a memory by an edited copy.

        `expect` is the revision that was read: raises Conflict if the memory has another one by now. With `classify`,
        a credential or personal data in the new text raises the sensitivity.
        """
        return commit.commit(self._context, [Revise(memory, expect=expect, classify=classify)])[0]

    def edit(
        self,
        name: str,
        *,
        title: str | None = None,
        text: str | None = None,
        add_tags: Sequence[str] = (),
        remove_tags: Sequence[str] = (),
        fields: Mapping[str, Any] | None = None,
        confidence: float | None = None,
        importance: float | None = None,
        sensitivity: Sensitivity | None = None,
        applies_when: str | None = None,
        expect: str | None = None,
    ) -> Outcome:
        """Change the named parts of a memory; everything else stays.

        `applies_when` names the activities, commands and files that a rule applies to, separated by semicolons.
        `expect` is the revision that was read: raises Conflict if the memory has another one by now.
        """
        stored = self._own(self.find(name))
        edited = compose.edited(
            stored.memory,
            self.kinds,
            title=title,
            text=text,
            add_tags=add_tags,
            remove_tags=remove_tags,
            fields=fields or {},
            confidence=confidence,
            importance=importance,
            sensitivity=sensitivity,
            cue=None if applies_when is None else scope.cue_of(applies_when),
        )
        is_reworded = (edited.title, edited.text) != (stored.memory.title, stored.memory.text)
        change = Revise(edited, expect=expect or stored.revision, classify=sensitivity is None and is_reworded)
        return commit.commit(self._context, [change])[0]

    def pin(self, name: str, *, pinned: bool = True) -> Outcome:
        """Protect a memory from being forgotten, or with `pinned=False` stop protecting it."""
        return self._change(name, lambda uid: Weigh(uid, pinned=pinned))

    def appreciate(self, name: str, by: int) -> Outcome:
        """Add `by` points to a memory's appreciation."""  # A35
        return self._change(name, lambda uid: Weigh(uid, appreciate=by))

    def retire(self, name: str, reason: str = NO_REASON) -> Outcome:
        """Soft delete a memory: it is no longer recalled, and its file is removed after the grace period."""
        return self._change(name, lambda uid: Retire(uid, reason))

    def archive(self, name: str, reason: str = NO_REASON) -> Outcome:
        """Shelve a memory: it is no longer recalled and never collected."""
        return self._change(name, lambda uid: Archive(uid, reason))

    def restore(self, name: str) -> Outcome:
        """Make a retired or archived memory active again, or take in a file whose text was purged."""
        held = self._held_path(name)
        if held:
            vault_sync.take_in_file(self._context, held)
            return Outcome("restored", self.find(held).memory, path=held)
        return self._change(name, Restore)

    def purge(self, name: str, reason: str = NO_REASON) -> Outcome:
        """Erase a memory and its file; a tombstone keeps the same text from being captured again."""
        return self._change(name, lambda uid: Purge(uid, reason))

    def purge_forever(self, name: str, reason: str = NO_REASON) -> Outcome:
        """Erase a memory, its file, its history in the journal and its copies in backups; this cannot be undone.

        Only hashes of its texts stay, so that nothing imports or captures them again. Git keeps what was committed.
        """
        found = self._own(self.find(name)).memory
        erased: Outcome = load("recollect.write.erasing").purge_forever(self._context, found, reason)
        return erased

    def review(self) -> "list[ReviewItem]":
        """Return what waits for a decision: pending memories, and those that may replace an older one."""
        self.look()
        found: list[ReviewItem] = load("recollect.pipeline.review").items(self._context)
        return found

    def keep(self, name: str, *, both: bool = False) -> Outcome:
        """Confirm a captured memory: it is no longer pending, and its capture rule is trusted more.

        With `both`, the older memory that it may replace stays too, and the two are no longer a conflict.
        """
        found, teaching = self._own(self.find(name)), load("recollect.pipeline.teaching")
        kept: Outcome = teaching.keep(self._context, found.memory, found.revision, both=both)
        return kept

    def merge(self, newer: str, older: str) -> Outcome:
        """Make one memory of two: the newer one stays with its words, the older one is retired.

        The newer one gets the older one's tags, files and pin. Raises BadInput if one of them is not active.
        """
        pair = self._own(self.find(newer)), self._own(self.find(older))
        merged: Outcome = load("recollect.pipeline.review").merge(self._context, *pair)
        return merged

    def drop(self, name: str) -> Outcome:
        """Reject a captured memory: it is retired, not captured again, and its capture rule is trusted less."""
        dropped: Outcome = load("recollect.pipeline.teaching").drop(self._context, self._own(self.find(name)).memory)
        return dropped

    def capture_rules(self) -> dict[str, Tally]:
        """Return what `keep` and `drop` taught about each capture rule in this project."""
        found: dict[str, Tally] = load("recollect.pipeline.teaching").tallies(self._context)
        return found

    def reset_capture_rule(self, name: str) -> None:
        """Forget what was taught about a capture rule in this project."""
        load("recollect.pipeline.teaching").reset(self._context, name)

    def undo(
        self, tick: Callable[[int], None] = lambda _: None, *, captured: bool = False, expect: str | None = None
    ) -> list[Outcome]:
        """Reverse the last group of changes that people made in this project, or with `captured`, that capture made.

        `tick` is called with 1 after each memory. `expect` is the group that was seen as the last one: raises Conflict
        if another change followed it. Raises Refused if there is none.
        """
        self.look()
        if expect is not None and undo.last(self._context, captured=captured)[0].group != expect:
            raise Conflict("another change followed the one that you saw", fix="Look again, then undo.")
        done = undo.undo(self._context, tick, captured=captured)
        self._resolve_again()  # it may have parted two projects
        return done

    def last_group(self, *, captured: bool = False) -> list[Entry]:
        """Return the journal entries that `undo` would reverse; raises Refused if there are none."""
        self.look()
        return undo.last(self._context, captured=captured)

    def captured_since(self, group: Sequence[Entry]) -> int:
        """Return how many memories the last capture made or changed, if it is newer than a group; else 0."""
        return undo.captured_since(self._context, group)

    def _compose(self, note: Note) -> Memory:
        context = self._context
        made = compose.memory(
            note,
            context.kinds,
            moment=context.clock(),
            project=context.project,
            commit=context.checkout.head,
            branch=self._current_branch(),
        )
        return anchors.with_digests(context, made)

    def _current_branch(self) -> str | None:
        if self._branch is None:
            self._branch = self._context.checkout.branch or ""
        return self._branch or None

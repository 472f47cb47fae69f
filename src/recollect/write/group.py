"""A commit under way: the steps that every kind of change shares, and the journal entries of the group."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from recollect.errors import NotFound
from recollect.formats import memory_log
from recollect.model import text
from recollect.model.fact import Fact
from recollect.model.file_part import FilePart
from recollect.model.memory import SHAREABLE, Memory
from recollect.policy.secrets import screening
from recollect.project_context import ProjectContext
from recollect.store.protocols import Entry, Stored
from recollect.write.journal_rebuild import REWEIGHED, WEIGHTS
from recollect.write.outcome import Outcome
from recollect.write.vault_files import CurrentVersion, VaultFiles


@dataclass(slots=True)
class Group:
    """Changes that are written, journalled and undone together."""

    context: ProjectContext
    files: VaultFiles
    group_id: str = ""
    entries: list[Entry] = field(default_factory=list)
    """The journal entries of the changes that were applied so far."""
    now: str = field(init=False)
    """The time of the whole group, as memories record it."""

    def __post_init__(self) -> None:
        self.now = self.context.stamp()

    # -- reading ------------------------------------------------------------------------------------------------

    def take_in_edits(self, uid: str) -> CurrentVersion:
        """Add a journal entry for edits in a memory's file that the store lacks; return the memory with them.

        Raises NotFound where the store has no memory of this uid.
        """
        stored = self.stored(uid)
        found = self.files.read(stored)
        if found.memory != stored.memory:
            found = replace(found, memory=screening.memory(found.memory).memory)
            self.add_entry("taken in", stored.memory, found.memory, found.revision)
        return found

    def stored(self, uid: str) -> Stored:
        """Return a memory as the store has it; raises NotFound."""
        stored = self.context.store.get(uid)
        if stored is None:
            raise NotFound("there is no such memory", target=uid)
        return stored

    def free_slug(self, memory: Memory) -> str:
        """Return the memory's slug, or with a number after it where another memory or file has that name."""
        slug, number = memory.slug, 1
        while self.is_taken(memory, slug):
            number += 1
            slug = f"{memory.slug[: text.SLUG_CHARS - 7].rstrip('-')}-{number}"
        return slug

    def is_taken(self, memory: Memory, slug: str) -> bool:
        """Whether the store or the vault has something under this slug, for a memory's project and kind."""
        if self.context.store.named(memory.project, memory.kind, slug):
            return True
        location = self.files.location(memory if slug == memory.slug else memory.having(slug=slug))
        return location is not None and (self.context.vault.root / location[1]).exists()

    # -- writing ------------------------------------------------------------------------------------------------

    def unchanged(self, action: str, current: CurrentVersion) -> Outcome:
        """Return the outcome of a change that had nothing to do."""
        return Outcome(action, current.memory, current.memory, current.path, current.revision)

    def write_memory(
        self,
        action: str,
        after: Memory,
        current: CurrentVersion | None,
        *,
        reason: str | None = None,
        notes: Sequence[str] = (),
        undoes: str | None = None,
        is_logged: bool = False,
    ) -> Outcome:
        """Write a memory's file and log line, then its row and its journal entry; no line where it `is_logged`."""
        path, revision = self.files.write(after, current, bring_back=undoes is not None)
        before = current.memory if current else None
        if not is_logged:
            self._write_log(action, before, after, is_undo=undoes is not None)
        outcome = self.write_row(action, before, after, revision, path, reason=reason, undoes=undoes)
        return outcome.with_notes(notes)

    def _write_log(self, action: str, before: Memory | None, after: Memory, *, is_undo: bool) -> None:
        """Keep `MEMORY.md` to shareable memories: add what is new or became shareable, remove what became private."""
        was_shareable = before is not None and before.sensitivity in SHAREABLE
        is_shareable = after.sensitivity in SHAREABLE
        is_record = after.channel in memory_log.CHANNELS
        if action == "created":
            self.files.append_to_log(after)
        elif before and was_shareable and not is_shareable:
            self.files.remove_from_log(before)
        elif (is_shareable and not was_shareable and (is_record or is_undo)) or _is_confirmed(before, after):
            self.files.append_to_log(after, again=True)

    def write_row(
        self,
        action: str,
        before: Memory | None,
        after: Memory,
        revision: str,
        path: str | None,
        *,
        reason: str | None = None,
        undoes: str | None = None,
    ) -> Outcome:
        """Write a memory's row and its journal entry, no file."""
        self.context.store.put(after, revision)
        self.add_entry(action, before, after, revision, reason=reason, undoes=undoes)
        return Outcome(action, after, before, path, revision)

    # -- the journal --------------------------------------------------------------------------------------------

    def add_entry(
        self,
        action: str,
        before: Memory | Fact | FilePart | None,
        after: Memory | Fact | FilePart | None,
        revision: str | None = None,
        *,
        reason: str | None = None,
        undoes: str | None = None,
    ) -> None:
        """Add a journal entry with the images before and after a change."""
        about = after or before
        if about:
            entry = replace(
                self._entry(action, about.uid),
                before=before.image if before else None,
                after=after.image if after else None,
                revision=revision,
                reason=reason,
                undoes=undoes,
            )
            self.entries.append(entry)

    def record_use(self, uid: str) -> None:
        """Add a journal entry for a counted use, which needs no images."""
        self.entries.append(self._entry("touched", uid))

    def record_weights(
        self, before: Mapping[str, float], after: Mapping[str, float], *, undoes: str | None = None
    ) -> None:
        """Add the one journal entry of memories whose importance was set."""
        images = [json.dumps({WEIGHTS: values}, separators=(",", ":")) for values in (before, after)]
        self.entries.append(replace(self._entry(REWEIGHED, ""), before=images[0], after=images[1], undoes=undoes))

    def _entry(self, action: str, uid: str) -> Entry:
        """Return a journal entry of this group without images; its project is where the change was made."""
        self.group_id = self.group_id or text.new_uid(self.context.clock())
        return Entry(
            group=self.group_id,
            at=self.now,
            actor=self.context.actor,
            action=action,
            uid=uid,
            project=self.context.project,
            before=None,
            after=None,
            root=self.context.root,
        )


def _is_confirmed(before: Memory | None, after: Memory) -> bool:
    """Whether a memory that was in the store alone may have its file and its line now: somebody kept it."""
    was_alone = before is not None and before.is_in_store_alone
    return was_alone and not after.is_in_store_alone and after.status == "active"

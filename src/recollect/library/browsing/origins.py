"""Verbs about one memory: where it comes from, how it changed, what it is connected with, and its way into a file."""

import builtins
import json
from dataclasses import dataclass
from typing import Any

from recollect.errors import Refused
from recollect.lazy import load
from recollect.library.reading import ReadingVerbs
from recollect.model.change import Revise
from recollect.model.fact import Fact
from recollect.model.memory import PENDING, SHAREABLE, Memory
from recollect.model.query import FactQuery
from recollect.model.rows.listed_memory import LinkedMemory
from recollect.model.session_event import SessionEvent
from recollect.policy.memories.differences import differences
from recollect.policy.memories.taught import SURE
from recollect.store.protocols import Entry
from recollect.write import commit
from recollect.write.outcome import Outcome

USED = "touched"
"""The action of counting a use, which changes nothing that a reader looks for."""
MOST_CHANGES = 50


@dataclass(frozen=True, slots=True)
class Sources:
    """What a memory was made from, as far as it is still kept."""

    memories: tuple[Memory, ...]
    """Turns, word for word, and memories that were merged or summarised."""
    events: tuple[SessionEvent, ...]
    """Prompts, answers, and calls of tools with their output."""
    gone: int
    """How many sources are not kept any more."""


@dataclass(frozen=True, slots=True)
class HistoryStep:
    """One change of a memory."""

    entry: Entry
    lines: tuple[str, ...]
    """The lines that were removed and added, behind `-` and `+`."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a memory is connected with."""

    links: tuple[LinkedMemory, ...]
    """Memories that it replaces or is replaced by."""
    facts: tuple[Fact, ...]
    """Facts that come from it."""
    sources: tuple[Memory, ...]
    """Memories that it was made from."""
    derived: tuple[Memory, ...]
    """Memories that were made from it."""


class OriginVerbs(ReadingVerbs):
    """The past and the surroundings of one memory."""

    def sources(self, name: str) -> Sources:
        """Return the turns, events and memories that a memory was made from."""
        lineage = self.find(name).memory.derived_from
        events = self._context.store.sessions.events_by_key(lineage)
        stored = [self._context.store.get(uid) for uid in lineage if "/" not in uid]
        memories = [found.memory for found in stored if found]
        return Sources(tuple(memories), tuple(events), len(lineage) - len(memories) - len(events))

    def changes(self, name: str, *, limit: int = MOST_CHANGES) -> builtins.list[HistoryStep]:
        """Return the changes of a memory with the lines that they changed, newest first; counted uses are left out."""
        entries = self._context.store.entries(uid=self.find(name).memory.uid, limit=limit)
        return [
            HistoryStep(entry, tuple(differences(_image(entry.before), _image(entry.after))))
            for entry in entries
            if entry.action != USED
        ]

    def surroundings(self, name: str) -> Surroundings:
        """Return the memories and facts that a memory is connected with."""
        memory, store = self.find(name).memory, self._context.store
        sources = [store.get(uid) for uid in memory.derived_from if "/" not in uid]
        return Surroundings(
            tuple(store.links_of(memory.uid)),
            tuple(store.facts.find(FactQuery(memory.project, source=memory.uid))),
            tuple(found.memory for found in sources if found),
            tuple(found.memory for found in store.derived_from(memory.uid)),
        )

    def promote(self, name: str) -> Outcome:
        """Write a memory that is in the store alone to a file of the vault, so that a team shares it.

        A pending memory is confirmed by it. Raises Refused where there is no vault, and for a memory that must not
        become a file: a private one, one that counts everywhere, words of somebody else.
        """
        found = self._own(self.find(name))
        memory = found.memory
        problem, fix = self._no_file_because(memory)
        if problem:
            raise Refused(problem, target=memory.slug, code="UPDATE_ERROR", fix=fix)
        after = memory
        if memory.is_in_store_alone:
            reviewed = load("recollect.policy.capture.filing").reviewed(memory.tags)
            after = memory.having(tags=reviewed, confidence=SURE)
        return commit.commit(self._context, [Revise(after, expect=found.revision)])[0]

    def _no_file_because(self, memory: Memory) -> tuple[str, str]:
        """Return why a memory cannot become a file, and what to do; two empty texts if it can."""
        vault = self._context.vault
        if not vault.layouts:
            return "this project keeps no memory files", self._how_to_start()
        if self._context.store.was_seen(memory.uid) and vault.place(memory) and self.shown(memory.uid)[0].path:
            return "the memory has a file already", "Edit the file, or the memory."
        if memory.sensitivity not in SHAREABLE:
            return f"the memory is {memory.sensitivity}", "Files are shared: make it public first."
        if memory.project != self.project:
            return "the memory counts in every project", "Save it in this project to share it."
        settled = memory.having(tags=tuple(tag for tag in memory.tags if tag != PENDING), confidence=SURE)
        if not vault.place(settled):
            return f"no file holds a memory of the kind {memory.kind}", "`recollect edit` cannot change its kind."
        return "", ""


def _image(image: str | None) -> dict[str, Any]:
    return json.loads(image) if image else {}

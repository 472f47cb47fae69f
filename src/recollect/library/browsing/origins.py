"""Verbs about one memory: where it comes from, how it changed, what it is connected with, and its way into a file."""

import builtins
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from recollect.errors import Refused
from recollect.lazy import load
from recollect.library.fast.fast_why import Telling
from recollect.library.reading import ReadingVerbs
from recollect.model.change import Revise
from recollect.model.fact import Fact
from recollect.model.memory import PENDING, SHAREABLE, Memory
from recollect.model.query import TURNS, FactQuery
from recollect.model.rows.listed_memory import LinkedMemory
from recollect.model.session_event import SessionEvent
from recollect.policy.memories.differences import differences
from recollect.policy.memories.taught import SURE
from recollect.policy.ranking.telling import TOO_LITTLE
from recollect.recall.project_recall import RecalledMemory
from recollect.store.protocols import Entry
from recollect.write import commit, undo
from recollect.write.outcome import Outcome

USED = "touched"
"""The action of counting a use, which changes nothing that a reader looks for."""
MOST_CHANGES = 50
MOST_RELATED = 5
MOST_FACTS = 8
RELATED_CHARS = 600
"""How much of a memory's text others are compared with."""
STARTED = "SessionStarted"


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
    title: str
    """What was changed: the title of a memory, a fact as words, or the path of a file."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a memory is connected with."""

    links: tuple[LinkedMemory, ...]
    """Memories that it replaces or is replaced by."""
    facts: tuple[Fact, ...]
    """Facts that come from it."""
    other_facts: tuple[Fact, ...]
    """Facts of other memories, or of none, about the same subjects and objects."""
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
        return [_step(entry) for entry in entries if entry.action != USED]

    def last_changes(self) -> builtins.list[HistoryStep]:
        """Return the changes that `undo` would reverse; raises Refused if there are none."""
        self.look()
        return [_step(entry) for entry in undo.last(self._context)]

    def related(self, name: str, *, limit: int = MOST_RELATED) -> builtins.list[RecalledMemory]:
        """Return other active memories about the same, best first; turns, and those that are linked, are left out."""
        memory = self.find(name).memory
        known = {memory.uid, *memory.derived_from, *(link.uid for link in self._context.store.links_of(memory.uid))}
        found = self.recall(f"{memory.title}\n{memory.text[:RELATED_CHARS]}", limit=2 * limit + len(known))
        others = [
            row for row in found
            if row.memory.uid not in known and row.memory.kind not in TURNS and row.verdict != TOO_LITTLE
        ]  # fmt: skip
        return others[:limit]

    def occasions(self, tellings: Sequence[Telling]) -> dict[str, str]:
        """Return for the receipt of each telling the prompt that it was for; without one for the start of a session."""
        table = self._context.store.sessions
        found = {row.receipt: table.prompt_at(row.session, row.at) for row in tellings if row.event != STARTED}
        return {receipt: prompt for receipt, prompt in found.items() if prompt}

    def surroundings(self, name: str) -> Surroundings:
        """Return the memories and facts that a memory is connected with."""
        memory, store = self.find(name).memory, self._context.store
        sources = [store.get(uid) for uid in memory.derived_from if "/" not in uid]
        facts = store.facts.find(FactQuery(memory.project, source=memory.uid))
        return Surroundings(
            tuple(store.links_of(memory.uid)),
            tuple(facts),
            self._other_facts(memory, facts),
            tuple(found.memory for found in sources if found),
            tuple(found.memory for found in store.derived_from(memory.uid)),
        )

    def _other_facts(self, memory: Memory, facts: Sequence[Fact]) -> tuple[Fact, ...]:
        """Return the facts that are not a memory's own and have a subject or object in common with those that are."""
        table, found = self._context.store.facts, dict[str, Fact]()
        for part in dict.fromkeys(part for fact in facts[:MOST_FACTS] for part in (fact.subject, fact.object)):
            for query in (FactQuery(memory.project, subject=part), FactQuery(memory.project, object=part)):
                found |= {fact.uid: fact for fact in table.find(replace(query, limit=MOST_FACTS))}
        own = {fact.uid for fact in facts}
        return tuple(fact for fact in found.values() if fact.uid not in own)[:MOST_FACTS]

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


def _step(entry: Entry) -> HistoryStep:
    before, after = _image(entry.before), _image(entry.after)
    known = after or before
    fact = " ".join(str(known[part]) for part in ("subject", "predicate", "object") if known.get(part))
    return HistoryStep(
        entry, tuple(differences(before, after)), str(known.get("title") or fact or known.get("path", ""))
    )


def _image(image: str | None) -> dict[str, Any]:
    return json.loads(image) if image else {}

"""Verbs that tell a session step by step, as it happens: prompts, tools, failures, what was told, what was captured."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from recollect import paths
from recollect.errors import NotFound
from recollect.lazy import load
from recollect.model import clock
from recollect.model.memory import Memory
from recollect.model.query import TURNS, Query
from recollect.model.session_event import ANSWER, FAILED, PROMPT, SAID, SessionEvent
from recollect.opening.open_project import OpenProject
from recollect.store.session_values import Receipt, Session

if TYPE_CHECKING:
    from recollect.pipeline.session_tail import Line

MOST_STEPS = 2_000
WORDS = {PROMPT: "asked", ANSWER: "answered", FAILED: "failed", SAID: "asked"}
"""Names of events → the word for the step; every other event of a tool is a step `used`."""
ENDS = {
    "SessionStarted": "session started",
    "SessionEnded": "session ended",
    "CompactionStarting": "context compacted",
}
OCCASIONS = {"SessionStarted": "at the start", "ToolFailed": "for a failure", "ToolStarting": "before a tool"}
"""Names of events → when the agent was told something; for a prompt otherwise."""


@dataclass(frozen=True, slots=True)
class StepMemory:
    """A memory that a step is about."""

    uid: str
    title: str
    kind: str
    why: str = ""
    """Why it was told or left out."""


@dataclass(frozen=True, slots=True)
class SessionStep:
    """One thing that happened in a session."""

    key: str
    at: float
    """Seconds since 1970."""
    what: str
    """asked, answered, used, failed, told, silent, kept, marked, waiting or dropped"""
    says: str
    detail: str = ""
    """The output of a tool, or the whole of a long text."""
    tool: str = ""
    files: tuple[str, ...] = ()
    told: tuple[StepMemory, ...] = ()
    left_out: tuple[StepMemory, ...] = ()
    tokens: int = 0
    ms: int = 0
    receipt: str = ""
    order: int = 5
    """Its place among the steps of the same time."""


@dataclass(frozen=True, slots=True)
class SessionRow:
    """A session in a list."""

    session: Session
    id: str
    """Its short id."""
    about: str
    """Its first prompt; empty if none is kept."""
    told: int
    """How many memories it was told."""
    tokens: int
    kept: int
    """How many memories were captured from it."""


class StepVerbs(OpenProject):
    """Sessions as lists and as stories."""

    def recent_sessions(self, *, limit: int = 50) -> list[SessionRow]:
        """Return the sessions of this project that were seen last, newest first."""
        table = self._context.store.sessions
        told = {row.session: row for row in table.told_sessions(self.project, MOST_STEPS)}
        kept = self._context.store.kept_by_session(self.project)
        rows = []
        for session in table.newest(self.project, limit):
            first = table.first_prompt(session.id)
            figures = told.get(session.id)
            memories, tokens = (figures.memories, figures.tokens) if figures else (0, 0)
            rows.append(
                SessionRow(session, table.short_id(session.id), first, memories, tokens, kept.get(session.id, 0))
            )
        return rows

    def session_row(self, session: str) -> Session:
        """Return a session by its id or a part of it; raises NotFound."""
        found = self._context.store.sessions.get(self.session_id(session))
        if found is None:
            raise NotFound("no session has this name", target=session, fix="`recollect session tail` lists sessions.")
        return found

    def first_prompt(self, session: str) -> str:
        """Return what a session was asked first; empty where no prompt is kept."""
        return self._context.store.sessions.first_prompt(self.session_id(session))

    def session_mark(self, session: str | None = None) -> str:
        """Return a text that changes when something of a session, or without one of this project, was drained."""
        return self._context.store.sessions.mark(session, self.project)

    def session_steps(self, session: str, *, limit: int = MOST_STEPS) -> list[SessionStep]:
        """Return the newest steps of a session, oldest first; events that wait and those that were dropped too."""
        whole, store = self.session_id(session), self._context.store
        events = store.sessions.events(session=whole, limit=limit)
        receipts = store.sessions.receipts(session=whole, limit=limit)
        query = Query(self.project, statuses=(), session=whole, no_kinds=TURNS, oldest_first=True, limit=limit)
        kept = [found.memory for found in store.find(query)]
        steps = [*map(_of_event, events), *map(_of_receipt, receipts), *_of_memories(kept, events)]
        steps += [_of_line(line) for line in self._unfiled(whole, limit)]
        return sorted(steps, key=lambda step: (step.at, step.order))[-limit:]

    def _unfiled(self, session: str, limit: int) -> "Iterator[Line]":
        home = Path(paths.home(self._context.env))
        tail = load("recollect.pipeline.session_tail")
        lines: Sequence[Line] = tail.lines(self._context, home, session=session, project=self.project, limit=limit)
        return (line for line in lines if line.state in ("waiting", "dropped"))


def _of_event(event: SessionEvent) -> SessionStep:
    key, files = f"event {event.key}", (*event.files_modified, *event.files_read)
    if event.name in ENDS:
        about = f": {event.about}" if event.about else ""
        return SessionStep(key, event.at, "marked", f"{ENDS[event.name]}{about}", order=0)
    if event.name in (PROMPT, SAID):
        return SessionStep(key, event.at, "asked", event.about, order=1)
    if event.name == ANSWER:
        return SessionStep(key, event.at, "answered", event.detail or "the turn ended", order=7)
    what = WORDS.get(event.name, "used")
    outcome = event.outcome if event.outcome not in ("", "done") else ""
    return SessionStep(key, event.at, what, event.about or event.tool, event.detail or outcome, event.tool, files)


def _of_receipt(receipt: Receipt) -> SessionStep:
    shown = set(receipt.shown)
    told = tuple(_memory(row) for row in receipt.candidates if row["uid"] in shown)
    left = tuple(_memory(row) for row in receipt.candidates if row["uid"] not in shown)
    what, says = "told" if shown else "silent", OCCASIONS.get(receipt.event, "for the prompt")
    state = receipt.state.removeprefix("hits").removeprefix("none").strip(" ()")
    return SessionStep(
        f"receipt {receipt.id}", receipt.at, what, f"{says}; {state}" if state else says, told=told, left_out=left,
        tokens=receipt.tokens, ms=receipt.ms, receipt=receipt.id, order=6 if receipt.event == "ToolFailed" else 2,
    )  # fmt: skip


def _memory(row: Mapping[str, str]) -> StepMemory:
    verdict = row.get("verdict", "")
    why = row.get("why", "") if verdict == "shown" else verdict
    return StepMemory(row["uid"], row.get("title", ""), row.get("kind", ""), why)


def _of_memories(kept: Sequence[Memory], events: Sequence[SessionEvent]) -> Iterator[SessionStep]:
    """Yield a step for each memory that came from a session, at the time of the last event that it was made of.

    Where its lineage names no event, that is the last event of the second in which it was made, or of one before.
    """
    times = {event.key: event.at for event in events}
    for memory in kept:
        made_of = [times[key] for key in memory.derived_from if key in times]
        second = clock.seconds(memory.created_at) or 0.0
        before = [at for at in times.values() if at < second + 1]
        at = max(made_of or [second, *before])
        about = StepMemory(memory.uid, memory.title, memory.kind, memory.closed_reason or "")
        state = "" if memory.status == "active" else f" ({memory.status})"
        yield SessionStep(f"memory {memory.uid}", at, "kept", f"{memory.kind}{state}", told=(about,), order=8)


def _of_line(line: "Line") -> SessionStep:
    return SessionStep(f"{line.state} {line.key}", line.at, line.state, f"{line.event}: {line.says}")

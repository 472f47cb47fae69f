"""What a batch of inbox events becomes, before any of it is written."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime

from recollect.model.change import Assert, Change, Create, Retire, Revise
from recollect.model.memory import Memory
from recollect.model.session_event import ANSWER, FAILED, FINISHED, PROMPT, SAID, SessionEvent
from recollect.pipeline.inbox_event import InboxEvent
from recollect.policy.memories import retention
from recollect.project_context import ProjectContext
from recollect.store.session_values import Receipt, Session

TURN_EVENTS = 10_000
"""At most that many events of a turn are read."""
EVENTS_WITHOUT_TURNS = 20
"""At most that many events of a session stand for a turn where the client has no ids for turns."""
STORY_EVENTS = 800
"""At most that many of the last events of a session are read."""
STORY_NAMES = (PROMPT, SAID, FINISHED, FAILED, ANSWER)


@dataclass(slots=True)
class Batch:
    """Changes, sessions, events and receipts that are written together, or not at all."""

    context: ProjectContext
    changes: list[Change] = field(default_factory=list)
    sessions: dict[str, Session] = field(default_factory=dict)
    events: dict[str, SessionEvent] = field(default_factory=dict)
    """The events of this batch, and stored events that it changes, by key."""
    receipts: list[Receipt] = field(default_factory=list)
    session_number: int | None = None
    """The project's session counter, where this batch moves it on."""
    settings: dict[str, str] = field(default_factory=dict)
    """Settings of the store that are written with it: which jobs are owed."""
    dropped: dict[str, str] = field(default_factory=dict)
    """By file, the events of which nothing is kept, and why."""

    def snapshot(self) -> "Batch":
        """Return a copy of this batch, which later additions do not change."""
        return replace(
            self,
            changes=list(self.changes),
            sessions=dict(self.sessions),
            events=dict(self.events),
            receipts=list(self.receipts),
            session_number=self.session_number,
            settings=dict(self.settings),
            dropped=dict(self.dropped),
        )

    def restore(self, before: "Batch") -> None:
        """Set everything in this batch back to a snapshot of it."""
        self.changes, self.sessions, self.events = before.changes, before.sessions, before.events
        self.receipts, self.session_number, self.dropped = before.receipts, before.session_number, before.dropped
        self.settings = before.settings

    def session(self, event: InboxEvent) -> Session:
        """Return the session of an event as it stands in this batch; a new one where the store has none."""
        known = self.sessions.get(event.counted_as) or self.context.store.sessions.get(event.counted_as)
        fresh = Session(
            id=event.counted_as,
            project=self.context.project,
            root=str(self.context.checkout.root),
            client=event.dialect.NAME,
            number=0,
            prompts=0,
            started=event.at,
            seen=event.at,
        )
        return replace(known or fresh, seen=max(event.at, known.seen if known else 0.0))

    def keep(self, event: InboxEvent, **parts: object) -> None:
        """Keep an event as a SessionEvent; `parts` are the fields of it that a handler knows."""
        known = self.events.get(event.key) or SessionEvent(
            key=event.key,
            session=event.session,
            project=self.context.project,
            at=event.at,
            name=event.name,
            turn=event["turn"],
        )
        self.events[event.key] = replace(known, **parts)  # type: ignore[arg-type]

    def turn_events(self, event: InboxEvent, name: str) -> list[SessionEvent]:
        """Return the events of a name in the same turn; without the client's id for a turn, the session's last ones."""
        turn = event["turn"] or None
        most = TURN_EVENTS if turn else EVENTS_WITHOUT_TURNS
        stored = self.context.store.sessions.events(session=event.session, name=name, turn=turn, limit=most)
        pending = [
            known
            for known in self.events.values()
            if known.session == event.session and known.name == name and (turn is None or known.turn == turn)
        ]
        return list(_by_key(stored, pending).values())

    def story(self, session: str) -> list[SessionEvent]:
        """Return the last prompts, tool calls and answers of a session, in order of time, stored or of this batch."""
        stored = self.context.store.sessions.events(session=session, limit=STORY_EVENTS)
        pending = [event for event in self.events.values() if event.session == session]
        merged = _by_key(stored, pending).values()
        return sorted((event for event in merged if event.name in STORY_NAMES), key=_time)

    def recent_tools(self, session: str, number: int) -> list[SessionEvent]:
        """Return the last tool events of a session, in order of time; at most `number`."""
        stored = [
            event
            for name in (FINISHED, FAILED)
            for event in self.context.store.sessions.events(session=session, name=name, limit=number)
        ]
        pending = [
            event for event in self.events.values() if event.session == session and event.name in (FINISHED, FAILED)
        ]
        return sorted(_by_key(stored, pending[-number:]).values(), key=_time)[-number:]

    def memory(self, uid: str) -> Memory | None:
        """Return a memory as this batch leaves it; None where there is none."""
        for change in reversed(self.changes):
            if isinstance(change, Create | Revise) and change.memory.uid == uid:
                return change.memory
            if isinstance(change, Retire) and change.uid == uid:
                before = self._last_image(uid)
                return before.having(status="retired") if before else None
        stored = self.context.store.get(uid)
        return stored.memory if stored else None

    def _last_image(self, uid: str) -> Memory | None:
        made = [change.memory for change in self.changes if isinstance(change, Create | Revise)]
        stored = self.context.store.get(uid)
        return next((memory for memory in reversed(made) if memory.uid == uid), stored.memory if stored else None)

    def changed_memories(self, *kinds: str) -> list[Memory]:
        """Return the memories of these kinds that this batch creates or revises."""
        found = [change.memory for change in self.changes if isinstance(change, Create | Revise)]
        return [memory for memory in found if memory.kind in kinds]

    def withdraw(self, memory: Memory, reason: str) -> None:
        """Retire a memory; one that only this batch was about to create is not created at all."""
        if self.context.store.get(memory.uid):
            self.changes += [] if self._is_retired(memory.uid) else [Retire(memory.uid, reason)]
        else:
            self.changes = [
                change
                for change in self.changes
                if not (isinstance(change, Create) and change.memory.uid == memory.uid)
            ]

    def leave_out_expired(self, now: datetime) -> None:
        """Remove the memories that would be erased as soon as they are made: their events are long past."""
        created = [change.memory for change in self.changes if isinstance(change, Create)]
        expired = {memory.uid for memory in created if retention.has_expired(memory, now)}
        self.changes = [change for change in self.changes if not _is_about(change, expired)]

    def _is_retired(self, uid: str) -> bool:
        return any(isinstance(change, Retire) and change.uid == uid for change in self.changes)

    def put(self, memory: Memory) -> None:
        """Create or revise a memory; one that this batch creates or revises already is replaced in place."""
        for position, change in enumerate(self.changes):
            if isinstance(change, Create | Revise) and change.memory.uid == memory.uid:
                self.changes[position] = replace(change, memory=memory)
                return
        if self.context.store.get(memory.uid):
            self.changes.append(Revise(memory, classify=True))
        else:
            self.changes.append(Create(memory, merge_duplicate=False, classify=True, expiry_named=True))

    def link(self, events: Iterable[SessionEvent], uid: str) -> None:
        """Record with events the uid of the memory that they became part of."""
        for event in events:
            self.events[event.key] = replace(self.events.get(event.key, event), memory=uid)


def _is_about(change: Change, uids: set[str]) -> bool:
    """Whether a change creates one of these memories, or states a fact that comes from one."""
    if isinstance(change, Assert):
        return change.fact.source in uids
    return isinstance(change, Create) and change.memory.uid in uids


def _by_key(stored: Iterable[SessionEvent], pending: Iterable[SessionEvent]) -> dict[str, SessionEvent]:
    """Return events by key; one of this batch takes the place of the stored one."""
    return {event.key: event for event in [*stored, *pending]}


def _time(event: SessionEvent) -> float:
    return event.at

"""What a batch of events becomes, before any of it is written."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from recollect.model.change import Change, Create, Retire, Revise
from recollect.model.memory import Memory
from recollect.model.session_event import ANSWER, FAILED, FINISHED, PROMPT, SessionEvent
from recollect.pipeline.inbox_event import InboxEvent
from recollect.project_context import ProjectContext
from recollect.store.values import Receipt, Session

MOST_OF_A_TURN = 10_000
MOST_OF_A_STORY = 800
WITHOUT_TURNS = 20
TOLD = (PROMPT, FINISHED, FAILED, ANSWER)


@dataclass(slots=True)
class Batch:
    """Changes, sessions, events and receipts that are written together, or not at all."""

    context: ProjectContext
    changes: list[Change] = field(default_factory=list)
    sessions: dict[str, Session] = field(default_factory=dict)
    happenings: dict[str, SessionEvent] = field(default_factory=dict)
    receipts: list[Receipt] = field(default_factory=list)
    number: int | None = None
    """The session counter, if it moves on."""
    dropped: dict[str, str] = field(default_factory=dict)
    """Events of which nothing is kept, and why."""

    def session(self, noted: InboxEvent) -> Session:
        """The session of an event, as it stands in this batch."""
        known = self.sessions.get(noted.counted_as) or self.context.store.sessions.get(noted.counted_as)
        fresh = Session(
            noted.counted_as,
            self.context.project,
            str(self.context.checkout.root),
            noted.dialect.NAME,
            0,
            0,
            noted.at,
            noted.at,
        )
        return replace(known or fresh, seen=max(noted.at, known.seen if known else 0.0))

    def keep(self, noted: InboxEvent, **parts: object) -> None:
        """What happened, with what this handler knows of it."""
        known = self.happenings.get(noted.key) or SessionEvent(
            noted.key, noted.session, self.context.project, noted.at, noted.event, noted["turn"]
        )
        self.happenings[noted.key] = replace(known, **parts)  # type: ignore[arg-type]

    def of_turn(self, noted: InboxEvent, name: str) -> list[SessionEvent]:
        """The events of a name in the same turn; without the client's id for it, those of the session."""
        turn = noted["turn"] or None
        most = MOST_OF_A_TURN if turn else WITHOUT_TURNS
        stored = self.context.store.sessions.happenings(session=noted.session, name=name, turn=turn, limit=most)
        pending = [
            one
            for one in self.happenings.values()
            if one.session == noted.session and one.name == name and (turn is None or one.turn == turn)
        ]
        return list({one.key: one for one in [*stored, *pending]}.values())

    def story(self, session: str) -> list[SessionEvent]:
        """The last events of a session, in order: what was drained before, and what is in this batch."""
        stored = self.context.store.sessions.happenings(session=session, limit=MOST_OF_A_STORY)
        pending = [one for one in self.happenings.values() if one.session == session]
        merged = {one.key: one for one in [*stored, *pending]}.values()
        return sorted((one for one in merged if one.name in TOLD), key=lambda one: one.at)

    def recent(self, session: str, number: int) -> list[SessionEvent]:
        """The last tool events of a session, in order."""
        stored = [
            one
            for name in (FINISHED, FAILED)
            for one in self.context.store.sessions.happenings(session=session, name=name, limit=number)
        ]
        pending = [one for one in self.happenings.values() if one.session == session and one.name in (FINISHED, FAILED)]
        merged = {one.key: one for one in [*stored, *pending[-number:]]}.values()
        return sorted(merged, key=lambda one: one.at)[-number:]

    def memory(self, uid: str) -> Memory | None:
        """A memory as this batch leaves it."""
        for change in reversed(self.changes):
            if isinstance(change, Create | Revise) and change.memory.uid == uid:
                return change.memory
            if isinstance(change, Retire) and change.uid == uid:
                stored = self.context.store.get(uid)
                return stored.memory.having(status="retired") if stored else None
        stored = self.context.store.get(uid)
        return stored.memory if stored else None

    def made(self, *kinds: str) -> list[Memory]:
        """The memories of these kinds that this batch makes or changes."""
        found = [change.memory for change in self.changes if isinstance(change, Create | Revise)]
        return [one for one in found if one.kind in kinds]

    def withdraw(self, memory: Memory, reason: str) -> None:
        """Retire a memory; one that only this batch was about to make is not made at all."""
        if self.context.store.get(memory.uid):
            self.changes += [] if self._is_retired(memory.uid) else [Retire(memory.uid, reason)]
        else:
            self.changes = [
                one for one in self.changes if not (isinstance(one, Create) and one.memory.uid == memory.uid)
            ]

    def _is_retired(self, uid: str) -> bool:
        return any(isinstance(change, Retire) and change.uid == uid for change in self.changes)

    def put(self, memory: Memory) -> None:
        """A new memory, or another version of one; what this batch makes itself is made as it is in the end."""
        for place, change in enumerate(self.changes):
            if isinstance(change, Create | Revise) and change.memory.uid == memory.uid:
                self.changes[place] = replace(change, memory=memory)
                return
        if self.context.store.get(memory.uid):
            self.changes.append(Revise(memory, classify=True))
        else:
            self.changes.append(Create(memory, merge_duplicate=False, classify=True, expiry_named=True))

    def file(self, events: Iterable[SessionEvent], uid: str) -> None:
        """Remember of events which memory they became part of."""
        for one in events:
            self.happenings[one.key] = replace(self.happenings.get(one.key, one), memory=uid)

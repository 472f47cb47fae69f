"""The role that keeps what clients sent and what they were shown."""

from collections.abc import Sequence
from typing import Protocol

from recollect.model.session_event import SessionEvent
from recollect.store.figures import HookTime, ToldDay, ToldSession
from recollect.store.session_values import Receipt, Session


class Sessions(Protocol):
    """Sessions, their events, and receipts of what was injected. Times are seconds since 1970."""

    def get(self, id: str) -> Session | None:
        """Return a session by the client's name for it; None for an unknown one."""

    def put(self, session: Session) -> None:
        """Insert a session, or replace the one with its name."""

    def named(self, name: str) -> list[str]:
        """Return the sessions that a name may mean, newest first: a whole id, or 8 characters or more of a long one."""

    def short_id(self, id: str) -> str:
        """Return a short name for a session, which `named` takes: 8 characters if they are unique."""

    def newest(self, project: str | None, limit: int) -> list[Session]:
        """Return the sessions of a project, or of all of them, that were seen last."""

    def unfinished(self, project: str, before: float, limit: int) -> list[Session]:
        """Return sessions that have not ended and sent nothing since a time."""

    def is_drained(self, key: str) -> bool:
        """Return whether an event was processed before."""

    def add_event(self, event: SessionEvent) -> None:
        """Keep an event that was processed."""

    def events(
        self,
        *,
        session: str | None = None,
        project: str | None = None,
        name: str | None = None,
        turn: str | None = None,
        at: float | None = None,
        limit: int = 50,
    ) -> list[SessionEvent]:
        """Return the newest events with these values, oldest first; None stands for any value."""

    def events_by_key(self, keys: Sequence[str]) -> list[SessionEvent]:
        """Return the events with these keys that are still kept, oldest first."""

    def first_prompt(self, session: str) -> str:
        """Return what a session was asked first; empty where nothing is kept."""

    def prompt_at(self, session: str, at: float) -> str:
        """Return the last prompt of a session up to a time, else the first in the second after it; empty if none is."""

    def mark(self, session: str | None, project: str) -> str:
        """Return a text that changes when an event or receipt of a session, or without one of a project, is added."""

    def told_days(self, project: str, since: float) -> list[ToldDay]:
        """Return what a project's agents were told on each day (UTC) since a time, oldest first."""

    def told_sessions(self, project: str, limit: int) -> list[ToldSession]:
        """Return how many memories and tokens the newest sessions of a project were told, oldest first."""

    def hook_times(self, project: str, since: float) -> list[HookTime]:
        """Return the time that each hook of a project took since a time, oldest first; only hooks that said it."""

    def last_event(self) -> tuple[float, str] | None:
        """Return time and name of the newest event; None if there is none."""

    def add_receipt(self, receipt: Receipt) -> None:
        """Keep a receipt."""

    def receipts(
        self, *, id: str | None = None, session: str | None = None, project: str | None = None, limit: int = 50
    ) -> list[Receipt]:
        """Return the newest receipts with these values, oldest first; `id` may be the beginning of one."""

    def receipts_about(self, uid: str, limit: int) -> list[Receipt]:
        """Return the newest receipts that considered or showed a memory, newest first."""

    def trim(self, before: float) -> None:
        """Delete events and receipts from before a time; the sessions themselves stay."""

    def recall_states(self, since: float) -> dict[str, int]:
        """Return how many recalls since a time ended in each state, most frequent first."""

"""The role that keeps what clients sent and what they were shown."""

from typing import Protocol

from recollect.model.session_event import SessionEvent
from recollect.store.values import Receipt, Session


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
        limit: int = 50,
    ) -> list[SessionEvent]:
        """Return the newest events with these values, oldest first; None stands for any value."""

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

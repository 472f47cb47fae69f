"""The library's verbs on agents' sessions: what happened, what agents were told, and where memory is switched off."""

from pathlib import Path
from typing import TYPE_CHECKING

from recollect import paths
from recollect.lazy import load
from recollect.library.fast.fast_why import Telling, telling
from recollect.opening.open_project import OpenProject
from recollect.setup import on_off
from recollect.store.session_values import Receipt
from recollect.write import commit, session_counter

if TYPE_CHECKING:
    from recollect.pipeline.session_tail import Line
    from recollect.policy.capture.timeline import TimelineEntry


class SessionVerbs(OpenProject):
    """Events, receipts and stories of sessions, their number, and the switch that turns memory off."""

    @property
    def session_number(self) -> int:
        """The number of sessions that this project has had."""  # A25
        return session_counter.number(self._context)

    def set_session_number(self, number: int) -> None:
        """Set the number of sessions; the next session counts on from it."""
        session_counter.set_number(self._context, number)
        commit.mirror(self._context)

    def tail(self, *, session: str | None = None, limit: int = 30, all_projects: bool = False) -> "list[Line]":
        """Return the last `limit` events and receipts of sessions, oldest first; waiting and dropped ones too."""
        project = None if all_projects else self.project
        home, wanted = Path(paths.home(self._context.env)), self.session_id(session) if session else None
        tail = load("recollect.pipeline.session_tail")  # it reads events with all rules of capture
        lines: list[Line] = tail.lines(self._context, home, session=wanted, project=project, limit=limit)
        return lines

    def short_session_id(self, session: str) -> str:
        """Return 8 characters of a session's id that every verb takes for it; all of it if they are not unique."""
        return self._context.store.sessions.short_id(session)

    def story(self, session: str) -> "list[TimelineEntry]":
        """Return the steps of a session in order: prompts, attempts, failures, repairs, results, saved memories."""
        entries: list[TimelineEntry] = load("recollect.pipeline.capture").tell(self._context, self.session_id(session))
        return entries

    def receipt(self, id: str | None = None) -> Receipt | None:
        """Return a receipt, by its id or the last one of this project; None if there is none."""
        project = self.project if id is None else None
        found = self._context.store.sessions.receipts(id=id, project=project, limit=1)
        return found[0] if found else None

    def told(self, name: str, *, limit: int = 20, here: bool = False) -> list[Telling]:
        """Return when a memory was considered for an agent, newest first: whether it was told, and why or why not.

        With `here`, occasions in other projects are left out: a memory may be for all of them.
        """
        uid = self.find(name).memory.uid
        found = self._context.store.sessions.receipts_about(uid, limit)
        return [telling(receipt, uid) for receipt in found if not here or receipt.project == self.project]

    def switch(self, *, on: bool, session: str | None = None) -> str:
        """Switch memory on or off for agents, in a session or in this folder and below it; return what was switched."""
        wanted = self.session_id(session) if session else session
        switched = on_off.turn(self._context, on=on, folder=self._folder, session=wanted)
        commit.mirror(self._context)
        return switched

    def off_because(self, session: str | None = None) -> str | None:
        """Return why memory is off for agents here; None if it is on."""
        return on_off.reason(self._context, self._folder, self.session_id(session) if session else None)

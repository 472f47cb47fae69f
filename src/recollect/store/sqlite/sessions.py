"""The tables of what clients sent and were shown: sessions, events, receipts."""

import json
from collections.abc import Sequence
from dataclasses import astuple, fields
from typing import TYPE_CHECKING, Any

from recollect.model.session_event import SessionEvent
from recollect.store.figures import HookTime, ToldDay, ToldSession
from recollect.store.session_values import Receipt, Session
from recollect.store.sqlite import lookup

if TYPE_CHECKING:
    from recollect.store.sqlite.database import Rows

# A silence is a prompt for which nothing was told; starts of sessions and failures of tools are no prompts.
TOLD_DAYS = """
SELECT date(at, 'unixepoch') AS day, count(*) FILTER (WHERE event = 'PromptSubmitted' AND shown <> '[]'),
    count(*) FILTER (WHERE event = 'PromptSubmitted' AND shown = '[]'), sum(json_array_length(shown)), sum(tokens)
FROM receipts WHERE project = ? AND at >= ? GROUP BY day ORDER BY day
"""
TOLD_SESSIONS = """
SELECT session, min(at), sum(json_array_length(shown)), sum(tokens) FROM receipts
WHERE project = ? GROUP BY session ORDER BY min(at) DESC LIMIT ?
"""
HOOK_TIMES = "SELECT at, event, ms FROM receipts WHERE project = ? AND at >= ? AND ms > 0 ORDER BY at"


def _columns(kind: type) -> str:
    return ", ".join(field.name for field in fields(kind))


class SessionTable:
    """Sessions, events and receipts, by identity and by time. Times are seconds since 1970."""

    def __init__(self, rows: "Rows") -> None:
        self._rows = rows

    def get(self, id: str) -> Session | None:
        """Return a session by the client's name for it; None for an unknown one."""
        rows = self._rows(f"SELECT {_columns(Session)} FROM sessions WHERE id = ?", (id,))
        return Session(*rows[0]) if rows else None

    def put(self, session: Session) -> None:
        """Insert a session, or replace the one with its name."""
        self._rows(f"REPLACE INTO sessions ({_columns(Session)}) VALUES ({_holes(Session)})", astuple(session))

    def named(self, name: str) -> list[str]:
        """Return the sessions that a name may mean, newest first: a whole id, or 8 characters or more of a long one."""
        return lookup.sessions_named(self._rows, name)

    def short_id(self, id: str) -> str:
        """Return a short name for a session, which `named` takes: 8 characters if they are unique."""
        return lookup.short_session(self._rows, id)

    def newest(self, project: str | None, limit: int) -> list[Session]:
        """Return the sessions of a project, or of all of them, that were seen last."""
        where = "?1 IS NULL OR project = ?1"
        sql = f"SELECT {_columns(Session)} FROM sessions WHERE {where} ORDER BY seen DESC, id LIMIT ?2"
        return [Session(*row) for row in self._rows(sql, (project, limit))]

    def unfinished(self, project: str, before: float, limit: int) -> list[Session]:
        """Return sessions that have not ended and sent nothing since a time."""
        sql = f"SELECT {_columns(Session)} FROM sessions WHERE project = ? AND ended IS NULL AND seen < ? LIMIT ?"
        return [Session(*row) for row in self._rows(sql, (project, before, limit))]

    def is_drained(self, key: str) -> bool:
        """Return whether an event was processed before."""
        return bool(self._rows("SELECT 1 FROM events WHERE key = ?", (key,)))

    def add_event(self, event: SessionEvent) -> None:
        """Keep an event that was processed."""
        lists = json.dumps(event.files_read), json.dumps(event.files_modified)
        row = (
            event.key, event.session, event.project, event.at, event.name, event.turn, event.tool, event.about, *lists,
            event.outcome, event.doing, event.detail, event.memory,
        )  # fmt: skip
        self._rows(f"REPLACE INTO events ({_columns(SessionEvent)}) VALUES ({_holes(SessionEvent)})", row)

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
        wanted = {"session": session, "project": project, "name": name, "turn": turn, "at": at}
        given = {column: value for column, value in wanted.items() if value is not None}
        where = " AND ".join(["1", *(f"{column} = ?" for column in given)])
        sql = f"SELECT {_columns(SessionEvent)} FROM events WHERE {where} ORDER BY at DESC, rowid DESC LIMIT ?"
        rows = self._rows(sql, (*given.values(), limit))
        return [_event(row) for row in reversed(rows)]

    def events_by_key(self, keys: Sequence[str]) -> list[SessionEvent]:
        """Return the events with these keys that are still kept, oldest first."""
        where = "key IN (SELECT value FROM json_each(?))"
        sql = f"SELECT {_columns(SessionEvent)} FROM events WHERE {where} ORDER BY at, rowid"
        return [_event(row) for row in self._rows(sql, (json.dumps(list(keys)),))]

    def first_prompt(self, session: str) -> str:
        """Return what a session was asked first; empty where nothing is kept."""
        where = "session = ? AND name = 'PromptSubmitted' ORDER BY at, rowid LIMIT 1"
        return str(next(iter(self._rows(f"SELECT about FROM events WHERE {where}", (session,))), ("",))[0])

    def prompt_at(self, session: str, at: float) -> str:
        """Return the last prompt of a session up to a time, else the first in the second after it; empty if none is."""
        where = "session = ?1 AND name = 'PromptSubmitted' AND at <= ?2 + 1"
        order = "at > ?2, abs(at - ?2), rowid DESC"
        found = self._rows(f"SELECT about FROM events WHERE {where} ORDER BY {order} LIMIT 1", (session, at))
        return str(next(iter(found), ("",))[0])

    def mark(self, session: str | None, project: str) -> str:
        """Return a text that changes when an event or receipt of a session, or without one of a project, is added."""
        column, value = ("session", session) if session else ("project", project)
        newest = ", ".join(
            f"(SELECT coalesce(max(rowid), 0) FROM {name} WHERE {column} = ?1)" for name in ("events", "receipts")
        )
        return "-".join(map(str, self._rows(f"SELECT {newest}", (value,))[0]))

    def add_receipt(self, receipt: Receipt) -> None:
        """Keep a receipt."""
        lists = json.dumps(receipt.words), json.dumps(receipt.shown), json.dumps(receipt.candidates)
        row = (
            receipt.id, receipt.at, receipt.session, receipt.project, receipt.event, *lists, receipt.tokens,
            receipt.state, receipt.profile, receipt.ms,
        )  # fmt: skip
        self._rows(f"REPLACE INTO receipts ({_columns(Receipt)}) VALUES ({_holes(Receipt)})", row)

    def receipts(
        self, *, id: str | None = None, session: str | None = None, project: str | None = None, limit: int = 50
    ) -> list[Receipt]:
        """Return the newest receipts with these values, oldest first; `id` may be the beginning of one."""
        where = "(?1 IS NULL OR instr(id, ?1) = 1) AND (?2 IS NULL OR session = ?2) AND (?3 IS NULL OR project = ?3)"
        sql = f"SELECT {_columns(Receipt)} FROM receipts WHERE {where} ORDER BY at DESC, rowid DESC LIMIT ?4"
        rows = self._rows(sql, (id, session, project, limit))
        return [_receipt(row) for row in reversed(rows)]

    def receipts_about(self, uid: str, limit: int) -> list[Receipt]:
        """Return the newest receipts that considered or showed a memory, newest first."""
        where = "instr(candidates, ?1) OR instr(shown, ?1)"
        sql = f"SELECT {_columns(Receipt)} FROM receipts WHERE {where} ORDER BY at DESC, rowid DESC LIMIT ?2"
        return [_receipt(row) for row in self._rows(sql, (json.dumps(uid), limit))]

    def last_event(self) -> tuple[float, str] | None:
        """Return time and name of the newest event; None if there is none."""
        rows = self._rows("SELECT at, name FROM events ORDER BY at DESC LIMIT 1", ())
        return (float(rows[0][0]), str(rows[0][1])) if rows else None

    def trim(self, before: float) -> None:
        """Delete events and receipts from before a time; the sessions themselves stay."""
        for table in ("events", "receipts"):
            self._rows(f"DELETE FROM {table} WHERE at < ?", (before,))

    def recall_states(self, since: float) -> dict[str, int]:
        """Return how many recalls since a time ended in each state, most frequent first."""
        sql = "SELECT state, count(*) FROM receipts WHERE at >= ? AND state <> '' GROUP BY state ORDER BY 2 DESC"
        return dict(self._rows(sql, (since,)))

    # -- figures ------------------------------------------------------------------------------------------------

    def told_days(self, project: str, since: float) -> list[ToldDay]:
        """Return what a project's agents were told on each day (UTC) since a time, oldest first."""
        return [ToldDay(*row) for row in self._rows(TOLD_DAYS, (project, since))]

    def told_sessions(self, project: str, limit: int) -> list[ToldSession]:
        """Return how many memories and tokens the newest sessions of a project were told, oldest first."""
        return [ToldSession(*row) for row in reversed(self._rows(TOLD_SESSIONS, (project, limit)))]

    def hook_times(self, project: str, since: float) -> list[HookTime]:
        """Return the time that each hook of a project took since a time, oldest first; only hooks that said it."""
        return [HookTime(*row) for row in self._rows(HOOK_TIMES, (project, since))]


def _holes(kind: type) -> str:
    return ", ".join("?" * len(fields(kind)))


def _event(row: tuple[Any, ...]) -> SessionEvent:
    parts = dict(zip((field.name for field in fields(SessionEvent)), row, strict=True))
    for name in ("files_read", "files_modified"):
        parts[name] = tuple(json.loads(parts[name]))
    return SessionEvent(**parts)


def _receipt(row: tuple[Any, ...]) -> Receipt:
    parts = dict(zip((field.name for field in fields(Receipt)), row, strict=True))
    for name in ("words", "shown", "candidates"):
        parts[name] = json.loads(parts[name])
    return Receipt(**parts)

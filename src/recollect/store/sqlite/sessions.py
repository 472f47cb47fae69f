"""The tables of what clients sent and were told: sessions, events, receipts."""

import json
from collections.abc import Callable
from dataclasses import astuple, dataclass, fields
from typing import Any

from recollect.model.session_event import SessionEvent

Rows = Callable[[str, tuple[object, ...]], list[tuple[Any, ...]]]


@dataclass(frozen=True, slots=True)
class Session:
    """One use of a client."""

    id: str
    project: str
    root: str
    client: str
    number: int
    prompts: int
    started: float
    seen: float
    compacted: float = 0.0
    ended: float | None = None


@dataclass(frozen=True, slots=True)
class Receipt:
    """What one injection weighed and showed, and why."""

    id: str
    at: float
    session: str
    project: str
    event: str
    words: dict[str, float]
    shown: list[str]
    candidates: list[dict[str, Any]]
    tokens: int
    state: str = ""
    """`hits`, `none`, or why it failed or was only half done."""
    profile: str = ""


def _columns(kind: type) -> str:
    return ", ".join(field.name for field in fields(kind))


class SessionTable:
    """Sessions, events and receipts, by identity and by time."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    def get(self, id: str) -> Session | None:
        """A session by the client's name for it."""
        rows = self._rows(f"SELECT {_columns(Session)} FROM sessions WHERE id = ?", (id,))
        return Session(*rows[0]) if rows else None

    def put(self, session: Session) -> None:
        """Keep a session as it now is."""
        self._rows(f"REPLACE INTO sessions ({_columns(Session)}) VALUES ({_holes(Session)})", astuple(session))

    def left(self, project: str, before: float, limit: int) -> list[Session]:
        """Sessions that never said good-bye: not ended, and silent since before a time."""
        sql = f"SELECT {_columns(Session)} FROM sessions WHERE project = ? AND ended IS NULL AND seen < ? LIMIT ?"
        return [Session(*row) for row in self._rows(sql, (project, before, limit))]

    def is_drained(self, key: str) -> bool:
        """Whether an event was worked through before."""
        return bool(self._rows("SELECT 1 FROM events WHERE key = ?", (key,)))

    def enter(self, one: SessionEvent) -> None:
        """Keep an event; from now on it is drained."""
        lists = json.dumps(one.files_read), json.dumps(one.files_modified)
        row = (
            one.key, one.session, one.project, one.at, one.name, one.turn, one.tool, one.about, *lists, one.outcome,
            one.doing, one.detail, one.memory,
        )  # fmt: skip
        self._rows(f"REPLACE INTO events ({_columns(SessionEvent)}) VALUES ({_holes(SessionEvent)})", row)

    def happenings(
        self,
        *,
        session: str | None = None,
        project: str | None = None,
        name: str | None = None,
        turn: str | None = None,
        limit: int = 50,
    ) -> list[SessionEvent]:
        """The newest events that fit, oldest first."""
        wanted = {"session": session, "project": project, "name": name, "turn": turn}
        given = {column: value for column, value in wanted.items() if value is not None}
        where = " AND ".join(["1", *(f"{column} = ?" for column in given)])
        sql = f"SELECT {_columns(SessionEvent)} FROM events WHERE {where} ORDER BY at DESC, rowid DESC LIMIT ?"
        rows = self._rows(sql, (*given.values(), limit))
        return [_happening(row) for row in reversed(rows)]

    def add_receipt(self, one: Receipt) -> None:
        """Keep a receipt."""
        parts = json.dumps(one.words), json.dumps(one.shown), json.dumps(one.candidates)
        row = (one.id, one.at, one.session, one.project, one.event, *parts, one.tokens, one.state, one.profile)
        self._rows(f"REPLACE INTO receipts ({_columns(Receipt)}) VALUES ({_holes(Receipt)})", row)

    def receipts(
        self, *, id: str | None = None, session: str | None = None, project: str | None = None, limit: int = 50
    ) -> list[Receipt]:
        """The newest receipts that fit, oldest first; a receipt's beginning is enough to name it."""
        where = "(?1 IS NULL OR instr(id, ?1) = 1) AND (?2 IS NULL OR session = ?2) AND (?3 IS NULL OR project = ?3)"
        sql = f"SELECT {_columns(Receipt)} FROM receipts WHERE {where} ORDER BY at DESC, rowid DESC LIMIT ?4"
        rows = self._rows(sql, (id, session, project, limit))
        return [_receipt(row) for row in reversed(rows)]

    def last_event(self) -> tuple[float, str] | None:
        """When the newest event came, and which it was."""
        rows = self._rows("SELECT at, name FROM events ORDER BY at DESC LIMIT 1", ())
        return (float(rows[0][0]), str(rows[0][1])) if rows else None

    def trim(self, before: float) -> None:
        """Forget what happened before a time; the sessions themselves stay."""
        for table in ("events", "receipts"):
            self._rows(f"DELETE FROM {table} WHERE at < ?", (before,))

    def renew_terms(self) -> None:
        """Count anew which words many memories hold: hooks do not look for those."""
        self._rows("DELETE FROM frequent_terms", ())
        self._rows(
            "INSERT INTO frequent_terms SELECT term, doc FROM memory_terms "
            "WHERE doc > max(50, 0.02 * (SELECT count(*) FROM memories))",
            (),
        )


def _holes(kind: type) -> str:
    return ", ".join("?" * len(fields(kind)))


def _happening(row: tuple[Any, ...]) -> SessionEvent:
    parts = dict(zip((field.name for field in fields(SessionEvent)), row, strict=True))
    for name in ("files_read", "files_modified"):
        parts[name] = tuple(json.loads(parts[name]))
    return SessionEvent(**parts)


def _receipt(row: tuple[Any, ...]) -> Receipt:
    parts = dict(zip((field.name for field in fields(Receipt)), row, strict=True))
    for name in ("words", "shown", "candidates"):
        parts[name] = json.loads(parts[name])
    return Receipt(**parts)

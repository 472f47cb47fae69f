"""Parse a client's JSON with SQLite, which the store loads anyway; loading `json` would cost twice. Import-light."""

import time

from recollect.store.hook_reader.connection import apsw

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Protocol

    class FieldTable(Protocol):
        """A dialect, as far as it says where fields stand in an event."""

        FIELDS: "Mapping[str, tuple[str, ...]]"


PART_CHARS, MOST_PARTS = 60_000, 200
FEW_CHARS, FEW_PARTS = 500, 40
STILL_LONG_BYTES = 1_000_000
IS_OBJECT = "SELECT CASE WHEN json_valid(?1) THEN json_type(?1) = 'object' END"

# A part that is too long is cut, one level deeper too; what is left is the same document.
_SHRUNK = """
SELECT json_group_object(key, CASE
    WHEN type = 'text' THEN substr(value, 1, ?2)
    WHEN type = 'object' AND length(value) > ?2 THEN json((
        SELECT json_group_object(part.key, CASE
            WHEN part.type = 'text' THEN substr(part.value, 1, ?2)
            WHEN length(part.value) > ?2 THEN '[cut]'
            WHEN part.type IN ('object', 'array') THEN json(part.value)
            ELSE part.value END)
        FROM (SELECT * FROM json_each(whole.value) LIMIT ?3) AS part))
    WHEN length(value) > ?2 THEN '[cut]'
    WHEN type IN ('object', 'array') THEN json(value)
    WHEN type IN ('true', 'false') THEN json(type)
    ELSE value END)
FROM (SELECT * FROM json_each(?1) LIMIT ?3) AS whole
"""


class BadEvent(ValueError):
    """Standard input held no JSON object."""


def fields(raw: bytes, dialect: "FieldTable") -> dict[str, str]:
    """Return our fields of a client's JSON as texts; a value that is neither text nor true is empty.

    Raise BadEvent where it is no JSON object.
    """
    said = raw.decode("utf-8", "replace")
    columns = ",".join(_column(paths) for paths in dialect.FIELDS.values())
    db = apsw.Connection("")
    try:
        if not db.execute(IS_OBJECT, (said,)).get:
            raise BadEvent("standard input holds no JSON object")
        # As bytes: half of a surrogate pair is no text that could be handed over.
        found: tuple[Any, ...] = db.execute(f"SELECT {columns}", (said,)).fetchall()[0]
    finally:
        db.close()
    return {name: _text(value) if value else "" for name, value in zip(dialect.FIELDS, found, strict=True)}


def _text(value: bytes) -> str:
    try:
        return value.decode().replace("\0", "\ufffd")
    except UnicodeDecodeError:  # half of a surrogate pair, which is no text
        whole = value.decode("utf-8", "surrogatepass")
        return "".join("\ufffd" if "\ud800" <= sign <= "\udfff" else sign for sign in whole)


def _column(paths: tuple[str, ...]) -> str:
    spelled = [f"'$.{path}'" for path in paths]
    parts = [f"CASE json_type(?1,{path}) WHEN 'text' THEN ?1->>{path} WHEN 'true' THEN 'true' END" for path in spelled]
    return f"CAST(coalesce({','.join(parts)},'') AS BLOB)"


def moment(env: "Mapping[str, str]") -> float:
    """Return the current time in seconds since the epoch; `RECOLLECT_NOW` sets it for tests and replays."""
    chosen = env.get("RECOLLECT_NOW")
    if not chosen:
        return time.time()
    db = apsw.Connection("")
    set_to = db.execute("SELECT unixepoch(?)", (chosen,)).get
    db.close()
    return float(set_to) if set_to is not None else time.time()


def shrunk(raw: bytes) -> bytes:
    """Return an event that is small enough for the inbox: long parts are cut, of very many the first are kept."""
    said = raw.decode("utf-8", "replace")
    db = apsw.Connection("")
    try:
        smaller = bytes(db.execute(f"SELECT CAST(({_SHRUNK}) AS BLOB)", (said, PART_CHARS, MOST_PARTS)).get)
        if len(smaller) > STILL_LONG_BYTES:
            smaller = bytes(db.execute(f"SELECT CAST(({_SHRUNK}) AS BLOB)", (said, FEW_CHARS, FEW_PARTS)).get)
    finally:
        db.close()
    return smaller


def record(said: str) -> dict[str, str] | None:
    """Return the names in a JSON object with what they hold as text, and "" for lists and objects; None for others."""
    db = apsw.Connection("")
    try:
        if not db.execute(IS_OBJECT, (said,)).get:
            return None
        found = db.execute("SELECT CAST(key AS BLOB), CAST(coalesce(atom, '') AS BLOB) FROM json_each(?)", (said,))
        return {_text(name): _text(value) for name, value in found}
    finally:
        db.close()


def installed_settings(said: str) -> list[str]:
    """Return the settings files that a manifest of installs names; none where it cannot be read."""
    db = apsw.Connection("")
    try:
        if not db.execute(IS_OBJECT, (said,)).get:
            return []
        sql = "SELECT CAST(value->>'settings' AS BLOB) FROM json_each(?, '$.installs') WHERE type = 'object'"
        return [_text(path) for (path,) in db.execute(sql, (said,)) if path]
    finally:
        db.close()

"""Read the memories and facts of a LetsGo database, without ever writing to it (D1, D13)."""

import contextlib
import json
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar, get_args

import apsw
from pydantic import ValidationError

from recollect.errors import UnreadableFile
from recollect.model import clock, text
from recollect.model.content import Text
from recollect.model.fact import FACT_PREFIX, Fact
from recollect.model.kinds import KINDS
from recollect.model.memory import TAG_CAP, Concept, Memory, Sensitivity, Usage

BUSY_MS = 1_000
TITLE_CHARS = 80
DEFAULT_KIND = "change"
DEFAULT_TITLE = "untitled"
DEFAULT_CATEGORY = "general"
MEMORIES, FACTS = "memories", "facts"
MEMORY_COLUMNS = (
    "id", "content", "category", "importance", "sensitivity", "tags", "created_at", "updated_at", "expires_at",
    "title", "subtitle", "type", "concepts", "files_read", "files_modified", "session_id", "project",
    "accessed_count",
)  # fmt: skip
FACT_COLUMNS = (
    "id", "subject", "predicate", "object", "confidence", "source_entry_id", "source_memory_id", "created_at",
    "updated_at",
)  # fmt: skip
OUR_COLUMN = "image"
# D15: a memory without a label, or with an unknown one, is never shown.
SENSITIVITIES: dict[str, Sensitivity] = {"public": "public", "private": "private", "secret": "secret"}
CONCEPTS: dict[str, Concept] = {name: name for name in get_args(Concept)}

Row = Mapping[str, object]
Made = TypeVar("Made", Memory, Fact)

# Tables only: reading a view or a virtual table would run code of whoever made the file.
_COLUMNS = """
SELECT lower(info.name) FROM sqlite_master AS part, pragma_table_info(part.name) AS info
WHERE part.type = 'table' AND lower(part.name) = ? AND part.sql NOT LIKE 'CREATE VIRTUAL %'
"""
_MOST_HITS = 1_000_000_000


@dataclass(frozen=True, slots=True)
class LetsGoContents:
    """The memories and facts of a database, and a line for everything that could not be imported."""

    memories: list[Memory] = field(default_factory=list)
    facts: list[Fact] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


def is_letsgo(path: Path) -> bool:
    """Return whether a file is a database with LetsGo's memories; False for one that cannot be read."""
    try:
        with _opened(path) as database:
            columns = _columns(database, MEMORIES)
    except (UnreadableFile, apsw.Error, OSError, UnicodeError):
        return False
    return "content" in columns and OUR_COLUMN not in columns


def read(path: Path, *, project: str, now: str) -> LetsGoContents:
    """Return all that can be read; raise UnreadableFile where nothing can."""
    found = LetsGoContents()
    reader = _Reader(project, now, found.problems)
    try:
        with _opened(path) as database:
            if "content" not in _columns(database, MEMORIES):
                raise _unreadable(path, "there is no table of memories in it")
            found.memories.extend(reader.take(database, MEMORIES, MEMORY_COLUMNS, reader.memory))
            found.facts.extend(reader.take(database, FACTS, FACT_COLUMNS, reader.fact))
    except apsw.BusyError:
        raise _unreadable(path, "another program is writing to it", "Try again when LetsGo is done.") from None
    except apsw.ReadOnlyError:
        fix = "Start LetsGo once, which repairs it, and try again."
        raise _unreadable(path, "a crash left it in the middle of a write", fix) from None
    except (apsw.Error, OSError, UnicodeError) as error:
        raise _unreadable(path, f"it cannot be read as a database: {error}") from None
    return found


def _unreadable(path: Path, problem: str, fix: str = "Name LetsGo's own database.") -> UnreadableFile:
    return UnreadableFile(problem, target=path, fix=f"{fix} Nothing was imported.")


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[apsw.Connection]:
    # Only a file: SQLite would wait for a pipe's other end.
    if not path.is_file():
        raise _unreadable(path, "there is no such file")
    database = apsw.Connection(str(path.absolute()), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        database.set_busy_timeout(BUSY_MS)
        # What SQLite's authors advise for files of unknown origin; one transaction sees one state of the file.
        database.execute("PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON; BEGIN")
        yield database
    finally:
        database.close(True)


def _columns(database: apsw.Connection, table: str) -> set[str]:
    return {str(name) for (name,) in database.execute(_COLUMNS, (table,))}


def _rows(database: apsw.Connection, table: str, wanted: tuple[str, ...]) -> Iterator[Row]:
    known = _columns(database, table)
    names = [name for name in wanted if name in known]
    if not names:
        return
    encoding = str(database.pragma("encoding"))
    # As bytes, because a text that is not UTF-8 would end the reading of the whole table.
    cells = (f"""CASE typeof("{name}") WHEN 'text' THEN CAST("{name}" AS BLOB) ELSE "{name}" END""" for name in names)
    for values in database.execute(f"SELECT {', '.join(cells)} FROM {table}"):
        yield {name: _cell(value, encoding) for name, value in zip(names, values, strict=True)}


def _cell(value: object, encoding: str) -> object:
    if not isinstance(value, bytes):
        return value
    try:
        return text.storable(value.decode(encoding))
    except UnicodeDecodeError:
        return None


@dataclass(slots=True)
class _Reader:
    """Turns rows into memories and facts; what is wrong with a row becomes a line of `problems`."""

    project: str
    now: str
    problems: list[str]
    uids: dict[str, str] = field(default_factory=dict)
    """Our identity of each memory, by LetsGo's."""

    def take(
        self,
        database: apsw.Connection,
        table: str,
        wanted: tuple[str, ...],
        make: Callable[[Row, str], Made | None],
    ) -> list[Made]:
        """Return what `make` makes of each usable row; of a file damaged further down, the rows before that."""
        made: list[Made] = []
        number = 0
        try:
            for number, row in enumerate(_rows(database, table, wanted), 1):
                name = f"{table} {text.cut(_line(row, 'id'), 80) or f'row {number}'}"
                try:
                    value = make(row, name)
                except ValidationError as error:
                    self.problems.append(f"{name}: {_why(error)}")
                    continue
                made += [value] if value else []
        except apsw.Error as error:
            if table == MEMORIES and not made:
                raise
            self.problems.append(f"{table}: nothing can be read after row {number}: {error}")
        return made

    def memory(self, row: Row, name: str) -> Memory | None:
        """Return the memory of a row; None, and a problem, for a row without content."""
        content = _string(row, "content")
        if not content.strip():
            self.problems.append(f"{name}: has no content")
            return None
        title = _title(_string(row, "title")) or _title(_beginning(content))
        kind, own_id = _line(row, "type").lower(), _line(row, "id")
        uid = text.new_uid(self._written(row))
        self.uids.setdefault(own_id, uid)
        return Memory(
            uid=uid,
            slug=text.slugify(title) or f"note-{text.sha256(content)[:8]}",
            kind=kind if kind in KINDS else DEFAULT_KIND,  # D2
            title=title or DEFAULT_TITLE,
            content=Text(text=content),
            tags=self._tags(row, name),
            concepts=self._concepts(row, name),
            cue=_line(row, "subtitle"),
            project=_line(row, "project") or self.project,
            session=_line(row, "session_id") or None,
            origin="import",
            channel=f"letsgo:{own_id}" if own_id else None,
            importance=_share(row.get("importance"), 0.5),
            sensitivity=SENSITIVITIES.get(_line(row, "sensitivity").lower(), "unknown"),
            usage=Usage(hits=_hits(row.get("accessed_count"))),
            expires_at=self._expiry(row, name),
            **self._times(row),
            **{column: tuple(_list(row, column)) for column in ("files_read", "files_modified")},
        )

    def fact(self, row: Row, name: str) -> Fact | None:
        """Return the fact of a row; its source is the memory that was imported from LetsGo's (D13)."""
        parts = {part: _string(row, part).strip() for part in ("subject", "predicate", "object")}
        missing = [part for part, value in parts.items() if not value]
        if missing:
            self.problems.append(f"{name}: has no {', '.join(missing)}")
            return None
        return Fact(
            uid=FACT_PREFIX + text.new_uid(self._written(row)),
            project=self.project,
            **parts,
            confidence=_share(row.get("confidence"), 1.0),
            source=self.uids.get(_line(row, "source_entry_id") or _line(row, "source_memory_id")),
            **self._times(row),
        )

    def _written(self, row: Row) -> datetime:
        return _read(row.get("created_at")) or clock.parse(self.now) or datetime.fromtimestamp(0, UTC)

    def _times(self, row: Row) -> dict[str, str]:
        created_at = _stamp(row.get("created_at")) or self.now
        return {"created_at": created_at, "updated_at": _stamp(row.get("updated_at")) or created_at}

    def _tags(self, row: Row, name: str) -> tuple[str, ...]:
        category = text.clean_tag(_string(row, "category"))
        named = [] if category in ("", DEFAULT_CATEGORY) else [f"category:{category}"]
        tags = dict.fromkeys([*named, *filter(None, map(text.clean_tag, _list(row, "tags")))])
        dropped = list(tags)[TAG_CAP:]
        if dropped:
            self.problems.append(f"{name}: more than {TAG_CAP} tags; dropped: {text.cut(', '.join(dropped), 200)}")
        return tuple(tags)[:TAG_CAP]

    def _concepts(self, row: Row, name: str) -> tuple[Concept, ...]:
        # D2: LetsGo accepts any concept.
        named = dict.fromkeys(concept.lower() for concept in _list(row, "concepts"))
        unknown = [concept for concept in named if concept not in CONCEPTS]
        if unknown:
            self.problems.append(f"{name}: unknown concepts dropped: {text.cut(', '.join(unknown), 200)}")
        return tuple(CONCEPTS[concept] for concept in named if concept in CONCEPTS)

    def _expiry(self, row: Row, name: str) -> str | None:
        expires_at = _stamp(row.get("expires_at"))
        if not expires_at and _line(row, "expires_at"):
            self.problems.append(f"{name}: expires_at is not a time; it is kept without one")  # D10
        return expires_at


def _why(error: ValidationError) -> str:
    problem = error.errors(include_url=False, include_context=False, include_input=False)[0]
    return f"{'.'.join(map(str, problem['loc']))}: {problem['msg']}"


def _string(row: Row, name: str) -> str:
    value = row.get(name)
    return value if isinstance(value, str) else str(value) if isinstance(value, int | float) else ""


def _line(row: Row, name: str) -> str:
    return text.clean_line(_string(row, name))


def _list(row: Row, name: str) -> list[str]:
    """Return the parts of a JSON array, or of a text with commas (D1)."""
    value = _string(row, name).strip()
    try:
        found = json.loads(value)
    except (ValueError, RecursionError):
        # An array that was cut off is still one.
        found = value.strip("[]").split(",") if value.startswith('["') else value.split(",")
    parts = found if isinstance(found, list) else value.split(",") if value != "null" else []
    bare = (text.clean_line(text.storable(part)).strip("\"'") for part in parts if isinstance(part, str))
    return list(dict.fromkeys(part for part in bare if part))


def _beginning(content: str) -> str:
    return content[:TITLE_CHARS] + ("..." if len(content) > TITLE_CHARS else "")  # D3


def _title(words: str) -> str:
    return text.cut(text.clean_title(" ".join(words.split())), text.TITLE_CHARS)


def _number(value: object) -> float | None:
    try:
        number = float(value) if isinstance(value, str | int | float) else math.nan
    except ValueError:
        return None
    return None if math.isnan(number) else number


def _share(value: object, default: float) -> float:
    """Return a number between 0 and 1."""
    number = _number(value)
    return default if number is None else min(1.0, max(0.0, number))  # D13: LetsGo does not clamp


def _hits(value: object) -> int:
    return int(min(_MOST_HITS, max(0.0, _number(value) or 0.0)))


def _stamp(value: object) -> str | None:
    moment = _read(value)
    return clock.stamp(moment) if moment else None


def _read(value: object) -> datetime | None:
    """Return the moment of a text or a number; None for neither."""
    return clock.read(value) or clock.read(_number(value))

"""A Query as SQL conditions on the table `memories`, and words as FTS5 queries."""

from collections.abc import Sequence

from recollect.model.query import Query

EVERYTHING = "1"
_HELD_OFF = "SELECT id FROM memories WHERE pinned AND image ->> '$.expires_at' IS NOT NULL"
_EXPIRING = f"(expires IS NOT NULL OR memories.id IN ({_HELD_OFF}))"
"""A memory with an end, also where a pin holds it off. All but the few pinned ones are found in an index alone."""
_FILES = """EXISTS (
    SELECT 1 FROM json_each(image, '$.files_read') WHERE value = ?
    UNION ALL SELECT 1 FROM json_each(image, '$.files_modified') WHERE value = ?
    UNION ALL SELECT 1 FROM json_each(image, '$.anchors') WHERE value ->> 'path' = ?
)"""
_RANGES = (
    ("unexpired_at", "(expires IS NULL OR expires > ?)"),
    ("expired_at", "expires <= ?"),
    ("created_before", "created < ?"),
    ("created_since", "created >= ?"),
    ("session", "session = ?"),
    ("verdict", "EXISTS (SELECT 1 FROM verdicts WHERE verdicts.id = memories.id AND verdicts.state = ?)"),
)


def where(query: Query) -> tuple[str, list[object]]:
    """Return a query's conditions joined by AND, and the values that they bind."""
    parts, values = [EVERYTHING], list[object]()
    _add_tags(query, parts, values)
    if query.project is not None:
        # After a look-up of tags, `+` keeps SQLite from an index that it would read as a whole.
        parts.append(f"{'+' if query.tags else ''}project IN (?, ?)")
        values += [query.project, "global" if query.global_too else query.project]
    for column, wanted in (
        ("kind", query.kinds),
        ("kind NOT", query.no_kinds),
        ("status", query.statuses),
        ("sensitivity", query.sensitivities),
    ):
        if wanted:
            parts.append(f"{column} IN ({', '.join('?' * len(wanted))})")
            values += wanted
    if query.no_tag_like:
        parts.append("NOT instr(char(10) || tags, ?)")
        values.append(f"\n{query.no_tag_like}")
    for name, condition in _RANGES:
        if (value := getattr(query, name)) is not None:
            parts.append(condition)
            values.append(value)
    if query.expiring is not None:
        parts.append(_EXPIRING if query.expiring else f"NOT {_EXPIRING}")
    _add_listed(query, parts, values)
    if query.match.strip():
        parts.append("memories.id IN (SELECT rowid FROM memory_words WHERE memory_words MATCH ?)")
        values.append(every(query.match.split()))
    return " AND ".join(parts), values


def _add_tags(query: Query, parts: list[str], values: list[object]) -> None:
    """Add the conditions on tags; one that is a plain word is looked up in the index of words first."""
    words = [tag for tag in query.tags if tag.isascii() and tag.isalnum()]
    if words:
        parts.append("memories.id IN (SELECT rowid FROM memory_words WHERE memory_words MATCH ?)")
        values.append(" AND ".join(f'tags : "{word}"' for word in words))
    for tag in query.tags:
        parts.append("instr(char(10) || tags || char(10), ?)")
        values.append(f"\n{tag.lower()}\n")


def _add_listed(query: Query, parts: list[str], values: list[object]) -> None:
    """Add the conditions on lists: a path or a concept is compared as a whole, without wildcards (D18)."""
    if query.file is not None:
        parts.append(_FILES)
        values += [query.file] * 3
    if query.concept is not None:
        parts.append("EXISTS (SELECT 1 FROM json_each(image, '$.concepts') WHERE value = ?)")
        values.append(query.concept)


def every(words: Sequence[str]) -> str:
    """Return an FTS5 query for texts that contain every word; quoted, so that no character is syntax (D7)."""
    return " ".join(_quoted(word) for word in words)


def some(words: Sequence[str]) -> str:
    """Return an FTS5 query for texts that contain at least one of the words."""
    return " OR ".join(_quoted(word) for word in words)


def _quoted(word: str) -> str:
    return '"' + word.replace('"', '""').replace("\0", " ") + '"'

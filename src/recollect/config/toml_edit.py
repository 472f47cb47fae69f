"""Set or remove one value in the text of a TOML file; everything else stays as it is, byte for byte.

The text is divided into statements (a table's header, or a key with its value), each read by Python's own TOML reader.
The result is read again: where it does not say exactly what was asked for, NotEditable is raised and nothing is lost.
"""

import copy
import json
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

KeyPath = tuple[str, ...]
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_MOST_LINES = 500
"""The longest value that is understood."""


class NotEditable(ValueError):
    """The text sets the value in a way that cannot be edited safely, for example in an inline table."""


@dataclass(frozen=True, slots=True)
class _Statement:
    """A header or a key with its value: its lines `start` to `end`, and the table and key that it is about."""

    start: int
    end: int
    table: KeyPath
    content: Mapping[str, Any] | None
    """What a key's lines say, read alone; None for a header."""


def with_value(source: str, path: KeyPath, value: object) -> str:
    """Return the text with a value at a path of keys; raises NotEditable."""
    wanted = copy.deepcopy(tomllib.loads(source))
    _put(wanted, path, value)
    lines, statements = _lines(source), list(_statements(source))
    known = _setting(statements, path)
    new = _replaced(lines, known, value) if known else _added(lines, statements, path, value)
    return _checked("".join(new), wanted)


def without_value(source: str, path: KeyPath) -> str:
    """Return the text without the value at a path of keys; as it is where there is none. Raises NotEditable."""
    wanted = copy.deepcopy(tomllib.loads(source))
    if not _take(wanted, path):
        return source
    known = _setting(list(_statements(source)), path)
    if known is None:
        raise NotEditable("the value is part of a table or of an inline table")
    lines = _lines(source)
    return _checked("".join([*lines[: known.start], *lines[known.end :]]), wanted, ignores_empty_tables=True)


def without_table(source: str, path: KeyPath) -> str:
    """Return the text without a table and the tables below it; as it is where there is none. Raises NotEditable."""
    wanted = copy.deepcopy(tomllib.loads(source))
    if not _take(wanted, path):
        return source
    lines, gone = _lines(source), set[int]()
    for statement in _statements(source):
        keys = (*statement.table, *(_chain(statement.content) if statement.content else ()))
        if keys[: len(path)] == path:
            gone |= set(range(statement.start, statement.end))
    before = min(gone, default=0) - 1
    if before >= 0 and not lines[before].strip():  # the line that sets the table off goes with it
        gone.add(before)
    rest = [line for number, line in enumerate(lines) if number not in gone]
    return _checked("".join(rest), wanted, ignores_empty_tables=True)


def literal(value: object) -> str:
    """Return a value as TOML writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        inner = ", ".join(f"{_key(str(name))} = {literal(part)}" for name, part in value.items())
        return f"{{ {inner} }}" if inner else "{}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(literal(part) for part in value)}]"
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value)


def _key(name: str) -> str:
    return name if _BARE_KEY.fullmatch(name) else json.dumps(name, ensure_ascii=False)


# -- reading -----------------------------------------------------------------------------------------------------------


def _lines(source: str) -> list[str]:
    return re.findall(r"[^\n]*\n|[^\n]+", source)


def _statements(source: str) -> Iterator[_Statement]:
    """Yield the statements of a text in order."""
    lines, start, table = _lines(source), 0, KeyPath()
    while start < len(lines):
        stripped = lines[start].strip()
        end = start + 1
        if not stripped or stripped.startswith("#"):
            start = end
            continue
        if stripped.startswith("["):
            table = _chain(tomllib.loads(lines[start]))
            yield _Statement(start, end, table, None)
        else:
            end = _end_of_value(lines, start)
            yield _Statement(start, end, table, tomllib.loads("".join(lines[start:end])))
        start = end


def _end_of_value(lines: Sequence[str], start: int) -> int:
    """Return the line after a value that begins in a line; raises NotEditable for a very long one."""
    for end in range(start + 1, min(len(lines), start + _MOST_LINES) + 1):
        try:
            tomllib.loads("".join(lines[start:end]))
        except tomllib.TOMLDecodeError:
            continue
        return end
    raise NotEditable("a value is too long")


def _chain(content: Mapping[str, Any]) -> KeyPath:
    """Return the keys of a header: a table in a table, each with one key; of an array of tables, its name."""
    found: list[str] = []
    inner: Any = content
    while isinstance(inner, Mapping) and inner:
        name = next(iter(inner))
        found.append(name)
        inner = inner[name]
    return tuple([*found, "[]"] if isinstance(inner, list) else found)


def _setting(statements: Sequence[_Statement], path: KeyPath) -> _Statement | None:
    """Return the statement that sets exactly this path, and nothing beside it; None if there is none."""
    for statement in statements:
        depth = len(statement.table)
        if statement.content is None or statement.table != path[:depth] or depth >= len(path):
            continue
        inner: Any = statement.content
        for name in path[depth:]:
            inner = inner.get(name) if isinstance(inner, Mapping) and len(inner) == 1 else None
        if inner is not None:
            return statement
    return None


# -- writing -----------------------------------------------------------------------------------------------------------


def _replaced(lines: list[str], known: _Statement, value: object) -> list[str]:
    """Return the lines with another value in a statement; a comment behind the value stays."""
    text = "".join(lines[known.start : known.end])
    key, _, rest = text.partition("=")
    gap = rest[: len(rest) - len(rest.lstrip(" \t"))]
    new = f"{key}={gap}{literal(value)}{_comment(key, rest)}"
    return [*lines[: known.start], new, *lines[known.end :]]


def _comment(key: str, rest: str) -> str:
    """Return what follows a value on its last line: a comment with the space before it, and the line's end."""
    body = rest.rstrip("\r\n")
    ending, whole = rest[len(body) :], tomllib.loads(f"{key}={body}")
    for at in (found.start() for found in re.finditer("#", body)):
        value = body[:at]
        try:
            if tomllib.loads(f"{key}={value}") == whole:
                return body[len(value.rstrip()) :] + ending
        except tomllib.TOMLDecodeError:
            continue
    return ending


def _added(lines: list[str], statements: Sequence[_Statement], path: KeyPath, value: object) -> list[str]:
    """Return the lines with a new statement: at the end of its table, or in a new table at the end of the text."""
    newline = "\r\n" if any(line.endswith("\r\n") for line in lines) else "\n"
    line = f"{_key(path[-1])} = {literal(value)}{newline}"
    of_table = [statement for statement in statements if statement.table == path[:-1]]
    if lines and not lines[-1].endswith("\n"):
        lines = [*lines[:-1], lines[-1] + newline]
    if of_table:
        end = of_table[-1].end
        return [*lines[:end], line, *lines[end:]]
    header = f"[{'.'.join(map(_key, path[:-1]))}]{newline}"
    return [*lines, *([newline] if lines else []), header, line]


def _put(table: dict[str, Any], path: KeyPath, value: object) -> None:
    for name in path[:-1]:
        table = table.setdefault(name, {})
        if not isinstance(table, dict):
            raise NotEditable(f"{name} is not a table")
    table[path[-1]] = value


def _take(table: dict[str, Any], path: KeyPath) -> bool:
    """Remove the value at a path; return whether there was one."""
    for name in path[:-1]:
        inner = table.get(name)
        if not isinstance(inner, dict):
            return False
        table = inner
    return table.pop(path[-1], None) is not None


def _checked(new: str, wanted: dict[str, Any], *, ignores_empty_tables: bool = False) -> str:
    """Return the text if it says what was asked for; raises NotEditable otherwise."""
    try:
        found = tomllib.loads(new)
    except tomllib.TOMLDecodeError as error:
        raise NotEditable(str(error)) from None
    if ignores_empty_tables:
        found, wanted = _without_empty(found), _without_empty(wanted)
    if _plain(found) != _plain(wanted):
        raise NotEditable("the value is set in more than one way")
    return new


def _without_empty(table: dict[str, Any]) -> dict[str, Any]:
    inner = {name: _without_empty(part) if isinstance(part, dict) else part for name, part in table.items()}
    return {name: part for name, part in inner.items() if part != {}}


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return {name: _plain(part) for name, part in value.items()}
    return [_plain(part) for part in value] if isinstance(value, list | tuple) else value

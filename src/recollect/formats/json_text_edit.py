"""Set or remove one value in the text of a JSON file that may hold comments; everything else stays, byte for byte.

Editors such as Zed and VS Code allow comments and trailing commas in their settings. The text is therefore not written
anew: the place of the value is found, and only that is changed. The result is read again; where it does not say exactly
what was asked for, NotEditable is raised and nothing is lost.
"""

import copy
import json
from dataclasses import dataclass
from typing import Any

KeyPath = tuple[str, ...]
DEEPEST = 200
"""Values nested deeper than this are not understood."""


class NotEditable(ValueError):
    """The text is no JSON object, or sets the value in a way that cannot be edited safely."""


@dataclass(frozen=True, slots=True)
class _Member:
    """A member of an object: where its key begins, and its value begins and ends."""

    name: str
    start: int
    value: int
    end: int


@dataclass(frozen=True, slots=True)
class _Object:
    """An object: where its braces are, its members, and whether a comma follows the last one."""

    start: int
    end: int
    members: tuple[_Member, ...]
    has_last_comma: bool


def parse(text: str) -> dict[str, Any]:
    """Return what a text says, without its comments; an empty text says `{}`. Raises NotEditable."""
    if not _plain(text).strip():
        return {}
    try:
        value = json.loads(_plain(text))
    except (ValueError, RecursionError) as error:
        raise NotEditable(f"not valid JSON: {error}") from None
    if not isinstance(value, dict):
        raise NotEditable("not a JSON object")
    return value


def with_value(text: str, path: KeyPath, value: object) -> str:
    """Return the text with a value at a path of keys; raises NotEditable."""
    wanted = copy.deepcopy(parse(text))
    inner = wanted
    for name in path[:-1]:
        inner = inner.setdefault(name, {})
        if not isinstance(inner, dict):
            raise NotEditable(f"{name} is not an object")
    inner[path[-1]] = value
    if not _plain(text).strip():
        gap = "\n" if text.strip("\ufeff \t\r\n") and not text.endswith("\n") else ""  # behind a comment
        return _checked(f"{text}{gap}{json.dumps(wanted, indent=2, ensure_ascii=False)}\n", wanted)
    return _checked(_put(text, path, value), wanted)


def without_value(text: str, path: KeyPath) -> str:
    """Return the text without the value at a path of keys; as it is where there is none. Raises NotEditable."""
    wanted = copy.deepcopy(parse(text))
    inner: Any = wanted
    for name in path[:-1]:
        inner = inner.get(name) if isinstance(inner, dict) else None
    if not isinstance(inner, dict) or path[-1] not in inner:
        return text
    del inner[path[-1]]
    found = _object(text, _skip(text, 0))
    for name in path[:-1]:
        found = _object(text, _member(found, name).value)
    return _checked(_cut(text, found, path[-1]), wanted)


# -- writing -----------------------------------------------------------------------------------------------------------


def _put(text: str, path: KeyPath, value: object) -> str:
    found = _object(text, _skip(text, 0))
    for depth, name in enumerate(path):
        known = [member for member in found.members if member.name == name]
        is_last = depth == len(path) - 1
        if known and is_last:
            member = known[-1]
            said = _said(text, value, _indent_of(text, member.start))
            return text[: member.value] + said + text[member.end :]
        if not known:
            for outer in reversed(path[depth + 1 :]):
                value = {outer: value}
            return _insert(text, found, name, value)
        found = _object(text, known[-1].value)
    return text


def _insert(text: str, found: _Object, name: str, value: object) -> str:
    """Return the text with a new member at the end of an object, in the object's own style."""
    newline = "\r\n" if "\r\n" in text else "\n"
    outer = _indent_of(text, found.start)
    if found.members:
        last = found.members[-1]
        is_one_line = newline not in text[found.start : found.members[0].start]
        indent = _indent_of(text, found.members[0].start)
        gap = " " if is_one_line else newline + indent
        said = f"{json.dumps(name, ensure_ascii=False)}: {_said(text, value, outer if is_one_line else indent)}"
        at = text.index(",", _skip(text, last.end)) + 1 if found.has_last_comma else last.end
        comma, tail = ("", ",") if found.has_last_comma else (",", "")
        return f"{text[:at]}{comma}{gap}{said}{tail}{text[at:]}"
    indent = outer + _step(text)
    said = f"{json.dumps(name, ensure_ascii=False)}: {_said(text, value, indent)}"
    rest = text[found.start + 1 : found.end].rstrip()  # comments of an empty object stay
    return f"{text[: found.start + 1]}{rest}{newline}{indent}{said}{newline}{outer}{text[found.end :]}"


def _said(text: str, value: object, indent: str) -> str:
    """Return a value as JSON whose later lines are indented as its key."""
    body = json.dumps(value, indent=_step(text), ensure_ascii=False)
    return body.replace("\n", ("\r\n" if "\r\n" in text else "\n") + indent)


def _cut(text: str, found: _Object, name: str) -> str:
    """Return the text without a member, its comma and its line."""
    place = [member.name for member in found.members].index(name)
    member, is_last = found.members[place], place == len(found.members) - 1
    start = _end_of_last(text, found, member)
    if not is_last or found.has_last_comma:
        comma = text.index(",", _skip(text, member.end))
        return text[:start] + text[comma + 1 :]
    if place:  # the comma before it goes too; a comment between them stays
        before = found.members[place - 1].end
        comma = text.index(",", _skip(text, before))
        return text[:comma] + text[comma + 1 : start] + text[member.end :]
    is_closed_up = text[start - 1] == "{" and not text[member.end : found.end].strip()
    return text[:start] + text[found.end if is_closed_up else member.end :]


def _end_of_last(text: str, found: _Object, member: _Member) -> int:
    """Return where the text before a member ends; the line end that closes a comment belongs to it."""
    start = len(text[: member.start].rstrip(" \t\r\n"))
    at = max((other.end for other in found.members if other.end <= member.start), default=found.start + 1)
    is_in_comment = _skip(text[:start] + "x", at) > start
    return text.index("\n", start) + 1 if is_in_comment else start


def _indent_of(text: str, at: int) -> str:
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _step(text: str) -> str:
    """Return the indentation of one level: that of the first indented line, else two spaces."""
    for line in text.splitlines():
        bare = line.lstrip(" \t")
        if bare and bare != line and bare.startswith('"'):
            return line[: len(line) - len(bare)]
    return "  "


def _checked(new: str, wanted: dict[str, Any]) -> str:
    if parse(new) != wanted:
        raise NotEditable("the value is set in more than one way")
    return new


# -- reading -----------------------------------------------------------------------------------------------------------


def _member(found: _Object, name: str) -> _Member:
    return next(member for member in reversed(found.members) if member.name == name)


def _object(text: str, at: int) -> _Object:
    """Return the object that begins at a brace."""
    if text[at : at + 1] != "{":
        raise NotEditable("not an object")
    start, members, has_comma = at, list[_Member](), False
    at = _skip(text, at + 1)
    while text[at : at + 1] != "}":
        end = _end(text, at, 0)
        name = json.loads(text[at:end])
        colon = _skip(text, end)
        value = _skip(text, colon + 1)
        last = _end(text, value, 0)
        members.append(_Member(str(name), at, value, last))
        at = _skip(text, last)
        has_comma = text[at : at + 1] == ","
        at = _skip(text, at + 1) if has_comma else at
    return _Object(start, at, tuple(members), has_comma)


def _skip(text: str, at: int) -> int:
    """Return the place of the next sign that is neither blank nor in a comment."""
    while at < len(text):
        if text[at].isspace() or text[at] == "\ufeff":
            at += 1
        elif text.startswith("//", at):
            end = text.find("\n", at)
            at = len(text) if end < 0 else end
        elif text.startswith("/*", at):
            end = text.find("*/", at)
            at = len(text) if end < 0 else end + 2
        else:
            return at
    return at


def _end(text: str, at: int, depth: int) -> int:
    """Return where the value that begins at a place ends."""
    if depth > DEEPEST:
        raise NotEditable("values are nested too deeply")
    if text[at : at + 1] == '"':
        return _end_of_string(text, at)
    if text[at : at + 1] in ("{", "["):
        close = "}" if text[at] == "{" else "]"
        at = _skip(text, at + 1)
        while at < len(text) and text[at] != close:
            at = _skip(text, at + 1) if text[at] in ",:" else _skip(text, _end(text, at, depth + 1))
        return at + 1
    start = at
    while at < len(text) and not text[at].isspace() and text[at] not in ',:]}"/':
        at += 1
    if at == start:
        raise NotEditable("a value is missing")
    return at


def _end_of_string(text: str, at: int) -> int:
    at += 1
    while at < len(text) and text[at] != '"':
        at += 2 if text[at] == "\\" else 1
    return at + 1


def _plain(text: str) -> str:
    """Return the text without comments, byte order mark and trailing commas; blank where there is nothing else."""
    parts, at = list[str](), 0
    while at < len(text):
        sign = text[at]
        if sign == '"':
            end = _end_of_string(text, at)
            parts.append(text[at:end])
            at = end
        elif sign == "\ufeff" or text.startswith(("//", "/*"), at):
            at = max(at + 1, _skip(text, at))
            parts.append(" ")
        elif sign == "," and text[_skip(text, at + 1) : _skip(text, at + 1) + 1] in ("}", "]"):
            at += 1
        else:
            parts.append(sign)
            at += 1
    return "".join(parts)

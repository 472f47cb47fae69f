"""Add, remove and find our hooks in a coding agent's settings; everything else stays as it is."""

import json
import re
import shlex
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from recollect.errors import BadInput

Json = dict[str, Any]

ENTRY_POINT = "recollect.hooks.dispatch"
"""The module that our hook entries import."""
MARKS = (ENTRY_POINT, "recollect.hot.dispatch")
"""Module names that mark an entry as ours; the second is the entry point of version 0.1."""
FIX = "Correct the file, then try again; nothing was changed."
NOTHING: Mapping[str, Any] = MappingProxyType({})
_BOM = "\ufeff"


def hooked(
    before: bytes | None, groups: Mapping[str, Json], target: object, base: Mapping[str, Any] = NOTHING
) -> bytes:
    """Return the settings with exactly these groups of ours, by event; the same bytes if nothing changes.

    `base` has the other keys that the client expects in such a file. Raises BadInput if the file is no valid settings.
    """
    old = _parse(before, target)
    new = {**base, **_rehook(old, groups)}
    return before if before is not None and new == old else _render(new, before)


def unhooked(
    before: bytes | None, target: object, *, was_there: bool, base: Mapping[str, Any] = NOTHING
) -> bytes | None:
    """Return the settings without our hooks; None if nothing is left of a file that we created."""
    old = _parse(before, target)
    new = _rehook(old, {})
    if new == old:
        return before
    return _render(new, before) if was_there or (new and new != base) else None


def own_handlers(data: bytes | None, target: object) -> dict[str, list[Json]]:
    """Return our handlers by event."""
    found = {
        event: [handler for group in groups for handler in _handlers(group) if _is_ours(handler)]
        for event, groups in _parse(data, target).get("hooks", {}).items()
    }
    return {event: handlers for event, handlers in found.items() if handlers}


def _parse(data: bytes | None, target: object) -> Json:
    try:
        text = (data or b"").decode("utf-8-sig")
        value = json.loads(text) if text.strip() else {}
        json.dumps(value, indent=1, allow_nan=False)  # no number or depth that could not be written back
    except UnicodeDecodeError:
        raise BadInput("the settings are not UTF-8", target=target, fix=FIX) from None
    except (ValueError, RecursionError) as error:
        raise BadInput(f"the settings are not valid JSON: {error}", target=target, fix=FIX) from None
    if not isinstance(value, dict):
        raise BadInput("the settings are not a JSON object", target=target, fix=FIX)
    hooks = value.get("hooks", {})
    if not isinstance(hooks, dict):
        raise BadInput('"hooks" in the settings is not an object', target=target, fix=FIX)
    for event, groups in hooks.items():
        if not isinstance(groups, list):
            raise BadInput(f'"hooks.{event}" in the settings is not a list', target=target, fix=FIX)
    return value


def _render(value: Json, like: bytes | None) -> bytes:
    """Return JSON in the style of the old file: its indent, escapes, line ends, and last line end or none."""
    text = (like or b"\n").decode("utf-8")
    indent = re.search(r"\n([ \t]+)\S", text)
    is_escaped = text.isascii() and "\\u" in text
    body = json.dumps(value, indent=indent[1] if indent else 2, ensure_ascii=is_escaped)
    lines = body + ("\n" if text.endswith("\n") or not text.strip() else "")
    start = _BOM if text.startswith(_BOM) else ""
    # Half a surrogate pair is valid only as JSON's escape, which is how Python's handler spells it.
    return (start + lines.replace("\n", "\r\n" if "\r\n" in text else "\n")).encode("utf-8", "backslashreplace")


def words(handler: Json) -> list[str]:
    """Return the words of a handler's command, which is a list or a line for a shell; empty if it cannot be split."""
    command, rest = handler.get("command"), handler.get("args")
    if isinstance(rest, list):
        return [str(command), *map(str, rest)]
    try:
        return shlex.split(command) if isinstance(command, str) else []
    except ValueError:  # a quotation that never ends
        return []


def _handlers(group: object) -> list[Any]:
    """Return the handlers of a group; an entry without a group is its own handler."""
    if not isinstance(group, dict):
        return []
    found = group.get("hooks")
    return found if isinstance(found, list) else [group] if "command" in group and found is None else []


def _is_ours(handler: object) -> bool:
    return isinstance(handler, dict) and any(mark in word for word in words(handler) for mark in MARKS)


def _rehook(settings: Json, wanted: Mapping[str, Json]) -> Json:
    """Return the settings with exactly these groups of ours; all others keep their content and place."""
    old = settings.get("hooks", {})
    merged = {event: _merge(groups, wanted.get(event)) for event, groups in old.items()}
    hooks = {event: groups for event, groups in merged.items() if groups or not old[event]}
    hooks |= {event: [group] for event, group in wanted.items() if event not in hooks}
    if hooks:
        return {**settings, "hooks": hooks}
    return {name: value for name, value in settings.items() if name != "hooks"} if old else settings


def _merge(groups: Sequence[Any], wanted: Json | None) -> list[Any]:
    """Return the groups of an event with our handler in its old place or at the end; without it if none is wanted."""
    merged: list[Any] = []
    is_placed = wanted is None
    for group in groups:
        kept: list[Any] = []
        for handler in _handlers(group):
            if not _is_ours(handler):
                kept.append(handler)
            elif wanted and not is_placed and group.get("matcher") == wanted.get("matcher"):
                kept += _handlers(wanted)
                is_placed = True
        if kept == _handlers(group):
            merged.append(group)
        elif kept:
            merged += [{**group, "hooks": kept}] if "hooks" in group else kept
    return merged if is_placed else [*merged, wanted]

"""Add, remove and find the entry of our MCP server in a client's settings: JSON with comments, or TOML."""

import tomllib
from collections.abc import Mapping
from typing import Any

from recollect.config import toml_edit
from recollect.errors import BadInput
from recollect.formats import json_text_edit

SERVER = "recollect"
"""The name of our server in a client's list."""
MODULE = "recollect.faces.mcp"
MARK = "\ufeff"
RENAME = "Rename or remove that entry, then try again; nothing was changed."
FIX = "Correct the file, then try again; nothing was changed."
Entry = Mapping[str, Any]


def added(before: bytes | None, key: str, entry: Entry, target: object, *, is_toml: bool) -> bytes:
    """Return the settings with our server in the list `key`; the same bytes if it is there already."""
    text, mark = _text(before, target)
    try:
        known = _entries(text, key, is_toml=is_toml).get(SERVER)
        if known == entry:
            return before or b""
        if known is not None and not _is_ours(known):
            raise BadInput(f"another server is called {SERVER} in {key}", target=target, fix=RENAME)
        new = _added_toml(text, key, entry) if is_toml else json_text_edit.with_value(text, (key, SERVER), dict(entry))
    except (json_text_edit.NotEditable, toml_edit.NotEditable, tomllib.TOMLDecodeError) as error:
        raise BadInput(f"the settings cannot be edited: {error}", target=target, fix=FIX) from None
    return (mark + new).encode("utf-8")


def removed(before: bytes | None, key: str, target: object, *, is_toml: bool, was_there: bool) -> bytes | None:
    """Return the settings without our server; None if nothing is left of a file that we created."""
    text, mark = _text(before, target)
    try:
        if SERVER not in _entries(text, key, is_toml=is_toml):
            return before
        new = toml_edit.without_table(text, (key, SERVER)) if is_toml else _removed_json(text, key, was_there=was_there)
        is_empty = not (tomllib.loads(new) if is_toml else json_text_edit.parse(new))
    except (json_text_edit.NotEditable, toml_edit.NotEditable, tomllib.TOMLDecodeError) as error:
        raise BadInput(f"the settings cannot be edited: {error}", target=target, fix=FIX) from None
    return None if is_empty and not was_there else (mark + new).encode("utf-8")


def own_entry(data: bytes | None, key: str, target: object, *, is_toml: bool) -> Entry | None:
    """Return our server's entry, None if there is none; another program's of the same name is not ours."""
    try:
        found = _entries(_text(data, target)[0], key, is_toml=is_toml).get(SERVER)
    except (json_text_edit.NotEditable, tomllib.TOMLDecodeError) as error:
        raise BadInput(f"the settings cannot be read: {error}", target=target, fix=FIX) from None
    return found if isinstance(found, Mapping) and _is_ours(found) else None


def _is_ours(entry: object) -> bool:
    """Whether an entry starts our server: as we write it, or by the program, as somebody may have written it."""
    if not isinstance(entry, Mapping):
        return False
    arguments = entry.get("args")
    words = [str(word) for word in arguments] if isinstance(arguments, list) else []
    program = str(entry.get("command")).replace("\\", "/").rpartition("/")[2].removesuffix(".exe")
    return MODULE in words or (program == SERVER and words[:1] == ["mcp"])


def _text(data: bytes | None, target: object) -> tuple[str, str]:
    """Return the settings as text, and the byte order mark before it, which TOML's reader does not know."""
    try:
        text = (data or b"").decode("utf-8")
    except UnicodeDecodeError:
        raise BadInput("the settings are not UTF-8", target=target, fix=FIX) from None
    return text.removeprefix(MARK), MARK if text.startswith(MARK) else ""


def _entries(text: str, key: str, *, is_toml: bool) -> Mapping[str, Any]:
    found = (tomllib.loads(text) if is_toml else json_text_edit.parse(text)).get(key, {})
    return found if isinstance(found, Mapping) else {}


def _removed_json(text: str, key: str, *, was_there: bool) -> str:
    new = json_text_edit.without_value(text, (key, SERVER))
    is_list_empty = not json_text_edit.parse(new).get(key)
    return json_text_edit.without_value(new, (key,)) if is_list_empty and not was_there else new


def _added_toml(text: str, key: str, entry: Entry) -> str:
    text = toml_edit.without_table(text, (key, SERVER))
    for name, value in entry.items():
        text = toml_edit.with_value(text, (key, SERVER, name), value)
    return text

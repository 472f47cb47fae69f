"""Change one setting in the user's or the project's settings file, and keep the rest of the file as it is."""

import difflib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from recollect import foreign_files, machine
from recollect.config import reading, toml_edit
from recollect.config.sections import Config, is_used
from recollect.config.toml_edit import NotEditable
from recollect.config.user_file import user_settings
from recollect.errors import BadInput, ConfigError, DiskRefused, UnreadableFile
from recollect.vault.files import Writing

PROJECT_FILE = ".recollect.toml"
BYTE_ORDER_MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class SettingChange:
    """A setting that was written to a file, or removed from it."""

    key: str
    value: object
    """The new value; None if it was removed."""
    before: object
    """The value that this file had; None if it had none."""
    file: Path


def file_of(root: Path, env: Mapping[str, str], *, project: bool) -> Path:
    """Return the project's settings file, or the user's."""
    return root / PROJECT_FILE if project else user_settings(env)


def set_value(file: Path, key: str, value: object) -> SettingChange:
    """Write a setting to a file; a text is read as JSON where that fits, a list may be split by commas.

    Raises BadInput for an unknown key, ConfigError for a value that does not fit, UnreadableFile and DiskRefused.
    """
    path = key_path(key)
    checked = _checked(path, value)
    source = _read(file)
    before = _dig(_parsed(source, file), path)
    try:
        new = toml_edit.with_value(source, path, checked)
    except NotEditable as error:
        raise _by_hand(file, key, f"{key} = {toml_edit.literal(checked)}", error) from None
    _write(file, new, source)
    return SettingChange(key, checked, before, file)


def unset_value(file: Path, key: str) -> SettingChange:
    """Remove a setting from a file, also one that does not fit; raises BadInput where the file does not set it."""
    path, source = tuple(key.split(".")), _read(file)
    before = _dig(_parsed(source, file), path)
    if before is None:
        raise _not_set(file, key)
    try:
        new = toml_edit.without_value(source, path)
    except NotEditable as error:
        raise _by_hand(file, key, f"remove {key}", error) from None
    _write(file, new, source)
    return SettingChange(key, None, before, file)


def value_in(file: Path, key: str) -> object:
    """Return the value that a file gives to a setting; raises BadInput if it gives none."""
    value = _dig(_parsed(_read(file), file), key_path(key))
    if value is None:
        raise _not_set(file, key)
    return value


def _not_set(file: Path, key: str) -> BadInput:
    fix = f"`recollect config {key}` says what the value is and where it comes from."
    return BadInput("this file does not set it", target=key, details=[("file", file)], fix=fix)


def key_path(key: str) -> tuple[str, ...]:
    """Return the parts of a setting's name; raises BadInput for a name that no setting has."""
    parts = tuple(key.split("."))
    section = Config.model_fields.get(parts[0])
    if parts[0] == "kinds":
        fix = "Write a table [kinds.NAME] into the file; docs/reference/settings.md has its fields."
        raise BadInput("your own kinds are not set by this command", target=key, fix=fix)
    is_known = section is not None and len(parts) > 1 and parts[1] in type(section.default).model_fields
    if not is_known or (len(parts) > 2 and not _is_table(parts)) or len(parts) > 3 or "" in parts:
        known = list(names())
        close: list[tuple[str, object]] = [("did you mean", name) for name in _similar(key, known)]
        raise BadInput(
            "there is no such setting", target=key[:80], details=close, fix="`recollect config` lists all settings."
        )
    return parts


def names() -> Iterator[str]:
    """Yield the names of the settings that are used, without the user's own kinds."""
    for section, field in Config.model_fields.items():
        if section != "kinds":
            fields = type(field.default).model_fields
            yield from (f"{section}.{name}" for name, known in fields.items() if is_used(known))


def _similar(key: str, known: list[str]) -> list[str]:
    ending = [name for name in known if name.partition(".")[2] == key.rpartition(".")[2]]
    return list(dict.fromkeys([*ending, *difflib.get_close_matches(key, known)]))[:3]


def _is_table(parts: tuple[str, ...]) -> bool:
    """Whether a setting holds values by name, such as `save.retention_days`."""
    default = getattr(Config.model_fields[parts[0]].default, parts[1])
    return isinstance(default, dict | BaseModel)


def _checked(path: tuple[str, ...], value: object) -> object:
    """Return a value as the settings understand it, as JSON; raises ConfigError."""
    problem = ""
    for candidate in _readings(value):
        try:
            nested: Any = candidate
            for name in reversed(path):
                nested = {name: nested}
            return _dig(Config.model_validate(nested).model_dump(mode="json"), path)
        except ValidationError as error:
            problem = problem or _plain(error.errors(include_url=False)[0]["msg"])
    details: list[tuple[str, object]] = [("value", value), ("expected", problem)]
    fix = f"`recollect config {'.'.join(path[:2])}` says what the setting takes."
    raise ConfigError("the value does not fit the setting", target=".".join(path), details=details, fix=fix)


def _plain(problem: str) -> str:
    """Return what a value should be, from a message of pydantic: "a valid integer"."""
    return problem.removeprefix("Input should be ").partition(", unable to parse")[0].replace("tuple", "list")


def _readings(value: object) -> Iterator[object]:
    """Yield what a value may mean: as JSON, as a list split by commas, as the text itself."""
    if not isinstance(value, str):
        yield value
        return
    try:
        yield json.loads(value)
    except (ValueError, RecursionError):
        if "," in value:
            yield [part.strip() for part in value.split(",")]
    yield value


def _dig(found: object, path: tuple[str, ...]) -> Any:  # noqa: ANN401
    for name in path:
        found = found.get(name) if isinstance(found, Mapping) else None
    return found


def _read(file: Path) -> str:
    """Return a file's text; empty where there is none. A project's file must lie in the project."""
    try:
        return reading.text(file, file.parent if file.name == PROJECT_FILE else None)
    except (FileNotFoundError, NotADirectoryError):
        return ""
    except (OSError, UnicodeDecodeError) as error:
        why = foreign_files.why(error) if isinstance(error, OSError) else "not UTF-8"
        raise UnreadableFile(f"cannot be read: {why}", target=file) from None


def _parsed(source: str, file: Path) -> dict[str, Any]:
    try:
        return reading.parse_toml(source)
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"cannot be read: {error}", target=file, fix="Correct the file, or move it away.") from None


def _write(file: Path, new: str, old: str) -> None:
    if new == old:
        return
    try:
        machine.make_folder(file.parent)
    except OSError as error:
        raise DiskRefused(f"the folder cannot be made: {error.strerror}", target=file.parent) from None
    mark = BYTE_ORDER_MARK if file.exists() and _begins_with_mark(file) else b""
    place = file if file.name == PROJECT_FILE else file.resolve()  # a link to a file elsewhere stays a link
    with Writing(place.parent) as writing:
        writing.write(place.name, mark + new.encode())


def _begins_with_mark(file: Path) -> bool:
    return foreign_files.read(str(file), most_bytes=foreign_files.SETTINGS_BYTES).startswith(BYTE_ORDER_MARK)


def _by_hand(file: Path, key: str, line: str, error: NotEditable) -> BadInput:
    return BadInput(
        f"the file sets {key} in a way that is not understood: {error}", target=file, fix=f"Set there by hand: {line}"
    )

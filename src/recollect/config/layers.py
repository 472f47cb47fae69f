"""Read the settings from their layers, and keep the origin of each value. Later layers win.

defaults → user file → the seeds' own files of a project → its `[tool.recollect]` and `.recollect.toml`
→ `RECOLLECT_SECTION__FIELD` → flags.
"""

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from recollect import foreign_files
from recollect.config import reading, seeds
from recollect.config.sections import Config
from recollect.config.seeds import Layer
from recollect.config.user_file import user_settings
from recollect.errors import ConfigError

OWN = ("hooks",)
"""Sections that depend on the machine, and that hooks read before they know the project."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The configuration, the origin of each value that a layer sets, and warnings about values that were ignored."""

    config: Config
    origins: Mapping[str, str]
    warnings: tuple[str, ...] = ()
    flags: Mapping[str, Any] | None = None


def load(
    *,
    project: Path | None = None,
    memory_root: Path | None = None,
    is_foreign: bool = False,
    env: Mapping[str, str] | None = None,
    flags: Mapping[str, Any] | None = None,
) -> Settings:
    """Read every layer; raises ConfigError if a value does not fit.

    `project` is a trusted root or None; `memory_root` is a vault folder that the caller names. With `is_foreign` the
    user has not trusted that folder: only a few harmless settings of its file are used.
    """
    env = os.environ if env is None else env
    warnings: list[str] = []
    layers: list[Layer] = [(str(user_settings(env)), _toml(user_settings(env)))]
    if memory_root:
        root = project or memory_root.parent.parent  # the vault is two folders below its project
        place = memory_root / "memory-config.json"
        layers.append(seeds.memory_config(place, warnings.append, root=root, is_foreign=is_foreign))
    if project:
        theirs = (*seeds.project_layers(project, warnings.append), *_project_layers(project))
        layers += [_without_own_sections(layer, warnings) for layer in theirs]
    layers.append(("environment", _from_env(env)))
    layers.append(("flag", dict(flags or {})))
    merged, origins = _merge(layers)
    try:
        config = Config.model_validate(merged)
    except ValidationError as error:
        raise _explain(error, origins) from None
    return Settings(config, origins, tuple(warnings), flags)


def _without_own_sections(layer: Layer, warnings: list[str]) -> Layer:
    """Return a project's layer without the sections that only the user may set; a warning names what is left out."""
    origin, values = layer
    warnings += [
        f"[{name}] in {origin} is ignored: it counts in your own settings only" for name in OWN if name in values
    ]
    return origin, {name: value for name, value in values.items() if name not in OWN}


def _project_layers(project: Path) -> Iterator[Layer]:
    own = project / ".recollect.toml"
    shared = project / "pyproject.toml"
    tools = _toml(shared, project).get("tool")
    ours = tools.get("recollect", {}) if isinstance(tools, dict) else {}
    if not isinstance(ours, dict):
        raise ConfigError("[tool.recollect] must be a table", target=shared)
    yield str(shared), ours
    yield str(own), _toml(own, project)


def _toml(path: Path, root: Path | None = None) -> dict[str, Any]:
    """Return the content of a TOML file; empty if there is none. A project's file must lie below its `root`."""
    try:
        return reading.toml(path, root)
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except (ValueError, RecursionError, OSError) as error:
        why = foreign_files.why(error) if isinstance(error, OSError) else error
        raise ConfigError(f"cannot be read: {why}", target=path, fix="Correct the file, or move it away.") from None


def _from_env(env: Mapping[str, str]) -> dict[str, Any]:
    layer: dict[str, Any] = {}
    for name, value in env.items():
        section, separator, field = name.removeprefix("RECOLLECT_").lower().partition("__")
        if name.startswith("RECOLLECT_") and separator:
            layer.setdefault(section, {})[field] = _literal(value)
    return layer


def _literal(value: str) -> object:
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return tuple(part.strip() for part in value.split(",")) if "," in value else value


def _merge(layers: list[Layer]) -> tuple[dict[str, Any], dict[str, str]]:
    merged: dict[str, Any] = {}
    origins: dict[str, str] = {}
    for origin, layer in layers:
        for section, fields in layer.items():
            if not isinstance(fields, dict):
                raise ConfigError(f"[{section}] must be a table", target=origin)
            for field, value in fields.items():
                known = merged.get(section, {}).get(field, _default_table(section, field))
                both = {**known, **value} if isinstance(known, dict) and isinstance(value, dict) else value
                merged.setdefault(section, {})[field] = both
                origins[f"{section}.{field}"] = origin
    return merged, origins


def _default_table(section: str, field: str) -> object:
    """Return the default of a setting, so that a table which sets some keys leaves the others as they are."""
    default = Config.model_fields[section].default if section in Config.model_fields else None
    return getattr(default, field, None)


def _explain(error: ValidationError, origins: Mapping[str, str]) -> ConfigError:
    details: list[tuple[str, object]] = []
    for problem in error.errors(include_url=False):
        name = ".".join(str(part) for part in problem["loc"])
        related = (where for key, where in origins.items() if name.startswith(key) or key.startswith(f"{name}."))
        origin = next(related, "configuration")
        expected = (
            "no such setting" if problem["type"] == "extra_forbidden" else problem["msg"].replace("tuple", "list")
        )
        details += [("setting", name), ("expected", expected), ("from", origin)]
    return ConfigError("a setting does not fit", details=details)

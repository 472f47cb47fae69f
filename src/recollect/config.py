"""Settings: one frozen table of sections, and the layers that fill it.

defaults → user file → project `.recollect.toml` or `[tool.recollect]` (and claude-memory's `memory-config.json`)
→ `RECOLLECT_SECTION__FIELD` → flags. Each value knows its origin.
"""

import json
import os
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError, field_validator

from recollect import paths
from recollect.errors import ConfigError
from recollect.model.content import Value, model_from
from recollect.model.kinds import BUILT_IN, Kind, Kinds, table

Layout = Literal["json", "markdown", "log"]
Layer = tuple[str, dict[str, Any]]


class VaultSection(Value):
    """The plain-text twin in the repository."""

    layouts: Annotated[tuple[Layout, ...], Field(description="Which layouts the vault keeps, in any combination.")] = (
        "json",
    )
    auto_commit: Annotated[bool, Field(description="Commit vault changes to git as they are made.")] = False


class SaveSection(Value):
    """Limits that hold when a memory is saved."""

    max_per_kind: Annotated[
        int, Field(ge=0, le=100_000, description="Active memories per kind of a project; 0 means no limit.")
    ] = 100
    sessions_retained: Annotated[
        int, Field(ge=1, le=1_000, description="Session summaries that stay active; older ones are retired.")
    ] = 5


class ForgetSection(Value):
    """What happens to retired memories."""

    grace_days: Annotated[
        int, Field(ge=0, le=36_500, description="Days that a retired memory keeps its file before `index --gc`.")
    ] = 30
    archive_retired: Annotated[
        bool, Field(description="Keep collected memories in the store as archived; off purges them.")
    ] = True


class OwnKind(Value):
    """A kind of the user's own: a row of the KINDS table."""

    says: Annotated[str, Field(description="What it captures, in one line.")] = "A kind of your own"
    folder: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]*$", description="Its folder in the vault.")]
    fields: Annotated[
        dict[str, Literal["text", "text?", "list", "list?"]],
        Field(
            default_factory=dict,
            description="Content fields by name; the first is what `remember TEXT` fills; none means free text.",
        ),
    ]

    @field_validator("fields")
    @classmethod
    def _names(cls, fields: dict[str, str]) -> dict[str, str]:
        for name in fields:
            if not name.isidentifier() or name.startswith(("_", "model_")) or name == "text":
                raise ValueError(f"{name!r} cannot be the name of a content field")
        return fields


class Config(Value):
    """Every setting, by section."""

    vault: VaultSection = VaultSection()
    save: SaveSection = SaveSection()
    forget: ForgetSection = ForgetSection()
    kinds: Annotated[dict[str, OwnKind], Field(default_factory=dict, description="Kinds of your own, `[kinds.NAME]`.")]

    @field_validator("kinds")
    @classmethod
    def _new_names(cls, kinds: dict[str, OwnKind]) -> dict[str, OwnKind]:
        folders = {kind.folder for kind in BUILT_IN}
        for name, kind in kinds.items():
            if (
                not (name.isidentifier() and name.isascii())
                or name.lower() != name
                or name in {row.name for row in BUILT_IN}
            ):
                raise ValueError(f"{name!r} cannot be the name of a kind of your own")
            if kind.folder in folders:
                raise ValueError(f"the folder {kind.folder!r} belongs to another kind")
            folders.add(kind.folder)
        return kinds

    def kind_table(self) -> Kinds:
        """The KINDS table with the user's own rows."""
        return table(_own_row(name, own) for name, own in self.kinds.items())


def _own_row(name: str, own: OwnKind) -> Kind:
    names = tuple(own.fields)
    return Kind(
        name,
        own.says,
        model_from(name, dict(own.fields)),
        own.folder,
        lead=names[0] if names else "text",
        key_fields=names[:3],
        capped=True,
    )


# claude-memory's memory-config.json: its key, our section and field.
MEMORY_CONFIG_KEYS: Mapping[str, tuple[str, str]] = {
    "auto_commit": ("vault", "auto_commit"),
    "max_memories_per_category": ("save", "max_per_kind"),
    "categories.session_summary.max_retained": ("save", "sessions_retained"),
    "delete.grace_period_days": ("forget", "grace_days"),
    "delete.archive_retired": ("forget", "archive_retired"),
}


@dataclass(frozen=True, slots=True)
class Settings:
    """The configuration in force, where each value came from, and what had to be ignored."""

    config: Config
    origins: Mapping[str, str]
    warnings: tuple[str, ...] = ()
    flags: Mapping[str, Any] | None = None


def load(
    *,
    project: Path | None = None,
    memory_root: Path | None = None,
    env: Mapping[str, str] | None = None,
    flags: Mapping[str, Any] | None = None,
) -> Settings:
    """Read every layer. `project` is a trusted root (or None); `memory_root` a folder named by the caller."""
    env = os.environ if env is None else env
    warnings: list[str] = []
    layers: list[Layer] = [(str(paths.user_settings(env)), _toml(paths.user_settings(env)))]
    if memory_root:
        layers.append(_memory_config(memory_root / "memory-config.json", warnings))
    if project:
        layers += _project_layers(project)
    layers.append(("environment", _from_env(env)))
    layers.append(("flag", dict(flags or {})))
    merged, origins = _merge(layers)
    try:
        config = Config.model_validate(merged)
    except ValidationError as error:
        raise _explain(error, origins) from None
    return Settings(config, origins, tuple(warnings), flags)


def _project_layers(project: Path) -> Iterator[Layer]:
    own = project / ".recollect.toml"
    shared = project / "pyproject.toml"
    yield str(shared), _toml(shared).get("tool", {}).get("recollect", {})
    yield str(own), _toml(own)


def _toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        raise ConfigError(f"cannot be read: {error}", target=path, fix="Correct the file, or move it away.") from None


def _memory_config(path: Path, warnings: list[str]) -> Layer:
    """claude-memory's file. Like the original, what cannot be used falls back to the default, with a warning."""
    layer: dict[str, Any] = {}
    try:
        found = json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return str(path), {}
    except (ValueError, OSError) as error:
        warnings.append(f"{path} is ignored: {error}")
        return str(path), {}
    for dotted, (section, field) in MEMORY_CONFIG_KEYS.items():
        value = _dig(found, dotted)
        if value is None:
            continue
        try:
            Config.model_validate({section: {field: value}})
        except ValidationError as error:
            warnings.append(f"{path}: {dotted} is ignored: {error.errors()[0]['msg']}")
        else:
            layer.setdefault(section, {})[field] = value
    return str(path), layer


def _dig(found: object, dotted: str) -> object:
    for key in dotted.split("."):
        found = found.get(key) if isinstance(found, dict) else None
    return found


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
    except ValueError:
        return tuple(part.strip() for part in value.split(",")) if "," in value else value


def _merge(layers: list[Layer]) -> tuple[dict[str, Any], dict[str, str]]:
    merged: dict[str, Any] = {}
    origins: dict[str, str] = {}
    for origin, layer in layers:
        for section, fields in layer.items():
            if not isinstance(fields, dict):
                raise ConfigError(f"[{section}] has to be a table", target=origin)
            for field, value in fields.items():
                merged.setdefault(section, {})[field] = value
                origins[f"{section}.{field}"] = origin
    return merged, origins


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

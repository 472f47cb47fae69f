"""Read the settings files of the four seed systems as layers of the settings.

Each system has a table of rows: its key, our setting, and how a value is read. As in the originals, a bad value never
stops the program: it is ignored with a warning, and a number outside its bounds is clamped where the seed says so.
"""

import math
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import ValidationError

from recollect import foreign_files
from recollect.config import reading
from recollect.config.sections import Config
from recollect.model.kinds import BUILT_IN

Layer = tuple[str, dict[str, Any]]
Warn = Callable[[str], None]
CATEGORIES = tuple(kind.name for kind in BUILT_IN if kind.capped)
CONTINUITY_FILES = ("continuity.json", "cursorclaw.json", ".cursorclaw.json", "openclaw.json")


_CONF_KEY = re.compile(r"[ \t]*+(?:export[ \t]++)?([A-Z_]++)[ \t]*+=(.*)")


class SeedSetting(NamedTuple):
    """A key of a seed's file; `{}` in it stands for a kind, and the values are collected by kind."""

    key: str
    setting: str
    read: Callable[[Any], Any] = lambda value: value
    clamp: tuple[float, float] | None = None


def _is_on(value: object) -> bool:
    return value != "off"  # A26: anything else is on


def _whole(value: object) -> object:
    return int(str(value)) if re.fullmatch(r"-?[0-9]{1,12}", str(value)) else value


def _lower(value: object) -> object:
    return value.lower() if isinstance(value, str) else value


def _profile(strategy: object) -> object:
    return {"title_tags": "keyword"}.get(str(strategy), strategy)


def _schedule(value: object) -> object:
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


MEMORY_CONFIG: tuple[SeedSetting, ...] = (
    SeedSetting("memory_root", "vault.root"),
    SeedSetting("auto_commit", "vault.auto_commit"),
    SeedSetting("max_memories_per_category", "save.max_per_kind"),
    SeedSetting("categories.session_summary.max_retained", "save.sessions_retained"),
    SeedSetting("categories.{}.retention_days", "save.retention_days"),
    SeedSetting("categories.{}.enabled", "save.disabled_kinds"),
    SeedSetting("categories.{}.auto_capture", "capture.skip_kinds"),
    SeedSetting("categories.{}.description", "recall.descriptions"),
    SeedSetting("retrieval.enabled", "inject.prompt"),
    SeedSetting("retrieval.max_inject", "inject.max_memories", _whole, (0, 20)),
    SeedSetting("retrieval.match_strategy", "recall.profile", _profile),
    SeedSetting("triage.enabled", "triage.enabled"),
    SeedSetting("triage.max_messages", "triage.max_messages", _whole, (10, 200)),
    SeedSetting("triage.thresholds.{}", "triage.thresholds", clamp=(0, 1)),
    SeedSetting("triage.parallel.enabled", "triage.parallel"),
    SeedSetting("triage.parallel.category_models.{}", "triage.models", _lower),
    SeedSetting("triage.parallel.verification_model", "triage.verification_model", _lower),
    SeedSetting("triage.parallel.default_model", "triage.default_model", _lower),
    SeedSetting("delete.grace_period_days", "forget.grace_days"),
    SeedSetting("delete.archive_retired", "forget.archive_retired"),
)
# The settings that are read from a vault which the user has not trusted.
FOREIGN_MEMORY_CONFIG = tuple(
    row for row in MEMORY_CONFIG if row.key == "delete.grace_period_days" or row.key.startswith("retrieval.")
)
AGENT_CONF: tuple[SeedSetting, ...] = (
    SeedSetting("MEMORY_RECALL", "inject.prompt", _is_on),
    SeedSetting("MEMORY_UPDATE", "consolidate.update", _is_on),
    SeedSetting("MEMORY_FORGETTING", "forget.enabled", _is_on),
    SeedSetting("MEMORY_VALIDATION", "validation.enabled", _is_on),
    SeedSetting("MEMORY_RECALL_SCHEME", "recall.judged_scheme"),
    SeedSetting("MEMORY_RECALL_MODELS", "recall.judged_models"),
    SeedSetting("MEMORY_RECALL_PROMPTS", "recall.judged_prompts"),
    SeedSetting("MEMORY_RECALL_PRESEARCH", "recall.presearch", lambda value: value == "on"),
    SeedSetting("MEMORY_RECALL_PRESEARCH_CONTENT", "recall.presearch_content", lambda value: value == "on"),
    SeedSetting("MEMORY_FORGETTING_SCHEDULE", "forget.schedule"),
    SeedSetting("MEMORY_FORGETTING_MIN_AGE", "forget.min_age", _whole),
    SeedSetting("MEMORY_FORGETTING_CANDIDATES", "forget.candidates", _whole),
    SeedSetting("MEMORY_VALIDATION_SCHEDULE", "validation.schedule"),
    SeedSetting("MEMORY_VALIDATION_AMOUNT", "validation.amount", _whole),
)
LETSGO: tuple[SeedSetting, ...] = (
    SeedSetting("max_memories", "capture.max_memories"),
    SeedSetting("default_ttl_days", "capture.ttl_days"),
    SeedSetting("memorability_threshold", "capture.threshold"),
    SeedSetting("base_threshold", "capture.threshold"),
    SeedSetting("threshold", "capture.threshold"),
    SeedSetting("type_weights", "capture.type_weights"),
    SeedSetting("compression_min_age_days", "consolidate.min_age_days"),
    SeedSetting("consolidation_decay_rate", "forget.decay_rate"),
    SeedSetting("token_budget", "inject.token_budget"),
    SeedSetting("max_inject_count", "inject.max_memories"),
    SeedSetting("min_score", "recall.min_score"),
    SeedSetting("candidate_limit", "recall.candidates"),
    SeedSetting("weights", "recall.weights"),
)
CONTINUITY: tuple[SeedSetting, ...] = (
    SeedSetting("sessionMemoryEnabled", "inject.session"),
    SeedSetting("sessionMemoryCap", "inject.session_chars"),
    SeedSetting("includeLongMemoryInSession", "inject.long_memory"),
    SeedSetting("memoryMaxRecords", "log.max_records"),
    SeedSetting("memoryMaxChars", "log.max_chars"),
    SeedSetting("memoryArchivePath", "log.archive"),
    SeedSetting("memoryEmbeddingsEnabled", "log.vectors"),
    SeedSetting("memoryEmbeddingsMaxRecords", "log.max_vectors"),
    SeedSetting("memoryCompactionEnabled", "log.compact"),
    SeedSetting("memoryCompactionMinAgeDays", "log.compact_min_age_days"),
    SeedSetting("memoryCompactionMaxRecords", "log.compact_max_records"),
    SeedSetting("memoryCompactionThresholdRecords", "log.compact_max_records"),
    SeedSetting("memoryCompactionMaxChars", "log.compact_max_chars"),
    SeedSetting("memoryCompactionThresholdChars", "log.compact_max_chars"),
    SeedSetting("memoryCompactionSchedule", "log.compact_schedule", _schedule),
    SeedSetting("longMemoryPath", "log.long_memory"),
    SeedSetting("longMemoryMaxChars", "log.long_memory_chars"),
    SeedSetting("experienceStoreEnabled", "consolidate.experiences"),
    SeedSetting("experienceUniquenessThreshold", "consolidate.unique_below"),
    SeedSetting("injectExperienceContext", "inject.experiences"),
)


def project_layers(root: Path, warn: Warn) -> list[Layer]:
    """Return the layers of a project's agent.conf, continuity files and `[tool.letsgo.memory]`."""
    layers = [layer(root / "agent.conf", _conf(_read(root / "agent.conf", root, warn)), AGENT_CONF, warn)]
    for name in CONTINUITY_FILES:
        found = _json(root / name, root, warn)
        layers.append(layer(root / name, _part(found, "continuity"), CONTINUITY, warn))
    layers.append(layer(root / "pyproject.toml", _letsgo(root), LETSGO, warn))
    return layers


def memory_config(path: Path, warn: Warn, *, root: Path, is_foreign: bool = False) -> Layer:
    """Return the layer of claude-memory's file (B13), which must lie below `root`; if foreign, harmless keys only."""
    return layer(path, _json(path, root, warn), FOREIGN_MEMORY_CONFIG if is_foreign else MEMORY_CONFIG, warn)


def layer(path: Path, found: Mapping[str, Any], rows: tuple[SeedSetting, ...], warn: Warn) -> Layer:
    """Return the settings for the values of a file; a value that does not fit is ignored with a warning."""
    said: dict[str, Any] = {}
    for row in rows:
        section, _, name = row.setting.partition(".")
        for kind in CATEGORIES if "{}" in row.key else ("",):
            key = row.key.format(kind)
            value = _dig(found, key)
            if value is None:
                continue
            try:
                value = _merged(said.get(section, {}).get(name), row, kind, _checked(row, kind, value, path, warn))
            except ValueError as error:
                warn(f"{path}: {key} is ignored: {_why(error)}")
                continue
            said.setdefault(section, {})[name] = value
    return str(path), said


def _checked(row: SeedSetting, kind: str, value: object, path: Path, warn: Warn) -> object:
    read = row.read(value)
    section, _, name = row.setting.partition(".")
    default = getattr(Config.model_fields[section].default, name)
    if isinstance(read, bool) and isinstance(default, int) and not isinstance(default, bool):
        raise ValueError("must be a number")  # noqa: TRY004 - a value that does not fit, like the others
    if isinstance(read, str):
        read.encode()  # half a surrogate pair is no text
    if isinstance(read, float) and not math.isfinite(read):
        raise ValueError("must be a finite number")
    if row.clamp and isinstance(read, int | float) and not isinstance(read, bool):
        low, high = row.clamp
        bounded = type(read)(min(high, max(low, read)))
        if bounded != read:
            warn(f"{path}: {row.key.format(kind)} is {read}; {bounded} is used")
        read = bounded
    whole = _merged(None, row, kind, read)
    Config.model_validate({section: {name: whole}})
    return read


def _merged(known: Any, row: SeedSetting, kind: str, value: object) -> object:  # noqa: ANN401
    """Return the value; a value by kind is added to the list of kinds that are off, or to a table by kind."""
    if not kind:
        return value
    if row.setting.endswith("_kinds"):
        if not isinstance(value, bool):
            raise ValueError("must be true or false")
        return [*(known or ()), *([] if value else [kind])]
    return {**(known or {}), kind: value}


def _why(error: ValueError) -> str:
    return str(error.errors()[0]["msg"]) if isinstance(error, ValidationError) else str(error)


def _dig(found: object, dotted: str) -> object:
    for key in dotted.split("."):
        if not isinstance(found, Mapping):
            return None
        found = found.get(key, found.get(key.upper()) if key in CATEGORIES else None)
    return found


def _part(found: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    inner = found.get(name)
    return inner if isinstance(inner, Mapping) else found


def _read(path: Path, root: Path, warn: Warn) -> str:
    try:
        data = foreign_files.read(str(path), root=str(root), most_bytes=foreign_files.SETTINGS_BYTES)
    except (FileNotFoundError, NotADirectoryError):
        return ""
    except OSError as error:
        warn(f"{path} is ignored: {foreign_files.why(error)}")
        return ""
    return data.decode("utf-8-sig", "replace")


def _json(path: Path, root: Path, warn: Warn) -> Mapping[str, Any]:
    source = _read(path, root, warn)
    try:
        return reading.json_object(source) if source else {}
    except (ValueError, RecursionError) as error:
        warn(f"{path} is ignored: {error}")
        return {}


def _conf(source: str) -> dict[str, str]:
    """Parse lines `KEY=value # comment` as a shell would (A46)."""
    found = (_CONF_KEY.match(line.rstrip("\r")) for line in source.split("\n"))
    return {pair[1]: _conf_value(pair[2]) for pair in found if pair}


def _conf_value(said: str) -> str:
    """Return a value without its quotes and the comment behind it."""
    bare = said.strip(" \t")
    if bare[:1] in ("'", '"') and (end := bare.find(bare[0], 1)) > 0:
        return bare[1:end]
    comments = [at for mark in (" #", "\t#") if (at := said.find(mark)) >= 0]
    return said[: min(comments, default=len(said))].strip(" \t").strip("\"'")


def _letsgo(root: Path) -> dict[str, Any]:
    """Return `[tool.letsgo.memory]` and the tables of modules below it; `layers` reports errors of the file."""
    try:
        found = _dig(reading.toml(root / "pyproject.toml", root), "tool.letsgo.memory")
    except (OSError, ValueError, RecursionError):
        return {}
    if not isinstance(found, dict):
        return {}
    tables = {"type_weights", "weights"}
    modules = [value for key, value in found.items() if isinstance(value, dict) and key not in tables]
    return {**{key: value for module in modules for key, value in module.items()}, **found}

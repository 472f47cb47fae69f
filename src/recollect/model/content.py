"""The content of memories: a frozen model for each kind that has fields, `Text` for all others (B2)."""

from functools import cache
from typing import Annotated, Any, Literal, get_origin

from pydantic import BaseModel, ConfigDict, Field, create_model


class Value(BaseModel):
    """A frozen value that forbids unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class Content(Value):
    """Base of every content model."""

    def as_text(self) -> str:
        """Return what the content says, a line each, without labels such as `strong`; this is searched and compared."""
        return "\n".join(_leaves(self.model_dump(exclude_none=True, exclude=_labels(type(self)))))

    def hashed_text(self) -> str:
        """Return all texts of the content, labels too; their hash tells whether two memories are the same."""
        return "\n".join(_leaves(self.model_dump(exclude_none=True)))


@cache
def _labels(model: type[Content]) -> set[str]:
    """Return the fields whose values are labels: one of a few fixed words."""
    return {name for name, field in model.model_fields.items() if get_origin(field.annotation) is Literal}


def _leaves(value: object) -> list[str]:
    if isinstance(value, str):
        return [value] if value else []
    if isinstance(value, dict):
        return [leaf for part in value.values() for leaf in _leaves(part)]
    if isinstance(value, list | tuple):
        return [leaf for part in value for leaf in _leaves(part)]
    return []


class Text(Content):
    """Free text, for kinds without fields of their own."""

    text: str

    def as_text(self) -> str:
        """Return the text unchanged."""
        return self.text

    def hashed_text(self) -> str:
        """Return the text unchanged."""
        return self.text


class Loose(Content):
    """Fields of a kind that is not defined here (any more); they are kept as they are."""

    model_config = ConfigDict(frozen=True, extra="allow")


Lines = tuple[str, ...]
SomeLines = Annotated[Lines, Field(min_length=1)]


class Alternative(Value):
    """An option that a decision rejected."""

    option: str
    rejected_reason: str


class Decision(Content):
    """A choice and its rationale."""

    status: Literal["proposed", "accepted", "deprecated", "superseded"]
    context: str
    decision: str
    alternatives: tuple[Alternative, ...] | None = None
    rationale: SomeLines
    consequences: Lines | None = None


class SessionSummary(Content):
    """A snapshot from which work can be resumed."""

    goal: str
    outcome: Literal["success", "partial", "blocked", "abandoned"]
    completed: Lines
    in_progress: Lines | None = None
    blockers: Lines | None = None
    next_actions: Lines
    key_changes: Lines | None = None


class Runbook(Content):
    """How an error is diagnosed, fixed and verified."""

    trigger: str
    symptoms: Lines | None = None
    steps: SomeLines
    verification: str
    root_cause: str | None = None
    environment: str | None = None


class Constraint(Content):
    """A known limitation."""

    kind: Literal["limitation", "gap", "policy", "technical"]
    rule: str
    impact: SomeLines
    workarounds: Lines | None = None
    severity: Literal["high", "medium", "low"]
    active: bool
    expires: str | None = None


class TechDebt(Content):
    """Deferred work and why it was deferred."""

    status: Literal["open", "in_progress", "resolved", "wont_fix"]
    priority: Literal["critical", "high", "medium", "low"]
    description: str
    reason_deferred: str
    impact: Lines | None = None
    suggested_fix: Lines | None = None
    acceptance_criteria: Lines | None = None


class Examples(Value):
    """What a preference asks for, and what it asks to avoid."""

    prefer: Lines = ()
    avoid: Lines = ()


class Preference(Content):
    """How things should be done."""

    topic: str
    value: str
    reason: str
    strength: Literal["strong", "default", "soft"]
    examples: Examples | None = None


FIELD_TYPES: dict[str, tuple[Any, Any]] = {
    "text": (str, ...),
    "text?": (str | None, None),
    "list": (SomeLines, ...),
    "list?": (Lines | None, None),
}


def model_from(name: str, fields: dict[str, str]) -> type[Content]:
    """Return the content model of a kind that the user defines; each field's type is one of `FIELD_TYPES`."""
    if not fields:
        return Text
    parts: dict[str, Any] = {field: FIELD_TYPES[type_name] for field, type_name in fields.items()}
    return create_model(name.title().replace("_", ""), __base__=Content, **parts)

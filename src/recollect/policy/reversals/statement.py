"""A statement as two statements are compared: what it wants, what it gives up, and where it holds."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Thing:
    """What a statement gives up or rejects, as stems; `is_action` where the first is a verb ("squash commits")."""

    stems: tuple[str, ...]
    is_action: bool = False
    is_value: bool = False
    """Whether it is a number or a day: something that many statements can be about."""


@dataclass(frozen=True, slots=True)
class Statement:
    """What a sentence says, as far as two sentences are compared."""

    words: frozenset[str] = frozenset()
    """Stems of everything that it is about, without empty words."""
    first: str = ""
    adopted: tuple[tuple[str, ...], ...] = ()
    """What it wants to be used, as stems."""
    given_up: tuple[Thing, ...] = ()
    """What it says is used no longer."""
    rejected: tuple[Thing, ...] = ()
    """What it forbids or avoids."""
    members: dict[str, frozenset[str]] = field(default_factory=dict)
    """By family, the names that it wants."""
    old_members: dict[str, frozenset[str]] = field(default_factory=dict)
    """By family, the names that it gives up or rejects."""
    values: dict[str, frozenset[str]] = field(default_factory=dict)
    """By sort (a unit, `path`, `person`, a family), the values that it gives."""
    old_values: frozenset[str] = frozenset()
    key: frozenset[str] = frozenset()
    """The words without values: what the values are of."""
    scope: frozenset[str] = frozenset()
    """Where it holds: words after "in", "for", "on", and the grammatical subject."""
    places: frozenset[str] = frozenset()
    """The words of `scope` after "in", "for" and "on"."""
    about: frozenset[str] = frozenset()
    """Words for what the families of its names do."""
    retracted: frozenset[str] = frozenset()
    """The words of a rule that it takes back by name."""
    has_turn: bool = False
    is_exception: bool = False
    is_negative: bool = False
    named: dict[str, frozenset[str]] = field(default_factory=dict)
    """By family, the stems of all its names in the sentence, wanted or not."""
    is_setting: bool = False
    """Whether its value stands behind "is", "to" or "use"."""
    has_own_subject: bool = True

"""Rules that are patterns: rows with a name, a pattern and an example that it matches."""

import re
from collections.abc import Iterable
from typing import NamedTuple


class Rule(NamedTuple):
    """A pattern, what it stands for, and a text that it matches. Tests check that every example does."""

    name: str
    pattern: re.Pattern[str]
    example: str


def table(rows: Iterable[tuple[str, str, str]], flags: re.RegexFlag = re.NOFLAG) -> tuple[Rule, ...]:
    """Return rules for rows of name, pattern and example."""
    return tuple(Rule(name, re.compile(pattern, flags), example) for name, pattern, example in rows)


def any_of(rules: Iterable[Rule]) -> re.Pattern[str]:
    """Return one pattern that matches whatever one of the rules matches. All rules have to have the same flags."""
    listed = list(rules)
    return re.compile("|".join(rule.pattern.pattern for rule in listed), listed[0].pattern.flags & ~re.UNICODE)

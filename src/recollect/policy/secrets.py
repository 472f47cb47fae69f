"""Credentials in text: where they are, and the text without them."""

import re
from functools import cache
from typing import NamedTuple

from recollect.policy.secret_rules import RULES, Rule

MARK = "[redacted:"

_LONG = 16
_MARK = re.compile(r"\[redacted:[a-z0-9-]+\]")
# A text with none of these signs holds no credential but perhaps a provider's token or a recovery phrase.
_SIGNS = '0123456789:="`#$%&*+@^~<'

_Ranked = tuple[int, Rule]


class Finding(NamedTuple):
    """A credential: which rule found it, and where it stands."""

    rule: str
    start: int
    end: int


def _by_need(*, is_long: bool) -> tuple[tuple[str, tuple[_Ranked, ...]], ...]:
    needs: dict[str, tuple[_Ranked, ...]] = {}
    for rank, rule in enumerate(RULES):
        if rule.is_long == is_long:
            for need in dict.fromkeys(rule.needs):
                needs[need] = (*needs.get(need, ()), (rank, rule))
    return tuple(needs.items())


_TOKENS = _by_need(is_long=True)
_PHRASES = _by_need(is_long=False)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def find(text: str) -> list[Finding]:
    """Every credential of a text, in order, without overlaps."""
    low = _lowered(text)
    found: list[tuple[int, int, int]] = []
    long = " ".join([run for run in low.split() if len(run) >= _LONG])
    if long:
        for need, rules in _TOKENS:
            if need in long:
                found += _hits(text, low, need, rules)
    if _has_signs(text):
        for need, rules in _PHRASES:
            if need in low:
                found += _hits(text, low, need, rules)
    return _settled(found, text) if found else []


def redact(text: str) -> str:
    """The text with each credential replaced by the name of its rule."""
    # A mark can bring a name and a value together that were apart, hence again until nothing is found.
    while found := find(text):
        pieces: list[str] = []
        end = 0
        for one in found:
            pieces += (text[end : one.start], f"{MARK}{one.rule}]")
            end = one.end
        text = "".join(pieces) + text[end:]
    return text


def _lowered(text: str) -> str:
    low = text.lower()
    return low if len(low) == len(text) else "".join([s.lower() if len(s.lower()) == 1 else s for s in text])


def _has_signs(text: str) -> bool:
    for sign in _SIGNS:
        if sign in text:
            return True
    return False


def _hits(text: str, low: str, need: str, rules: tuple[_Ranked, ...]) -> list[tuple[int, int, int]]:
    found: list[tuple[int, int, int]] = []
    for rank, rule in rules:
        if rule.scans:
            for match in _compiled(rule.pattern).finditer(text):
                found += [(start, end, rank) for start, end in _spans(rule, match)]
        else:
            found += _anchored(text, low, need, rank, rule)
    return found


def _anchored(text: str, low: str, need: str, rank: int, rule: Rule) -> list[tuple[int, int, int]]:
    found: list[tuple[int, int, int]] = []
    match_at = _compiled(rule.pattern).match
    at = low.find(need)
    while at >= 0:
        after = at + len(need)
        match = match_at(text, at)
        if match:
            spans = _spans(rule, match)
            if spans:
                found += [(start, end, rank) for start, end in spans]
                after = max(after, spans[-1][1])
        at = low.find(need, after)
    return found


def _spans(rule: Rule, match: re.Match[str]) -> list[tuple[int, int]]:
    if rule.check and not rule.check(match):
        return []
    if rule.spans:
        return list(rule.spans(match))
    return [match.span("secret" if "secret" in match.re.groupindex else 0)]


def _settled(found: list[tuple[int, int, int]], text: str) -> list[Finding]:
    """Overlapping findings become one, named by the rule that stands first in the table."""
    if MARK in text:
        marks = [mark.span() for mark in _MARK.finditer(text)]
        found = [one for one in found if not any(one[0] < end and start < one[1] for start, end in marks)]
    merged: list[tuple[int, int, int]] = []
    for start, end, rank in sorted(found):
        if merged and start < merged[-1][1]:
            first, last, best = merged[-1]
            merged[-1] = (first, max(last, end), min(best, rank))
        elif end > start:
            merged.append((start, end, rank))
    return [Finding(RULES[rank].name, start, end) for start, end, rank in merged]

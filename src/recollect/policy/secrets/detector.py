"""Credentials in text: where they are, and the text without them."""

import re
from bisect import bisect_left
from functools import cache
from typing import NamedTuple

from recollect.policy.secrets import scan
from recollect.policy.secrets.rules import RULES, Rule
from recollect.policy.secrets.table import TOKENS

MARK = "[redacted:"

_LONG = 16
# A rule that fails this often within so many characters meets no text that anybody wrote.
_WINDOW, _FAILURES = 4096, 64
# The name of a thing at Amazon, whatever it is called.
_ARN = r"arn:aws[\w-]{0,10}:[\w-]{1,30}:[\w-]{0,30}:\d{0,12}:[^\s\"',;]{1,200}"
_MARK = r"\[redacted:[a-z0-9-]+\]"
# A text with none of these signs holds no credential but perhaps a provider's token or a recovery phrase.
_SIGNS = (*'0123456789:="`#$%&*+@^~<', "--")

_STEMS = ("key", "pass", "auth", "token", "login", "sess", "pw", "sec")

# The names of findings by rank: where two overlap, the first one names both. What the scan knows by a token's form
# comes before the patterns, what it knows by a name alone behind them.
_TELLING = tuple(dict.fromkeys((*(row[0] for row in TOKENS), "jwt", "azure-key", "url-password")))
_PLAIN = ("kubernetes-secret", "credentials", "password", "token", "key", "code", "env-value")
NAMES = (*_TELLING, *(rule.name for rule in RULES), *_PLAIN)
_RANKS = {name: NAMES.index(name) for name in _TELLING} | {
    name: len(_TELLING) + len(RULES) + place for place, name in enumerate(_PLAIN)
}

_Ranked = tuple[int, Rule]
_Gates = tuple[tuple[str, tuple[tuple[str, tuple[_Ranked, ...]], ...]], ...]


class Finding(NamedTuple):
    """A credential: which rule found it, and where it stands."""

    rule: str
    start: int
    end: int


def _by_need(*, is_long: bool) -> _Gates:
    """The rules by what they need, and the needs by a sign in them: one look for it spares many."""
    gates: dict[str, dict[str, tuple[_Ranked, ...]]] = {}
    for rank, rule in enumerate(RULES, len(_TELLING)):
        if rule.is_long == is_long:
            for need in dict.fromkeys(rule.needs):
                signs = (sign for sign in need if not sign.isalnum() and sign != " ")
                gate = next(signs, "") or next((stem for stem in _STEMS if stem in need), "")
                rules = gates.setdefault(gate, {})
                rules[need] = (*rules.get(need, ()), (rank, rule))
    return tuple((gate, tuple(needs.items())) for gate, needs in gates.items())


_TOKENS = _by_need(is_long=True)
_PHRASES = _by_need(is_long=False)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def find(text: str) -> list[Finding]:
    """Every credential of a text, in order, without overlaps: what the scan finds and what the patterns find."""
    low = _lowered(text)
    found = _scanned(text)
    long = " ".join([run for run in low.split() if len(run) >= _LONG])
    if long:
        found += _search(text, low, long, _TOKENS)
    if _has_signs(text):
        found += _search(text, low, low, _PHRASES)
    return _settled(found, text) if found else []


def _scanned(text: str) -> list[tuple[int, int, int]]:
    """What the scan finds that hooks use too; a sign beyond Latin-1 counts as one that no credential has."""
    spots = scan.scan(text.encode("latin-1", "replace"))
    return [(start, end, _RANKS[rule]) for start, end, rule in spots]


def _search(text: str, low: str, within: str, gates: _Gates) -> list[tuple[int, int, int]]:
    found: list[tuple[int, int, int]] = []
    for gate, needs in gates:
        if gate in within:
            for need, rules in needs:
                if need in within:
                    found += _hits(text, low, need, rules)
    return found


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
    return any(map(text.__contains__, _SIGNS))


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
    window, failures = at + _WINDOW, 0
    while at >= 0:
        after = at + len(need)
        if at >= window:
            window, failures = at + _WINDOW, 0
        match = match_at(text, at)
        if match and (spans := _spans(rule, match)):
            found += [(start, end, rank) for start, end in spans]
            after = max(after, spans[-1][1])
        elif match:
            failures += 1 + (match.end() - at) // 64
            after = window if failures > _FAILURES else match.end() if rule.spans else after
        at = low.find(need, max(after, at + 1))
    return found


def _spans(rule: Rule, match: re.Match[str]) -> list[tuple[int, int]]:
    if rule.check and not rule.check(match):
        return []
    if rule.spans:
        return list(rule.spans(match))
    return [match.span("secret" if "secret" in match.re.groupindex else 0)]


def _meets_mark(start: int, end: int, ends: list[int], text: str) -> bool:
    place = bisect_left(ends, start + 1)
    return place < len(ends) and text.rfind(MARK, 0, ends[place]) < end


def _settled(found: list[tuple[int, int, int]], text: str) -> list[Finding]:
    """Overlapping findings become one, named by the rule that stands first in the table."""
    if MARK in text:
        ends = [mark.end() for mark in _compiled(_MARK).finditer(text)]
        found = [one for one in found if not _meets_mark(one[0], one[1], ends, text)]
    if "arn:aws" in text:
        names = [name.span() for name in _compiled(_ARN).finditer(text)]
        found = [one for one in found if not any(start <= one[0] < end for start, end in names)]
    merged: list[tuple[int, int, int]] = []
    for start, end, rank in sorted(found):
        if merged and start < merged[-1][1]:
            first, last, best = merged[-1]
            merged[-1] = (first, max(last, end), min(best, rank))
        elif end > start:
            merged.append((start, end, rank))
    return [Finding(NAMES[rank], start, end) for start, end, rank in merged]

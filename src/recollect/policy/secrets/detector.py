"""The full detector: where the credentials of a text stand, and the text without them."""

import re
from bisect import bisect_left
from functools import cache
from typing import NamedTuple

from recollect.policy.secrets import scan
from recollect.policy.secrets.rules import RULES
from recollect.policy.secrets.rules.rule import Match, Rule, Span
from recollect.policy.secrets.table import TOKENS

MARK = "[redacted:"

_LONG_RUN = 16
# A pattern that fails more than 64 times within 4,096 characters meets no text that anybody wrote: skip the rest of it.
_WINDOW_CHARS, _MOST_FAILURES = 4096, 64
# The name of a resource at Amazon is no credential, whatever its parts are called.
_ARN = r"arn:aws[\w-]{0,10}:[\w-]{1,30}:[\w-]{0,30}:\d{0,12}:[^\s\"',;]{1,200}"
_MARK = r"\[redacted:[a-z0-9-]+\]"
# A text with none of these holds no credential but perhaps a provider's token or a recovery phrase.
_SIGNS = (*'0123456789:="`#$%&*+@^~<', "--")
# Parts of triggers: where a text lacks the part, none of its triggers has to be looked for.
_TRIGGER_PARTS = ("key", "pass", "auth", "token", "login", "sess", "pw", "sec")

# The names of findings by rank: where two findings overlap, the lower rank names the result. First what the scan knows
# by a token's form, then the rules, last what the scan knows by a name alone.
_KNOWN_BY_FORM = tuple(dict.fromkeys((*(row[0] for row in TOKENS), "jwt", "azure-key", "url-password")))
_KNOWN_BY_NAME = ("kubernetes-secret", "credentials", "password", "token", "key", "code", "env-value")
NAMES = (*_KNOWN_BY_FORM, *(rule.name for rule in RULES), *_KNOWN_BY_NAME)
_SCAN_RANKS = {name: NAMES.index(name) for name in _KNOWN_BY_FORM} | {
    name: len(_KNOWN_BY_FORM) + len(RULES) + place for place, name in enumerate(_KNOWN_BY_NAME)
}


class Finding(NamedTuple):
    """A credential: the name of what was found, and where it stands."""

    rule: str
    start: int
    end: int


class _Hit(NamedTuple):
    """A finding before overlaps are settled; sorts by position."""

    start: int
    end: int
    rank: int


class _RankedRule(NamedTuple):
    rank: int
    rule: Rule


class _Trigger(NamedTuple):
    """The rules that a text may match if it contains the trigger."""

    text: str
    rules: tuple[_RankedRule, ...]


class _Gate(NamedTuple):
    """Triggers with a part in common, so that one search for the part spares one for each trigger."""

    part: str
    triggers: tuple[_Trigger, ...]


def _gates(*, is_in_long_run: bool) -> tuple[_Gate, ...]:
    """Group the rules by their triggers, and the triggers by a sign or a part that they contain."""
    rules: dict[str, dict[str, tuple[_RankedRule, ...]]] = {}
    for rank, rule in enumerate(RULES, len(_KNOWN_BY_FORM)):
        if rule.is_in_long_run == is_in_long_run:
            for trigger in dict.fromkeys(rule.triggers):
                signs = (sign for sign in trigger if not sign.isalnum() and sign != " ")
                part = next(signs, "") or next((part for part in _TRIGGER_PARTS if part in trigger), "")
                by_trigger = rules.setdefault(part, {})
                by_trigger[trigger] = (*by_trigger.get(trigger, ()), _RankedRule(rank, rule))
    return tuple(_Gate(part, tuple(map(_Trigger._make, triggers.items()))) for part, triggers in rules.items())


_TOKEN_GATES = _gates(is_in_long_run=True)
_OTHER_GATES = _gates(is_in_long_run=False)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


@cache
def _rule_pattern(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.VERBOSE)


def find(text: str) -> list[Finding]:
    """Return every credential of a text, in order and without overlaps; an empty list if there is none."""
    low = _lowered(text)
    hits = _scanned(text)
    long_runs = " ".join([run for run in low.split() if len(run) >= _LONG_RUN])
    if long_runs:
        hits += _matched(text, low, long_runs, _TOKEN_GATES)
    if _has_signs(text):
        hits += _matched(text, low, low, _OTHER_GATES)
    return _settled(hits, text) if hits else []


def redact(text: str) -> str:
    """Return the text with each credential replaced by `[redacted:name]`; the same object if there is none."""
    # A mark can bring a name and a value together that were apart, hence again until nothing is found.
    while findings := find(text):
        pieces: list[str] = []
        end = 0
        for finding in findings:
            pieces += (text[end : finding.start], f"{MARK}{finding.rule}]")
            end = finding.end
        text = "".join(pieces) + text[end:]
    return text


def _scanned(text: str) -> list[_Hit]:
    """Return what the scan finds that hooks use too; a character beyond Latin-1 becomes one that no credential has."""
    spots = scan.scan(text.encode("latin-1", "replace"))
    return [_Hit(start, end, _SCAN_RANKS[rule]) for start, end, rule in spots]


def _matched(text: str, low: str, within: str, gates: tuple[_Gate, ...]) -> list[_Hit]:
    """Return what the rules find whose triggers are part of `within`."""
    hits: list[_Hit] = []
    for gate in gates:
        if gate.part in within:
            for trigger in gate.triggers:
                if trigger.text in within:
                    hits += _hits(text, low, trigger)
    return hits


def _lowered(text: str) -> str:
    """Return the text in lower case with the same length: `İ`, which would become two characters, stays."""
    low = text.lower()
    return low if len(low) == len(text) else "".join([s.lower() if len(s.lower()) == 1 else s for s in text])


def _has_signs(text: str) -> bool:
    return any(map(text.__contains__, _SIGNS))


def hits_of(rule: Rule, text: str) -> set[Span]:
    """Return what a rule alone finds in a text, whatever other rules say; for tests of the table."""
    low = _lowered(text)
    triggers = [_Trigger(trigger, (_RankedRule(0, rule),)) for trigger in rule.triggers if trigger in low]
    return {(hit.start, hit.end) for trigger in triggers for hit in _hits(text, low, trigger)}


def _hits(text: str, low: str, trigger: _Trigger) -> list[_Hit]:
    hits: list[_Hit] = []
    for rank, rule in trigger.rules:
        if rule.is_searched:
            for match in _rule_pattern(rule.pattern).finditer(text):
                hits += [_Hit(start, end, rank) for start, end in _spans(rule, match)]
        else:
            hits += _anchored_hits(text, low, trigger.text, rank, rule)
    return hits


def _anchored_hits(text: str, low: str, trigger: str, rank: int, rule: Rule) -> list[_Hit]:
    """Match a rule's pattern at each place of a trigger."""
    hits: list[_Hit] = []
    match_at = _rule_pattern(rule.pattern).match
    at = low.find(trigger)
    window_end, failures = at + _WINDOW_CHARS, 0
    while at >= 0:
        after = at + len(trigger)
        if at >= window_end:
            window_end, failures = at + _WINDOW_CHARS, 0
        match = match_at(text, at)
        if match and (spans := _spans(rule, match)):
            hits += [_Hit(start, end, rank) for start, end in spans]
            after = max(after, spans[-1][1])
        elif match:
            failures += 1 + (match.end() - at) // 64
            after = window_end if failures > _MOST_FAILURES else match.end() if rule.spans else after
        at = low.find(trigger, max(after, at + 1))
    return hits


def _spans(rule: Rule, match: Match) -> list[Span]:
    """Return where the credentials of a match stand; an empty list if the rule's check says that it has none."""
    if rule.check and not rule.check(match):
        return []
    if rule.spans:
        return list(rule.spans(match))
    return [match.span("secret" if "secret" in match.re.groupindex else 0)]


def _overlaps_mark(hit: _Hit, mark_ends: list[int], text: str) -> bool:
    place = bisect_left(mark_ends, hit.start + 1)
    return place < len(mark_ends) and text.rfind(MARK, 0, mark_ends[place]) < hit.end


def _settled(hits: list[_Hit], text: str) -> list[Finding]:
    """Merge overlapping hits, named by the lowest rank; leave out those in marks and in names of Amazon's resources."""
    if MARK in text:
        mark_ends = [mark.end() for mark in _compiled(_MARK).finditer(text)]
        hits = [hit for hit in hits if not _overlaps_mark(hit, mark_ends, text)]
    if "arn:aws" in text:
        arns = [arn.span() for arn in _compiled(_ARN).finditer(text)]
        hits = [hit for hit in hits if not any(start <= hit.start < end for start, end in arns)]
    merged: list[_Hit] = []
    for hit in sorted(hits):
        if merged and hit.start < merged[-1].end:
            last = merged[-1]
            merged[-1] = _Hit(last.start, max(last.end, hit.end), min(last.rank, hit.rank))
        elif hit.end > hit.start:
            merged.append(hit)
    return [Finding(NAMES[hit.rank], hit.start, hit.end) for hit in merged]

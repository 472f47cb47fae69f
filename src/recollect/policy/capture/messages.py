"""What a message becomes: the sentences that state something, as drafts in the speaker's own words."""

import re
from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache

from recollect.model.session_event import SessionEvent
from recollect.policy.capture.draft import QUOTED, Draft, title
from recollect.policy.shell import outputs
from recollect.policy.statements import own_words, statements
from recollect.policy.statements.own_words import Voice
from recollect.policy.statements.statements import Statement

PLAIN = 0.8
UNSURE = 0.5
"""The certainty that words of somebody else have at most: they always wait for a look."""
LEAST_WORDS = 3
SHORT = 6
AWAITED, FIRST = 0.7, 0.6
# Where a kind keeps its reason.
REASONS = {"preference": "reason", "decision": "rationale", "constraint": "impact", "tech_debt": "reason_deferred",
           "runbook": "root_cause"}  # fmt: skip
_GOES_ON = re.compile(
    r"\b(?:because|since|otherwise|reason|so|cause|it|its|they|that|those|these|this|we|our|is|are|was|were|has|have)\b",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"\?\s*$|^(?:and |then |now |also |next[,:]? |ok,? )*(?:please|pls|can you|could you|shall i|should i|do you"
    r"|add|fix|write|run"
    r"|show|check|create|update|make|give|commit|push|say|tell|go on|continue|done|all|tests?)\b",
    re.IGNORECASE,
)
_POLITE = re.compile(
    r"(?:(?:many |so |oh |ah+ )*(?:thanks?|thank you|thx|cheers|ok(?:ay)?|k|great|nice|good|lovely|perfect|super|cool"
    r"|sweet"
    r"|beautiful|morning|hi|hello|hey|yes|yep|no|nope|hm+|right|fine|done|wow)\b[^.!?]{0,30}|\S{0,12})[.!?]*$",
    re.IGNORECASE,
)
_BECAUSE = re.compile(r"\b(?:because|since|otherwise|so that|as)\b\s+(.{8,})$", re.IGNORECASE)
_REVERSED = re.compile(
    r"\b(?:scrap|forget (?:that|it|what|the)|drop|back to|after all|on second thought|change of plan|instead|bad idea"
    r"|again|no longer|not any ?more|revert|undo|actually|rather)\b",
    re.IGNORECASE,
)
_STRONG = re.compile(r"\b(?:always|never|must|has to|have to|no)\b", re.IGNORECASE)


@lru_cache(maxsize=4_096)
def stated(
    said: str, *, by_user: bool, asked: str = "", is_awaited: bool = False, is_first: bool = False
) -> tuple[tuple[str, tuple[Statement, ...]], ...]:
    """What a message states, by kind: the sentences that do, each with those around it.

    Where something failed, an answer is expected to say why; what a session begins with is mostly a task.
    """
    found = (
        _own_statements(said)
        if by_user
        else _not_demanded_elsewhere(statements.judged(said, by_user=False, asked=asked))
    )
    needed = statements.threshold(len(statements.sentences(said)), by_user=by_user) * (AWAITED if is_awaited else 1.0)
    needed = max(needed, FIRST) if is_first else needed
    by_kind: dict[str, list[Statement]] = {}
    for one in found:
        if one.certainty >= needed and not outputs.is_report(one.text):  # an error says nothing that anybody wants
            by_kind.setdefault(one.kind, []).append(one)
    told = [parts for parts in by_kind.values() if sum(len(part.text.split()) for part in parts) >= LEAST_WORDS]
    told.sort(key=lambda parts: -_certainty(parts))
    # A message is mostly about one thing; a second one has to be as plain.
    chosen = [*told[:1], *(parts for parts in told[1:] if _certainty(parts) >= PLAIN)]
    around = _in_context if by_user and len(chosen) == 1 and len(found) <= SHORT else _with_reasons
    return tuple((parts[0].kind, around(found, parts)) for parts in chosen)


def _own_statements(said: str) -> list[Statement]:
    """A user's own sentences, each judged beside all sentences that stand around it.

    What is left of a sentence without what it quotes, or attributes to somebody else, has to be plain.
    """
    sentences = statements.sentences(own_words.read(said).own)
    voices = own_words.voices(sentences)
    parts = [voice.own or sentence for voice, sentence in zip(voices, sentences, strict=True)]
    judged = zip(statements.judged_sentences(parts, by_user=True), voices, strict=True)
    return [one for one, voice in judged if voice.own and (_is_whole(voice) or one.certainty >= statements.PLAINLY)]


def _is_whole(voice: Voice) -> bool:
    return not voice.attributed and own_words.LEFT_OUT not in voice.own


def _not_demanded_elsewhere(judged: Iterable[Statement]) -> list[Statement]:
    """An agent's sentences without the rules that it only reports ("the page says to always …")."""
    return [one for one in judged if not own_words.is_rule(own_words.voice(one.text).attributed)]


@lru_cache(maxsize=4_096)
def passed_on(said: str) -> tuple[Statement, ...]:
    """What a user says that somebody else says ("legal says …"): the surest such sentence, or none."""
    sentences = statements.sentences(own_words.read(said).own)
    attributed = [voice.attributed for voice in own_words.voices(sentences) if voice.attributed]
    needed = statements.threshold(len(sentences), by_user=True)
    own = {one.text for one in _own_statements(said)}
    found = [
        one
        for one in statements.judged_sentences(attributed, by_user=True)
        if one.certainty >= needed and not outputs.is_report(one.text) and not any(map(one.text.startswith, own))
    ]
    surest = max(found, key=lambda one: one.certainty, default=None)
    return (replace(surest, certainty=min(surest.certainty, UNSURE)),) if surest else ()


def _certainty(parts: Iterable[Statement]) -> float:
    return max(part.certainty for part in parts)


def _with_reasons(found: list[Statement], parts: list[Statement]) -> tuple[Statement, ...]:
    """A statement and the sentence behind it, which often says why."""
    places = {found.index(part) for part in parts}
    after = {place + 1 for place in places if place + 1 < len(found) and _is_reason(found[place + 1])}
    return tuple(found[place] for place in sorted(places | after))


def _in_context(found: list[Statement], parts: list[Statement]) -> tuple[Statement, ...]:
    """Of a short message all of its words, but for what it asks for and what is only polite."""
    is_told = (one in parts or not (_ASKS.search(one.text) or _POLITE.match(one.text)) for one in found)
    return tuple(one for one, told in zip(found, is_told, strict=True) if told)


def _is_reason(one: Statement) -> bool:
    """Whether a sentence goes on with what was said: it says something of it, and neither asks nor states more."""
    return bool(_GOES_ON.search(one.text)) and not _ASKS.search(one.text) and one.certainty < PLAIN


def joined(parts: Iterable[Statement]) -> str:
    """Sentences as a text."""
    return " ".join(dict.fromkeys(part.text if part.text[-1:] in ".!?:" else f"{part.text}." for part in parts))


def quoted(said: tuple[Statement, ...], event: SessionEvent) -> Draft:
    """A memory of what a user only passed on: it waits for a look, and is never a strong wish."""
    made = draft(said[0].kind, said, event, origin=QUOTED)
    return replace(made, fields={**made.fields, "strength": "default"} if "strength" in made.fields else made.fields)


def draft(kind: str, parts: tuple[Statement, ...], event: SessionEvent, *, origin: str) -> Draft:
    """A memory of what a message states."""
    told = [part for part in parts if len(part.text.split()) >= LEAST_WORDS] or parts
    lead = max(told, key=lambda part: part.certainty)
    return Draft(
        kind, title(lead.text), joined(parts), (event.key,), _fields(kind, lead, parts), _certainty(parts), origin,
        rule=f"{origin}-{kind}", at=event.at,
    )  # fmt: skip


def is_reversal(one: Draft) -> bool:
    """Whether somebody takes back what was chosen before."""
    return bool(_REVERSED.search(one.text))


def reasoned(one: Draft, more: str) -> Draft:
    """A draft with something more that was said of it: as its reason, so that the words themselves stay."""
    name = REASONS.get(one.kind)
    if name is None:
        return replace(one, text="\n".join(dict.fromkeys([*one.text.split("\n"), more])))
    known = one.fields.get(name)
    added = list(dict.fromkeys([*known, more])) if isinstance(known, list) else f"{known or ''} {more}".strip()
    return replace(one, fields={**one.fields, name: added})


def _fields(kind: str, lead: Statement, parts: tuple[Statement, ...]) -> dict[str, object]:
    """The content fields that a kind needs beyond its lead: the rest of what was said is the reason."""
    given = _BECAUSE.search(lead.text)
    reason = given[1] if given else " ".join(part.text for part in parts if part is not lead)
    if kind == "preference":
        return {"reason": reason, "strength": "strong" if _STRONG.search(lead.text) else "default"}
    if kind == "tech_debt":
        return {REASONS[kind]: reason}
    return {REASONS[kind]: [reason or lead.text]} if kind in REASONS else {}

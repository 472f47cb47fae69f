"""Make drafts of messages: the sentences that state something, in the speaker's own words."""

import re
from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache

from recollect.model.session_event import SessionEvent
from recollect.policy.capture.draft import QUOTED, Draft, title
from recollect.policy.shell import outputs
from recollect.policy.statements import own_words, statements, voices
from recollect.policy.statements.statements import Statement
from recollect.policy.statements.voices import Voice

PLAIN = 0.8
"""The certainty that a second thing needs that a message states."""
UNSURE = 0.5
"""The highest certainty of words of somebody else, so that they always wait for a review."""
LEAST_WORDS = 3
SHORT = 6
"""A message with at most so many sentences is kept as a whole."""
AWAITED, FIRST = 0.7, 0.6
"""The threshold's factor where an explanation is expected; the least certainty in the first prompt of a session."""
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
    text: str, *, by_user: bool, asked: str = "", is_awaited: bool = False, is_first: bool = False
) -> tuple[tuple[str, tuple[Statement, ...]], ...]:
    """Return what a message states: pairs of a kind and its sentences, the surest first; empty if there is nothing.

    `is_awaited`: something failed, and the answer is expected to say why. `is_first`: the message begins a session, and
    is mostly a task.
    """
    judged = _own_statements(text) if by_user else _agents_statements(text, asked)
    number = len(statements.sentences(text))
    needed = statements.threshold(number, by_user=by_user) * (AWAITED if is_awaited else 1.0)
    chosen = _chosen(judged, max(needed, FIRST) if is_first else needed)
    around = _in_context if by_user and len(chosen) == 1 and len(judged) <= SHORT else _with_reasons
    return tuple((parts[0].kind, around(judged, parts)) for parts in chosen)


def _chosen(judged: Iterable[Statement], needed: float) -> list[list[Statement]]:
    """Return the statements that are sure enough, by kind: the surest kind, and others that are plain."""
    by_kind: dict[str, list[Statement]] = {}
    for statement in judged:
        if statement.certainty >= needed and not outputs.is_report(statement.text):  # an error states nothing
            by_kind.setdefault(statement.kind, []).append(statement)
    told = [parts for parts in by_kind.values() if sum(len(part.text.split()) for part in parts) >= LEAST_WORDS]
    told.sort(key=lambda parts: -_certainty(parts))
    # A message is mostly about one thing; a second one has to be plain.
    return [*told[:1], *(parts for parts in told[1:] if _certainty(parts) >= PLAIN)]


def _own_statements(text: str) -> list[Statement]:
    """Return a user's own sentences, each judged beside all sentences around it.

    A sentence that quotes, or that attributes a part of it to somebody else, has to be plain without that part.
    """
    sentences = statements.sentences(own_words.read(text).own)
    heard = voices.voices(sentences)
    parts = [voice.own or sentence for voice, sentence in zip(heard, sentences, strict=True)]
    judged = zip(statements.judged_sentences(parts, by_user=True), heard, strict=True)
    return [
        statement
        for statement, voice in judged
        if voice.own and (_is_whole(voice) or statement.certainty >= statements.PLAINLY)
    ]


def _is_whole(voice: Voice) -> bool:
    return not voice.attributed and own_words.LEFT_OUT not in voice.own


def _agents_statements(text: str, asked: str) -> list[Statement]:
    """Return an agent's sentences without the rules that it only reports ("the page says to always …")."""
    judged = statements.judged(text, by_user=False, asked=asked)
    return [statement for statement in judged if not voices.is_rule(voices.voice(statement.text).attributed)]


@lru_cache(maxsize=4_096)
def passed_on(text: str) -> tuple[Statement, ...]:
    """Return the surest sentence that passes on somebody else's words ("legal says …"); empty if there is none."""
    sentences = statements.sentences(own_words.read(text).own)
    attributed = [voice.attributed for voice in voices.voices(sentences) if voice.attributed]
    needed = statements.threshold(len(sentences), by_user=True)
    own = {statement.text for statement in _own_statements(text)}
    found = [
        statement
        for statement in statements.judged_sentences(attributed, by_user=True)
        if statement.certainty >= needed
        and not outputs.is_report(statement.text)
        and not any(map(statement.text.startswith, own))
    ]
    surest = max(found, key=lambda statement: statement.certainty, default=None)
    return (replace(surest, certainty=min(surest.certainty, UNSURE)),) if surest else ()


def _certainty(parts: Iterable[Statement]) -> float:
    return max(part.certainty for part in parts)


def _with_reasons(judged: list[Statement], parts: list[Statement]) -> tuple[Statement, ...]:
    """Return the statements, each with the sentence behind it if that says why."""
    places = {judged.index(part) for part in parts}
    after = {place + 1 for place in places if place + 1 < len(judged) and _is_reason(judged[place + 1])}
    return tuple(judged[place] for place in sorted(places | after))


def _in_context(judged: list[Statement], parts: list[Statement]) -> tuple[Statement, ...]:
    """Return all sentences of a short message, without what it asks for and what is only polite."""
    return tuple(statement for statement in judged if statement in parts or not _is_aside(statement))


def _is_aside(statement: Statement) -> bool:
    return bool(_ASKS.search(statement.text) or _POLITE.match(statement.text))


def _is_reason(statement: Statement) -> bool:
    """Whether a sentence goes on with the one before: it refers to it, and neither asks nor states something else."""
    is_further = bool(_GOES_ON.search(statement.text)) and not _ASKS.search(statement.text)
    return is_further and statement.certainty < PLAIN


def joined(parts: Iterable[Statement]) -> str:
    """Return sentences as one text, each once and with a full stop."""
    return " ".join(dict.fromkeys(part.text if part.text[-1:] in ".!?:" else f"{part.text}." for part in parts))


def quoted(parts: tuple[Statement, ...], event: SessionEvent) -> Draft:
    """Return a draft of what a user only passed on. It waits for a review, and is never a strong preference."""
    made = draft(parts[0].kind, parts, event, origin=QUOTED)
    return replace(made, fields={**made.fields, "strength": "default"} if "strength" in made.fields else made.fields)


def draft(kind: str, parts: tuple[Statement, ...], event: SessionEvent, *, origin: str) -> Draft:
    """Return a draft of what a message states, titled with its surest sentence."""
    told = [part for part in parts if len(part.text.split()) >= LEAST_WORDS] or parts
    lead = max(told, key=lambda part: part.certainty)
    return Draft(
        kind, title(lead.text), joined(parts), (event.key,), _fields(kind, lead, parts), _certainty(parts), origin,
        rule=f"{origin}-{kind}", at=event.at,
    )  # fmt: skip


def is_reversal(draft: Draft) -> bool:
    """Whether a draft takes back what was chosen before ("scrap that", "back to …")."""
    return bool(_REVERSED.search(draft.text))


def reasoned(draft: Draft, more: str) -> Draft:
    """Return a draft with something more that was said of it: as its reason, or as a line where its kind has none."""
    name = REASONS.get(draft.kind)
    if name is None:
        return replace(draft, text="\n".join(dict.fromkeys([*draft.text.split("\n"), more])))
    known = draft.fields.get(name)
    added = list(dict.fromkeys([*known, more])) if isinstance(known, list) else f"{known or ''} {more}".strip()
    return replace(draft, fields={**draft.fields, name: added})


def _fields(kind: str, lead: Statement, parts: tuple[Statement, ...]) -> dict[str, object]:
    """Return the content fields that a kind needs beyond its lead: the rest of what was said is the reason."""
    given = _BECAUSE.search(lead.text)
    reason = given[1] if given else " ".join(part.text for part in parts if part is not lead)
    if kind == "preference":
        return {"reason": reason, "strength": "strong" if _STRONG.search(lead.text) else "default"}
    if kind == "tech_debt":
        return {REASONS[kind]: reason}
    return {REASONS[kind]: [reason or lead.text]} if kind in REASONS else {}

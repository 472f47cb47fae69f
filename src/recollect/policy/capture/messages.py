"""Make drafts of messages: what the user states, sentence by sentence, and what an agent's answer states."""

import re
from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache

from recollect.model.recall_values import UNSTATED_REASONS
from recollect.model.session_event import SessionEvent
from recollect.policy.capture.draft import QUOTED, Draft, title
from recollect.policy.proposals import consent, questions
from recollect.policy.proposals.consent import Choice
from recollect.policy.proposals.questions import Decided
from recollect.policy.shell import outputs
from recollect.policy.statements import own_words, statements, user_statements, voices
from recollect.policy.statements.statements import Statement
from recollect.policy.statements.user_statements import UserStatement

PLAIN = 0.8
"""The certainty of a sentence that states something by itself, and is not the reason of the one before."""
UNSURE, PASSED_ON_NEEDS = 0.5, 0.6
"""The highest certainty of words of somebody else, so that they always wait for a review; and the least."""
LEAST_WORDS = 3
AWAITED = 0.1
"""The certainty that a sentence needs where an explanation is expected."""
# Where a kind keeps its reason.
REASONS = {"preference": "reason", "decision": "rationale", "constraint": "impact", "tech_debt": "reason_deferred",
           "runbook": "root_cause"}  # fmt: skip
LISTED = ("decision", "constraint", "runbook")
"""Kinds whose reason is a list that may not be empty."""
_GOES_ON = re.compile(
    r"\b(?:because|since|otherwise|reason|so|cause|it|its|they|that|those|these|this|we|our|is|are|was|were|has"
    r"|have)\b",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"\?\s*$|^(?:and |then |now |also |next[,:]? |ok,? )*(?:please|pls|can you|could you|shall i|should i|do you"
    r"|add|fix|write|run"
    r"|show|check|create|update|make|give|commit|push|say|tell|go on|continue|done|all|tests?)\b",
    re.IGNORECASE,
)
_BECAUSE = re.compile(r"\b(?:because|since|otherwise|so that|as)\b\s+(.{8,})$", re.IGNORECASE)
_STRONG = re.compile(
    r"\b(?:always|never|must|has to|have to|no|don'?t|do not|immer|nie|niemals)\b|常に|必ず|絶対|禁止", re.IGNORECASE
)

users_statements = lru_cache(maxsize=4_096)(user_statements.find)
"""What a user states in a message; a session's story is built again with every turn."""


def users_draft(statement: UserStatement, event: SessionEvent) -> Draft:
    """Return a draft of a sentence of the user: its own words, and the reason that was given with it."""
    kind, text = statement.kind, _ended(statement.text)
    fields: dict[str, object] = {}
    if kind in LISTED:
        fields = {REASONS[kind]: [statement.reason or UNSTATED_REASONS["user"]]}
    elif kind in REASONS:
        fields = {REASONS[kind]: statement.reason}
    if kind == "preference":
        fields["strength"] = "strong" if _STRONG.search(statement.text) else "default"
    return Draft(
        kind, title(statement.text), text, (event.key,), fields, statement.certainty, "user", rule=f"user-{kind}",
        at=event.at,
    )  # fmt: skip


def agreed_draft(agreed: Choice, event: SessionEvent) -> Draft:
    """Return a draft of what the user agreed to: the proposal's own words, and the user's reason."""
    decided = Decided(title(agreed.name), agreed.text, agreed.reason)
    return replace(decided_draft(decided, agreed.question, event), certainty=consent.CERTAINTY)


def decided_draft(decided: Decided, question: str, event: SessionEvent) -> Draft:
    """Return a draft of what the user chose when the agent asked."""
    context = "" if questions.is_about_process(question) else question
    fields: dict[str, object] = {"context": context, "rationale": [decided.reason or UNSTATED_REASONS["user"]]}
    return Draft(
        "decision", decided.title, _ended(decided.text), (event.key,), fields, questions.CERTAINTY, "user",
        rule="user-decision", at=event.at,
    )  # fmt: skip


@lru_cache(maxsize=4_096)
def stated(text: str, *, asked: str = "", is_awaited: bool = False) -> tuple[tuple[str, tuple[Statement, ...]], ...]:
    """Return what an agent's answer states: pairs of a kind and its sentences, the surest first; empty for nothing.

    `is_awaited`: something failed, and the answer is expected to say why.
    """
    judged = _agents_statements(text, asked)
    needed = AWAITED if is_awaited else statements.NEEDED
    return tuple((parts[0].kind, _with_reasons(judged, parts)) for parts in _chosen(judged, needed))


def _chosen(judged: Iterable[Statement], needed: float) -> list[list[Statement]]:
    """Return the statements that are sure enough, by kind, the surest kind first."""
    by_kind: dict[str, list[Statement]] = {}
    for statement in judged:
        if statement.certainty >= needed and not outputs.is_report(statement.text):  # an error states nothing
            by_kind.setdefault(statement.kind, []).append(statement)
    told = [parts for parts in by_kind.values() if sum(len(part.text.split()) for part in parts) >= LEAST_WORDS]
    return sorted(told, key=lambda parts: -_certainty(parts))


def _agents_statements(text: str, asked: str) -> list[Statement]:
    """Return an agent's sentences without the rules that it only reports ("the page says to always …")."""
    judged = statements.of_answer(text, asked=asked)
    return [statement for statement in judged if not voices.is_rule(voices.voice(statement.text).attributed)]


@lru_cache(maxsize=4_096)
def passed_on(text: str) -> tuple[Statement, ...]:
    """Return the surest sentence that passes on somebody else's words ("legal says …"); empty if there is none."""
    sentences = statements.sentences(own_words.read(text).own)
    attributed = [voice.attributed for voice in voices.voices(sentences) if voice.attributed]
    own = {statement.text for statement in users_statements(text)}
    found = [
        statement
        for statement in statements.of_others(attributed)
        if statement.certainty >= PASSED_ON_NEEDS
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


def _is_reason(statement: Statement) -> bool:
    """Whether a sentence goes on with the one before: it refers to it, and neither asks nor states something else."""
    is_further = bool(_GOES_ON.search(statement.text)) and not _ASKS.search(statement.text)
    return is_further and statement.certainty < PLAIN


def joined(parts: Iterable[Statement]) -> str:
    """Return sentences as one text, each once and with a full stop."""
    return " ".join(dict.fromkeys(_ended(part.text) for part in parts))


def _ended(sentence: str) -> str:
    return sentence if sentence[-1:] in ".!?:\u3002\uff01\uff1f" else f"{sentence}."


def quoted(parts: tuple[Statement, ...], event: SessionEvent) -> Draft:
    """Return a draft of what a user only passed on. It waits for a review, and is never a strong preference."""
    made = draft(parts[0].kind, parts, event, origin=QUOTED)
    return replace(made, fields={**made.fields, "strength": "default"} if "strength" in made.fields else made.fields)


def draft(kind: str, parts: tuple[Statement, ...], event: SessionEvent, *, origin: str) -> Draft:
    """Return a draft of what a message states, titled with its surest sentence."""
    told = [part for part in parts if len(part.text.split()) >= LEAST_WORDS] or parts
    lead = max(told, key=lambda part: part.certainty)
    return Draft(
        kind, title(lead.text), joined(parts), (event.key,), _fields(kind, lead, parts, origin), _certainty(parts),
        origin, rule=f"{origin}-{kind}", at=event.at,
    )  # fmt: skip


def reasoned(draft: Draft, more: str) -> Draft:
    """Return a draft with something more that was said of it: as its reason, or as a line where its kind has none."""
    name = REASONS.get(draft.kind)
    if name is None:
        return replace(draft, text="\n".join(dict.fromkeys([*draft.text.split("\n"), more])))
    known = draft.fields.get(name)
    added = list(dict.fromkeys([*known, more])) if isinstance(known, list) else f"{known or ''} {more}".strip()
    return replace(draft, fields={**draft.fields, name: added})


def _fields(kind: str, lead: Statement, parts: tuple[Statement, ...], origin: str) -> dict[str, object]:
    """Return the content fields that a kind needs beyond its lead: the rest of what was said is the reason."""
    given = _BECAUSE.search(lead.text)
    reason = given[1] if given else " ".join(part.text for part in parts if part is not lead)
    if kind == "preference":
        return {"reason": reason, "strength": "strong" if _STRONG.search(lead.text) else "default"}
    if kind == "tech_debt":
        return {REASONS[kind]: reason}
    return (
        {REASONS[kind]: [reason or UNSTATED_REASONS.get(origin, UNSTATED_REASONS["user"])]} if kind in REASONS else {}
    )

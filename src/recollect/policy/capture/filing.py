"""File a draft among the stored memories: its importance, concepts, tags and facts, and which memory it updates."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from recollect.model.kinds import Kind
from recollect.model.memory import PENDING, UNTAGGED, Concept, Memory
from recollect.policy.capture import relations
from recollect.policy.capture.draft import QUOTED, Draft
from recollect.policy.capture.episodes import TRIED
from recollect.policy.capture.relations import relates
from recollect.policy.ranking import candidate_match
from recollect.policy.ranking.keyword_points import words

# D31, and the same for kinds that LetsGo does not know.
IMPORTANCE = {
    "bugfix": 0.8, "runbook": 0.8, "preference": 0.8, "decision": 0.75, "constraint": 0.75, "discovery": 0.7,
    "tech_debt": 0.6, "feature": 0.6, "refactor": 0.5, "change": 0.35,
}  # fmt: skip
OTHERS, LONG_CHARS, FOR_LENGTH = 0.4, 500, 0.1
SAME_FROM = relations.SAME_FROM
LEADS = {"preference": "value", "decision": "decision", "constraint": "rule", "tech_debt": "description"}
"""The content field that holds what was said."""
REPLACEABLE = ("preference", "decision", "constraint")
"""Kinds that a user can take back by saying the contrary."""
NEWEST_COUNTS = ("root_cause", "verification")
"""Fields whose latest value counts when a memory is merged."""
PENDING_BELOW = 0.6
CONCEPTS: dict[str, Concept] = {
    "bugfix": "problem-solution", "runbook": "problem-solution", "discovery": "how-it-works",
    "decision": "trade-off", "constraint": "gotcha", "preference": "pattern",
}  # fmt: skip
MOST_CONCEPTS, MOST_TAGS, MOST_FACTS, MOST_LINES = 3, 4, 5, 12
_HINTS: tuple[tuple[Concept, re.Pattern[str]], ...] = (
    ("gotcha", re.compile(r"\b(?:gotcha|caveat|watch out|beware|silently|surprising\w*)\b", re.IGNORECASE)),
    ("pattern", re.compile(r"\b(?:pattern|convention|always|never|every)\b", re.IGNORECASE)),
    ("why-it-exists", re.compile(r"\b(?:because|reason|why|so that|since)\b", re.IGNORECASE)),
)
# Words of a title by which nobody would look for a memory.
_NO_TAGS = frozenset(
    [
        "always", "never", "because", "decided", "decide", "from", "instead", "rather", "should", "must", "only",
        "when", "then", "than", "also", "into", "this", "that", "with", "have", "need", "needs", "want", "please",
        "keep", "make", "sure", "there", "here", "every", "without", "error", "failed", "fails",
    ]
)  # fmt: skip
_CODE_LINE = re.compile(r"^(?:[#/*\->+|\d]|import |from |def |class |function |const |let |var |return )")

Action = Literal["CREATE", "UPDATE", "DELETE", "NOOP"]
# Seed 001's table, with the rows that it lacks for a candidate that may only be updated (B34).
RESOLUTION: dict[tuple[str, Action], Action] = {
    # (what the rules allow, what the drafter wants): what is done
    ("CREATE", "CREATE"): "CREATE",
    ("CREATE", "UPDATE"): "CREATE",
    ("CREATE", "DELETE"): "NOOP",
    ("UPDATE_OR_DELETE", "CREATE"): "CREATE",
    ("UPDATE_OR_DELETE", "UPDATE"): "UPDATE",
    ("UPDATE_OR_DELETE", "DELETE"): "DELETE",
    ("UPDATE", "CREATE"): "CREATE",
    ("UPDATE", "UPDATE"): "UPDATE",
    ("UPDATE", "DELETE"): "NOOP",
}


def resolve(structural: str, wanted: Action) -> Action:
    """Return what is done with a memory, by `RESOLUTION`; NOOP for a pair that is not in the table."""
    return RESOLUTION.get((structural, wanted), "NOOP")


def importance(draft: Draft, memorability: float) -> float:
    """Return how important a draft is, from 0 to 1: by kind, more for a long text, at least its memorability (D31)."""
    by_kind = IMPORTANCE.get(draft.kind, OTHERS) + (FOR_LENGTH if len(draft.text) > LONG_CHARS else 0.0)
    return round(min(1.0, max(by_kind, memorability)), 3)


def concepts(draft: Draft) -> tuple[Concept, ...]:
    """Return at most three concepts: one by kind, then those that the draft's words hint at (D33)."""
    hinted = [concept for concept, pattern in _HINTS if pattern.search(draft.text)]
    return tuple(dict.fromkeys([CONCEPTS.get(draft.kind, "what-changed"), *hinted]))[:MOST_CONCEPTS]


def tags(draft: Draft) -> tuple[str, ...]:
    """Return the tags of a draft: names of its files, long words of its title, and `pending` if it needs a review."""
    stems = [path.rpartition("/")[2].partition(".")[0].lower() for path in draft.files]
    named = [word for word in words(draft.title) - _NO_TAGS if len(word) > 3 and not word.isdigit()]
    found = dict.fromkeys([*stems[:2], *sorted(named, key=lambda word: (-len(word), word))])
    review = (PENDING,) if draft.certainty < PENDING_BELOW or draft.origin == QUOTED else ()
    return (*review, *[tag for tag in found if tag][:MOST_TAGS])


def reviewed(tags: Iterable[str]) -> tuple[str, ...]:
    """Return the tags of a memory that needs no review any more."""
    return tuple(tag for tag in tags if tag != PENDING) or (UNTAGGED,)


def is_retitled(draft: Draft) -> bool:
    """Whether a later draft of a memory gives it its title: the last words count, or the cause is known by now."""
    return draft.kind in LEADS or bool(draft.fields.get("root_cause"))


def facts(draft: Draft) -> list[str]:
    """Return at most five lines of a draft that state something: 21 to 199 characters long, and no code (D34)."""
    lines = [line.strip() for line in draft.text.split("\n")]
    return [line for line in lines if 20 < len(line) < 200 and not _CODE_LINE.match(line)][:MOST_FACTS]


def likeness(new: str, old: str) -> float:
    """Return the share of words that two texts have in common, from 0 to 1."""
    return relates(new, old).likeness


@dataclass(frozen=True, slots=True)
class Place:
    """Where a draft goes: what is done, the memory that it updates, and the memories that it replaces."""

    action: Action
    memory: Memory | None = None
    supersedes: tuple[Memory, ...] = ()


def decide(draft: Draft, known: Sequence[Memory], kind: Kind) -> Place:
    """Decide whether a draft updates the memory that says the same, replaces contrary ones, or becomes a new one.

    What a user only passed on (origin `quoted`) is compared with other quoted memories alone, and is dropped where a
    memory of another origin says the same.
    """
    quoted = [memory for memory in known if memory.origin == QUOTED]
    others = [memory for memory in known if memory.origin != QUOTED]
    if draft.origin == QUOTED and _same(draft, others):
        return Place("NOOP")
    compared = quoted if draft.origin == QUOTED else others
    contrary = _contrary(draft, compared)
    if contrary:
        return Place("CREATE", None, contrary)
    same = _same(draft, compared)
    verdict = candidate_match.judge(kind, None, candidate_match.CANDIDATE_POINTS if same else None)
    action = resolve(verdict.structural_cud, "UPDATE" if same else "CREATE")
    return Place(action, same if action == "UPDATE" else None)


def _contrary(draft: Draft, known: Iterable[Memory]) -> tuple[Memory, ...]:
    """Return the memories that a user takes back with a draft; nobody else can take one back."""
    if draft.origin != "user":
        return ()
    replaceable = (memory for memory in known if memory.kind in REPLACEABLE)
    return tuple(memory for memory in replaceable if relates(draft.text, memory.text).is_contrary)


def _same(draft: Draft, known: Iterable[Memory]) -> Memory | None:
    """Return the memory that says the same: the same error, or the most alike of its kind; None if there is none."""
    if draft.signature:
        return next((memory for memory in known if draft.signature in memory.keywords), None)
    if draft.rule in ("commit", "release"):  # each of these happens once
        return None
    compared = (
        (relates(draft.text, f"{memory.title} {memory.text}"), memory) for memory in known if memory.kind == draft.kind
    )
    alike = [(relation.likeness, memory) for relation, memory in compared if relation.is_same]
    return max(alike, key=lambda pair: pair[0])[1] if alike else None


def merged(content: dict[str, object], draft: Draft, *, keeps_words: bool = False) -> dict[str, object]:
    """Return a memory's content together with what a draft of the same thing adds.

    - Free text: the draft's lines are added.
    - Preference, decision, constraint, tech debt: the draft's sentence replaces the old one, because what was said last
      counts; with `keeps_words` the content stays as it is, because only users replace a user's words.
    - Other fields: see `_merged_field`. If the new sentence corrects a number, the old reasons go with the old number.
    """
    lead = LEADS.get(draft.kind)
    if keeps_words and lead:
        return content
    if "text" in content:
        return {"text": "\n".join(dict.fromkeys([*str(content["text"]).split("\n"), *draft.text.split("\n")]))}
    both = dict(content)
    is_corrected = lead is not None and relates(draft.text, str(both.get(lead))).has_other_numbers
    if lead:
        both[lead] = draft.text
    if "topic" in both:
        both["topic"] = draft.title
    for name, value in draft.fields.items():
        field = _merged_field(name, both.get(name), value, is_corrected=is_corrected)
        if field is not None:
            both[name] = field
    return both


def _merged_field(name: str, known: object, new: object, *, is_corrected: bool) -> object:
    """Return a field's value after a merge: lists grow, a newer cause or check counts, else what is known stays."""
    if isinstance(new, list) and isinstance(known, list | tuple) and not is_corrected:
        return _joined_steps(new, known)
    is_newer = is_corrected or name in NEWEST_COUNTS or not known
    return new if new and is_newer else known


def _joined_steps(new: Iterable[object], known: Iterable[object]) -> list[str]:
    """Return the new lines, then the known ones, without attempts ("Tried, did not work: …") that worked after all."""
    lines = dict.fromkeys([*map(str, new), *map(str, known)])
    return [line for line in lines if not line.startswith(TRIED) or line[len(TRIED) :] not in lines][:MOST_LINES]

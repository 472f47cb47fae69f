"""File a draft among the stored memories: its importance, concepts, tags and facts, and which memory it updates."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from recollect.model.kinds import Kind
from recollect.model.memory import PENDING, UNTAGGED, Concept, Memory
from recollect.policy.capture import relations
from recollect.policy.capture.draft import QUOTED, Draft, title
from recollect.policy.capture.episodes import TRIED
from recollect.policy.capture.relations import relates
from recollect.policy.memories.triples import Triple, triple
from recollect.policy.ranking import candidate_match
from recollect.policy.ranking.keyword_points import words
from recollect.policy.reversals.grammar import differ, is_dependent, names_a_rule
from recollect.policy.reversals.judge import judge
from recollect.policy.reversals.verdict import Verdict

# D31, and the same for kinds that LetsGo does not know.
IMPORTANCE = {
    "bugfix": 0.8, "runbook": 0.8, "preference": 0.8, "decision": 0.75, "constraint": 0.75, "discovery": 0.7,
    "tech_debt": 0.6, "feature": 0.6, "refactor": 0.5, "change": 0.35,
}  # fmt: skip
OTHERS, LONG_CHARS, FOR_LENGTH = 0.4, 500, 0.1
SAME_FROM = relations.SAME_FROM
LEADS = {"preference": "value", "decision": "decision", "constraint": "rule", "tech_debt": "description"}
"""The content field that holds what was said."""
REPLACEABLE = ("preference", "decision", "constraint", "discovery")
"""Kinds that a user can take back by saying the contrary; of discoveries, only facts that the user stated."""
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
_SENTENCE_END = re.compile(r"(?<=[.!?;])\s+")
_WORD = re.compile(r"[^\W_]+(?:['._/-][^\W_]+)*")
_FILLERS = frozenset(["a", "an", "the", "please", "just", "also", "and", "so", "ok", "okay", "btw", "remember", "note"])
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


def facts(draft: Draft) -> list[Triple]:
    """Return at most five facts of a draft's sentences.

    Only lines of 21 to 199 characters that are no code are read (D34), and only sentences with a subject, a real
    predicate (uses, lives in, depends on …) and an object state a fact.
    """
    lines = [line.strip() for line in draft.text.split("\n")]
    kept = [line for line in lines if 20 < len(line) < 200 and not _CODE_LINE.match(line)]
    sentences = (sentence for line in kept for sentence in _SENTENCE_END.split(line))
    return [fact for sentence in sentences if (fact := triple(sentence))][:MOST_FACTS]


def likeness(new: str, old: str) -> float:
    """Return the share of words that two texts have in common, from 0 to 1."""
    return relates(new, old).likeness


TURNS = (Verdict.REVERSED, Verdict.NARROWED)
MOST_REVERSED = 2
"""A sentence that seems to take back more than so many others is not certain of any."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a draft goes: what is done, the memory that it updates, and what it does to older ones."""

    action: Action
    memory: Memory | None = None
    supersedes: tuple[Memory, ...] = ()
    """Memories that it certainly replaces."""
    may_replace: tuple[Memory, ...] = ()
    exception_to: tuple[Memory, ...] = ()


def statement(memory: Memory) -> str:
    """Return the sentence that a memory keeps: the field that holds what was said, else its text."""
    lead = getattr(memory.content, LEADS.get(memory.kind, ""), None)
    return lead if isinstance(lead, str) else memory.text


def decide(draft: Draft, known: Sequence[Memory], kind: Kind, before: Memory | None = None) -> Place:
    """Decide whether a draft updates the memory that says the same, replaces or narrows others, or becomes a new one.

    What a user only passed on (origin `quoted`) is compared with other quoted memories alone, and is dropped where a
    memory of another origin says the same. `before` is the rule that the user stated just before.
    """
    quoted = [memory for memory in known if memory.origin == QUOTED]
    others = [memory for memory in known if memory.origin != QUOTED]
    if draft.origin == QUOTED and _same(draft, others):
        return Place("NOOP")
    compared = quoted if draft.origin == QUOTED else others
    same = _same(draft, compared)
    verdict = candidate_match.judge(kind, None, candidate_match.CANDIDATE_POINTS if same else None)
    action = resolve(verdict.structural_cud, "UPDATE" if same else "CREATE")
    if action == "UPDATE":
        return Place(action, same)
    return _placed(draft, compared, before) if action == "CREATE" else Place(action)


def _placed(draft: Draft, known: Iterable[Memory], before: Memory | None) -> Place:
    """Return the place of a new memory among older ones; only the user's own words replace or narrow something."""
    if draft.origin != "user" or draft.kind not in REPLACEABLE:
        return Place("CREATE")
    compared = [memory for memory in known if _is_replaceable(memory)]
    judged = [(judge(draft.text, statement(memory)), memory) for memory in compared]
    reversed_ones = tuple(memory for verdict, memory in judged if verdict is Verdict.REVERSED)
    is_one = len(reversed_ones) == 1 or (len(reversed_ones) <= MOST_REVERSED and not names_a_rule(draft.text))
    is_plain = draft.certainty >= PENDING_BELOW and is_one
    certain = tuple(memory for memory in reversed_ones if is_plain and is_sure(memory))
    maybe = [memory for verdict, memory in judged if verdict is Verdict.MAYBE_REPLACED]
    narrowed = [memory for verdict, memory in judged if verdict is Verdict.NARROWED]
    if before and not narrowed and is_dependent(draft.text):
        narrowed = [before]
    unsure = [memory for memory in reversed_ones if memory not in certain]
    return Place("CREATE", None, certain, (*unsure, *maybe), tuple(narrowed))


def if_it_takes_back(draft: Draft, known: Iterable[Memory]) -> Draft | None:
    """Return a draft that counts only if it takes back or narrows something known, now sure; None if it does not."""
    compared = [memory for memory in known if _is_replaceable(memory) and is_sure(memory)]
    if draft.origin != "user" or draft.kind not in REPLACEABLE:
        return None
    is_turn = any(judge(draft.text, statement(memory)) in TURNS for memory in compared)
    return replace(draft, certainty=PENDING_BELOW) if is_turn else None


def _is_replaceable(memory: Memory) -> bool:
    return memory.kind in REPLACEABLE and (memory.kind != "discovery" or memory.origin == "user")


def is_sure(memory: Memory) -> bool:
    """Whether a memory needs no review."""
    return PENDING not in memory.tags and (memory.confidence is None or memory.confidence >= PENDING_BELOW)


def _same(draft: Draft, known: Iterable[Memory]) -> Memory | None:
    """Return the memory that says the same: the same error, or the most alike of its kind; None if there is none."""
    if draft.signature:
        return next((memory for memory in known if draft.signature in memory.keywords), None)
    if draft.rule in ("commit", "release"):  # each of these happens once
        return None
    alike = [memory for memory in known if memory.kind == draft.kind and says_the_same(draft, memory)]
    return max(alike, key=lambda memory: likeness(draft.text, statement(memory))) if alike else None


def says_the_same(draft: Draft, memory: Memory) -> bool:
    """Whether a draft adds nothing to a memory.

    Two sentences of the user are the same only word for word. Otherwise most words are equal, and no number, name or
    negation differs.
    """
    said = statement(memory)
    if _plain_words(draft.text) == _plain_words(said):
        return True
    if draft.kind in LEADS and draft.origin == memory.origin == "user":
        return False
    return relates(draft.text, f"{memory.title} {said}").is_same and not differ(draft.text, said)


def _plain_words(text: str) -> list[str]:
    """Return the words of a sentence without case, marks and words that lead up to it."""
    return [word for word in _WORD.findall(title(text).lower()) if word not in _FILLERS]


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

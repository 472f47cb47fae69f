"""How a draft becomes a memory among others: what it is worth and about, and which one it goes on or replaces."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from recollect.model.kinds import Kind
from recollect.model.memory import Concept, Memory
from recollect.policy.capture.draft import QUOTED, Draft
from recollect.policy.capture.episodes import TRIED
from recollect.policy.ranking import candidate_match
from recollect.policy.ranking.keyword_points import words

# D31, and the same for kinds that LetsGo does not know.
IMPORTANCE = {
    "bugfix": 0.8, "runbook": 0.8, "preference": 0.8, "decision": 0.75, "constraint": 0.75, "discovery": 0.7,
    "tech_debt": 0.6, "feature": 0.6, "refactor": 0.5, "change": 0.35,
}  # fmt: skip
OTHERS, LONG_CHARS, FOR_LENGTH = 0.4, 500, 0.1
SAME_FROM = 0.6
LEADS = {"preference": "value", "decision": "decision", "constraint": "rule", "tech_debt": "description"}
REPLACEABLE = ("preference", "decision", "constraint")
PENDING, PENDING_BELOW = "pending", 0.6
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
_NEGATED = re.compile(
    r"\b(?:not|no|never|don'?t|do not|drop|stop using|instead of|rather than|without|no longer|avoid"
    r"|remove|forget|out with)\s+"
    r"((?:(?:use|call|run|touch|change|edit|read|the|a|any|more|using|to)\s+)*[\w@./+-]+(?:(?:,| or| and"
    r"| nor)\s+(?!(?:because|since|so|as|but|which|that|it|they|we|when|if|the|to|for|use"
    r"|always|never)\b)[\w@./+-]+)*)",
    re.IGNORECASE,
)
# Words that say what to do with something, not what it is about.
_BORING = frozenset(
    [
        "use",
        "using",
        "used",
        "call",
        "run",
        "touch",
        "change",
        "edit",
        "read",
        "write",
        "commit",
        "push",
        "pull",
        "merge",
        "deploy",
        "install",
        "add",
        "remove",
        "delete",
        "create",
        "import",
        "test",
        "mock",
        "log",
        "print",
        "build",
        "start",
        "stop",
        "make",
        "put",
        "set",
        "get",
        "open",
        "close",
        "move",
        "rename",
        "the",
        "any",
        "more",
        "and",
        "not",
        "now",
        "then",
        "them",
        "this",
        "that",
        "here",
        "with",
        "for",
        "from",
        "code",
        "file",
        "files",
        "it",
    ]
)
_TOLD = frozenset(
    [
        "always",
        "never",
        "because",
        "decided",
        "decide",
        "from",
        "instead",
        "rather",
        "should",
        "must",
        "only",
        "when",
        "then",
        "than",
        "also",
        "into",
        "this",
        "that",
        "with",
        "have",
        "need",
        "needs",
        "want",
        "please",
        "keep",
        "make",
        "sure",
        "there",
        "here",
        "every",
        "without",
        "error",
        "failed",
        "fails",
    ]
)
_NUMBER = re.compile(r"\d[\d.,:]*")
_STATED = re.compile(r"^(?:[#/*\->+|\d]|import |from |def |class |function |const |let |var |return )")

Action = Literal["CREATE", "UPDATE", "DELETE", "NOOP"]
# Seed 001's table, with the rows that it lacks for a candidate that may only be updated (B34): what the rules allow,
# what the drafter wants, what is done.
RESOLUTION: dict[tuple[str, Action], Action] = {
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
    """What is done, by the rules first and the drafter second: what the table does not know is left alone."""
    return RESOLUTION.get((structural, wanted), "NOOP")


def importance(draft: Draft, memorability: float) -> float:
    """By kind, a little more for length, never less than it is memorable (D31)."""
    by_kind = IMPORTANCE.get(draft.kind, OTHERS) + (FOR_LENGTH if len(draft.text) > LONG_CHARS else 0.0)
    return round(min(1.0, max(by_kind, memorability)), 3)


def concepts(draft: Draft) -> tuple[Concept, ...]:
    """One by kind, then what its words hint at (D33)."""
    hinted = [name for name, pattern in _HINTS if pattern.search(draft.text)]
    return tuple(dict.fromkeys([CONCEPTS.get(draft.kind, "what-changed"), *hinted]))[:MOST_CONCEPTS]


def tags(draft: Draft) -> tuple[str, ...]:
    """A few words to find it by, from its title and its files; a draft that is not sure waits for a look."""
    stems = [path.rpartition("/")[2].partition(".")[0].lower() for path in draft.files]
    named = [word for word in words(draft.title) - _TOLD if len(word) > 3 and not word.isdigit()]
    found = dict.fromkeys([*stems[:2], *sorted(named, key=lambda word: (-len(word), word))])
    waits = (PENDING,) if draft.certainty < PENDING_BELOW or draft.origin == QUOTED else ()
    return (*waits, *[tag for tag in found if tag][:MOST_TAGS])


def facts(draft: Draft) -> list[str]:
    """The lines that state something: of a middling length, and no code (D34)."""
    lines = [line.strip() for line in draft.text.split("\n")]
    return [line for line in lines if 20 < len(line) < 200 and not _STATED.match(line)][:MOST_FACTS]


def likeness(one: str, other: str) -> float:
    """How many of their words two texts share."""
    left, right = words(one), words(other)
    return len(left & right) / len(left | right) if left and right else 0.0


def negated(said: str) -> set[str]:
    """What a text says not to do or use."""
    found = " ".join(match[1] for match in _NEGATED.finditer(said))
    return {word for word in re.findall(r"[a-z][\w@./+-]+", found.lower()) if len(word) > 2} - _BORING


def contradicts(new: str, old: str) -> bool:
    """Whether a text takes back what another one says: it rejects what that wants, or wants what that rejects."""
    rejects, rejected = negated(new), negated(old)
    wants, wanted = words(new) - rejects, words(old) - rejected
    if ((rejects & wanted) or (rejected & wants)) and (words(new) & words(old)) - _BORING:
        return True
    return has_other_numbers(new, old) and _bare_likeness(new, old) >= SAME_FROM


def has_other_numbers(new: str, old: str) -> bool:
    """Whether both texts name numbers, and not the same ones."""
    numbers, before = set(_NUMBER.findall(new)), set(_NUMBER.findall(old))
    return bool(numbers and before and numbers != before)


def _bare_likeness(one: str, other: str) -> float:
    return likeness(_NUMBER.sub(" ", one), _NUMBER.sub(" ", other))


@dataclass(frozen=True, slots=True)
class Place:
    """Where a draft goes: what is done, and with which memory."""

    action: Action
    memory: Memory | None = None
    supersedes: tuple[Memory, ...] = ()


def place(draft: Draft, known: Sequence[Memory], kind: Kind) -> Place:
    """Go on with the memory that says the same, replace those that say the contrary, or begin a new one.

    What a user only passed on stays by itself: it adds nothing to what anybody said, and nobody's words go on with it.
    """
    if draft.origin == QUOTED and _same(draft, [one for one in known if one.origin != QUOTED]):
        return Place("NOOP")
    known = [one for one in known if (one.origin == QUOTED) == (draft.origin == QUOTED)]
    older = [one for one in known if draft.origin == "user" and one.kind in REPLACEABLE]
    replaced = tuple(one for one in older if contradicts(draft.text, one.text))
    if replaced:
        return Place("CREATE", None, replaced)
    same = _same(draft, known)
    verdict = candidate_match.judge(kind, None, candidate_match.CANDIDATE_POINTS if same else None)
    action = resolve(verdict.structural_cud, "UPDATE" if same else "CREATE")
    return Place(action, same if action == "UPDATE" else None)


def _same(draft: Draft, known: Iterable[Memory]) -> Memory | None:
    if draft.signature:
        return next((one for one in known if draft.signature in one.keywords), None)
    if draft.rule in ("commit", "release"):
        return None
    alike = [(likeness(draft.text, f"{one.title} {one.text}"), one) for one in known if one.kind == draft.kind]
    best = max(alike, key=lambda found: found[0], default=(0.0, None))
    return best[1] if best[0] >= SAME_FROM else None


def merged(content: dict[str, object], draft: Draft, *, keeps_words: bool = False) -> dict[str, object]:
    """What a memory says together with what a draft adds: lists grow, a cause or a check that is newer counts.

    With `keeps_words` a rule, decision, limit or debt stays as it is: a user's words are replaced by the user's alone.
    """
    if keeps_words and draft.kind in LEADS:
        return content
    if "text" in content:
        lines = dict.fromkeys([*str(content["text"]).split("\n"), *draft.text.split("\n")])
        return {"text": "\n".join(lines)}
    both = dict(content)
    is_corrected = False
    if draft.kind in LEADS:  # what was said last counts
        is_corrected = has_other_numbers(draft.text, str(both.get(LEADS[draft.kind])))
        both[LEADS[draft.kind]] = draft.text
    if "topic" in both:
        both["topic"] = draft.title
    for name, value in draft.fields.items():
        known = both.get(name)
        if isinstance(value, list) and isinstance(known, list | tuple) and not is_corrected:
            lines = dict.fromkeys([*map(str, value), *map(str, known)])
            both[name] = [
                line for line in lines if line.removeprefix(TRIED) == line or line[len(TRIED) :] not in lines
            ][:MOST_LINES]
        elif value and (is_corrected or name in ("root_cause", "verification") or not known):
            both[name] = value
    return both

"""What a user states in a message: each lasting sentence in the user's own words, with its kind and its reason.

The `encoder` reads each sentence in its message and says how certain it states something that lasts. What lasts in so
many words ("always", "never", "from now on") needs less. What is not certain enough waits for a review.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

from recollect.policy.encoder import encoder
from recollect.policy.encoder.encoder import NONE, Span
from recollect.policy.proposals import consent
from recollect.policy.reversals import endings
from recollect.policy.shell import outputs
from recollect.policy.statements import code_descriptions, languages, lasting, own_words, statements, voices
from recollect.policy.statements.lasting import Verdict
from recollect.policy.statements.voices import Voice


class Needed(NamedTuple):
    """The certainty of the encoder that a sentence needs: to be kept at all, and to need no review."""

    kept: float
    sure: float


A_RULE = "a rule by its form"
# A long message is mostly a specification or a pasted review: what it says holds for that alone.
NEEDED = {
    A_RULE: Needed(0.01, 0.01),
    "explicit": Needed(0.12, 0.2),
    "plain": Needed(0.35, 0.45),
    "in a long message": Needed(0.6, 0.8),
    "describes code": Needed(1.0, 1.0),
    "other language": Needed(0.5, 0.6),
}
"""By how a sentence is said: the certainty that it needs."""
LONG_FROM = 6
"""Sentences of a long message."""
ENOUGH_OF_CLAUSE = 0.1
"""The certainty below which a clause is about now: it is not part of what its sentence states."""
UNSURE = 0.55
"""The certainty of a sentence that waits for a review."""
IF_KNOWN = 0.45
"""The certainty that marks a sentence which is kept only if it takes back something that is known; no other has it."""

LEAST_WORDS, MOST_FOLLOWING_WORDS, MOST_LISTED_WORDS = 2, 3, 10
"""Words of a statement at least; at most of one that only goes on with the sentence before it, and of a list there."""
MOST_WHOLE_WORDS = 40
"""A longer sentence is kept by its clauses."""

_COMMAND = re.compile(r"^\s*/[\w:.-]+(?:\s+|$)")
_PLANNING = re.compile(
    r"^\s*(?:implement the following plan|if you need specific details from before exiting plan mode)", re.IGNORECASE
)
_CLAUSES = re.compile(
    r"\s*;\s+|\s+[\u2013\u2014-]\s+|\s*[,(]\s*(?:and |but |so )?(?=(?:btw|by the way|fyi|remember|note that"
    r"|keep in mind|from now on"
    r"|going forward|in future|please always|always|never|we (?:always|never|only|don'?t|do not|use)|so|that'?s why"
    r"|therefore|deshalb|hence|which is why|don'?t|do not|please)\b)",
    re.IGNORECASE,
)
_POINTS_BACK = re.compile(
    r"(?:this|that|these|those|it|its|they|like|the (?:first|second|last|other))\b", re.IGNORECASE
)
_CAUSAL = re.compile(
    r"^(?:because|since|otherwise|the reason(?: is)?|reason|that'?s (?:why|because)|this is because|it'?s because"
    r"|so that|why)\b[\s:,]*",
    re.IGNORECASE,
)
_BECAUSE = re.compile(
    r"\b(?:because|since(?! (?:\d|the|last|yesterday|then))|otherwise|so that|weil|damit"
    r"|sonst)\b\s+(.{8,})$",
    re.IGNORECASE,
)
_FOLLOWING = re.compile(r"(?:no|not|never|only|also|same|and|or|except|none|both|plus|just)\b", re.IGNORECASE)
_ONLY = re.compile(r"\bonly[.!]?$", re.IGNORECASE)
_LISTED = re.compile(
    r"(?:not (?:in|for|on|at|to|with|even)|same (?:for|with|goes)|except|none of|both|plus)\b", re.IGNORECASE
)
_DANGLING = re.compile(r"^[\s,.:;\u2013\u2014-]+|[\s,:;\u2013\u2014-]+$")


@dataclass(frozen=True, slots=True)
class UserStatement:
    """A sentence that lasts: the kind of memory that it is, the user's words, the reason if one was given."""

    kind: str
    text: str
    certainty: float
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Placed:
    """A sentence or a clause of the user, and where it stands in all that the user says in a message."""

    said: str
    start: int
    part: str

    @property
    def span(self) -> Span:
        """Where the part stands in what is said."""
        return Span(self.start, self.start + len(self.part))

    def clause(self, part: str) -> "Placed":
        """Return a clause of this sentence in its place."""
        return Placed(self.said, self.start + max(0, self.part.find(part)), part)


def find(message: str) -> list[UserStatement]:
    """Return what a message states that lasts, in order, each thing once; empty for a task, a question, a paste."""
    found: dict[str, UserStatement] = {}
    last = ""
    heard = sentences(message)
    is_description = code_descriptions.is_description(message)
    judge = partial(_verdict, is_long=len(heard) >= LONG_FROM, is_description=is_description)
    for voice, placed in zip(heard, _placed([voice.own for voice in heard]), strict=True):
        causal = _CAUSAL.match(voice.own)
        if causal and last and not found[last].reason:
            found[last] = _with_reason(found[last], voice.own[causal.end() :])
        told = [] if causal else list(_told(voice, placed, judge))
        for statement in told:
            key = " ".join(statement.text.lower().split()).rstrip(".!")
            if last and key not in found and _goes_on(statement.text):
                found[last] = _followed(found[last], statement)
            else:
                found.setdefault(key, statement)
                last = key
        last = last if told or causal else ""
    return list(found.values())


def sentences(message: str) -> list[Voice]:
    """Return the user's own sentences in a message, with what each attributes to somebody else; empty for a plan."""
    if _PLANNING.match(message):
        return []
    return voices.voices(statements.sentences(own_words.read(_COMMAND.sub("", message)).own, clauses=False))


def placed_sentences(message: str) -> list[Placed]:
    """Return the user's own sentences of a message in their places; those that say what others said are left out."""
    return _placed([voice.own for voice in sentences(message) if not voice.attributed])


def _placed(said: Sequence[str]) -> list[Placed]:
    whole, starts = " ".join(said), [0]
    for sentence in said:
        starts.append(starts[-1] + len(sentence) + 1)
    return [Placed(whole, start, sentence) for start, sentence in zip(starts, said, strict=False)]


def clauses_of(sentence: str) -> list[str]:
    """Return the clauses of a sentence that can state something by themselves."""
    return [clause for clause in _CLAUSES.split(lasting.bare(sentence)) if clause and clause.strip()]


def _told(voice: Voice, placed: Placed, judge: Callable[[Placed], Verdict | None]) -> Iterator[UserStatement]:
    """Yield what a sentence states: as a whole, or those clauses that do where the others are about now.

    A sentence with a part of somebody else's has to last in so many words.
    """
    is_whole = not voice.attributed and own_words.LEFT_OUT not in voice.own
    if not voice.own or outputs.is_report(voice.own):
        return
    clauses = [placed.clause(clause) for clause in clauses_of(voice.own)]
    verdicts = [judge(clause) for clause in clauses]
    every = [judge(placed), *verdicts]
    found = [verdict for verdict in every if verdict and (is_whole or verdict.certainty >= lasting.PLAIN)]
    whole = max(found, key=lambda verdict: verdict.certainty, default=None)
    if whole and (len(clauses) < 2 or _is_one_statement(voice.own, clauses, verdicts)):
        yield _statement(whole, voice.own)
    elif len(clauses) > 1 and is_whole:
        judged = zip(verdicts, clauses, strict=True)
        yield from (_statement(verdict, clause.part) for verdict, clause in judged if verdict)


def _is_one_statement(sentence: str, clauses: Sequence[Placed], verdicts: Sequence[Verdict | None]) -> bool:
    """Whether clauses belong together: none of those that state nothing is about now."""
    silent = [clause for clause, verdict in zip(clauses, verdicts, strict=True) if not verdict]
    others = [clause for clause in silent if len(clause.part.split()) >= MOST_FOLLOWING_WORDS]
    is_short = len(sentence.split()) <= MOST_WHOLE_WORDS
    return is_short and all(judge_placed(clause).certainty >= ENOUGH_OF_CLAUSE for clause in others)


def _statement(verdict: Verdict, said: str) -> UserStatement:
    text = _DANGLING.sub("", lasting.bare(said))
    given = _BECAUSE.search(text)
    return UserStatement(verdict.kind, text, verdict.certainty, given[1].rstrip(" .!") if given else "")


def _goes_on(said: str) -> bool:
    """Whether a short sentence only goes on with the one before it: "Never floats.", "Not in code, not in commits."."""
    words = len(said.split())
    is_short = words <= MOST_FOLLOWING_WORDS and bool(_FOLLOWING.match(said) or _ONLY.search(said))
    return is_short or (words <= MOST_LISTED_WORDS and bool(_LISTED.match(said)))


def _followed(statement: UserStatement, following: UserStatement) -> UserStatement:
    """Return a statement with the short sentence behind it, which rarely says by itself what it is about."""
    text = f"{statement.text.rstrip('.')}. {following.text}"
    return replace(statement, text=text, certainty=max(statement.certainty, following.certainty))


def _with_reason(statement: UserStatement, reason: str) -> UserStatement:
    return UserStatement(statement.kind, statement.text, statement.certainty, reason.strip(" .!"))


def _verdict(placed: Placed, *, is_long: bool, is_description: bool) -> Verdict | None:
    """Return what a sentence or a clause states; None for nothing."""
    sentence = placed.part
    said = lasting.bare(sentence)
    if not languages.is_long_enough(sentence, LEAST_WORDS) or _POINTS_BACK.match(said) or consent.is_answer(said):
        return None
    spoken = languages.language(said)
    by_table = languages.judge(said, spoken) if spoken else None
    if by_table and by_table.kind != NONE:
        return by_table
    judged = judge_placed(placed)
    is_explicit = not spoken and lasting.is_explicit(sentence)
    form = _form(sentence, is_foreign=bool(spoken), is_long=is_long, is_description=is_description)
    needed = NEEDED[form]
    if judged.certainty < needed.kept:
        return Verdict(judged.kind, IF_KNOWN) if judged.certainty > 0 and endings.has_changed(sentence) else None
    if judged.certainty < needed.sure:
        return Verdict(judged.kind, UNSURE)
    kind = "preference" if form == A_RULE and judged.kind == "decision" else judged.kind  # "from now on use pnpm"
    return Verdict(kind, lasting.PLAIN if is_explicit else lasting.LIKELY)


def _form(sentence: str, *, is_foreign: bool, is_long: bool, is_description: bool) -> str:
    """Return by which row of `NEEDED` a sentence is judged."""
    if is_foreign:
        return "other language"
    if lasting.is_a_rule(sentence):
        return A_RULE
    if lasting.is_explicit(sentence):
        return "explicit"
    if is_description:  # a review that the user passes on
        return "describes code"
    return "in a long message" if is_long else "plain"


@dataclass(frozen=True, slots=True)
class Judged:
    """What the fitted model says of a sentence: its likeliest kind, and how certain it states anything."""

    kind: str
    certainty: float
    shares: dict[str, float]


def judge_placed(placed: Placed) -> Judged:
    """Return what the fitted model says of a sentence in its message; certainty 0 for what is open to discussion."""
    shares = encoder.shares(encoder.USERS, placed.said, placed.span)
    kind = max(encoder.USERS_KINDS[1:], key=lambda name: shares[name])
    return Judged(kind, 0.0 if statements.is_open(placed.part) else 1 - shares[NONE], shares)

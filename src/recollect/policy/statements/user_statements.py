"""What a user states in a message: each lasting sentence in the user's own words, with its kind and its reason.

A sentence is judged by its grammar (`lasting`, `languages`) and by a fitted model, the `network`. What the grammar
knows is kept unless the model doubts it, and so is what the model is sure of. What it is less sure of waits for a
review.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from recollect.policy.proposals import consent
from recollect.policy.reversals import endings, reader
from recollect.policy.shell import outputs
from recollect.policy.statements import (
    code_descriptions,
    languages,
    lasting,
    network,
    own_words,
    specifications,
    statements,
    voices,
)
from recollect.policy.statements.lasting import NONE, Verdict
from recollect.policy.statements.voices import Voice

LEAST_WORDS, LEAST_PART_WORDS = 3, 4
MODEL_NEEDS, MODEL_IS_SURE = 0.7, 0.74
"""The certainty that the model needs to be heard, and from which on its word needs no review."""
FORM_NEEDS = 0.02
"""The certainty of the model below which a sentence is not kept at all though its form says that it lasts."""
PLAIN_IS_SURE, FORM_IS_SURE_ALONE, FORM_IS_SURE, FORM_IS_SURE_IN_LONG = 0.1, 0.04, 0.2, 0.5
"""The certainty of the model below which a sentence waits for a review although its grammar says that it lasts: in so
many words ("always", "never"); by its form, where it is the whole message; in others; and in a long one, which mostly
describes what to build."""
LONG_FROM = 4
"""Sentences of a long message."""
KIND_RATIO = 2
"""How many times likelier than the kind of a form another one has to be to take its place."""
REQUEST_NEEDS, REQUEST_IS_SURE = 0.7, 0.83
"""The same for a sentence that the grammar takes for a request or a report."""
ENDING_NEEDS, ENDING_IS_SURE = 0.4, 0.6
"""The same for a sentence that says that something ended: what was known before would be wrong without it."""
MOST_FOR_MODEL = 6
"""Sentences of a message in which the model is asked: longer ones are mostly specifications and pasted reviews."""
IF_KNOWN = 0.45
"""The certainty that marks a sentence which is kept only if it takes back something that is known; no other has it."""
UNSURE = 0.55
"""The certainty of a sentence of which grammar or model is not sure: it waits for a review."""

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
_PARTS = re.compile(r"[,:]\s+(?:and |but |so )?")
_OURS = re.compile(r"^(?:we (?:use|don'?t|do not|never|always|only|run|keep)|our) ", re.IGNORECASE)
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
    """A sentence or a clause of a message, and the user's words before and behind it."""

    before: str
    part: str
    behind: str

    def clause(self, part: str) -> "Placed":
        """Return a clause of this sentence in its place."""
        before, found, behind = self.part.partition(part)
        if not found:
            return Placed(self.before, part, self.behind)
        return Placed(f"{self.before} {before}".strip(), part, f"{behind} {self.behind}".strip())


def find(message: str) -> list[UserStatement]:
    """Return what a message states that lasts, in order, each thing once; empty for a task, a question, a paste."""
    found: dict[str, UserStatement] = {}
    last = before = ""
    heard = sentences(message)
    is_description = code_descriptions.is_description(message)
    is_short = len(heard) <= MOST_FOR_MODEL and not is_description
    form_is_sure = FORM_IS_SURE_IN_LONG if len(heard) >= LONG_FROM else FORM_IS_SURE
    form_is_sure = FORM_IS_SURE_ALONE if len(heard) == 1 else form_is_sure
    is_building = any(specifications.is_request(voice.own) for voice in heard)
    for voice, placed in zip(heard, _placed([voice.own for voice in heard]), strict=True):
        causal = _CAUSAL.match(voice.own)
        if causal and last and not found[last].reason:
            found[last] = _with_reason(found[last], voice.own[causal.end() :])
        told = [] if causal else list(_told(voice, placed, asks_model=is_short, form_is_sure=form_is_sure))
        if is_description:  # what it says of the code is not the user's rule, unless it says "always" or "never"
            told = [statement for statement in told if statement.certainty >= lasting.PLAIN]
        if specifications.is_specification(voice.own, before, is_building=is_building):
            told = [replace(statement, certainty=min(statement.certainty, UNSURE)) for statement in told]
        for statement in told:
            key = " ".join(statement.text.lower().split()).rstrip(".!")
            found.setdefault(key, statement)
            last = key
        last = last if told or causal else ""
        before = f"{before} {voice.own}"
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
    return [
        Placed(" ".join(said[:place]), sentence, " ".join(said[place + 1 :])) for place, sentence in enumerate(said)
    ]


def clauses_of(sentence: str) -> list[str]:
    """Return the clauses of a sentence that can state something by themselves."""
    return [clause for clause in _CLAUSES.split(lasting.bare(sentence)) if clause and clause.strip()]


def _told(voice: Voice, placed: Placed, *, asks_model: bool, form_is_sure: float) -> Iterator[UserStatement]:
    """Yield what a sentence states: as a whole if its first clause does, else those clauses that do."""
    is_whole = not voice.attributed and own_words.LEFT_OUT not in voice.own
    if not voice.own or outputs.is_report(voice.own):
        return
    clauses = clauses_of(voice.own)
    judge = partial(_verdict, is_whole=is_whole, asks_model=asks_model, form_is_sure=form_is_sure)
    verdicts = [judge(placed.clause(clause)) for clause in clauses]
    found = [verdict for verdict in (judge(placed), *verdicts) if verdict]
    whole = max(found, key=lambda verdict: verdict.certainty, default=None)
    if whole and (len(clauses) < 2 or verdicts[0] or _is_one_statement(voice.own, clauses, verdicts)):
        yield _statement(whole, voice.own)
    elif len(clauses) > 1:
        judged = zip(verdicts, clauses, strict=True)
        yield from (_statement(verdict, clause) for verdict, clause in judged if verdict)
    elif is_whole:
        yield from _of_parts(voice.own)


def _is_one_statement(sentence: str, clauses: list[str], verdicts: list[Verdict | None]) -> bool:
    """Whether clauses belong together: none of those that state nothing is a task, a report or a question."""
    others = [clause for clause, verdict in zip(clauses, verdicts, strict=True) if not verdict]
    return len(sentence.split()) <= MOST_WHOLE_WORDS and not any(map(lasting.is_request, others))


def _of_parts(sentence: str) -> Iterator[UserStatement]:
    """Yield the parts of a sentence that last in so many words, or tell what "we" or "our" things do."""
    parts = [part for part in _PARTS.split(lasting.bare(sentence)) if len(part.split()) >= LEAST_PART_WORDS]
    for part in parts if len(parts) > 1 and not sentence.rstrip().endswith("?") else []:
        verdict = None if languages.language(part) else lasting.judge(part)
        needed = lasting.LIKELY if _OURS.match(part) else lasting.PLAIN
        if verdict and verdict.kind != NONE and verdict.certainty >= needed:
            yield _statement(verdict, part)


def _statement(verdict: Verdict, said: str) -> UserStatement:
    text = _DANGLING.sub("", lasting.bare(said))
    given = _BECAUSE.search(text)
    return UserStatement(verdict.kind, text, verdict.certainty, given[1].rstrip(" .!") if given else "")


def _with_reason(statement: UserStatement, reason: str) -> UserStatement:
    return UserStatement(statement.kind, statement.text, statement.certainty, reason.strip(" .!"))


def _verdict(placed: Placed, *, is_whole: bool, asks_model: bool, form_is_sure: float) -> Verdict | None:
    """Return what a sentence states; None for nothing. A sentence with a part of somebody else's has to be plain."""
    sentence = placed.part
    said = lasting.bare(sentence)
    if not languages.is_long_enough(sentence, LEAST_WORDS):
        return None
    spoken = languages.language(said)
    verdict = languages.judge(said, spoken) if spoken else lasting.judge(sentence)
    is_open = not spoken and is_whole and (verdict is None or verdict.kind == NONE)
    if is_open and asks_model and not _POINTS_BACK.match(said) and not consent.is_answer(said):
        verdict = _of_model(placed)  # it knows more forms than the tables do
    elif verdict is not None and verdict.kind != NONE and not spoken:
        verdict = _doubted(verdict, placed, form_is_sure=form_is_sure)
    is_kept = verdict is not None and verdict.kind != NONE and (is_whole or verdict.certainty >= lasting.PLAIN)
    return verdict if is_kept else None


def _doubted(verdict: Verdict, placed: Placed, *, form_is_sure: float) -> Verdict | None:
    """Return a verdict of the grammar: unsure where the model doubts it, None where it rules it out."""
    is_plain = verdict.certainty >= lasting.PLAIN
    sure = PLAIN_IS_SURE if is_plain else form_is_sure
    judged = judge_placed(placed)
    if not is_plain and judged.certainty < FORM_NEEDS:
        return None
    is_other = judged.shares[judged.kind] >= KIND_RATIO * judged.shares.get(verdict.kind, 0.0)
    kind = judged.kind if is_other and not is_plain else verdict.kind
    return Verdict(kind, verdict.certainty if judged.certainty >= sure else UNSURE)


def _of_model(placed: Placed) -> Verdict | None:
    """Return what the fitted model says of a sentence; None where it is not sure that something is stated."""
    judged, sentence = judge_placed(placed), placed.part
    needed, sure, is_request = MODEL_NEEDS, MODEL_IS_SURE, lasting.is_request(sentence)
    if endings.has_ended(sentence):
        needed, sure = ENDING_NEEDS, ENDING_IS_SURE
    elif is_request:  # the grammar takes it for a request or a report: what speaks against that has to be surer
        needed, sure = REQUEST_NEEDS, REQUEST_IS_SURE
    if judged.certainty < needed:
        is_turn = judged.certainty > 0 and reader.is_turn(sentence) and not is_request
        return Verdict(judged.kind, IF_KNOWN) if is_turn else None
    return Verdict(judged.kind, lasting.LIKELY if judged.certainty >= sure else UNSURE)


@dataclass(frozen=True, slots=True)
class Judged:
    """What the fitted model says of a sentence: its likeliest kind, and how certain it states anything."""

    kind: str
    certainty: float
    shares: dict[str, float]


def judge_placed(placed: Placed) -> Judged:
    """Return what the fitted model says of a sentence in its message; certainty 0 for what is open to discussion."""
    shares = network.load().shares(placed.before, placed.part, placed.behind)
    kind = max(network.KINDS[1:], key=lambda name: shares[name])
    return Judged(kind, 0.0 if statements.is_open(placed.part) else 1 - shares[NONE], shares)

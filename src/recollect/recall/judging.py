"""Judge the candidates of the hybrid ranking: which of them are told with the prompt. Import-light."""

from recollect.model.recall_values import VERBATIM_KINDS
from recollect.model.words import search_words
from recollect.policy.ranking import prompt_text, telling
from recollect.recall.candidate import evidence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.recall.candidate import Candidate
    from recollect.recall.query_terms import QueryTerms
    from recollect.recall.question import Question


class Prompt:
    """What is asked of a prompt, once for all candidates."""

    __slots__ = ("command", "is_chore", "is_question", "names_nothing", "places", "reports_error")

    def __init__(self, question: "Question", terms: "QueryTerms") -> None:
        text = question.text
        self.is_question = prompt_text.is_question(text)
        self.is_chore = not self.is_question and prompt_text.is_chore(text)
        self.names_nothing = not self.is_question and sum(terms.telling) < telling.LEAST_WHOLE
        self.reports_error = prompt_text.reports_error(prompt_text.own_words(text))
        self.command = prompt_text.command(text)
        self.places = {search_words.place_key(path) for path in search_words.paths(text)}
        """Keys of the files that the prompt itself names."""


def judge(question: "Question", terms: "QueryTerms", best: "list[Candidate]") -> None:
    """Give each candidate its evidence, its certainty, and the reason why it is not told; a rank is no reason."""
    weights, words = terms.capped_weights(), list(terms.words.values())
    whole = sum(weights) or 1.0
    prompt = Prompt(question, terms)
    for candidate in best:
        candidate.evidence = evidence(weights, candidate.match)
        candidate.coverage = candidate.evidence / whole
        candidate.matched = [
            words[position] if match > telling.SAME_WORD else f"~{words[position]}"
            for position, match in sorted(candidate.match.items())
            if match > telling.LEAST_MATCH
        ]
        shared = _shared(prompt, terms, candidate)
        candidate.certainty = shared.certainty()
        candidate.verdict = _verdict(prompt, terms, candidate, shared)
    _compare(terms, [candidate for candidate in best if not candidate.verdict])


def _shared(prompt: Prompt, terms: "QueryTerms", candidate: "Candidate") -> telling.TellingParts:
    """Return what prompt and memory have in common."""
    match = _matches(terms, candidate.match)
    is_own_title = not candidate.row.named and candidate.size <= telling.SENTENCE_WORDS
    named = match if is_own_title else _matches(terms, candidate.named_match)
    shared = telling.TellingParts(terms.telling, match, named, candidate.size)
    parts = shared.parts
    parts["meaning"] = telling.meaning(candidate.row.similarity, terms.total)
    parts["symbol"] = float(any(is_rare and position in match for position, is_rare in terms.symbols.items()))
    parts["place"] = float(bool(prompt.places) and not prompt.places.isdisjoint(candidate.row.places))
    parts["few"] = telling.few(terms.total)
    parts["verbatim"] = float(candidate.row.kind in VERBATIM_KINDS)
    return shared


def _matches(terms: "QueryTerms", match: "dict[int, float]") -> "dict[int, float]":
    """Return the matches that count: a name in code is no other name, however similar they look."""
    if terms.symbols.keys().isdisjoint(match):
        return match
    return {
        position: share
        for position, share in match.items()
        if share > telling.SAME_WORD or position not in terms.symbols
    }


def _verdict(prompt: Prompt, terms: "QueryTerms", candidate: "Candidate", shared: telling.TellingParts) -> str:
    parts = shared.parts
    if prompt.names_nothing and not (parts["symbol"] or parts["place"]):
        return telling.NOTHING_NAMED
    if parts["verbatim"]:
        return _verdict_of_turn(prompt, candidate, shared, is_small=terms.total < telling.SMALL_STORE)
    is_pointed_at = bool(parts["symbol"] or parts["place"])
    has_words = shared.words >= telling.TOLD_WORDS
    floor, least = telling.TOLD_FROM if has_words else telling.TOLD_BY_ONE_WORD, telling.TOLD_EVIDENCE
    if prompt.is_question:
        floor, least = telling.ASKED_FROM if has_words else telling.ASKED_BY_ONE_WORD, telling.ASKED_EVIDENCE
    elif prompt.is_chore:
        floor = telling.CHORE_FROM
    if candidate.row.kind == telling.RUNBOOK:
        is_asked_about = is_pointed_at or parts["coverage"] >= telling.RUNBOOK_COVERAGE
        is_wanted = prompt.reports_error or (prompt.is_question and is_asked_about)
        is_covered = (
            not prompt.is_question
            and parts["coverage"] >= telling.RUNBOOK_PLAIN_COVERAGE
            and candidate.certainty >= telling.RUNBOOK_PLAIN_FROM
        )
        if not is_wanted and not is_covered:
            return telling.NO_ERROR
        floor = max(floor, telling.RUNBOOK_FROM)
    elif not prompt.is_chore and _is_plain(candidate, telling.PLAIN_EVIDENCE):
        return ""
    is_enough = parts["evidence"] >= least or is_pointed_at
    return "" if is_enough and candidate.certainty >= floor else telling.TOO_LITTLE


def _is_plain(candidate: "Candidate", least: float) -> bool:
    """Whether a memory contains so much of a prompt, in rare words, that nothing else is asked."""
    return candidate.evidence >= least and candidate.coverage >= telling.PLAIN_COVERAGE


def _verdict_of_turn(
    prompt: Prompt, candidate: "Candidate", shared: telling.TellingParts, *, is_small: bool
) -> str:  # fmt: skip
    if prompt.command and candidate.row.title.startswith(prompt.command):
        return telling.SAME_COMMAND
    is_plain = _is_plain(candidate, telling.VERBATIM_PLAIN_EVIDENCE) and (
        candidate.certainty >= telling.VERBATIM_PLAIN_FROM
    )
    is_enough_of_few = (
        is_small
        and candidate.evidence >= telling.FEW_EVIDENCE
        and candidate.coverage >= telling.FEW_COVERAGE
        and candidate.certainty >= telling.FEW_FROM
    )
    is_enough = (
        is_plain
        or is_enough_of_few
        or (
            shared.parts["evidence"] >= telling.VERBATIM_EVIDENCE
            and shared.parts["coverage"] >= telling.VERBATIM_COVERAGE
            and shared.words >= telling.VERBATIM_WORDS
            and candidate.certainty >= telling.VERBATIM_FROM
        )
    )
    return "" if is_enough and not prompt.is_chore else telling.TOO_LITTLE


def _compare(terms: "QueryTerms", told: "list[Candidate]") -> None:
    """Turn down a turn beside a distilled memory that says it, and what is far less certain than the best."""
    distilled = [candidate for candidate in told if candidate.row.kind not in VERBATIM_KINDS]
    said = {position for candidate in distilled for position in candidate.match}
    most = max((candidate.evidence for candidate in distilled), default=0.0)
    top = max((candidate.certainty for candidate in told), default=0.0)
    verbatim = 0
    for candidate in sorted(told, key=lambda candidate: -candidate.certainty):
        if candidate.certainty < telling.OF_BEST * top:
            candidate.verdict = telling.FAR_BELOW
        elif candidate.row.kind in VERBATIM_KINDS:
            new = sum(terms.telling[position] for position in candidate.match if position not in said)
            verbatim += 1
            is_said = candidate.evidence <= most and new < telling.VERBATIM_EVIDENCE
            if verbatim > telling.MOST_VERBATIM or (distilled and is_said):
                candidate.verdict = telling.SAID_BETTER

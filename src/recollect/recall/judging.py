"""Judge the candidates of the hybrid ranking: which of them are told with the prompt. Import-light."""

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
        self.reports_error = prompt_text.reports_error(text)
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
        candidate.verdict = _verdict(prompt, candidate, shared)
    _compare(terms, [candidate for candidate in best if not candidate.verdict])


def _shared(prompt: Prompt, terms: "QueryTerms", candidate: "Candidate") -> telling.TellingParts:
    """Return what prompt and memory have in common."""
    shared = telling.TellingParts(terms.telling, candidate.match, candidate.named_match, candidate.size)
    parts = shared.parts
    parts["meaning"] = candidate.row.similarity or 0.0
    parts["asked"] = parts["coverage"] if prompt.is_question else 0.0
    has_symbol = any(candidate.match.get(position, 0.0) > telling.SAME_WORD for position in terms.symbols)
    has_place = bool(prompt.places) and not prompt.places.isdisjoint(candidate.row.places)
    parts["symbol"] = float(has_symbol or has_place)
    return shared


def _verdict(prompt: Prompt, candidate: "Candidate", shared: telling.TellingParts) -> str:
    parts, kind = shared.parts, candidate.row.kind
    if prompt.names_nothing and not parts["symbol"]:
        return telling.NOTHING_NAMED
    floor = telling.CHORE_FROM if prompt.is_chore else telling.TOLD_FROM
    if kind in telling.VERBATIM_KINDS:
        if prompt.command and candidate.row.title.startswith(prompt.command):
            return telling.SAME_COMMAND
        is_enough = parts["evidence"] >= telling.VERBATIM_EVIDENCE and parts["coverage"] >= telling.VERBATIM_COVERAGE
        if not is_enough:
            return telling.TOO_LITTLE
        floor = max(floor, telling.VERBATIM_FROM)
    if kind == telling.RUNBOOK and not (prompt.reports_error or prompt.is_question or parts["symbol"]):
        return telling.NO_ERROR
    return "" if candidate.certainty >= floor else telling.TOO_LITTLE


def _compare(terms: "QueryTerms", told: "list[Candidate]") -> None:
    """Turn down what others say better: a turn beside a distilled memory, and what is far less certain than the best."""
    distilled = [candidate for candidate in told if candidate.row.kind not in telling.VERBATIM_KINDS]
    said = {position for candidate in distilled for position in candidate.match}
    top = max((candidate.certainty for candidate in told), default=0.0)
    verbatim = 0
    for candidate in sorted(told, key=lambda candidate: -candidate.certainty):
        if candidate.certainty < telling.OF_BEST * top:
            candidate.verdict = telling.FAR_BELOW
        elif candidate.row.kind in telling.VERBATIM_KINDS:
            new = sum(terms.telling[position] for position in candidate.match if position not in said)
            verbatim += 1
            if verbatim > telling.MOST_VERBATIM or (distilled and new < telling.VERBATIM_EVIDENCE):
                candidate.verdict = telling.SAID_BETTER

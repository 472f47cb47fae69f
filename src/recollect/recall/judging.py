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
    similarity = candidate.row.similarity
    parts["meaning"] = telling.UNKNOWN_MEANING if similarity is None else similarity
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
    """Return why a candidate is not told with the prompt; empty if it is."""
    row, is_pointed_at = candidate.row, bool(shared.parts["symbol"] or shared.parts["place"])
    if prompt.names_nothing and not is_pointed_at:
        return telling.NOTHING_NAMED
    if shared.parts["verbatim"] and prompt.command and row.title.startswith(prompt.command):
        return telling.SAME_COMMAND
    case = _case(prompt, candidate, is_pointed_at=is_pointed_at)
    if case not in telling.FLOORS:
        return telling.TOO_LITTLE
    is_few = bool(shared.parts["verbatim"]) and terms.total < telling.SMALL_STORE
    is_told = _is_met(telling.FLOORS[case], candidate, shared, is_pointed_at=is_pointed_at, is_few=is_few)
    if is_told:
        return ""
    return telling.TOO_LITTLE if row.kind != telling.RUNBOOK or prompt.reports_error else telling.NO_ERROR


def _case(prompt: Prompt, candidate: "Candidate", *, is_pointed_at: bool) -> str:
    """Return the case of `telling.FLOORS`; one that is not in the table is never told."""
    if candidate.row.kind in VERBATIM_KINDS:
        asks = "question" if prompt.is_question or is_pointed_at else "request"
        return "turn, chore" if prompt.is_chore else f"turn, {asks}"
    if candidate.row.kind == telling.RUNBOOK and prompt.reports_error:
        return "runbook, error"
    asks = "question" if prompt.is_question else "request"
    if candidate.row.kind == telling.RUNBOOK:
        return f"runbook, {asks}"
    return "chore" if prompt.is_chore else asks


def _is_met(
    floor: telling.Floor, candidate: "Candidate", shared: telling.TellingParts, *, is_pointed_at: bool, is_few: bool
) -> bool:
    """Whether a candidate has what its case asks for."""
    parts, is_turn = shared.parts, bool(shared.parts["verbatim"])
    is_rare = candidate.evidence >= floor.rare and candidate.coverage >= telling.PLAIN_COVERAGE
    if candidate.certainty < (max(floor.certainty, floor.one_word) if shared.words == 1 else floor.certainty):
        return False
    if is_few and candidate.evidence >= telling.FEW_EVIDENCE and candidate.coverage >= telling.FEW_COVERAGE:
        return True
    if is_pointed_at and not is_turn:
        return True
    is_enough = (
        parts["evidence"] >= floor.evidence and shared.coverage >= floor.coverage and shared.words >= floor.words
    )
    return is_rare or is_enough


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
            is_said = candidate.evidence <= most and new < telling.NEW_EVIDENCE
            if verbatim > telling.MOST_VERBATIM or (distilled and is_said):
                candidate.verdict = telling.SAID_BETTER

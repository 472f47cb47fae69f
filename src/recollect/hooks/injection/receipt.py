"""The receipt of an injection: which memories were considered and shown, and why not the others. Import-light."""

import os

from recollect.policy.ranking import ranks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from recollect.hooks.event import Event
    from recollect.model.found_memory import FoundMemory
    from recollect.recall.query_terms import QueryTerms

IN_RECEIPT = 15
"""How many candidates a receipt keeps even where recall turned them down."""
TOLD_BEFORE = "already told in this session"
OVER_BUDGET = "token budget reached"
CODE_NOTES = ("stale: ", "moved: ")
"""How the notes begin that say what became of the code which a memory names."""
IN_DETAIL = 8
"""How many candidates are kept with the parts of their score: writing them takes time."""


def make_receipt(
    event: "Event", terms: "QueryTerms | None", found: "list[FoundMemory]", shown: "list[FoundMemory]",
    texts: list[str], *, state: str = "", profile: str = "",
) -> "dict[str, Any]":  # fmt: skip
    """Build the receipt of what an event was told; `why` and `session tail` show it."""
    receipt: "dict[str, Any]" = {
        "id": os.urandom(5).hex(),
        "project": event.place.project,
        "words": {word: terms.weights[stem] for stem, word in terms.words.items()} if terms else {},
        "shown": [memory.uid for memory in shown],
        "tokens": round(sum(ranks.tokens(text) for text in texts)),
        "candidates": [_candidate(memory, in_detail=rank < IN_DETAIL) for rank, memory in enumerate(found)],
    }
    if state:
        receipt |= {"state": state, "profile": profile}
    return receipt


def _candidate(memory: "FoundMemory", *, in_detail: bool) -> "dict[str, Any]":
    kept: "dict[str, Any]" = {
        "uid": memory.uid, "kind": memory.kind, "title": memory.title, "score": round(memory.score, 3),
        "evidence": round(memory.evidence, 2), "coverage": round(memory.coverage, 3),
        "certainty": round(memory.certainty, 2), "verdict": memory.verdict or "shown",
    }  # fmt: skip
    code = [note for note in memory.notes if note.startswith(CODE_NOTES)]
    if code:
        kept["code"] = code[0]
    if in_detail:
        kept["matched"] = memory.matched
        kept["parts"] = {name: round(part, 2) for name, part in memory.parts.items() if part}
    return kept

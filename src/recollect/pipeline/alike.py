"""Find the stored memories that a draft may extend, say again, take back or narrow."""

from collections.abc import Iterable

from recollect.jobs import word_meanings
from recollect.model.change import Retire
from recollect.model.memory import Memory
from recollect.model.query import Query
from recollect.model.words import search_words
from recollect.pipeline.batch import Batch
from recollect.policy.capture import filing
from recollect.policy.capture.draft import Draft
from recollect.policy.ranking import scores

BY_WORDS, BY_MEANING = 16, 12
"""Memories that share words with a draft at most, and statements of the user that are nearest to it in meaning."""
MOST_STATEMENTS = 1_000


def known_alike(batch: Batch, draft: Draft) -> list[Memory]:
    """Return the active memories, stored or of this batch, that share words with a draft or mean something similar.

    What a user takes back is often named by other words than before: a user's statement is compared by its meaning too.
    """
    kinds = tuple(filing.REPLACEABLE) if draft.kind in filing.REPLACEABLE else (draft.kind,)
    found = _found_by_words(batch, draft, kinds)
    if draft.origin == "user" and draft.kind in filing.REPLACEABLE:
        found += _nearest(draft.text, _statements(batch, kinds))
    retired = {change.uid for change in batch.changes if isinstance(change, Retire)}
    current = [batch.memory(memory.uid) or memory for memory in found]
    every = {memory.uid: memory for memory in [*current, *batch.changed_memories(*kinds)]}
    return [memory for memory in every.values() if memory.uid not in retired]


def _found_by_words(batch: Batch, draft: Draft, kinds: tuple[str, ...]) -> list[Memory]:
    sought = scores.search_words(f"{draft.signature} {draft.title} {draft.text}")
    query = Query(
        batch.context.project, kinds, unexpired_at=batch.context.clock().timestamp(), limit=BY_WORDS, global_too=False
    )
    return [found.memory for found, _ in batch.context.store.search(sought, query)]


def _statements(batch: Batch, kinds: tuple[str, ...]) -> list[Memory]:
    """Return what the user stated in this project, the newest first."""
    query = Query(
        batch.context.project, kinds, unexpired_at=batch.context.clock().timestamp(), limit=MOST_STATEMENTS,
        global_too=False,
    )  # fmt: skip
    return [found.memory for found in batch.context.store.find(query) if found.memory.origin == "user"]


def _nearest(said: str, memories: Iterable[Memory]) -> list[Memory]:
    """Return the memories whose statements are nearest to a sentence in meaning, the nearest first."""
    compared = list(memories)
    words = [search_words.all_stems(filing.statement(memory)) for memory in compared]
    places = word_meanings.load().nearest(search_words.all_stems(said), words, BY_MEANING)
    return [compared[place] for place in places]

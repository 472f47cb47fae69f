"""Two memories that may contradict each other: keep both, or make one of them."""

from recollect.model.change import Change, Retire, Revise, Weigh
from recollect.model.memory import STRICTNESS, TAG_CAP, Memory
from recollect.policy.memories import taught
from recollect.policy.memories.merging import joined_tags

MAY_REPLACE = "may_replace"


def possibly_replaced(memory: Memory) -> tuple[str, ...]:
    """Return the uids of the older memories that a memory may replace."""
    return tuple(link.uid for link in memory.links if link.relation == MAY_REPLACE)


def keeping_both(memory: Memory) -> Memory:
    """Return a memory that replaces no other: the links that said it may are gone."""
    return memory.having(links=tuple(link for link in memory.links if link.relation != MAY_REPLACE))


def merge(newer: Memory, revision: str, older: Memory, reviewed_tags: tuple[str, ...]) -> list[Change]:
    """Return the changes that make one memory of two: the newer one stays with its words, the older one is retired.

    The newer one gets tags, files, keywords and the pin of the older one, the higher importance and the stricter
    sensitivity. `reviewed_tags` are its own tags after the review.
    """
    kept = newer.having(tags=reviewed_tags)
    after = kept.having(
        tags=tuple(joined_tags(older, kept)[:TAG_CAP]),
        keywords=_joined(older.keywords, newer.keywords),
        files_modified=_joined(older.files_modified, newer.files_modified),
        anchors=tuple({anchor.path: anchor for anchor in (*older.anchors, *newer.anchors)}.values()),
        derived_from=_joined(newer.derived_from, (older.uid,)),
        links=(
            *(link for link in newer.links if link.uid != older.uid),
            {"relation": "replaces", "uid": older.uid},
        ),
        confidence=taught.SURE,
        importance=max(newer.importance, older.importance),
        sensitivity=max(newer.sensitivity, older.sensitivity, key=STRICTNESS.index),
    )
    changes: list[Change] = [Revise(after, expect=revision)]
    if older.usage.pinned and not newer.usage.pinned:
        changes.append(Weigh(newer.uid, pinned=True))
    return [*changes, Retire(older.uid, f"superseded by {newer.kind}/{newer.slug}")]


def _joined(first: tuple[str, ...], second: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys([*first, *second]))

"""The summary of memories that say nearly the same: every distinct sentence, and what the members knew (D43, D44)."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime

from recollect.model import text
from recollect.model.change import Archive, Change, Create
from recollect.model.content import Text
from recollect.model.memory import TAG_CAP, UNTAGGED, Memory, Usage
from recollect.policy.memories import merging

TITLE = "Compressed: {title}"
REASON = "Compressed with {number} others into {slug}"
_SENTENCE = re.compile(r"(?<=[.!?。])\s+|\n+")


def plan(group: Sequence[Memory], now: datetime) -> list[Change]:
    """Return the changes that create the summary of a group and archive its members."""
    summary = compressed(group, now)
    reason = REASON.format(number=len(group) - 1, slug=summary.slug)
    return [
        Create(summary, merge_duplicate=False, expiry_named=True),
        *(Archive(memory.uid, reason, must_be_active=True) for memory in group),
    ]


def compressed(group: Sequence[Memory], now: datetime) -> Memory:
    """Return the summary of a group, oldest member first; it is as old as its newest member, and as much used."""
    basis, newest = merging.merged(group, now), max(group, key=lambda memory: memory.updated_at)
    title = text.cut(TITLE.format(title=newest.title), text.TITLE_CHARS)
    sure = [memory.confidence for memory in group if memory.confidence is not None]
    return basis.having(
        slug=f"{text.slugify(title)[:60].rstrip('-')}-{basis.uid[-8:]}",
        title=title,
        content=Text(text="\n".join(sentences(memory.text or memory.title for memory in group))),
        tags=_tags(group),
        origin=newest.origin,
        cue=newest.cue if len({memory.cue for memory in group}) == 1 else "",
        commit=newest.commit,
        branch=newest.branch,
        session=newest.session,
        confidence=min(sure) if sure else None,
        importance=max(memory.importance for memory in group),
        links=tuple(dict.fromkeys(link for memory in group for link in memory.links)),
        usage=_usage(group),
        created_at=max(memory.created_at for memory in group),
        updated_at=newest.updated_at,
    )


def sentences(texts: Iterable[str]) -> list[str]:
    """Return every sentence of some texts once, in order; case, spaces and the end sign make no difference."""
    found: dict[str, str] = {}
    for said in texts:
        for sentence in _SENTENCE.split(said):
            plain = " ".join(sentence.split())
            found.setdefault(plain.casefold().rstrip(".!?。 "), plain)
    found.pop("", None)
    return list(found.values())


def _tags(group: Sequence[Memory]) -> tuple[str, ...]:
    """Return the tags of all members, the most frequent first, at most as many as a memory may have."""
    counted = Counter(tag for memory in group for tag in memory.tags if tag != UNTAGGED)
    return tuple(tag for tag, _ in counted.most_common(TAG_CAP)) or (UNTAGGED,)


def _usage(group: Sequence[Memory]) -> Usage:
    uses = [memory.usage for memory in group]
    return Usage(
        hits=sum(max(0, use.hits) for use in uses),
        last_hit_at=max((use.last_hit_at for use in uses if use.last_hit_at), default=None),
        last_session=max(use.last_session for use in uses),
        created_session=min(use.created_session for use in uses),
        appreciation=max(use.appreciation for use in uses),
    )

"""Plan what has to go: beyond the session window, beyond the cap of a kind, expired, or due for collection."""

from collections.abc import Collection, Sequence
from datetime import datetime

from recollect.model.change import Archive, Change, Purge, Retire
from recollect.model.clock import age_days, seconds
from recollect.model.content import SessionSummary
from recollect.model.memory import Memory
from recollect.model.query import Weight
from recollect.policy.ranking.keyword_points import words
from recollect.policy.ranking.scores import keeping

WINDOW_REASON = "Session rolling window: exceeded max_retained limit"
CAP_REASON = "Over the limit of {limit} active memories of this kind"
COLLECTED_REASON = "Collected after {days} days in retirement"


def plan_window(active: Sequence[Memory], retained: int, newest: str) -> list[Retire]:
    """Return changes that retire the oldest memories beyond the window (B55); never pinned ones or the newest.

    `newest` is the one that was just added; of a session that is imported from long ago it is not the newest.
    """
    last = max((memory.created_at for memory in active if memory.uid != newest), default="")
    kept = {memory.uid for memory in active if memory.uid == newest and memory.created_at >= last}
    free = [memory for memory in active if not memory.usage.pinned and memory.uid not in kept]
    free.sort(key=lambda memory: (seconds(memory.created_at) or 0.0, memory.uid))
    return [Retire(memory.uid, WINDOW_REASON) for memory in free[: max(0, len(active) - retained)]]


def unique_content(leaving: Memory, others: Sequence[Memory]) -> list[str]:
    """Return the items of a session summary whose words no other active memory has; empty for other kinds."""
    if not isinstance(leaving.content, SessionSummary):
        return []
    elsewhere = [words(f"{other.title} {' '.join(other.tags)} {other.text}") for other in others]
    said = leaving.content
    items = [*said.completed, *(said.blockers or ()), *said.next_actions]
    return [item for item in items if not any(words(item) <= known for known in elsewhere)]


def window_warning(leaving: Memory, items: Sequence[str]) -> str:
    """Return seed 001's warning about unique content. The session is retired all the same."""
    return (
        f"WARNING: Session {leaving.slug} contains unique content not captured elsewhere: {'; '.join(items)}. "
        "Consider saving these before retirement."
    )


def plan_cap(
    active: Sequence[Weight], limit: int, newest: str, now: float, protected: Collection[str] = ()
) -> list[Retire]:
    """Return changes that retire the lowest-scored memories beyond the cap.

    Protected kinds go last, pinned memories and the newest never.
    """
    free = [weight for weight in active if not weight.pinned and weight.uid != newest]
    free.sort(key=lambda weight: (weight.kind in protected, keeping(weight, now), weight.uid))
    reason = CAP_REASON.format(limit=limit)
    return [Retire(weight.uid, reason) for weight in free[: max(0, len(active) - limit)]]


def has_expired(memory: Memory, now: datetime) -> bool:
    """Whether a memory has expired (D10); a pinned one never has."""
    end = None if memory.usage.pinned else seconds(memory.expires_at)
    return end is not None and end <= now.timestamp()


def is_due(memory: Memory, grace_days: int, now: datetime) -> bool | None:
    """Whether a retired memory's grace period is over; None if it is unknown when it was retired (B30)."""
    age = age_days(memory.closed_at, now)
    return None if age is None else age >= grace_days


def plan_collection(due: Sequence[Memory], grace_days: int, *, archive: bool) -> list[Change]:
    """Return the changes of a garbage collection: files are removed, the store archives or purges."""
    reason = COLLECTED_REASON.format(days=grace_days)
    if archive:
        return [Archive(memory.uid, reason, drop_file=True) for memory in due]
    return [Purge(memory.uid, reason, only_retired=True) for memory in due]

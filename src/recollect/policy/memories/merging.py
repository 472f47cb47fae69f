"""Merge old memories of a kind into one summary that keeps all of their texts, sources and sensitivity."""

from collections.abc import Sequence
from datetime import datetime

from recollect.model import clock, text
from recollect.model.change import Archive, Change, Create
from recollect.model.content import Text
from recollect.model.kinds import KINDS
from recollect.model.memory import COMPRESSED, COMPRESSION, STRICTNESS, TAG_CAP, UNTAGGED, Memory

CATEGORY_TAG = "category:"
FEWEST = 6
MERGED_REASON = "Summarised in {slug}"


def category(memory: Memory) -> str:
    """Return LetsGo's free category of a memory, which is kept as a tag; "general" if it has none."""
    named = (tag.removeprefix(CATEGORY_TAG) for tag in memory.tags if tag.startswith(CATEGORY_TAG))
    return next(named, "general")


def joined_tags(old: Memory, new: Memory) -> list[str]:
    """Return the tags of both memories; of two categories the old one stays."""
    has_category = any(tag.startswith(CATEGORY_TAG) for tag in old.tags)
    more = [tag for tag in new.tags if not (has_category and tag.startswith(CATEGORY_TAG))]
    return sorted({*old.tags, *more} - {UNTAGGED})


def groups(memories: Sequence[Memory], before: float) -> list[list[Memory]]:
    """Return groups of six or more memories of one kind, category and sensitivity, updated before a time (D17)."""
    found: dict[tuple[str, str, str], list[Memory]] = {}
    for memory in memories:
        updated = clock.seconds(memory.updated_at)
        if updated is not None and updated < before and not memory.usage.pinned:
            # By sensitivity too: one secret memory must not hide what the others say.
            found.setdefault((memory.kind, category(memory), memory.sensitivity), []).append(memory)
    return [group for group in found.values() if len(group) >= FEWEST]


def plan(group: Sequence[Memory], now: datetime) -> list[Change]:
    """Return the changes that create a group's summary and archive its members, which name the summary."""
    summary = merged(group, now)
    reason = MERGED_REASON.format(slug=summary.slug)
    return [
        Create(summary, merge_duplicate=False),
        *(Archive(memory.uid, reason, must_be_active=True) for memory in group),
    ]


def merged(group: Sequence[Memory], now: datetime) -> Memory:
    """Return the summary: all texts in full, lists joined, the strictest sensitivity, the highest importance."""
    first, stamp, uid = group[0], clock.stamp(now), text.new_uid(now)
    label = first.kind.replace("_", " ") if category(first) == "general" else f"{category(first)} {first.kind}"
    days = f"{first.created_at[:10]} to {group[-1].created_at[:10]}"
    return Memory(
        uid=uid,
        slug=f"{text.slugify(label)[:60]}-summary-{uid[-8:]}",
        kind=COMPRESSED,
        title=text.cut(f"{len(group)} memories in one: {label}, {days}", text.TITLE_CHARS),
        content=Text(text="\n\n".join(_told(memory) for memory in group)),
        tags=_tags(group),
        concepts=_joined(group, "concepts"),
        keywords=_joined(group, "keywords"),
        project=first.project,
        origin="assistant",
        channel=None if all(_has_file(memory) for memory in group) else COMPRESSION,
        files_read=_joined(group, "files_read"),
        files_modified=_joined(group, "files_modified"),
        anchors=tuple({anchor.path: anchor for memory in group for anchor in memory.anchors}.values()),
        derived_from=tuple(memory.uid for memory in group),
        importance=max(0.7, *(memory.importance for memory in group)),
        sensitivity=max((memory.sensitivity for memory in group), key=STRICTNESS.index),
        created_at=stamp,
        updated_at=stamp,
        expires_at=_last_end(group),
    )


def _has_file(memory: Memory) -> bool:
    """Whether the memory's kind is kept in files, so that its summary may be too."""
    kind = KINDS.get(memory.kind)
    return (kind is None or kind.folder is not None) and not memory.is_in_store_alone


def _last_end(group: Sequence[Memory]) -> str | None:
    """Return when the last of them expires; None if one of them never does."""
    ends = [memory.expires_at for memory in group]
    return None if None in ends else max((end for end in ends if end), key=lambda end: clock.seconds(end) or 0.0)


def _told(memory: Memory) -> str:
    is_in_text = memory.text.startswith(memory.title.rstrip("….").strip())
    said = memory.text if is_in_text else f"{memory.title}\n{memory.text}"
    return f"[{memory.created_at[:10]}] {said}"


def _joined(group: Sequence[Memory], field: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(value for memory in group for value in getattr(memory, field)))


def _tags(group: Sequence[Memory]) -> tuple[str, ...]:
    rest = [tag for tag in _joined(group, "tags") if not tag.startswith(CATEGORY_TAG)]
    return tuple([f"{CATEGORY_TAG}{category(group[0])}/summary", *rest][:TAG_CAP])

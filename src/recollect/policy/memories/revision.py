"""Revise memories: auto-fixes, merge protections, history, adoption of edited files (seed 002 §5)."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from recollect.errors import BadInput, MergeRefused
from recollect.model import text
from recollect.model.change import Create, Retire
from recollect.model.clock import seconds
from recollect.model.memory import EDIT_CAP, SUMMARY_CHARS, TAG_CAP, UNTAGGED, Anchor, Edit, Memory, Usage

RENAME_DIFFERENCE = 0.5
RESURRECTION_HOURS = 24
CLOSING_FIELDS = ("retired_at", "retired_reason", "archived_at", "archived_reason")


@dataclass(slots=True)
class Draft:
    """A record that is being read in, and notes on what was fixed."""

    record: dict[str, Any]
    notes: list[str] = field(default_factory=list)


def auto_fix(record: Mapping[str, Any], now: str, *, creating: bool) -> Draft:
    """Apply the nine auto-fixes of seed 002. A value of the wrong type is left for validation to report."""
    draft = Draft(dict(record))
    fixed = draft.record
    _default(draft, "schema_version", "1.0")
    _default(draft, "updated_at", now)
    if creating:
        _default(draft, "created_at", now)
    if isinstance(fixed.get("tags"), str):
        fixed["tags"] = [fixed["tags"]]
    if isinstance(fixed.get("id"), str):
        fixed["id"] = text.slugify(fixed["id"])
    if isinstance(fixed.get("title"), str):
        _replace(draft, "title", text.clean_title(fixed["title"]))
    if isinstance(fixed.get("content"), dict):
        _replace(draft, "content", clean_content(fixed["content"]))
    _clamp_confidence(draft)
    tags = fixed.get("tags", [])
    if isinstance(tags, list) and all(isinstance(tag, str) for tag in tags):
        fixed["tags"] = list(clean_tags(tags))
        if creating:
            fixed["tags"] = _capped(draft, fixed["tags"])
    return draft


def clean_content(value: Any) -> Any:  # noqa: ANN401 - whatever a field holds
    """Return a content with control, zero-width and bidi characters removed from every text."""
    if isinstance(value, str):
        return text.clean_body(value)
    if isinstance(value, Mapping):
        return {name: clean_content(part) for name, part in value.items()}
    return [clean_content(part) for part in value] if isinstance(value, list | tuple) else value


def clean_tags(tags: list[str] | tuple[str, ...]) -> tuple[str, ...]:
    """Return tags in lower case, safe for an index line, each once, sorted; (`untagged`,) if none is left."""
    return tuple(sorted({clean for tag in tags if (clean := text.clean_tag(tag))})) or (UNTAGGED,)


def _default(draft: Draft, name: str, value: str) -> None:
    if not draft.record.get(name):
        draft.record[name] = value
        draft.notes.append(f"[AUTO-FIX] {name}: set to {value}")


def _replace(draft: Draft, name: str, value: object) -> None:
    if draft.record[name] != value:
        draft.record[name] = value
        draft.notes.append(f"[AUTO-FIX] {name}: cleaned")


def _clamp_confidence(draft: Draft) -> None:
    value = draft.record.get("confidence")
    if isinstance(value, int | float) and not isinstance(value, bool) and not 0 <= value <= 1:
        draft.record["confidence"] = min(1.0, max(0.0, float(value)))
        draft.notes.append(f"[AUTO-FIX] confidence: {value} clamped to {draft.record['confidence']}")


def _capped(draft: Draft, tags: list[str]) -> list[str]:
    if len(tags) > TAG_CAP:
        draft.notes.append(f"[AUTO-FIX] tags: more than {TAG_CAP}; dropped: {', '.join(tags[TAG_CAP:])}")
    return tags[:TAG_CAP]


def evict_tags(old: tuple[str, ...], new: list[str]) -> tuple[list[str], list[str]]:
    """Return the tags that are kept within the cap of 12, and those that are dropped (B43).

    If the old tags were at the cap, the last of them give way to new ones; else new ones that do not fit are dropped.
    """
    if len(new) <= TAG_CAP:
        return new, []
    is_full = len(old) >= TAG_CAP
    kept = [tag for tag in new if tag in old]
    added = [tag for tag in new if tag not in old][: TAG_CAP if is_full else TAG_CAP - len(kept)]
    kept = kept[: TAG_CAP - len(added)]
    return sorted([*added, *kept]), sorted(set(new) - set(added) - set(kept))


def clean_reason(reason: str | None, notes: list[str]) -> str:
    """Return a reason as one line that fits the history. One that is too long is cut, with a note (B45)."""
    line = " ".join(text.clean_body(reason or "").split()) or "No reason provided"
    limit = SUMMARY_CHARS - len("Unarchived: ")
    if len(line) > limit:
        notes.append(f"the reason was cut to {limit} characters")
    return text.cut(line, limit)


def longer_life(old: Memory, new: Memory) -> str | None:
    """Return the later expiry of two memories; None if one of them never expires."""
    if old.expires_at is None or new.expires_at is None:
        return None
    return max(old.expires_at, new.expires_at, key=lambda end: seconds(end) or 0.0)


def counted(image: Memory, now: Memory) -> Memory:
    """Return an older version of a memory with the use counts of the current one."""
    uses = {name: getattr(now.usage, name) for name in ("hits", "last_hit_at", "last_session")}
    return image.model_copy(update={"usage": image.usage.model_copy(update=uses)})


def with_edits(edits: tuple[Edit, ...], *new: Edit) -> tuple[Edit, ...]:
    """Return the history with new edits appended; beyond 50 the oldest are dropped."""
    return (*edits, *new)[-EDIT_CAP:]


def merge(old: Memory, new: Memory, exists: Callable[[str], bool], now: str) -> Memory:
    """Return a memory with an agent's update. Raise MergeRefused if it breaks a protection of B41-B44."""
    _check_tags(old, new)
    _check_files(old, new, exists)
    _check_history(old, new)
    edits = with_edits(new.edits, *_generated(old, new, now))
    if len(new.edits) <= len(old.edits) and not _generated(old, new, now):
        raise MergeRefused(
            "an update needs at least one new change",
            target=old.slug,
            details=[("field", "changes"), ("rule", "append-only, one or more new entries")],
            fix="Change something, or add an entry {date, summary} to `changes`.",
        )
    return old.having(
        title=new.title,
        content=new.content,
        tags=new.tags,
        anchors=_anchors(old, new),
        confidence=new.confidence,
        edits=edits,
        times_revised=old.times_revised + 1,
        updated_at=now,
    )


def _check_tags(old: Memory, new: Memory) -> None:
    removed = sorted(set(old.tags) - set(new.tags) - {UNTAGGED})
    added = set(new.tags) - set(old.tags)
    if removed and (len(old.tags) < TAG_CAP or not added):
        rule = f"grow-only below {TAG_CAP} tags; at {TAG_CAP} a tag may go only for a new one"
        raise MergeRefused(
            "tags may not be removed",
            target=old.slug,
            details=[("field", "tags"), ("rule", rule), ("removed", ", ".join(removed))],
            fix="Keep the removed tags in the draft.",
        )


def _check_files(old: Memory, new: Memory, exists: Callable[[str], bool]) -> None:
    kept = {anchor.path for anchor in new.anchors}
    removed = [anchor.path for anchor in old.anchors if anchor.path not in kept and exists(anchor.path)]
    if removed:
        raise MergeRefused(
            "related files that exist may not be removed",
            target=old.slug,
            details=[("field", "related_files"), ("rule", "grow-only"), ("removed", ", ".join(removed))],
            fix="Keep the paths that still exist in the draft.",
        )


def _check_history(old: Memory, new: Memory) -> None:
    # A draft made at the cap may have dropped as many of the oldest as it adds; below it every old entry has to stand.
    starts = range(len(old.edits)) if len(old.edits) >= EDIT_CAP else range(1)
    is_kept = any(new.edits[: len(old.edits) - start] == old.edits[start:] for start in starts)
    if not is_kept or len(new.edits) < len(old.edits):
        raise MergeRefused(
            "the history is append-only",
            target=old.slug,
            details=[("field", "changes"), ("rule", "append-only"), ("old", len(old.edits)), ("new", len(new.edits))],
            fix="Keep the old entries of `changes` in order and add new ones after them.",
        )


def _generated(old: Memory, new: Memory, now: str) -> list[Edit]:
    return [
        Edit(date=now, summary=f"Updated {name}", field=name, old_value=before, new_value=after)
        for name, before, after in differences(old, new)
    ]


def differences(old: Memory, new: Memory) -> Iterator[tuple[str, object, object]]:
    """Yield name, old and new value of what an update changes: content fields, title, tags, files, confidence."""
    before, after = old.content.model_dump(mode="json"), new.content.model_dump(mode="json")
    for name in sorted(before.keys() | after.keys()):
        if before.get(name) != after.get(name):
            yield f"content.{name}", before.get(name), after.get(name)
    if old.title != new.title:
        yield "title", old.title, new.title
    if set(old.tags) != set(new.tags):
        yield "tags", list(old.tags), list(new.tags)
    old_files, new_files = ([anchor.path for anchor in memory.anchors] for memory in (old, new))
    if old_files != new_files:
        yield "related_files", old_files, new_files
    if old.confidence != new.confidence:
        yield "confidence", old.confidence, new.confidence


def shrunken_lists(old: Memory, new: Memory) -> list[str]:
    """Return a note for each content list that an update makes shorter, which is allowed."""
    return [
        f"{name} shrank from {len(before)} to {len(after) if isinstance(after, list) else 0} items"
        for name, before, after in differences(old, new)
        if name.startswith("content.") and isinstance(before, list) and len(before) > len(after or [])  # type: ignore[arg-type]
    ]


def _anchors(old: Memory, new: Memory) -> tuple[Anchor, ...]:
    known = {anchor.path: anchor for anchor in old.anchors}
    return tuple(known.get(anchor.path, anchor) for anchor in new.anchors)


def deserves_rename(old: str, new: str) -> bool:
    """Whether more than half of the words of two titles differ (B41)."""
    before, after = set(old.lower().split()), set(new.lower().split())
    union = before | after
    return bool(union) and len(before ^ after) / len(union) > RENAME_DIFFERENCE


def is_older(seen: Memory, known: Memory) -> bool:
    """Whether a file holds an older version than the known memory, by its own date and revision count."""
    then, now = seconds(seen.updated_at), seconds(known.updated_at)
    if then is None or now is None or then > now or seen.times_revised > known.times_revised:
        return False
    return (then, seen.times_revised) != (now, known.times_revised)


def adopt(known: Memory, seen: Memory, layout: str, last: Memory | None = None) -> Memory:
    """Return a memory with what its file says, and the rest from the store. `last` is what the file said before."""
    fields: dict[str, object] = {
        "slug": seen.slug, "kind": seen.kind, "title": seen.title, "content": seen.content, "status": seen.status,
        "tags": seen.tags,
    }  # fmt: skip
    if layout == "json":
        fields |= {
            "anchors": _anchors(known, seen), "confidence": seen.confidence, "created_at": seen.created_at,
            "updated_at": seen.updated_at, "closed_at": seen.closed_at, "closed_reason": seen.closed_reason,
            "edits": seen.edits, "times_revised": seen.times_revised,
        }  # fmt: skip
        return known.having(**fields)
    return known.having(**(fields | _markdown_fields(known, seen, last)))


def _counters(known: Usage, seen: Usage, last: Usage | None) -> Usage:
    """Return the file's counters plus what the store counted since they were written, at the end of a session."""
    ahead = known.hits - last.hits if last else max(0, known.hits - seen.hits)
    is_set = last is not None and seen.last_session != last.last_session
    return known.model_copy(
        update={
            "hits": seen.hits + ahead,
            "last_session": seen.last_session if is_set else max(known.last_session, seen.last_session),
            "created_session": seen.created_session or known.created_session,
            "appreciation": seen.appreciation,
            "pinned": seen.pinned,
        }
    )


def _markdown_fields(known: Memory, seen: Memory, last: Memory | None) -> dict[str, object]:
    usage = _counters(known.usage, seen.usage, last.usage if last else None)
    fields: dict[str, object] = {"cue": seen.cue, "keywords": seen.keywords, "usage": usage}
    if known.text != seen.text:
        fields["updated_at"] = seen.updated_at
    if seen.status != "active" and known.status != "active":
        fields["status"] = known.status  # the format knows one shelf; the store knows which kind of closing it was
    elif seen.status == "active":
        fields |= {"status": "active", "closed_at": None, "closed_reason": None}
    else:
        fields |= {"closed_at": seen.updated_at, "closed_reason": "Moved to memory-cold/"}
    return fields


def superseding(made: Sequence[Create], superseded: Sequence[Memory]) -> list[Create | Retire]:
    """Return the changes that create memories and retire those that they replace; each new one names the replaced ones.

    Raise BadInput if a new memory says the same as one that it replaces.
    """
    digests = {create.memory.digest for create in made}
    for old in superseded:
        if old.digest in digests:
            raise BadInput("a memory cannot supersede one that says the same", target=old.slug, fix="Say what is new.")
    uids = tuple(old.uid for old in superseded)
    fresh = [_deriving(create, uids) for create in made]
    names = ", ".join(create.memory.slug for create in made)
    return [*(fresh if uids else made), *(Retire(uid, f"Superseded by {names}") for uid in uids)]


def _deriving(create: Create, uids: tuple[str, ...]) -> Create:
    memory = create.memory
    return replace(create, memory=memory.having(derived_from=(*memory.derived_from, *uids)))

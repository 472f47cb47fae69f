"""Create a memory: as a new one, in place of a retired one of the same name, or merged into one with the same text."""

from datetime import timedelta

from recollect.errors import Refused, Resurrection
from recollect.model import clock, text
from recollect.model.change import Create, TakeIn
from recollect.model.memory import OTHERS_WORDS, PENDING, STRICTNESS, Memory
from recollect.model.recall_values import SHOWN_SENSITIVITIES
from recollect.policy.memories import merging, revision
from recollect.vault import files
from recollect.write import admission
from recollect.write.changes import take_in
from recollect.write.group import Group
from recollect.write.outcome import Outcome
from recollect.write.vault_files import CurrentVersion

AGENTS = ("mcp",)
"""Actors that are coding agents: what a person purged does not come back by them."""


def create(group: Group, change: Create) -> Outcome:
    """Add a memory; with `merge_duplicate`, a memory with the same text takes the new metadata instead (D9)."""
    memory = (
        change.memory
        if change.exact
        else admission.prepare(group.context, change.memory, has_expiry=change.expiry_named)
    )
    duplicate = _duplicate(group, memory) if change.merge_duplicate else None
    if duplicate:
        return _merge_metadata(group, duplicate.uid, memory, expiry_named=change.expiry_named)
    _check_not_purged(group, memory)
    group.context.store.unbury(memory.project, memory.digest)  # what is kept on purpose is no longer unwanted
    if not change.keep_slug:
        slug = group.free_slug(memory)
        return group.write_memory("created", memory if slug == memory.slug else memory.having(slug=slug), None)
    former = _replaceable(group, memory)
    return group.write_memory("created", memory.having(uid=former.memory.uid) if former else memory, former)


def _check_not_purged(group: Group, memory: Memory) -> None:
    """Raise Refused where an agent saves what a person purged or dropped."""
    if group.context.actor in AGENTS and group.context.store.is_buried(memory.project, memory.digest):
        fix = "Go on without it; only the user saves it again, with `recollect remember`."
        raise Refused("a person took this text out of the memory", target=memory.slug, code="CREATE_ERROR", fix=fix)


def _duplicate(group: Group, memory: Memory) -> Memory | None:
    """Return the memory with the same text; None where one of the two is a person's and the other somebody else's."""
    found = group.context.store.same_text(memory.project, memory.digest, group.context.clock().timestamp())
    if found is None or (found.memory.origin in OTHERS_WORDS) != (memory.origin in OTHERS_WORDS):
        return None
    return found.memory


def _merge_metadata(group: Group, uid: str, new: Memory, *, expiry_named: bool) -> Outcome:
    """Add a duplicate's metadata to the memory that is there; its text stays (D9)."""
    current = group.take_in_edits(uid)
    old = current.memory
    is_users, by_agent = old.origin == "user", group.context.actor in AGENTS
    fields = _joined(old, new)
    if expiry_named and not (is_users and new.origin != "user"):  # nobody else lets the user's words expire
        fields["expires_at"] = new.expires_at
    if not (is_users and by_agent):
        fields |= _judged(old, new)
    elif old.sensitivity not in SHOWN_SENSITIVITIES:
        fields = {}
    after = old.having(**fields)
    if after == old:
        return group.unchanged("known", current)
    return group.write_memory("merged", after.having(updated_at=group.now), current)


def _joined(old: Memory, new: Memory) -> dict[str, object]:
    """Return the lists of both memories as one, which take nothing away; a certain memory does not become pending."""
    tags = [tag for tag in merging.joined_tags(old, new) if tag != PENDING or tag in old.tags]
    paths = {anchor.path for anchor in old.anchors}
    return {
        "tags": tuple(revision.evict_tags(old.tags, tags)[0]) or old.tags,
        "anchors": (*old.anchors, *(anchor for anchor in new.anchors if anchor.path not in paths)),
        "concepts": tuple(dict.fromkeys((*old.concepts, *new.concepts))),
        "files_read": tuple(dict.fromkeys((*old.files_read, *new.files_read))),
        "files_modified": tuple(dict.fromkeys((*old.files_modified, *new.files_modified))),
        "importance": max(old.importance, new.importance),
        "expires_at": revision.longer_life(old, new),
    }


def _judged(old: Memory, new: Memory) -> dict[str, object]:
    """Return who may see a memory, how certain it is and when it applies: no agent judges that of the user's."""
    return {
        "cue": old.cue or new.cue,
        "sensitivity": max(old.sensitivity, new.sensitivity, key=STRICTNESS.index),
        "confidence": old.confidence if new.confidence is None else new.confidence,
    }


def _replaceable(group: Group, memory: Memory) -> CurrentVersion | None:
    """Return the closed memory of the same name whose place a new one takes; None where the name is free.

    Raises Refused over a memory that is not retired (B38), Resurrection within 24 hours of its retirement (B40).
    """
    _take_in_unknown_file(group, memory)
    known = group.context.store.named(memory.project, memory.kind, memory.slug)
    if known is None:
        return None
    current = group.take_in_edits(known.memory.uid)
    former = current.memory
    was_here = current.sighting is not None and current.sighting.presence == "seen"
    if current.data is None and (former.status != "active" or was_here):
        return current  # its file is gone or collected: the name is free
    if former.status != "retired":
        fix = "Use --action update" if former.status == "active" else "Unarchive it first"
        problem = f"an {former.status} memory has this name"
        raise Refused(problem, target=memory.slug, code="CREATE_ERROR", fix=f"{fix}, or choose another slug.")
    retired = clock.parse(former.closed_at)
    if retired and group.context.clock() - retired < timedelta(hours=revision.RESURRECTION_HOURS):
        details: list[tuple[str, object]] = [("retired_at", former.closed_at)]
        raise Resurrection("retired less than 24 hours ago", target=memory.slug, details=details)
    return current


def _take_in_unknown_file(group: Group, memory: Memory) -> None:
    """Take in a file at the memory's path that the store does not know, so that it counts as the former memory."""
    location = group.files.location(memory)
    known = group.context.store.named(memory.project, memory.kind, memory.slug)
    if known or location is None or files.look(group.files.real_path(location[1])) is None:
        return
    layout, path = location
    data = files.read(group.files.real_path(path))
    uid = text.new_uid(group.context.clock())
    decoded = layout.decode(path, data, uid=uid, project=memory.project, now=group.now)
    take_in.take_in(group, TakeIn(path, decoded, text.md5(data)))

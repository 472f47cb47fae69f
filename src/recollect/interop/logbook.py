"""CursorClaw's log, `MEMORY.md` and one file a day: append, read and trim records (C1-C4, C6)."""

from dataclasses import replace

from recollect.formats import memory_log
from recollect.model import clock
from recollect.model.change import Create
from recollect.model.memory import SHAREABLE, Memory, Sensitivity
from recollect.model.query import Query
from recollect.model.text import clean_tag
from recollect.policy.memories import compose, retention
from recollect.policy.memories.compose import Note
from recollect.project_context import ProjectContext
from recollect.vault.files import Writing
from recollect.write import commit, vault_files
from recollect.write.outcome import Outcome

CHECKPOINT = "Pre-compaction memory flush checkpoint"


def append(
    context: ProjectContext,
    text: str,
    *,
    session: str,
    category: str = "note",
    sensitivity: Sensitivity | None = None,
    channel: str = memory_log.OPERATOR,
    confidence: float = 1.0,
) -> Outcome:
    """Save a record, and write it to both files unless its sensitivity forbids that (C3, C13)."""
    kind, tags = memory_log.kind_and_tags(clean_tag(category))  # a category of one's own is kept as a tag
    note = Note(
        text, kind, tags=tags, session=session, sensitivity=sensitivity, channel=channel, confidence=confidence,
        origin="user" if channel == memory_log.OPERATOR else "assistant", free_text=True,
    )  # fmt: skip
    return commit.commit(context, [_record(context, note)])[0]


def _record(context: ProjectContext, note: Note) -> Create:
    """Build the change that creates a record; it is never merged, because two sessions may log the same."""
    made = compose.memory(
        note, context.kinds, moment=context.clock(), project=context.project, commit=context.checkout.head, branch=None
    )
    return Create(made, merge_duplicate=False, classify=note.sensitivity is None)


def checkpoint(context: ProjectContext, session: str) -> Create:
    """Build the change that records the compaction of a session (C4)."""
    return _record(
        context,
        Note(
            CHECKPOINT, "compaction", session=session, sensitivity="operational", channel=memory_log.SYSTEM,
            confidence=1.0, origin="assistant", free_text=True,
        ),
    )  # fmt: skip


def records(context: ProjectContext, *, session: str | None = None, allow_secret: bool = False) -> list[Memory]:
    """Return the records of `MEMORY.md` and those in the store alone, oldest first (C3).

    Secret ones only with `allow_secret`.
    """
    logged = memory_log.decode(vault_files.read_log(context), project=context.project)
    known = {memory.uid for memory in logged}
    now = context.clock().timestamp()
    query = Query(context.project, session=session, global_too=False, unexpired_at=now, oldest_first=True)
    private = [
        stored.memory
        for stored in context.store.find(query)
        if stored.memory.channel in memory_log.CHANNELS
        and stored.memory.sensitivity not in SHAREABLE
        and stored.memory.uid not in known
    ]
    hidden = ("unknown",) if allow_secret else ("unknown", "secret")
    shown = [
        record
        for record in (*(record for record in logged if _is_current(context, record)), *private)
        if (session is None or (record.session or "") == session) and record.sensitivity not in hidden
    ]
    return sorted(shown, key=lambda record: clock.seconds(record.created_at) or 0.0)


def _is_current(context: ProjectContext, record: Memory) -> bool:
    """Whether the memory of a log line is still active: the line stays in the file when the memory is retired."""
    stored = context.store.get(record.uid)
    if stored is None:
        return True
    return stored.memory.status == "active" and not retention.has_expired(stored.memory, context.clock())


def trim(context: ProjectContext, *, max_records: int, max_chars: int, archive: str = "") -> list[str]:
    """Trim `MEMORY.md` to its limits; return the removed lines, which the archive keeps if there is one (C6).

    Without an archive, records that only the file has are saved in the store first.
    """
    unknown = [
        record
        for record in memory_log.decode(vault_files.read_log(context), project=context.project)
        if not context.store.get(record.uid)
    ]
    if unknown and not archive:
        store_only = replace(context, vault=replace(context.vault, logs=False))
        commit.commit(store_only, [Create(record, merge_duplicate=False, exact=True) for record in unknown])
    with vault_files.held(context):
        with Writing(context.vault.root) as writing:
            removed = vault_files.trim_log(
                context, writing, max_records=max_records, max_chars=max_chars, archive=archive
            )
        if context.config.vault.auto_commit and writing.changed:
            vault_files.commit_to_git(context, writing.changed, f"trimmed {len(removed)} records")
    return removed

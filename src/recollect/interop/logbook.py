"""CursorClaw's log: records in `MEMORY.md` and the day's file, read per session, trimmed and scanned (C1-C6)."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from recollect.formats import memory_log
from recollect.model import clock
from recollect.model.change import Create
from recollect.model.memory import SHAREABLE, Memory, Sensitivity
from recollect.model.query import Query
from recollect.model.text import clean_tag
from recollect.policy.memories import compose, log_trimming, retention
from recollect.policy.memories.compose import Note
from recollect.policy.memories.log_trimming import Finding
from recollect.project_context import ProjectContext
from recollect.vault.files import Writing
from recollect.write import commit, vault_files
from recollect.write.outcome import Outcome

CHECKPOINT = "Pre-compaction memory flush checkpoint"


@dataclass(frozen=True, slots=True)
class Scan:
    """What a look through the log found."""

    records: int
    findings: list[Finding] = field(default_factory=list)
    stray: list[int] = field(default_factory=list)
    """Numbers of lines that look like records and are none."""


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
    """Keep a record, and write it to both files unless it is for its owner's eyes (C3, C13)."""
    kind, tags = memory_log.kind_and_tags(clean_tag(category))  # a category of one's own is kept as a tag
    note = Note(
        text, kind, tags=tags, session=session, sensitivity=sensitivity, channel=channel, confidence=confidence,
        origin="user" if channel == memory_log.OPERATOR else "assistant", free_text=True,
    )  # fmt: skip
    return commit.commit(context, [_record(context, note)])[0]


def _record(context: ProjectContext, note: Note) -> Create:
    """Two sessions may say the same, and each has its own record: nothing is merged."""
    made = compose.memory(
        note, context.kinds, moment=context.clock(), project=context.project, commit=context.checkout.head, branch=None
    )
    return Create(made, merge_duplicate=False, classify=note.sensitivity is None)


def checkpoint(context: ProjectContext, session: str) -> Create:
    """C4: a mark that a session was compacted here."""
    return _record(
        context,
        Note(
            CHECKPOINT, "compaction", session=session, sensitivity="operational", channel=memory_log.SYSTEM,
            confidence=1.0, origin="assistant", free_text=True,
        ),
    )  # fmt: skip


def records(context: ProjectContext, *, session: str | None = None, allow_secret: bool = False) -> list[Memory]:
    """What `MEMORY.md` holds and what is kept in the store alone, oldest first; secrets only if asked for (C3)."""
    logged = memory_log.decode(vault_files.read_log(context), project=context.project)
    known = {memory.uid for memory in logged}
    now = context.clock().timestamp()
    query = Query(context.project, session=session, global_too=False, unexpired_at=now, oldest_first=True)
    private = [
        found.memory
        for found in context.store.find(query)
        if found.memory.channel in memory_log.CHANNELS
        and found.memory.sensitivity not in SHAREABLE
        and found.memory.uid not in known
    ]
    logged = [one for one in logged if _is_current(context, one)]
    found = [one for one in (*logged, *private) if session is None or (one.session or "") == session]
    shown = [one for one in found if one.sensitivity != "unknown" and (allow_secret or one.sensitivity != "secret")]
    return sorted(shown, key=lambda one: clock.seconds(one.created_at) or 0.0)


def _is_current(context: ProjectContext, record: Memory) -> bool:
    """A line stands in the file for good; what became of its memory, the store knows."""
    stored = context.store.get(record.uid)
    if stored is None:
        return True
    return stored.memory.status == "active" and not retention.has_expired(stored.memory, context.clock())


def trim(context: ProjectContext, *, max_records: int, max_chars: int, archive: str = "") -> list[str]:
    """Bring `MEMORY.md` within its limits; the lines that went, which the archive keeps if there is one (C6).

    Records that only the file has are kept in the store first.
    """
    strangers = [
        one
        for one in memory_log.decode(vault_files.read_log(context), project=context.project)
        if not context.store.get(one.uid)
    ]
    quiet = replace(context, vault=replace(context.vault, logs=False))
    if strangers and not archive:
        commit.commit(quiet, [Create(one, merge_duplicate=False, exact=True) for one in strangers])
    with vault_files.held(context):
        with Writing(context.vault.root) as writing:
            gone = vault_files.trim_log(context, writing, max_records=max_records, max_chars=max_chars, archive=archive)
        if context.config.vault.auto_commit and writing.changed:
            vault_files.commit_to_git(context, writing.changed, f"trimmed {len(gone)} records")
    return gone


def scan(context: ProjectContext) -> Scan:
    """Contradictions and old records, whatever else stands in the file (C2, C5)."""
    lines = memory_log.lines(vault_files.read_log(context), project=context.project)
    found: Sequence[Memory] = [line.memory for line in lines if line.memory]
    return Scan(len(found), log_trimming.scan(found, context.kinds, context.clock()), log_trimming.stray(lines))

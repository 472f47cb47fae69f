"""Merge old records of MEMORY.md into one record and LONGMEMORY.md (C15-C19).

The order is the seed's: is a threshold exceeded, is a record in scope, is the lock free, and only then the work. The
files and the store change as one group, which one `undo` takes back.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from recollect import foreign_files
from recollect.config import Config
from recollect.errors import Conflict, OutsideVault, Refused, UnreadableFile
from recollect.formats import memory_log
from recollect.formats.memory_log import Line
from recollect.formats.source import to_text
from recollect.jobs.job import JobInput
from recollect.jobs.plan import Plan, Step
from recollect.model.change import Change, Create, Splice
from recollect.model.memory import SHAREABLE, Memory
from recollect.policy.log import compaction, long_memory, splicing
from recollect.policy.log.compaction import HELD, NO_FILE, NOTHING, UNDER, Compaction, Limits
from recollect.project_context import ProjectContext
from recollect.vault import compaction_lock, files
from recollect.vault.files import Writing
from recollect.vault.layouts import LOG
from recollect.write import commit, vault_files

BACKUP = f"{LOG}.compaction-backup"
TRIES, AT_ONCE = 5, 500
"""How often a plan is made anew, and how many records are saved in one transaction."""
ACTOR, CAPTURE = "job:compact-log", "capture"


@dataclass(frozen=True, slots=True)
class LogPlan:
    """What a run would do."""

    result: Compaction
    source: str = ""
    """MEMORY.md as the plan found it."""
    chosen: tuple[Line, ...] = ()
    """The lines whose records are merged."""
    record: Memory | None = None
    """The record that stands for them."""
    splices: tuple[Splice, ...] = ()
    """The changes to MEMORY.md, LONGMEMORY.md and the archive."""

    @property
    def changes(self) -> list[Change]:
        """The changes of the run, in their order; none where nothing is to be done."""
        return [Create(self.record, merge_duplicate=False, exact=True), *self.splices] if self.record else []


def limits_of(config: Config) -> Limits:
    """Return when records are merged, as the settings say."""
    rules = config.log
    return Limits(rules.compact_min_age_days, rules.compact_max_records, rules.compact_max_chars)


def plan(context: ProjectContext, limits: Limits) -> LogPlan:
    """Return what a run would do now; nothing is written."""
    if files.look(context.vault.root / LOG) is None and files.oddity(context.vault.root / LOG) is None:
        return LogPlan(Compaction(False, NO_FILE))
    source = vault_files.read_log(context)
    lines = memory_log.lines(source, project=context.project)
    number = sum(line.memory is not None for line in lines)
    if not limits.are_exceeded(number, len(source)):
        return LogPlan(Compaction(False, UNDER, number, number))
    chosen = [line for line in compaction.in_scope(lines, limits, context.clock()) if not _is_spared(context, line)]
    merged = compaction.merged_text(chosen)
    if not merged:
        return LogPlan(Compaction(True, NOTHING, number, number))
    made = compaction.record(merged, chosen, project=context.project, now=context.clock())
    done = Compaction(True, "", number, number - len(chosen) + 1, len(chosen), long_memory_appended=True)
    after = compaction.rewritten(lines, chosen, made)
    splices = (
        _archiving(context, chosen), splicing.plan(LOG, source, after), _summary(context, made.created_at[:10], merged)
    )  # fmt: skip
    return LogPlan(done, source, tuple(chosen), made, tuple(change for change in splices if change))


def _is_spared(context: ProjectContext, line: Line) -> bool:
    """Whether a record stays because its memory is pinned, no longer active, or private by now."""
    stored = context.store.get(line.memory.uid) if line.memory else None
    if stored is None:
        return False
    memory = stored.memory
    return memory.usage.pinned or memory.status != "active" or memory.sensitivity not in SHAREABLE


def _archiving(context: ProjectContext, chosen: list[Line]) -> Splice | None:
    """Return the change that appends the original lines to the archive; None without one."""
    path = context.config.log.archive
    if not path:
        return None
    vault_files.check_archive(context, path)
    place = files.inside(context.vault.root, path)
    before = files.read(place, foreign_files.LOG_BYTES) if files.look(place) else None
    return splicing.appended(path, before, "".join(f"{line.text.strip()}\n" for line in chosen))


def _summary(context: ProjectContext, day: str, merged: str) -> Splice | None:
    """Return the change that adds a day's summary to LONGMEMORY.md."""
    rules = context.config.log
    before = _text_of(context, rules.long_memory)
    after = long_memory.with_summary(before, day, merged, most_chars=rules.long_memory_chars)
    return splicing.plan(rules.long_memory, before, after)


def _text_of(context: ProjectContext, path: str) -> str | None:
    """Return the text of a file of the project; None where there is none. Raises UnreadableFile, OutsideVault."""
    if not path or path == LOG:
        fix = "Set log.long_memory to another file of the project, such as LONGMEMORY.md."
        raise OutsideVault("not a place for long-term summaries", target=path, fix=fix)
    place = files.inside(context.vault.root, path)
    if files.look(place) is None:
        if odd := files.oddity(place):
            raise UnreadableFile(f"cannot be written: it is {odd}", target=path, fix="Make it an ordinary file.")
        return None
    return to_text(files.read(place, foreign_files.LOG_BYTES, root=context.vault.root), target=path)


def compact(context: ProjectContext, limits: Limits) -> Compaction:
    """Merge old records, as one group of changes; return what was done, or why nothing was (C16).

    Raises Refused where the result is not what it should be, DiskRefused where a file cannot be written; then
    everything is as it was.
    """
    vault_files.recover(context)
    first = plan(context, limits)
    if not first.changes:
        return first.result
    try:
        with compaction_lock.held(context.vault.root):
            return _compact(context, limits)
    except compaction_lock.LockHeld:
        number = first.result.records_before
        return Compaction(False, HELD, number, number)


def planned(work: JobInput) -> Plan:
    """Return what the job would change, for people to look at."""
    found = plan(_project(work), limits_of(work.config))
    reason = f"{found.result.records_compacted} records older than {work.config.log.compact_min_age_days} days"
    steps = [
        Step(change, change.path, f"rewrite {change.path}", reason, preview=change.inserted or "")
        for change in found.splices
    ]
    return Plan(tuple(steps), str(found.result), found.result.records_before)


def run(work: JobInput) -> str:
    """Do the job, where the project keeps a log; return what was done in a few words."""
    context = _project(work)
    if not context.vault.logs:
        return "no log is kept here"
    return str(compact(replace(context, actor=ACTOR), limits_of(context.config)))


def _project(work: JobInput) -> ProjectContext:
    if work.project is None:
        raise ValueError("the job needs an open project")
    return work.project


def is_over_threshold(context: ProjectContext, coming: Sequence[str] = ()) -> bool:
    """Whether the log, with the texts that are about to be appended, exceeds a threshold of the settings."""
    limits = limits_of(context.config)
    if not context.vault.logs or not limits.has_threshold:
        return False
    source = vault_files.read_log(context)
    records = sum(line.startswith(memory_log.BULLET) for line in source.split("\n"))
    return limits.are_exceeded(records + len(coming), len(source) + sum(map(len, coming)))


def after_append(context: ProjectContext) -> Compaction | None:
    """Merge old records where the settings ask for it and an append exceeded a threshold; None where they do not."""
    limits = limits_of(context.config)
    if not context.config.log.compact or not limits.has_threshold:
        return None
    done = compact(context, limits)
    return done if done.records_compacted else None


def _compact(context: ProjectContext, limits: Limits) -> Compaction:
    """Plan anew where a file was changed between plan and commit."""
    for attempt in range(TRIES):
        found = plan(context, limits)
        if not found.changes:
            break
        try:
            _write(context, found)
        except Conflict:
            if attempt + 1 == TRIES:
                raise
        else:
            break
    return found.result


def _write(context: ProjectContext, found: LogPlan) -> None:
    _keep_originals(context, found)
    _back_up(context, found.source)
    store_only = replace(context, vault=replace(context.vault, logs=False))  # no line at the end, none in a daily file
    commit.commit(store_only, found.changes, also=lambda: _finish(context, found), survives_kill=True)


def _finish(context: ProjectContext, found: LogPlan) -> None:
    """Check the rewritten file, before the transaction ends: what is wrong with it puts everything back (C18)."""
    before, after = (memory_log.lines(text) for text in (found.source, vault_files.read_log(context)))
    wrong = compaction.problems(before, after, found.chosen, context.kinds, context.clock())
    if wrong:
        fix = "Nothing was changed. `recollect log scan` shows the records."
        raise Refused(f"compaction stopped: {'; '.join(wrong)}", target=LOG, code="COMPACT_ERROR", fix=fix)
    for path in (BACKUP, context.config.log.archive):
        if path:
            vault_files.register_archive(context, path)


def _keep_originals(context: ProjectContext, found: LogPlan) -> None:
    """Save records in the store that only the file has, where no archive takes their lines."""
    records = [line.memory for line in found.chosen if line.memory]
    unknown = [record for record in records if not context.store.get(record.uid)]
    if context.config.log.archive:
        return
    # As capture does: undoing that would remove their lines from the daily files.
    store_only = replace(context, actor=CAPTURE, vault=replace(context.vault, logs=False))
    for start in range(0, len(unknown), AT_ONCE):
        some = unknown[start : start + AT_ONCE]
        commit.commit(store_only, [Create(record, merge_duplicate=False, exact=True) for record in some])


def _back_up(context: ProjectContext, source: str) -> None:
    with vault_files.held(context), Writing(context.vault.root) as writing:
        files.sweep(context.vault.root)  # a run that was killed may have left its drafts
        writing.write(BACKUP, source.encode())

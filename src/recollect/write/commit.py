"""The one write path: `commit` applies changes to store, journal and vault, all or nothing.

The steps: screen the changes for secrets, lock the vault, apply each change (`changes.apply`), record the journal
entries, commit the database, append to the journal's mirror.

Files are written first, then the database commits: a process killed in between leaves a file that the next scan
takes in, never a memory whose file is missing. If the database refuses, the files are put back.
"""

import contextlib
from collections.abc import Callable, Iterator, Sequence

from recollect.errors import NotFound, RecollectError
from recollect.model import text
from recollect.model.change import Assert, Change, Create, Retract, Reweigh, Touch
from recollect.model.memory import SHAREABLE, Memory
from recollect.project_context import ProjectContext
from recollect.store import journal_mirror
from recollect.vault.files import Writing
from recollect.write import change_screening, compiled_rules, vault_files
from recollect.write.changes import apply
from recollect.write.group import Group
from recollect.write.outcome import Outcome
from recollect.write.vault_files import VaultFiles


def commit(
    context: ProjectContext,
    changes: Sequence[Change],
    *,
    group_id: str = "",
    also: Callable[[], None] | None = None,
    survives_kill: bool = False,
    tick: Callable[[int], None] = lambda _: None,
) -> list[Outcome]:
    """Apply changes as one group; return an outcome for each, then one for each memory that a cap or window closed.

    A Reweigh has no outcome: there may be many thousands.

    The changes are screened for secrets first. `group_id` continues a group, so that changes committed in parts are
    undone as a whole. With `survives_kill` files are put back where the process is killed before the database commits.
    `also` is called in the same transaction, `tick` after each change. Memories that were closed to
    make room are named in the first outcome's notes. Raises what the first change that fails raises; then nothing is
    written.
    """
    changes = sorted(changes, key=_is_weight)  # those with an outcome first
    screened, notes = change_screening.changes(changes)
    is_durable = not changes or not all(isinstance(change, Touch) for change in changes)
    with _vault_locked(context, changes):
        group_id = group_id or text.new_uid(context.clock())
        has_files = survives_kill and _may_write_files(context, changes)
        diary = vault_files.diary(context, group_id) if has_files else None
        with Writing(context.vault.root, diary=diary) as writing, context.store.writing(durable=is_durable):
            group = Group(context, VaultFiles(context, writing), group_id)
            applied = apply.apply(group, screened, tick)
            outcomes = [outcome.with_notes(notes.get(number, ())) for number, outcome in enumerate(applied)]
            context.store.record(group.entries)
            if also:
                also()
        if context.config.vault.auto_commit and writing.changed:
            vault_files.commit_to_git(context, writing.changed, _git_summary(outcomes))
    mirror(context)
    compiled_rules.refresh_for(context.store, _changed_memories(outcomes))
    closed = [
        f"{outcome.action} {_named(outcome.memory)}: {outcome.memory.closed_reason}"
        for outcome in outcomes[len(changes) - sum(map(_is_weight, changes)) :]
    ]
    return [outcomes[0].with_notes(closed), *outcomes[1:]] if outcomes else []


def _is_weight(change: Change) -> bool:
    return isinstance(change, Reweigh)


def commit_each(context: ProjectContext, changes: Sequence[Change]) -> list[Outcome]:
    """Commit changes as one group; where another process removed a memory meanwhile, each one by itself.

    Changes to memories that are gone are left out.
    """
    if not changes:
        return []
    with contextlib.suppress(NotFound):
        return commit(context, changes)
    done: list[Outcome] = []
    for change in changes:
        with contextlib.suppress(NotFound):
            done += commit(context, [change])
    return done


def mirror(context: ProjectContext) -> None:
    """Append to the journal's mirror what it lacks; a mirror that cannot be written is only a warning."""
    try:
        journal_mirror.append_missing_entries(context.store, context.journal)
    except RecollectError as error:  # the change itself is safe in the database; the mirror catches up next time
        context.warn(f"WARNING: {error.message}")


@contextlib.contextmanager
def _vault_locked(context: ProjectContext, changes: Sequence[Change]) -> Iterator[None]:
    """Hold the vault's lock where a change may write files."""
    if not _may_write_files(context, changes):
        yield
        return
    with vault_files.held(context):
        yield


def _may_write_files(context: ProjectContext, changes: Sequence[Change]) -> bool:
    """Whether a change may write files: any of memories in a vault; all but new ones where there is an old log."""
    of_memories = [change for change in changes if not isinstance(change, Touch | Reweigh | Assert | Retract)]
    if context.vault.is_on:
        return bool(of_memories)
    return any(not isinstance(change, Create) for change in of_memories) and context.vault.has_log


def _changed_memories(outcomes: Sequence[Outcome]) -> list[Memory]:
    """Return the memories that were changed, as they are now and as they were before."""
    changed = [outcome for outcome in outcomes if outcome.is_memory and outcome.action != "unchanged"]
    return [memory for outcome in changed for memory in (outcome.memory, outcome.before) if memory]


def _git_summary(outcomes: Sequence[Outcome]) -> str:
    """Return the subject of the git commit: what was done to the first memory, and how many more there are."""
    memories = [outcome for outcome in outcomes if outcome.is_memory]
    changed = [outcome for outcome in memories if outcome.action != "unchanged"] or memories
    more = f" and {len(changed) - 1} more" if len(changed) > 1 else ""
    if not changed:
        return "log" if any(outcome.is_file for outcome in outcomes) else "facts"
    first = changed[0].memory
    name = f"{first.kind} '{first.title}'" if first.sensitivity in SHAREABLE else _named(first)
    return f"{changed[0].action} {name}{more}"


def _named(memory: Memory) -> str:
    """Return a memory's name; only its sensitivity where that must not be shared."""
    return f"{memory.kind}/{memory.slug}" if memory.sensitivity in SHAREABLE else f"a {memory.sensitivity} memory"

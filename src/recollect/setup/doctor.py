"""Is everything well, and if not, what to do."""

import os
import stat
from pathlib import Path

from recollect import machine
from recollect.errors import DiskRefused
from recollect.identity.resolver import Standing
from recollect.model.kinds import Kinds
from recollect.project_context import ProjectContext
from recollect.setup import installation_checks
from recollect.setup.check import Check
from recollect.store import journal_mirror
from recollect.store.sqlite.store import SqliteStore
from recollect.vault import lock, notes, views
from recollect.write import journal_rebuild, vault_sync
from recollect.write.journal_rebuild import Rebuilt


def examine(context: ProjectContext, home: Path, standing: Standing) -> list[Check]:
    """Store, journal, permissions, vault, index, hooks: each with the next step where something is wrong."""
    checks = [_store(context), _journal(context), _permissions(context), _project(standing), _vault(context, standing)]
    if context.vault.layouts:
        checks += [_files(context), _lock(context)]
    if context.vault.has_index:
        checks.append(_index(context))
    return [*checks, *installation_checks.examine(context, home)]


def _store(context: ProjectContext) -> Check:
    problems = context.store.problems()
    if problems:
        return Check("store", False, "; ".join(problems[:3]), "Run `recollect doctor --repair`.")
    counts = context.store.count()
    said = ", ".join(f"{number} {status}" for status, number in sorted(counts.items())) or "no memories yet"
    return Check("store", True, f"{context.store.location}: {said}")


def _journal(context: ProjectContext) -> Check:
    if not context.journal.exists() and context.store.entries(limit=1):
        return Check("journal", False, f"{context.journal} is missing", "The next change writes it anew, in full.")
    broken = [line for line in journal_mirror.read(context.journal) if isinstance(line, str)]
    if broken:
        fix = "Nothing is lost while the store is well; the lines name what a rebuild could not use."
        return Check("journal", False, f"{len(broken)} lines cannot be read: {broken[0]}", fix)
    return Check("journal", True, str(context.journal))


def _permissions(context: ProjectContext) -> Check:
    open_to_others = [
        str(path)
        for path in (context.store.home, *context.store.live_files()[:1], context.journal)
        if os.name == "posix" and path.exists() and stat.S_IMODE(path.stat().st_mode) & 0o077
    ]
    if open_to_others:
        return Check(
            "permissions",
            False,
            f"others can read {', '.join(open_to_others)}",
            f"Run: chmod go= {' '.join(open_to_others)}",
        )
    return Check("permissions", True, "only you can read the store")


def _project(standing: Standing) -> Check:
    if standing.unproven:
        says = f"this folder says that it is {standing.unproven}, but shares no commit with it"
        return Check("project", False, says, "Run `recollect trust` if it is; until then its memories are kept apart.")
    return Check("project", True, standing.project)


def _vault(context: ProjectContext, standing: Standing) -> Check:
    if context.vault.is_on:
        names = [layout.name for layout in context.vault.layouts] + ["log"] * context.vault.logs
        return Check("vault", True, f"{context.vault.root}: {', '.join(names)}")
    if not standing.is_trusted and notes.holds_vault(context.checkout.root):
        says = "this repository has memories that you have not trusted yet"
        return Check("vault", False, says, "Run `recollect trust`.")
    return Check("vault", True, "off; `recollect init` keeps memories as files in the repository")


def _files(context: ProjectContext) -> Check:
    report = vault_sync.scan(context)
    if report.waiting:
        return Check("files", True, report.waiting)
    if report.problems:
        path, problem = next(iter(report.problems.items()))
        fix = "Correct the files, then run `recollect reconcile`; the last good versions are kept."
        return Check("files", False, f"{len(report.problems)} not taken in: {path}: {problem}", fix)
    return Check("files", True, "every file is taken in")


def _lock(context: ProjectContext) -> Check:
    folder = context.vault.lock_folder / lock.NAME
    if folder.exists():
        return Check("lock", False, f"{folder} is held", "If no other program runs, `recollect reconcile` clears it.")
    return Check("lock", True, "free")


def _index(context: ProjectContext) -> Check:
    wanted = {entry.path for entry in views.active_entries(views.scan_files(context.vault, context.kinds, _quiet))}
    listed = views.read_index(context.vault)
    if {entry.path for entry in listed or []} != wanted:
        return Check("index", False, "index.md does not match the files", "Run `recollect reconcile`.")
    return Check("index", True, f"{len(wanted)} lines")


def _quiet(_: str) -> None:
    """The check of the files names what cannot be read."""


def repair(database: Path, mirror: Path, kinds: Kinds) -> tuple[Path, Rebuilt]:
    """Set a damaged database aside and rebuild it from the journal's mirror."""
    aside = set_aside(database)
    return aside, rebuild_database(database, mirror, kinds) or Rebuilt()


def rebuild_database(database: Path, mirror: Path, kinds: Kinds) -> Rebuilt | None:
    """A new database from the mirror, whole or not at all; None when another process was first."""
    machine.make_folder(database.parent)
    with machine.lock(database.with_name("rebuild.lock"), timeout_seconds=60):
        if database.exists() and database.stat().st_size:
            return None
        draft = database.with_name(f"{database.name}.new")
        for left in database.parent.glob(f"{draft.name}*"):
            left.unlink()
        store = SqliteStore(draft, kinds)
        done = journal_rebuild.from_journal(store, mirror)
        store.close()
        draft.replace(database)
        journal_mirror.set_aside(mirror)
        store = SqliteStore(database, kinds)
        journal_mirror.catch_up(store, mirror)
        store.close()
    return done


def set_aside(database: Path) -> Path:
    """Rename the database and its companions; nothing is deleted."""
    number = sum(1 for _ in database.parent.glob(f"{database.name}.damaged-*")) + 1
    aside = database.with_name(f"{database.name}.damaged-{number}")
    try:
        database.rename(aside)
        for suffix in ("-wal", "-shm"):
            companion = database.with_name(database.name + suffix)
            if companion.exists():
                companion.rename(aside.with_name(aside.name + suffix))
    except OSError as error:
        raise DiskRefused(f"the database cannot be set aside: {error}", target=database) from error
    return aside

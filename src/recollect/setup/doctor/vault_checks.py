"""Checks of a project: its identity, its vault, the vault's files, lock and index."""

import shlex

from recollect.identity import projects
from recollect.identity.resolver import Standing
from recollect.project.project_rule import short_commit
from recollect.project_context import ProjectContext
from recollect.setup.doctor.check import Check, well, wrong
from recollect.vault import lock, notes, views
from recollect.write import vault_sync


def check_project(standing: Standing) -> Check:
    """Check that the project which the folder's remote names is proven."""
    if standing.unproven:
        says = f"this folder says that it is {standing.unproven}, but shares no commit with it"
        return wrong("project", says, "Run `recollect trust` if it is; until then its memories are kept apart.")
    return well("project", short_commit(standing.project))


def check_lookalikes(context: ProjectContext) -> list[Check]:
    """Check that no other project looks like this one: with the same first commit, or in the same folder."""
    checks = []
    for other in projects.lookalikes(context.store, context.project):
        name = shlex.quote(other.short)
        fix = f"`recollect project merge {name}` joins the two; `recollect project apart {name}` keeps them apart."
        checks.append(wrong("projects", f"{short_commit(other.project)} {other.why}", fix))
    return checks


def check_vault(context: ProjectContext, standing: Standing) -> Check:
    """Check that the repository holds no memories which wait to be trusted; report the layouts in use."""
    if context.vault.is_on:
        names = [layout.name for layout in context.vault.layouts] + ["log"] * context.vault.logs
        return well("vault", f"{context.vault.root}: {', '.join(names)}")
    if not standing.is_trusted and notes.holds_vault(context.checkout.root):
        says = "this repository has memories that you have not trusted yet"
        return wrong("vault", says, "Run `recollect trust`.")
    return well("vault", "off; `recollect init` keeps memories as files in the repository")


def check_files(context: ProjectContext) -> list[Check]:
    """Check the files, the lock and the index of the vault; nothing where the vault has none of them."""
    checks = [_check_files(context), _check_lock(context)] if context.vault.layouts else []
    return [*checks, _check_index(context)] if context.vault.has_index else checks


def _check_files(context: ProjectContext) -> Check:
    report = vault_sync.scan(context)
    if report.waiting:
        return well("files", report.waiting)
    if report.problems:
        path, problem = next(iter(report.problems.items()))
        fix = "Correct the files, then run `recollect reconcile`; the store keeps the last valid versions."
        return wrong("files", f"{len(report.problems)} not read: {path}: {problem}", fix)
    return well("files", "every file is read")


def _check_lock(context: ProjectContext) -> Check:
    folder = context.vault.lock_folder / lock.NAME
    if folder.exists():
        return wrong("lock", f"{folder} is held", "If no other program runs, `recollect reconcile` clears it.")
    return well("lock", "free")


def _check_index(context: ProjectContext) -> Check:
    files = views.scan_files(context.vault, context.kinds, _ignore_warning)
    wanted = {entry.path for entry in views.active_entries(files)}
    listed = {entry.path for entry in views.read_index(context.vault) or []}
    if listed != wanted:
        return wrong("index", "index.md does not match the files", "Run `recollect reconcile`.")
    return well("index", f"{len(wanted)} lines")


def _ignore_warning(_: str) -> None:
    """Ignore a file that cannot be read: `_check_files` names it."""

"""Write the files of a plan, all or none, and the manifest that can undo them."""

import contextlib
from collections.abc import Sequence
from pathlib import Path

from recollect import machine
from recollect.errors import Conflict, DiskRefused
from recollect.setup import manifest
from recollect.setup.install.plan import Change, Plan
from recollect.setup.manifest import read_file

LOCK_SECONDS = 10


def apply(plan: Plan, home: Path) -> None:
    """Make the changes of a plan, all or none.

    The manifest is written before the first change, so that an interrupted install can be undone. Raises Conflict
    where a file changed since the plan was made, and DiskRefused where one cannot be written.
    """
    if plan.is_idle and plan.after == plan.known:
        return
    with manifest.refusals(home / manifest.NAME):
        machine.make_folder(home)
        with machine.lock(home, timeout_seconds=LOCK_SECONDS):
            _check_unchanged(plan, home)
            if plan.during != plan.known:
                manifest.write(home, plan.during)
            _write_files(plan, home)
            if plan.after != plan.during:
                manifest.write(home, plan.after)


def _check_unchanged(plan: Plan, home: Path) -> None:
    changed = [change.path for change in plan.changes if read_file(change.path) != change.before]
    if changed or manifest.read(home) != plan.known:
        target = changed[0] if changed else home / manifest.NAME
        raise Conflict("the file changed meanwhile", target=target, fix="Try again; nothing was changed.")


def _write_files(plan: Plan, home: Path) -> None:
    done: list[Change] = []
    try:
        for change in plan.changes:
            with manifest.refusals(change.path):
                _write(change, change.after)
            done.append(change)
    except DiskRefused:
        if _take_back(done) and plan.during != plan.known:
            manifest.write(home, plan.known)
        raise
    finally:
        _remove_empty_folders(plan)


def _write(change: Change, data: bytes | None) -> None:
    if change.before == change.after:
        manifest.drop_draft(change.path)
    else:
        manifest.put(change.path, data)


def _take_back(done: Sequence[Change]) -> bool:
    """Undo changes, and return whether all of them are undone; otherwise the manifest still knows how."""
    for change in reversed(done):
        with contextlib.suppress(OSError):
            _write(change, change.before)
    return all(read_file(change.path) == change.before for change in done)


def _remove_empty_folders(plan: Plan) -> None:
    folders = {folder for install in plan.about for file in install.files for folder in file.folders}
    for folder in sorted(folders, key=lambda path: len(path.parts), reverse=True):
        with contextlib.suppress(OSError):  # it holds something, or is gone
            folder.rmdir()

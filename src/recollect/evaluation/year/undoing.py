"""Check on the store of a simulated year that `undo` takes a job back byte for byte."""

from pathlib import Path

from recollect import foreign_files
from recollect.library.workspace import Workspace
from recollect.model.query import Query

JOBS = ("weigh", "compress", "forget")


def restores(workspace: Workspace) -> bool | None:
    """Run each job that has something to do, undo it, and compare; None where none has anything to do."""
    results = [_restores_after(workspace, name) for name in JOBS if workspace.plan_job(name).steps]
    return all(results) if results else None


def _restores_after(workspace: Workspace, name: str) -> bool:
    before = _everything(workspace)
    workspace.run_job(name, even_so=True)
    is_changed = _everything(workspace) != before
    workspace.undo()
    return is_changed and _everything(workspace) == before


def _everything(workspace: Workspace) -> dict[str, bytes]:
    """Return the image of every memory by its uid, and every file of the project by its path."""
    context = workspace.project_context
    stored = context.store.find(Query(workspace.project, statuses=()))
    files = [path for path in Path(context.root).rglob("*") if path.is_file()]
    return {row.memory.uid: row.memory.image.encode() for row in stored} | {
        str(path): foreign_files.read(str(path), most_bytes=foreign_files.DATASET_BYTES) for path in files
    }

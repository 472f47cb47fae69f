"""`recollect list --json`: every field of every memory; a separate module, because importing the model is slow."""

from collections.abc import Sequence
from typing import Any

from recollect.faces.cli import output
from recollect.faces.cli.shared import opened
from recollect.library.workspace import Workspace
from recollect.model.kinds import unknown


def print_list(*, kinds: Sequence[str], stale: bool = False, **filters: Any) -> None:  # noqa: ANN401
    """Print the memories that pass the filters, with their short ids; with `stale` why each may no longer hold."""
    if stale:
        _print_stale(kinds, **filters)
        return
    with opened(as_json=True) as workspace:
        _check(workspace, kinds)
        found = workspace.list(kinds=kinds, **filters)
        ids = workspace.short_ids([memory.uid for memory in found])
    output.print_json([output.as_dict(memory, id=ids[memory.uid]) for memory in found])


def _print_stale(kinds: Sequence[str], *, limit: int | None, offset: int, **filters: Any) -> None:  # noqa: ANN401
    with opened(as_json=True) as workspace:
        _check(workspace, kinds)
        reasons = workspace.stale(all_projects=filters["all_projects"])
        found = [memory for memory in workspace.list(kinds=kinds, **filters) if memory.uid in reasons]
        found = found[offset : None if limit is None else offset + limit]
        ids = workspace.short_ids([memory.uid for memory in found])
    output.print_json([output.as_dict(memory, id=ids[memory.uid], stale=reasons[memory.uid]) for memory in found])


def check_kinds(kinds: Sequence[str]) -> None:
    """Raise BadInput for a kind that this project does not have."""
    with opened(as_json=False) as workspace:
        _check(workspace, kinds)


def _check(workspace: Workspace, kinds: Sequence[str]) -> None:
    for kind in kinds:
        if kind not in workspace.kinds:
            raise unknown(kind, workspace.kinds)

"""Find the memory that new information is about, for claude-memory's drafters (seed 002 §4)."""

from pathlib import Path
from typing import Any

from recollect.errors import BadInput, RecollectError
from recollect.formats import json_file
from recollect.formats.index_md import Entry
from recollect.interop import index_file
from recollect.model.kinds import Kind
from recollect.policy.ranking import candidate_match
from recollect.project_context import ProjectContext
from recollect.vault import files


def choose(context: ProjectContext, kind: Kind, new_info: str, event: str | None) -> dict[str, Any]:
    """Return the best candidate, None if there is none, and what may be done with it; the keys are those of B31."""
    best = candidate_match.best(new_info, kind, index_file.entries(context))
    candidate = _candidate(context, kind, best[1]) if best else None
    verdict = candidate_match.judge(kind, event, best[0] if best and candidate else None)
    if kind.name in context.config.capture.skip_kinds:  # claude-memory's auto_capture
        verdict = candidate_match.left_alone(verdict, kind)
    return {
        "candidate": candidate,
        "lifecycle_event": event,
        "delete_allowed": verdict.delete_allowed,
        "pre_action": verdict.pre_action,
        "structural_cud": verdict.structural_cud,
        "vetoes": verdict.vetoes,
        "hints": verdict.hints,
    }


def _candidate(context: ProjectContext, kind: Kind, entry: Entry) -> dict[str, Any] | None:
    """Return the candidate of an index line with an excerpt of its file; None for a path outside the vault.

    The path is relative to the project's root, whatever the current folder is (B35).
    """
    try:
        place = files.inside(context.vault.root, entry.path)
        is_inside = files.real(context.vault.root / context.vault.json_root) in place.parents and not place.is_symlink()
        if not is_inside or Path(entry.path).suffix != ".json":
            raise BadInput("not a .json file of the vault", target=entry.path)
    except RecollectError as error:
        context.warn(f"WARNING: {entry.path}: {error.message}")
        return None
    try:
        record = json_file.parse(files.read(place, root=context.vault.root), target=entry.path)
        excerpt = candidate_match.excerpt(record, kind)
    except RecollectError as error:
        context.warn(f"WARNING: {entry.path}: {error.message}")
        excerpt = None
    return {"path": entry.path, "title": entry.title, "tags": list(entry.tags), "excerpt": excerpt}

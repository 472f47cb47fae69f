"""Rebuild and read `index.md`, as claude-memory's tools need it."""

from recollect.formats.index_md import Entry
from recollect.model.query import Query
from recollect.project_context import ProjectContext
from recollect.vault import views
from recollect.vault.files import Writing
from recollect.write import vault_files


def rebuild(context: ProjectContext, *, even_empty: bool = True) -> int:
    """Rebuild the index from the files; return the number of lines."""
    with vault_files.held(context), Writing(context.vault.root) as writing:
        return views.rebuild_index(writing, context.vault, context.kinds, context.warn, even_empty=even_empty)


def entries(context: ProjectContext) -> list[Entry]:
    """Return the lines of the index without expired memories; a missing index is rebuilt first."""
    if views.read_index(context.vault) is None:
        rebuild(context, even_empty=False)
    expired = _expired(context)
    return [entry for entry in views.read_index(context.vault) or [] if entry.path not in expired]


def _expired(context: ProjectContext) -> set[str]:
    """Return the paths of expired memories; the index format does not mark them (D10)."""
    due = context.store.find(Query(context.project, expired_at=context.clock().timestamp()))
    seen = (context.store.sighting_of(context.root, found.memory.uid) for found in due)
    return {sighting.path for sighting in seen if sighting}

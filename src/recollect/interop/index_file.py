"""`index.md` as claude-memory's tools ask for it: renewed, or read and renewed if it is missing."""

from recollect.formats.index_md import Entry
from recollect.model.query import Query
from recollect.project_context import ProjectContext
from recollect.vault import views
from recollect.vault.files import Writing
from recollect.write import vault_files


def rebuild(context: ProjectContext, *, even_empty: bool = True) -> int:
    """Regenerate it from the files; the number of lines."""
    with vault_files.held(context), Writing(context.vault.root) as writing:
        return views.rebuild_index(writing, context.vault, context.kinds, context.warn, even_empty=even_empty)


def entries(context: ProjectContext) -> list[Entry]:
    """Its lines but for what has expired; a missing one is rebuilt first, and that of an empty vault is empty."""
    if views.read_index(context.vault) is None:
        rebuild(context, even_empty=False)
    over = _expired(context)
    return [entry for entry in views.read_index(context.vault) or [] if entry.path not in over]


def _expired(context: ProjectContext) -> set[str]:
    """The files of memories past their time: the format has no word for it (D10)."""
    due = context.store.find(Query(context.project, expired_at=context.clock().timestamp()))
    seen = (context.store.sighting_of(context.root, found.memory.uid) for found in due)
    return {sighting.path for sighting in seen if sighting}

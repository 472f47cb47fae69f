"""`index.md` as claude-memory's tools ask for it: renewed, or read and renewed if it is missing."""

from recollect.formats.index_md import Entry
from recollect.lifecycle import twin
from recollect.lifecycle.space import Space
from recollect.model.query import Query
from recollect.vault import views
from recollect.vault.files import Writing


def rebuild(space: Space, *, even_empty: bool = True) -> int:
    """Regenerate it from the files; the number of lines."""
    with twin.held(space), Writing(space.vault.root) as writing:
        return views.rebuild_index(writing, space.vault, space.kinds, space.warn, even_empty=even_empty)


def entries(space: Space) -> list[Entry]:
    """Its lines but for what has expired; a missing one is rebuilt first, and that of an empty vault is empty."""
    if views.read_index(space.vault) is None:
        rebuild(space, even_empty=False)
    over = _expired(space)
    return [entry for entry in views.read_index(space.vault) or [] if entry.path not in over]


def _expired(space: Space) -> set[str]:
    """The files of memories past their time: the format has no word for it (D10)."""
    due = space.store.find(Query(space.project, expired_at=space.clock().timestamp()))
    seen = (space.store.sighting_of(space.root, found.memory.uid) for found in due)
    return {sighting.path for sighting in seen if sighting}

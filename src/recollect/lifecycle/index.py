"""`index.md` as claude-memory's tools ask for it: renewed, or read and renewed if it is missing."""

from recollect.formats.index_md import Entry
from recollect.lifecycle import twin
from recollect.lifecycle.space import Space
from recollect.vault import views
from recollect.vault.files import Writing


def rebuild(space: Space, *, even_empty: bool = True) -> int:
    """Regenerate it from the files; the number of lines."""
    with twin.held(space), Writing(space.vault.root) as writing:
        return views.rebuild_index(writing, space.vault, space.kinds, space.warn, even_empty=even_empty)


def entries(space: Space) -> list[Entry]:
    """Its lines; a missing one is rebuilt first, and that of an empty vault is empty."""
    if views.read_index(space.vault) is None:
        rebuild(space, even_empty=False)
    return views.read_index(space.vault) or []

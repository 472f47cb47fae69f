"""The verb `glance`: which project is open, what waits in it, and which others there are, for the frame of a page."""

from dataclasses import dataclass
from pathlib import Path

from recollect.model import text
from recollect.model.memory import PENDING
from recollect.model.query import TURNS, Query
from recollect.opening.open_project import OpenProject

KEY_CHARS = 10


@dataclass(frozen=True, slots=True)
class ProjectFolder:
    """A folder on this machine in which recollect is used."""

    key: str
    """A short name of the folder for addresses."""
    root: str
    project: str
    memories: int
    """How many active memories its project has."""
    is_here: bool


@dataclass(frozen=True, slots=True)
class Glance:
    """The open project, and the others."""

    project: str
    root: str
    memories: int
    """How many memories are active here; turns are not counted."""
    pending: int
    """How many captured memories wait for a person."""
    folders: tuple[ProjectFolder, ...]
    now: float
    """The time, in seconds since 1970."""


class GlanceVerbs(OpenProject):
    """What a frame around everything else shows."""

    def glance(self) -> Glance:
        """Return the open project, what waits in it, and the other projects of this store."""
        store, now = self._context.store, self._context.clock().timestamp()
        memories = store.number(Query(self.project, no_kinds=TURNS, unexpired_at=now))
        pending = store.number(Query(self.project, tags=(PENDING,), unexpired_at=now))
        return Glance(self.project, str(self.root), memories, pending, tuple(self.project_folders()), now)

    def project_folders(self) -> list[ProjectFolder]:
        """Return the folders of this store that exist, those with the most memories first."""
        store = self._context.store
        sizes, here = store.projects.sizes(no_kinds=TURNS), str(self.root)
        found = [
            ProjectFolder(
                folder_key(known.root), known.root, known.project, sizes.get(known.project, 0), known.root == here
            )
            for known in store.projects.checkouts()
            if Path(known.root).is_dir()
        ]
        return sorted(found, key=lambda folder: (-folder.memories, folder.root))


def folder_key(root: str) -> str:
    """Return the short name of a folder: the beginning of a hash."""
    return text.sha256(root)[:KEY_CHARS]

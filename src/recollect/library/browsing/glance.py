"""The verb `glance`: which project is open, what waits in it, and which others there are, for the frame of a page."""

from collections.abc import Mapping
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
    """How many active memories its project has; turns are not counted."""
    is_here: bool


@dataclass(frozen=True, slots=True)
class Glance:
    """The open project, and the others."""

    project: str
    root: str
    memories: int
    """How many memories are active here; turns are not counted."""
    waiting: int
    """How many memories wait for a person's decision: captured ones that are not certain, and conflicts."""
    folders: tuple[ProjectFolder, ...]
    now: float
    """The time, in seconds since 1970."""


class GlanceVerbs(OpenProject):
    """What a frame around everything else shows."""

    def glance(self) -> Glance:
        """Return the open project, what waits in it, and the other projects of this store."""
        now = self._context.clock().timestamp()
        sizes = self._context.store.projects.sizes(no_kinds=TURNS, unexpired_at=now)
        folders, memories = self._folders(sizes), sizes.get(self.project, 0)
        return Glance(self.project, str(self.root), memories, self._waiting(now), folders, now)

    def _waiting(self, now: float) -> int:
        """Return how many memories `review` would list."""
        store = self._context.store
        newer = [store.get(uid) for uid in {uid for uid, _ in store.possible_conflicts(self.project, now)}]
        conflicts = [stored for stored in newer if stored and PENDING not in stored.memory.tags]
        return store.number(Query(self.project, tags=(PENDING,), unexpired_at=now)) + len(conflicts)

    def project_folders(self) -> list[ProjectFolder]:
        """Return the folders of this store that exist, those with the most memories first."""
        now = self._context.clock().timestamp()
        return list(self._folders(self._context.store.projects.sizes(no_kinds=TURNS, unexpired_at=now)))

    def _folders(self, sizes: Mapping[str, int]) -> tuple[ProjectFolder, ...]:
        here = str(self.root)
        found = [
            ProjectFolder(
                folder_key(known.root), known.root, known.project, sizes.get(known.project, 0), known.root == here
            )
            for known in self._context.store.projects.checkouts()
            if Path(known.root).is_dir()
        ]
        return tuple(sorted(found, key=lambda folder: (-folder.memories, folder.root)))


def folder_key(root: str) -> str:
    """Return the short name of a folder: the beginning of a hash."""
    return text.sha256(root)[:KEY_CHARS]

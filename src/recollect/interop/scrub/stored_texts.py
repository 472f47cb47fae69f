"""Remove the value from the store: memories, journal, events, receipts, settings."""

from dataclasses import dataclass, replace
from pathlib import Path

from recollect.interop.scrub.own_files import OwnFiles
from recollect.interop.scrub.renames import Renames
from recollect.model import text
from recollect.model.memory import Memory, from_json
from recollect.model.query import Query
from recollect.policy.secrets import leaks
from recollect.policy.secrets.leaks import Leak
from recollect.project_context import ProjectContext
from recollect.store.hook_reader.store_reader import OFF_SESSION
from recollect.store.protocols import Sighting


@dataclass(frozen=True, slots=True)
class StoredTexts:
    """The texts in the rows of the store."""

    context: ProjectContext
    leak: Leak
    renames: Renames
    files: OwnFiles

    def holders(self) -> list[Memory]:
        """Return the memories that hold the value."""
        memories = (stored.memory for stored in self.context.store.find(Query(statuses=())))
        return [memory for memory in memories if self._clean_image(memory.image) != memory.image]

    def scrub(self) -> int:
        """Remove the value from every row; return the number of changed rows.

        Memories are written as memories, because what is derived from them changes too; all other rows as text.
        """
        store = self.context.store
        with store.writing():
            for memory in self.holders():
                self._scrub_memory(memory)
            for sighting in self.files.sightings():
                self._rename_file(sighting)
            rows = store.scrub(self.leak.clean, self._clean_image)
            self._rename_switches()
        store.settle()
        return rows

    def _clean_image(self, image: str) -> str:
        return leaks.clean_image(self.leak, image, self.renames.slug)

    def _scrub_memory(self, memory: Memory) -> None:
        store = self.context.store
        stored = store.get(memory.uid)
        self.renames.reserve(store, memory)
        clean = from_json(self._clean_image(memory.image), self.context.kinds)
        store.put(clean, stored.revision if stored else clean.revision())

    def _rename_file(self, sighting: Sighting) -> None:
        """Rename the file of a memory whose slug changed, and record its new path."""
        old = Path(sighting.path)
        slug = self.renames.file_slug(sighting.uid, old.stem)
        if slug == text.slugify(old.stem):
            return
        path, root = (old.parent / f"{slug}{old.suffix}").as_posix(), Path(sighting.root)
        if (root / sighting.path).is_file() and not (root / path).exists():
            (root / sighting.path).rename(root / path)
        self.context.store.unsee(sighting.root, sighting.path)
        self.context.store.see(replace(sighting, path=path))

    def _rename_switches(self) -> None:
        """Rename the settings that switch a session off, where the session's id holds the value."""
        store = self.context.store
        for name in store.settings(OFF_SESSION):
            clean = self.leak.clean(name)
            if clean != name:
                store.set_setting(clean, store.setting(name))
                store.set_setting(name, None)

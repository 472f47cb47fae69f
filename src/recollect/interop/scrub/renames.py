"""The new slugs of memories whose slug held the value."""

from dataclasses import dataclass, field

from recollect.model import text
from recollect.model.memory import Memory
from recollect.policy.secrets.leaks import Leak
from recollect.store.protocols import Store


@dataclass(frozen=True, slots=True)
class Renames:
    """Which slug takes the place of an old one, by memory: two memories must not get the same one."""

    leak: Leak
    slugs: dict[tuple[str, str], str] = field(default_factory=dict)
    """The new slug by the memory's id and its old slug."""

    def slug(self, uid: str, slug: str) -> str:
        """Return the new slug of a memory; one that was not reserved has the value cut out."""
        return self.slugs.get((uid, slug)) or self.leak.clean_slug(slug)

    def file_slug(self, uid: str, stem: str) -> str:
        """Return the new slug of a memory's file by the file's stem; the old one where it holds no value."""
        old = text.slugify(stem)
        return self.slugs.get((uid, old)) or (self.leak.clean_slug(old) if self.leak.is_in(stem) else old)

    def slug_in_backup(self, slug: str) -> str:
        """Return the slug of a row in a backup: changed only where it holds the value literally."""
        return self.leak.clean_slug(slug) if self.leak.is_in(slug) else slug

    def reserve(self, store: Store, memory: Memory) -> None:
        """Choose a new slug for a memory that no other memory of its kind has."""
        slug = wanted = self.leak.clean_slug(memory.slug)
        number = 1
        while (other := store.named(memory.project, memory.kind, slug)) and other.memory.uid != memory.uid:
            number += 1
            slug = f"{wanted[: text.SLUG_CHARS - 7].rstrip('-')}-{number}"
        self.slugs[memory.uid, memory.slug] = slug

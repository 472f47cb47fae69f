"""A leaked value is taken out of everything that we keep, and the files themselves are searched for proof.

Only what people and agents said is rewritten; the program's own words, identities and times stay as they are.
"""

import contextlib
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

import apsw

from recollect.errors import DiskRefused
from recollect.hot.shelf import OFF_SESSION
from recollect.lifecycle import twin
from recollect.lifecycle.space import Space
from recollect.model import text
from recollect.model.memory import Memory, from_json
from recollect.model.query import Query
from recollect.policy import leaks
from recollect.policy.leaks import Leak
from recollect.project.checkout import is_tracked
from recollect.store import scrub as database
from recollect.store.base import Sighting
from recollect.vault import views
from recollect.vault.files import Writing
from recollect.vault.layouts import WARM, Vault

LOGS = ("MEMORY.md", "LONGMEMORY.md")


@dataclass(slots=True)
class Scrubbed:
    """Where the value was, and where it still is."""

    memories: list[str] = field(default_factory=list)
    rows: int = 0
    files: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    in_git: list[str] = field(default_factory=list)
    """Files that git tracks: its history is not ours to rewrite."""


def scrub(space: Space, value: str, *, runtime: Path, home: Path | None, dry_run: bool = False) -> Scrubbed:
    """Take a value out of memories, vault, index, journal, backups and every other file of ours; then look again."""
    leak, done = leaks.of(value), Scrubbed()
    work = _Work(space, leak, runtime, home)
    done.memories = [f"{one.kind}/{one.slug}" for one in work.holders()]
    done.files = [str(place) for place in work.places() if _holds(place, leak)]
    done.in_git = [path for path in done.files if is_tracked(Path(path))]
    if dry_run:
        done.left = list(done.files)
        return done
    try:
        done.rows = work.scrub_store()
        work.scrub_files()
    except (OSError, apsw.Error) as error:
        raise DiskRefused(f"the value could not be taken out everywhere: {error}", fix="Run it again.") from error
    done.left = [str(place) for place in work.places() if _holds(place, leak)]
    return done


def _holds(place: Path, leak: Leak) -> bool:
    """Whether a file's bytes or its name hold the value, in any case and any spelling."""
    try:
        said = place.read_bytes().decode("utf-8", "surrogateescape").lower()
    except FileNotFoundError:
        return False
    return any(spelling in said or spelling in place.name.lower() for spelling in leak.spellings)


@dataclass(slots=True)
class _Work:
    """One scrubbing under way."""

    space: Space
    leak: Leak
    runtime: Path
    home: Path | None
    """Our own folder, where every file is ours."""
    names: dict[tuple[str, str], str] = field(default_factory=dict)
    """Which name takes the place of an old one, by memory: two must not become the same."""

    # -- the store ----------------------------------------------------------------------------------------------

    def holders(self) -> list[Memory]:
        """The memories that hold the value."""
        everything = (found.memory for found in self.space.store.find(Query(statuses=())))
        return [one for one in everything if leaks.clean_image(self.leak, one.image, self._slug) != one.image]

    def scrub_store(self) -> int:
        """Memories by hand, because what is derived from them changes too; all other rows as text."""
        store = self.space.store
        with store.writing():
            for memory in self.holders():
                stored = store.get(memory.uid)
                self.names[memory.uid, memory.slug] = self._free_name(memory)
                clean = from_json(leaks.clean_image(self.leak, memory.image, self._slug), self.space.kinds)
                store.put(clean, stored.revision if stored else clean.revision())
            for sighting in self._sightings():
                self._rename(sighting)
            rows = store.scrub(self.leak.clean, partial(leaks.clean_image, self.leak, slug=self._slug))
            for name in store.settings(OFF_SESSION):
                if self.leak.clean(name) != name:
                    store.set_setting(self.leak.clean(name), store.setting(name))
                    store.set_setting(name, None)
        store.settle()
        return rows

    def _slug(self, uid: str, slug: str) -> str:
        return self.names.get((uid, slug)) or self.leak.clean_slug(slug)

    def _literal_slug(self, slug: str) -> str:
        return self.leak.clean_slug(slug) if self.leak.is_in(slug) else slug

    def _free_name(self, memory: Memory) -> str:
        slug = wanted = self.leak.clean_slug(memory.slug)
        number = 1
        while (other := self.space.store.named(memory.project, memory.kind, slug)) and other.memory.uid != memory.uid:
            number += 1
            slug = f"{wanted[: text.SLUG_CHARS - 7].rstrip('-')}-{number}"
        return slug

    def _sightings(self) -> list[Sighting]:
        roots = {self.space.root, *(one.root for one in self.space.store.projects.checkouts())}
        return [sighting for root in sorted(roots) for sighting in self.space.store.sightings(root)]

    def _rename(self, sighting: Sighting) -> None:
        """The file of a memory that has another name now is called by it."""
        place = Path(sighting.path)
        old = text.slugify(place.stem)
        slug = self.names.get((sighting.uid, old)) or (self._slug("", old) if self.leak.is_in(place.stem) else old)
        if slug == old:
            return
        path, root = (place.parent / f"{slug}{place.suffix}").as_posix(), Path(sighting.root)
        if (root / sighting.path).is_file() and not (root / path).exists():
            (root / sighting.path).rename(root / path)
        self.space.store.unsee(sighting.root, sighting.path)
        self.space.store.see(replace(sighting, path=path))

    # -- the files ----------------------------------------------------------------------------------------------

    def places(self) -> Iterator[Path]:
        """Every file of ours: the store with its backups, the journal, what waits, and what each checkout keeps."""
        store, journal = self.space.store.path, self.space.journal
        is_home = store.parent == self.home
        found = [
            *store.parent.glob(f"{store.name}*"),
            *journal.parent.glob(f"{journal.name}*"),
            *self.runtime.rglob("*"),
        ]
        found += [*(store.parent.rglob("*") if is_home else ()), *(place for place, _ in self._kept())]
        yield from dict.fromkeys(_files(found))

    def _kept(self) -> Iterator[tuple[Path, str | None]]:
        """The files of every checkout, with the name of the memory that each holds, if any."""
        for sighting in self._sightings():
            place = Path(sighting.root) / sighting.path
            if place.is_file() and not place.is_symlink():
                yield place, text.slugify(place.stem)
        for root in sorted({self.space.root, *(one.root for one in self.space.store.projects.checkouts())}):
            yield from ((place, None) for place in _files(_logs(Path(root))))
        for name in self.space.store.settings(twin.ARCHIVE):
            root, _, path = name.removeprefix(twin.ARCHIVE).rpartition(":")
            yield from ((place, None) for place in _files([Path(root) / path]))
        for vault in self._vaults():
            yield from ((place, None) for place in _files((vault.root / vault.json_root).rglob("*")))

    def _vaults(self) -> list[Vault]:
        """The json vaults of every checkout that have an index."""
        roots = {(one.root, _json_root(one.path)) for one in self._sightings() if one.path.endswith(".json")}
        roots.add((self.space.root, self.space.vault.json_root))
        vaults = [Vault(Path(root), json_root=inner, clean=self.space.vault.clean) for root, inner in sorted(roots)]
        return [vault for vault in vaults if (vault.root / vault.json_root).is_dir()]

    def renew_indexes(self) -> None:
        """What lists the files is made anew from them."""
        for vault in (one for one in self._vaults() if (one.root / one.index).is_file()):
            with Writing(vault.root) as writing:
                views.rebuild_index(writing, vault, self.space.kinds, lambda _: None)

    def scrub_files(self) -> None:
        """Each as what it is: a vault file stays one, a backup is a database, a line of the journal holds images."""
        kept: dict[Path, str | None] = {}
        for place, name in self._kept():
            kept.setdefault(place, name)
        indexes = {vault.root / vault.index for vault in self._vaults()}
        for place in list(self.places()):
            if not _holds(place, self.leak) or self._is_store(place):
                continue
            if place in indexes:
                continue  # made anew below
            if place in kept:
                self._write(place, partial(leaks.clean_file, self.leak, place.name, slug=kept[place]))
            elif place.name.startswith(self.space.journal.name):
                self._write(place, self._clean_mirror)
            elif not self._scrub_database(place):
                self._write(place, self.leak.clean)
        self.renew_indexes()

    def _is_store(self, place: Path) -> bool:
        store = self.space.store.path
        return place.parent == store.parent and place.name in (store.name, f"{store.name}-wal", f"{store.name}-shm")

    def _clean_mirror(self, source: str) -> str:
        lines = source.split("\n")
        return "\n".join(leaks.clean_entry(self.leak, line, self._slug) if line else line for line in lines)

    def _write(self, place: Path, change: Callable[[str], str]) -> None:
        said = place.read_bytes().decode("utf-8", "surrogateescape")
        name = self.leak.clean(place.name).replace("/", "-")
        with Writing(place.parent) as writing:
            if name != place.name:
                writing.remove(place.name)
            writing.write(name, change(said).encode("utf-8", "surrogateescape"))

    def _scrub_database(self, place: Path) -> bool:
        """A backup is a database of its own; one that is damaged is overwritten byte by byte instead."""
        with place.open("rb") as file:
            if not file.read(16).startswith(b"SQLite format 3"):
                return False
        image = partial(leaks.clean_image, self.leak, slug=self._slug)
        with contextlib.suppress(apsw.Error):
            db = apsw.Connection(str(place))
            with db:
                database.rewrite(db, self.leak.clean, image, self._literal_slug)
            database.settle(db)
            db.close()
        if _holds(place, self.leak):
            said = place.read_bytes().decode("latin-1")
            for spelling in self.leak.spellings:
                raw = re.escape(spelling.encode("utf-8", "surrogatepass").decode("latin-1"))
                said = re.sub(raw, lambda found: "*" * len(found[0]), said, flags=re.IGNORECASE)
            plain = self.leak.value.encode("utf-8", "surrogatepass").decode("latin-1")
            said = said.replace(plain, "*" * len(plain))
            place.write_bytes(said.encode("latin-1"))
        return True


def _files(places: Iterable[Path]) -> Iterator[Path]:
    return (place for place in places if place.is_file() and not place.is_symlink())


def _json_root(path: str) -> str:
    return Path(path).parent.parent.as_posix()


def _logs(root: Path) -> list[Path]:
    return [*(root / name for name in LOGS), *(root / WARM).glob("????-??-??.md")]

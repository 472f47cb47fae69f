"""A leaked value is taken out of everything that we keep, and the files themselves are searched for proof.

Only what people and agents said is rewritten; the program's own words, identities and times stay as they are.
"""

import contextlib
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

import apsw

from recollect import foreign_files
from recollect.errors import DiskRefused, RecollectError
from recollect.model import text
from recollect.model.memory import Memory, from_json
from recollect.model.query import Query
from recollect.policy.secrets import leaks, spellings
from recollect.policy.secrets.leaks import Leak
from recollect.project.checkout import is_tracked
from recollect.project_context import ProjectContext
from recollect.setup import manifest
from recollect.store.protocols import Sighting
from recollect.store.reader.store_reader import OFF_SESSION
from recollect.store.sqlite import scrub as database
from recollect.vault import views
from recollect.vault.files import Writing
from recollect.vault.layouts import Vault
from recollect.write import vault_files

LOGS = ("MEMORY.md", "LONGMEMORY.md")
OWN_BYTES = 2_000_000_000  # the journal of many years; a file of ours that is longer is named, not rewritten
CHUNK_BYTES = 4_000_000
SQLITE_HEAD = b"SQLite format 3"
# What is not ours, where it usually lies below a person's home, and what to do about it.
TRANSCRIPTS = (".claude/projects", ".claude/history.jsonl", ".codex/sessions", ".gemini/tmp", ".cursor/projects")
OUTSIDE = (
    ("transcripts of your coding agents ({transcripts})", "remove the sessions that name the value"),
    ("your own settings files, and your shell's history", "take it out there if you ever wrote it there"),
    ("git's history, and every clone and server that has it", "rewrite it, or count the value as published"),
    ("backups that you or a server made", "remove them, or wait until they expire"),
)
LAST_STEP = "Whatever was leaked is known: change the credential itself."


@dataclass(slots=True)
class Scrubbed:
    """Where the value was, and where it still is."""

    memories: list[str] = field(default_factory=list)
    rows: int = 0
    files: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    in_git: list[str] = field(default_factory=list)
    """Files that git tracks: its history is not ours to rewrite."""
    restored: list[str] = field(default_factory=list)
    """Files that `uninstall` would put back: they have the placeholder in the value's place then."""
    not_looked_at: list[str] = field(default_factory=list)
    """What may hold the value too and is not ours to change, each with the next step."""


def scrub(context: ProjectContext, value: str, *, runtime: Path, home: Path | None, dry_run: bool = False) -> Scrubbed:
    """Take a value out of memories, vault, index, journal, backups and every other file of ours; then look again."""
    leak, done = leaks.of(value), Scrubbed(not_looked_at=_outside())
    work = _Work(context, leak, runtime, home)
    done.memories = [f"{one.kind}/{one.slug}" for one in work.holders()]
    done.files = [str(place) for place in work.places() if work.holds(place)]
    done.restored = work.originals()
    done.in_git = [path for path in done.files if is_tracked(Path(path))]
    if dry_run:
        done.left = list(done.files)
        return done
    try:
        done.rows = work.scrub_store()
        work.scrub_files()
    except (OSError, apsw.Error) as error:
        raise DiskRefused(f"the value could not be taken out everywhere: {error}", fix="Run it again.") from error
    done.left = [work.described(place) for place in work.places() if work.holds(place)]
    return done


def _outside() -> list[str]:
    """What lies outside our folders and is not searched, with what to do about it."""
    home = Path.home()
    known = [str(home / name) for name in TRANSCRIPTS if (home / name).exists()]
    where = ", ".join(known) or "none in the usual places"
    return [f"{what.format(transcripts=where)}: {step}" for what, step in OUTSIDE]


@dataclass(slots=True)
class _Work:
    """One scrubbing under way."""

    context: ProjectContext
    leak: Leak
    runtime: Path
    home: Path | None
    """Our own folder, where every file is ours."""
    names: dict[tuple[str, str], str] = field(default_factory=dict)
    """Which name takes the place of an old one, by memory: two must not become the same."""

    # -- the store ----------------------------------------------------------------------------------------------

    def holders(self) -> list[Memory]:
        """The memories that hold the value."""
        everything = (found.memory for found in self.context.store.find(Query(statuses=())))
        return [one for one in everything if leaks.clean_image(self.leak, one.image, self._slug) != one.image]

    def scrub_store(self) -> int:
        """Memories by hand, because what is derived from them changes too; all other rows as text."""
        store = self.context.store
        with store.writing():
            for memory in self.holders():
                stored = store.get(memory.uid)
                self.names[memory.uid, memory.slug] = self._free_name(memory)
                clean = from_json(leaks.clean_image(self.leak, memory.image, self._slug), self.context.kinds)
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
        while (other := self.context.store.named(memory.project, memory.kind, slug)) and other.memory.uid != memory.uid:
            number += 1
            slug = f"{wanted[: text.SLUG_CHARS - 7].rstrip('-')}-{number}"
        return slug

    def _sightings(self) -> list[Sighting]:
        roots = {self.context.root, *(one.root for one in self.context.store.projects.checkouts())}
        return [sighting for root in sorted(roots) for sighting in self.context.store.sightings(root)]

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
        self.context.store.unsee(sighting.root, sighting.path)
        self.context.store.see(replace(sighting, path=path))

    # -- looking ------------------------------------------------------------------------------------------------

    def holds(self, place: Path) -> bool:
        """Whether a file's bytes, its name or a cell of a database hold the value, in any case and any escaping.

        A file that cannot be read counts as one that does: nobody knows.
        """
        if self.leak.is_in(place.name):
            return True
        try:
            if _is_too_large(place):
                return True
            return self._is_in_bytes(place) or bool(self._columns(place)) or self._is_in_manifest(place)
        except FileNotFoundError:
            return False
        except OSError:
            return True

    def described(self, place: Path) -> str:
        """A file that still holds the value, with where in it, as far as that is known."""
        try:
            if _is_too_large(place):
                return f"{place} (too large to be searched)"
            columns = self._columns(place)
        except OSError as error:
            return f"{place} (cannot be read: {foreign_files.why(error)})"
        return f"{place} ({', '.join(columns)})" if columns else str(place)

    def _is_in_bytes(self, place: Path) -> bool:
        """Search piece by piece, with as much of the last piece as a spelling of the value may need."""
        overlap, before = spellings.longest(self.leak.value), b""
        for part in foreign_files.chunks(str(place), size=max(CHUNK_BYTES, 4 * overlap)):
            window = before + part
            if self.leak.is_in_bytes(window):
                return True
            before = window[-overlap:]
        return False

    def _columns(self, place: Path) -> list[str]:
        """The columns of a database that hold the value: a long text lies in pieces in its file."""
        if not _is_database(place):
            return []
        try:
            db = apsw.Connection(str(place), flags=apsw.SQLITE_OPEN_READONLY)
            with contextlib.closing(db):
                return database.holders(db, self.leak.is_in)
        except apsw.Error:
            return []  # damaged: its bytes have to do

    def _is_in_manifest(self, place: Path) -> bool:
        """The manifest keeps settings of other programs in base64, in lines of any length."""
        return place == self._manifest and bool(self.originals())

    @property
    def _manifest(self) -> Path:
        return self.context.store.home / manifest.NAME

    def originals(self) -> list[str]:
        """The files that an uninstall puts back and whose original holds the value."""
        return [str(held.path) for install in self._installs() for held in install.files if self._is_original(held)]

    def _is_original(self, held: manifest.KeptFile) -> bool:
        return held.original is not None and self.leak.is_in_bytes(held.original)

    def _installs(self) -> tuple[manifest.Install, ...]:
        with contextlib.suppress(RecollectError):  # one that cannot be read is a file like any other
            return manifest.read(self._manifest.parent)
        return ()

    # -- the files ----------------------------------------------------------------------------------------------

    def _scrub_manifest(self) -> None:
        """Take the value out of the originals; everything else that an uninstall needs stays as it is."""
        installs = self._installs()
        if not any(self._is_original(held) for install in installs for held in install.files):
            return
        manifest.write(self._manifest.parent, [self._cleaned(install) for install in installs])

    def _cleaned(self, install: manifest.Install) -> manifest.Install:
        files = [
            replace(held, original=self.leak.clean_settings(held.original))
            if held.original is not None and self._is_original(held)
            else held
            for held in install.files
        ]
        return replace(install, files=tuple(files))

    def places(self) -> Iterator[Path]:
        """Every file of ours: the store with its backups, the journal, what waits, and what each checkout keeps."""
        store, journal = self.context.store, self.context.journal
        is_home = store.home == self.home
        found = [
            *store.all_files(),
            *journal.parent.glob(f"{journal.name}*"),
            *_walk(self.runtime),
        ]
        found += [*(_walk(store.home) if is_home else ()), *(place for place, _ in self._kept())]
        yield from dict.fromkeys(_files(found))

    def _kept(self) -> Iterator[tuple[Path, str | None]]:
        """The files of every checkout, with the name of the memory that each holds, if any."""
        for sighting in self._sightings():
            place = Path(sighting.root) / sighting.path
            if _is_plain(place) and foreign_files.is_below(str(place), sighting.root):
                yield place, text.slugify(place.stem)
        for root in sorted({self.context.root, *(one.root for one in self.context.store.projects.checkouts())}):
            yield from ((place, None) for place in _files(_logs(Path(root))))
        for name in self.context.store.settings(vault_files.ARCHIVE):
            root, _, path = name.removeprefix(vault_files.ARCHIVE).rpartition(":")
            yield from ((place, None) for place in _files([Path(root) / path]))
        for vault in self._vaults():
            folder = vault.root / vault.json_root
            if foreign_files.is_below(str(folder), str(vault.root)):
                yield from ((place, None) for place in _files(_walk(folder)))

    def _vaults(self) -> list[Vault]:
        """The json vaults of every checkout that have an index."""
        roots = {(one.root, _json_root(one.path)) for one in self._sightings() if one.path.endswith(".json")}
        roots.add((self.context.root, self.context.vault.json_root))
        vaults = [Vault(Path(root), json_root=inner, clean=self.context.vault.clean) for root, inner in sorted(roots)]
        return [vault for vault in vaults if (vault.root / vault.json_root).is_dir()]

    def renew_indexes(self) -> None:
        """What lists the files is made anew from them."""
        for vault in (one for one in self._vaults() if (one.root / one.index).is_file()):
            with Writing(vault.root) as writing:
                views.rebuild_index(writing, vault, self.context.kinds, lambda _: None)

    def scrub_files(self) -> None:
        """Each as what it is: a vault file stays one, a backup is a database, a line of the journal holds images."""
        kept: dict[Path, str | None] = {}
        for place, name in self._kept():
            kept.setdefault(place, name)
        self._scrub_manifest()
        indexes = {vault.root / vault.index for vault in self._vaults()}
        for place in list(self.places()):
            if not self.holds(place) or self._is_store(place) or _is_too_large(place):
                continue
            if place in indexes:
                continue  # made anew below
            if place in kept:
                self._write(place, partial(leaks.clean_file, self.leak, place.name, slug=kept[place]))
            elif place.name.startswith(self.context.journal.name):
                self._write(place, self._clean_mirror)
            elif _is_database(place):
                self._scrub_database(place)
            else:
                self._write(place, self.leak.clean)
        self.renew_indexes()

    def _is_store(self, place: Path) -> bool:
        return place in self.context.store.live_files()

    def _clean_mirror(self, source: str) -> str:
        lines = source.split("\n")
        return "\n".join(leaks.clean_entry(self.leak, line, self._slug) if line else line for line in lines)

    def _write(self, place: Path, change: Callable[[str], str]) -> None:
        data = foreign_files.read(str(place), most_bytes=OWN_BYTES)
        is_binary = b"\0" in data[:CHUNK_BYTES]  # a write-ahead log keeps its length
        clean = self.leak.blank(data) if is_binary else change(data.decode("utf-8", "surrogateescape"))
        name = self.leak.clean(place.name).replace("/", "-")
        with Writing(place.parent) as writing:
            if name != place.name:
                writing.remove(place.name)
            writing.write(name, clean if isinstance(clean, bytes) else clean.encode("utf-8", "surrogateescape"))

    def _scrub_database(self, place: Path) -> None:
        """A backup is a database of its own; one that is damaged is overwritten byte by byte instead."""
        image = partial(leaks.clean_image, self.leak, slug=self._slug)
        with contextlib.suppress(apsw.Error):
            db = apsw.Connection(str(place))
            with db:
                database.rewrite(db, self.leak.clean, image, self._literal_slug)
                database.forget_files(db)
            database.settle(db)
            db.close()
        if self._is_in_bytes(place):
            data = foreign_files.read(str(place), most_bytes=OWN_BYTES)
            with Writing(place.parent) as writing:
                writing.write(place.name, self.leak.blank(data))


def _is_too_large(place: Path) -> bool:
    """Whether a file is longer than anything of ours: it is neither searched nor changed, and named instead."""
    return place.stat().st_size > OWN_BYTES and not _is_database(place)


def _is_database(place: Path) -> bool:
    return next(foreign_files.chunks(str(place), size=len(SQLITE_HEAD)), b"") == SQLITE_HEAD


def _walk(folder: Path) -> Iterator[Path]:
    """Everything below a folder; links to folders are not followed."""
    for inner, _, names in os.walk(folder):
        yield from (Path(inner) / name for name in names)


def _is_plain(place: Path) -> bool:
    return place.is_file() and not place.is_symlink()


def _files(places: Iterable[Path]) -> Iterator[Path]:
    return (place for place in places if _is_plain(place))


def _json_root(path: str) -> str:
    return Path(path).parent.parent.as_posix()


def _logs(root: Path) -> list[Path]:
    return [root / path for path in (*LOGS, *Vault(root).days())]

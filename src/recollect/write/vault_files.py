"""A memory's plain-text twin: read before a change, written with it, all inside one commit."""

import contextlib
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from recollect import foreign_files, machine
from recollect.errors import DiskRefused, InvalidMemory, OutsideVault, Refused, UnreadableFile
from recollect.formats import memory_log
from recollect.formats.index_md import Entry
from recollect.formats.source import to_text
from recollect.model import clock, text
from recollect.model.memory import SHAREABLE, Memory, from_json
from recollect.policy.memories import log_trimming, revision
from recollect.project.checkout import commit_paths
from recollect.project_context import ProjectContext
from recollect.store.protocols import Sighting, Stored
from recollect.vault import files, lock, views
from recollect.vault.files import Look, Writing
from recollect.vault.layouts import LOG, Layout

ARCHIVE = "archive:"


@dataclass(frozen=True, slots=True)
class Base:
    """A memory as this checkout has it: the file where there is one, else the store's row."""

    memory: Memory
    revision: str
    sighting: Sighting | None = None
    data: bytes | None = None

    @property
    def path(self) -> str | None:
        """Where its file lies."""
        return self.sighting.path if self.sighting else None


@contextlib.contextmanager
def held(context: ProjectContext) -> Iterator[None]:
    """Hold the vault alone."""
    folder = context.vault.lock_folder
    files.inside(context.vault.root, folder.relative_to(context.vault.root) / "index.md")
    try:
        machine.make_folder(folder)
        with lock.held(folder, context.warn):
            yield
    except OSError as error:
        raise DiskRefused(f"the vault cannot be written: {error}", target=folder) from error


def commit_to_git(context: ProjectContext, paths: list[str], what: str) -> None:
    """`auto_commit`: what could not be committed is said, and stays in the working tree."""
    problem = commit_paths(context.checkout, sorted(set(paths)), f"recollect: {what}")
    if problem:
        context.warn(f"WARNING: saved, but not committed to git: {problem}")


def trim_log(context: ProjectContext, writing: Writing, *, max_records: int, max_chars: int, archive: str) -> list[str]:
    """Rewrite `MEMORY.md` without its oldest records; what neither the store nor an archive would keep stays."""
    _check_archive(context, archive)
    source = read_log(context)
    if not source:
        return []
    spared = (
        set()
        if archive
        else {one.uid for one in memory_log.decode(source, project="") if not context.store.get(one.uid)}
    )
    kept, gone = log_trimming.trimmed(source, max_records=max_records, max_chars=max_chars, spared=spared)
    if gone and archive:
        writing.append(archive, "".join(f"{line}\n" for line in gone).encode())
        context.store.set_setting(f"{ARCHIVE}{context.root}:{archive}", context.stamp())  # so that `scrub` finds it
    if gone:
        writing.write(LOG, kept.encode())
    return gone


def read_log(context: ProjectContext) -> str:
    """The text of `MEMORY.md`; empty where there is none."""
    root = context.vault.root
    if files.look(root / LOG) is None:
        if odd := files.oddity(root / LOG):
            raise UnreadableFile(f"cannot be read: it is {odd}", target=LOG, fix="Make MEMORY.md an ordinary file.")
        return ""
    return to_text(files.read(root / LOG, foreign_files.LOG_BYTES, root=root), target=LOG)


def _check_archive(context: ProjectContext, archive: str) -> None:
    root, fix = context.vault.root, "Name another file inside the project."
    whole = Path(os.path.normpath(root / archive)) if archive else root / "archive"
    inner = whole.relative_to(root).parts if root in whole.parents else (".git",)
    if ".git" in inner or whole == root / LOG:
        raise OutsideVault("not a place for an archive", target=archive, fix=fix)


def sighting(context: ProjectContext, path: str, uid: str, found: Look, digest: str) -> Sighting:
    """How a file looks in this checkout now."""
    position = context.checkout.position
    return Sighting(context.root, path, uid, found.size, found.mtime_ns, found.seen_ns, digest, position)


def here(context: ProjectContext, stored: Stored) -> Stored:
    """A memory as this checkout has it, for reading."""
    try:
        found = VaultFiles(context, Writing(context.vault.root)).read(stored)
    except (UnreadableFile, InvalidMemory):
        return stored  # the last good version
    return Stored(found.memory, found.revision)


@dataclass(slots=True)
class VaultFiles:
    """The files of one commit."""

    context: ProjectContext
    writing: Writing
    _lines: dict[str, Entry | None] = field(default_factory=dict)

    def place(self, path: str) -> Path:
        """The real place of a vault path."""
        return files.inside(self.context.vault.root, path)

    def read(self, stored: Stored) -> Base:
        """The memory to change. Where this checkout's file says something else than the store, the file counts."""
        memory = stored.memory
        sighting = self.context.store.sighting_of(self.context.root, memory.uid)
        layout = self.context.vault.layout_of(sighting.path) if sighting else None
        if sighting is None or layout is None or files.look(self.place(sighting.path)) is None:
            return Base(memory, stored.revision, sighting)
        data = files.read(self.place(sighting.path))
        seen = text.md5(data)
        if seen != stored.revision:
            said = layout.decode(sighting.path, data, uid=memory.uid, project=memory.project, now=self.context.stamp())
            memory = revision.adopt(memory, said, layout.name, self.last(memory.uid, sighting))
        return Base(memory, seen, sighting, data)

    def last(self, uid: str, sighting: Sighting | None) -> Memory | None:
        """What a file said when it was last seen here."""
        image = self.context.store.image_at(uid, sighting.digest) if sighting else None
        return from_json(image, self.context.kinds) if image else None

    def has_news(self, stored: Stored) -> bool:
        """Whether this checkout's file was written to since it was last seen."""
        found = self.context.store.sighting_of(self.context.root, stored.memory.uid)
        if found is None or self.context.vault.layout_of(found.path) is None:
            return False
        place = self.place(found.path)
        return files.look(place) is not None and text.md5(files.read(place)) != found.digest

    def spot(self, memory: Memory, known: str | None = None) -> tuple[Layout, str] | None:
        """Where this vault keeps a memory; another project's is none of its business."""
        return self.context.vault.place(memory, known) if memory.project == self.context.project else None

    def write(self, after: Memory, base: Base | None, *, bring: bool = False) -> tuple[str | None, str]:
        """Write the file that says it; its path, and the revision: its MD5, or the memory's own without a file."""
        known = base.path if base else None
        spot = self.spot(after, known)
        if spot is None:
            self.drop(base)
            return None, after.revision()
        is_closed = base is not None and base.data is None and after.status != "active"
        if (self._is_elsewhere(base) or is_closed) and not bring:
            return None, after.revision()  # the file follows when its branch is checked out here again
        layout, path = spot
        if path != known and files.look(self.place(path)):
            fix = "Rename or move that file first."
            raise Refused("another memory's file lies there", target=path, code="UPDATE_ERROR", fix=fix)
        like = base.data if base and known and self.context.vault.layout_of(known) == layout else None
        data = layout.encode(after, like)
        found = self.writing.write(path, data)
        if known != path:
            self.drop(base)
        self.see(path, after.uid, found, text.md5(data))
        self.list(path, after)
        return path, text.md5(data)

    def _is_elsewhere(self, base: Base | None) -> bool:
        return base is not None and base.sighting is not None and base.sighting.presence == "absent"

    def drop(self, base: Base | None) -> None:
        """Remove a file, and forget that it was seen."""
        if base is None or base.sighting is None:
            return
        if files.look(self.place(base.sighting.path)):
            self.writing.remove(base.sighting.path)
            self.unlist(base.sighting.path)
        self.context.store.unsee(self.context.root, base.sighting.path)

    def see(self, path: str, uid: str, found: Look, digest: str) -> None:
        """Remember how a file looks now."""
        self.context.store.see(sighting(self.context, path, uid, found, digest))

    def list(self, path: str, memory: Memory) -> None:
        """Note what `index.md` has to say of a file."""
        if path.startswith(f"{self.context.vault.json_root}/"):
            is_listed = memory.status == "active"
            self._lines[path] = views.entry_of(memory, path, self.context.kinds) if is_listed else None

    def unlist(self, path: str) -> None:
        """Note that a file is gone from `index.md`."""
        self._lines[path] = None

    def log(self, memory: Memory, *, again: bool = False) -> None:
        """Layout `log`: every new shareable memory is appended to both files (C1, C3); `again`, to its own day."""
        is_on = self.context.vault.logs or (again and self.context.vault.has_log)
        if not is_on or memory.sensitivity not in SHAREABLE or memory.project == "global" or memory.origin == "quoted":
            return
        line = memory_log.encode_line(memory) + "\n"
        moment = clock.parse(memory.created_at) if again else None
        daily, limits = memory_log.daily_name(moment or self.context.clock()), self.context.config.log
        self.writing.append(LOG, line.encode(), first=memory_log.HEADER.encode())
        self.writing.append(daily, line.encode())
        if limits.max_records or limits.max_chars:  # C6: the window follows each record
            trim_log(
                self.context,
                self.writing,
                max_records=limits.max_records,
                max_chars=limits.max_chars,
                archive=limits.archive,
            )

    def unlog(self, memory: Memory) -> None:
        """Take a record's line out of both files: it never was, or is gone for good."""
        if not self.context.vault.has_log:
            return
        days = self.context.vault.days()
        archives = (name.rpartition(":")[2] for name in self.context.store.settings(f"{ARCHIVE}{self.context.root}:"))
        for path in (LOG, *sorted(days, reverse=True), *archives):
            place = self.place(path)
            if files.look(place) is None or memory.uid.encode() not in (
                data := files.read(place, foreign_files.LOG_BYTES)
            ):
                continue
            lines = memory_log.lines(to_text(data, target=path))
            kept = [line.text for line in lines if line.memory is None or line.memory.uid != memory.uid]
            self.writing.write(path, "\n".join(kept).encode())

    def publish(self) -> None:
        """Bring `index.md` up to date."""
        if self._lines and self.context.vault.has_index and not self.context.vault.is_only_read:
            views.update_index(self.writing, self.context.vault, self.context.kinds, self._lines)

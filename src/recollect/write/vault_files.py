"""The vault files of a commit: read before a change, written with it. Also `MEMORY.md`, `index.md` and the lock."""

import contextlib
import os
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from pathlib import Path

from recollect import foreign_files, machine, paths
from recollect.errors import DiskRefused, InvalidMemory, OutsideVault, Refused, UnreadableFile
from recollect.formats import memory_log
from recollect.formats.index_md import Entry
from recollect.formats.source import to_text
from recollect.model import clock, text
from recollect.model.change import Splice
from recollect.model.memory import SHAREABLE, Memory, from_json
from recollect.policy.log import splicing
from recollect.policy.memories import log_trimming, revision
from recollect.project.checkout import commit_paths
from recollect.project_context import ProjectContext
from recollect.store.protocols import Sighting, Stored
from recollect.vault import diary as diaries
from recollect.vault import files, lock, views
from recollect.vault.diary import Diary
from recollect.vault.files import Look, Writing
from recollect.vault.layouts import LOG, Layout

ARCHIVE = "archive:"


@dataclass(frozen=True, slots=True)
class CurrentVersion:
    """A memory as this checkout has it: as its file says where there is one, else as the store's row says."""

    memory: Memory
    revision: str
    sighting: Sighting | None = None
    """How the file was last seen in this checkout; None where it never was."""
    data: bytes | None = None
    """The file's bytes; None where there is no file now."""

    @property
    def path(self) -> str | None:
        """The path at which its file was last seen in this checkout; None where it never was."""
        return self.sighting.path if self.sighting else None


@contextlib.contextmanager
def held(context: ProjectContext) -> Iterator[None]:
    """Hold the vault's lock; raises DiskRefused where its folder cannot be written, StoreBusy after a timeout."""
    folder = context.vault.lock_folder
    files.inside(context.vault.root, folder.relative_to(context.vault.root) / "index.md")
    try:
        machine.make_folder(folder)
        with lock.held(folder, context.warn):
            recover(context)
            yield
    except OSError as error:
        raise DiskRefused(f"the vault cannot be written: {error}", target=folder) from error


def diary(context: ProjectContext, group: str) -> Diary:
    """Return a new diary for the files of a group of changes."""
    return Diary(_runtime(context), context.vault.root, group, context.store.group_size(group))


def recover(context: ProjectContext) -> None:
    """Put back the files of a group of changes whose process was killed before the database had it."""
    if diaries.recover(_runtime(context), context.vault.root, context.store.group_size):
        context.warn("WARNING: a job was killed; its files are as they were before, and it runs again.")


def _runtime(context: ProjectContext) -> Path:
    return Path(paths.runtime(str(context.store.home)))


def commit_to_git(context: ProjectContext, paths: list[str], what: str) -> None:
    """Commit files to git; a failure is only a warning, and the files stay in the working tree."""
    problem = commit_paths(context.checkout, sorted(set(paths)), f"recollect: {what}")
    if problem:
        context.warn(f"WARNING: saved, but not committed to git: {problem}")


@dataclass(frozen=True, slots=True)
class CutLog:
    """`MEMORY.md` within its limits."""

    source: str
    """The file as it is."""
    kept: str
    """The file without its oldest records."""
    gone: list[str]
    """The lines that are missing then, the oldest first."""


def cut_log(context: ProjectContext, *, max_records: int, max_chars: int, archive: str) -> CutLog:
    """Return `MEMORY.md` without its oldest records; nothing is written.

    Without an archive, records that the store does not have stay. Raises OutsideVault where an archive cannot be there.
    """
    check_archive(context, archive)
    source = read_log(context)
    records = [] if archive else memory_log.decode(source, project="")
    spared = {record.uid for record in records if not context.store.get(record.uid)}
    kept, gone = log_trimming.trimmed(source, max_records=max_records, max_chars=max_chars, spared=spared)
    return CutLog(source, kept, gone)


def trim_log(context: ProjectContext, writing: Writing, *, max_records: int, max_chars: int, archive: str) -> list[str]:
    """Rewrite `MEMORY.md` without its oldest records, as `cut_log` says; return the lines that were removed."""
    cut = cut_log(context, max_records=max_records, max_chars=max_chars, archive=archive)
    if cut.gone and archive:
        writing.append(archive, "".join(f"{line}\n" for line in cut.gone).encode())
        register_archive(context, archive)
    if cut.gone:
        writing.write(LOG, cut.kept.encode())
    return cut.gone


def read_log(context: ProjectContext) -> str:
    """Return the text of `MEMORY.md`; empty where there is none. Raises UnreadableFile where it is no ordinary file."""
    root = context.vault.root
    if files.look(root / LOG) is None:
        if odd := files.oddity(root / LOG):
            raise UnreadableFile(f"cannot be read: it is {odd}", target=LOG, fix="Make MEMORY.md an ordinary file.")
        return ""
    return to_text(files.read(root / LOG, foreign_files.LOG_BYTES, root=root), target=LOG)


def register_archive(context: ProjectContext, path: str) -> None:
    """Record that a file holds lines of the log, so that `scrub` and `purge` find it."""
    context.store.set_setting(f"{ARCHIVE}{context.root}:{path}", context.stamp())


def check_archive(context: ProjectContext, archive: str) -> None:
    """Raise OutsideVault where an archive would lie outside the project, in `.git`, or at `MEMORY.md` itself."""
    root, fix = context.vault.root, "Name another file inside the project."
    whole = Path(os.path.normpath(root / archive)) if archive else root / "archive"
    inner = whole.relative_to(root).parts if root in whole.parents else (".git",)
    if ".git" in inner or whole == root / LOG:
        raise OutsideVault("not a place for an archive", target=archive, fix=fix)


def sighting(context: ProjectContext, path: str, uid: str, found: Look, digest: str) -> Sighting:
    """Return the sighting of a file: how it looks in this checkout now."""
    position = context.checkout.position
    return Sighting(context.root, path, uid, found.size, found.mtime_ns, found.seen_ns, digest, position)


def here(context: ProjectContext, stored: Stored) -> Stored:
    """Return a memory as this checkout's file says, for reading; the stored one where the file cannot be read."""
    try:
        found = VaultFiles(context, Writing(context.vault.root)).read(stored)
    except (UnreadableFile, InvalidMemory):
        return stored  # the last good version
    return Stored(found.memory, found.revision)


@dataclass(slots=True)
class VaultFiles:
    """The files that a commit reads and writes."""

    context: ProjectContext
    writing: Writing
    _index_lines: dict[str, Entry | None] = field(default_factory=dict)
    """By path, the line that `index.md` gets for a file; None where its line is removed."""
    _removed_from_log: dict[str, bool] = field(default_factory=dict)
    """The memories whose lines the log loses at the end of the commit, and whether `undo` can put the lines back."""
    rewritten: list[Splice] = field(default_factory=list)
    """What was taken out of the files of the log and can be put back."""

    def real_path(self, path: str) -> Path:
        """Return the absolute path of a vault path; raises OutsideVault where it leads out of the vault."""
        return files.inside(self.context.vault.root, path)

    def read(self, stored: Stored) -> CurrentVersion:
        """Return a memory as this checkout has it: where its file differs from the store, the file counts."""
        memory = stored.memory
        sighting = self.context.store.sighting_of(self.context.root, memory.uid)
        layout = self.context.vault.layout_of(sighting.path) if sighting else None
        if sighting is None or layout is None or files.look(self.real_path(sighting.path)) is None:
            return CurrentVersion(memory, stored.revision, sighting)
        data = files.read(self.real_path(sighting.path))
        seen = text.md5(data)
        if seen != stored.revision:
            said = layout.decode(sighting.path, data, uid=memory.uid, project=memory.project, now=self.context.stamp())
            memory = revision.adopt(memory, said, layout.name, self.last_seen_version(memory.uid, sighting))
        return CurrentVersion(memory, seen, sighting, data)

    def last_seen_version(self, uid: str, sighting: Sighting | None) -> Memory | None:
        """Return the memory as its file said when it was last seen here; None where the journal has no such image."""
        image = self.context.store.image_at(uid, sighting.digest) if sighting else None
        return from_json(image, self.context.kinds) if image else None

    def is_edited(self, stored: Stored) -> bool:
        """Whether this checkout's file was written to since it was last seen."""
        found = self.context.store.sighting_of(self.context.root, stored.memory.uid)
        if found is None or self.context.vault.layout_of(found.path) is None:
            return False
        path = self.real_path(found.path)
        return files.look(path) is not None and text.md5(files.read(path)) != found.digest

    def location(self, memory: Memory, known: str | None = None) -> tuple[Layout, str] | None:
        """Return the layout and path of a memory's file; None if another project owns the memory, or none is kept."""
        return self.context.vault.place(memory, known) if memory.project == self.context.project else None

    def write(
        self, after: Memory, current: CurrentVersion | None, *, bring_back: bool = False
    ) -> tuple[str | None, str]:
        """Write a memory's file; return its path and revision: the file's MD5, or without a file None and the memory's.

        A file that is absent on this branch is not written, unless with `bring_back`. Raises Refused where another
        memory's file is at the path.
        """
        known = current.path if current else None
        location = self.location(after, known)
        if location is None:
            self.remove(current)
            return None, after.revision()
        is_closed = current is not None and current.data is None and after.status != "active"
        if (self._is_absent(current) or is_closed) and not bring_back:
            return None, after.revision()  # the file follows when its branch is checked out here again
        layout, path = location
        if path != known and files.look(self.real_path(path)):
            fix = "Rename or move that file first."
            raise Refused("another memory's file lies there", target=path, code="UPDATE_ERROR", fix=fix)
        like = current.data if current and known and self.context.vault.layout_of(known) == layout else None
        data = layout.encode(after, like)
        found = self.writing.write(path, data)
        if known != path:
            self.remove(current)
        self.record_sighting(path, after.uid, found, text.md5(data))
        self.list_in_index(path, after)
        return path, text.md5(data)

    def _is_absent(self, current: CurrentVersion | None) -> bool:
        return current is not None and current.sighting is not None and current.sighting.presence == "absent"

    def remove(self, current: CurrentVersion | None) -> None:
        """Remove a memory's file and its sighting, where there are any."""
        if current is None or current.sighting is None:
            return
        if files.look(self.real_path(current.sighting.path)):
            self.writing.remove(current.sighting.path)
            self.remove_from_index(current.sighting.path)
        self.context.store.unsee(self.context.root, current.sighting.path)

    def record_sighting(self, path: str, uid: str, found: Look, digest: str) -> None:
        """Record in the store how a file looks now."""
        self.context.store.see(sighting(self.context, path, uid, found, digest))

    def list_in_index(self, path: str, memory: Memory) -> None:
        """Let `finish` list a file of the JSON layout; one whose memory is closed loses its line."""
        if path.startswith(f"{self.context.vault.json_root}/"):
            is_listed = memory.status == "active"
            self._index_lines[path] = views.entry_of(memory, path, self.context.kinds) if is_listed else None

    def remove_from_index(self, path: str) -> None:
        """Let `finish` remove a file's line."""
        self._index_lines[path] = None

    def append_to_log(self, memory: Memory, *, again: bool = False) -> None:
        """Append a shareable memory to `MEMORY.md` and to the file of the day (C1, C3), where the layout `log` is on.

        With `again` the day is that of the memory's creation, and a log that is there is enough.
        """
        is_on = self.context.vault.logs or (again and self.context.vault.has_log)
        is_kept_out = memory.origin == "quoted" or memory.is_in_store_alone
        if not is_on or memory.sensitivity not in SHAREABLE or memory.project == "global" or is_kept_out:
            return
        self._rewrite_log()  # before, so that an older line goes and the new one stays
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

    def remove_from_log(self, memory: Memory, *, can_return: bool = False) -> None:
        """Let `finish` remove a memory's line from `MEMORY.md`, the files of the days and the archives.

        With `can_return` it is kept in `rewritten`, for the journal.
        """
        self._removed_from_log[memory.uid] = can_return

    def _rewrite_log(self) -> None:
        """Remove the lines of removed memories from the log; each file is read once, however many there are."""
        removed, vault = self._removed_from_log, self.context.vault
        if not removed or not vault.has_log:
            return
        archives = [name.rpartition(":")[2] for name in self.context.store.settings(f"{ARCHIVE}{self.context.root}:")]
        for path in (LOG, *sorted(vault.days(), reverse=True), *archives):
            for can_return in (False, True):
                self._remove_lines(path, {uid for uid, returns in removed.items() if returns == can_return}, can_return)
        removed.clear()

    def _remove_lines(self, path: str, uids: AbstractSet[str], can_return: bool) -> None:
        """Remove the lines of some memories from a file of the log."""
        real = self.real_path(path)
        data = files.read(real, foreign_files.LOG_BYTES) if uids and files.look(real) else b""
        if not any(uid.encode() in data for uid in uids):
            return
        source = to_text(data, target=path)
        lines = memory_log.lines(source)
        after = "\n".join(line.text for line in lines if line.memory is None or line.memory.uid not in uids)
        change = splicing.plan(path, source, after)
        if change is not None:
            self.writing.write(path, after.encode())
            self.rewritten += [change] if can_return else []

    def finish(self) -> None:
        """Bring the log and `index.md` up to date with the changes of this commit."""
        self._rewrite_log()
        self._write_index()

    def _write_index(self) -> None:
        """Write the changed lines to `index.md`, where the vault has one."""
        if self._index_lines and self.context.vault.has_index and not self.context.vault.is_only_read:
            views.update_index(self.writing, self.context.vault, self.context.kinds, self._index_lines)

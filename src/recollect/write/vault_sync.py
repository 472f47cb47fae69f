"""Bring the store up to date with the vault's files: take in changed files, retire memories whose file was removed.

A file is taken in when it differs from how it was last seen in this checkout. A file that was never seen here is
taken in only if its memory never had that revision: an older branch in a second worktree reverts nothing. A file that
is merely absent on the branch that is checked out changes nothing.
"""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from recollect.errors import DiskRefused, RecollectError, StoreBusy
from recollect.formats import tagged_markdown
from recollect.model import text
from recollect.model.change import Change, Retire, Revise, TakeIn
from recollect.model.memory import Memory
from recollect.policy.memories import revision
from recollect.project import history
from recollect.project.checkout import commit_of
from recollect.project_context import ProjectContext
from recollect.store.protocols import Presence, Sighting
from recollect.vault import files, views
from recollect.vault.files import Look, Writing
from recollect.vault.layouts import LOG, WARM, Layout, MarkdownLayout
from recollect.write import commit, session_counter, vault_files

VANISHED = "File removed: {path}"
HELD = "its text was purged; `recollect restore {path}` takes it in again"


@dataclass(slots=True)
class Report:
    """What a scan found, by vault path."""

    waiting: str | None = None
    """Why nothing was scanned: git is in the middle of something. None where the scan was done."""
    taken_in: list[str] = field(default_factory=list)
    retired: list[str] = field(default_factory=list)
    """Files that were removed, and whose memories are retired."""
    absent: list[str] = field(default_factory=list)
    """Files that are not on this branch."""
    written: list[str] = field(default_factory=list)
    """Files that were away while their memory was changed here, and are brought up to date."""
    problems: dict[str, str] = field(default_factory=dict)
    """By path, why a file is not taken in."""
    ensured: list[str] = field(default_factory=list)
    """Markdown files that got the tags they lacked."""
    index_renewed: bool = False
    index: str = ""
    """The path of the index."""


def scan(context: ProjectContext) -> Report:
    """Take in every changed file of the vault, and retire memories whose file was removed."""
    vault_files.recover(context)
    if not context.vault.layouts:
        return Report()
    waiting = context.checkout.interrupted()
    if waiting:
        return Report(waiting=f"{waiting} is in progress; memories are read when it is done")
    running = _Scan(context)
    running.examine_files()
    running.find_removed()
    running.finish()
    return running.report


def reconcile(context: ProjectContext, *, writes: bool = True) -> Report:
    """Scan the vault, and repair it: add missing tags of format A, rebuild `index.md`, remove temporary files.

    Without `writes` no file is changed.
    """
    if not writes:
        return scan(replace(context, vault=replace(context.vault, is_only_read=True)))
    if context.vault.logs and (context.vault.root / LOG).exists():
        with vault_files.held(context):
            files.sweep(context.vault.root)
            files.sweep(context.vault.root / WARM)
    if not context.vault.layouts:
        return Report()
    ensured: list[str] = []
    if not context.checkout.interrupted():
        with vault_files.held(context):
            _sweep(context)
            ensured = list(_ensure_tags(context))
    report = scan(context)
    report.ensured = ensured
    report.index = context.vault.index
    report.index_renewed = _renew_index(context, waiting=report.waiting is not None)
    return report


def take_in_file(context: ProjectContext, path: str) -> None:
    """Take in a file that the caller named, also where its text was purged before."""
    running = _Scan(context, respects_tombstones=False)
    running.examine(path)
    running.finish(is_whole=False)


def problem_at(context: ProjectContext, path: str) -> str | None:
    """Return why a file was not taken in; None where it was, or was never seen."""
    seen = context.store.sighting_at(context.root, path)
    return seen.problem if seen else None


def _sweep(context: ProjectContext) -> None:
    """Remove the temporary files that killed processes left in the vault."""
    for layout in context.vault.layouts:
        for folder in layout.folders():
            files.sweep(context.vault.root / folder)
    files.sweep(context.vault.lock_folder)


def _printable(path: str) -> str:
    return path.encode("utf-8", "replace").decode()


def _is_utf8(path: str) -> bool:
    return _printable(path) == path


def _ensure_tags(context: ProjectContext) -> Iterator[str]:
    """Add the tags that markdown files lack (A5); yield the paths of the files that were changed."""
    with Writing(context.vault.root) as writing:
        for path in context.vault.paths():
            if not isinstance(context.vault.layout_of(path), MarkdownLayout) or not _is_utf8(path):
                continue
            if files.look(context.vault.root / path) is None:
                continue
            try:
                data = files.read(context.vault.root / path, root=context.vault.root)
                whole = tagged_markdown.ensure(data.decode(), session_counter.number(context)).encode()
            except (UnicodeDecodeError, RecollectError):
                continue  # the scan names it
            if whole != data and not text.has_conflict_markers(data):
                writing.write(path, whole)
                yield path


def _renew_index(context: ProjectContext, *, waiting: bool) -> bool:
    """Rebuild `index.md`; during a merge only where git left conflict markers in it. Return whether it changed."""
    if not context.vault.has_index:
        return False
    place = context.vault.root / context.vault.index
    old = views.index_bytes(context.vault)
    if waiting and (old is None or not text.has_conflict_markers(old)):
        return False
    with vault_files.held(context), Writing(context.vault.root) as writing:
        views.rebuild_index(writing, context.vault, context.kinds, lambda _: None)
    return files.look(place) is not None and views.index_bytes(context.vault) != old


@dataclass(slots=True)
class _Scan:
    """A scan under way: what was known before, and what it found."""

    context: ProjectContext
    respects_tombstones: bool = True
    """Whether a file with a purged text is left out; naming the file overrides that."""
    report: Report = field(default_factory=Report)
    changes: list[Change] = field(default_factory=list)
    seen: list[Sighting] = field(default_factory=list)
    """Sightings to record."""
    known: dict[str, Sighting] = field(default_factory=dict)
    """By path, how files were last seen in this checkout."""
    orphans: set[str] = field(default_factory=set)
    """Paths whose sighting names a memory that the store does not have."""
    paths: list[str] = field(default_factory=list)
    """The files that are in the vault now."""
    here: set[str] = field(default_factory=set)
    """The same as a set."""
    claims: dict[str, str] = field(default_factory=dict)
    """The path of the file that stands for a memory, by its uid and by `kind/slug`."""
    late: list[Change] = field(default_factory=list)
    """Changes to write into files that are back, after their sightings are recorded."""

    def __post_init__(self) -> None:
        # Sightings first, then the folder: a file written in between looks new, which does no harm.
        self.known = {sighting.path: sighting for sighting in self.context.store.sightings(self.context.root)}
        self.orphans = self.context.store.orphans(self.context.root)
        for path in self.context.vault.paths():
            if _is_utf8(path):
                self.paths.append(path)
            else:
                self.report.problems[_printable(path)] = "the file's name is not UTF-8"
        self.here = set(self.paths)
        self.claims = {
            sighting.uid: sighting.path
            for sighting in self.known.values()
            if sighting.path in self.here and sighting.presence == "seen"
        }

    def examine_files(self) -> None:
        """Examine every file that is there."""
        for path in self.paths:
            self.examine(path)

    def examine(self, path: str) -> None:
        """Compare a file with how it was last seen; a changed one is read, and taken in or reported as a problem."""
        place, known = self.context.vault.root / path, self.known.get(path)
        layout, found = self.context.vault.layout_of(path), files.look(place)
        if layout is None or found is None:
            if layout and (odd := files.oddity(place)):
                self.report.problems[path] = odd
            return
        if known and self._is_settled(known) and found.is_same(known.size, known.mtime_ns, known.seen_ns):
            self._unchanged(known, known.digest)
            return
        try:
            data = files.read(place, root=self.context.vault.root)
            self._read(path, data, known, found, layout)
        except RecollectError as error:
            fields = ", ".join(str(value) for key, value in error.details if key == "field")
            problem = f"{error.message}: {fields}" if fields else error.message
            self._problem(path, found, known, problem, presence="invalid")

    def _read(self, path: str, data: bytes, known: Sighting | None, found: Look, layout: Layout) -> None:
        """Decode a file, and decide whether it is unchanged, a problem, an old version, or to be taken in."""
        digest = text.md5(data)
        if known and known.digest == digest and self._is_settled(known):
            self._unchanged(replace(known, size=found.size, mtime_ns=found.mtime_ns, seen_ns=found.seen_ns), digest)
            return
        uid = text.new_uid(self.context.clock())
        said = layout.decode(path, data, uid=uid, project=self.context.project, now=self.context.stamp())
        memory = self._identified(said, known, digest)
        rival = self._rival(memory, path)
        if rival:
            self._problem(path, found, None, f"has the same name as {rival}", presence="invalid", digest=digest)
        elif (
            self.respects_tombstones
            and memory.uid == uid
            and self.context.store.is_buried(memory.project, memory.digest)
        ):
            self._problem(path, found, known, HELD.format(path=path), presence="held", digest=digest)
        elif known is None and self._is_old_version(memory, path, digest):
            self.seen.append(vault_files.sighting(self.context, path, memory.uid, found, digest))
        else:
            self.changes.append(TakeIn(path, memory, digest))

    def _unchanged(self, known: Sighting, digest: str) -> None:
        if known.presence == "absent":
            known = replace(known, presence="seen")
            self._catch_up(known)
        if known != self.known[known.path]:
            self.seen.append(replace(known, digest=digest))
        if known.problem:
            self.report.problems[known.path] = known.problem

    def _catch_up(self, returned: Sighting) -> None:
        """Plan to write a file that is back, where its memory was changed here while it was absent."""
        last = self.context.store.entries(uid=returned.uid, limit=1)
        stored = self.context.store.get(returned.uid)
        if stored and last and last[0].root == self.context.root and stored.revision != returned.digest:
            self.late.append(Revise(stored.memory))

    def _identified(self, said: Memory, known: Sighting | None, digest: str) -> Memory:
        """Return a file's memory with the uid of the one that it belongs to, where there is one.

        That is the memory of the same name, the one seen at this path before, or one whose file was just renamed.
        """
        store = self.context.store
        stored = store.named(said.project, said.kind, said.slug) or (store.get(known.uid) if known else None)
        if stored is None:
            moved = [
                sighting.uid
                for sighting in self.known.values()
                if sighting.digest == digest and sighting.path not in self.here
            ]
            stored = store.get(moved[0]) if len(moved) == 1 else None
        return said.having(uid=stored.memory.uid) if stored else said

    def _rival(self, memory: Memory, path: str) -> str | None:
        """Return the path of another file that stands for the memory; two file names may give the same slug."""
        claimed = [self.claims.setdefault(key, path) for key in (memory.uid, f"{memory.kind}/{memory.slug}")]
        return next((other for other in claimed if other != path), None)

    def _is_settled(self, known: Sighting) -> bool:
        """Whether an unchanged file need not be read again."""
        is_back = known.presence in ("retired", "invalid") or (
            known.presence == "held" and not self.respects_tombstones
        )
        return not is_back and known.path not in self.orphans

    def _is_old_version(self, memory: Memory, path: str, digest: str) -> bool:
        """Whether a file that was never seen here is an older version of its memory; a moved file is none."""
        stored = self.context.store.get(memory.uid)
        if stored is None or self._is_moved(memory.uid):
            return False
        if self.context.store.knows_revision(memory.uid, digest):
            return True
        is_edited = self._is_edited(path)
        return revision.is_older(memory, stored.memory) and not is_edited

    def _is_moved(self, uid: str) -> bool:
        """Whether a memory's file was seen here at a path that is gone."""
        return any(sighting.uid == uid and sighting.path not in self.here for sighting in self.known.values())

    def _is_edited(self, path: str) -> bool:
        checkout = self.context.checkout
        return checkout.repository is not None and history.is_modified(checkout.repository, checkout.below, path)

    def _problem(
        self, path: str, found: Look, known: Sighting | None, problem: str, *, presence: Presence, digest: str = ""
    ) -> None:
        self.report.problems[path] = problem
        fresh = vault_files.sighting(self.context, path, known.uid if known else "", found, digest)
        fresh = replace(fresh, presence=presence, problem=problem)
        if known is None or replace(known, seen_ns=fresh.seen_ns, position=fresh.position) != fresh:
            self.seen.append(fresh)

    def find_removed(self) -> None:
        """Retire the memories of files that were removed on purpose; note those that are only absent on this branch."""
        moved = {change.memory.uid for change in self.changes if isinstance(change, TakeIn)}
        gone = [
            sighting
            for sighting in self.known.values()
            if sighting.path not in self.here and sighting.presence in ("seen", "invalid", "absent")
            if sighting.uid not in moved and self.context.vault.layout_of(sighting.path)
        ]
        removed = _Removed(self.context)
        for sighting in gone:
            if removed.covers(sighting):
                reason = VANISHED.format(path=sighting.path)
                self.changes.append(Retire(sighting.uid, reason, vanished=sighting.path))
            elif sighting.presence != "absent":
                self.seen.append(replace(sighting, presence="absent"))
                self.report.absent.append(sighting.path)

    def finish(self, *, is_whole: bool = True) -> None:
        """Commit the changes and record the sightings; `is_whole` says that every file was examined."""
        store, position = self.context.store, self.context.checkout.position
        self._commit([change for change in self.changes if self._is_known(change)])
        has_moved = is_whole and any(
            sighting.position != position for sighting in self.known.values() if sighting.presence == "seen"
        )
        if self.seen or has_moved:
            # Only a cache: while another process writes, or on a read-only disk, the next scan looks again.
            with contextlib.suppress(StoreBusy, DiskRefused), store.writing(durable=False):
                for sighting in self.seen:
                    store.see(sighting)
                if has_moved:
                    store.advance(self.context.root, position)
        for outcome in commit.commit(self.context, self.late) if self.late else []:
            self.report.written += [outcome.path] if outcome.path and outcome.action != "unchanged" else []

    def _is_known(self, change: Change) -> bool:
        return not isinstance(change, Retire) or self.context.store.get(change.uid) is not None

    def _commit(self, changes: list[Change]) -> None:
        if not changes:
            return
        for outcome in commit.commit(self.context, changes):
            for note in outcome.notes:
                self.context.warn(f"WARNING: {outcome.path}: {note}; the file still holds it")
            if outcome.action == "taken in" and outcome.path:
                self.report.taken_in.append(outcome.path)
            elif outcome.action == "retired" and outcome.path:
                self.report.retired.append(outcome.path)


@dataclass(slots=True)
class _Removed:
    """Tell files that somebody removed from those that are only absent on the branch that is checked out."""

    context: ProjectContext
    _by_hand: set[str] | None = None
    _on_the_way: dict[str, set[str]] = field(default_factory=dict)

    def covers(self, sighting: Sighting) -> bool:
        """Whether a file was removed: HEAD did not move, git still tracks it, or a commit since then removed it."""
        if sighting.presence != "absent" and self._is_by_hand(sighting):
            return True
        then, now = commit_of(sighting.position), self.context.checkout.head
        return then is not None and now is not None and sighting.path in self._removed_since(then, now)

    def _is_by_hand(self, sighting: Sighting) -> bool:
        checkout = self.context.checkout
        if not checkout.is_position_known:
            return False  # it may be another branch: better absent than retired
        if sighting.position == checkout.position:
            return True
        if self._by_hand is None:
            known = checkout.repository
            self._by_hand = history.deleted_here(known, checkout.below) if known else set()
        return sighting.path in self._by_hand

    def _removed_since(self, then: str, now: str) -> set[str]:
        checkout = self.context.checkout
        known = checkout.repository
        if then not in self._on_the_way:
            leads_here = known is not None and history.is_ancestor(known, then, now)
            removed = history.removed_between(known, checkout.below, then, now) if known and leads_here else set()
            self._on_the_way[then] = removed
        return self._on_the_way[then]

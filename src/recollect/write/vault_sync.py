"""Vault ⇄ store: what the files of this checkout say is taken in; what is merely elsewhere is left alone.

A file counts as news when it differs from what was last seen *here*. A file met for the first time counts only if
its memory never stood at that revision: an older branch in a second worktree takes nothing back.
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
    """What a scan found."""

    waiting: str | None = None
    taken_in: list[str] = field(default_factory=list)
    retired: list[str] = field(default_factory=list)
    absent: list[str] = field(default_factory=list)
    written: list[str] = field(default_factory=list)
    """Files that were away while their memory was changed here, and are brought up to date."""
    problems: dict[str, str] = field(default_factory=dict)
    ensured: list[str] = field(default_factory=list)
    index_renewed: bool = False
    index: str = ""
    """Where the index lies that a scan may renew."""


def scan(context: ProjectContext) -> Report:
    """Look at every file of the vault and take in what is new."""
    if not context.vault.layouts:
        return Report()
    waiting = context.checkout.interrupted()
    if waiting:
        return Report(waiting=f"{waiting} is in progress; memories are taken in when it is done")
    look = _Look(context)
    look.look_at_files()
    look.look_for_vanished()
    look.finish()
    return look.report


def reconcile(context: ProjectContext, *, writes: bool = True) -> Report:
    """A scan that also puts the vault in order: tags of format A, `index.md`, what killed processes left.

    Without `writes` no file is touched, whatever is missing in it.
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
    """Take in one file that the caller named."""
    look = _Look(context, held_counts=False)
    look.examine(path)
    look.finish(everything=False)


def problem_at(context: ProjectContext, path: str) -> str | None:
    """Why a file could not be taken in, if so."""
    seen = context.store.sighting_at(context.root, path)
    return seen.problem if seen else None


def _sweep(context: ProjectContext) -> None:
    for layout in context.vault.layouts:
        for folder in layout.folders():
            files.sweep(context.vault.root / folder)
    files.sweep(context.vault.lock_folder)


def _printable(path: str) -> str:
    return path.encode("utf-8", "replace").decode()


def _is_utf8(path: str) -> bool:
    return _printable(path) == path


def _ensure_tags(context: ProjectContext) -> Iterator[str]:
    """A5: every markdown file gets the tags that it lacks."""
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
    """Regenerate `index.md`. In the middle of a merge only if it is the index itself that git could not merge."""
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
class _Look:
    """One scan under way."""

    context: ProjectContext
    held_counts: bool = True
    """Whether a purged text stays out; naming its file overrides that."""
    report: Report = field(default_factory=Report)
    changes: list[Change] = field(default_factory=list)
    seen: list[Sighting] = field(default_factory=list)
    known: dict[str, Sighting] = field(default_factory=dict)
    orphans: set[str] = field(default_factory=set)
    paths: list[str] = field(default_factory=list)
    here: set[str] = field(default_factory=set)
    claims: dict[str, str] = field(default_factory=dict)
    """Which file of this checkout stands for which memory."""
    late: list[Change] = field(default_factory=list)
    """Changes to write into files that are back; after they are seen."""

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
            one.uid: one.path for one in self.known.values() if one.path in self.here and one.presence == "seen"
        }

    def look_at_files(self) -> None:
        """Every file that is there."""
        for path in self.paths:
            self.examine(path)

    def examine(self, path: str) -> None:
        """One file: unchanged, news, or unreadable."""
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
        elif self.held_counts and memory.uid == uid and self.context.store.is_buried(memory.project, memory.digest):
            self._problem(path, found, known, HELD.format(path=path), presence="held", digest=digest)
        elif known is None and self._is_old_news(memory, path, digest):
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
        """A file that is back is told what was done to its memory here meanwhile."""
        last = self.context.store.entries(uid=returned.uid, limit=1)
        stored = self.context.store.get(returned.uid)
        if stored and last and last[0].root == self.context.root and stored.revision != returned.digest:
            self.late.append(Revise(stored.memory))

    def _identified(self, said: Memory, known: Sighting | None, digest: str) -> Memory:
        """Whose file it is: the one of that name, the one seen here before, or one whose file was just renamed."""
        store = self.context.store
        stored = store.named(said.project, said.kind, said.slug) or (store.get(known.uid) if known else None)
        if stored is None:
            moved = [one.uid for one in self.known.values() if one.digest == digest and one.path not in self.here]
            stored = store.get(moved[0]) if len(moved) == 1 else None
        return said.having(uid=stored.memory.uid) if stored else said

    def _rival(self, memory: Memory, path: str) -> str | None:
        """Another file that is here and already stands for the memory: two names may give one slug."""
        claimed = [self.claims.setdefault(key, path) for key in (memory.uid, f"{memory.kind}/{memory.slug}")]
        return next((other for other in claimed if other != path), None)

    def _is_settled(self, known: Sighting) -> bool:
        """Whether an unchanged file needs no second look."""
        is_back = known.presence in ("retired", "invalid") or (known.presence == "held" and not self.held_counts)
        return not is_back and known.path not in self.orphans

    def _is_old_news(self, memory: Memory, path: str, digest: str) -> bool:
        """Met here for the first time, at a version that the memory has left behind; a moved file is no such thing."""
        stored = self.context.store.get(memory.uid)
        if stored is None or any(one.uid == memory.uid and one.path not in self.here for one in self.known.values()):
            return False
        if self.context.store.knows_revision(memory.uid, digest):
            return True
        is_edited = self._is_edited(path)
        return revision.is_older(memory, stored.memory) and not is_edited

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

    def look_for_vanished(self) -> None:
        """Every file that was here and is not: removed on purpose, or merely elsewhere."""
        moved = {change.memory.uid for change in self.changes if isinstance(change, TakeIn)}
        gone = [
            one
            for one in self.known.values()
            if one.path not in self.here and one.presence in ("seen", "invalid", "absent") and one.uid not in moved
            if self.context.vault.layout_of(one.path)
        ]
        removed = _Removed(self.context)
        for sighting in gone:
            if removed.covers(sighting):
                reason = VANISHED.format(path=sighting.path)
                self.changes.append(Retire(sighting.uid, reason, vanished=sighting.path))
            elif sighting.presence != "absent":
                self.seen.append(replace(sighting, presence="absent"))
                self.report.absent.append(sighting.path)

    def finish(self, *, everything: bool = True) -> None:
        """Commit what was found, and remember how the files look."""
        store, position = self.context.store, self.context.checkout.position
        self._commit([change for change in self.changes if self._is_known(change)])
        has_moved = everything and any(
            one.position != position for one in self.known.values() if one.presence == "seen"
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
    """Whether a file is gone because somebody removed it, or merely because another branch is checked out."""

    context: ProjectContext
    _by_hand: set[str] | None = None
    _on_the_way: dict[str, set[str]] = field(default_factory=dict)

    def covers(self, sighting: Sighting) -> bool:
        """HEAD did not move; or git still tracks the file; or history leads here and removes it on the way."""
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

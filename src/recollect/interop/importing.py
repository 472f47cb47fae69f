"""Taking memories in from elsewhere: once, screened, and with a word about everything that could not be read."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from recollect import machine
from recollect.errors import RecollectError
from recollect.interop import import_sources
from recollect.interop.import_sources import Item, Source
from recollect.model import text
from recollect.model.change import Assert, Change, Create
from recollect.model.fact import Fact
from recollect.model.memory import Memory
from recollect.policy.memories import imported, retention
from recollect.policy.secrets import detector, screening
from recollect.project_context import ProjectContext
from recollect.vault.files import Writing
from recollect.write import commit

BATCH = 500
# An import reads files of any length: what is told of bad lines, and kept of them, is bounded.
MOST_PROBLEMS = 10_000
MOST_ASIDE_CHARS = 20_000_000
Progress = Callable[[int], None]


@dataclass(slots=True)
class Imported:
    """What an import did, or would do."""

    sources: dict[str, str] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    set_aside: str | None = None

    def count(self, what: str, number: int = 1) -> None:
        """One more of a kind of outcome."""
        self.counts[what] = self.counts.get(what, 0) + number


def take_in(
    context: ProjectContext,
    place: Path,
    *,
    aside: Path,
    exact: bool = False,
    dry_run: bool = False,
    tick: Progress = lambda _: None,
) -> Imported:
    """Import everything at a place as one group; what cannot be read is named and set aside.

    What comes in is this project's, of origin `import`, and neither pinned nor strong. With `exact` it is as the file
    says: for a copy of one's own store.
    """
    found, work = import_sources.discover(context, place), _Work(context, Imported(), dry_run=dry_run, exact=exact)
    for source in found:
        work.report.sources[import_sources.printable(source.path)] = source.what
        for item in _items(source):
            work.add(item)
            tick(1)
    work.flush()
    if work.rejected and not dry_run:
        work.report.set_aside = str(_set_aside(aside, work.rejected, context.stamp()))
    return work.report


def _items(source: Source) -> Iterator[Item]:
    try:
        yield from source.read()
    except RecollectError as error:
        yield Item(import_sources.printable(source.path), None, error.message)


@dataclass(slots=True)
class _Work:
    """One import under way: changes are committed in batches that share a group, so that undo takes back all of it."""

    context: ProjectContext
    report: Imported
    dry_run: bool
    exact: bool = False
    changes: list[Change] = field(default_factory=list)
    rejected: list[str] = field(default_factory=list)
    group: str = ""
    seen: set[str] = field(default_factory=set)
    room: int = MOST_ASIDE_CHARS
    """How many more characters of bad lines are kept."""

    def add(self, item: Item) -> None:
        """Plan what one item becomes."""
        if item.problem:
            self._tell(f"{item.where}: {item.problem}")
        if item.found is None:
            self.report.count("not read")
            self._reject(item.raw)
            return
        if isinstance(item.found, Fact):
            is_kept = self.exact or not item.exact
            self._add_fact(screening.fact(item.found if is_kept else imported.fact(item.found, self.context.project)))
        elif self._is_here(item):
            self.report.count("known")
        else:
            said = item.found if self.exact else imported.memory(item.found, self.context.project, is_copy=item.exact)
            self._add_memory(said, item)

    def _is_here(self, item: Item) -> bool:
        """Whether a line of an export of ours came from this very project: it is known, whatever it is called now."""
        stored = self.context.store.get(item.found.uid) if item.exact and item.found else None
        return stored is not None and (self.exact or stored.memory.project in (self.context.project, "global"))

    def _tell(self, problem: str) -> None:
        number = len(self.report.problems)
        if number < MOST_PROBLEMS:
            self.report.problems.append(problem)
        elif number == MOST_PROBLEMS:
            self.report.problems.append(f"more than {MOST_PROBLEMS:,} problems; the others are only counted")

    def _reject(self, raw: str) -> None:
        """Keep a bad line so that it can be set aside, as long as there is room for it."""
        if raw and len(raw) <= self.room:
            self.rejected.append(raw)
            self.room -= len(raw)

    def _add_fact(self, fact: Fact) -> None:
        stated = f"{fact.project}\0{fact.subject}\0{fact.predicate}\0{fact.object}"
        if stated in self.seen or self.context.store.facts.same(fact):
            self.report.count("known")
        else:
            self._plan(Assert(fact))
        self.seen.add(stated)

    def _add_memory(self, said: Memory, item: Item) -> None:
        screened = screening.memory(said, classify=item.classify)
        memory, store = screened.memory, self.context.store
        self.report.notes += screened.notes()
        if memory.uid in self.seen or store.get(memory.uid) or self._is_here_closed(memory):
            self.report.count("known")
        elif memory.kind in self.context.config.save.disabled_kinds:
            self.report.count(f"{memory.kind}: switched off")
        elif store.is_buried(memory.project, memory.digest):
            self.report.count("purged before")
        else:
            merge = memory.status == "active" and not item.is_record and not (item.exact and self._is_own(memory))
            self._plan(Create(memory, merge_duplicate=merge, exact=item.exact))
        self.seen.add(memory.uid)

    def _is_here_closed(self, memory: Memory) -> bool:
        """What is closed or has expired has no duplicate to be merged with: its text alone tells that it is here."""
        is_over = retention.has_expired(memory, self.context.clock())
        return (memory.status != "active" or is_over) and not self._is_own(memory)

    def _is_own(self, memory: Memory) -> bool:
        """Nobody outside of this import says the same: two that have identities of their own both come in."""
        return self.context.store.sayers(memory.project, memory.digest) <= self.seen

    def _plan(self, change: Change) -> None:
        self.changes.append(change)
        if len(self.changes) >= BATCH:
            self.flush()

    def flush(self) -> None:
        """Commit a batch; in a dry run only tell what it would become."""
        if self.dry_run:
            for change in self.changes:
                self.report.count(self._forecast(change))
        elif self.changes:
            self.group = self.group or text.new_uid(self.context.clock())
            outcomes = commit.commit(self.context, self.changes, group_id=self.group)
            for outcome in outcomes:
                self.report.count(outcome.action)
                self.report.notes += outcome.notes
        self.changes.clear()

    def _forecast(self, change: Change) -> str:
        if isinstance(change, Assert):
            return "asserted"
        if not isinstance(change, Create) or not change.merge_duplicate:
            return "created"
        now, said = self.context.clock().timestamp(), change.memory
        is_known = said.digest in self.seen or self.context.store.same_text(said.project, said.digest, now)
        self.seen.add(said.digest)
        return "known or merged" if is_known else "created"


def _set_aside(folder: Path, lines: list[str], stamp: str) -> Path:
    machine.make_folder(folder)
    number = sum(1 for _ in folder.glob("not-imported-*")) + 1
    name = f"not-imported-{text.slugify(stamp)}-{number}.jsonl"
    with Writing(folder) as writing:
        writing.write(name, "".join(f"{detector.redact(line)}\n" for line in lines).encode("utf-8", "replace"))
    return folder / name

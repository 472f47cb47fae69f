"""Import memories and facts: each once, screened, with a report of what could not be read."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from recollect import machine
from recollect.errors import RecollectError
from recollect.interop import import_sources
from recollect.interop.import_lines import Item
from recollect.interop.import_sources import Source
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
# An import reads files of any length: how many bad lines are named, and how much of them is kept, is limited.
MOST_PROBLEMS = 10_000
MOST_ASIDE_CHARS = 20_000_000
Progress = Callable[[int], None]


@dataclass(slots=True)
class Imported:
    """The report of an import, or of a dry run."""

    sources: dict[str, str] = field(default_factory=dict)
    """The format of each file that was read."""
    counts: dict[str, int] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    set_aside: str | None = None
    """The file that keeps the lines which could not be read."""

    def count(self, what: str, number: int = 1) -> None:
        """Add to the number of an outcome."""
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
    """Import everything at a file or folder as one group; what cannot be read is named and set aside in `aside`.

    Imported memories belong to this project, have the origin `import`, and are neither pinned nor strong. With `exact`
    they stay as the file has them, for a copy of your own store.
    """
    sources = import_sources.discover(context, place)
    work = _ImportRun(context, Imported(), dry_run=dry_run, exact=exact)
    for source in sources:
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
class _ImportRun:
    """A running import: changes are committed in batches of one group, so that `undo` reverses the whole import."""

    context: ProjectContext
    report: Imported
    dry_run: bool
    exact: bool = False
    changes: list[Change] = field(default_factory=list)
    rejected: list[str] = field(default_factory=list)
    group: str = ""
    seen: set[str] = field(default_factory=set)
    aside_chars: int = MOST_ASIDE_CHARS
    """How many more characters of bad lines are kept."""

    def add(self, item: Item) -> None:
        """Plan the change for an item, or count why there is none."""
        if item.problem:
            self._report_problem(f"{item.where}: {item.problem}")
        if item.found is None:
            self.report.count("not read")
            self._keep_bad_line(item.raw)
            return
        if isinstance(item.found, Fact):
            is_kept = self.exact or not item.exact
            fact = item.found if is_kept else imported.fact(item.found, self.context.project)
            self._add_fact(screening.fact(fact))
        elif self._is_known_export(item):
            self.report.count("known")
        else:
            project = self.context.project
            memory = item.found if self.exact else imported.memory(item.found, project, is_copy=item.exact)
            self._add_memory(memory, item)

    def _is_known_export(self, item: Item) -> bool:
        """Whether a line of an export of ours is in this project already, by its id."""
        stored = self.context.store.get(item.found.uid) if item.exact and item.found else None
        return stored is not None and (self.exact or stored.memory.project in (self.context.project, "global"))

    def _report_problem(self, problem: str) -> None:
        number = len(self.report.problems)
        if number < MOST_PROBLEMS:
            self.report.problems.append(problem)
        elif number == MOST_PROBLEMS:
            self.report.problems.append(f"more than {MOST_PROBLEMS:,} problems; the others are only counted")

    def _keep_bad_line(self, raw: str) -> None:
        """Keep a bad line so that it can be set aside, within MOST_ASIDE_CHARS."""
        if raw and len(raw) <= self.aside_chars:
            self.rejected.append(raw)
            self.aside_chars -= len(raw)

    def _add_fact(self, fact: Fact) -> None:
        key = f"{fact.project}\0{fact.subject}\0{fact.predicate}\0{fact.object}"
        if key in self.seen or self.context.store.facts.same(fact):
            self.report.count("known")
        else:
            self._plan(Assert(fact))
        self.seen.add(key)

    def _add_memory(self, found: Memory, item: Item) -> None:
        screened = screening.memory(found, classify=item.classify)
        memory, store = screened.memory, self.context.store
        self.report.notes += screened.notes()
        if memory.uid in self.seen or store.get(memory.uid) or self._is_known_closed(memory):
            self.report.count("known")
        elif memory.kind in self.context.config.save.disabled_kinds:
            self.report.count(f"{memory.kind}: switched off")
        elif store.is_buried(memory.project, memory.digest):
            self.report.count("purged before")
        else:
            merge = memory.status == "active" and not item.is_record and not (item.exact and self._is_new_text(memory))
            self._plan(Create(memory, merge_duplicate=merge, exact=item.exact))
        self.seen.add(memory.uid)

    def _is_known_closed(self, memory: Memory) -> bool:
        """Whether a retired, archived or expired memory is known by its text: such memories are never merged."""
        is_over = retention.has_expired(memory, self.context.clock())
        return (memory.status != "active" or is_over) and not self._is_new_text(memory)

    def _is_new_text(self, memory: Memory) -> bool:
        """Whether no memory outside of this import has the same text; two lines of one import may both have it."""
        return self.context.store.uids_with_text(memory.project, memory.digest) <= self.seen

    def _plan(self, change: Change) -> None:
        self.changes.append(change)
        if len(self.changes) >= BATCH:
            self.flush()

    def flush(self) -> None:
        """Commit a batch; in a dry run only count what it would become."""
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
        now, memory = self.context.clock().timestamp(), change.memory
        is_known = memory.digest in self.seen or self.context.store.same_text(memory.project, memory.digest, now)
        self.seen.add(memory.digest)
        return "known or merged" if is_known else "created"


def _set_aside(folder: Path, lines: list[str], stamp: str) -> Path:
    machine.make_folder(folder)
    number = sum(1 for _ in folder.glob("not-imported-*")) + 1
    name = f"not-imported-{text.slugify(stamp)}-{number}.jsonl"
    with Writing(folder) as writing:
        writing.write(name, "".join(f"{detector.redact(line)}\n" for line in lines).encode("utf-8", "replace"))
    return folder / name

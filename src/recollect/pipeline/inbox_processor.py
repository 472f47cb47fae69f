"""Process the inbox: in order, in batches, each event exactly once; an event that fails twice is set aside."""

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from recollect import hook_log, paths
from recollect.errors import ConfigError, RecollectError, StoreError
from recollect.failsafe import failsafe
from recollect.hooks import inbox
from recollect.jobs import encoder_answers, runner
from recollect.jobs.job import JobInput
from recollect.opening.open_checkout import open_checkout, system_clock
from recollect.opening.open_project import OpenProject
from recollect.pipeline import due_jobs, event_handlers, inbox_event, session_tail
from recollect.pipeline.batch import Batch
from recollect.pipeline.event_handlers import TRIED
from recollect.pipeline.inbox_event import InboxEvent
from recollect.project.checkout import find_checkout

BATCH = 100
KILLED = ".killed"
MOST_KILLS = 20


@dataclass(slots=True)
class Drained:
    """What became of the events that waited, by the names of their files."""

    done: int = 0
    """How many events were processed."""
    dropped: dict[str, str] = field(default_factory=dict)
    """Events of which nothing is kept, and why."""
    aside: list[str] = field(default_factory=list)
    """Events that failed and were set aside."""
    waiting: dict[str, str] = field(default_factory=dict)
    """Events that could not be processed yet, and why."""


def drain(tick: Callable[[int], None] | None = None, env: Mapping[str, str] = os.environ) -> Drained:
    """Process the events that wait in the inbox; a store that cannot be used keeps all of them waiting."""
    home, now = Path(paths.home(env)), system_clock(env)().timestamp()
    with ExitStack() as stack:
        work = _Work(home, now, stack, tick or _ignore, env)
        work.recover()
        answers = encoder_answers.restore(home)
        while (names := work.next_names()) and not work.is_stopped:
            for batch in work.batches(names):
                work.drain(batch)
                if work.is_stopped:
                    break
        encoder_answers.save(home, answers)
        work.finish()
    return work.drained


def _ignore(_: int) -> None:
    """Do nothing: the caller shows no progress."""


@dataclass(slots=True)
class _Work:
    """Draining under way: the projects that are open, and what became of the events so far."""

    home: Path
    now: float
    stack: ExitStack
    tick: Callable[[int], None]
    env: Mapping[str, str]
    drained: Drained = field(default_factory=Drained)
    open: dict[str, OpenProject] = field(default_factory=dict)
    is_stopped: bool = False

    def next_names(self) -> list[str]:
        """Return the names of the events that wait, without those that cannot be processed now."""
        return [name for name in inbox.waiting(str(self.home)) if name not in self.drained.waiting]

    def recover(self) -> None:
        """Mark the events that a killed worker was processing, so that each is processed alone."""
        mark = self.home / "draining"
        if mark.exists():
            for name in mark.read_text("utf-8").split():
                self._count_kill(name)
            mark.unlink()

    def batches(self, names: list[str]) -> Iterator[list[InboxEvent]]:
        """Yield batches of neighbouring events of a folder; an event that failed before is alone in its batch."""
        batch: list[InboxEvent] = []
        for name in names:
            event = self._read(name)
            if event is None:
                continue
            is_alone = not name.endswith(inbox.ENDING)
            if batch and (is_alone or len(batch) >= BATCH or event["folder"] != batch[0]["folder"]):
                yield batch
                batch = []
            batch.append(event)
            if is_alone:
                yield batch
                batch = []
        if batch:
            yield batch

    def _read(self, name: str) -> InboxEvent | None:
        """Return an event; None where it is gone, or cannot be read and was set aside."""
        try:
            return inbox_event.read(self.home / "inbox" / name, self.now)
        except FileNotFoundError:
            return None
        except (RecollectError, ImportError, OSError) as error:
            self._set_aside(name, str(error))
            return None

    def drain(self, events: list[InboxEvent]) -> None:
        """Process neighbouring events as one batch; where it fails, one by one, each tried twice."""
        project = self._project(events)
        if project is None:
            return
        mark = self.home / "draining"
        mark.write_text("\n".join(event.file for event in events), "utf-8")
        batch = failsafe(str(self.home), "drain", self._apply, project, events)
        mark.unlink(missing_ok=True)
        if batch is not None:
            self._finish_batch(events, batch)
        elif len(events) > 1:
            for event in events:
                self.drain([event])
        elif not self.is_stopped and events[0].file not in self.drained.waiting:
            self._count_try(events[0].file)

    def _finish_batch(self, events: list[InboxEvent], batch: Batch) -> None:
        """Count the events of a batch that is written, and remove their files."""
        for event in events:
            self.drained.waiting.pop(event.file, None)
        self.drained.done += len(events) - len(batch.dropped)
        self.drained.dropped |= batch.dropped
        for event in events:
            if event.file in batch.dropped:
                session_tail.drop(self.home, event, batch.dropped[event.file])
            (self.home / "inbox" / event.file).unlink(missing_ok=True)
        self.tick(len(events))

    def _apply(self, project: OpenProject, events: list[InboxEvent]) -> Batch:
        try:
            return event_handlers.apply(project.project_context, events)
        except StoreError as error:  # not the event's fault: it waits for a store, or a vault, that works
            self._wait(events, error)
            raise

    def _project(self, events: list[InboxEvent]) -> OpenProject | None:
        """Return the open project of the events' folder; None where it cannot be opened now."""
        folder = events[0]["folder"] or str(self.home)
        if folder not in self.open:
            try:
                self.open[folder] = self.stack.enter_context(self._open(folder))
                self.open[folder].meet()
            except (StoreError, ConfigError) as error:
                self._wait(events, error)
                return None
            except (RecollectError, OSError) as error:
                hook_log.write(str(self.home), "drain", f"{folder[:200]} cannot be opened: {error}")
                for event in events:
                    self._count_try(event.file)
                return None
        return self.open[folder]

    def _open(self, folder: str) -> OpenProject:
        existing = _existing(folder)
        return open_checkout(
            find_checkout(existing), OpenProject, folder=existing, env=self.env, actor=runner.WORKER, warn=self._warn
        )

    def _wait(self, events: list[InboxEvent], error: RecollectError) -> None:
        """Let events wait; those of other folders go on, unless the store itself cannot be used."""
        database = Path(paths.database(self.env))
        self.is_stopped = isinstance(error, StoreError) and str(error.target).startswith(str(database))
        self.drained.waiting |= dict.fromkeys((event.file for event in events), error.message)
        hook_log.write(str(self.home), "drain", f"{len(events)} events wait: {error.message}")

    def _warn(self, warning: str) -> None:
        hook_log.write(str(self.home), "drain", warning)

    def _count_try(self, name: str) -> None:
        """Mark an event that failed; set it aside the second time, where a person may look at it."""
        path = self.home / "inbox" / name
        if TRIED in name:
            self._set_aside(name, "it failed twice")
        elif path.exists():
            path.rename(path.with_name(name + TRIED))

    def _count_kill(self, name: str) -> None:
        """Mark an event over which a worker was killed; after 20 kills it counts as their cause and is set aside."""
        path = self.home / "inbox" / name
        if name.count(KILLED) >= MOST_KILLS:
            self._set_aside(name, f"{MOST_KILLS} workers ended over it")
        elif path.exists():
            path.rename(path.with_name(name + KILLED))

    def _set_aside(self, name: str, why: str) -> None:
        """Move an event to the folder `aside`, and log why."""
        aside, path = Path(paths.aside(str(self.home))), self.home / "inbox" / name
        if not path.exists():
            return
        aside.mkdir(mode=0o700, exist_ok=True)
        path.replace(aside / name)
        self.drained.aside.append(name)
        hook_log.write(str(self.home), "drain", f"{name} is set aside: {why}")

    def finish(self) -> None:
        """Run the jobs that are due; without an open project, or with a store that cannot be used, none is run."""
        project = next(iter(self.open.values()), None)
        if project and not self.is_stopped:
            context = project.project_context
            work = JobInput(context.store, context.config, Path(paths.home(self.env)), context.clock, context)
            failsafe(str(self.home), "jobs", runner.run_due, work)


def run_jobs_after_draining(env: Mapping[str, str] = os.environ) -> None:
    """Run the due jobs that come after draining: apart from it, so that no event waits for them."""
    due_jobs.run(env)


def _existing(folder: str) -> Path:
    """Return the folder, or the nearest folder above it that exists."""
    path = Path(folder)
    return next((part for part in (path, *path.parents) if os.path.isdir(part)), Path("/"))  # noqa: PTH112 - no raise

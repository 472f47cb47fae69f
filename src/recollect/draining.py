"""Working through the inbox: in order, in batches, each event exactly once; one that spoils its batch is set aside."""

import contextlib
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from recollect import config, folders, paths
from recollect.errors import ConfigError, RecollectError, StoreError
from recollect.hot import inbox, log
from recollect.hot.dispatch import failsafe
from recollect.hot.event import load
from recollect.lifecycle import drain as becoming
from recollect.lifecycle import noted as notes
from recollect.lifecycle import tail, upkeep
from recollect.lifecycle.batch import Plan
from recollect.lifecycle.drain import TRIED
from recollect.lifecycle.noted import Noted
from recollect.model.words import MODEL
from recollect.opening import open as open_workspace
from recollect.opening import system_clock
from recollect.store.sqlite import SqliteStore
from recollect.workspace import Workspace

BATCH = 100
KILLED = ".killed"
MOST_KILLS = 20


@dataclass(slots=True)
class Drained:
    """What became of the events that waited."""

    done: int = 0
    dropped: dict[str, str] = field(default_factory=dict)
    aside: list[str] = field(default_factory=list)
    waiting: dict[str, str] = field(default_factory=dict)
    """Events that could not be worked through yet, and why."""


def drain(tick: Callable[[int], None] | None = None) -> Drained:
    """Work through what waits. A store that cannot be used keeps everything waiting."""
    home, now = Path(folders.home(os.environ)), system_clock()().timestamp()
    with ExitStack() as stack:
        work = _Work(home, now, stack, tick or _ignore)
        work.recover()
        while (names := work.next_names()) and not work.is_stopped:
            for batch in work.batches(names):
                work.drain(batch)
                if work.is_stopped:
                    break
        work.finish()
    return work.drained


def _ignore(_: int) -> None:
    """Nobody counts."""


@dataclass(slots=True)
class _Work:
    home: Path
    now: float
    stack: ExitStack
    tick: Callable[[int], None]
    drained: Drained = field(default_factory=Drained)
    open: dict[str, Workspace] = field(default_factory=dict)
    is_stopped: bool = False

    def next_names(self) -> list[str]:
        """What waits and was not found to be stuck."""
        return [name for name in inbox.waiting(str(self.home)) if name not in self.drained.waiting]

    def recover(self) -> None:
        """A worker that was killed leaves the list of what it was at: those events are looked at one by one."""
        mark = self.home / "draining"
        if mark.exists():
            for name in mark.read_text("utf-8").split():
                self._count_kill(name)
            mark.unlink()

    def batches(self, names: list[str]) -> Iterator[list[Noted]]:
        """Neighbours of one folder; an event that failed before stands alone."""
        batch: list[Noted] = []
        for name in names:
            noted = self._read(name)
            if noted is None:
                continue
            is_alone = not name.endswith(inbox.ENDING)
            if batch and (is_alone or len(batch) >= BATCH or noted["folder"] != batch[0]["folder"]):
                yield batch
                batch = []
            batch.append(noted)
            if is_alone:
                yield batch
                batch = []
        if batch:
            yield batch

    def _read(self, name: str) -> Noted | None:
        place = self.home / "inbox" / name
        try:
            return notes.read(place, self.now)
        except FileNotFoundError:
            return None
        except (RecollectError, ImportError, OSError) as error:
            self._set_aside(name, str(error))
            return None

    def drain(self, batch: list[Noted]) -> None:
        """One batch; where it fails, its events one by one, each tried twice."""
        space = self._space(batch)
        if space is None:
            return
        mark = self.home / "draining"
        mark.write_text("\n".join(noted.file for noted in batch), "utf-8")
        plan = failsafe(str(self.home), "drain", self._apply, space, batch)
        mark.unlink(missing_ok=True)
        if plan is not None:
            for noted in batch:
                self.drained.waiting.pop(noted.file, None)
            self.drained.done += len(batch) - len(plan.dropped)
            self.drained.dropped |= plan.dropped
            for noted in batch:
                if noted.file in plan.dropped:
                    tail.drop(self.home, noted, plan.dropped[noted.file])
                (self.home / "inbox" / noted.file).unlink(missing_ok=True)
            self.tick(len(batch))
        elif len(batch) > 1:
            for noted in batch:
                self.drain([noted])
        elif not self.is_stopped and batch[0].file not in self.drained.waiting:
            self._count_try(batch[0].file)

    def _apply(self, space: Workspace, batch: list[Noted]) -> Plan:
        try:
            return becoming.apply(space.space, batch)
        except StoreError as error:  # not the event's fault: it waits for a store, or a vault, that works
            self._wait(batch, error)
            raise

    def _space(self, batch: list[Noted]) -> Workspace | None:
        folder = batch[0]["folder"] or str(self.home)
        if folder not in self.open:
            try:
                self.open[folder] = self.stack.enter_context(
                    open_workspace(_existing(folder), actor="worker", warn=self._warn)
                )
                self.open[folder].meet()
            except (StoreError, ConfigError) as error:
                self._wait(batch, error)
                return None
            except (RecollectError, OSError) as error:
                log.write(str(self.home), "drain", f"{folder[:200]} cannot be opened: {error}")
                for noted in batch:
                    self._count_try(noted.file)
                return None
        return self.open[folder]

    def _wait(self, batch: list[Noted], error: RecollectError) -> None:
        """Another folder's events go on, unless it is the store itself that cannot be used."""
        database = paths.database(os.environ)
        self.is_stopped = isinstance(error, StoreError) and str(error.target).startswith(str(database))
        self.drained.waiting |= dict.fromkeys((noted.file for noted in batch), error.message)
        log.write(str(self.home), "drain", f"{len(batch)} events wait: {error.message}")

    def _warn(self, warning: str) -> None:
        log.write(str(self.home), "drain", warning)

    def _count_try(self, name: str) -> None:
        """Twice is enough: what failed then is set aside, where a person may look at it."""
        place = self.home / "inbox" / name
        if TRIED in name:
            self._set_aside(name, "it failed twice")
        elif place.exists():
            place.rename(place.with_name(name + TRIED))

    def _count_kill(self, name: str) -> None:
        """Workers are killed for many reasons; only one event after many kills is taken for their cause."""
        place = self.home / "inbox" / name
        if name.count(KILLED) >= MOST_KILLS:
            self._set_aside(name, f"{MOST_KILLS} workers ended over it")
        elif place.exists():
            place.rename(place.with_name(name + KILLED))

    def _set_aside(self, name: str, why: str) -> None:
        aside, place = Path(folders.aside(str(self.home))), self.home / "inbox" / name
        if not place.exists():
            return
        aside.mkdir(mode=0o700, exist_ok=True)
        place.replace(aside / name)
        self.drained.aside.append(name)
        log.write(str(self.home), "drain", f"{name} is set aside: {why}")

    def finish(self) -> None:
        """What is due once a day, and a word that we were here."""
        space = next(iter(self.open.values()), None)
        if space and not self.is_stopped:
            failsafe(str(self.home), "upkeep", upkeep.run, space.space, paths.home(os.environ))


def catch_up() -> None:
    """Let recall know what is new: apart from the drain, so that no event waits for it."""
    settings = config.load(env=os.environ).config
    if not settings.recall.vectors:
        return
    with contextlib.closing(SqliteStore(paths.database(os.environ), settings.kind_table())) as store:
        if store.recall.is_behind(MODEL):  # its arithmetic is loaded only where something is new
            load("recollect.lifecycle.reindex").run(store, _ignore, hashed=settings.log.vectors)


def _existing(folder: str) -> Path:
    """The folder, or the nearest one above it that is still there."""
    place = Path(folder)
    return next((up for up in (place, *place.parents) if os.path.isdir(up)), Path("/"))  # noqa: PTH112 - never raises

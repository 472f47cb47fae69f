"""The types of the table of due work: what a job is, what it works with, and what is recorded of its last run."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from recollect.config import Config
from recollect.model.clock import Clock
from recollect.project_context import ProjectContext
from recollect.store.protocols import Store

Need = Literal["store", "project", "home folder", "search vectors"]
DAY_SECONDS = 86_400


@dataclass(frozen=True, slots=True)
class JobInput:
    """What a job works with."""

    store: Store
    config: Config
    home: Path
    """The folder of the store, which also holds the inbox, backups and runtime files."""
    clock: Clock
    project: ProjectContext | None = None
    """The open project; None where only the store is open. A job that needs it says so in `needs`."""

    @property
    def now(self) -> float:
        """The time in seconds since the epoch."""
        return self.clock().timestamp()


@dataclass(frozen=True, slots=True)
class JobRun:
    """What is recorded of a job's last run."""

    at: float | None
    """When the job last succeeded, in seconds since the epoch; None if it never did."""
    seconds: float = 0.0
    """How long the last run took."""
    result: str = ""
    """What the last run did, in a few words."""
    failed_at: float | None = None
    """When the last run failed; None where it succeeded."""


NEVER = JobRun(None)


@dataclass(frozen=True, slots=True)
class Job:
    """A row of the table."""

    name: str
    does: str
    """What the job does, in a sentence for people."""
    due: str
    """When the job is due, in words for people."""
    run: Callable[[JobInput], str]
    """Do the work; return what was done in a few words."""
    needs: tuple[Need, ...]
    every_seconds: int | None = None
    """The interval between two runs; None where only `is_behind` decides."""
    is_behind: Callable[[Store], bool] | None = None
    """Whether the store's state makes the job due; reads the store and changes nothing."""
    setting: str = ""
    """The setting that bounds the job, or switches it off where its value is false; empty without one."""
    after_draining: bool = False
    """Whether the job runs after the worker has released its lock, so that no event waits for it."""

    def setting_value(self, config: Config) -> object:
        """Return the value of the job's setting; None without one."""
        section, _, field = self.setting.partition(".")
        return getattr(getattr(config, section), field) if section else None

    def is_on(self, config: Config) -> bool:
        """Whether the settings let the job run by itself."""
        return self.setting_value(config) is not False

    def is_due(self, last: JobRun, store: Store, now: float) -> bool:
        """Whether the interval since the last success is over, or the store's state asks for a run."""
        return self._is_interval_over(last.at, now) or (self.is_behind is not None and self.is_behind(store))

    def _is_interval_over(self, last: float | None, now: float) -> bool:
        if self.every_seconds is None:
            return False
        return last is None or not 0 <= now - last < self.every_seconds  # a clock that was set back is due too

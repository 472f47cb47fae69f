"""The types of the table of due work: what a job is, what it works with, and what is recorded of its last run."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from recollect.config import Config, recurrence
from recollect.jobs.plan import Plan
from recollect.model.clock import Clock
from recollect.project_context import ProjectContext
from recollect.store.protocols import Store

Scope = Literal["store", "project"]
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
    stopped_at: float | None = None
    """When the last run stopped because it would have closed too many memories; None where it did not."""


NEVER = JobRun(None)


@dataclass(frozen=True, slots=True)
class Job:
    """A row of the table: it has `plan`, where it changes memories, or `run`; with both, `run` does the work."""

    name: str
    does: str
    """What the job does, in a sentence for people."""
    due: str
    """When the job is due, in words for people."""
    needs: tuple[Need, ...]
    run: Callable[[JobInput], str] | None = None
    """Do the work; return what was done in a few words."""
    plan: Callable[[JobInput], Plan] | None = None
    """Return what the work would change, and write nothing; `runner` commits it as one group."""
    scope: Scope = "store"
    """Whether the job works on the whole store, or on one project at a time and is recorded for each."""
    every_seconds: int | None = None
    """The interval between two runs; None without one."""
    after_session: bool = False
    """Whether the job is due when a session of the project has ended (a row of `hooks/wiring.py` marks it)."""
    schedule: str = ""
    """The setting that says in which sessions of a project the job is due, as offset/cycle; empty without one."""
    recurrence: str = ""
    """The setting that says when the job is due, as an interval or a cron expression; empty without one."""
    in_use_only: bool = False
    """Whether only an event in a project makes the job due there once its time has come: idle projects stay closed."""
    is_behind: Callable[[Store], bool] | None = None
    """Whether the store's state makes the job due; reads the store and changes nothing."""
    setting: str = ""
    """The setting that bounds the job, or switches it off where its value is false; empty without one."""
    waits_for_drain: bool = False
    """Whether a job of the store runs when the worker has released its lock; those of projects always do."""

    announces: str = ""
    """What a person who watches is told when the job begins by itself (A41); empty for a job that begins silently."""

    @property
    def after_draining(self) -> bool:
        """Whether the job runs after the worker has released its lock, so that no event waits for it."""
        return self.waits_for_drain or self.scope == "project"

    def setting_value(self, config: Config) -> object:
        """Return the value of the job's setting; None without one."""
        return _value(config, self.setting)

    def schedule_in(self, config: Config) -> str:
        """Return the schedule of the job, as offset/cycle; empty without one."""
        return str(_value(config, self.schedule) or "")

    def next_due(self, last: float | None, config: Config) -> float | None:
        """Return when the interval or recurrence is over, in seconds since the epoch; None without one, or at once."""
        if last is None:
            return None
        if self.every_seconds is not None:
            return last + self.every_seconds
        said = str(_value(config, self.recurrence) or "")
        upcoming = recurrence.parse(said).next_after(datetime.fromtimestamp(last, UTC)) if said else None
        return upcoming.timestamp() if upcoming else None

    def has_recurred(self, last: float | None, config: Config, now: float) -> bool:
        """Whether the setting `recurrence` makes the job due."""
        said = str(_value(config, self.recurrence) or "")
        return bool(said) and recurrence.is_due(recurrence.parse(said), last, now)

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


def _value(config: Config, name: str) -> object:
    """Return the value of a setting, `section.field`; None for an empty name."""
    section, _, field = name.partition(".")
    return getattr(getattr(config, section), field) if section else None

"""Which jobs are owed to which project: marks in the store's settings, which stay until the job has succeeded.

A worker handler sets the mark in the same transaction as the event that makes the job due, and the job's commit removes
it: a worker that is killed in between loses neither.
"""

import json
from dataclasses import asdict, dataclass
from typing import Literal

from recollect.store.protocols import Store

OWED, SCHEDULED = "owed:", "scheduled:"
"""Prefixes of settings: what is owed, and the session in which a scheduled job last ran."""
UNFINISHED = "unfinished:"
"""The prefix of the settings that name the session in which a scheduled job did only a part; later ones go on."""
Answer = Literal["not now", "first", "due"]


@dataclass(frozen=True, slots=True)
class Owed:
    """Why and where a job is owed."""

    root: str
    """The checkout whose session made it due."""
    at: float
    """When it became due, in seconds since the epoch."""
    number: int = 0
    """The session of a schedule in which it became due; 0 where a session's end made it due."""


def key(prefix: str, job: str, project: str) -> str:
    """Return the name of a setting about a job in a project."""
    return f"{prefix}{job}@{project}"


def parts(name: str, prefix: str) -> tuple[str, str]:
    """Return job and project from the name of a setting."""
    job, _, project = name.removeprefix(prefix).partition("@")
    return job, project


def read(store: Store, job: str, project: str) -> Owed | None:
    """Return the mark of a job that is owed to a project; None where it is not, or where the mark cannot be read."""
    return _owed(store.setting(key(OWED, job, project)) or "")


def every(store: Store) -> dict[tuple[str, str], Owed]:
    """Return everything that is owed, by job and project."""
    found = {parts(name, OWED): _owed(value) for name, value in store.settings(OWED).items()}
    return {about: owed for about, owed in found.items() if owed}


def value(owed: Owed) -> str:
    """Return a mark as the store keeps it."""
    return json.dumps(asdict(owed), ensure_ascii=False)


def _owed(value: str) -> Owed | None:
    try:
        return Owed(**json.loads(value)) if value else None
    except (ValueError, TypeError):
        return None


def settle(store: Store, job: str, project: str, mark: Owed | None) -> None:
    """Remove the mark that a job began with, and note the session of its schedule as done, in an open transaction.

    A mark that was set meanwhile stays.
    """
    if mark and mark.number:
        store.set_setting(key(SCHEDULED, job, project), str(mark.number))
    if mark and read(store, job, project) == mark:
        store.set_setting(key(OWED, job, project), None)


def scheduled(schedule: str, number: int, last: str | None) -> Answer:
    """Return whether a schedule, offset/cycle, makes a job due in a session, by its number (A39).

    `last` is the session in which it last ran; the first due session only begins the count. That is session 0, of
    which the first session tells, if the schedule names it.
    """
    offset, _, cycle = schedule.partition("/")
    if number == 1 and last is None and int(offset) == 0:
        return "first"
    if number <= 0 or number % int(cycle) != int(offset):
        return "not now"
    if last is None:
        return "first"
    return "not now" if last == str(number) else "due"


def next_session(schedule: str, number: int) -> int | None:
    """Return the number of the next session after `number` that a schedule names; None where it names none."""
    offset, cycle = (int(part) for part in schedule.split("/"))
    ahead = (offset - number) % cycle
    return number + (ahead or cycle) if offset < cycle else None

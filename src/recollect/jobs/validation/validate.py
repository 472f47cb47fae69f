"""Validation (A42): check all memories, some random ones, or those that somebody names; keep verdicts, write a log."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from recollect import machine, paths
from recollect.errors import DiskRefused, Refused
from recollect.jobs.job import JobInput
from recollect.jobs.validation import checking
from recollect.jobs.validation.checking import Checked
from recollect.model.memory import Memory
from recollect.model.recall_values import VERBATIM_KINDS
from recollect.model.verdict import STALE, STATES, CheckedVerdict
from recollect.project_context import ProjectContext
from recollect.write import session_counter

LOGS = "logs"


@dataclass(frozen=True, slots=True)
class Validation:
    """What a validation found."""

    verdicts: tuple[CheckedVerdict, ...] = ()
    """The verdicts on the memories that name code, those with something gone first."""
    memories: dict[str, Memory] = field(default_factory=dict)
    """The memories that were checked, by uid."""
    problem: str = ""
    """Why nothing was checked; empty where it was."""
    log: Path | None = None
    """The log that was written; None without one."""
    session: int = 0
    """The number of the session that a random choice was made for."""

    @property
    def silent(self) -> int:
        """How many of the memories name no code."""
        return len(self.memories) - len(self.verdicts)

    def counts(self) -> dict[str, int]:
        """Return how many memories have each verdict."""
        found = [checked.verdict.state for checked in self.verdicts]
        return {state: found.count(state) for state in STATES}


def validate_all(context: ProjectContext, *, dry_run: bool = False) -> Validation:
    """Check every active memory of the project."""
    return validate_these(context, checking.memories_to_check(context), dry_run=dry_run)


def validate_these(context: ProjectContext, memories: Sequence[Memory], *, dry_run: bool = False) -> Validation:
    """Check these memories."""
    checked = checking.check(context, memories)
    if not dry_run:
        checking.save(context, checked)
    return _validation(checked)


def validate_some(context: ProjectContext, *, amount: int | None = None, dry_run: bool = False) -> Validation:
    """Check up to `amount` random memories, the same ones for the same session, and write the log (A42).

    Without an amount the setting `validation.amount` says how many; 0 means all.
    """
    session = session_counter.number(context)
    most = context.config.validation.amount if amount is None else amount
    chosen = choose(checking.memories_to_check(context), most, session)
    found = validate_these(context, chosen, dry_run=dry_run)
    log = None if dry_run or found.problem else write_log(context, found, session)
    return Validation(found.verdicts, found.memories, found.problem, log, session)


def choose(memories: Sequence[Memory], most: int, session: int) -> list[Memory]:
    """Return up to `most` memories, chosen at random by the number of a session; the record of sessions is left out."""
    kept = sorted((memory for memory in memories if memory.kind not in VERBATIM_KINDS), key=lambda memory: memory.uid)
    if not most or most >= len(kept):
        return kept
    return random.Random(session).sample(kept, most)  # noqa: S311 - a choice that can be repeated, no secret


def _validation(checked: Checked) -> Validation:
    order = {state: place for place, state in enumerate((STALE, "MOVED", "UNVERIFIABLE", "FRESH"))}
    ordered = sorted(checked.verdicts, key=lambda found: (order[found.verdict.state], not found.verdict.doubts))
    return Validation(tuple(ordered), dict(checked.memories), checked.problem)


def write_log(context: ProjectContext, found: Validation, session: int) -> Path:
    """Append what a validation found to `logs/validation-<session>.log` in the home folder, and return its path.

    Raises DiskRefused.
    """
    folder = Path(paths.home(context.env)) / LOGS
    place = folder / f"validation-{session}.log"
    try:
        machine.make_folder(folder)
        with place.open("a", encoding="utf-8", errors="replace") as file:
            file.write("".join(f"{line}\n" for line in log_lines(context, found, session)))
    except OSError as error:
        raise DiskRefused(f"cannot be written: {error.strerror or error}", target=place) from error
    return place


def log_lines(context: ProjectContext, found: Validation, session: int) -> list[str]:
    """Return a validation as the lines of its log: each memory, its verdict, and the evidence."""
    counts = ", ".join(f"{number} {state}" for state, number in found.counts().items())
    head = f"[{context.stamp()}] session {session}, {context.project}: {len(found.memories)} memories, {counts}"
    lines = [head]
    for checked in found.verdicts:
        memory = found.memories[checked.uid]
        lines.append(f"{checked.verdict.state} {memory.kind}/{memory.slug}: {memory.title}")
        lines += [f"  {doubt}" for doubt in checked.verdict.doubts]
        lines += [f"  {finding.state} {finding.says}" for finding in checked.verdict.findings]
    return lines


# -- jobs --------------------------------------------------------------------------------------------------------------


def run_scheduled(work: JobInput) -> str:
    """The job `validate`: check some random memories, and write the log of the session."""
    return _result(validate_some(_context(work)))


def renew(work: JobInput) -> str:
    """The job `verdicts`: check every memory of the project after a session started."""
    return _result(validate_all(_context(work)))


def _result(found: Validation) -> str:
    """Return what was found in a few words; raises Refused where nothing could be checked, so that it stays owed."""
    if found.problem:
        raise Refused(f"nothing was checked: {found.problem}", fix="The next session tries again.")
    said = [f"{number} {state}" for state, number in found.counts().items() if number]
    return f"checked {len(found.memories)} memories: {', '.join([*said, f'{found.silent} name no code'])}"


def _context(work: JobInput) -> ProjectContext:
    if work.project is None:
        raise ValueError("the job needs an open project")
    return work.project

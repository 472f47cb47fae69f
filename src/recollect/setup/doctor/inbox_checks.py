"""Checks of the work on noted events: worker, inbox, events that were set aside, the log of problems."""

from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path

from recollect import paths
from recollect.config.sections import CaptureSection
from recollect.hooks import deadline, inbox
from recollect.jobs import pruning, runner
from recollect.jobs.job import JobInput
from recollect.policy.memories import taught
from recollect.policy.memories.taught import Taught
from recollect.project_context import ProjectContext
from recollect.setup.doctor.check import Check, age, well, wrong

LATE_SECONDS = 3_600
MANY_MISSES = 3


def check_worker(context: ProjectContext, home: Path) -> Check:
    """Report when the worker last ran, and whether one runs now or was killed."""
    ran = context.store.setting(runner.RAN)
    says = f"last ran {age(context.clock(), float(ran))} ago" if ran else "has not run yet"
    if (home / "draining").exists():
        says += "; one is at work, or was killed"
    return well("worker", says)


def check_jobs(context: ProjectContext, home: Path) -> list[Check]:
    """Name the jobs of this project and of the store whose last run failed, or stopped before it closed too much."""
    work = JobInput(context.store, context.config, home, context.clock, context)
    found = []
    for status in runner.statuses(work):
        last, name = status.last, status.job.name
        if last.stopped_at:
            fix = f"`recollect jobs run {name} --dry-run` shows what it would do; check the clock first."
            found.append(wrong(f"job {name}", last.result, fix))
        elif last.failed_at:
            fix = f"`recollect jobs run {name}` tries it again and says what is wrong."
            found.append(wrong(f"job {name}", last.result, fix))
    return found


def check_taught(context: ProjectContext) -> list[Check]:
    """Name the capture rules that are silent in this project, because people dropped most of what they captured."""
    channels = context.store.taught(context.project)
    rows = [Taught(channel.partition(":")[2], is_kept, at) for channel, is_kept, at in channels]
    silent = [
        name for name, tally in taught.tallies(rows, context.clock().timestamp()).items() if tally.state == "silent"
    ]
    if not silent:
        return []
    says = f"silent in this project: {', '.join(sorted(silent))}"
    return [well("capture rules", says, "`recollect capture` shows why; `--reset RULE` lets one speak again.")]


def check_inbox(home: Path, now: datetime, ttl_days: int = CaptureSection().ttl_days) -> list[Check]:
    """Check the inbox, the events that were set aside and the log of problems; needs no store."""
    return [_check_waiting(now, home), *_check_set_aside(home, pruning.kept_days(ttl_days)), *_check_log(now, home)]


def _check_waiting(now: datetime, home: Path) -> Check:
    names = inbox.waiting(str(home))
    if not names:
        return well("inbox", "no events wait")
    oldest = inbox.moment(names[0])
    says = f"{len(names)} events wait, the oldest for {age(now, oldest)}"
    is_late = now.timestamp() - oldest > LATE_SECONDS
    return wrong("inbox", says, "Run `recollect drain`.") if is_late else well("inbox", says)


def _check_set_aside(home: Path, days: int) -> list[Check]:
    place = Path(paths.aside(str(home)))
    times = sorted(event.stat().st_mtime for event in place.glob("*")) if place.is_dir() else []
    if not times:
        return []
    first, last = (datetime.fromtimestamp(at, UTC) + timedelta(days=days) for at in (times[0], times[-1]))
    until = f"{first:%Y-%m-%d}" if first.date() == last.date() else f"{first:%Y-%m-%d} to {last:%Y-%m-%d}"
    says = f"{len(times)} events could not be processed; the worker removes them on {until}"
    return [wrong("set aside", says, f"Look at {place}; remove what is of no use.")]


def _check_log(now: datetime, home: Path) -> list[Check]:
    """Report the deadlines that hooks missed today, and the other lines of today's log."""
    place = Path(paths.log(str(home)))
    if not place.exists():
        return []
    day = f"{now:%Y-%m-%d}"
    today = [line for line in place.read_text("utf-8", "replace").splitlines() if line.startswith(day)]
    misses = [line[21:] for line in today if deadline.LATE in line]
    problems = [line[21:221] for line in today if deadline.LATE not in line]
    found = [_check_deadlines(misses)] if misses else []
    if problems:
        says = f"{len(problems)} problems today; the last: {problems[-1]}"
        found.append(wrong("log", says, f"{place} has them all; clients were not disturbed."))
    return found


def _check_deadlines(misses: list[str]) -> Check:
    """Report the missed deadlines of today: how many of each event, and the longest time; wrong if they are many."""
    counts = Counter(miss.partition(":")[0] for miss in misses)
    longest = max(misses, key=deadline.taken_ms)
    events = ", ".join(f"{number} {name}" for name, number in counts.most_common())
    says = f"missed today: {events}; the longest: {longest}"
    fix = "`recollect config set hooks.deadline_ms 2000` gives hooks more time; notes have hooks.note_deadline_ms."
    return wrong("deadlines", says, fix) if len(misses) >= MANY_MISSES else well("deadlines", says, fix)

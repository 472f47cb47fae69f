"""Checks of the plain-text log and of limits that are nearly reached."""

from recollect.errors import UnreadableFile
from recollect.jobs import fullness as fullness_job
from recollect.jobs.log import scan
from recollect.policy.memories import fullness
from recollect.project_context import ProjectContext
from recollect.setup.doctor.check import Check, well, wrong

SHOWN = 5


def check_log(context: ProjectContext) -> list[Check]:
    """Check MEMORY.md as `recollect log scan` does (C5); nothing where no log is kept."""
    if not context.vault.logs:
        return []
    try:
        found = scan.scan(context)
    except UnreadableFile as error:
        return [wrong("memory log", error.message, error.fix)]
    hint = None if found.is_clean else "`recollect log scan` shows them; `recollect log compact` merges old records."
    return [well("memory log", str(found), hint)]


def check_limits(context: ProjectContext) -> list[Check]:
    """Name the limits of which 90 % or more is used (C23); nothing where there are none."""
    try:
        near = fullness.nearly_reached(fullness_job.measure(context))
    except UnreadableFile:
        return []  # `check_log` says so
    if not near:
        return []
    says = f"{len(near)} at 90 % or more: {near[0]}"
    hint = "Beyond a limit the oldest or least valuable go first; raise the setting to keep more."
    return [well("limits", says, hint, tuple(map(str, near[1:SHOWN])))]

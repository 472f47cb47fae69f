"""The session counter of a project, to which ages and schedules of the markdown memories refer (A25)."""

from recollect.project_context import ProjectContext
from recollect.write import journal_rebuild

COUNTER = "session:"


def number(context: ProjectContext) -> int:
    """Return the current session's number in this project; 0 before the first, and where somebody wrote no number."""
    recorded = context.store.setting(COUNTER + context.project) or ""
    return int(recorded) if recorded.isdecimal() else 0


def set_number(context: ProjectContext, number: int) -> None:
    """Set the counter, with a journal entry."""
    journal_rebuild.remember(context, COUNTER + context.project, str(number))

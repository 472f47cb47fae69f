"""Sessions by number: the counter that ages and schedules of the markdown memories refer to (A25)."""

from recollect.project_context import ProjectContext
from recollect.write import journal_rebuild

COUNTER = "session:"


def number(context: ProjectContext) -> int:
    """The current session's number in this project; 0 before the first."""
    return int(context.store.setting(COUNTER + context.project) or 0)


def set_number(context: ProjectContext, number: int) -> None:
    """Go on counting from here."""
    journal_rebuild.remember(context, COUNTER + context.project, str(number))

"""Sessions by number: the counter that ages and schedules of the markdown memories refer to (A25)."""

from recollect.lifecycle import rebuild
from recollect.lifecycle.space import Space

COUNTER = "session:"


def number(space: Space) -> int:
    """The current session's number in this project; 0 before the first."""
    return int(space.store.setting(COUNTER + space.project) or 0)


def set_number(space: Space, number: int) -> None:
    """Go on counting from here."""
    rebuild.remember(space, COUNTER + space.project, str(number))

"""One event of a session, as it is kept once it has been drained."""

from dataclasses import dataclass
from typing import Literal

Doing = Literal["", "shell", "write", "read", "search", "web", "other"]
PROMPT, ANSWER, FINISHED, FAILED = "PromptSubmitted", "TurnEnded", "ToolFinished", "ToolFailed"


@dataclass(frozen=True, slots=True)
class SessionEvent:
    """What happened, when and in which turn; what it was about, what came of it, and what was filed of it."""

    key: str
    session: str
    project: str
    at: float
    name: str
    turn: str = ""
    tool: str = ""
    about: str = ""
    files_read: tuple[str, ...] = ()
    files_modified: tuple[str, ...] = ()
    outcome: str = ""
    doing: Doing = ""
    """What a tool does, whatever its client calls it."""
    detail: str = ""
    """What a tool printed, changed or complained of, cleaned and cut."""
    memory: str = ""
    """The memory that it was filed in."""

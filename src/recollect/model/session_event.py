"""An event of a session, as it is kept after the inbox was processed."""

from dataclasses import dataclass
from typing import Literal

Doing = Literal["", "shell", "write", "read", "search", "web", "other"]
PROMPT, ANSWER, FINISHED, FAILED = "PromptSubmitted", "TurnEnded", "ToolFinished", "ToolFailed"
SAID = "UserSaid"
"""Words of the user that came with no prompt: a rejection, a queued prompt."""


@dataclass(frozen=True, slots=True)
class SessionEvent:
    """What happened, when and in which turn; its subject, its outcome, and the memory that was made of it."""

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
    """What the tool does, independent of its name in the client."""
    detail: str = ""
    """The output, the change or the error of a tool, redacted and cut."""
    memory: str = ""
    """The uid of the memory that the event became part of."""

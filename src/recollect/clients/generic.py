"""The dialect of any other program: our own names of events and fields, as docs/clients.md describes them."""

from recollect.clients.quoting import encode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

NAME = "generic"

_NAMES = (
    "SessionStarted",
    "PromptSubmitted",
    "ToolStarting",
    "ToolFinished",
    "ToolFailed",
    "TurnEnded",
    "CompactionStarting",
    "SessionEnded",
)
EVENTS = {name: name for name in _NAMES}

# Such a program calls us itself: `install` has no settings to change.
HOOKED: "dict[str, tuple[str | None, int]]" = {}

LISTENS = ("SessionStarted", "PromptSubmitted", "ToolStarting", "ToolFailed")
BLOCKS = ("TurnEnded",)

# A block is part of the JSON reply, and so is a context.
BLOCKS_BY_EXIT_CODE = False
READS_PLAIN_TEXT = False

_FIELDS = (
    "event", "session", "folder", "transcript", "turn", "agent", "prompt", "answer", "source", "tool", "call", "error",
    "path", "command",
)  # fmt: skip
FIELDS = {name: (name,) for name in _FIELDS}
DETAILS = {name: (name,) for name in ("output", "old", "new", "url", "query")}

# The tools by what they do; a program gives its own tools these names.
WRITING = ("write", "edit")
READING = ("read",)
SEARCHING = ("search",)
WEB = ("web",)
SHELLS = ("shell",)

# Beginning of prompts that no person typed.
MACHINE_PROMPTS = ("<machine>",)

CONTEXT_CHARS = 10_000


def targets(tool: str, path: str, command: str) -> list[str]:  # noqa: ARG001 - it names one file
    """Return the files that a call of a writing tool changes."""
    return [path] if path else []


def failure(native: str, said: "dict[str, Any]") -> str:
    """Return the error of a tool call; empty if it worked."""
    if native != "ToolFailed":
        return ""
    error = said.get("error")
    return error if error and isinstance(error, str) else "the tool call failed"


def reply(native: str, *, context: str = "", refusal: str = "", complaint: str = "", block: str = "") -> str:  # noqa: ARG001
    """Return what the program reads on standard output: a JSON object with the parts that are not empty, or nothing."""
    parts = {"context": context, "refusal": refusal, "complaint": complaint, "block": block}
    given = {name: text for name, text in parts.items() if text}
    return encode(given) if given else ""

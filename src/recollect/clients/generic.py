"""For any other program: our own names for events and fields, as docs/clients.md describes them."""

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

# A program like this calls us by itself: there are no settings to change.
HOOKED: "dict[str, tuple[str | None, int]]" = {}

LISTENS = ("SessionStarted", "PromptSubmitted")
BLOCKS = ("TurnEnded",)

_FIELDS = (
    "event", "session", "folder", "transcript", "turn", "agent", "prompt", "answer", "source", "tool", "call", "error",
    "path", "command",
)  # fmt: skip
FIELDS = {name: (name,) for name in _FIELDS}
DETAILS = {name: (name,) for name in ("output", "old", "new", "url", "query")}

# What tools do: a program gives its own tools these names.
WRITING = ("write", "edit")
READING = ("read",)
SEARCHING = ("search",)
WEB = ("web",)
SHELLS = ("shell",)

# A prompt that begins like this was not typed by a person.
MACHINE_PROMPTS = ("<machine>",)

CONTEXT_CHARS = 10_000


def targets(tool: str, path: str, command: str) -> list[str]:  # noqa: ARG001 - it names one file
    """The files that a call of a writing tool changes."""
    return [path] if path else []


def failure(native: str, said: "dict[str, Any]") -> str:
    """What went wrong with a tool call; empty if it worked."""
    if native != "ToolFailed":
        return ""
    error = said.get("error")
    return error if error and isinstance(error, str) else "it failed"


def reply(native: str, *, context: str = "", refusal: str = "", complaint: str = "", block: str = "") -> str:  # noqa: ARG001
    """What the program reads on standard output: one JSON object with what there is, or nothing."""
    said = {"context": context, "refusal": refusal, "complaint": complaint, "block": block}
    found = {name: text for name, text in said.items() if text}
    return encode(found) if found else ""

"""The dialect of agents that ask over MCP: the one event that is noted of them, and its fields. Import-light.

An MCP client has no hooks: its calls are answered by `faces/mcp`, which notes what an agent was told.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

NAME = "mcp"
ASKED = "MemoriesAsked"
EVENTS = {ASKED: ASKED}

# A client calls the server's tools; `install --mcp` writes how it is started, and no hooks.
HOOKED: "dict[str, tuple[str | None, int]]" = {}

LISTENS: tuple[str, ...] = ()
BLOCKS: tuple[str, ...] = ()
BLOCKS_BY_EXIT_CODE = False
READS_PLAIN_TEXT = False

_FIELDS = (
    "event", "session", "folder", "transcript", "turn", "agent", "prompt", "answer", "source", "tool", "call", "error",
    "path", "command",
)  # fmt: skip
FIELDS = {name: (name,) for name in _FIELDS}
DETAILS = {name: (name,) for name in ("output", "old", "new", "url", "query")}

WRITING: tuple[str, ...] = ()
READING: tuple[str, ...] = ()
SEARCHING: tuple[str, ...] = ()
WEB: tuple[str, ...] = ()
SHELLS: tuple[str, ...] = ()
MACHINE_PROMPTS: tuple[str, ...] = ("<machine>",)

CONTEXT_CHARS = 10_000


def targets(tool: str, path: str, command: str) -> list[str]:  # noqa: ARG001 - no tool of a client is seen here
    """Return the files that a call of a writing tool changes: none is known."""
    return []


def failure(native: str, said: "dict[str, Any]") -> str:  # noqa: ARG001 - no tool of a client is seen here
    """Return the error of a tool call: none is known."""
    return ""


def reply(native: str, *, context: str = "", refusal: str = "", complaint: str = "", block: str = "") -> str:  # noqa: ARG001
    """Return what a hook would print: the context, which no hook reads."""
    return context

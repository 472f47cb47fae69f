"""Cursor: flat entries, conversations instead of sessions, and an answer that comes before the turn's end."""

from recollect.clients import REQUEST, REQUEST_END
from recollect.clients.quoting import quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

NAME = "cursor"

# Ours for each of the client's events. What was answered comes with one event, the end of the turn with the next.
EVENTS = {
    "sessionStart": "SessionStarted",
    "beforeSubmitPrompt": "PromptSubmitted",
    "preToolUse": "ToolStarting",
    "postToolUse": "ToolFinished",
    "postToolUseFailure": "ToolFailed",
    "afterAgentResponse": "TurnEnded",
    "stop": "TurnEnded",
    "preCompact": "CompactionStarting",
    "sessionEnd": "SessionEnded",
}

# What `install` asks the client to send: event → (matcher, seconds that the client waits).
HOOKED = {
    "sessionStart": (None, 10),
    "beforeSubmitPrompt": (None, 10),
    "preToolUse": ("Write|StrReplace|Edit|EditNotebook|Delete|Shell", 10),
    "postToolUse": (None, 10),
    "postToolUseFailure": (None, 10),
    "afterAgentResponse": (None, 10),
    "stop": (None, 10),
    "preCompact": (None, 10),
    "sessionEnd": (None, 10),
}

# Where the model gets to see what we add (not with a prompt), and where a turn goes on if we say so.
LISTENS = ("sessionStart", "postToolUse")
BLOCKS = ("stop",)

# Ours for each of the client's fields; where two are named, the first that is there counts.
FIELDS = {
    "event": ("hook_event_name",),
    "session": ("conversation_id", "session_id"),
    "folder": ("workspace_roots[0]", "cwd"),
    "transcript": ("transcript_path",),
    "turn": ("generation_id",),
    "agent": ("subagent_id",),
    "prompt": ("prompt",),
    "answer": ("text",),
    "source": ("source", "reason", "trigger"),
    "tool": ("tool_name",),
    "call": ("tool_use_id",),
    "error": ("error_message",),
    "path": ("tool_input.file_path", "tool_input.path", "tool_input.target_file", "file_path"),
    "command": ("tool_input.command", "command"),
}

# What only the worker reads.
DETAILS = {
    "output": ("tool_output",),
    "old": ("tool_input.old_string",),
    "new": ("tool_input.new_string", "tool_input.content", "tool_input.contents"),
    "url": ("tool_input.url",),
    "query": ("tool_input.query", "tool_input.search_term", "tool_input.pattern"),
}

# What tools do.
WRITING = ("Write", "StrReplace", "Edit", "EditNotebook", "Delete")
READING = ("Read",)
SEARCHING = ("Grep", "Glob", "LS", "SemanticSearch")
WEB = ("WebFetch", "WebSearch")
SHELLS = ("Shell",)

# What we said when we did not let a turn end comes back as a prompt.
MACHINE_PROMPTS = (REQUEST,)

CONTEXT_CHARS = 10_000


def targets(tool: str, path: str, command: str) -> list[str]:  # noqa: ARG001 - it names one file
    """The files that a call of a writing tool changes."""
    return [path] if path else []


def failure(native: str, said: "dict[str, Any]") -> str:
    """What went wrong with a tool call; empty if it worked."""
    if native == "postToolUseFailure":
        error = said.get("error_message")
        return error if error and isinstance(error, str) else "it failed"
    output = said.get("tool_output")
    if native != "postToolUse" or said.get("tool_name") not in SHELLS or not isinstance(output, str):
        return ""
    digits = output.partition('"exitCode":')[2].lstrip().partition(",")[0].partition("}")[0].strip()
    return f"Exit code {digits}\n{output}" if digits.lstrip("-").isdigit() and digits != "0" else ""


def reply(native: str, *, context: str = "", refusal: str = "", complaint: str = "", block: str = "") -> str:
    """What the client reads on standard output."""
    if refusal:
        return f'{{"permission":"deny","user_message":{quote(refusal)},"agent_message":{quote(refusal)}}}'
    if block:
        return f'{{"followup_message":{quote(REQUEST + block + REQUEST_END)}}}' if native in BLOCKS else ""
    said = context or complaint
    return f'{{"additional_context":{quote(said)}}}' if said and native in LISTENS else ""

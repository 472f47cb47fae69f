"""Cursor's dialect: flat hook entries, conversations instead of sessions, the answer in an event before `stop`."""

from recollect.clients import REQUEST, REQUEST_END
from recollect.clients.quoting import quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

NAME = "cursor"

# Our event for each of the client's events. The answer comes with `afterAgentResponse`, the turn's end with `stop`.
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

# The hooks that `install` registers: event → (matcher, timeout in seconds).
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

# Events whose context is shown to the model (prompts are not among them), and events at which a turn can continue.
LISTENS = ("sessionStart", "postToolUse")
BLOCKS = ("stop",)

# A block is part of the JSON reply, and so is a context.
BLOCKS_BY_EXIT_CODE = False
READS_PLAIN_TEXT = False

# Our field → the client's fields; the first that is present counts.
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

# Fields that only the worker reads.
DETAILS = {
    "output": ("tool_output",),
    "old": ("tool_input.old_string",),
    "new": ("tool_input.new_string", "tool_input.content", "tool_input.contents"),
    "url": ("tool_input.url",),
    "query": ("tool_input.query", "tool_input.search_term", "tool_input.pattern"),
}

# The client's tools by what they do.
WRITING = ("Write", "StrReplace", "Edit", "EditNotebook", "Delete")
READING = ("Read",)
SEARCHING = ("Grep", "Glob", "LS", "SemanticSearch")
WEB = ("WebFetch", "WebSearch")
SHELLS = ("Shell",)

# Our request to continue a turn comes back as a prompt.
MACHINE_PROMPTS = (REQUEST,)

CONTEXT_CHARS = 10_000


def targets(tool: str, path: str, command: str) -> list[str]:  # noqa: ARG001 - it names one file
    """Return the files that a call of a writing tool changes."""
    return [path] if path else []


def failure(native: str, said: "dict[str, Any]") -> str:
    """Return the error of a tool call; empty if it worked."""
    if native == "postToolUseFailure":
        error = said.get("error_message")
        return error if error and isinstance(error, str) else "the tool call failed"
    output = said.get("tool_output")
    if native != "postToolUse" or said.get("tool_name") not in SHELLS or not isinstance(output, str):
        return ""
    digits = output.partition('"exitCode":')[2].lstrip().partition(",")[0].partition("}")[0].strip()
    return f"Exit code {digits}\n{output}" if digits.lstrip("-").isdigit() and digits != "0" else ""


def reply(native: str, *, context: str = "", refusal: str = "", complaint: str = "", block: str = "") -> str:
    """Return what the client reads on standard output."""
    if refusal:
        return f'{{"permission":"deny","user_message":{quote(refusal)},"agent_message":{quote(refusal)}}}'
    if block:
        return f'{{"followup_message":{quote(REQUEST + block + REQUEST_END)}}}' if native in BLOCKS else ""
    added = context or complaint
    return f'{{"additional_context":{quote(added)}}}' if added and native in LISTENS else ""

"""Claude Code's dialect: its events, their fields, and its reply format."""

from recollect.clients.quoting import quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

NAME = "claude-code"

# Our event for each of the client's events.
EVENTS = {
    "SessionStart": "SessionStarted",
    "UserPromptSubmit": "PromptSubmitted",
    "PreToolUse": "ToolStarting",
    "PostToolUse": "ToolFinished",
    "PostToolUseFailure": "ToolFailed",
    "Stop": "TurnEnded",
    "StopFailure": "TurnEnded",  # fires instead of Stop when the API fails
    "PreCompact": "CompactionStarting",
    "SessionEnd": "SessionEnded",
}

# The hooks that `install` registers: event → (matcher, timeout in seconds).
HOOKED = {
    "SessionStart": (None, 10),
    "UserPromptSubmit": (None, 10),
    "PreToolUse": ("Write|Edit|MultiEdit|NotebookEdit|Bash", 10),
    "PostToolUse": (None, 10),
    "PostToolUseFailure": (None, 10),
    "Stop": (None, 10),
    "StopFailure": (None, 10),
    "PreCompact": (None, 10),
    "SessionEnd": (None, 10),
}

# Events whose context is shown to the model, and events at which the agent can be made to continue its turn.
LISTENS = ("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUseFailure")
BLOCKS = ("Stop",)

# A block is exit code 2 with the reason on standard error; a context may be plain text instead of JSON.
BLOCKS_BY_EXIT_CODE = True
READS_PLAIN_TEXT = True

# Our field → the client's fields; the first that is present counts (B18).
FIELDS = {
    "event": ("hook_event_name",),
    "session": ("session_id",),
    "folder": ("cwd",),
    "transcript": ("transcript_path",),
    "turn": ("prompt_id",),
    "agent": ("agent_id",),
    "prompt": ("prompt", "user_prompt"),
    "answer": ("last_assistant_message",),
    "source": ("source", "reason", "trigger"),
    "tool": ("tool_name",),
    "call": ("tool_use_id",),
    "error": ("error",),
    "path": ("tool_input.file_path", "tool_input.notebook_path", "tool_input.path"),
    "command": ("tool_input.command",),
}

# Fields that only the worker reads; the first that is not empty counts.
DETAILS = {
    "output": (
        "tool_response.stdout",
        "tool_response.file.content",
        "tool_response.result",
        "tool_response.content",
        "tool_response",
    ),
    "old": ("tool_input.old_string",),
    "new": ("tool_input.new_string", "tool_input.content"),
    "url": ("tool_input.url",),
    "query": ("tool_input.query", "tool_input.pattern"),
}

# The client's tools by what they do.
WRITING = ("Write", "Edit", "MultiEdit", "NotebookEdit")
READING = ("Read", "NotebookRead")
SEARCHING = ("Grep", "Glob", "LS")
WEB = ("WebFetch", "WebSearch")
SHELLS = ("Bash",)

# Prompts that the client itself writes when a background task ends.
MACHINE_PROMPTS = ("<task-notification",)

# Longer context is not shown to the model but written to a file.
CONTEXT_CHARS = 10_000


def targets(tool: str, path: str, command: str) -> list[str]:  # noqa: ARG001 - it names one file
    """Return the files that a call of a writing tool changes."""
    return [path] if path else []


def failure(native: str, said: "dict[str, Any]") -> str:
    """Return the error of a tool call; empty if it worked."""
    if native != "PostToolUseFailure":
        return ""
    error = said.get("error")
    return error if error and isinstance(error, str) else "the tool call failed"


def reply(native: str, *, context: str = "", refusal: str = "", complaint: str = "", block: str = "") -> str:
    """Return what the client reads on standard output: context, a refusal or a complaint as JSON, else nothing."""
    if refusal:  # B54: without the event's name the client ignores the reply
        said = f'"permissionDecision":"deny","permissionDecisionReason":{quote(refusal)}'
    elif complaint or block:  # the tool has run already: the model can only be told (B54)
        return f'{{"decision":"block","reason":{quote(complaint or block)}}}'
    elif context:
        said = f'"additionalContext":{quote(context)}'
    else:
        return ""
    return f'{{"hookSpecificOutput":{{"hookEventName":{quote(native)},{said}}}}}'

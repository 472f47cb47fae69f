"""Claude Code: the events that it sends, the fields in them, and the answers that it understands."""

from recollect.clients.quoting import quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

NAME = "claude-code"

# Ours for each of the client's events.
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

# What `install` asks the client to send: event → (matcher, seconds that the client waits).
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

# Where the model gets to see what we add, and where a turn goes on if we say so.
LISTENS = ("SessionStart", "UserPromptSubmit", "PostToolUseFailure")
BLOCKS = ("Stop",)

# Ours for each of the client's fields; where two are named, the first that is there counts (B18).
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

# What only the worker reads; the first that holds something counts.
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

# What tools do.
WRITING = ("Write", "Edit", "MultiEdit", "NotebookEdit")
READING = ("Read", "NotebookRead")
SEARCHING = ("Grep", "Glob", "LS")
WEB = ("WebFetch", "WebSearch")
SHELLS = ("Bash",)

# Prompts that the client writes itself, when a background task ends.
MACHINE_PROMPTS = ("<task-notification",)

# More than this is not given to the model but put into a file.
CONTEXT_CHARS = 10_000


def targets(tool: str, path: str, command: str) -> list[str]:  # noqa: ARG001 - it names one file
    """The files that a call of a writing tool changes."""
    return [path] if path else []


def failure(native: str, said: "dict[str, Any]") -> str:
    """What went wrong with a tool call; empty if it worked."""
    if native != "PostToolUseFailure":
        return ""
    error = said.get("error")
    return error if error and isinstance(error, str) else "it failed"


def reply(native: str, *, context: str = "", refusal: str = "", complaint: str = "", block: str = "") -> str:
    """What the client reads on standard output: nothing, more for the model to see, or why a tool may not run."""
    if refusal:  # B54: without the event's name the client does not listen
        said = f'"permissionDecision":"deny","permissionDecisionReason":{quote(refusal)}'
    elif complaint or block:  # the tool has run: all that is left is to tell the model (B54)
        return f'{{"decision":"block","reason":{quote(complaint or block)}}}'
    elif context:
        said = f'"additionalContext":{quote(context)}'
    else:
        return ""
    return f'{{"hookSpecificOutput":{{"hookEventName":{quote(native)},{said}}}}}'

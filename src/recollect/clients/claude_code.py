"""Claude Code: the events that it sends, the fields in them, and the answers that it understands."""

from recollect.clients.quoting import quote

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

# What tools do to the file that they name.
WRITING = ("Write", "Edit", "MultiEdit", "NotebookEdit")
SHELLS = ("Bash",)

# Prompts that the client writes itself, when a background task ends.
MACHINE_PROMPTS = ("<task-notification",)

# More than this is not given to the model but put into a file.
CONTEXT_CHARS = 10_000


def reply(native: str, *, context: str = "", refusal: str = "", complaint: str = "") -> str:
    """What the client reads on standard output: nothing, more for the model to see, or why a tool may not run."""
    if refusal:  # B54: without the event's name the client does not listen
        said = f'"permissionDecision":"deny","permissionDecisionReason":{quote(refusal)}'
    elif complaint:  # the tool has run: all that is left is to tell the model (B54)
        return f'{{"decision":"block","reason":{quote(complaint)}}}'
    elif context:
        said = f'"additionalContext":{quote(context)}'
    else:
        return ""
    return f'{{"hookSpecificOutput":{{"hookEventName":{quote(native)},{said}}}}}'

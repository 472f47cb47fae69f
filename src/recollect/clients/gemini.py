"""Gemini CLI's dialect: its own names for events and tools, and tool responses in two forms."""

from recollect.clients import REQUEST, REQUEST_END, claude_code
from recollect.clients.quoting import quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

NAME = "gemini"

# Our event for each of the client's events. PreCompress is left out: the client sends it before every request, whether
# it compresses or not.
EVENTS = {
    "SessionStart": "SessionStarted",
    "BeforeAgent": "PromptSubmitted",
    "BeforeTool": "ToolStarting",
    "AfterTool": "ToolFinished",
    "AfterAgent": "TurnEnded",
    "SessionEnd": "SessionEnded",
}

# The hooks that `install` registers: event → (matcher, timeout in seconds).
HOOKED = {
    "SessionStart": (None, 10),
    "BeforeAgent": (None, 10),
    "BeforeTool": ("^(write_file|replace|run_shell_command)$", 10),
    "AfterTool": (None, 10),
    "AfterAgent": (None, 10),
    "SessionEnd": (None, 10),
}

# Events whose context is shown to the model, and events at which the agent can be made to continue its turn.
LISTENS = ("SessionStart", "BeforeAgent")
BLOCKS = ("AfterAgent",)

# A block is part of the JSON reply, and so is a context.
BLOCKS_BY_EXIT_CODE = False
READS_PLAIN_TEXT = False

# Our field → the client's fields; it has no ids of turns and calls.
FIELDS = {
    **claude_code.FIELDS,
    "prompt": ("prompt",),
    "answer": ("prompt_response",),
    "error": ("tool_response.error.message",),
    "path": ("tool_input.file_path",),
}

# Fields that only the worker reads: what the user sees of a response is simpler, what the model sees is always present.
DETAILS = {
    "output": ("tool_response.returnDisplay", "tool_response.llmContent"),
    "old": ("tool_input.old_string",),
    "new": ("tool_input.new_string", "tool_input.content"),
    "url": ("tool_input.url", "tool_input.prompt"),
    "query": ("tool_input.query", "tool_input.pattern"),
}

# The client's tools by what they do.
WRITING = ("write_file", "replace")
READING = ("read_file",)
SEARCHING = ("grep_search", "glob", "list_directory")
WEB = ("web_fetch", "google_web_search")
SHELLS = ("run_shell_command",)

# Our request to continue a turn comes back as a prompt.
MACHINE_PROMPTS = (REQUEST,)

CONTEXT_CHARS = 10_000

# Beginnings of the lines behind a command's output.
_ENDINGS = ("Error: ", "Exit Code: ", "Signal: ", "Background PIDs: ", "Process Group PGID: ")
_FENCE = "</untrusted_context>"


def targets(tool: str, path: str, command: str) -> list[str]:  # noqa: ARG001 - it names one file
    """Return the files that a call of a writing tool changes."""
    return [path] if path else []


def failure(native: str, said: "dict[str, Any]") -> str:
    """Return the error of a tool call; empty if it worked."""
    answer = said.get("tool_response")
    if native != "AfterTool" or not isinstance(answer, dict):
        return ""
    error = answer.get("error")
    if isinstance(error, dict):
        message = error.get("message")
        return message if message and isinstance(message, str) else "the tool call failed"
    return _command_failure(answer) if said.get("tool_name") in SHELLS else ""


def _command_failure(answer: "dict[str, Any]") -> str:
    """Return a command's exit code or signal, from the lines behind its output; lines of the output do not count."""
    told, shown = answer.get("llmContent"), answer.get("returnDisplay")
    if not isinstance(told, str):
        return ""
    output = shown if isinstance(shown, str) else ""
    ending = told.strip().removesuffix(_FENCE).rstrip()
    for line in reversed((ending.partition(f"Output: {output}")[2] or ending).split("\n")):
        if not line.startswith(_ENDINGS):
            return ""
        if line.startswith("Exit Code: "):
            return f"Exit code {line[11:].strip()}\n{output}".rstrip()
        if line.startswith("Signal: "):
            return line
    return ""


def reply(native: str, *, context: str = "", refusal: str = "", complaint: str = "", block: str = "") -> str:
    """Return what the client reads on standard output, which must be JSON."""
    if refusal:
        return f'{{"decision":"deny","reason":{quote(refusal)}}}'
    if block:
        return f'{{"decision":"deny","reason":{quote(REQUEST + block + REQUEST_END)}}}'
    if context or complaint:  # a "deny" after a tool would hide the tool's own response
        added = f'"additionalContext":{quote(context or complaint)}'
        return f'{{"hookSpecificOutput":{{"hookEventName":{quote(native)},{added}}}}}'
    return ""

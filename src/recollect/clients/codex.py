"""Codex's dialect: events like Claude Code's, patches instead of files, exit codes only in the transcript."""

from recollect import foreign_files
from recollect.clients import claude_code
from recollect.clients.claude_code import reply as reply_as_claude
from recollect.clients.quoting import quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

NAME = "codex"

# Our event for each of the client's events. It has none for a tool that failed: see `failure`.
EVENTS = {
    "SessionStart": "SessionStarted",
    "UserPromptSubmit": "PromptSubmitted",
    "PreToolUse": "ToolStarting",
    "PostToolUse": "ToolFinished",
    "Stop": "TurnEnded",
    "PreCompact": "CompactionStarting",
    "SessionEnd": "SessionEnded",
}

# The hooks that `install` registers: event → (matcher, timeout in seconds).
HOOKED = {
    "SessionStart": (None, 10),
    "UserPromptSubmit": (None, 10),
    "PreToolUse": ("^(Bash|apply_patch)$", 10),
    "PostToolUse": (None, 10),
    "Stop": (None, 10),
    "PreCompact": (None, 10),
    "SessionEnd": (None, 3),  # the client's maximum; it reports an error for a larger number
}

# Events whose context is shown to the model, and events at which the agent can be made to continue its turn.
LISTENS = ("SessionStart", "UserPromptSubmit")
BLOCKS = ("Stop",)

# A block is part of the JSON reply, and so is a context.
BLOCKS_BY_EXIT_CODE = False
READS_PLAIN_TEXT = False

# Our field → the client's fields.
FIELDS = {
    **claude_code.FIELDS,
    "turn": ("turn_id",),
    "prompt": ("prompt",),
    "path": ("tool_input.path",),
}

# Fields that only the worker reads: a shell's output is the whole response, that of an MCP server a list of parts.
DETAILS = {
    "output": ("tool_response", "tool_response.content[0].text"),
    "old": ("tool_input.old_string",),
    "new": ("tool_input.new_string", "tool_input.content"),
    "url": ("tool_input.url",),
    "query": ("tool_input.query",),
}

# The client's tools by what they do; it reads and searches files by commands.
WRITING = ("apply_patch",)
READING = ("view_image",)
SEARCHING = ()
WEB = ("web_search",)
SHELLS = ("Bash",)

# How a prompt begins that repeats a hook's request to continue the turn.
MACHINE_PROMPTS = ("<hook_prompt",)

# The client counts tokens of four bytes; `install` sets its limit to as many as these characters can ever be.
CONTEXT_CHARS = 10_000
CONTEXT_TOKENS = 10_000

_HEADS = ("*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: ")


def targets(tool: str, path: str, command: str) -> list[str]:
    """Return the files that a patch adds, changes, removes or renames."""
    if tool not in WRITING:
        return [path] if path else []
    named = [line.strip() for line in command.splitlines()]
    return [line[len(head) :].strip() for line in named for head in _HEADS if line.startswith(head)]


def failure(native: str, said: "dict[str, Any]") -> str:
    """Return the error of a tool call; empty if it worked.

    A command's exit code is in the transcript alone; an event that was made of a transcript has it in `exit_code`. The
    client does not report other calls that fail.
    """
    answer = said.get("tool_response")
    if native != "PostToolUse" or not isinstance(answer, str):
        return ""
    if said.get("tool_name") in WRITING:
        is_good = not answer.startswith("Exit code: ") or answer.startswith("Exit code: 0\n")
        return "" if is_good else answer
    code = _exit_code(said) if said.get("tool_name") in SHELLS else ""
    return f"Exit code {code}\n{answer}".rstrip() if code not in ("", "0") else ""


def _exit_code(said: "dict[str, Any]") -> str:
    """Return the exit code of a call, from the transcript's line about its end; empty if there is none."""
    if isinstance(said.get("exit_code"), int):
        return str(said["exit_code"])
    call, place = said.get("tool_use_id"), said.get("transcript_path")
    if not isinstance(call, str) or not isinstance(place, str) or not foreign_files.transcript_path(place):
        return ""
    try:
        tail = foreign_files.read(place, most_bytes=foreign_files.TRANSCRIPT_BYTES, tail=True)
    except OSError:
        return ""
    at = tail.rfind(b'"CommandExecution","id":' + quote(call).encode())
    line = tail[at:].partition(b"\n")[0] if at >= 0 else b""
    # Quotation marks in a command's output are escaped, so that only the client's own key is found.
    digits = line.rpartition(b'"exit_code":')[2].partition(b",")[0].partition(b"}")[0]
    return digits.decode("ascii", "replace") if digits.lstrip(b"-").isdigit() else ""


def reply(native: str, *, context: str = "", refusal: str = "", complaint: str = "", block: str = "") -> str:
    """Return what the client reads on standard output."""
    # A "block" after a tool would replace the tool's own response; added context keeps it.
    return reply_as_claude(native, context=context or complaint, refusal=refusal, block=block)

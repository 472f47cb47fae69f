"""Codex: events like Claude Code's, patches instead of files, and exit codes that only its transcript knows."""

from recollect import foreign_files
from recollect.clients import claude_code
from recollect.clients.claude_code import reply as reply_as_claude
from recollect.clients.quoting import quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

NAME = "codex"

# Ours for each of the client's events. There is none for a tool that failed: see `failure`.
EVENTS = {
    "SessionStart": "SessionStarted",
    "UserPromptSubmit": "PromptSubmitted",
    "PreToolUse": "ToolStarting",
    "PostToolUse": "ToolFinished",
    "Stop": "TurnEnded",
    "PreCompact": "CompactionStarting",
    "SessionEnd": "SessionEnded",
}

# What `install` asks the client to send: event → (matcher, seconds that the client waits).
HOOKED = {
    "SessionStart": (None, 10),
    "UserPromptSubmit": (None, 10),
    "PreToolUse": ("^(Bash|apply_patch)$", 10),
    "PostToolUse": (None, 10),
    "Stop": (None, 10),
    "PreCompact": (None, 10),
    "SessionEnd": (None, 3),  # the client grants no more, and complains about a larger number
}

# Where the model gets to see what we add, and where a turn goes on if we say so.
LISTENS = ("SessionStart", "UserPromptSubmit")
BLOCKS = ("Stop",)

# Ours for each of the client's fields.
FIELDS = {
    **claude_code.FIELDS,
    "turn": ("turn_id",),
    "prompt": ("prompt",),
    "path": ("tool_input.path",),
}

# What only the worker reads: a shell's output is the whole answer, another server's is a list of parts.
DETAILS = {
    "output": ("tool_response", "tool_response.content[0].text"),
    "old": ("tool_input.old_string",),
    "new": ("tool_input.new_string", "tool_input.content"),
    "url": ("tool_input.url",),
    "query": ("tool_input.query",),
}

# What tools do; files are read and searched by commands.
WRITING = ("apply_patch",)
READING = ("view_image",)
SEARCHING = ()
WEB = ("web_search",)
SHELLS = ("Bash",)

# What a hook said when it did not let a turn end.
MACHINE_PROMPTS = ("<hook_prompt",)

# The client counts tokens, four bytes each; `install` asks it to take as many as these characters can ever be.
CONTEXT_CHARS = 10_000
CONTEXT_TOKENS = 10_000

_HEADS = ("*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: ")


def targets(tool: str, path: str, command: str) -> list[str]:
    """The files that a patch adds, changes, removes or renames."""
    if tool not in WRITING:
        return [path] if path else []
    named = [line.strip() for line in command.splitlines()]
    return [line[len(head) :].strip() for line in named for head in _HEADS if line.startswith(head)]


def failure(native: str, said: "dict[str, Any]") -> str:
    """What went wrong with a tool call; empty if it worked.

    A command's exit code stands in the transcript alone. Of other calls that fail the client says nothing at all.
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
    """The exit code of a call, from the line of the transcript that tells its end; empty where there is none."""
    call, place = said.get("tool_use_id"), said.get("transcript_path")
    if not isinstance(call, str) or not isinstance(place, str) or not foreign_files.transcript_path(place):
        return ""
    try:
        tail = foreign_files.read(place, most_bytes=foreign_files.TRANSCRIPT_BYTES, tail=True)
    except OSError:
        return ""
    at = tail.rfind(b'"CommandExecution","id":' + quote(call).encode())
    line = tail[at:].partition(b"\n")[0] if at >= 0 else b""
    # A quotation mark in what a command printed is escaped, so that only the client's own key is found.
    digits = line.rpartition(b'"exit_code":')[2].partition(b",")[0].partition(b"}")[0]
    return digits.decode("ascii", "replace") if digits.lstrip(b"-").isdigit() else ""


def reply(native: str, *, context: str = "", refusal: str = "", complaint: str = "", block: str = "") -> str:
    """What the client reads on standard output."""
    # A "block" after a tool would take the tool's own answer away; added context leaves it.
    return reply_as_claude(native, context=context or complaint, refusal=refusal, block=block)

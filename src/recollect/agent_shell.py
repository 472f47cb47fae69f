"""Whether a command runs inside a coding agent's shell. Import-light.

The guard refuses what needs a person before it runs (`hooks/guard/person_only.py`), but it only reads the command: a
script that was written earlier, or one that is encoded, passes. This is the second line. An agent that takes the
variable out of the environment passes it; what the guard can read of that, it refuses.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

# Variable → the client that sets it for the commands that its agent runs, and how that is known.
CLIENTS = {
    "CLAUDECODE": "Claude Code",  # seen in the real client (tests/client)
    "CODEX_THREAD_ID": "Codex",  # seen in the real client
    "CODEX_TOOL_CALL_ID": "Codex",  # seen in the real client
    "CODEX_SANDBOX": "Codex",  # by its documentation, where it uses a sandbox
    "GEMINI_CLI": "Gemini CLI",  # seen in the real client
    "CURSOR_AGENT": "Cursor",  # not seen: by what other programs rely on; terminals for people do not have it
}


def running_agent(env: "Mapping[str, str]") -> str:
    """Return the name of the client whose agent runs this command, by the environment; "" for a person."""
    return next((client for name, client in CLIENTS.items() if env.get(name, "") not in ("", "0")), "")

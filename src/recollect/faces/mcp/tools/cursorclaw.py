"""CursorClaw's tools: recall_memory, remember_this, query_experiences (C12, C13, C21)."""

from recollect.errors import BadInput
from recollect.faces.mcp.server import Call
from recollect.faces.mcp.tools.json_text import fitted
from recollect.library.agents.tool_verbs import MOST_BYTES


def recall_memory(call: Call) -> str:
    """Return the entries that are most like a query."""
    return _request(call, "recall_memory")


def remember_this(call: Call) -> str:
    """Append a record to the log."""
    return _request(call, "remember_this")


def query_experiences(call: Call) -> str:
    """Return past situations like a query, and how they went."""
    return _request(call, "query_experiences")


def _request(call: Call, operation: str) -> str:
    given = dict(call.arguments)
    most = int(given.pop("max_bytes", MOST_BYTES))
    call.go_on(1, 2, operation)
    reply = call.workspace.memory_for_agent({"operation": operation, **given}, session=call.session.id)
    if not reply["success"]:
        error = reply["error"]
        raise BadInput(error["message"], fix=error.get("fix"), code=error.get("code"))
    return fitted(reply["output"], most)

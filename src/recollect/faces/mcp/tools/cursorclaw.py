"""CursorClaw's tools: recall_memory, remember_this, query_experiences (C12, C13, C21)."""

from recollect.faces.mcp.server import Call
from recollect.faces.mcp.tools.requests import answer


def recall_memory(call: Call) -> str:
    """Return the entries that are most like a query."""
    return answer(call, "recall_memory")


def remember_this(call: Call) -> str:
    """Append a record to the log."""
    return answer(call, "remember_this")


def query_experiences(call: Call) -> str:
    """Return past situations like a query, and how they went."""
    return answer(call, "query_experiences")

"""Calls that are requests of a seed's memory tool."""

from recollect.faces.mcp.server import Call
from recollect.library.agents.tool_verbs import MOST_BYTES


def answer(call: Call, operation: str) -> str:
    """Return the answer of the memory tool to a call, as JSON."""
    given = dict(call.arguments)
    most = int(given.pop("max_bytes", MOST_BYTES))
    call.go_on(1, 2, operation)
    return call.workspace.answer_request({**given, "operation": operation}, session=call.session.id, most_bytes=most)

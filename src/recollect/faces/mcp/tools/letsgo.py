"""LetsGo's memory tool as one tool: fourteen operations, JSON in and out (D16)."""

from recollect.faces.mcp.server import Call
from recollect.faces.mcp.tools.requests import answer


def memory(call: Call) -> str:
    """Answer a request of the memory tool."""
    return answer(call, str(call.arguments["operation"]))

"""LetsGo's memory tool as one tool: fourteen operations, JSON in and out (D16)."""

from recollect.errors import BadInput
from recollect.faces.mcp.server import Call
from recollect.faces.mcp.tools.json_text import fitted
from recollect.library.agents.tool_verbs import MOST_BYTES


def memory(call: Call) -> str:
    """Answer a request of the memory tool."""
    given = dict(call.arguments)
    most = int(given.pop("max_bytes", MOST_BYTES))
    call.go_on(1, 2, str(given["operation"]))
    reply = call.workspace.memory_for_agent(given, session=call.session.id)
    if not reply["success"]:
        error = reply["error"]
        raise BadInput(error["message"], fix=error.get("fix"), code=error.get("code"))
    return fitted(reply["output"], most)

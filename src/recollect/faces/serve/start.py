"""Put a server together: workspaces, socket, gate and routes; then run it. The commands `open` and `serve` call it."""

import os
import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from starlette.routing import BaseRoute

from recollect.errors import ExtraMissing
from recollect.faces.serve import server
from recollect.faces.serve.app import build_app
from recollect.faces.serve.gate import LINK_FIELD, Gate
from recollect.faces.serve.rules import MCP_PATH
from recollect.faces.serve.security import Limits
from recollect.faces.serve.server import Address
from recollect.faces.serve.workspaces import Workspaces
from recollect.lazy import load

MakeRoutes = Callable[[Workspaces], Sequence[BaseRoute]]


@dataclass(frozen=True, slots=True)
class Started:
    """A server that is about to answer: where, and the link that signs one person in."""

    page: str
    link: str
    """The page's address with a secret that works once, within ten minutes."""
    port: int
    mcp: str = ""
    """The address for MCP; empty if it is not served."""


def serve(
    folder: str | os.PathLike[str],
    address: Address,
    announce: Callable[[Started], None],
    *,
    idle_seconds: float = 0,
    limits: Limits = Limits(),  # noqa: B008 - a frozen value
    make_routes: MakeRoutes | None = None,
    mcp_tools: Sequence[str] = (),
) -> None:
    """Serve the project of a folder until a signal comes or nobody asks any more; `announce` is told the link.

    With `mcp_tools`, sets of tools by name, MCP is served at `/mcp`. Raises BadInput where the address may not be
    served or is taken, and ExtraMissing where the extra for MCP is not installed.
    """
    log = server.request_log()
    workspaces = Workspaces(folder, warn=lambda warning: log("warning", warning))
    try:
        server.check_address(address, workspaces.call(lambda workspace: workspace.tokens()), has_mcp=bool(mcp_tools))
        with server.listen(address) as listener:
            security = server.secure(address, port_of(listener), workspaces, log, limits)
            routes, mcp = (make_routes or page_routes)(workspaces), _mcp(workspaces, mcp_tools)
            more, lifespan = (mcp.routes(), mcp.lifespan) if mcp else ([], None)
            gate = build_app([*more, *routes], security=security, lifespan=lifespan)
            announce(_started(gate, address, listener, has_mcp=bool(mcp_tools)))
            server.run(gate, listener, address, idle_seconds=idle_seconds)
    finally:
        workspaces.close()


def _mcp(workspaces: Workspaces, tools: Sequence[str]) -> Any:  # noqa: ANN401 - its types need the extra
    """Return MCP over HTTP for the folder that is served; None if no tools are asked for."""
    if not tools:
        return None
    try:
        module = load("recollect.faces.serve.mcp_http")
    except ModuleNotFoundError as error:
        raise ExtraMissing.of("mcp", error.name) from None
    return module.McpOverHttp(workspaces.call(lambda workspace: str(workspace.root)), tools)


def _started(gate: Gate, address: Address, listener: socket.socket, *, has_mcp: bool) -> Started:
    port = port_of(listener)
    page = server.url(address, port)
    link = f"{page}?{LINK_FIELD}={gate.sessions.make_link_token()}"
    return Started(page, link, port, server.url(address, port, MCP_PATH) if has_mcp else "")


def port_of(listener: socket.socket) -> int:
    """Return the port that a socket listens on."""
    return int(listener.getsockname()[1])


def page_routes(workspaces: Workspaces) -> Sequence[BaseRoute]:
    """Return the routes of the page, whose templates are loaded only where it is served."""
    found: Sequence[BaseRoute] = load("recollect.faces.page.app").routes(workspaces)
    return found

"""MCP over streamable HTTP: the transport of the official SDK over the tools of `faces/mcp/`."""

import asyncio
import contextlib
import os
import threading
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

import mcp_types as types
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken
from mcp.server.caching import CacheableMethod, CacheHint
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server as SdkServer
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from mcp.shared.exceptions import MCPError
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.routing import BaseRoute, Route
from starlette.types import Message, Receive, Scope, Send

from recollect import __version__
from recollect.faces.mcp import wire
from recollect.faces.mcp.server import Cancelled, Server, Unknown, result
from recollect.faces.mcp.session import Session as AgentSession
from recollect.faces.serve.rules import MCP_PATH
from recollect.faces.serve.sessions import session_of

Context = ServerRequestContext[Any, Any]
Answer = TypeVar("Answer")
THREADS = 4
MOST_SESSIONS = 100
SESSION_HEADER, VERSION_HEADER = "mcp-session-id", "mcp-protocol-version"
PAGE = 50
"""Entries on a page of a list."""
READ_ONLY = "This token may read, not write.\nNext step: ask the user for a token with `--scope write`."
LASTING, OWN = CacheHint(wire.HOUR_MS, "public"), CacheHint(wire.HOUR_MS, "private")
HINTS: dict[CacheableMethod, CacheHint] = {
    "server/discover": LASTING, "prompts/list": LASTING, "resources/templates/list": LASTING, "tools/list": OWN,
}  # fmt: skip
"""As over standard input, only that the list of tools depends on the token. The others are not kept."""


class McpOverHttp:
    """The route `/mcp`. One server works in one project: the folder that it serves, or one below it."""

    def __init__(self, folder: str, sets: Sequence[str] = ("default",)) -> None:
        self._folder = folder
        self._server = Server(sets, os.environ)
        self._reading = {tool["name"] for tool in self._server.tools() if tool["annotations"].get("readOnlyHint")}
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="mcp")
        self._sessions: OrderedDict[tuple[str, str], AgentSession] = OrderedDict()
        self._manager = StreamableHTTPSessionManager(
            self._sdk_server(),
            security_settings=TransportSecuritySettings(enable_dns_rebinding_protection=False),  # the gate's business
            max_sessions=2 * MOST_SESSIONS,  # `_Endpoint` keeps them fewer
        )

    def _sdk_server(self) -> SdkServer[Any]:
        return SdkServer(
            wire.SERVER_INFO["name"],
            version=__version__,
            title=wire.SERVER_INFO["title"],
            instructions=self._server.instructions,
            cache_hints=HINTS,
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
            on_list_resources=self._list_resources,
            on_list_resource_templates=self._list_templates,
            on_read_resource=self._read_resource,
            on_list_prompts=self._list_prompts,
            on_get_prompt=self._get_prompt,
        )

    def routes(self) -> list[BaseRoute]:
        """Return the route that the gate lets only tokens for MCP pass to."""
        return [Route(MCP_PATH, _Endpoint(self._manager))]

    @contextlib.asynccontextmanager
    async def lifespan(self, _: Starlette) -> AsyncIterator[None]:
        """Run the SDK's sessions as long as the server runs."""
        async with self._manager.run():
            yield
        self._threads.shutdown()
        self._server.close()

    # -- handlers of the SDK -----------------------------------------------------------------------------------

    async def _list_tools(self, ctx: Context, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        _check_no_cursor(params)
        tools = [tool for tool in self._server.tools() if self._may_use(ctx, tool["name"])]
        return types.ListToolsResult(tools=[types.Tool.model_validate(tool) for tool in tools])

    async def _call_tool(self, ctx: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        is_known = any(tool["name"] == params.name for tool in self._server.tools())
        if is_known and not self._may_use(ctx, params.name):
            return types.CallToolResult.model_validate(result(READ_ONLY, is_error=True))
        is_over, progress = threading.Event(), Progress(ctx)
        call = partial(
            self._server.call, params.name, params.arguments or {}, session=self._session(ctx),
            progress=progress.report, cancelled=is_over.is_set,
        )  # fmt: skip
        try:
            answer = await self._run(call)
            await progress.sent()
            return types.CallToolResult.model_validate(answer)
        finally:
            is_over.set()

    async def _list_resources(
        self, ctx: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        offset = _offset(params)
        found, is_more = await self._run(partial(self._server.resources, self._session(ctx), offset, PAGE))
        after = str(offset + PAGE) if is_more else None
        return types.ListResourcesResult(
            resources=[types.Resource.model_validate(entry) for entry in found], next_cursor=after
        )

    async def _list_templates(
        self, _: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        _check_no_cursor(params)
        found = self._server.resource_templates()
        return types.ListResourceTemplatesResult.model_validate({"resourceTemplates": found})

    async def _read_resource(self, ctx: Context, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        uri = str(params.uri)
        code = wire.INVALID_PARAMS if ctx.protocol_version == wire.STATELESS else wire.NO_RESOURCE
        read = partial(self._server.read_resource, uri, self._session(ctx))
        contents = await self._run(read, code, {"uri": uri[: wire.MOST_NAME_CHARS]})
        return types.ReadResourceResult.model_validate({"contents": contents})

    async def _list_prompts(self, _: Context, params: types.PaginatedRequestParams | None) -> types.ListPromptsResult:
        _check_no_cursor(params)
        return types.ListPromptsResult.model_validate({"prompts": self._server.prompts()})

    async def _get_prompt(self, ctx: Context, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        fill = partial(self._server.get_prompt, params.name, params.arguments or {}, self._session(ctx))
        return types.GetPromptResult.model_validate(await self._run(fill))

    # -- what they share ---------------------------------------------------------------------------------------

    def _may_use(self, ctx: Context, tool: str) -> bool:
        """Whether the token of a request may call a tool: one to read, only tools that only read."""
        return session_of(_request(ctx).scope).may_write or tool in self._reading

    def _session(self, ctx: Context) -> AgentSession:
        """Return the session of an agent: by the SDK's session id, or for one request of a stateless client."""
        who = session_of(_request(ctx).scope).name
        if ctx.protocol_version == wire.STATELESS:
            fixed = AgentSession(f"mcp-{who}", folder=self._folder)
            return fixed.for_one_request(dict(ctx.meta or {}))
        key = (who, _request(ctx).headers.get(SESSION_HEADER, ""))
        if key not in self._sessions:
            self._sessions[key] = AgentSession(f"mcp-{who}-{key[1]}", folder=self._folder)
        self._sessions.move_to_end(key)
        if len(self._sessions) > MOST_SESSIONS:
            self._sessions.popitem(last=False)
        return self._sessions[key]

    async def _run(
        self, function: Callable[[], Answer], code: int = wire.INVALID_PARAMS, data: dict[str, str] | None = None
    ) -> Answer:
        """Run a function in one of our threads; what is unknown becomes an error of the protocol."""
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, function)
        except Unknown as error:
            raise MCPError(code, str(error), data) from error
        except Cancelled as error:
            raise MCPError(wire.INVALID_REQUEST, "the call was cancelled") from error


class _Endpoint:
    """The SDK's application, which is told whose token it is, so that no session is used with another one.

    The SDK refuses new sessions while too many are open, and clients seldom end theirs. So where there are many, the
    token that has most of them loses the one that was used longest ago.
    """

    def __init__(self, manager: StreamableHTTPSessionManager) -> None:
        self._manager = manager
        self._open: OrderedDict[str, str] = OrderedDict()
        """The token's name of each session that was opened, the one that was used last at the end."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        who, headers = session_of(scope).name, Headers(scope=scope)
        known = headers.get(SESSION_HEADER, "")
        if known in self._open:
            self._open.move_to_end(known)
        elif not known and headers.get(VERSION_HEADER) != wire.STATELESS and len(self._open) >= MOST_SESSIONS:
            await self._end_one(scope)

        async def noting(message: Message) -> None:
            given = Headers(raw=message["headers"]).get(SESSION_HEADER) if "headers" in message else None
            if given and scope["method"] == "POST":
                self._open.setdefault(given, who)
            await send(message)

        await self._handle(scope, receive, noting, who)
        if scope["method"] == "DELETE":
            self._open.pop(known, None)

    async def _end_one(self, scope: Scope) -> None:
        """End a session to make room, as its own client would end it."""
        whose = Counter(self._open.values()).most_common(1)[0][0]
        oldest = next(session for session, name in self._open.items() if name == whose)
        del self._open[oldest]
        headers = [(b"host", b"localhost"), (SESSION_HEADER.encode(), oldest.encode())]

        async def nothing() -> Message:
            return {"type": "http.request", "body": b"", "more_body": False}

        async def nowhere(_: Message) -> None:
            pass

        await self._handle({**scope, "method": "DELETE", "headers": headers}, nothing, nowhere, whose)

    async def _handle(self, scope: Scope, receive: Receive, send: Send, who: str) -> None:
        known = AccessToken(token="", client_id=who, scopes=[])
        await self._manager.handle_request({**scope, "user": AuthenticatedUser(known)}, receive, send)


def _request(ctx: Context) -> Request:
    """Return the HTTP request of a message; over HTTP there always is one."""
    request = ctx.request
    if not isinstance(request, Request):
        raise MCPError(wire.INTERNAL, "this message came without an HTTP request")
    return request


class Progress:
    """The progress of a call, which is reported from another thread."""

    def __init__(self, ctx: Context) -> None:
        self._ctx = ctx
        self._loop = asyncio.get_running_loop()
        self._sending: list[Future[None]] = []

    def report(self, done: float, total: float | None, says: str) -> None:
        """Send a notification; nothing is sent to a client that did not ask for it."""
        coroutine = self._ctx.session.report_progress(done, total, says)
        self._sending.append(asyncio.run_coroutine_threadsafe(coroutine, self._loop))

    async def sent(self) -> None:
        """Wait until everything that was reported is sent: the stream ends with the call's result."""
        for future in self._sending:
            await asyncio.wrap_future(future)


def _offset(params: types.PaginatedRequestParams | None) -> int:
    """Return where a page begins; raises MCPError for a cursor that we did not give."""
    cursor = (params.cursor if params else None) or "0"
    if not (cursor.isascii() and cursor.isdigit()) or len(cursor) > 9:
        raise MCPError(wire.INVALID_PARAMS, "the cursor is not one that this server gave")
    return int(cursor)


def _check_no_cursor(params: types.PaginatedRequestParams | None) -> None:
    """Raise MCPError for a cursor on a list that has one page only."""
    if _offset(params):
        raise MCPError(wire.INVALID_PARAMS, "the cursor is not one that this server gave")

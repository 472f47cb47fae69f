"""A client's connection: which method is answered how, in every revision, whatever carries the messages. Import-light.

Messages come in as JSON and go out as dictionaries through `send`. What may take long runs through `run`, so that the
next message is read meanwhile: a cancellation may be in it.
"""

import json
import threading

from recollect import paths
from recollect.faces.mcp import wire
from recollect.faces.mcp.server import Cancelled, Unknown
from recollect.faces.mcp.session import CODEX_META, Session, session_id
from recollect.faces.mcp.wire import Request, RpcError
from recollect.failsafe import failsafe
from recollect.lazy import load

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from recollect.faces.mcp.server import Server

    Json = dict[str, Any]

PAGE = 50
"""How many entries a list has on a page."""
ROOTS_ID = "recollect-roots"
ROOTS_SECONDS = 3.0
"""How long the first call waits for the client's roots."""
SLOW = ("tools/call", "resources/list", "resources/read", "prompts/get")
"""Methods that open a project."""
OF_HANDSHAKE = ("initialize", "ping")
OF_STATELESS = ("server/discover", "subscriptions/listen")
NO_ANSWER: "Json" = {}
"""Returned by a method that is answered later, or never."""
ASK_FOR_ROOTS: "Json" = {"resultType": "input_required", "inputRequests": {"roots": {"method": "roots/list"}}}
"""The result that asks a stateless client for its roots; it sends the request again with them."""


class Connection:
    """One client: its session, its requests that run, and the roots that it was asked for."""

    def __init__(
        self, server: "Server", session: Session, *, send: "Callable[[Json], None]", env: "Mapping[str, str]",
        run: "Callable[[Callable[[], None]], None]",
    ) -> None:  # fmt: skip
        self._server, self._session, self._send, self._run = server, session, send, run
        self._home = paths.home(env)
        self._running: dict[object, threading.Event] = {}
        self._has_roots = False
        self._roots_known = threading.Event()
        self._methods: Mapping[str, Callable[[Request], Json]] = {
            "initialize": self._initialize, "server/discover": self._discover, "ping": lambda _: {},
            "subscriptions/listen": self._listen, "tools/list": self._tools, "tools/call": self._call,
            "resources/list": self._resources, "resources/templates/list": self._templates,
            "resources/read": self._read, "prompts/list": self._prompts, "prompts/get": self._prompt,
        }  # fmt: skip

    def receive(self, data: bytes) -> None:
        """Take one message; whatever it is, the connection lives on."""
        try:
            message = json.loads(data)
        except (ValueError, RecursionError):
            self._send(wire.failure(None, RpcError(wire.PARSE_ERROR, "the message is not JSON")))
            return
        failsafe(self._home, "a message of the client", self._take, message)

    def refuse(self, says: str) -> None:
        """Answer a message that was not read."""
        self._send(wire.failure(None, RpcError(wire.INVALID_REQUEST, says)))

    def _take(self, message: object) -> None:
        """Route a message, and answer what is wrong with it."""
        try:
            self._route(message)
        except RpcError as error:
            id = message.get("id") if isinstance(message, dict) else None
            self._send(wire.failure(id if _is_id(id) else None, error))

    def _route(self, message: object) -> None:
        if isinstance(message, list):
            raise RpcError(wire.INVALID_REQUEST, "batches are not part of this protocol: send one message a line")
        if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
            raise RpcError(wire.INVALID_REQUEST, 'a message is one object with "jsonrpc": "2.0"')
        if "method" not in message:
            self._take_reply(message)
        elif not isinstance(message["method"], str):
            raise RpcError(wire.INVALID_REQUEST, "the method is not a text")
        elif "id" not in message:
            self._notified(message["method"], message.get("params"))
        elif not _is_id(message["id"]):
            raise RpcError(wire.INVALID_REQUEST, "the id is neither a text nor a number")
        else:
            self._requested(Request(message))

    # -- requests ----------------------------------------------------------------------------------------------

    def _requested(self, request: Request) -> None:
        wrong_era = OF_HANDSHAKE if request.is_stateless else OF_STATELESS
        method = self._methods.get(request.method)
        if request.method in OF_STATELESS or request.is_stateless:
            request.check_version()
        if method is None or request.method in wrong_era:
            raise RpcError(wire.NO_METHOD, f"there is no method {request.method[:80]}")
        if request.id in self._running:
            raise RpcError(wire.INVALID_REQUEST, "a request with this id is running")
        if request.method in SLOW:
            self._running[request.id] = threading.Event()
            self._run(lambda: self._answer(request, method))
        else:
            self._answer(request, method)

    def _answer(self, request: Request, method: "Callable[[Request], Json]") -> None:
        """Send a request's result or error; nothing for a request that was cancelled."""
        message = failsafe(self._home, request.method, self._message, request, method)
        if message is None:
            message = wire.failure(request.id, RpcError(wire.INTERNAL, "the server failed; its hook.log says why"))
        cancelled = self._running.pop(request.id, None)
        if message is not NO_ANSWER and not (cancelled and cancelled.is_set()):
            self._send(message)

    def _message(self, request: Request, method: "Callable[[Request], Json]") -> "Json":
        try:
            result = method(request)
            return result if result is NO_ANSWER else wire.answer(request, result)
        except Cancelled:
            return NO_ANSWER
        except Unknown as error:
            is_old = request.method == "resources/read" and not request.is_stateless
            code = wire.NO_RESOURCE if is_old else wire.INVALID_PARAMS
            data = {"uri": request.params.get("uri")} if request.method == "resources/read" else None
            return wire.failure(request.id, RpcError(code, str(error), data))
        except RpcError as error:
            return wire.failure(request.id, error)

    def _initialize(self, request: Request) -> "Json":
        asked, able = request.params.get("protocolVersion"), request.params.get("capabilities")
        self._has_roots = isinstance(able, dict) and "roots" in able
        version = asked if asked in wire.HANDSHAKE else wire.HANDSHAKE[0]
        return {
            "protocolVersion": version, "capabilities": wire.CAPABILITIES, "serverInfo": wire.SERVER_INFO,
            "instructions": self._server.instructions,
        }  # fmt: skip

    def _discover(self, _: Request) -> "Json":
        return {
            "supportedVersions": list(wire.VERSIONS), "capabilities": wire.CAPABILITIES,
            "instructions": self._server.instructions,
        }  # fmt: skip

    def _listen(self, request: Request) -> "Json":
        """Open a subscription; it stays silent, because no list of ours changes while a server runs."""
        meta = {wire.SUBSCRIPTION_KEY: request.id}
        self._send(wire.notification("notifications/subscriptions/acknowledged", {"_meta": meta, "notifications": {}}))
        return NO_ANSWER

    def _tools(self, request: Request) -> "Json":
        return _page("tools", self._server.tools(), request.offset())

    def _prompts(self, request: Request) -> "Json":
        return _page("prompts", self._server.prompts(), request.offset())

    def _templates(self, request: Request) -> "Json":
        return _page("resourceTemplates", self._server.resource_templates(), request.offset())

    def _call(self, request: Request) -> "Json":
        name, arguments = request.text("name"), request.params.get("arguments")
        session = self._session_of(request)
        if self._needs_roots(request, session):
            return ASK_FOR_ROOTS
        cancelled = self._running.get(request.id)
        return self._server.call(
            name, {} if arguments is None else arguments, session=session, progress=self._progress(request),
            cancelled=cancelled.is_set if cancelled else None,
        )  # fmt: skip

    def _resources(self, request: Request) -> "Json":
        offset = request.offset()
        found, is_more = self._server.resources(self._session_of(request), offset, PAGE)
        return {"resources": found, **({"nextCursor": str(offset + PAGE)} if is_more else {})}

    def _read(self, request: Request) -> "Json":
        uri, session = request.text("uri"), self._session_of(request)
        if self._needs_roots(request, session):
            return ASK_FOR_ROOTS
        return {"contents": self._server.read_resource(uri, session)}

    def _prompt(self, request: Request) -> "Json":
        given = request.params.get("arguments")
        arguments = given if isinstance(given, dict) else {}
        name, session = request.text("name"), self._session_of(request)
        if self._needs_roots(request, session):
            return ASK_FOR_ROOTS
        return self._server.get_prompt(name, arguments, session)

    def _session_of(self, request: Request) -> Session:
        """Return the session of a request; one that has a handshake waits for the client's roots first."""
        if request.is_stateless:
            return self._session.for_one_request(request.meta)
        if CODEX_META in request.meta:
            self._session.id = session_id(request.meta) or self._session.id
        if self._has_roots and not self._session.folder:
            self._roots_known.wait(ROOTS_SECONDS)
            self._roots_known.set()  # a client that does not tell them is waited for once
        return self._session

    @staticmethod
    def _needs_roots(request: Request, session: Session) -> bool:
        """Take the roots that a stateless request brings; return whether its client has to be asked for them first."""
        if not request.is_stateless or session.folder:
            return False
        given = request.params.get("inputResponses")
        session.roots = _roots(given.get("roots") if isinstance(given, dict) else None)
        return given is None and "roots" in request.meta[wire.CAPABILITIES_KEY]

    def _progress(self, request: Request) -> "Callable[[float, float | None, str], None] | None":
        token = request.meta.get("progressToken")
        if not _is_id(token):
            return None

        def report(done: float, total: float | None, says: str) -> None:
            params = {"progressToken": token, "progress": done, "total": total, "message": says}
            self._send(wire.notification("notifications/progress", params))

        return report

    # -- notifications and replies -----------------------------------------------------------------------------

    def _notified(self, method: str, params: object) -> None:
        if method == "notifications/cancelled" and isinstance(params, dict) and _is_id(params.get("requestId")):
            running = self._running.get(params["requestId"])
            if running:
                running.set()
        elif method in ("notifications/initialized", "notifications/roots/list_changed"):
            self._ask_for_roots()

    def _ask_for_roots(self) -> None:
        if self._has_roots and not self._session.folder:
            self._roots_known.clear()
            self._send({"jsonrpc": "2.0", "id": ROOTS_ID, "method": "roots/list"})

    def _take_reply(self, message: "Mapping[str, Any]") -> None:
        """Take the client's roots; any other reply is to nothing that we asked."""
        if message.get("id") == ROOTS_ID:
            self._session.roots = _roots(message.get("result"))
            self._roots_known.set()


def _is_id(value: object) -> bool:
    return isinstance(value, str | int) and not isinstance(value, bool)


def _page(name: str, entries: "list[Json]", offset: int) -> "Json":
    more = {"nextCursor": str(offset + PAGE)} if len(entries) > offset + PAGE else {}
    return {name: entries[offset : offset + PAGE], **more}


def _roots(result: object) -> "tuple[str, ...]":
    """Return the folders of a client's roots; other addresses than files are left out."""
    listed = result.get("roots") if isinstance(result, dict) else None
    addresses = [root.get("uri") for root in listed if isinstance(root, dict)] if isinstance(listed, list) else []
    paths_of = load("recollect.faces.mcp.file_uri").path
    found = [paths_of(address) for address in addresses if isinstance(address, str)]
    return tuple(folder for folder in found if folder)

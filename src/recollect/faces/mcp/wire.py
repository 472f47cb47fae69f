"""The messages of JSON-RPC and of the protocol's revisions: versions, codes, and the shapes around a result."""

from recollect import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    Json = dict[str, Any]

STATELESS = "2026-07-28"
"""The revision without a handshake: each request says what its client is and can."""
HANDSHAKE = ("2025-11-25", "2025-06-18")
"""The revisions that begin with `initialize`, the newest first."""
VERSIONS = (STATELESS, *HANDSHAKE)

PARSE_ERROR, INVALID_REQUEST, NO_METHOD, INVALID_PARAMS, INTERNAL = -32700, -32600, -32601, -32602, -32603
NO_RESOURCE, NO_VERSION = -32002, -32022

MOST_NAME_CHARS = 2_000
"""The longest name or address that a parameter may have: errors repeat it."""

PREFIX = "io.modelcontextprotocol/"
VERSION_KEY, CAPABILITIES_KEY = f"{PREFIX}protocolVersion", f"{PREFIX}clientCapabilities"
SERVER_KEY, SUBSCRIPTION_KEY = f"{PREFIX}serverInfo", f"{PREFIX}subscriptionId"

SERVER_INFO = {"name": "recollect", "title": "recollect", "version": __version__}
CAPABILITIES: "Json" = {"tools": {}, "resources": {}, "prompts": {}}
HOUR_MS = 3_600_000
# How long a stateless client may keep a result, and whether others may have it too.
LASTING = {"ttlMs": HOUR_MS, "cacheScope": "public"}
FLEETING = {"ttlMs": 0, "cacheScope": "private"}
CACHED = {
    "server/discover": LASTING, "tools/list": LASTING, "prompts/list": LASTING, "resources/templates/list": LASTING,
    "resources/list": FLEETING, "resources/read": FLEETING,
}  # fmt: skip


class RpcError(Exception):
    """An error that answers a request: its code, what is wrong, and data for the program."""

    def __init__(self, code: int, message: str, data: "Json | None" = None) -> None:
        super().__init__(message)
        self.code, self.message, self.data = code, message, data


class Request:
    """A request of a client: its id, method, parameters, and whether it is of the stateless revision."""

    __slots__ = ("id", "is_stateless", "meta", "method", "params")

    def __init__(self, message: "Mapping[str, Any]") -> None:
        self.id = message["id"]
        self.method = message["method"]
        params = message.get("params")
        if params is not None and not isinstance(params, dict):
            raise RpcError(INVALID_PARAMS, "params is not an object")
        self.params: Json = params or {}
        meta = self.params.get("_meta")
        self.meta: Json = meta if isinstance(meta, dict) else {}
        self.is_stateless = VERSION_KEY in self.meta

    def check_version(self) -> None:
        """Raise RpcError where a stateless request lacks what it has to say, or speaks a revision that we do not."""
        version = self.meta.get(VERSION_KEY)
        if not isinstance(version, str) or not isinstance(self.meta.get(CAPABILITIES_KEY), dict):
            raise RpcError(
                INVALID_PARAMS, f"params._meta needs {VERSION_KEY} (a text) and {CAPABILITIES_KEY} (an object)"
            )
        if version != STATELESS:
            data = {"supported": list(VERSIONS), "requested": version}
            raise RpcError(NO_VERSION, "Unsupported protocol version", data)

    def text(self, name: str) -> str:
        """Return a parameter that has to be a text; raises RpcError."""
        value = self.params.get(name)
        if not isinstance(value, str) or not value:
            raise RpcError(INVALID_PARAMS, f"{self.method} needs the parameter {name}, a text")
        if len(value) > MOST_NAME_CHARS:
            raise RpcError(INVALID_PARAMS, f"{name} has more than {MOST_NAME_CHARS:,} characters")
        return value

    def offset(self) -> int:
        """Return where a page begins: a cursor is the number that the page before gave; raises RpcError."""
        cursor = self.params.get("cursor")
        if cursor is None:
            return 0
        if not isinstance(cursor, str) or not (cursor.isascii() and cursor.isdigit()) or len(cursor) > 9:
            raise RpcError(INVALID_PARAMS, "the cursor is not one that this server gave")
        return int(cursor)


def answer(request: Request, result: "Json") -> "Json":
    """Return the message with a request's result, as its revision wants it."""
    if request.is_stateless:
        meta = {"_meta": {SERVER_KEY: SERVER_INFO}}
        result = {"resultType": "complete", **CACHED.get(request.method, {}), **result, **meta}
    return {"jsonrpc": "2.0", "id": request.id, "result": result}


def failure(id: object, error: RpcError) -> "Json":
    """Return the message with an error; the id is None where the request could not be read."""
    data = {"data": error.data} if error.data is not None else {}
    return {"jsonrpc": "2.0", "id": id, "error": {"code": error.code, "message": error.message, **data}}


def notification(method: str, params: "Json") -> "Json":
    """Return a message that nobody answers."""
    return {"jsonrpc": "2.0", "method": method, "params": params}

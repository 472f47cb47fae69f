"""One rule per function: each looks at a request and returns a Refusal, or None where it has no objection."""

from collections.abc import Callable
from urllib.parse import unquote_to_bytes

from starlette.types import Scope

from recollect.faces.serve import refusals
from recollect.faces.serve.refusals import Refusal
from recollect.faces.serve.security import Security

READS = frozenset({"GET", "HEAD"})
WRITES = frozenset({"POST", "PUT", "PATCH", "DELETE"})
MCP_PATH = "/mcp"

Rule = Callable[[Scope, Security], Refusal | None]


def header_values(scope: Scope, name: bytes) -> list[str]:
    """Return every value of a header, in order; empty if it was not sent."""
    return [value.decode("latin-1") for key, value in scope["headers"] if key.lower() == name]


def is_mcp(scope: Scope) -> bool:
    """Whether a request is for MCP over HTTP."""
    path: str = scope["path"]
    return path == MCP_PATH or path.startswith(f"{MCP_PATH}/")


def check_framing(scope: Scope, _: Security) -> Refusal | None:
    """Refuse a request whose end two programs could see at different places: that is how requests are smuggled."""
    lengths, codings = header_values(scope, b"content-length"), header_values(scope, b"transfer-encoding")
    is_ambiguous = len(lengths) > 1 or len(codings) > 1 or bool(lengths and codings)
    return refusals.FRAMING if is_ambiguous else None


def check_head(scope: Scope, security: Security) -> Refusal | None:
    """Refuse a target and headers that are too long together."""
    fields = sum(len(name) + len(value) for name, value in scope["headers"])
    length = fields + len(scope["raw_path"]) + len(scope["query_string"])
    return refusals.HEAD if length > security.limits.head_bytes else None


def check_target(scope: Scope, _: Security) -> Refusal | None:
    """Refuse targets that are not a path: `http://other/`, `//other/`, `*`."""
    raw: bytes = scope["raw_path"]
    return refusals.TARGET if not raw.startswith(b"/") or raw.startswith(b"//") else None


def check_host(scope: Scope, security: Security) -> Refusal | None:
    """Refuse every Host header but the allowed ones; DNS rebinding arrives with a foreign one."""
    hosts = header_values(scope, b"host")
    return None if len(hosts) == 1 and hosts[0].lower() in security.hosts else refusals.HOST


def check_path(scope: Scope, _: Security) -> Refusal | None:
    """Refuse paths that mean another one after normalisation, in plain or in encoded form."""
    raw: bytes = scope["raw_path"]
    decoded = unquote_to_bytes(raw)
    try:
        path = decoded.decode("utf-8")
    except UnicodeDecodeError:
        return refusals.PATH
    segments = [segment.partition(";")[0] for segment in path.split("/")]
    is_hidden = raw.count(b"/") != decoded.count(b"/") or "%" in path or "\\" in path or not path.isprintable()
    return refusals.PATH if is_hidden or "//" in path or {".", ".."} & set(segments) else None


def check_method(scope: Scope, _: Security) -> Refusal | None:
    """Refuse methods that nobody serves, such as TRACE and CONNECT; OPTIONS is refused because there is no CORS."""
    return None if scope["method"] in READS | WRITES else refusals.METHOD


def check_origin(scope: Scope, security: Security) -> Refusal | None:
    """Require our own Origin on every write; on other requests, and for MCP, refuse a foreign one.

    Programs that speak MCP send no Origin; they send a token in a header, which no other site can make a browser do.
    """
    origins = header_values(scope, b"origin")
    if not origins:
        return refusals.NO_ORIGIN if scope["method"] in WRITES and not is_mcp(scope) else None
    return None if len(origins) == 1 and origins[0] in security.origins else refusals.FOREIGN_ORIGIN


RULES: tuple[Rule, ...] = (check_framing, check_head, check_target, check_host, check_path, check_method, check_origin)
"""The rules that need no session, in order; all of them before routing."""


def first_refusal(scope: Scope, security: Security) -> Refusal | None:
    """Return the refusal of the first rule that objects; None if none does."""
    found = (rule(scope, security) for rule in RULES)
    return next((refusal for refusal in found if refusal), None)

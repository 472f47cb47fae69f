"""`build_app`: the checked application that `recollect open` and `recollect serve` run."""

import traceback
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute

from recollect.errors import Ambiguous, Conflict, NotFound, RecollectError, StoreBusy
from recollect.faces.serve import responses
from recollect.faces.serve.gate import Gate
from recollect.faces.serve.security import Security

STATUS: dict[type[RecollectError], int] = {NotFound: 404, Ambiguous: 409, Conflict: 409, StoreBusy: 503}
"""The HTTP status of an error of the library; 400 for every other."""


def build_app(
    routes: Sequence[BaseRoute],
    *,
    security: Security,
    exception_handlers: Mapping[Any, Callable[..., Any]] | None = None,
    lifespan: Callable[[Starlette], Any] | None = None,
) -> Gate:
    """Return the ASGI application: the gate around the routes.

    Handlers read who asks with `sessions.session_of(request.scope)`. The handlers of exceptions replace the plain ones
    that are here.
    """

    def failed(request: Request, error: Exception) -> Response:
        security.log("failed", f"{request.method} {request.url.path} {traceback.format_exception_only(error)[-1]}")
        return responses.failed(request.scope)

    handlers = {RecollectError: refused, Exception: failed, **(exception_handlers or {})}
    return Gate(Starlette(routes=routes, exception_handlers=handlers, lifespan=lifespan), security)


def refused(_: Request, error: Exception) -> Response:
    """Return an error of the library as JSON, with its next step."""
    if not isinstance(error, RecollectError):
        raise error
    return JSONResponse(error.as_dict(), status_of(error))


def status_of(error: RecollectError) -> int:
    """Return the HTTP status of an error of the library."""
    return next((status for kind, status in STATUS.items() if isinstance(error, kind)), 400)

"""Limits on what a client may send: the size and the time of a body, and the rate of requests."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable

from starlette.types import Message, Receive, Scope

from recollect.faces.serve import refusals
from recollect.faces.serve.refusals import Refusal
from recollect.faces.serve.rules import header_values
from recollect.faces.serve.security import Limits, Security

MOST_CLIENTS = 1_000
"""Clients whose rate is remembered."""


class Rates:
    """A bucket of requests for each client, which fills again over time."""

    def __init__(self, limits: Limits, clock: Callable[[], float]) -> None:
        self._limits = limits
        self._clock = clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def allows(self, client: str) -> bool:
        """Count a request of a client; return whether it may be answered."""
        now = self._clock()
        burst = self._limits.burst
        left, then = self._buckets.pop(client, (burst, now))
        left = min(burst, left + (now - then) * self._limits.requests_per_second)
        self._buckets[client] = (max(0.0, left - 1), now)
        if len(self._buckets) > MOST_CLIENTS:
            self._buckets.popitem(last=False)
        return left >= 1


async def read_body(scope: Scope, receive: Receive, security: Security, *, is_stranger: bool) -> bytes | Refusal:
    """Return the whole body of a request; a refusal if it is too large or too slow, or the client has gone.

    A stranger sends a login form at most.
    """
    most = security.limits.login_bytes if is_stranger else security.limits.body_bytes
    if declared_bytes(scope) > most:
        return refusals.TOO_LARGE
    try:
        async with asyncio.timeout(security.limits.body_seconds):
            return await _collect(receive, most)
    except TimeoutError:
        return refusals.TOO_SLOW


def declared_bytes(scope: Scope) -> int:
    """Return the length that a request declares; 0 if it declares none."""
    lengths = header_values(scope, b"content-length")
    return int(lengths[0]) if lengths and lengths[0].isascii() and lengths[0].isdigit() else 0


async def _collect(receive: Receive, most_bytes: int) -> bytes | Refusal:
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return refusals.TOO_SLOW
        body += message.get("body", b"")
        if len(body) > most_bytes:
            return refusals.TOO_LARGE
        if not message.get("more_body", False):
            return bytes(body)


def replay(body: bytes, receive: Receive) -> Receive:
    """Return a `receive` that gives a body which was read already, and then what the client does next."""
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def again() -> Message:
        return waiting.pop() if waiting else await receive()

    return again

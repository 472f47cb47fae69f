"""Connections of the server: how many there may be, and how long one may take to send a request."""

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

from recollect.faces.serve.gate import Gate
from recollect.faces.serve.security import Limits

HANDSHAKE_SECONDS = 10.0
"""How long a connection may take to agree on TLS."""


class BoundedLoop(asyncio.SelectorEventLoop):
    """An event loop whose servers wait for TLS no longer than HANDSHAKE_SECONDS; uvicorn has no setting for that."""

    async def create_server(self, *arguments: Any, **options: Any) -> asyncio.Server:  # noqa: ANN401 - as asyncio has it
        """Listen, as asyncio does."""
        if options.get("ssl"):
            options["ssl_handshake_timeout"] = HANDSHAKE_SECONDS
        return await super().create_server(*arguments, **options)


class BoundedProtocol(H11Protocol):
    """HTTP/1.1 with bounds against clients that connect and send slowly, or nothing.

    uvicorn's own limit answers 503 to everybody once slow clients have filled it. Here they make room for others.
    """

    since = 0.0
    """When the connection was made, or its last response ended, on the loop's clock."""
    _deadline: asyncio.TimerHandle | None = None

    @property
    def limits(self) -> Limits:
        """The limits of the gate that is served."""
        gate: Gate = self.config.loaded_app
        return gate.limits

    @property
    def is_waiting(self) -> bool:
        """Whether a request, or the rest of one, has still to arrive."""
        return self.cycle is None or self.cycle.response_complete or self.cycle.more_body

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Make room for the connection, and start its deadline."""
        super().connection_made(transport)
        self.since = self.loop.time()
        self._make_room()
        self._watch()

    def data_received(self, data: bytes) -> None:
        """Read what has arrived; the deadline ends with the head of a request."""
        super().data_received(data)
        self._watch()

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        self.since = self.loop.time()
        super().on_response_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the deadline."""
        self._unwatch()
        super().connection_lost(exc)

    def _watch(self) -> None:
        """Start the deadline where the head of a request is awaited; it does not begin anew with each byte."""
        if not self.is_waiting or (self.cycle and not self.cycle.response_complete):
            self._unwatch()  # the rest of a body has its own deadline, in `limits`
        elif self._deadline is None and self.timeout_keep_alive_task is None:
            self._deadline = self.loop.call_later(self.limits.head_seconds, self.give_up)

    def _unwatch(self) -> None:
        if self._deadline:
            self._deadline.cancel()
        self._deadline = None

    def give_up(self) -> None:
        """Close the connection without an answer."""
        if not self.transport.is_closing():
            self.transport.abort()

    def _make_room(self) -> None:
        """Close the connection that has been waiting for longest, where there are too many."""
        if len(self.connections) <= self.limits.connections:
            return
        ours = [one for one in self.connections if isinstance(one, BoundedProtocol) and not one.transport.is_closing()]
        waiting = [one for one in ours if one.is_waiting and one is not self]
        if len(ours) > self.limits.connections:
            min(waiting, key=lambda one: one.since, default=self).give_up()

"""The settings of the gate: which names are served, who may come in, and how much a client may send."""

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from recollect.library.tokens import Face, Token

DEFAULT_PORTS = {"http": 80, "https": 443}

FindToken = Callable[[str, Face], Awaitable[Token | None]]
"""Returns the token of a secret, for the page or for MCP; None if it is unknown or revoked."""
IsToken = Callable[[str], Awaitable[bool]]
"""Returns whether the token of a name is still valid."""
Log = Callable[[str, str], None]
"""Writes a line to the request log: who, and what."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How much a client may send, and how long it may take."""

    connections: int = 200
    """Connections at once. Beyond that, the one that has kept us waiting for longest is closed."""
    head_seconds: float = 10.0
    """For the head of a request to arrive, from the connection's first byte."""
    head_bytes: int = 16_000
    """For the target and the headers of a request."""
    body_seconds: float = 20.0
    """For the body of a request to arrive."""
    body_bytes: int = 2_000_000
    login_bytes: int = 10_000
    """For the body of somebody who is not signed in."""
    write_seconds: float = 30.0
    """For a client to read what was sent to it."""
    token_seconds: float = 2.0
    """How often a token is checked again while its answer is being sent."""
    burst: float = 400.0
    """Requests that a client may send at once."""
    requests_per_second: float = 100.0
    """Requests that a client may send for long."""


@dataclass(frozen=True, slots=True)
class Security:
    """What the gate checks requests against."""

    hosts: frozenset[str]
    """The allowed values of the Host header, in lower case, with the port."""
    origins: frozenset[str]
    """The allowed values of the Origin header."""
    cookie: str
    """The name of the session cookie. Cookies ignore ports, so it has the port in it."""
    is_tls: bool
    find_token: FindToken
    is_token: IsToken
    log: Log
    limits: Limits = Limits()
    clock: Callable[[], float] = time.monotonic


def served_names(names: list[str], port: int, *, is_tls: bool) -> tuple[frozenset[str], frozenset[str]]:
    """Return the allowed Host and Origin values for the names under which a port is reached."""
    scheme = "https" if is_tls else "http"
    hosts = {f"{_bracketed(name)}:{port}" for name in names}
    if DEFAULT_PORTS[scheme] == port:
        hosts |= {_bracketed(name) for name in names}
    return frozenset(hosts), frozenset(f"{scheme}://{host}" for host in hosts)


def _bracketed(name: str) -> str:
    """Return a name as it stands in a URL: lower case, an IPv6 address in brackets."""
    return f"[{name.lower()}]" if ":" in name else name.lower()

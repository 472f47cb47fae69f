"""Who is signed in: one-time links, session cookies, and bearer tokens."""

import hashlib
import secrets
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie

from starlette.types import Scope

from recollect.faces.serve.rules import header_values
from recollect.faces.serve.security import Security
from recollect.library.tokens import Face

SCOPE_KEY = "recollect.session"
LINK_SECONDS = 600.0
SESSION_SECONDS = 12 * 3_600.0
MOST_SESSIONS = 100


@dataclass(frozen=True, slots=True)
class Session:
    """Who asks, and what they may do. Handlers read it with `session_of(request.scope)`."""

    name: str
    """The token's name; `owner` for the person who started the server."""
    may_write: bool
    is_owner: bool = False
    """Whether a one-time link opened the session, and no token."""
    csrf: str = field(default_factory=secrets.token_urlsafe, repr=False)
    is_cookie: bool = True
    """Whether a cookie names the session. Only then can another site make a browser send the request."""


def session_of(scope: Scope) -> Session:
    """Return the session of a request; there is always one, because the gate refuses requests without."""
    session: Session = scope[SCOPE_KEY]
    return session


def csrf_token(session: Session) -> str:
    """Return the value for the form field `csrf_token`, or the header `X-CSRF-Token`, of every write."""
    return session.csrf


def digest(secret: str) -> str:
    """Return the hash under which a secret is kept in memory."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


class Sessions:
    """The sessions and one-time links of a running server. They end with it."""

    def __init__(self, security: Security) -> None:
        self._security = security
        self._links: dict[str, float] = {}
        self._open: dict[str, tuple[Session, float]] = {}

    def make_link_token(self) -> str:
        """Return a secret that opens one session within ten minutes."""
        secret = secrets.token_urlsafe(32)
        self._links[digest(secret)] = self._security.clock() + LINK_SECONDS
        return secret

    def take_link(self, secret: str) -> Session | None:
        """Use up a one-time secret; None if it is unknown, used or too old."""
        ends = self._links.pop(digest(secret), 0.0)
        return Session("owner", may_write=True, is_owner=True) if self._security.clock() < ends else None

    def cookie_for(self, session: Session) -> str:
        """Open a session and return the Set-Cookie header that names it."""
        secret = secrets.token_urlsafe(32)
        while len(self._open) >= MOST_SESSIONS:
            del self._open[next(iter(self._open))]
        self._open[digest(secret)] = (session, self._security.clock() + SESSION_SECONDS)
        safe = "; Secure" if self._security.is_tls else ""
        return f"{self._security.cookie}={secret}; Path=/; HttpOnly; SameSite=Strict{safe}"

    def close(self, scope: Scope) -> None:
        """End the session that a request's cookie names."""
        self._open.pop(digest(self._cookie(scope)), None)

    async def by_cookie(self, scope: Scope) -> Session | None:
        """Return the session that a request's cookie names; None if there is none, or its token was revoked."""
        session, ends = self._open.get(digest(self._cookie(scope)), (None, 0.0))
        if session is None or self._security.clock() >= ends:
            return None
        return session if session.is_owner or await self._security.is_token(session.name) else None

    async def by_token(self, secret: str, face: Face) -> Session | None:
        """Return a session for a token of the page or of MCP; None if it is unknown or revoked."""
        token = await self._security.find_token(secret, face) if secret else None
        return Session(token.name, may_write=token.may_write, is_cookie=False) if token else None

    def _cookie(self, scope: Scope) -> str:
        jar: SimpleCookie = SimpleCookie()
        for line in header_values(scope, b"cookie"):
            try:
                jar.load(line)
            except CookieError:
                return ""
        return jar[self._security.cookie].value if self._security.cookie in jar else ""


def bearer(scope: Scope) -> str:
    """Return the secret of the Authorization header; empty if it has none."""
    [scheme, _, secret] = (header_values(scope, b"authorization") or [""])[0].partition(" ")
    return secret.strip() if scheme.lower() == "bearer" else ""

"""The gate: the ASGI application around everything that is served. It checks every request before routing."""

import asyncio
from collections.abc import Awaitable
from secrets import compare_digest
from urllib.parse import parse_qs

from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from recollect.faces.serve import limits, refusals, responses, rules
from recollect.faces.serve.activity import Activity
from recollect.faces.serve.refusals import Refusal
from recollect.faces.serve.security import Security
from recollect.faces.serve.sessions import SCOPE_KEY, Session, Sessions, bearer

LOGIN = "/login"
LOGOUT = "/logout"
LOGIN_STYLE = "/login.css"
LINK_FIELD = "token"
CSRF_FIELD = "csrf_token"
CSRF_HEADER = b"x-csrf-token"
FORM_TYPE = "application/x-www-form-urlencoded"


class Gate:
    """An ASGI application that passes on only requests that break no rule, of somebody who is signed in."""

    def __init__(self, app: ASGIApp, security: Security) -> None:
        self._app = app
        self._security = security
        self.limits = security.limits
        self._rates = limits.Rates(security.limits, security.clock)
        self.sessions = Sessions(security)
        self.activity = Activity(security.clock)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request; see `_answer`."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            send = responses.checked_send(send, self._security.limits.write_seconds)
            refusal = rules.first_refusal(scope, self._security)
            answer = refusal or await self._answer(scope, receive, send)
            if isinstance(answer, Refusal):
                self._log(scope, refusals.LOG_NAME, f"{answer.status} {answer.says}")
                answer = responses.refuse(answer, scope)
            if answer:
                await answer(scope, receive, send)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> Response | Refusal | None:
        """Let a request through, or return what is answered instead; None once the application has answered."""
        session = await self._session(scope)
        if not self._rates.allows(session.name if session else f"not signed in: {(scope['client'] or [''])[0]}"):
            return refusals.TOO_MANY
        if early := self._greet(scope, session):
            return early
        body = await limits.read_body(scope, receive, self._security, is_stranger=session is None)
        if isinstance(body, Refusal):
            return body
        if session is None or scope["path"] == LOGIN:
            return await self._login(body)
        if refusal := check_write(scope, body, session):
            return refusal
        await self._pass_on({**scope, SCOPE_KEY: session}, limits.replay(body, receive), send, session)
        return None

    async def _pass_on(self, scope: Scope, receive: Receive, send: Send, session: Session) -> None:
        self._log(scope, session.name, "")
        with self.activity.request():
            if session.is_owner:
                await self._app(scope, receive, send)
            else:
                await self._until_revoked(self._app(scope, receive, send), session.name)

    async def _until_revoked(self, answer: Awaitable[None], token: str) -> None:
        """Answer a request for as long as its token is valid: a stream may stay open for hours."""
        work = asyncio.ensure_future(answer)
        try:
            while not (await asyncio.wait([work], timeout=self.limits.token_seconds))[0]:
                if not await self._security.is_token(token):
                    return
            await work
        finally:
            work.cancel()

    async def _session(self, scope: Scope) -> Session | None:
        """Return who asks; None if nobody is signed in. Cookies do not count for MCP, nor MCP's tokens elsewhere."""
        if rules.is_mcp(scope):
            return await self.sessions.by_token(bearer(scope), "mcp")
        if secret := bearer(scope):
            return await self.sessions.by_token(secret, "page")
        return await self.sessions.by_cookie(scope)

    def _greet(self, scope: Scope, session: Session | None) -> Response | Refusal | None:
        """Answer what needs no body: the login page, a one-time link, and everything else of a stranger.

        None for a request of somebody who is signed in, and for a login form.
        """
        path, method = scope["path"], scope["method"]
        secret = form_value(scope["query_string"], LINK_FIELD)
        if path == LOGIN_STYLE:
            return responses.style()
        if path == LOGIN:
            return None if method == "POST" else responses.login_page()
        if path == LOGOUT and method == "POST":
            self.sessions.close(scope)
            return responses.login_page("You are signed out. To sign in again, enter a token.")
        if secret and method == "GET" and not rules.is_mcp(scope):
            return self._follow_link(scope, secret, session)
        if session is None:
            return refusals.NO_TOKEN if rules.is_mcp(scope) else refusals.NO_SESSION
        return None

    def _follow_link(self, scope: Scope, secret: str, session: Session | None) -> Response | Refusal:
        opened = self.sessions.take_link(secret) or (session if session and session.is_cookie else None)
        if opened is None:
            return refusals.USED_LINK
        self._log(scope, opened.name, "signed in")
        return responses.go_to(scope["raw_path"].decode("ascii"), self.sessions.cookie_for(opened))

    async def _login(self, body: bytes) -> Response:
        token = await self._security.find_token(form_value(body, "token"), "page")
        if token is None:
            return responses.login_page(refusals.BAD_TOKEN.says, refusals.BAD_TOKEN.status)
        self._security.log(token.name, "signed in")
        return responses.go_to("/", self.sessions.cookie_for(Session(token.name, may_write=token.may_write)))

    def _log(self, scope: Scope, who: str, what: str) -> None:
        self._security.log(who, " ".join(filter(None, (scope["method"], ascii(scope["path"])[1:-1], what))))


def check_write(scope: Scope, body: bytes, session: Session) -> Refusal | None:
    """Refuse a write of somebody who may only read, or without the session's CSRF token.

    Over MCP every request is a POST; there the tools that write are refused one by one.
    """
    if scope["method"] not in rules.WRITES or rules.is_mcp(scope):
        return None
    if not session.may_write:
        return refusals.READ_ONLY
    is_proven = not session.is_cookie or compare_digest(session.csrf.encode(), sent_csrf(scope, body).encode())
    return None if is_proven else refusals.CSRF


def sent_csrf(scope: Scope, body: bytes) -> str:
    """Return the CSRF token that a request carries, in a header or in a field of its form; empty if it has none."""
    if sent := rules.header_values(scope, CSRF_HEADER):
        return sent[0]
    kinds = rules.header_values(scope, b"content-type")
    is_form = bool(kinds) and kinds[0].partition(";")[0].strip().lower() == FORM_TYPE
    return form_value(body, CSRF_FIELD) if is_form else ""


def form_value(text: bytes, name: str) -> str:
    """Return the first value of a field of a query or form; empty if there is none, or too many fields."""
    try:
        fields = parse_qs(text.decode("utf-8", "replace"), max_num_fields=1_000)
    except ValueError:
        return ""
    return fields.get(name, [""])[0]

"""What the gate adds to every response, and the responses that it gives itself."""

import asyncio
import html

from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.types import Message, Scope, Send

from recollect.faces.serve import rules
from recollect.faces.serve.refusals import NO_TOKEN, TOO_MANY, Refusal

HEADERS: dict[bytes, bytes] = {
    b"content-security-policy": (
        b"default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    b"x-frame-options": b"DENY",
    b"x-content-type-options": b"nosniff",
    b"referrer-policy": b"no-referrer",
    b"cache-control": b"no-store",
    b"cross-origin-opener-policy": b"same-origin",
    b"cross-origin-resource-policy": b"same-origin",
}
"""The headers of every response; a handler cannot set others in their place."""
CORS = b"access-control-"

PAGE = """<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="referrer" content="same-origin">
<title>{title} · recollect</title><link rel="stylesheet" href="/login.css"></head>
<body><main><h1>{title}</h1>{body}</main></body>
</html>
"""
FORM = """<p>{says}</p>
<form method="post" action="/login">
<label for="token">Token</label>
<input id="token" name="token" type="password" autocomplete="current-password" required autofocus>
<button>Sign in</button>
</form>"""
ASKS = "Enter a token that `recollect serve token add` printed."
STYLE = """:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 32rem; margin: 15vh auto 0; padding: 0 1rem; }
input, button { font: inherit; padding: .4rem .6rem; display: block; width: 100%; box-sizing: border-box; }
button { margin-top: 1rem; }
"""


def checked_send(send: Send, seconds: float) -> Send:
    """Return a `send` that sets our headers, allows no CORS, and gives up on a client that does not read."""

    async def checked(message: Message) -> None:
        if message["type"] == "http.response.start":
            kept = [(name, value) for name, value in message.get("headers", []) if not _is_replaced(name.lower())]
            message = {**message, "headers": [*kept, *HEADERS.items()]}
        async with asyncio.timeout(seconds):
            await send(message)

    return checked


def _is_replaced(name: bytes) -> bool:
    return name in HEADERS or name.startswith(CORS)


def refuse(refusal: Refusal, scope: Scope) -> Response:
    """Return the response for a refusal: a page for browsers, a line of text for programs. It ends the connection."""
    headers = {"connection": "close"}
    if refusal is NO_TOKEN:
        headers["www-authenticate"] = "Bearer"
    if refusal is TOO_MANY:
        headers["retry-after"] = "1"
    if any("text/html" in value for value in rules.header_values(scope, b"accept")):
        page = PAGE.format(title="Not allowed", body=f"<p>{html.escape(refusal.says)}</p>")
        return HTMLResponse(page, refusal.status, headers)
    return Response(f"{refusal.says}\n", refusal.status, headers, "text/plain")


def login_page(says: str = ASKS, status: int = 200) -> Response:
    """Return the page that asks for a token."""
    return HTMLResponse(PAGE.format(title="Sign in", body=FORM.format(says=html.escape(says))), status)


def style() -> Response:
    """Return the style sheet of the gate's own pages."""
    return Response(STYLE, media_type="text/css")


def go_to(path: str, cookie: str) -> Response:
    """Return the redirect after signing in: to a path without the secret, with the session's cookie."""
    return RedirectResponse(path, 303, {"set-cookie": cookie})

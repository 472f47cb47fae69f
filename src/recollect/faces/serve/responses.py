"""What the gate adds to every response, and the responses that it gives itself."""

import asyncio
import html

from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.types import Message, Scope, Send

from recollect.faces.serve import rules
from recollect.faces.serve.refusals import NO_SESSION, NO_TOKEN, TOO_MANY, USED_LINK, Refusal

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
FAILED = "An error that was not expected. `serve.log` in recollect's folder says more."

PAGE = """<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="same-origin">
<title>{title} · recollect</title><link rel="stylesheet" href="/login.css"></head>
<body><main><p class="brand">recollect</p><h1>{title}</h1>{body}</main></body>
</html>
"""
FORM = """<p>{says}</p>
<form method="post" action="/login">
<label for="token">Token</label>
<input id="token" name="token" type="password" autocomplete="current-password" required autofocus>
<button>Sign in</button>
</form>"""
ASKS = "Enter a token that `recollect serve token add` printed."
SIGN_IN = '<p><a href="/login">Sign in with a token</a></p>'
STYLE = """:root { color-scheme: light dark; font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
body { margin: 0; background: light-dark(#faf9f6, #14171a); color: light-dark(#20242a, #e8e6e1); }
main { max-width: 26rem; margin: 14vh auto 2rem; padding: 2rem; background: light-dark(#fff, #1b1f23);
  border: 1px solid light-dark(#e3e0d8, #2c3238); border-radius: 14px; }
@media (max-width: 32rem) { main { margin: 1rem; padding: 1.3rem; } }
.brand { margin: 0 0 1.2rem; font-weight: 700; color: light-dark(#0f5f57, #6fd0bf); }
h1 { font-size: 1.4rem; line-height: 1.25; margin: 0 0 .6rem; }
p { margin: 0 0 1rem; overflow-wrap: anywhere; }
a { color: light-dark(#0f5f57, #6fd0bf); }
code { font-family: ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: .88em; }
label { font-size: .9rem; color: light-dark(#5b626b, #a2a9b1); }
input, button { font: inherit; padding: .5rem .7rem; display: block; width: 100%; box-sizing: border-box;
  border-radius: 8px; border: 1px solid light-dark(#8f949a, #5d656d); }
input { color: inherit; background: transparent; margin-top: .25rem; }
button { margin-top: 1rem; font-weight: 600; cursor: pointer; background: light-dark(#0f5f57, #6fd0bf);
  color: light-dark(#fff, #0c1f1c); border-color: transparent; }
:focus-visible { outline: 2px solid light-dark(#0f5f57, #6fd0bf); outline-offset: 2px; }
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
    if wants_html(scope):
        more = SIGN_IN if refusal in (NO_SESSION, USED_LINK) else ""
        title = "You are not signed in" if refusal is NO_SESSION else "Not allowed"
        return HTMLResponse(
            PAGE.format(title=title, body=f"<p>{prose(refusal.says)}</p>{more}"), refusal.status, headers
        )
    return Response(f"{refusal.says}\n", refusal.status, headers, "text/plain")


def wants_html(scope: Scope) -> bool:
    """Whether a browser asks for a page, and no program or script."""
    return any("text/html" in value for value in rules.header_values(scope, b"accept"))


def prose(says: str) -> str:
    """Return a sentence as HTML, with `code` where it has backticks."""
    parts = html.escape(says).split("`")
    return "".join(f"<code>{part}</code>" if number % 2 else part for number, part in enumerate(parts))


def failed(scope: Scope) -> Response:
    """Return the response for an error that nobody expected; the log says more."""
    if wants_html(scope):
        return HTMLResponse(PAGE.format(title="This failed", body=f"<p>{prose(FAILED)}</p>"), 500)
    return Response(f"{FAILED}\n", 500, media_type="text/plain")


def login_page(says: str = ASKS, status: int = 200) -> Response:
    """Return the page that asks for a token."""
    return HTMLResponse(PAGE.format(title="Sign in", body=FORM.format(says=prose(says))), status)


def style() -> Response:
    """Return the style sheet of the gate's own pages."""
    return Response(STYLE, media_type="text/css")


def go_to(path: str, cookie: str) -> Response:
    """Return the redirect after signing in: to a path without the secret, with the session's cookie."""
    return RedirectResponse(path, 303, {"set-cookie": cookie})

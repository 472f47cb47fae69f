"""The screens of sessions: a list, and the story of one, which goes on while it is watched."""

import asyncio
from collections.abc import AsyncIterator

from starlette.responses import Response, StreamingResponse

from recollect.faces.page.asking import Asking
from recollect.faces.page.rendering import render
from recollect.library.browsing.session_steps import SessionStep

REFRESH_SECONDS = 0.5
STEPS_SHOWN = 300
HEARTBEAT_POLLS = 30
"""A comment is sent after this many polls without news, so that a client that is gone is noticed."""


async def show_all(asking: Asking) -> Response:
    """Return the list of sessions."""
    rows = await asking.run(lambda workspace: workspace.recent_sessions())
    return await asking.screen("sessions.html", rows=rows)


async def show(asking: Asking) -> Response:
    """Return the story of a session so far."""
    session = await asking.run(lambda workspace: workspace.session_row(asking.name))
    steps = await asking.run(lambda workspace: workspace.session_steps(session.id, limit=STEPS_SHOWN))
    told, tokens = sum(len(step.told) for step in steps if step.what == "told"), sum(step.tokens for step in steps)
    return await asking.screen("session.html", session=session, steps=steps, told=told, tokens=tokens)


async def live(asking: Asking) -> Response:
    """Return a stream of server-sent events: each holds the steps that were added, as HTML."""
    session = await asking.run(lambda workspace: workspace.session_row(asking.name))
    known = asking.value("after")
    return StreamingResponse(_news(asking, session.id, known), media_type="text/event-stream")


async def _news(asking: Asking, session: str, known: str) -> AsyncIterator[str]:
    """Yield an event whenever something of a session was drained; `known` are the keys that the client has."""
    steps = await asking.run(lambda workspace: workspace.session_steps(session, limit=STEPS_SHOWN))
    seen = {step.key for step in steps} if known == "all" else set[str]()
    mark, idle = "", 0
    yield ": connected\n\n"
    while True:
        now = await asking.run(lambda workspace: workspace.session_mark(session))
        idle = 0 if now != mark else idle + 1
        if now != mark:
            steps = await asking.run(lambda workspace: workspace.session_steps(session, limit=STEPS_SHOWN))
            new = [step for step in steps if step.key not in seen]
            seen |= {step.key for step in new}
            mark = now
            if new:
                yield _event(asking, new)
        elif idle % HEARTBEAT_POLLS == 0:
            yield ": waiting\n\n"
        await asyncio.sleep(REFRESH_SECONDS)


def _event(asking: Asking, steps: list[SessionStep]) -> str:
    html = render("steps.html", steps=steps, base=asking.base)
    lines = "".join(f"data: {line}\n" for line in html.splitlines())
    return f"event: steps\n{lines}\n"

"""The screens of sessions: a list, and the story of one, which goes on while it is watched."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

from starlette.responses import Response, StreamingResponse

from recollect.faces.page.asking import Asking
from recollect.faces.page.rendering import render
from recollect.library.workspace import Workspace

REFRESH_SECONDS = 0.5
STEPS_SHOWN = 300
WAITING = "waiting"
"""What a step is that was not drained yet. It is sent with every event, and replaces those that were sent before."""
HEARTBEAT_POLLS = 30
"""A comment is sent after this many polls without news, so that a client that is gone is noticed."""


async def show_all(asking: Asking) -> Response:
    """Return the list of sessions."""
    rows = await asking.run(lambda workspace: workspace.recent_sessions())
    return await asking.screen("sessions.html", rows=rows)


async def show(asking: Asking) -> Response:
    """Return the story of a session so far."""
    session = await asking.run(lambda workspace: workspace.session_row(asking.name))
    mark = await asking.run(lambda workspace: workspace.session_mark(session.id))  # before the steps: none gets lost
    story = await asking.run(lambda workspace: _story(workspace, session.id))
    is_cut = len(story["steps"]) == STEPS_SHOWN
    return await asking.screen("session.html", **story, mark=mark, is_cut=is_cut, most=STEPS_SHOWN)


def _story(workspace: Workspace, session: str) -> dict[str, Any]:
    """Return the steps of a session, and what stands above them."""
    steps = workspace.session_steps(session, limit=STEPS_SHOWN)
    return {
        "session": workspace.session_row(session), "about": workspace.first_prompt(session), "steps": steps,
        "told": sum(len(step.told) for step in steps if step.what == "told"),
        "tokens": sum(step.tokens for step in steps),
        "at": workspace.project_context.clock().timestamp(),
    }  # fmt: skip


async def live(asking: Asking) -> Response:
    """Return a stream of server-sent events: the steps that were added, as HTML, and what stands above them now."""
    session = await asking.run(lambda workspace: workspace.session_row(asking.name))
    known = asking.request.headers.get("last-event-id") or asking.value("after")
    return StreamingResponse(_news(asking, session.id, known), media_type="text/event-stream")


async def _news(asking: Asking, session: str, known: str) -> AsyncIterator[str]:
    """Yield events whenever something of a session was drained.

    `known` is the mark of what the client has. Where more has come since, the first event holds all steps, of which the
    client keeps those that are new to it: nothing is lost between a page and its stream, nor while a stream is broken.
    """
    seen, mark, idle = set[str](), known, 0
    if await asking.run(lambda workspace: workspace.session_mark(session)) == known:
        steps = await asking.run(lambda workspace: workspace.session_steps(session, limit=STEPS_SHOWN))
        seen = {step.key for step in steps}
    yield ": connected\n\n"
    while True:
        now = await asking.run(lambda workspace: workspace.session_mark(session))
        if now != mark:
            story = await asking.run(lambda workspace: _story(workspace, session))
            new = [step for step in story["steps"] if step.key not in seen or step.what == WAITING]
            seen |= {step.key for step in story["steps"]}
            mark, idle = now, 0
            yield _event("about", mark, render("session_about.html", **story))
            yield _event("steps", mark, render("steps.html", steps=new, base=asking.base))
        elif (idle := idle + 1) % HEARTBEAT_POLLS == 0:
            yield ": waiting\n\n"
        await asyncio.sleep(REFRESH_SECONDS)


def _event(name: str, mark: str, html: str) -> str:
    lines = "".join(f"data: {line}\n" for line in html.splitlines())
    return f"id: {mark}\nevent: {name}\n{lines}\n"

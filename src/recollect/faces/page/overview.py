"""The screen Overview: how memory grows and what agents were told, as plots; and their figures as JSON."""

from dataclasses import asdict
from typing import Any

from starlette.responses import JSONResponse, Response

from recollect.faces.page.asking import Asking
from recollect.library.browsing.figures import Figures
from recollect.library.workspace import Workspace

DAYS = (7, 30, 90, 365)


def _days(asking: Asking) -> int:
    said = asking.value("days")
    return int(said) if said in map(str, DAYS) else 30


async def show(asking: Asking) -> Response:
    """Return the screen; a script draws the plots from `figures`."""
    days = _days(asking)
    figures = await asking.run(lambda workspace: workspace.figures(days=days))
    state = await asking.run(_state)
    return await asking.screen(
        "overview.html", figures=figures, days=days, spans=DAYS, totals=_totals(figures), **state
    )


def _state(workspace: Workspace) -> dict[str, Any]:
    return {"health": workspace.health(), "jobs": workspace.jobs(), "glanced": workspace.status()}


def _totals(figures: Figures) -> dict[str, int]:
    told = figures.told
    return {
        "hits": sum(day.hits for day in told), "silences": sum(day.silences for day in told),
        "memories": sum(day.memories for day in told), "tokens": sum(day.tokens for day in told),
    }  # fmt: skip


async def figures(asking: Asking) -> Response:
    """Return the figures as JSON."""
    days = _days(asking)
    found = await asking.run(lambda workspace: workspace.figures(days=days))
    told = [day._asdict() for day in found.told]
    return JSONResponse({**asdict(found), "told": told, "sessions": [row._asdict() for row in found.sessions]})

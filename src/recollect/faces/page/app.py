"""The routes of the page. Every screen is there for the served folder and, below `/in/KEY`, for each other project."""

from pathlib import Path

from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from recollect.faces.page import actions, files, memory, overview, review, rpc, search, sessions
from recollect.faces.page.asking import Handler, endpoint, missing
from recollect.faces.serve.workspaces import Workspaces

STATIC = Path(__file__).parent / "static"
SCREENS: tuple[tuple[str, str, Handler], ...] = (
    ("GET", "/", search.show),
    ("GET", "/review", review.show),
    ("GET", "/sessions", sessions.show_all),
    ("GET", "/session/{name}", sessions.show),
    ("GET", "/session/{name}/live", sessions.live),
    ("GET", "/overview", overview.show),
    ("GET", "/overview.json", overview.figures),
    ("GET", "/files", files.show),
    ("POST", "/files", files.save),
    ("GET", "/memory/{name}", memory.show),
    ("GET", "/memory/{name}/text", memory.text),
    ("GET", "/memory/{name}/edit", memory.edit),
    ("POST", "/memory/{name}/edit", memory.save),
    ("POST", "/memory/{name}/{action}", actions.act),
    ("GET", "/undo", actions.confirm_undo),
    ("POST", "/undo", actions.undo),
    ("POST", "/rpc", rpc.answer),
)
"""Method, address and handler of every screen."""


def routes(workspaces: Workspaces) -> list[BaseRoute]:
    """Return the routes of the page over the workspaces of a server."""
    own = [Route(path, endpoint(handler, workspaces), methods=[method]) for method, path, handler in SCREENS]
    rest = Route("/{rest:path}", endpoint(missing, workspaces), methods=["GET", "POST"])
    within = Mount("/in/{key}", routes=[*own, rest])
    return [*own, within, Mount("/static", StaticFiles(directory=STATIC)), rest]

"""One request: who asks, in which project, with which fields; and the answer as a screen, a fragment or a redirect."""

from collections.abc import Awaitable, Callable
from typing import TypeVar
from urllib.parse import parse_qsl

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from recollect.errors import BadInput, Conflict, NotFound, RecollectError, Refused
from recollect.faces.page.rendering import render
from recollect.faces.serve.app import status_of
from recollect.faces.serve.sessions import csrf_token, session_of
from recollect.faces.serve.workspaces import Workspaces
from recollect.library.browsing.glance import Glance
from recollect.library.workspace import Workspace

Result = TypeVar("Result")
MOST_FIELDS = 1_000


class Asking:
    """A request to the page."""

    def __init__(self, request: Request, workspaces: Workspaces) -> None:
        self.request = request
        self._workspaces = workspaces
        self._root: str | None = None
        self.key: str = request.path_params.get("key", "")
        self.base = f"/in/{self.key}" if self.key else ""
        """What addresses within the project begin with."""

    @property
    def name(self) -> str:
        """The name of the memory or session in the address."""
        return str(self.request.path_params.get("name", ""))

    @property
    def is_fragment(self) -> bool:
        """Whether a script asks for a part of a screen."""
        return self.request.headers.get("hx-request") == "true"

    def value(self, name: str) -> str:
        """Return a field of the address, without white space around it; empty if it was not sent."""
        return self.request.query_params.get(name, "").strip()

    async def form(self) -> dict[str, str]:
        """Return the fields of a form that was sent; raises BadInput for one that no screen has."""
        said = (await self.request.body()).decode("utf-8", "replace")
        try:
            return dict(parse_qsl(said, keep_blank_values=True, max_num_fields=MOST_FIELDS))
        except ValueError:
            raise BadInput("the form has too many fields", fix="Load the page again, then repeat the change.") from None

    async def run(self, verb: Callable[[Workspace], Result]) -> Result:
        """Call a function with the workspace of the project in the address; raises NotFound for an unknown one."""
        if self._root is None:
            self._root = await self._find_root() if self.key else ""
        return await self._workspaces.run(verb, root=self._root)

    async def _find_root(self) -> str:
        folders = await self._workspaces.run(lambda workspace: workspace.project_folders())
        found = next((folder.root for folder in folders if folder.key == self.key), None)
        if found is None:
            raise NotFound("no project has this address", target=self.key, fix="Choose a project from the list.")
        return found

    async def screen(self, template: str, *, status: int = 200, **values: object) -> Response:
        """Return a whole screen."""
        glance = await self.run(lambda workspace: workspace.glance())
        group = await self.run(last_group) if self.value("done") else ""
        return HTMLResponse(render(template, **self._frame(glance), undo_group=group, **values), status)

    def fragment(self, template: str, **values: object) -> Response:
        """Return a part of a screen."""
        return HTMLResponse(render(template, **self._visitor(), **values))

    def go(self, path: str) -> Response:
        """Return a redirect within the project, after a change."""
        return RedirectResponse(self.base + path, 303)

    def _visitor(self) -> dict[str, object]:
        session = session_of(self.request.scope)
        return {"base": self.base, "csrf": csrf_token(session), "may_write": session.may_write}

    def _frame(self, glance: Glance) -> dict[str, object]:
        path = self.request.url.path.removeprefix(self.base)
        return {**self._visitor(), "glance": glance, "path": path, "done": self.value("done"), "now": glance.now}


def last_group(workspace: Workspace) -> str:
    """Return the group of changes that `undo` would reverse; empty if there is none."""
    try:
        return workspace.last_group()[0].group
    except Refused:
        return ""


Handler = Callable[[Asking], Awaitable[Response]]


def endpoint(handler: Handler, workspaces: Workspaces) -> Callable[[Request], Awaitable[Response]]:
    """Return a handler as an endpoint; an error of the library becomes a screen that says what to do."""

    async def answer(request: Request) -> Response:
        asking = Asking(request, workspaces)
        try:
            return await handler(asking)
        except RecollectError as error:
            return await _refused(asking, error)

    return answer


async def _refused(asking: Asking, error: RecollectError) -> Response:
    status = status_of(error)
    if asking.is_fragment:
        return HTMLResponse(render("error_part.html", error=error), status)
    if isinstance(error, NotFound) and error.target == asking.key:
        asking = Asking(asking.request, asking._workspaces)  # noqa: SLF001 - the frame of the served project
        asking.key = asking.base = ""
    sort = {"is_conflict": isinstance(error, Conflict), "is_missing": isinstance(error, NotFound)}
    return await asking.screen("error.html", status=status, error=error, **sort)


async def missing(asking: Asking) -> Response:
    """Answer an address that no screen has."""
    path = asking.request.url.path
    raise NotFound("there is no such screen", target=path, fix="Choose a screen from the list.")

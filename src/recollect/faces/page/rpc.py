"""`POST /rpc`: CursorClaw's gateway to its memory files, `memory.listLogs`, `getFile` and `writeFile` (C9)."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from starlette.responses import JSONResponse, Response

from recollect.errors import BadInput, RecollectError
from recollect.faces.page.asking import Asking
from recollect.library.browsing.log_files import PLAIN
from recollect.library.workspace import Workspace
from recollect.vault.layouts import LOG

Params = Mapping[str, Any]
BAD = "BAD_REQUEST"
ALLOWED = "path must be MEMORY.md or memory/YYYY-MM-DD.md"


def _path(params: Params) -> str:
    """Return the path of a request; raises BadInput for all but the two sorts that the gateway knows."""
    path = str(params.get("path") or "").strip()
    if not path:
        raise BadInput("path is required")
    if path in PLAIN and path != LOG:
        raise BadInput(ALLOWED, target=path)
    return path


def _list_logs(workspace: Workspace, _: Params) -> dict[str, Any]:
    files = workspace.daily_files()
    return {"files": [{"name": file.path.rpartition("/")[2], "path": file.path, "size": file.bytes} for file in files]}


def _get_file(workspace: Workspace, params: Params) -> dict[str, Any]:
    found = workspace.read_log_file(_path(params))
    return {"path": found.path, "content": found.text}


def _write_file(workspace: Workspace, params: Params) -> dict[str, Any]:
    content = params.get("content", "")
    if not isinstance(content, str):
        raise BadInput("content must be a text")
    return {"ok": True, "path": workspace.write_log_file(_path(params), content).path}


METHODS: dict[str, Callable[[Workspace, Params], dict[str, Any]]] = {
    "memory.listLogs": _list_logs,
    "memory.getFile": _get_file,
    "memory.writeFile": _write_file,
}


def _no_number(name: str) -> None:
    """Refuse NaN and Infinity, which Python reads and no answer can hold."""
    raise ValueError(name)


async def answer(asking: Asking) -> Response:
    """Answer a request `{"method": …, "params": {…}}`: a `result`, or with status 400 an `error`."""
    try:
        asked = json.loads(await asking.request.body(), parse_constant=_no_number)
    except (ValueError, RecursionError):
        return _bad(None, "the body is not JSON")
    if not isinstance(asked, dict):
        return _bad(None, "the body is not a JSON object")
    params, method = asked.get("params") or {}, METHODS.get(str(asked.get("method")))
    if method is None or not isinstance(params, dict):
        return _bad(asked, "unknown method")
    try:
        result = await asking.run(lambda workspace: method(workspace, params))
    except RecollectError as error:
        return _bad(asked, error.message)
    return JSONResponse({"id": asked.get("id"), "result": result})


def _bad(asked: Mapping[str, Any] | None, message: str) -> Response:
    return JSONResponse({"id": (asked or {}).get("id"), "error": {"code": BAD, "message": message}}, 400)

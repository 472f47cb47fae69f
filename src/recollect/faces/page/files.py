"""The screen Files: MEMORY.md, the daily files, LONGMEMORY.md and USER.md, shown and edited (C9)."""

from starlette.responses import Response

from recollect.errors import Conflict
from recollect.faces.page.asking import Asking
from recollect.library.browsing.log_files import FileText
from recollect.vault.layouts import LOG


async def show(asking: Asking) -> Response:
    """Return the list of files, and the text of the one in the address."""
    path = asking.value("path") or LOG
    found = await asking.run(lambda workspace: workspace.read_log_file(path))
    return await _screen(asking, found)


async def save(asking: Asking) -> Response:
    """Write a file; where it changed meanwhile, return the form again with both versions."""
    form = await asking.form()
    path, typed = form.get("path", ""), form.get("content", "").replace("\r\n", "\n")
    try:
        done = await asking.run(
            lambda workspace: workspace.write_log_file(path, typed, expect=form.get("revision", ""))
        )
    except Conflict:
        found = await asking.run(lambda workspace: workspace.read_log_file(path))
        return await _screen(asking, found, typed=typed, status=409)
    return asking.go(f"/files?path={path}&done={'redacted' if done.redacted else 'saved'}")


async def _screen(asking: Asking, file: FileText, *, typed: str | None = None, status: int = 200) -> Response:
    days = await asking.run(lambda workspace: workspace.daily_files())
    plain = await asking.run(lambda workspace: workspace.plain_files())
    return await asking.screen("files.html", status=status, file=file, typed=typed, days=days, plain=plain)

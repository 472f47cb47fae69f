"""The user's own past sessions in a project: where clients keep their transcripts, and which of them are its own."""

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from recollect import foreign_files
from recollect.errors import BadInput
from recollect.interop import transcript_files
from recollect.interop.transcript_files import SessionFile
from recollect.model import text
from recollect.project.checkout import find_checkout
from recollect.project_context import ProjectContext

SLUG_CHARS = 180
"""Claude Code names a folder after a project's path, and shortens longer ones."""
OUTSIDE = "transcripts are read below your home folder and /tmp only"
FIX = "Copy the transcripts into your home folder first."


def find(context: ProjectContext, place: Path | None) -> list[Path]:
    """Return the files to look at: those of a folder, or those that clients keep for this project.

    Raises BadInput for a folder outside the user's home and /tmp (B5).
    """
    home = _home(context.env)
    if place is None:
        found = [path for root in roots(context) for path in _kept_by_clients(root, home, context.env)]
        return list(dict.fromkeys(path for path in found if _is_allowed(path, home)))
    if not _is_allowed(place / "transcript" if place.is_dir() else place, home):
        raise BadInput(OUTSIDE, target=place, fix=FIX)
    files = transcript_files.find(place) if place.is_dir() else [place]
    return [path for path in files if _is_allowed(path, home)]


def belongs(context: ProjectContext, session: SessionFile, *, is_folder_named: bool) -> bool:
    """Whether a session ran in this project.

    Where the user named the folder, sessions of folders that do not exist here count too: the checkout was moved, or
    they come from another machine.
    """
    if not session.folder:
        return True
    folder = Path(session.folder)
    if any(foreign_files.is_below(str(folder), root) for root in roots(context)):
        return True
    if not os.path.isdir(folder):  # noqa: PTH112 - a hostile path raises nothing
        return is_folder_named
    return find_checkout(folder, context.store.projects.checkouts()).clone == context.checkout.clone


def roots(context: ProjectContext) -> list[str]:
    """Return the folders in which this project is or was checked out; the current one first."""
    known = [checkout.root for checkout in context.store.projects.checkouts() if checkout.project == context.project]
    return list(dict.fromkeys([str(context.checkout.root), *known]))


def _home(env: Mapping[str, str]) -> str:
    return env.get("HOME") or os.path.expanduser("~")  # noqa: PTH111 - as foreign_files has it


def _is_allowed(path: Path, home: str) -> bool:
    return bool(foreign_files.transcript_path(str(path.absolute()), home))


def _kept_by_clients(root: str, home: str, env: Mapping[str, str]) -> Iterator[Path]:
    """Yield the transcripts that Claude Code, Codex and Gemini CLI keep for a checkout."""
    claude = Path(env.get("CLAUDE_CONFIG_DIR") or f"{home}/.claude") / "projects"
    slug = re.sub(r"[^A-Za-z0-9]", "-", root)[:SLUG_CHARS]
    for name in _names(claude):
        if name.startswith(slug):  # folders below the checkout begin with its name
            yield from transcript_files.find(claude / name)
    codex = Path(env.get("CODEX_HOME") or f"{home}/.codex")
    for folder in (codex / "sessions", codex / "archived_sessions"):
        yield from (path for path in transcript_files.find(folder) if path.name.startswith("rollout-"))
    gemini = Path(f"{home}/.gemini/tmp")
    for name in _names(gemini):
        if name == text.sha256(root) or _project_root(gemini / name) == root:
            yield from transcript_files.find(gemini / name / "chats")


def _names(folder: Path) -> Sequence[str]:
    try:
        return foreign_files.names(str(folder))
    except OSError:
        return ()


def _project_root(folder: Path) -> str:
    """Return the project's folder that Gemini CLI noted beside its chats; empty where there is none."""
    try:
        noted = foreign_files.read(str(folder / ".project_root"), most_bytes=foreign_files.SETTINGS_BYTES)
    except OSError:
        return ""
    return noted.decode("utf-8", "replace").strip()

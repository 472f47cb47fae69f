"""Who asks, and in which project: the session of a client, and the folder that its calls are about. Import-light."""

import os

from recollect.errors import BadInput, Refused

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

FOLDER_VARIABLES = ("CLAUDE_PROJECT_DIR", "GEMINI_PROJECT_DIR", "CURSOR_PROJECT_DIR")
"""Variables in which a client names the folder that it works in."""
SESSION_VARIABLES = ("CLAUDE_CODE_SESSION_ID", "GEMINI_SESSION_ID")
"""Variables in which a client names its session, so that hooks and server share a ledger."""
CODEX_META = "x-codex-turn-metadata"
NAME_IT = "Give the argument `project` once: the absolute path of the folder that you work in."


class Session:
    """A client's session: its id, and the project that it may see."""

    __slots__ = ("folder", "id", "named", "roots")

    def __init__(self, id: str, *, folder: str = "", roots: "tuple[str, ...]" = ()) -> None:
        self.id = id
        """The ledger's name of it: the client's own id where it gives one."""
        self.folder = folder
        """The folder that a person or the client fixed; empty where nobody did."""
        self.roots = roots
        """The folders that the client works in, by its roots."""
        self.named = ""
        """The folder that the agent named in a call; it stays for the session."""

    def for_one_request(self, meta: "Mapping[str, Any]") -> "Session":
        """Return a session of its own for one request of a stateless client, which remembers nothing."""
        return Session(session_id(meta) or self.id, folder=self.folder)


def new_session(env: "Mapping[str, str]", folder: str = "", cwd: str = "") -> Session:
    """Return the session of a client that started us: its id and its folder, as far as the environment tells.

    The working folder counts where it is in a repository: some clients start a server in the root of the disk.
    """
    given = next((env[name] for name in SESSION_VARIABLES if env.get(name)), "")
    named = folder or next((env[name] for name in FOLDER_VARIABLES if env.get(name)), "")
    found = named or (cwd if cwd and in_repository(cwd) else "")
    return Session(given or f"mcp-{os.urandom(6).hex()}", folder=os.path.abspath(found) if found else "")


def in_repository(folder: str) -> bool:
    """Return whether a folder or one above it has a `.git`."""
    folder = os.path.realpath(folder)
    while not os.path.exists(os.path.join(folder, ".git")):
        above = os.path.dirname(folder)
        if above == folder:
            return False
        folder = above
    return True


def session_id(meta: "Mapping[str, Any]") -> str:
    """Return the session that a request's `_meta` names; empty where it names none."""
    found = meta.get(CODEX_META)
    named = found.get("session_id") if isinstance(found, dict) else None
    return named.encode("utf-8", "replace").decode() if isinstance(named, str) else ""


def folder_of(session: Session, named: str = "") -> str:
    """Return the folder of a session's project; `named` is what the call's `project` says.

    A session sees one project, or its client's roots: the first folder that is named stays, and folders below it are
    taken as its own (the server refuses them where they are another project). Raises BadInput where no folder is known,
    and Refused for another one than the session's.
    """
    folder = _checked(named) if named else ""
    allowed = [session.folder] if session.folder else list(session.roots)
    if allowed:
        if not folder:
            return allowed[0]
        if any(_is_in(folder, place) for place in allowed):
            return folder
        raise Refused(
            "this session works in another project", target=named, fix=f"Leave `project` out; it is {allowed[0]}."
        )
    if session.named and folder and not _is_in(folder, session.named):
        fix = f"Leave `project` out; it is {session.named}."
        raise Refused("this session has named its project already", target=named, fix=fix)
    session.named = session.named or folder
    if not (folder or session.named):
        raise BadInput("no project is known", target="project", fix=NAME_IT)
    return folder or session.named


def _checked(named: str) -> str:
    if not os.path.isabs(named) or not os.path.isdir(named):
        raise BadInput("this is not a folder that exists", target=named[:200], fix=NAME_IT)
    return named


def _is_in(folder: str, place: str) -> bool:
    """Return whether a folder is another one or below it, links followed."""
    inner, outer = os.path.realpath(folder), os.path.realpath(place)
    return inner == outer or inner.startswith(os.path.join(outer, ""))

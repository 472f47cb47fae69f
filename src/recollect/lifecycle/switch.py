"""Off and on: in a folder or a session that is switched off, agents are told nothing and leave nothing behind."""

from pathlib import Path

from recollect.errors import BadInput, SwitchedOff
from recollect.hot.shelf import OFF_FOLDER, OFF_SESSION
from recollect.lifecycle import rebuild
from recollect.lifecycle.space import Space
from recollect.model import text
from recollect.policy import secrets


def turn(space: Space, *, on: bool, folder: Path | None = None, session: str | None = None) -> str:
    """Switch a session, or a folder and all below it; what was switched."""
    if session is not None and not text.clean_line(session):
        raise BadInput("a session has a name", target="--session")
    name = OFF_SESSION + secrets.redact(session) if session else OFF_FOLDER + str(folder or space.checkout.root)
    rebuild.remember(space, name, None if on else space.stamp())
    return name.removeprefix("off:")


def reason(space: Space, folder: Path, session: str | None = None) -> str | None:
    """Why agents have no memory here, if so."""
    if session and space.store.setting(OFF_SESSION + secrets.redact(session)):
        return f"session {session} is switched off"
    for place in (folder, *folder.parents):
        if space.store.setting(OFF_FOLDER + str(place)):
            return f"{place} is switched off"
    return None


def check(space: Space, folder: Path, session: str | None = None) -> None:
    """Refuse an agent's request where memory is off."""
    off = reason(space, folder, session)
    if off:
        raise SwitchedOff(f"memory is off: {off}")

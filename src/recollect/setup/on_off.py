"""Off and on: in a folder or a session that is switched off, agents are told nothing and leave nothing behind."""

from pathlib import Path

from recollect.errors import BadInput, SwitchedOff
from recollect.model import text
from recollect.policy.secrets import detector
from recollect.project_context import ProjectContext
from recollect.store.reader.store_reader import OFF_FOLDER, OFF_SESSION
from recollect.write import journal_rebuild


def turn(context: ProjectContext, *, on: bool, folder: Path | None = None, session: str | None = None) -> str:
    """Switch a session, or a folder and all below it; what was switched."""
    if session is not None and not text.clean_line(session):
        raise BadInput("a session has a name", target="--session")
    name = OFF_SESSION + detector.redact(session) if session else OFF_FOLDER + str(folder or context.checkout.root)
    journal_rebuild.remember(context, name, None if on else context.stamp())
    return name.removeprefix("off:")


def reason(context: ProjectContext, folder: Path, session: str | None = None) -> str | None:
    """Why agents have no memory here, if so."""
    if session and context.store.setting(OFF_SESSION + detector.redact(session)):
        return f"session {session} is switched off"
    for place in (folder, *folder.parents):
        if context.store.setting(OFF_FOLDER + str(place)):
            return f"{place} is switched off"
    return None


def check(context: ProjectContext, folder: Path, session: str | None = None) -> None:
    """Refuse an agent's request where memory is off."""
    off = reason(context, folder, session)
    if off:
        raise SwitchedOff(f"memory is off: {off}")

"""Switch memory off and on: in a folder or session that is off, nothing is recorded and agents are told nothing."""

from pathlib import Path

from recollect.errors import BadInput, SwitchedOff
from recollect.model import text
from recollect.policy.secrets import detector
from recollect.project_context import ProjectContext
from recollect.store.hook_reader.store_reader import OFF_FOLDER, OFF_SESSION
from recollect.write import compiled_rules, journal_rebuild


def turn(context: ProjectContext, *, on: bool, folder: Path | None = None, session: str | None = None) -> str:
    """Switch a session, or a folder and all below it; return the name of what was switched."""
    if session is not None and not text.clean_line(session):
        raise BadInput("--session must not be empty", target="--session")
    name = OFF_SESSION + detector.redact(session) if session else OFF_FOLDER + str(folder or context.checkout.root)
    journal_rebuild.remember(context, name, None if on else context.stamp())
    compiled_rules.refresh(context.store, ())
    return name.removeprefix("off:")


def reason(context: ProjectContext, folder: Path, session: str | None = None) -> str | None:
    """Return why memory is off here; None where it is on."""
    if session and context.store.setting(OFF_SESSION + detector.redact(session)):
        return f"session {session} is switched off"
    for place in (folder, *folder.parents):
        if context.store.setting(OFF_FOLDER + str(place)):
            return f"{place} is switched off"
    return None


def check(context: ProjectContext, folder: Path, session: str | None = None) -> None:
    """Raise SwitchedOff where memory is off."""
    off = reason(context, folder, session)
    if off:
        raise SwitchedOff(f"memory is off: {off}")

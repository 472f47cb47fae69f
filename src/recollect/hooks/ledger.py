"""Which memories a session has been told: each once (A29), until the model may have lost them (A44)."""

import os

from recollect import paths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.hooks.event import Event, Reply

AT_START, AT_PROMPT = "s", "p"
STARTS_ANEW = ("clear", "compact")


def path(home: str, session: str) -> str:
    """The ledger's file; a session's name cannot lead out of the folder."""
    name = "".join(sign if sign.isascii() and (sign.isalnum() or sign in "-_") else "_" for sign in session)[:100]
    return os.path.join(paths.runtime(home), f"recalled-{name or 'unnamed'}")


def shown_uids(home: str, session: str) -> set[str]:
    """Return the uids of the memories that this session was shown; empty without a ledger."""
    return {line[2:] for line in _lines(home, session)}


def shown_at_prompts(home: str, session: str) -> set[str]:
    """Return the uids of the memories that were shown with a prompt or a failure, and not only at the start."""
    return {line[2:] for line in _lines(home, session) if line.startswith(AT_PROMPT)}


def _lines(home: str, session: str) -> list[str]:
    try:
        with open(path(home, session), encoding="utf-8", errors="replace") as file:
            return file.read().splitlines()
    except OSError:
        return []


def add(home: str, session: str, uids: list[str], when: str) -> None:
    """Append the uids of memories that are shown now."""
    if uids:
        _write(home, session, "".join(f"{when} {uid}\n" for uid in uids), os.O_APPEND)


def reset(home: str, session: str, *, keep_start: bool) -> None:
    """A44: what was told at prompts may be told again; after a compaction what was told at the start may be too."""
    kept = [line for line in _lines(home, session) if keep_start and line.startswith(AT_START)]
    _write(home, session, "".join(f"{line}\n" for line in kept), os.O_TRUNC)


def _write(home: str, session: str, said: str, how: int) -> None:
    os.makedirs(paths.runtime(home), 0o700, exist_ok=True)
    handle = os.open(path(home, session), os.O_WRONLY | os.O_CREAT | how, 0o600)
    try:
        os.write(handle, said.encode())
    finally:
        os.close(handle)


def remove(home: str, session: str) -> None:
    """A44: a session that ended leaves nothing behind."""
    try:
        os.unlink(path(home, session))
    except FileNotFoundError:
        return


def reset_on_start(event: "Event", _: "Reply") -> None:
    """A44: on resume what was recalled may be recalled again; the model still has what it was told at the start."""
    source = event.read().fields["source"]
    if source in ("resume", *STARTS_ANEW):
        reset(event.home, event.session, keep_start=source == "resume")


def remove_on_end(event: "Event", _: "Reply") -> None:
    """A44: a session that ended leaves no ledger behind."""
    remove(event.home, event.read().session)

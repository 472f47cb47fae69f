"""How long a hook may take, and what is written down where it took longer. Import-light.

The two settings `hooks.deadline_ms` and `hooks.note_deadline_ms` are in a small file of the runtime folder, because a
hook has to know them before it opens the database. `setup/hook_settings.py` writes the file.
"""

import os
import time

from recollect import clients, paths
from recollect.hooks.event import load_dialect

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

ANSWER_MS, NOTE_MS = 1_000, 150
"""The defaults of both settings (`config.sections.HooksSection`)."""
NOTES = ("ToolFinished", "CompactionStarting", "SessionEnded")
"""Events that are only noted. They are written to the inbox before anything else is done with them."""
LATE = "no answer within"
"""How the line about a missed deadline begins, in hook.log and in receipts."""
BOTH = "RECOLLECT_DEADLINE_MS"
"""The variable that sets both deadlines, older than the settings."""


def allowed_ms(client: str, native: str, env: "Mapping[str, str]") -> int:
    """Return how many milliseconds a hook may take for an event: the environment's value, else the user's setting."""
    event = load_dialect(client).EVENTS.get(native, "") if client in clients.NAMES else ""
    answer, note = _chosen(paths.home(env))
    if event in NOTES:
        return _number(env.get(BOTH)) or _number(env.get("RECOLLECT_HOOKS__NOTE_DEADLINE_MS")) or note
    return _number(env.get(BOTH)) or _number(env.get("RECOLLECT_HOOKS__DEADLINE_MS")) or answer


def _chosen(home: str) -> tuple[int, int]:
    """Return both settings; the defaults where no program has written them yet."""
    try:
        with open(paths.deadlines(home), encoding="ascii", errors="replace") as file:
            answer, _, note = file.read(100).partition(" ")
    except OSError:
        return ANSWER_MS, NOTE_MS
    return _number(answer) or ANSWER_MS, _number(note.strip()) or NOTE_MS


def _number(word: str | None) -> int:
    """Return a number of milliseconds; 0 for anything that is none."""
    return int(word) if word and word.isascii() and word.isdigit() and len(word) < 7 else 0


def miss(allowed: int, started: float) -> str:
    """Return the text about a hook that `allowed` milliseconds were not enough for, with the time that it took."""
    return f"{LATE} {allowed:,} ms: ended after {(time.monotonic() - started) * 1_000:,.0f} ms"


def taken_ms(said: str) -> int:
    """Return the time in the text about a missed deadline; 0 for another text."""
    return _number(said.rpartition("ended after ")[2].removesuffix(" ms").replace(",", "")) if LATE in said else 0


def late_receipt(said: str) -> str:
    """Return the receipt, as JSON, of an event that was not answered in time; `session tail` and `why` show it."""
    return f'{{"id":"{os.urandom(5).hex()}","state":"{said}"}}'

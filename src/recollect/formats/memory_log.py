"""Format C: `MEMORY.md` and the daily files, a header and then one JSON record per bullet (seed 003 §1)."""

import json
import re
from datetime import UTC, datetime
from typing import NamedTuple

from recollect.model import text
from recollect.model.content import Text
from recollect.model.kinds import KINDS
from recollect.model.memory import UNTAGGED, Memory, Sensitivity
from recollect.model.rows.file_id import is_file

HEADER = """\
# MEMORY.md

What earlier sessions leave for later ones: one memory per line, the newest at the end.

"""

BULLET = "- "
OPERATOR = "operator"
SYSTEM = "system"
CHANNELS = (OPERATOR, SYSTEM)
DEFAULT_KIND = "note"
SENSITIVITIES: dict[str, Sensitivity] = {
    "public": "public",
    "operational": "operational",
    "private-user": "personal",
    "secret": "secret",
}
LABELS = {ours: theirs for theirs, ours in SENSITIVITIES.items()} | {"private": "private-user", "unknown": "unknown"}

_ID = re.compile(r"[!-~]{1,200}")
_DAILY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}\.md")

Record = dict[str, object]


def decode_line(line: str, *, project: str) -> Memory | None:
    """Return the memory of a line; None, never an error, for a line that is not a whole record (C2)."""
    found = _parse(line)
    if found is None:
        return None
    provenance = found.get("provenance")
    if not isinstance(provenance, dict):
        return None
    uid, session, named, says = (_string(found, key) for key in ("id", "sessionId", "category", "text"))
    channel, written_at = (_string(provenance, key) for key in ("sourceChannel", "timestamp"))
    if not uid or session is None or named is None or says is None or channel is None or written_at is None:
        return None
    kind, tags = kind_and_tags(named)
    title = text.cut(text.clean_line(text.first_line(says)), text.TITLE_CHARS)
    return Memory(
        uid=uid
        if _ID.fullmatch(uid) and not is_file(uid)
        else text.sha256(uid)[:24],  # another program's id may hold anything
        slug=text.slugify(title) or f"note-{text.sha256(says)[:8]}",
        kind=kind,
        title=title,
        content=Text(text=says),
        tags=tags,
        project=project,
        session=session or None,
        origin="user" if channel == OPERATOR else "assistant",
        channel=channel,
        confidence=_share(provenance.get("confidence")),
        sensitivity=_sensitivity(provenance.get("sensitivity")),
        created_at=written_at,
        updated_at=written_at,
    )


def record(memory: Memory) -> Record:
    """Return a memory as a record of the log (C1)."""
    return {
        "id": memory.uid,
        "sessionId": memory.session or "",
        "category": category(memory),
        "text": text.storable(memory.text),
        "provenance": {
            "sourceChannel": _channel(memory),
            "confidence": _number(memory.confidence),
            "timestamp": memory.created_at,
            "sensitivity": LABELS[memory.sensitivity],
        },
    }


def encode_line(memory: Memory) -> str:
    """Return a memory's line, without its end, as JavaScript's JSON.stringify would write it (C1)."""
    return BULLET + json.dumps(record(memory), ensure_ascii=False, separators=(",", ":"))


def decode(source: str, *, project: str) -> list[Memory]:
    """Return all memories of a file, in its order; other lines are ignored (C2)."""
    return [line.memory for line in lines(source, project=project) if line.memory]


class Line(NamedTuple):
    """A line of a log, and the memory of its record, if it has one."""

    number: int
    text: str
    memory: Memory | None


def lines(source: str, *, project: str = "") -> list[Line]:
    """Return every line unchanged: joined by newlines they are the file again."""
    # Not splitlines: it also breaks at U+2028 and others, which a JSON string may hold as they are.
    parts = enumerate(source.split("\n"), 1)
    return [Line(number, line, decode_line(line, project=project)) for number, line in parts]


def daily_name(moment: datetime) -> str:
    """Return the path of the daily file for a moment, by its UTC date (C1)."""
    return f"memory/{moment.astimezone(UTC).date().isoformat()}.md"


def is_daily_name(name: str) -> bool:
    """Whether a file's name is `YYYY-MM-DD.md`."""
    return _DAILY.fullmatch(name) is not None


def _parse(line: str) -> Record | None:
    bullet = line.lstrip("\ufeff").strip()
    if not bullet.startswith(BULLET):
        return None
    try:
        found = json.loads(bullet.removeprefix(BULLET), parse_constant=_refuse)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _refuse(constant: str) -> object:
    raise ValueError(f"{constant} is not JSON")


def _string(fields: Record, key: str) -> str | None:
    value = fields.get(key)
    return text.storable(value) if isinstance(value, str) else None


def kind_and_tags(named: str) -> tuple[str, tuple[str, ...]]:
    """Return the kind that a category names; an unknown category becomes the tag of a note."""
    name = named.replace("-", "_")
    if name in KINDS:
        return name, ()
    return DEFAULT_KIND, (named,) if named else ()


def category(memory: Memory) -> str:
    """Return the category that a record has for a memory."""
    # The only tag of a note may be a category that was not a kind; a tag that is a kind's name never was one.
    if memory.kind == DEFAULT_KIND and len(memory.tags) == 1 and memory.tags[0] != UNTAGGED:
        return memory.tags[0] if kind_and_tags(memory.tags[0])[1] else DEFAULT_KIND
    return memory.kind.replace("_", "-")


def _channel(memory: Memory) -> str:
    if memory.channel is not None:
        return memory.channel
    return OPERATOR if memory.origin == "user" else SYSTEM


def _share(confidence: object) -> float | None:
    if isinstance(confidence, bool) or not isinstance(confidence, int | float):
        return None
    return float(min(1, max(0, confidence)))


def _number(confidence: float | None) -> float | None:
    # JavaScript writes 1.0 as 1.
    return int(confidence) if confidence is not None and confidence.is_integer() else confidence


def _sensitivity(label: object) -> Sensitivity:
    return SENSITIVITIES.get(label, "unknown") if isinstance(label, str) else "unknown"

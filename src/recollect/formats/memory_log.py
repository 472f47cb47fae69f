"""Format C: `MEMORY.md` and the daily files, a header and then one JSON record per bullet (seed 003 §1)."""

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime

from recollect.model import text
from recollect.model.content import Text
from recollect.model.kinds import KINDS
from recollect.model.memory import UNTAGGED, Memory, Sensitivity

HEADER = """\
# MEMORY.md

What earlier sessions leave for later ones: one memory per line, the newest at the end.

"""

BULLET = "- "
OPERATOR = "operator"
SYSTEM = "system"
DEFAULT_KIND = "note"
SENSITIVITIES: dict[str, Sensitivity] = {
    "public": "public",
    "operational": "operational",
    "private-user": "personal",
    "secret": "secret",
}
LABELS = {ours: theirs for theirs, ours in SENSITIVITIES.items()} | {"private": "private-user", "unknown": "unknown"}

_DAILY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}\.md")
# JavaScript cuts strings in the middle of an emoji; neither that half nor a NUL can be stored.
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")

Record = dict[str, object]


def decode_line(line: str, *, project: str) -> Memory | None:
    """Read the memory of one line; None, never an error, for a line that is not a whole record (C2)."""
    record = _parse(line)
    if record is None:
        return None
    provenance = record.get("provenance")
    if not isinstance(provenance, dict):
        return None
    uid, session, category, says = (_string(record, key) for key in ("id", "sessionId", "category", "text"))
    channel, written_at = (_string(provenance, key) for key in ("sourceChannel", "timestamp"))
    if not uid or session is None or category is None or says is None or channel is None or written_at is None:
        return None
    kind, tags = _kind_and_tags(category)
    title = text.cut(text.clean_line(text.first_line(says)), text.TITLE_CHARS)
    return Memory(
        uid=uid,
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


def encode_line(memory: Memory) -> str:
    """Write one line, without its end, as JavaScript's JSON.stringify would write it (C1)."""
    record = {
        "id": memory.uid,
        "sessionId": memory.session or "",
        "category": _category(memory),
        "text": _storable(memory.text),
        "provenance": {
            "sourceChannel": _channel(memory),
            "confidence": _number(memory.confidence),
            "timestamp": memory.created_at,
            "sensitivity": LABELS[memory.sensitivity],
        },
    }
    return BULLET + json.dumps(record, ensure_ascii=False, separators=(",", ":"))


def decode(source: str, *, project: str) -> list[Memory]:
    """Read all memories of a file, in its order; other lines are ignored (C2)."""
    return [memory for _, memory in _memories(source, project)]


def header(source: str) -> str:
    """Take everything before the first record, to the letter (C6)."""
    return next((source[:offset] for offset, _ in _memories(source, "")), source)


def daily_name(moment: datetime) -> str:
    """Name the daily file that a moment belongs to, by its UTC date (C1)."""
    return f"memory/{moment.astimezone(UTC).date().isoformat()}.md"


def is_daily_name(name: str) -> bool:
    """Whether a file's name is `YYYY-MM-DD.md`."""
    return _DAILY.fullmatch(name) is not None


def _memories(source: str, project: str) -> Iterator[tuple[int, Memory]]:
    offset = 0
    # Not splitlines: it also breaks at U+2028 and others, which a JSON string may hold as they are.
    for line in source.split("\n"):
        memory = decode_line(line, project=project)
        if memory is not None:
            yield offset, memory
        offset += len(line) + 1


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


def _string(record: Record, key: str) -> str | None:
    value = record.get(key)
    return _storable(value) if isinstance(value, str) else None


def _storable(says: str) -> str:
    return _UNSTORABLE.sub("\ufffd", says)


def _kind_and_tags(category: str) -> tuple[str, tuple[str, ...]]:
    name = category.replace("-", "_")
    if name in KINDS:
        return name, ()
    return DEFAULT_KIND, (category,) if category else ()


def _category(memory: Memory) -> str:
    # The only tag of a note may be a category that was not a kind; a tag that is a kind's name never was one.
    if memory.kind == DEFAULT_KIND and len(memory.tags) == 1 and memory.tags[0] != UNTAGGED:
        return memory.tags[0] if _kind_and_tags(memory.tags[0])[1] else DEFAULT_KIND
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

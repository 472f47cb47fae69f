"""Read CursorClaw's `tmp/experience-store.json`: past situations, and vectors that are ignored (C20)."""

import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime

from recollect.errors import UnreadableFile
from recollect.formats import memory_log
from recollect.model import clock, text
from recollect.model.content import Text
from recollect.model.fact import is_fact
from recollect.model.memory import Memory
from recollect.model.rows.file_id import is_file

KIND = "experience"
LISTS = ("experiences", "chunks", "items")
TIMES = ("timestamp", "updatedAt", "createdAt")

Item = Mapping[str, object]

_ID = re.compile(r"[\w.:-]{1,80}", re.ASCII)


def decode(source: str, *, project: str, now: str) -> tuple[list[Memory], list[str]]:
    """Return all experiences, and a problem for each that cannot be used; raises UnreadableFile if it is not JSON."""
    try:
        found = json.loads(source.removeprefix("\ufeff"))
    except (ValueError, RecursionError) as error:
        fix = "Give the path of CursorClaw's experience-store.json; nothing was imported."
        raise UnreadableFile(f"not JSON: {error}", fix=fix) from None
    items = _items(found)
    if items is None:
        return [], [f"no list of experiences: none of the keys {', '.join(LISTS)}"]
    memories: dict[str, Memory] = {}
    problems: list[str] = []
    for number, item in enumerate(items, 1):
        record: Item = item if isinstance(item, dict) else {}
        says = _string(record, "text")
        if says.strip():
            memory = _memory(record, says, memories, project=project, now=now)
            memories[memory.uid] = memory
        else:
            problems.append(f"experience {text.cut(_line(record, 'id'), 80) or number}: has no text")
    return list(memories.values()), problems


def _items(found: object) -> list[object] | None:
    if isinstance(found, dict):
        kept = (found[name] for name in LISTS if isinstance(found.get(name), list | dict))
        found = next(kept, None)
    if isinstance(found, dict):
        return list(found.values())
    return found if isinstance(found, list) else None


def _memory(item: Item, says: str, taken: Mapping[str, Memory], *, project: str, now: str) -> Memory:
    written = next((moment for moment in (clock.read(item.get(key)) for key in TIMES) if moment), None)
    moment = written or clock.parse(now) or datetime.fromtimestamp(0, UTC)
    title = text.cut(text.clean_title(text.first_line(says)), text.TITLE_CHARS)
    slug = text.slugify(title) or f"note-{text.sha256(says)[:8]}"
    _, tags = memory_log.kind_and_tags(text.clean_tag(_string(item, "category")))
    at = clock.stamp(written) if written else now
    return Memory(
        uid=_uid(item, taken) or text.new_uid(moment),
        slug=slug,
        kind=KIND,
        title=title or slug,
        content=Text(text=says),
        tags=tags,
        project=project,
        session=_line(item, "sessionId") or None,
        origin="import",
        created_at=at,
        updated_at=at,
    )


def _uid(item: Item, taken: Mapping[str, Memory]) -> str | None:
    # The store's own id, so that a second import finds the first; a fact is known by how its id begins.
    uid = _string(item, "id")
    return uid if _ID.fullmatch(uid) and not (is_fact(uid) or is_file(uid)) and uid not in taken else None


def _string(item: Item, key: str) -> str:
    value = item.get(key)
    return text.storable(value) if isinstance(value, str) else ""


def _line(item: Item, key: str) -> str:
    return text.clean_line(_string(item, key))

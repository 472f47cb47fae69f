"""What happens in sessions, as lines: events that were drained, receipts of what was told, events that wait."""

import contextlib
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from recollect.errors import RecollectError
from recollect.hooks import inbox
from recollect.model import text
from recollect.model.session_event import SessionEvent
from recollect.pipeline import event_handlers
from recollect.pipeline import inbox_event as notes
from recollect.pipeline.inbox_event import InboxEvent
from recollect.policy.secrets import detector
from recollect.project_context import ProjectContext
from recollect.store.values import Receipt

MOST_WEIGHED = 8
MOST_DROPPED = 200


@dataclass(frozen=True, slots=True)
class Line:
    """One thing that happened."""

    key: str
    at: float
    session: str
    event: str
    state: str
    """noted, told, waiting, dropped"""
    says: str
    more: tuple[str, ...] = ()
    tool: str = ""
    files_read: tuple[str, ...] = ()
    files_modified: tuple[str, ...] = ()

    @property
    def clock(self) -> str:
        """The time of day."""
        return f"{datetime.fromtimestamp(self.at, UTC):%H:%M:%S}"

    def as_dict(self) -> dict[str, Any]:
        """For machines."""
        return asdict(self)


def lines(context: ProjectContext, home: Path, *, session: str | None, project: str | None, limit: int) -> list[Line]:
    """The newest lines, oldest first; of events that wait or were dropped no project is known."""
    table = context.store.sessions
    found = [_happened(one) for one in table.happenings(session=session, project=project, limit=limit)]
    found += [_told(one) for one in table.receipts(session=session, project=project, limit=limit)]
    found += [line for line in (*_waiting(context, home), *_dropped(home)) if session in (None, line.session)]
    return sorted(found, key=lambda line: line.at)[-limit:]


def _happened(one: SessionEvent) -> Line:
    outcome = f"  ({one.outcome})" if one.tool and one.outcome != "done" else ""
    kept = f"kept as {one.outcome}" if one.name == "TurnEnded" and one.outcome else ""
    says = f"{one.tool} {text.first_line(one.about)}{outcome}".strip() or kept or "noted"
    return Line(
        f"event {one.key}", one.at, one.session, one.name, "noted", text.cut(says, 200), (), one.tool,
        one.files_read, one.files_modified,
    )  # fmt: skip


def _told(one: Receipt) -> Line:
    words = ", ".join(list(one.words)[:12])
    says = f"{len(one.candidates)} weighed, {len(one.shown)} shown, {one.tokens} tokens, receipt {one.id}"
    more = [f"looked for: {words}"] if words else []
    more += [f"{_mark(weighed)} {weighed['title']}{_because(weighed)}" for weighed in one.candidates[:MOST_WEIGHED]]
    rest = len(one.candidates) - MOST_WEIGHED
    more += [f"  … and {rest} more"] if rest > 0 else []
    return Line(f"receipt {one.id}", one.at, one.session, one.event, "told", says, tuple(more))


def _mark(weighed: dict[str, Any]) -> str:
    return "+" if weighed["verdict"] == "shown" else "-"


def _because(weighed: dict[str, Any]) -> str:
    points = f"  evidence {weighed['evidence']:.1f}, covers {weighed['coverage']:.0%}" if weighed["evidence"] else ""
    return points if weighed["verdict"] == "shown" else f"{points}  ({weighed['verdict']})"


def _waiting(context: ProjectContext, home: Path) -> Iterator[Line]:
    for name in inbox.waiting(str(home)):
        with contextlib.suppress(RecollectError, OSError, ImportError):
            noted = notes.read(home / "inbox" / name, context.clock().timestamp())
            yield Line(f"waiting {noted.key}", noted.at, noted.session, noted.event, "waiting", "waits to be drained")
            if noted.receipt:
                yield _told(event_handlers.receipt(noted, context.project))


def drop(home: Path, noted: InboxEvent, why: str) -> None:
    """Remember for a while that an event was dropped, and why; nothing of what it said."""
    place = home / "runtime" / "dropped"
    place.parent.mkdir(mode=0o700, exist_ok=True)
    known = place.read_text("utf-8", "replace").splitlines()[-MOST_DROPPED:] if place.exists() else []
    session = detector.redact(text.clean_line(noted.session))
    line = json.dumps([noted.file, noted.at, session, noted.event, detector.redact(why)], ensure_ascii=False)
    draft = place.with_name(f"{place.name}.new")
    draft.write_text("\n".join([*known, line]) + "\n", "utf-8")
    draft.replace(place)


def _dropped(home: Path) -> Iterator[Line]:
    place = home / "runtime" / "dropped"
    for line in place.read_text("utf-8", "replace").splitlines() if place.exists() else ():
        with contextlib.suppress(ValueError):
            file, at, session, event, why = json.loads(line)
            yield Line(f"dropped {file}", at, session, event, "dropped", f"dropped: {why}")

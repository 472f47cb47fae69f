"""The lines of `recollect session tail`: events that were drained, receipts of what was told, events that wait."""

import contextlib
import json
import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from recollect.errors import RecollectError
from recollect.hooks import deadline, inbox
from recollect.model import clock, text
from recollect.model.session_event import SessionEvent
from recollect.pipeline import event_handlers, inbox_event
from recollect.pipeline.inbox_event import InboxEvent
from recollect.policy.secrets import detector
from recollect.project.lookup import is_inside
from recollect.project_context import ProjectContext
from recollect.store.session_values import Receipt
from recollect.store.values import Entry

CANDIDATES_SHOWN = 8
SHORT_ID = 8
"""How many characters of an id `recollect list` prints, and every command takes."""
DROPPED_KEPT = 200


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the tail."""

    key: str
    at: float
    session: str
    event: str
    state: str
    """noted, told, late, superseded, waiting, dropped"""
    says: str
    more: tuple[str, ...] = ()
    tool: str = ""
    files_read: tuple[str, ...] = ()
    files_modified: tuple[str, ...] = ()

    @property
    def clock(self) -> str:
        """The time of day in UTC, `HH:MM:SS`."""
        return f"{datetime.fromtimestamp(self.at, UTC):%H:%M:%S}"

    def as_dict(self) -> dict[str, Any]:
        """Return the line for `--json`."""
        return asdict(self)


def lines(context: ProjectContext, home: Path, *, session: str | None, project: str | None, limit: int) -> list[Line]:
    """Return the newest lines, oldest first, of a project or with None of all.

    An event that waits or was dropped has no project yet: it belongs to the project of its folder or session.
    """
    table = context.store.sessions
    found = [_of_event(event) for event in table.events(session=session, project=project, limit=limit)]
    found += [_of_receipt(receipt) for receipt in table.receipts(session=session, project=project, limit=limit)]
    found += [_of_supersession(entry) for entry in context.store.superseded(project, limit) if session is None]
    unfiled = (*_waiting(context, home, project), *_dropped(context, home, project))
    found += [line for line in unfiled if session in (None, line.session)]
    return _in_order(found)[-limit:]


def _in_order(found: list[Line]) -> list[Line]:
    """Return lines by their time, what was told right behind its event also where others have the same time."""
    places = {(line.at, line.session, line.event): place for place, line in enumerate(found) if line.state == "noted"}
    own = enumerate(found)
    placed = sorted((line.at, places.get((line.at, line.session, line.event), place), place) for place, line in own)
    return [found[place] for _, _, place in placed]


def _of_event(event: SessionEvent) -> Line:
    outcome = f"  ({event.outcome})" if event.tool and event.outcome != "done" else ""
    kept = f"kept as {event.outcome[-SHORT_ID:]}" if event.name == "TurnEnded" and event.outcome else ""
    says = f"{event.tool} {text.first_line(event.about)}{outcome}".strip() or kept or "noted"
    return Line(
        key=f"event {event.key}",
        at=event.at,
        session=event.session,
        event=event.name,
        state="noted",
        says=text.cut(says, 200),
        tool=event.tool,
        files_read=event.files_read,
        files_modified=event.files_modified,
    )


def _of_supersession(entry: Entry) -> Line:
    """Return the line that says which memory capture took for replaced; `recollect undo` brings it back."""
    reason = entry.reason or ""
    said = (
        f"replaced: {reason.partition(': ')[2]}" if reason.startswith("superseded by ") and ": " in reason else reason
    )
    return Line(
        key=f"superseded {entry.seq}",
        at=clock.seconds(entry.at) or 0.0,
        session="",
        event="Capture",
        state="superseded",
        says=f"{text.cut(said, 240)}; `recollect restore {entry.uid[-SHORT_ID:]}` brings it back",
    )


def _of_receipt(receipt: Receipt) -> Line:
    if receipt.state.startswith(deadline.LATE):
        key = f"receipt {receipt.id}"
        return Line(key, receipt.at, receipt.session, receipt.event, "late", f"{receipt.state}, receipt {receipt.id}")
    words = ", ".join(list(receipt.words)[:12])
    tokens = f", about {receipt.tokens} tokens" if receipt.tokens else ""
    counts = f"told {len(receipt.shown)} of {len(receipt.candidates)} considered{tokens}"
    more = [f"words: {words}"] if words else []
    more += [_candidate_line(candidate) for candidate in receipt.candidates[:CANDIDATES_SHOWN]]
    rest = len(receipt.candidates) - CANDIDATES_SHOWN
    more += [f"  … and {rest} more"] if rest > 0 else []
    return Line(
        key=f"receipt {receipt.id}",
        at=receipt.at,
        session=receipt.session,
        event=receipt.event,
        state="told",
        says=f"{counts}, receipt {receipt.id}",
        more=tuple(more),
    )


def _candidate_line(candidate: dict[str, Any]) -> str:
    """Return a candidate of a receipt as a line: `+` where it was shown, else `-`; and why."""
    is_shown = candidate["verdict"] == "shown"
    evidence = candidate["evidence"]
    points = f"  evidence {evidence:.1f}, covers {candidate['coverage']:.0%}" if evidence and is_shown else ""
    why = candidate.get("why", "") if is_shown else candidate["verdict"]
    reason = f"  ({why})" if why else ""
    return f"{'+' if is_shown else '-'} {candidate['title']}{points}{reason}"


def _waiting(context: ProjectContext, home: Path, project: str | None) -> Iterator[Line]:
    for name in inbox.waiting(str(home)):
        with contextlib.suppress(RecollectError, OSError, ImportError):
            event = inbox_event.read(home / "inbox" / name, context.clock().timestamp())
            if not _is_of_project(context, project, event.session, event["folder"]):
                continue
            yield Line(
                f"waiting {event.key}", event.at, event.session, event.name, "waiting", "waiting to be processed"
            )
            if event.receipt:
                yield _of_receipt(event_handlers.receipt(event, context.project))


def drop(home: Path, event: InboxEvent, why: str) -> None:
    """Record that an event was dropped, and why, without what it said; the last 200 are kept."""
    path = home / "runtime" / "dropped"
    path.parent.mkdir(mode=0o700, exist_ok=True)
    known = path.read_text("utf-8", "replace").splitlines()[-DROPPED_KEPT:] if path.exists() else []
    session = detector.redact(text.clean_line(event.session))
    line = json.dumps([event.file, event.at, session, event.name, detector.redact(why)], ensure_ascii=False)
    draft = path.with_name(f"{path.name}.{os.getpid()}")  # a program with the library may drain beside a worker
    draft.write_text("\n".join([*known, line]) + "\n", "utf-8")
    draft.replace(path)


def _is_of_project(context: ProjectContext, project: str | None, session: str, folder: str = "") -> bool:
    """Return whether an event belongs to a project: by its session, else by its folder; one without both does."""
    if project is None:
        return True
    known = context.store.sessions.get(session)
    if known or not folder:
        return known is None or known.project == project
    checkouts = context.store.projects.checkouts()
    around = [checkout for checkout in checkouts if is_inside(folder, checkout.root)]
    nearest = max(around, key=lambda checkout: len(checkout.root), default=None)
    return nearest is None or nearest.project == project


def _dropped(context: ProjectContext, home: Path, project: str | None) -> Iterator[Line]:
    path = home / "runtime" / "dropped"
    for line in path.read_text("utf-8", "replace").splitlines() if path.exists() else ():
        with contextlib.suppress(ValueError):
            file, at, session, event, why = json.loads(line)
            if _is_of_project(context, project, session):
                yield Line(f"dropped {file}", at, session, event, "dropped", f"dropped: {why}")

"""The figures of a replay: what was captured and told, and how that agrees with the labels."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from recollect.evaluation.transcripts import labels
from recollect.evaluation.transcripts.labels import Labelled
from recollect.evaluation.transcripts.replay import CALL, FAILURE, PROMPT, START, Replayed, ReplayedSession

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Figure:
    """A share: how many of the labelled ones have a property, and how many there are to be labelled."""

    name: str
    yes: int
    labelled: int
    all: int
    bar: str = ""
    """What the project aims at, in words."""

    @property
    def counts(self) -> bool:
        """Whether enough is labelled for the figure to count."""
        return self.all > 0 and self.labelled >= labels.ENOUGH * self.all

    @property
    def share(self) -> float | None:
        """The share among the labelled ones, 0 to 1; None where nothing is labelled."""
        return self.yes / self.labelled if self.labelled else None

    def as_dict(self) -> Json:
        """Return the figure as JSON: `share` is None until it counts."""
        share = round(self.share, 4) if self.counts and self.share is not None else None
        return {"share": share, "yes": self.yes, "labelled": self.labelled, "all": self.all, "bar": self.bar}


def figures(run: Replayed, labelled: Labelled) -> list[Figure]:
    """Return the figures that have a bar, in the order in which they are printed."""
    return [*_capture_figures(labelled), *_known_figures(labelled), *_told_figures(run, labelled)]


def _capture_figures(labelled: Labelled) -> list[Figure]:
    rows = [found.label for found in labelled.captures if found.label]
    number = len(labelled.captures)

    def share(name: str, field: str, wanted: object, bar: str) -> Figure:
        known = [row for row in rows if row.get(field) is not None]
        return Figure(name, sum(row[field] == wanted for row in known), len(known), number, bar)

    return [
        share("captures useful", "label", labels.USEFUL, "≥ 65 %"),
        share("captures junk or wrong", "label", labels.JUNK, "≤ 10 %"),
        share("captures of the right kind", "kind_right", True, "≥ 85 %"),
        share("captures with a good title", "title_good", True, "≥ 80 %"),
    ]


def _known_figures(labelled: Labelled) -> list[Figure]:
    if not labelled.expected:
        return []
    read = [row for row in labelled.expected if row.recall]
    kept = sum(row.recall.startswith(labels.KEPT) for row in read)
    return [Figure("should be known, and kept", kept, len(read), len(labelled.expected), "≥ 65 %")]


def _told_figures(run: Replayed, labelled: Labelled) -> list[Figure]:
    prompts = [told for session in run.sessions for told in session.told_with(PROMPT)]
    told = sum(bool(prompt.context) for prompt in prompts)
    rows = [str(found.label.get("injection") or "") for found in labelled.prompts if found.label]
    beside = sum(row.startswith((labels.IRRELEVANT, labels.MISLEADING, "stale")) for row in rows)
    helpful = sum(row.startswith(labels.HELPFUL) for row in rows)
    number = len(labelled.prompts)
    return [
        Figure("prompts told something", told, len(prompts), len(prompts), "≤ 25 %"),
        Figure("told prompts: helpful", helpful, len(rows), number, "≥ 50 %"),
        Figure("told prompts: irrelevant or misleading", beside, len(rows), number, "≤ 15 %"),
    ]


def session_row(run: Replayed, session: ReplayedSession) -> Json:
    """Return the counts of one session."""
    prompts = session.told_with(PROMPT)
    return {
        "session": session.session,
        "client": session.client,
        "started": session.started,
        "events": sum(session.events.values()),
        "prompts": len(prompts),
        "prompts_told": sum(bool(told.context) for told in prompts),
        "failures_told": sum(bool(told.context) for told in session.told_with(FAILURE)),
        "calls_told": sum(bool(told.context) for told in session.told_with(CALL)),
        "tokens_with_prompts": round(sum(told.tokens for told in prompts)),
        "tokens_at_start": round(sum(told.tokens for told in session.told_with(START))),
        "captures": len(run.captures(session.session)),
        "retired": len(run.captures(session.session, "retired")),
        "seconds": round(session.seconds, 2),
        "drain_seconds": round(session.drain_seconds, 2),
        "errors": len(session.errors),
    }


SUMMED = (
    "events", "prompts", "prompts_told", "failures_told", "calls_told", "tokens_with_prompts", "tokens_at_start",
    "captures", "retired", "seconds", "drain_seconds", "errors",
)  # fmt: skip


def totals(rows: Sequence[Json], run: Replayed) -> Json:
    """Return the sums of the sessions' counts, and the size of the store."""
    sums = {name: round(sum(row[name] for row in rows), 2) for name in SUMMED}
    return {"sessions": len(rows), **sums, "store_bytes": run.store_bytes}


def details(run: Replayed, labelled: Labelled) -> list[Json]:
    """Return a row for each capture and each moment at which something was told, with its label."""
    captures = [
        {
            "type": "capture", "session": found.memory.session, "kind": found.memory.kind,
            "rule": (found.memory.channel or "").partition(":")[2], "title": found.memory.title,
            "text": found.memory.text, "at": found.memory.created_at, "confidence": found.memory.confidence,
            "label": found.label.get("label") if found.label else None,
        }
        for found in labelled.captures
    ]  # fmt: skip
    marks = {id(found.told): found.label for found in labelled.prompts}
    told = [
        {
            "type": "told", "session": session.session, "event": moment.event, "at": moment.at, "about": moment.about,
            "context": moment.context, "label": (marks.get(id(moment)) or {}).get("injection"),
        }
        for session in run.sessions
        for moment in session.told
        if moment.context
    ]  # fmt: skip
    return [*captures, *told]

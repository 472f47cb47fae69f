"""Labels of a reader: how useful a captured memory is, and whether what a prompt was told helps."""

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from recollect import foreign_files
from recollect.errors import BadInput
from recollect.evaluation.transcripts.replay import PROMPT, Replayed, ReplayedSession, Told
from recollect.model import text
from recollect.model.memory import Memory

CAPTURES, INJECTIONS, SHOULD_BE_KNOWN = "captures.jsonl", "injections.jsonl", "should_be_known.jsonl"
USEFUL, TRIVIAL, JUNK, DUPLICATE = CAPTURE_LABELS = ("useful", "trivial", "junk or wrong", "duplicate")
HELPFUL, HARMLESS, IRRELEVANT, MISLEADING = TOLD_LABELS = ("helpful", "harmless", "irrelevant", "misleading")
KEPT, PARTLY, MISSED = RECALL_LABELS = ("kept", "partly", "missed")
ENOUGH = 0.95
"""A figure counts once this share of what it is about is labelled."""
FEWEST_CHARS = 12
"""A beginning must be at least that long to be compared, unless the whole text is shorter."""
IDS = re.compile(r"[0-9a-f]{4,}")
FIX = "Label files are JSON lines: captures.jsonl, injections.jsonl, should_be_known.jsonl."

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class LabelledCapture:
    """A captured memory and its label; None where nobody labelled it."""

    memory: Memory
    label: Json | None


@dataclass(frozen=True, slots=True)
class LabelledPrompt:
    """A prompt that was told something, and its label; None where nobody labelled it."""

    session: str
    told: Told
    label: Json | None


@dataclass(frozen=True, slots=True)
class Expectation:
    """What a colleague would have written down in a session; `recall` is a reader's word about this very run."""

    session: str
    statement: str
    recall: str
    """Empty where nobody compared it with what this run kept."""


@dataclass(slots=True)
class Labelled:
    """A run beside its labels."""

    captures: list[LabelledCapture] = field(default_factory=list)
    prompts: list[LabelledPrompt] = field(default_factory=list)
    expected: list[Expectation] = field(default_factory=list)


class Labels:
    """The labels of one or more folders."""

    def __init__(self, folders: Sequence[Path]) -> None:
        self.captures: dict[str, list[Json]] = _by_session(_rows(folders, CAPTURES))
        self.prompts: dict[str, list[Json]] = _by_session(_rows(folders, INJECTIONS))
        self.expected = list(_rows(folders, SHOULD_BE_KNOWN))

    def compare(self, run: Replayed) -> Labelled:
        """Return what a run captured and told, each with its label."""
        found = Labelled()
        for session in run.sessions:
            rows = self._of(self.captures, session.session)
            found.captures += [
                LabelledCapture(memory, _taken(rows, lambda row, memory=memory: is_label_of(row, memory)))
                for memory in run.captures(session.session)
            ]
            rows = self._of(self.prompts, session.session)
            told = [told for told in session.told_with(PROMPT) if told.context]
            found.prompts += [
                LabelledPrompt(session.session, prompt, _taken(rows, lambda row, prompt=prompt: is_about(row, prompt)))
                for prompt in told
            ]
            found.expected += self._expected(run, session)
        return found

    def _of(self, rows: dict[str, list[Json]], session: str) -> list[Json]:
        """Return the rows of a session, which may be named by the beginning of its id."""
        return [row for name, listed in rows.items() if session.startswith(name) for row in listed]

    def _expected(self, run: Replayed, session: ReplayedSession) -> Iterable[Expectation]:
        """Return what should be known of a session, each statement once: the word of a reader of this run counts."""
        now = captures_digest(run, session.session)
        found: dict[str, Expectation] = {}
        for row in self.expected:
            if session.session.startswith(_session(row)):
                statement = str(row.get("should_be_known") or row.get("text") or "")
                is_read = row.get("captures") == now  # what another run kept is no answer to what this one kept
                recall = str(row.get("recall") or "") if is_read else ""
                if recall or statement not in found:
                    found[statement] = Expectation(session.session, statement, recall)
        return found.values()


def is_label_of(row: Json, memory: Memory) -> bool:
    """Whether a label is about a memory: the same kind, and the same beginning of the title."""
    return row.get("kind") == memory.kind and has_same_beginning(str(row.get("title") or ""), memory.title)


def is_about(row: Json, told: Told) -> bool:
    """Whether a label is about what a prompt was told.

    A label that says what was told (`told`, a digest) counts for exactly that; one without it for the prompt.
    """
    digest = row.get("told")
    return has_same_beginning(str(row.get("prompt") or ""), told.about) and digest in (None, told_digest(told))


def has_same_beginning(one: str, other: str) -> bool:
    """Whether the shorter of two texts is the beginning of the longer one, apart from spaces and a mark of cutting."""
    first, second = (" ".join(said.rstrip("…").split()) for said in (one, other))
    shorter, longer = sorted((first, second), key=len)
    is_long_enough = len(shorter) >= min(FEWEST_CHARS, len(longer))
    return bool(shorter) and is_long_enough and longer.startswith(shorter)


def told_digest(told: Told) -> str:
    """Return a short digest of what was told, apart from ids, which every run makes anew."""
    return text.sha256(IDS.sub("", told.context))[:12]


def captures_digest(run: Replayed, session: str) -> str:
    """Return a short digest of what a run kept of a session."""
    return text.sha256("\n".join(f"{memory.kind} {memory.title}" for memory in run.captures(session)))[:12]


def _taken(rows: list[Json], is_fitting: Any) -> Json | None:  # noqa: ANN401 - a predicate of a row
    """Return the first row that fits and remove it: of two equal prompts, each has its own label."""
    for position, row in enumerate(rows):
        if is_fitting(row):
            return rows.pop(position)
    return None


def _by_session(rows: Iterable[Json]) -> dict[str, list[Json]]:
    found: dict[str, list[Json]] = defaultdict(list)
    for row in rows:
        if _session(row):
            found[_session(row)].append(row)
    return found


def _session(row: Json) -> str:
    return str(row.get("session") or "")


def _rows(folders: Sequence[Path], name: str) -> Iterable[Json]:
    for folder in folders:
        try:
            data = foreign_files.read(str(folder / name), most_bytes=foreign_files.LOG_BYTES)
            rows = [json.loads(line) for line in data.decode("utf-8").splitlines() if line.strip()]
        except FileNotFoundError:
            continue
        except (OSError, ValueError, RecursionError) as error:
            raise BadInput(f"the labels cannot be read: {error}", target=folder / name, fix=FIX) from None
        yield from (row for row in rows if isinstance(row, dict))

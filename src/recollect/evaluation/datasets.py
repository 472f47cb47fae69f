"""Read data sets as memories and questions: LoCoMo, BEAM, and the history of a coding project."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from recollect import foreign_files
from recollect.errors import BadInput
from recollect.evaluation import shipped_data
from recollect.model import clock, text
from recollect.model.kinds import KINDS
from recollect.model.memory import Memory, parse_content

PROJECT = "evaluated"
LOCOMO_TIME, BEAM_TIME = "%I:%M %p on %d %B, %Y", "%B-%d-%Y"
ADVERSARIAL = "adversarial"
ADVERSARIAL_CATEGORY = 5
DATASETS = ("locomo", "beam", "coding")
OWN_FILE = "Give the unchanged file of the data set with --data PATH."
HALVES = ("tune", "test", "all")


@dataclass(frozen=True, slots=True)
class Question:
    """A question, and the ids of the memories that answer it (gold); empty if nothing does."""

    id: str
    text: str
    gold: frozenset[str]
    group: str
    """The kind of question in the data set: a category, a type, a shape."""
    now: float
    files: tuple[str, ...] = ()
    earlier: str = ""
    half: str = ""
    part: str = ""
    """The table in which it is reported; empty for the main table."""

    @property
    def wants_nothing(self) -> bool:
        """Whether no memory answers it; an adversarial question only seems to have an answer."""
        return not self.gold or self.part == ADVERSARIAL


@dataclass(frozen=True, slots=True)
class Case:
    """The memories of one store, and the questions to ask of it."""

    name: str
    memories: tuple[Memory, ...]
    questions: tuple[Question, ...]
    superseded: frozenset[str] = field(default_factory=frozenset)
    project: str = PROJECT
    has_sessions: bool = False
    """Whether the ranking of sessions is measured too."""


def load(name: str, path: Path | None = None, half: str = "all") -> list[Case]:
    """Return the cases of a data set; raise BadInput if it is not installed, unreadable or without questions."""
    if path is None and name != "coding":
        raise BadInput(
            f"{name} is not included in recollect", target=name, fix="Download it, and give its file with --data PATH."
        )
    wanted = "" if half == "all" else half
    try:
        cases = list(coding(path, wanted) if path is None or name == "coding" else READERS[name](path))
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        raise BadInput(
            f"the file is not in the format of {name}: {_reason(error)}", target=path, fix=OWN_FILE
        ) from error
    cases = [case for case in cases if case.questions]
    if not cases:
        raise BadInput("the data set has no questions", target=path or name, fix=OWN_FILE)
    return cases


def _reason(error: Exception) -> str:
    return f"{error} is missing" if isinstance(error, KeyError) else text.cut(text.first_line(str(error)), 120)


def first(cases: list[Case], limit: int | None) -> list[Case]:
    """Return the cases with only the first `limit` questions of all; all questions for None."""
    if limit is None:
        return cases
    kept = []
    for case in cases:
        questions = case.questions[:limit]
        limit -= len(questions)
        if questions:
            kept.append(replace(case, questions=questions))
    return kept


def locomo(path: Path) -> Iterator[Case]:
    """Yield the conversations of LoCoMo: two people over months; each turn is a memory."""
    for sample in _read(path):
        turns = list(_turns(sample["conversation"]))
        now = max(clock.seconds(turn.created_at) or 0 for turn in turns) + 86_400
        known = frozenset(turn.uid for turn in turns)
        questions = [
            Question(f"{sample['sample_id']}/{number}", str(row["question"]), _evidence(row, known),
                     f"category {row['category']}", now,
                     part=ADVERSARIAL if row["category"] == ADVERSARIAL_CATEGORY else "")
            for number, row in enumerate(sample["qa"])
        ]  # fmt: skip
        # Questions without marked turns cannot be measured.
        marked = tuple(question for question in questions if question.gold)
        yield Case(str(sample["sample_id"]), tuple(turns), marked, has_sessions=True)


def _evidence(question: dict[str, Any], known: frozenset[str]) -> frozenset[str]:
    """Return the ids of the turns that answer; some lists have several in one text, `D:11:26`, or unknown ones."""
    named = re.findall(r"D:?(\d+):(\d+)", " ".join(question.get("evidence", ())))
    return known.intersection(f"D{int(session)}:{int(turn)}" for session, turn in named)


def _turns(conversation: dict[str, Any]) -> Iterator[Memory]:
    number = 1
    while f"session_{number}" in conversation:
        start = datetime.strptime(conversation[f"session_{number}_date_time"], LOCOMO_TIME).replace(tzinfo=UTC)
        for place, turn in enumerate(conversation[f"session_{number}"]):
            caption = f" [{turn['blip_caption']}]" if turn.get("blip_caption") else ""
            at = start + timedelta(seconds=place)
            yield _turn(turn["dia_id"], turn["text"] + caption, at, f"session-{number}", actor=turn["speaker"])
        number += 1


def _turn(uid: str, body: str, at: datetime, session: str, *, actor: str = "", origin: str = "user") -> Memory:
    return Memory.model_validate(
        {
            "uid": uid, "slug": text.slugify(f"unit-{uid}"), "kind": "turn_summary",
            "title": text.cut(text.first_line(body), 100), "content": {"text": body}, "project": PROJECT,
            "session": session, "origin": origin, "channel": actor or None,
            "created_at": clock.stamp(at), "updated_at": clock.stamp(at),
        }
    )  # fmt: skip


def beam(path: Path) -> Iterator[Case]:
    """Yield the chats of BEAM: a user and an assistant; each message is a memory."""
    for chat in _read(path):
        messages = tuple(_messages(chat["msgs"]))
        now = max(clock.seconds(message.created_at) or 0 for message in messages) + 86_400
        questions = tuple(
            Question(f"{chat['id']}/{number}", row["q"], _beam_gold(row), row["type"], now)
            for number, row in enumerate(chat["qs"])
        )
        yield Case(str(chat["id"]), messages, questions)


def _beam_gold(question: dict[str, Any]) -> frozenset[str]:
    return frozenset() if question["type"] == "abstention" else frozenset(str(uid) for uid in question["ev"])


def _messages(rows: list[dict[str, Any]]) -> Iterator[Memory]:
    day = datetime(2024, 1, 1, tzinfo=UTC)
    for place, row in enumerate(rows):
        if row.get("time"):
            day = datetime.strptime(row["time"], BEAM_TIME).replace(tzinfo=UTC)
        origin = "user" if row["role"] == "user" else "assistant"
        at = day + timedelta(seconds=place)
        yield _turn(str(row["id"]), row["text"], at, f"batch-{row['batch']}", origin=origin)


def coding(path: Path | None = None, half: str = "") -> Iterator[Case]:
    """Yield the one case of `coding`: the memories of a repository and the prompts of its developers."""
    folder = path or shipped_data.folder("coding")
    rows = _read(folder / "memories.jsonl")
    superseded = frozenset(uid for row in rows for uid in row.get("supersedes", ()))
    memories = tuple(_memory(row, is_superseded=row["id"] in superseded) for row in rows)
    questions = tuple(_prompt(row) for row in _read(folder / "prompts.jsonl") if half in ("", row["half"]))
    yield Case("ferry", memories, questions, superseded)


def _memory(row: dict[str, Any], *, is_superseded: bool) -> Memory:
    return Memory.model_validate(
        {
            "uid": row["id"], "slug": text.slugify(f"{row['id']}-{row['title']}"), "kind": row["kind"],
            "title": text.cut(row["title"], text.TITLE_CHARS),
            "content": parse_content(row["kind"], row["content"], KINDS),
            "tags": tuple(tag.lower() for tag in row.get("tags", ()))[:12], "cue": row.get("cue", ""),
            "concepts": row.get("concepts", ()), "anchors": [{"path": path} for path in row.get("files", ())],
            "project": PROJECT, "session": row["session"], "origin": row["origin"],
            "importance": row.get("importance", 0.5), "status": "retired" if is_superseded else "active",
            "created_at": row["at"], "updated_at": row["at"],
        }
    )  # fmt: skip


def _prompt(row: dict[str, Any]) -> Question:
    return Question(
        row["id"], row["prompt"], frozenset(row["gold"]), row["shape"], clock.seconds(row["at"]) or 0.0,
        tuple(row.get("files") or ()), "\n".join(row.get("before") or ()), row["half"],
    )  # fmt: skip


READERS = {"locomo": locomo, "beam": beam}


def _read(path: Path) -> list[dict[str, Any]]:
    """Return the rows of a JSON list or of JSON lines; raise BadInput if the file cannot be read."""
    try:
        source = foreign_files.read(str(path), most_bytes=foreign_files.DATASET_BYTES).decode("utf-8")
        is_list = source.lstrip().startswith("[")
        found = json.loads(source) if is_list else [json.loads(line) for line in source.split("\n") if line.strip()]
    except (OSError, ValueError, RecursionError) as error:
        raise BadInput(f"the data set cannot be read: {error}", target=path, fix=OWN_FILE) from error
    return list(found)

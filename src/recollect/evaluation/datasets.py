"""Data sets as memories and questions: LoCoMo, BEAM, and our own coding history."""

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
OWN_FILE = "Give the data set's own file, unchanged, with --data PATH."
HALVES = ("tune", "test", "all")


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, and the memories that answer it; none where nothing does."""

    id: str
    text: str
    gold: frozenset[str]
    group: str
    """Its kind in the data set: a category, a type, a shape."""
    now: float
    files: tuple[str, ...] = ()
    earlier: str = ""
    half: str = ""
    part: str = ""
    """Where it is reported; empty for the headline."""

    @property
    def wants_nothing(self) -> bool:
        """Whether nothing answers it; an adversarial one only sounds as if something did."""
        return not self.gold or self.part == ADVERSARIAL


@dataclass(frozen=True, slots=True)
class Case:
    """One store and what is asked of it."""

    name: str
    memories: tuple[Memory, ...]
    questions: tuple[Question, ...]
    superseded: frozenset[str] = field(default_factory=frozenset)
    project: str = PROJECT
    has_sessions: bool = False
    """Whether finding the session of an answer is worth something, too."""


def load(name: str, path: Path | None = None, half: str = "all") -> list[Case]:
    """A data set by its name, whole; one that is not as it should be is refused before anything is asked."""
    if path is None and name != "coding":
        raise BadInput(f"{name} is not shipped with recollect", target=name, fix="Give its file with --data PATH.")
    wanted = "" if half == "all" else half
    try:
        cases = list(coding(path, wanted) if path is None or name == "coding" else READERS[name](path))
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        raise BadInput(f"this does not look like {name}: {_reason(error)}", target=path, fix=OWN_FILE) from error
    cases = [case for case in cases if case.questions]
    if not cases:
        raise BadInput("the data set asks nothing", target=path or name, fix=OWN_FILE)
    return cases


def _reason(error: Exception) -> str:
    return f"{error} is missing" if isinstance(error, KeyError) else text.cut(text.first_line(str(error)), 120)


def first(cases: list[Case], limit: int | None) -> list[Case]:
    """The cases with their first questions only, so many in all."""
    if limit is None:
        return cases
    kept = []
    for case in cases:
        asked = case.questions[:limit]
        limit -= len(asked)
        if asked:
            kept.append(replace(case, questions=asked))
    return kept


def locomo(path: Path) -> Iterator[Case]:
    """Conversations of two people over months; a unit is a turn."""
    for said in _read(path):
        turns = list(_turns(said["conversation"]))
        now = max(clock.seconds(one.created_at) or 0 for one in turns) + 86_400
        known = frozenset(one.uid for one in turns)
        questions = [
            Question(f"{said['sample_id']}/{number}", str(one["question"]), _evidence(one, known),
                     f"category {one['category']}", now,
                     part=ADVERSARIAL if one["category"] == ADVERSARIAL_CATEGORY else "")
            for number, one in enumerate(said["qa"])
        ]  # fmt: skip
        # What nobody has marked the turns of is neither found nor missed.
        asked = tuple(one for one in questions if one.gold)
        yield Case(str(said["sample_id"]), tuple(turns), asked, has_sessions=True)


def _evidence(question: dict[str, Any], known: frozenset[str]) -> frozenset[str]:
    """The turns that answer. Some lists hold several in one text, `D:11:26` for `D11:26`, or what does not exist."""
    named = re.findall(r"D:?(\d+):(\d+)", " ".join(question.get("evidence", ())))
    return known.intersection(f"D{int(session)}:{int(turn)}" for session, turn in named)


def _turns(conversation: dict[str, Any]) -> Iterator[Memory]:
    number = 1
    while f"session_{number}" in conversation:
        start = datetime.strptime(conversation[f"session_{number}_date_time"], LOCOMO_TIME).replace(tzinfo=UTC)
        for place, turn in enumerate(conversation[f"session_{number}"]):
            shown = f" [{turn['blip_caption']}]" if turn.get("blip_caption") else ""
            at = start + timedelta(seconds=place)
            yield _turn(turn["dia_id"], turn["text"] + shown, at, f"session-{number}", actor=turn["speaker"])
        number += 1


def _turn(uid: str, says: str, at: datetime, session: str, *, actor: str = "", origin: str = "user") -> Memory:
    return Memory.model_validate(
        {
            "uid": uid, "slug": text.slugify(f"unit-{uid}"), "kind": "turn_summary",
            "title": text.cut(text.first_line(says), 100), "content": {"text": says}, "project": PROJECT,
            "session": session, "origin": origin, "channel": actor or None,
            "created_at": clock.stamp(at), "updated_at": clock.stamp(at),
        }
    )  # fmt: skip


def beam(path: Path) -> Iterator[Case]:
    """Long chats with an assistant; a unit is a message."""
    for said in _read(path):
        messages = tuple(_messages(said["msgs"]))
        now = max(clock.seconds(one.created_at) or 0 for one in messages) + 86_400
        questions = tuple(
            Question(f"{said['id']}/{number}", one["q"], _told(one), one["type"], now)
            for number, one in enumerate(said["qs"])
        )
        yield Case(str(said["id"]), messages, questions)


def _told(question: dict[str, Any]) -> frozenset[str]:
    return frozenset() if question["type"] == "abstention" else frozenset(str(uid) for uid in question["ev"])


def _messages(said: list[dict[str, Any]]) -> Iterator[Memory]:
    day = datetime(2024, 1, 1, tzinfo=UTC)
    for place, one in enumerate(said):
        if one.get("time"):
            day = datetime.strptime(one["time"], BEAM_TIME).replace(tzinfo=UTC)
        origin = "user" if one["role"] == "user" else "assistant"
        at = day + timedelta(seconds=place)
        yield _turn(str(one["id"]), one["text"], at, f"batch-{one['batch']}", origin=origin)


def coding(path: Path | None = None, half: str = "") -> Iterator[Case]:
    """The history of one repository, and what its developers type."""
    folder = path or shipped_data.folder("coding")
    rows = _read(folder / "memories.jsonl")
    superseded = frozenset(uid for row in rows for uid in row.get("supersedes", ()))
    memories = tuple(_filed(row, is_superseded=row["id"] in superseded) for row in rows)
    questions = tuple(_prompt(row) for row in _read(folder / "prompts.jsonl") if half in ("", row["half"]))
    yield Case("ferry", memories, questions, superseded)


def _filed(row: dict[str, Any], *, is_superseded: bool) -> Memory:
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
    """A JSON list, or a JSON object a line."""
    try:
        said = foreign_files.read(str(path), most_bytes=foreign_files.DATASET_BYTES).decode("utf-8")
        is_list = said.lstrip().startswith("[")
        found = json.loads(said) if is_list else [json.loads(line) for line in said.split("\n") if line.strip()]
    except (OSError, ValueError, RecursionError) as error:
        raise BadInput(f"the data set cannot be read: {error}", target=path, fix=OWN_FILE) from error
    return list(found)

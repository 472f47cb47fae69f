"""Measure which memories are told with prompts: by the hooks, as a client would get them.

A row of the data is a memory, `{"id": …, "kind": …, "text": …}`, or a prompt with the ids of the memories that help
with it, `{"prompt": …, "helps": [id, …]}`; an empty list means that nothing should be told.
"""

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from recollect.errors import BadInput
from recollect.evaluation import json_rows, playground
from recollect.evaluation.playground import Json
from recollect.hooks.event import Reply
from recollect.pipeline import inbox_processor
from recollect.policy.memories.compose import Note
from recollect.policy.ranking import ranks

SURE = 0.9
FIX = 'A line is {"id": …, "kind": …, "text": …} or {"prompt": …, "helps": [id, …]}.'


@dataclass(slots=True)
class Told:
    """What was told with prompts that a memory helps with, and with those that nothing helps with."""

    questions: int = 0
    answered: int = 0
    """Prompts that were told a memory that helps."""
    others: int = 0
    silent: int = 0
    """Prompts that nothing helps with, and that were told nothing."""
    told: int = 0
    helpful: int = 0
    """Told memories, and those of them that help."""
    tokens: float = 0.0
    details: list[Json] = field(default_factory=list)

    def as_dict(self) -> dict[str, float]:
        """Return the measures by name; shares are between 0 and 1, tokens per prompt."""
        prompts = self.questions + self.others
        return {
            "questions": float(self.questions),
            "answered": self.answered / self.questions if self.questions else 0.0,
            "others": float(self.others),
            "silent": self.silent / self.others if self.others else 0.0,
            "helpful": self.helpful / self.told if self.told else 0.0,
            "tokens": self.tokens / prompts if prompts else 0.0,
        }


def load(data: Path) -> list[Json]:
    """Return the memories and prompts of a file, or of a folder's files; raise BadInput where either is missing."""
    found = [row for row in json_rows.read(data) if _is_memory(row) or _is_prompt(row)]
    if not any(map(_is_memory, found)) or not any(map(_is_prompt, found)):
        raise BadInput("there are no memories or no prompts in it", target=data, fix=FIX)
    return found


def _is_memory(row: Json) -> bool:
    return all(isinstance(row.get(name), str) for name in ("id", "kind", "text"))


def _is_prompt(row: Json) -> bool:
    return isinstance(row.get("prompt"), str) and isinstance(row.get("helps"), list)


def measure(rows: Sequence[Json]) -> Iterator[Told]:
    """Save the memories in a temporary project, then send each prompt to the hooks; yield the total after each."""
    total = Told()
    with tempfile.TemporaryDirectory(prefix="recollect-eval-") as folder:
        root = Path(folder) / "project"
        root.mkdir()
        env = playground.environment(Path(folder), vectors=True)
        ids = _saved(root, env, [row for row in rows if _is_memory(row)])
        for number, row in enumerate(filter(_is_prompt, rows)):
            fields = {"session_id": f"asks-{number}", "cwd": str(root), "prompt_id": "p1", "prompt": row["prompt"]}
            _count(total, row, playground.reply("UserPromptSubmit", fields, env), ids)
            yield total


def _saved(root: Path, env: dict[str, str], rows: Sequence[Json]) -> dict[str, str]:
    """Save the memories as a user would; return the id of each uid."""
    notes = [Note(row["text"], row["kind"], confidence=SURE, free_text=True) for row in rows]
    with playground.open_project(root, env) as project:
        saved = [outcome.memory for outcome in project.remember_all(notes)]
    inbox_processor.run_jobs_after_draining(env=env)
    return {memory.uid: str(row["id"]) for memory, row in zip(saved, rows, strict=True)}


def _count(total: Told, row: Json, reply: Reply, ids: dict[str, str]) -> None:
    told = [ids.get(str(uid), str(uid)) for uid in (reply.receipt or {}).get("shown", [])]
    helps = set(map(str, row["helps"]))
    is_right = bool(helps.intersection(told)) if helps else not reply.context
    total.questions += bool(helps)
    total.answered += bool(helps) and is_right
    total.others += not helps
    total.silent += not helps and is_right
    total.told += len(told)
    total.helpful += len(helps.intersection(told))
    total.tokens += ranks.tokens(reply.context)
    if not is_right:
        total.details.append({"prompt": row["prompt"], "helps": sorted(helps), "told": told})

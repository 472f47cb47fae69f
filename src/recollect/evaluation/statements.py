"""Measure what is kept of prompts, one to a session: lasting statements, requests, reversals and exceptions.

A row of the data is one of two things, as a JSON line:

- `{"prompt": …, "keep": [sentence, …], "kind": …}`: a prompt, and the sentences of it that should be known afterwards.
  All prompts are sessions of one project, in the order of the file.
- `{"old": …, "new": …, "relation": …}`: two statements in two sessions of a project of their own, and how the newer one
  relates to the older one (`RELATIONS`).
"""

import json
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from recollect import paths
from recollect.errors import BadInput
from recollect.evaluation import json_rows, playground
from recollect.evaluation.playground import CLIENT, START_SECONDS, Json
from recollect.hooks import inbox
from recollect.model.memory import PENDING, Memory
from recollect.model.query import Query
from recollect.model.words import search_words
from recollect.pipeline import inbox_processor

RELATIONS = ("reversal", "possible", "exception", "unrelated", "same")
SESSION_SECONDS = 3_600.0
SAID_FROM = 0.8
"""The share of a sentence's words that a memory has to contain to say it."""
NOT_COUNTED = ("turn_summary", "session_summary")
MOST_MEMORIES = 100_000
FIX = 'A line is {"prompt": …, "keep": […]} or {"old": …, "new": …, "relation": …}.'


@dataclass(slots=True)
class Stated:
    """What was kept of the statements, and what became of pairs."""

    statements: int = 0
    kept: int = 0
    """Lasting statements that are known for sure afterwards."""
    pending: int = 0
    """Those that only wait for a review."""
    labelled_kinds: int = 0
    kinds: int = 0
    """Kept statements of the kind that the label names."""
    requests: int = 0
    requests_kept: int = 0
    """Prompts without a lasting statement of which something was kept for sure."""
    requests_pending: int = 0
    retired: int = 0
    """Memories of the project of prompts that a later prompt retired."""
    pairs: Counter[str] = field(default_factory=Counter)
    right: Counter[str] = field(default_factory=Counter)
    details: list[Json] = field(default_factory=list)

    def as_dict(self) -> dict[str, float]:
        """Return the measures by name; shares are between 0 and 1, and 0 where there is nothing to measure."""
        shares = {
            "statements_kept": _share(self.kept, self.statements),
            "statements_pending": _share(self.pending, self.statements),
            "kind_right": _share(self.kinds, self.labelled_kinds),
            "requests_kept": _share(self.requests_kept, self.requests),
            "requests_pending": _share(self.requests_pending, self.requests),
        }
        counts = {"statements": self.statements, "requests": self.requests, "retired": self.retired}
        pairs = {f"{name}_right": _share(self.right[name], number) for name, number in self.pairs.items()}
        numbers = {f"{name}_pairs": float(number) for name, number in self.pairs.items()}
        return {**{name: float(number) for name, number in counts.items()}, **shares, **numbers, **pairs}


def load(data: Path) -> list[Json]:
    """Return the prompts and pairs of a file, or of a folder's files; raise BadInput where there are none."""
    rows = [_with_statement(row) for row in json_rows.read(data)]
    found = [row for row in rows if _is_prompt(row) or _is_pair(row)]
    if not found:
        raise BadInput("there are no statements in it", target=data, fix=FIX)
    return found


def _with_statement(row: Json) -> Json:
    """Return a row; one with a single `statement` has it as the sentence to keep."""
    return row | {"keep": [row["statement"]]} if isinstance(row.get("statement"), str) else row


def _is_prompt(row: Json) -> bool:
    return isinstance(row.get("prompt"), str) and isinstance(row.get("keep"), list)


def _is_pair(row: Json) -> bool:
    return isinstance(row.get("old"), str) and isinstance(row.get("new"), str) and row.get("relation") in RELATIONS


def measure(rows: Sequence[Json]) -> Iterator[Stated]:
    """Play the prompts, then each pair; yield the total after the prompts and after each pair."""
    total = Stated()
    prompts = [row for row in rows if "prompt" in row]
    _count_prompts(total, prompts, _played([str(row["prompt"]) for row in prompts]))
    yield total
    for row in rows:
        if "old" in row:
            _count_pair(total, row, _played([str(row["old"]), str(row["new"])]))
            yield total


def _played(prompts: Sequence[str]) -> list[list[Memory]]:
    """Return what was captured of each prompt, active or retired, after all of them were played as sessions."""
    if not prompts:
        return []
    with tempfile.TemporaryDirectory(prefix="recollect-eval-") as folder:
        root = Path(folder) / "project"
        root.mkdir()
        env = playground.environment(Path(folder), vectors=False)
        playground.open_project(root, env).close()
        for number, prompt in enumerate(prompts):
            _put_session(env, root, number, prompt)
            inbox_processor.drain(env=env)
        with playground.open_project(root, env) as project:
            query = Query(project.project, statuses=("active", "retired"), oldest_first=True, limit=MOST_MEMORIES)
            found = [row.memory for row in project.project_context.store.find(query)]
    captured = [memory for memory in found if memory.kind not in NOT_COUNTED]
    return [[memory for memory in captured if memory.session == _session(number)] for number in range(len(prompts))]


def _session(number: int) -> str:
    return f"session-{number:06d}"


def _put_session(env: dict[str, str], root: Path, number: int, prompt: str) -> None:
    """Write the events of a session with one prompt into the inbox, and let the clock stand at its end."""
    base = {"session_id": _session(number), "cwd": str(root), "prompt_id": "p1", "transcript_path": ""}
    events: tuple[Json, ...] = (
        {"hook_event_name": "SessionStart", "source": "startup"},
        {"hook_event_name": "UserPromptSubmit", "prompt": prompt},
        {"hook_event_name": "Stop", "last_assistant_message": "Done.", "stop_hook_active": False},
        {"hook_event_name": "SessionEnd", "reason": "other"},
    )
    at = START_SECONDS + number * SESSION_SECONDS
    for place, event in enumerate(events):
        stamp = playground.stamp(at + place)
        inbox.put(paths.home(env), CLIENT, event["hook_event_name"], json.dumps(base | event).encode(), now=stamp)
        env["RECOLLECT_NOW"] = stamp


def _count_prompts(total: Stated, rows: Sequence[Json], captured: Sequence[Sequence[Memory]]) -> None:
    for row, memories in zip(rows, captured, strict=True):
        total.retired += sum(memory.status == "retired" for memory in memories)
        active = [memory for memory in memories if memory.status == "active"]
        for sentence in row["keep"]:
            _count_statement(total, row, str(sentence), active)
        if not row["keep"]:
            total.requests += 1
            is_kept = any(map(_is_sure, active))
            total.requests_kept += is_kept
            total.requests_pending += bool(active) and not is_kept
            if active:
                total.details.append({"prompt": row["prompt"], "kept": _shown(active), "should_be": []})


def _count_statement(total: Stated, row: Json, sentence: str, active: Sequence[Memory]) -> None:
    said = [memory for memory in active if is_said(sentence, memory)]
    total.statements += 1
    total.kept += any(map(_is_sure, said))
    total.pending += bool(said) and not any(map(_is_sure, said))
    if row.get("kind") and said:
        total.labelled_kinds += 1
        total.kinds += any(memory.kind == row["kind"] for memory in said)
    if not any(map(_is_sure, said)):
        total.details.append({"prompt": row["prompt"], "kept": _shown(active), "should_be": [sentence]})


def _count_pair(total: Stated, row: Json, captured: Sequence[Sequence[Memory]]) -> None:
    """Count a pair as right if what should be known of it is, and nothing else was retired.

    A reversal retires the older statement and keeps the newer one; with `same` one of them is enough; else both stay.
    """
    old, new = (any(map(_is_kept, memories)) for memories in captured)
    was_kept = bool(captured[0])
    is_right = {"reversal": new and was_kept and not old, "same": old or new}.get(str(row["relation"]), old and new)
    total.pairs[str(row["relation"])] += 1
    total.right[str(row["relation"])] += is_right
    if not is_right:
        total.details.append({**row, "kept": [_shown(memories) for memories in captured]})


def is_said(sentence: str, memory: Memory) -> bool:
    """Whether a memory contains most words of a sentence."""
    wanted = set(search_words.stems(sentence))
    return len(wanted & set(search_words.stems(f"{memory.title}\n{memory.text}"))) >= SAID_FROM * len(wanted)


def _is_kept(memory: Memory) -> bool:
    return memory.status == "active"


def _is_sure(memory: Memory) -> bool:
    return PENDING not in memory.tags


def _shown(memories: Sequence[Memory]) -> list[str]:
    return [f"{memory.status} {memory.kind}: {memory.title}" for memory in memories]


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0

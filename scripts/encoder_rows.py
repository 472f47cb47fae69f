"""Read the labelled messages and pairs that the encoder is fitted on."""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from recollect.policy.encoder.encoder import ANSWERS, LABELS, NONE, PAIRS, USERS
from recollect.policy.reversals.judge import plain
from recollect.policy.statements import user_statements
from recollect.policy.statements.statements import sentences

ROOT = Path(__file__).parents[1]
SESSIONS = ROOT / "packages/recollect-eval-data/src/recollect_eval_data/capture/tune.jsonl"


class Span(NamedTuple):
    """A part that is judged: its first sign, the sign behind its last, and its label."""

    start: int
    end: int
    label: str


class Sentence(NamedTuple):
    """A sentence, and the parts of it that are judged."""

    text: str
    spans: list[Span]


class Row(NamedTuple):
    """The sentences of a text, and the text before it."""

    question: str
    first: str
    sentences: list[Sentence]
    author: str

    @property
    def text(self) -> str:
        """The whole text, as the program joins it."""
        return " ".join(sentence.text for sentence in self.sentences)

    @property
    def spans(self) -> list[Span]:
        """The parts that are judged, in their places in the whole text."""
        found, start = [], 0
        for sentence in self.sentences:
            found += [Span(start + span.start, start + span.end, span.label) for span in sentence.spans]
            start += len(sentence.text) + 1
        return found


def statements(more: Path | None = None) -> list[Row]:
    """Return a row for each labelled message of a user or an agent; `more` is a folder of further ones."""
    messages = [(f"st:{file.stem}", message) for file, message in _lines(ROOT / "bench/statements")]
    messages += [(f"more:{file.stem}", message) for file, message in (_lines(more) if more else ())]
    messages += [("replayed", message) for message in replayed()]
    rows = (users_row(*found) if found[1]["who"] == "user" else agents_row(*found) for found in messages)
    return [row for row in rows if row.spans]


def pairs() -> list[Row]:
    """Return a row for each pair of an older and a newer statement, each in its own words alone."""
    labelled = ((file, pair) for file, pair in _lines(ROOT / "bench/pairs") if "new_says" in pair)
    return [
        pair_row(pair["old_says"], new, pair["relation"], f"pairs:{file.stem}")
        for file, pair in labelled
        if (new := pair["new_says"]) and pair["relation"] in LABELS[PAIRS]
    ]


def pair_row(old: str, new: str, relation: str, author: str) -> Row:
    """Return the row of a pair, in the form in which `policy/reversals` compares statements."""
    newer = plain(new)
    return Row(PAIRS, plain(old), [Sentence(newer, [Span(0, len(newer), relation)])], author)


def memories() -> list[list[str]]:
    """Return the memories of each project of `bench/questions` and `bench/helps`: those of one hardly contradict."""
    found: dict[str, list[str]] = {}
    for file, row in [*_lines(ROOT / "bench/questions"), *_lines(ROOT / "bench/helps")]:
        if "text" in row:
            found.setdefault(f"{file.stem} {row.get('project', '')}", []).append(row["text"])
    return [project for project in found.values() if len(project) > 1]


def _lines(folder: Path) -> Iterator[tuple[Path, dict[str, Any]]]:
    for file in sorted(folder.glob("*.jsonl")):
        for line in file.read_text("utf-8").splitlines():
            yield file, json.loads(line)


def users_row(author: str, message: dict[str, Any]) -> Row:
    """Return a row with each sentence of a user's message, and each clause that can stand by itself."""
    found = []
    for said in (placed.part for placed in user_statements.placed_sentences(message["text"]) if placed.part):
        clauses = [clause for clause in user_statements.clauses_of(said) if len(clause.split()) > 2]
        parts = [part for part in (said, *(clauses if len(clauses) > 1 else ())) if part in said]
        places = ((said.find(part), part) for part in parts)
        found.append(Sentence(said, [Span(at, at + len(part), label(part, message, USERS)) for at, part in places]))
    return Row(USERS, "", found, author)


def agents_row(author: str, message: dict[str, Any]) -> Row:
    """Return a row with each sentence of an agent's answer, and what the user had asked."""
    found = [Sentence(said, [Span(0, len(said), label(said, message, ANSWERS))]) for said in sentences(message["text"])]
    return Row(ANSWERS, message.get("asked") or "", found, author)


def label(part: str, message: dict[str, Any], question: str) -> str:
    """Return the kind of what a part of a message states to keep."""
    said = bare(part)
    kinds = (kept["kind"] for kept in message["keeps"] if carries(said, bare(kept["says"])))
    kind = next(kinds, NONE)
    return kind if kind in LABELS[question] else NONE


def replayed() -> list[dict[str, Any]]:
    """Return the labelled prompts and answers of the capture sessions; most of them state nothing to keep."""
    found = []
    for session in map(json.loads, SESSIONS.read_text("utf-8").splitlines()):
        asked, memories = "", {memory["name"]: memory for memory in session["memories"]}
        for event in session["events"]:
            said, answer = event["hook"].get("prompt"), event["hook"].get("last_assistant_message")
            if "keep" in event and (said or answer):
                message = {"who": "user" if said else "assistant", "asked": asked, "text": said or answer}
                found.append(message | {"keeps": _kept(message, memories.get(event.get("memory")))})
            asked = said or asked
    return found


def _kept(message: dict[str, Any], memory: dict[str, Any] | None) -> Sequence[dict[str, str]]:
    """Return what a message states: its sentences with a word that the expected memory has to contain."""
    if memory is None:
        return []
    kind = {"runbook": "cause"}.get(memory["kind"], memory["kind"])
    question = USERS if message["who"] == "user" else ANSWERS
    wanted = [word.lower() for group in memory["says"] for word in group]
    telling = [part for part in sentences(message["text"]) if _has_any(part, wanted)]
    return [{"kind": kind, "says": " ".join(telling)}] if kind in LABELS[question] and telling else []


def _has_any(part: str, wanted: Iterable[str]) -> bool:
    return any(word in part.lower() for word in wanted)


def carries(said: str, says: str) -> bool:
    """Whether a part of a message is what the label names, or holds it."""
    return len(said) > 2 and bool(says) and (said in says or says in said)


def bare(said: str) -> str:
    return re.sub(r"\W+", " ", said).strip().lower()

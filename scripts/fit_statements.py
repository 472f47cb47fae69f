"""Fit the weights of `policy/statements/statements.py`, which tell the sentences that state something to keep.

Writes `src/recollect/assets/statement_weights.tsv.gz`, which `policy/statements/weights.py` reads.

Reads `bench/statements` (one file per author) and the tune half of the capture sessions. With `--check` it prints for
each author's messages what weights find that were fitted on those of the others.
"""

import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from recollect.policy.statements import features, statements, user_statements, weights

ROOT = Path(__file__).parents[1]
TARGET = ROOT / "src/recollect" / weights.FILE
KINDS = ("none", "preference", "decision", "constraint", "tech_debt", "discovery", "cause")
LEAST_SEEN, DECAY, STEPS, RATE = 3, 6.0, 200, 0.05
SMALLEST = 0.1


class Row(NamedTuple):
    """A sentence: its features, its kind, and who wrote it."""

    features: set[str]
    kind: str
    who: str


def authors() -> dict[str, list[dict[str, Any]]]:
    files = sorted((ROOT / "bench/statements").glob("*.jsonl"))
    return {file.stem: [json.loads(line) for line in file.read_text("utf-8").splitlines()] for file in files}


def replayed() -> list[dict[str, Any]]:
    """Return the labelled prompts and answers of the capture sessions; most of them state nothing to keep."""
    found, place = [], ROOT / "packages/recollect-eval-data/src/recollect_eval_data/capture/tune.jsonl"
    for session in map(json.loads, place.read_text("utf-8").splitlines()):
        asked, memories = "", {memory["name"]: memory for memory in session["memories"]}
        for event in session["events"]:
            said, answer = event["hook"].get("prompt"), event["hook"].get("last_assistant_message")
            if "keep" in event and (said or answer):
                message = {"who": "user" if said else "assistant", "asked": asked, "text": said or answer}
                found.append(message | _label(message, memories.get(event.get("memory"))))
            asked = said or asked
    return found


def _label(message: dict[str, Any], memory: dict[str, Any] | None) -> dict[str, Any]:
    """Return the kind that a message states, and its sentences with a word that the expected memory has to contain."""
    kind = {"runbook": "cause"}.get(memory["kind"], memory["kind"]) if memory else "none"
    wanted = [word.lower() for group in memory["says"] for word in group] if memory else []
    parts = statements.sentences(message["text"])
    telling = [part for part in parts if any(word in part.lower() for word in wanted)]
    is_told = kind in KINDS and not (kind == "cause" and message["who"] == "user")
    return {"keeps": [{"kind": kind, "says": " ".join(telling)}] if is_told and telling else []}


def rows(messages: Iterable[dict[str, Any]]) -> list[Row]:
    """Return a row per sentence, and per clause of a user's; those that carry what a message states have its kind."""
    found = []
    for message in messages:
        by_user, keeps = message["who"] == "user", [(kept["kind"], bare(kept["says"])) for kept in message["keeps"]]
        for parts, place in _places(message):
            kind = next((kind for kind, says in keeps if carries(bare(parts[place]), says)), "none")
            made_of = features.context(parts, place, by_user=by_user, asked=message.get("asked", ""))
            found.append(Row(made_of, kind, message["who"]))
    return found


def _places(message: dict[str, Any]) -> Iterator[tuple[list[str], int]]:
    """Yield the sentences of a message with the place of each; then a user's clauses, each in its sentence's place."""
    if message["who"] != "user":
        parts = statements.sentences(message["text"])
        yield from ((parts, place) for place in range(len(parts)))
        return
    said = [voice.own for voice in user_statements.sentences(message["text"]) if not voice.attributed]
    for place, sentence in enumerate(said):
        around = said[max(0, place - 1) : place], said[place + 1 : place + 2]
        clauses = [clause for clause in user_statements.clauses_of(sentence) if len(clause.split()) > 2]
        for part in (sentence, *(clauses if len(clauses) > 1 else ())):
            if part:
                yield [*around[0], part, *around[1]], len(around[0])


def carries(said: str, says: str) -> bool:
    return len(said) > 2 and bool(says) and (said in says or says in said)


def bare(said: str) -> str:
    return re.sub(r"\W+", " ", said).strip().lower()


def fit(sentences: list[Row]) -> tuple[list[str], np.ndarray]:
    """Fit a softmax regression with decay by Adam. Return the features, and weights for each and the bias."""
    seen = Counter(name for row in sentences for name in row.features)
    names = sorted(name for name, number in seen.items() if number >= LEAST_SEEN)
    place = {name: number for number, name in enumerate(names)}
    known = [[*(place[name] for name in row.features if name in place), len(names)] for row in sentences]
    columns = np.concatenate([np.array(row) for row in known])
    starts = np.cumsum([0, *(len(row) for row in known)])[:-1]
    of_row = np.repeat(np.arange(len(known)), [len(row) for row in known])
    wanted = np.zeros((len(sentences), len(KINDS)))
    wanted[np.arange(len(sentences)), [KINDS.index(row.kind) for row in sentences]] = 1
    fitted, first, second = (np.zeros((len(names) + 1, len(KINDS))) for _ in range(3))
    for step in range(1, STEPS + 1):
        slope = _slope(fitted, columns, starts, of_row, wanted) / len(sentences)
        first, second = 0.9 * first + 0.1 * slope, 0.999 * second + 0.001 * slope**2
        fitted -= RATE * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.999**step)) + 1e-8)
    return names, fitted


def _slope(
    fitted: np.ndarray, columns: np.ndarray, starts: np.ndarray, of_row: np.ndarray, wanted: np.ndarray
) -> np.ndarray:
    """Return the slope of the loss: rows are lists of columns that hold 1, one behind the other in `columns`."""
    scores = np.add.reduceat(fitted[columns], starts)
    shares = np.exp(scores - scores.max(1, keepdims=True))
    shares /= shares.sum(1, keepdims=True)
    errors = (shares - wanted)[of_row]
    slope = np.stack([np.bincount(columns, errors[:, kind], len(fitted)) for kind in range(len(KINDS))], axis=1)
    decay = DECAY * np.vstack([fitted[:-1], np.zeros((1, len(KINDS)))])  # the bias does not decay
    return np.asarray(slope + decay)


def report(author: str, held: list[Row], names: list[str], fitted: np.ndarray) -> None:
    """Print what is found of messages that the weights have not seen, at fixed rates of false alarms."""
    place = {name: number for number, name in enumerate(names)}
    for who in ("user", "assistant"):
        found = [row for row in held if row.who == who]
        if not found:
            continue
        scores = np.array(
            [fitted[[*(place[name] for name in row.features if name in place), -1]].sum(0) for row in found]
        )
        shares = np.exp(scores - scores.max(1, keepdims=True))
        kept = 1 - shares[:, 0] / shares.sum(1)
        meant = np.array([KINDS.index(row.kind) for row in found])
        told = [f"{rate:.0%} {_recall(kept, meant, rate):.2f}" for rate in (0.01, 0.03, 0.05, 0.1)]
        kinds = np.mean(scores[meant > 0][:, 1:].argmax(1) + 1 == meant[meant > 0])
        print(f"{author} {who:9}  found at false alarms of {', '.join(told)}; kind right {kinds:.2f}", flush=True)


def _recall(kept: np.ndarray, meant: np.ndarray, rate: float) -> float:
    return float(np.mean(kept[meant > 0] > np.quantile(kept[meant == 0], 1 - rate)))


def write(names: list[str], fitted: np.ndarray) -> None:
    """Write the weights file: weights rounded to hundredths, small ones and features without any left out."""
    rounded = [[round(float(weight), 2) for weight in row] for row in fitted]
    rows: dict[str, Sequence[float]] = {}
    for name, row in zip(names, rounded[:-1], strict=True):
        kept = [weight if abs(weight) >= SMALLEST else 0.0 for weight in row]
        if any(kept):
            rows[name] = kept
    TARGET.write_bytes(weights.encode(KINDS, rounded[-1], rows))


def main() -> None:
    by_author, others = authors(), replayed()
    for author, messages in by_author.items() if "--check" in sys.argv else ():
        rest = [message for name, found in by_author.items() if name != author for message in found]
        report(author, rows(messages), *fit(rows([*rest, *others])))
    every = [*(message for found in by_author.values() for message in found), *others]
    write(*fit(rows(every)))


if __name__ == "__main__":
    main()

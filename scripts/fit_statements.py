"""Fit the weights of `policy/statements/statements.py`, which tell the sentences that state something to keep.

Writes `src/recollect/assets/statement_weights.tsv.gz`, which `policy/statements/weights.py` reads.

Reads `bench/statements` (one file per author) and the tune half of the capture sessions. Prints precision and recall
for each author's messages with weights that were fitted on those of the others.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from recollect.policy.statements import statements, weights

ROOT = Path(__file__).parents[1]
TARGET = ROOT / "src/recollect" / weights.FILE
KINDS = ("none", "preference", "decision", "constraint", "tech_debt", "discovery", "cause")
LEAST_SEEN, DECAY, STEPS, RATE = 2, 1.0, 250, 0.05
SMALLEST = 0.1


class Row(NamedTuple):
    """A sentence: its features, its kind, the number and kind of its message, and who wrote it."""

    features: set[str]
    kind: str
    message: int
    who: str
    message_kind: str


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


def _label(message: dict[str, Any], memory: dict[str, Any] | None) -> dict[str, str]:
    """Return the kind that a message states, and its sentences with a word that the expected memory has to contain."""
    kind = {"runbook": "cause"}.get(memory["kind"], memory["kind"]) if memory else "none"
    wanted = [word.lower() for group in memory["says"] for word in group] if memory else []
    parts = statements.sentences(message["text"])
    telling = [part for part in parts if any(word in part.lower() for word in wanted)]
    is_told = kind in KINDS and not (kind == "cause" and message["who"] == "user")
    return {"kind": kind, "says": " ".join(telling)} if is_told and telling else {"kind": "none", "says": ""}


def rows(messages: Iterable[dict[str, Any]]) -> list[Row]:
    """Return a row per sentence; those that carry what a message states have its kind, others `none`."""
    found = []
    for number, message in enumerate(messages):
        parts, says = statements.sentences(message["text"]), _bare(message["says"])
        for place in range(len(parts)):
            said = _bare(parts[place])
            carries = len(said) > 2 and bool(says) and (said in says or says in said)
            made_of = statements.context(parts, place, by_user=message["who"] == "user", asked=message.get("asked", ""))
            kind = message["kind"] if carries else "none"
            found.append(Row(made_of, kind, number, message["who"], message["kind"]))
    return found


def _bare(said: str) -> str:
    return re.sub(r"\W+", " ", said).strip().lower()


def fit(sentences: list[Row]) -> tuple[list[str], np.ndarray]:
    """Fit a softmax regression with decay by Adam. Return the features, and weights for each and the bias."""
    seen = Counter(name for row in sentences for name in row.features)
    names = sorted(name for name, number in seen.items() if number >= LEAST_SEEN)
    place = {name: number for number, name in enumerate(names)}
    table = np.zeros((len(sentences), len(names) + 1), dtype=np.float32)
    table[:, -1] = 1
    wanted = np.zeros((len(sentences), len(KINDS)), dtype=np.float32)
    for number, row in enumerate(sentences):
        table[number, [place[name] for name in row.features if name in place]] = 1
        wanted[number, KINDS.index(row.kind)] = 1
    weights, first, second = (np.zeros((table.shape[1], len(KINDS)), dtype=np.float32) for _ in range(3))
    for step in range(1, STEPS + 1):
        scores = table @ weights
        shares = np.exp(scores - scores.max(1, keepdims=True))
        shares /= shares.sum(1, keepdims=True)
        decay = DECAY * np.vstack([weights[:-1], np.zeros((1, len(KINDS)))])
        slope = (table.T @ (shares - wanted) + decay) / len(sentences)
        first, second = 0.9 * first + 0.1 * slope, 0.999 * second + 0.001 * slope**2
        weights -= RATE * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.999**step)) + 1e-8)
    return names, weights


def report(author: str, held: list[Row], names: list[str], weights: np.ndarray) -> None:
    """Print precision, recall and the share of right kinds for messages that the weights have not seen."""
    place = {name: number for number, name in enumerate(names)}
    best: dict[int, tuple[float, str]] = {}
    for row in held:
        score = weights[-1] + weights[[place[name] for name in row.features if name in place]].sum(0)
        shares = np.exp(score - score.max())
        shares /= shares.sum()
        kind = int(shares[1:].argmax()) + 1
        best[row.message] = max(best.get(row.message, (0.0, "")), (float(shares[kind]), KINDS[kind]))
    sizes = Counter(row.message for row in held)
    for who in ("user", "assistant"):
        meant = {row.message: row.message_kind for row in held if row.who == who}
        told = {
            number for number in meant if best[number][0] >= statements.threshold(sizes[number], by_user=who == "user")
        }
        right = {number for number in told if meant[number] != "none"}
        kept = sum(kind != "none" for kind in meant.values())
        kinds = sum(best[number][1] == meant[number] for number in right)
        precision, recall = len(right) / max(1, len(told)), len(right) / max(1, kept)
        share = kinds / max(1, len(right))
        print(f"{author} {who:9}  precision {precision:.2f}  recall {recall:.2f}  kind right {share:.2f}")


def write(names: list[str], fitted: np.ndarray) -> None:
    """Write the weights file: weights rounded to hundredths, small ones and features without any left out."""
    rounded = [[round(float(weight), 2) for weight in row] for row in fitted]
    rows = {}
    for name, row in zip(names, rounded[:-1], strict=True):
        kept = [weight if abs(weight) >= SMALLEST else 0.0 for weight in row]
        if any(kept):
            rows[name] = kept
    TARGET.write_bytes(weights.encode(KINDS, rounded[-1], rows))


def main() -> None:
    by_author, others = authors(), replayed()
    for author, messages in by_author.items():
        rest = [message for name, found in by_author.items() if name != author for message in found]
        report(author, rows(messages), *fit(rows([*rest, *others])))
    every = [*(message for found in by_author.values() for message in found), *others]
    write(*fit(rows(every)))


if __name__ == "__main__":
    main()

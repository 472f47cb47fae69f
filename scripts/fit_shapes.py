"""Fit the weights of `policy/ranking/prompt_shape.py`: which prompts memories can help with.

Writes `policy/ranking/prompt_shape_weights.py`.

Reads bench/shapes/prompts.jsonl and the tune half of the coding benchmark; prints how well held-out prompts are told
apart.
"""

import json
import random
from collections import Counter
from pathlib import Path

import numpy as np

from recollect.policy.ranking.prompt_shape import features

ROOT = Path(__file__).parents[1]
TARGET = ROOT / "src/recollect/policy/shape_weights.py"
LEAST_SEEN, DECAY, STEPS, RATE = 3, 1.5, 400, 0.05
SMALLEST = 0.1
CODING = "packages/recollect-eval-data/src/recollect_eval_data/coding/prompts.jsonl"
Row = tuple[set[str], bool]


def read() -> list[Row]:
    own = [json.loads(line) for line in (ROOT / "bench/shapes/prompts.jsonl").read_text("utf-8").splitlines()]
    coding = (ROOT / CODING).read_text("utf-8").splitlines()
    rows = [(features(row["prompt"]), bool(row["needs"])) for row in own]
    return rows + [
        (features(row["prompt"]), bool(row["gold"])) for row in map(json.loads, coding) if row["half"] == "tune"
    ]


def fit(rows: list[Row]) -> tuple[dict[str, float], float]:
    """Logistic regression with decay, by Adam."""
    seen = Counter(name for found, _ in rows for name in found)
    names = sorted(name for name, number in seen.items() if number >= LEAST_SEEN)
    place = {name: number for number, name in enumerate(names)}
    table = np.zeros((len(rows), len(names) + 1))
    table[:, -1] = 1
    for number, (found, _) in enumerate(rows):
        table[number, [place[name] for name in found if name in place]] = 1
    wanted = np.array([float(needs) for _, needs in rows])
    weights, first, second = (np.zeros(table.shape[1]) for _ in range(3))
    for step in range(1, STEPS + 1):
        guess = 1 / (1 + np.exp(-table @ weights))
        slope = (table.T @ (guess - wanted) + DECAY * np.r_[weights[:-1], 0]) / len(rows)
        first, second = 0.9 * first + 0.1 * slope, 0.999 * second + 0.001 * slope**2
        weights -= RATE * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.999**step)) + 1e-8)
    return dict(zip(names, weights.tolist(), strict=False)), float(weights[-1])


def held_out(rows: list[Row], folds: int = 5) -> float:
    """How often a prompt that needs memory gets more than one that does not, neither seen in fitting."""
    order = list(range(len(rows)))
    random.Random(0).shuffle(order)  # noqa: S311 - a fold, not a secret
    scores = {}
    for fold in range(folds):
        weights, bias = fit([rows[one] for place, one in enumerate(order) if place % folds != fold])
        for one in order[fold::folds]:
            scores[one] = bias + sum(weights.get(name, 0.0) for name in rows[one][0])
    yes = [scores[one] for one in order if rows[one][1]]
    no = [scores[one] for one in order if not rows[one][1]]
    return sum((a > b) + 0.5 * (a == b) for a in yes for b in no) / len(yes) / len(no)


def main() -> None:
    rows = read()
    weights, bias = fit(rows)
    kept = {name: round(value, 2) for name, value in sorted(weights.items()) if abs(value) >= SMALLEST}
    pairs = [f"{json.dumps(name, ensure_ascii=False)}: {value}," for name, value in kept.items()]
    lines = "\n".join(f"    {' '.join(pairs[at : at + 6])}" for at in range(0, len(pairs), 6))
    said = f'"""Fitted by `scripts/fit_shapes.py` on {len(rows)} labelled prompts; not edited by hand."""\n\n'
    TARGET.write_text(f"{said}BIAS = {bias:.2f}\nWEIGHTS = {{\n{lines}\n}}  # fmt: skip\n", "utf-8")
    print(f"{len(kept)} weights from {len(rows)} prompts; held out: {held_out(rows):.3f} told apart")


if __name__ == "__main__":
    main()

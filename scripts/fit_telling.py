"""Fit the weights of `policy/ranking/telling.py`: which memory helps with which prompt.

Reads the files of bench/questions and bench/helps that are named, and the tune half of the coding benchmark, and prints
a weight for each part and the bias. What words mean (`scripts/fit_words.py`) has to be fitted without those files: else
`meaning` would weigh too much.

The weights in the program are these, rounded, and corrected by hand where real sessions showed that they do not carry
over: `length`, `symbol`, `place`, `few` and `verbatim`, of which these data say too little.
"""

import argparse
import contextlib
import json
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from recollect.evaluation import datasets, running
from recollect.model.recall_values import RecallScope
from recollect.policy.ranking import telling
from recollect.recall import hybrid, judging
from recollect.recall.query_terms import read_terms
from recollect.recall.question import Question
from recollect.store.hook_reader import store_reader

ROOT = Path(__file__).parents[1]
CANDIDATES, DECAY, STEPS, RATE = 10, 1.5, 6_000, 2.0
BESIDE_GOLD = 0.3
"""The weight of another memory in the answer to a prompt that has one: it may help as well."""
AT = "2026-09-30T09:00:00Z"


def cases(path: Path) -> Iterator[datasets.Case]:
    """Yield a case for each project of a file of bench/questions or bench/helps."""
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    if "asked" not in rows[0]:
        yield case_of(rows)
        return
    projects: dict[str, list[dict[str, Any]]] = {}
    for number, row in enumerate(rows):
        asked = [{"prompt": text, "helps": [f"m{number}"]} for text in row["asked"]]
        others = [{"prompt": text, "helps": []} for text in row["near"]]
        projects.setdefault(row["project"], []).extend([{"id": f"m{number}", "text": row["text"]}, *asked, *others])
    yield from map(case_of, projects.values())


def case_of(rows: Sequence[dict[str, Any]]) -> datasets.Case:
    """Return the case of a project, with its memories and its prompts."""
    memories = [
        {"id": row["id"], "kind": "note", "title": row["text"], "content": {"text": row["text"]}, "at": AT,
         "session": row["id"], "origin": "user"}
        for row in rows if "text" in row
    ]  # fmt: skip
    prompts = [
        {"id": f"q{number}", "prompt": row["prompt"], "gold": row["helps"], "shape": "", "half": "tune", "at": AT}
        for number, row in enumerate(rows)
        if "prompt" in row
    ]
    with tempfile.TemporaryDirectory() as folder:
        for name, listed in (("memories", memories), ("prompts", prompts)):
            (Path(folder) / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in listed), "utf-8")
        return datasets.load("coding", Path(folder), "all")[0]


def pairs(case: datasets.Case) -> Iterator[tuple[dict[str, float], bool, float]]:
    """Yield (parts, helps, weight) for the best candidates of every prompt."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "memory.db"
        running._fill(path, case)  # noqa: SLF001
        with contextlib.closing(store_reader.open_store(str(path))) as reader:
            source: Any = reader.recall_source()
            for asked in case.questions:
                question = Question(asked.text, RecallScope(case.project, asked.now), files=asked.files)
                terms, best = read_terms(source, question), hybrid.rank(source, question, CANDIDATES)[1]
                memories = source.memories(question.scope, [candidate.id for candidate in best])
                prompt = judging.Prompt(question, terms)
                for candidate in best:
                    helps = memories[candidate.id].uid in asked.gold
                    parts = judging._shared(prompt, terms, candidate).parts  # noqa: SLF001
                    yield parts, helps, BESIDE_GOLD if asked.gold and not helps else 1.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path, help="files of bench/questions and bench/helps")
    given = parser.parse_args()
    fitted_on = [case for path in given.files for case in cases(path)]
    rows = [row for case in [*fitted_on, *datasets.load("coding", None, "tune")] for row in pairs(case)]
    names = [name for name, _, _ in telling.PARTS]
    table = np.array([[parts[name] for name in names] for parts, _, _ in rows])
    helps, counts = np.array([float(row[1]) for row in rows]), np.array([row[2] for row in rows])
    mean, spread = table.mean(0), table.std(0) + 1e-9
    scaled = np.c_[(table - mean) / spread, np.ones(len(rows))]
    weights = np.zeros(scaled.shape[1])
    for _ in range(STEPS):
        guess = 1 / (1 + np.exp(-scaled @ weights))
        weights -= RATE * (scaled.T @ (counts * (guess - helps)) + DECAY * np.r_[weights[:-1], 0]) / len(rows)
    fitted = weights[:-1] / spread
    for name, weight in zip(names, fitted, strict=True):
        print(f"{name:10} {weight:6.2f}   now {telling.WEIGHTS[name]:g}")
    print(f"bias       {weights[-1] - (fitted * mean).sum():6.2f}   now {telling.BIAS:g}; {len(rows)} pairs")


if __name__ == "__main__":
    main()

"""Write `model/words/developer_words.py`: the stems that texts of many projects hold, in three tables by frequency.

Counts the prompts, answers and statements of `bench/` and of the shipped sessions, each project once per stem.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

from recollect.model.words import search_words
from recollect.model.words.stop_words import COMMON_WORDS

ROOT = Path(__file__).parents[1]
TARGET = ROOT / "src/recollect/model/words/developer_words.py"
TABLES = (
    ("EVERYDAY", 100, 10_000, "Stems of at least 100 projects: they say next to nothing."),
    ("USUAL", 40, 100, "Stems of 40 to 99 projects."),
    ("FREQUENT", 13, 40, "Stems of 13 to 39 projects."),
)
TEXT_CHARS = 1_500
WIDTH = 112


def texts() -> Iterator[tuple[str, str]]:
    """Yield (project, text) for every text that is counted."""
    for path in [*ROOT.glob("bench/sessions/*.jsonl"), *ROOT.glob("packages/*/src/*/capture/*.jsonl")]:
        for session in map(json.loads, path.read_text("utf-8").splitlines()):
            for event in session["events"]:
                hook = event.get("hook", {})
                yield session["name"], str(hook.get("prompt") or hook.get("last_assistant_message") or "")[:TEXT_CHARS]
    for path in [*ROOT.glob("bench/statements/*.jsonl"), *ROOT.glob("bench/shapes/*.jsonl")]:
        for number, row in enumerate(map(json.loads, path.read_text("utf-8").splitlines())):
            yield f"{path.name} {number}", row.get("text") or row["prompt"]


def main() -> None:
    projects, forms = defaultdict[str, set[str]](set), defaultdict[str, Counter[str]](Counter)
    for project, text in texts():
        for stem, word in search_words.stems(text).items():
            projects[stem].add(project)
            forms[stem][word.lower()] += 1
    usual = {stem: len(held) for stem, held in projects.items() if not stem.isdigit()}
    common = {stem for stem in usual if forms[stem].most_common(1)[0][0] in COMMON_WORDS}
    head = (
        '"""How often developers use a word, whatever the project. Import-light, because hooks use it.\n\n'
        'Written by `scripts/developer_words.py`; not edited by hand.\n"""\n'
    )
    lines = [head]
    for name, least, most, says in TABLES:
        stems = sorted(stem for stem, number in usual.items() if least <= number < most and stem not in common)
        lines += [
            f"{name} = frozenset(",
            '    """',
            *wrapped(stems),
            '    """.split()  # noqa: SIM905',
            ")",
            f'"""{says}"""',
        ]
    TARGET.write_text("\n".join(lines) + "\n", "utf-8")


def wrapped(words: list[str]) -> list[str]:
    """Return words in lines of at most WIDTH characters."""
    lines, line = [], "   "
    for word in words:
        if len(line) + len(word) + 1 > WIDTH:
            lines.append(line)
            line = "   "
        line += f" {word}"
    return [*lines, line]


if __name__ == "__main__":
    main()

"""Write `src/recollect/model/stemmer_tables.py`: what FTS5's tokenizer `unicode61` does with each code point.

Run it when SQLite's tables change: `python scripts/stemmer_tables.py`. Each code point is given to the tokenizer that
apsw brings along, alone and after a letter.
"""

import textwrap
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import apsw

TARGET = Path(__file__).parent.parent / "src" / "recollect" / "model" / "stemmer_tables.py"
FIRST, LAST = 0x80, 0x10FFFF
SURROGATES = range(0xD800, 0xE000)
Tokenizer = Callable[..., Any]

HEAD = '''"""How FTS5's `unicode61` splits and folds text beyond ASCII; from scripts/stemmer_tables.py. Import-light.

FTS5 has Unicode tables of its own, older than Python's. `BOUNDS` are the code points, in hexadecimal, at which
separators and characters of words take turns, separators first. `FOLDS` are runs of characters that become others, as
`first-last/step:distance`. `MARKS` are the combining diacritics that are dropped inside a word.
"""

from bisect import bisect_right

'''
TAIL = '''

def _folds() -> dict[int, int]:
    folds = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}
    for run in FOLDS.split():
        codes, _, distance = run.partition(":")
        span, _, step = codes.partition("/")
        first, _, last = span.partition("-")
        for code in range(int(first, 16), int(last or first, 16) + 1, int(step or "1")):
            folds[code] = code + int(distance)
    return folds | {int(code, 16): 1 for code in MARKS.split()}


class _Fold(dict[int, int]):
    """A table for `str.translate`: the folded character, a space for a separator, 1 for a diacritic."""

    def __init__(self) -> None:
        self._folds = _folds()
        self._bounds = [int(bound, 16) for bound in BOUNDS.split()]

    def __missing__(self, code: int) -> int:
        folded = self[code] = self._folds.get(code) or (code if self._is_of_a_word(code) else 32)
        return folded

    def _is_of_a_word(self, code: int) -> bool:
        return chr(code).isalnum() if code < 128 else bisect_right(self._bounds, code) % 2 == 0


FOLD = _Fold()
'''


def measure(tokenizer: Tokenizer) -> tuple[dict[int, int], list[int]]:
    """Return the code points that make words, each with what it becomes, and those that only continue a word."""
    words, marks = {}, []
    for code in range(FIRST, LAST + 1):
        if code not in SURROGATES:
            alone = tokenizer(chr(code).encode(), apsw.FTS5_TOKENIZE_DOCUMENT, None)
            if alone:
                words[code] = ord(alone[0][2])
            elif len(found := tokenizer(f"a{chr(code)}b".encode(), apsw.FTS5_TOKENIZE_DOCUMENT, None)) == 1:
                if found[0][2] != "ab":
                    raise SystemExit(f"{code:x} continues a word and adds to it: the table cannot say that")
                marks.append(code)
    return words, marks


def bounds(words: Iterable[int]) -> list[int]:
    """Return the code points at which separators and characters of words take turns, separators first."""
    is_word = set(words)
    found = [FIRST]
    for code in range(FIRST, LAST + 1):
        if (code in is_word) != (len(found) % 2 == 0):
            found.append(code)
    return found


def runs(folds: dict[int, int]) -> list[str]:
    """Return the folded characters as runs of one distance and one step."""
    found: list[list[int]] = []  # first, last, step, distance
    for code in sorted(folds):
        distance = folds[code] - code
        if found and found[-1][3] == distance and found[-1][2] in (0, code - found[-1][1]) and code - found[-1][1] < 3:
            found[-1][1:3] = code, code - found[-1][1]
        else:
            found.append([code, code, 0, distance])
    return [
        f"{first:x}{f'-{last:x}' if step else ''}{f'/{step}' if step > 1 else ''}:{distance}"
        for first, last, step, distance in found
    ]


def literal(name: str, parts: Iterable[str]) -> str:
    """Return the source of a constant: one string in lines."""
    lines = "\n".join(f"    {line}" for line in textwrap.wrap(" ".join(parts), 112))
    return f'{name} = """\n{lines}\n"""\n'


def main() -> None:
    """Measure and write."""
    words, marks = measure(apsw.Connection(":memory:").fts5_tokenizer("unicode61", []))
    folds = {code: becomes for code, becomes in words.items() if becomes != code}
    parts = (
        literal("BOUNDS", (f"{bound:x}" for bound in bounds(words))),
        literal("FOLDS", runs(folds)),
        literal("MARKS", (f"{mark:x}" for mark in marks)),
    )
    TARGET.write_text(HEAD + "".join(parts) + TAIL, "utf-8")


if __name__ == "__main__":
    main()

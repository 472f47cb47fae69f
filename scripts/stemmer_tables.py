"""Write `src/recollect/model/words/stemmer_tables.py`: what FTS5's tokenizer `unicode61` does with each code point.

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

FTS5 has Unicode tables of its own, older than Python's. Strings, because they load in no time:

- `BOUNDS`: the characters at which separators and letters take turns, separators first
- `FOLDS`: pairs of a letter and the letter that it is folded to
- `MARKS`: the combining diacritics, which are dropped inside a word
"""

from bisect import bisect_right

'''
TAIL = '''

class _Fold(dict[int, int]):
    """A table for `str.translate`: the folded letter, a space for a separator, 1 for a diacritic."""

    def __missing__(self, code: int) -> int:
        if code < 128:
            folded = ord(chr(code).lower()) if chr(code).isalnum() else 32
        else:
            folded = code if bisect_right(BOUNDS, chr(code)) % 2 == 0 else 32
        self[code] = folded
        return folded


FOLD = _Fold(str.maketrans(FOLDS[::2], FOLDS[1::2]) | str.maketrans(MARKS, "\x01" * len(MARKS)))
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


def literal(name: str, codes: Iterable[int]) -> str:
    """Return the source of a constant: one string in lines, escaped beyond ASCII."""
    escaped = " ".join(ascii(chr(code))[1:-1] for code in codes)
    lines = "\n".join(f'    "{line.replace(" ", "")}"' for line in textwrap.wrap(escaped, 124))
    return f"{name} = (\n{lines}\n)\n"


def main() -> None:
    """Measure and write."""
    words, marks = measure(apsw.Connection(":memory:").fts5_tokenizer("unicode61", []))
    folds = (code for pair in words.items() if pair[0] != pair[1] for code in pair)
    TARGET.write_text(
        HEAD + literal("BOUNDS", bounds(words)) + literal("FOLDS", folds) + literal("MARKS", marks) + TAIL, "utf-8"
    )


if __name__ == "__main__":
    main()

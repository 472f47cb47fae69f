"""The words of a text as recall compares them: stems, each known by a number. Import-light, because hooks use it.

Memories and queries go through the same functions, so that both sides have the same stems.
"""

from binascii import crc32

from recollect.model.words.stemmer import tokens
from recollect.model.words.stop_words import ASKING_WORDS, STOP_WORDS

MODEL = "word_meanings_256/2"
"""The name of the model whose word vectors are compared. Vectors of another model are made anew."""
# The score of the full-text index: a word of the title counts double.
POINTS = "bm25(memory_words, 2.0, 1.0, 1.5, 1.0, 1.0, 0.5, 1.0)"
MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
LONGEST_BYTES = 20_000
"""How much of a text is read, in bytes of UTF-8."""
HEAD_WORDS = 120
"""How many words of a memory are compared."""
SHORTEST_OTHER = 3
LAST_LATIN, LATIN_MORE = "\u036f", ("\u1e00", "\u1eff")
"""The last Latin letter or combining mark, and a later block that is Latin too."""
QUIET = STOP_WORDS | ASKING_WORDS
"""Words that are left out: a question is made of them, no memory is about them."""


def stems(text: str) -> dict[str, str]:
    """Return the content words of a text in their order, each once: stem -> the word as it is written there."""
    if len(text) * 4 > LONGEST_BYTES:
        text = text.encode("utf-8", "replace")[:LONGEST_BYTES].decode("utf-8", "ignore")
    found: dict[str, str] = {}
    for start, end, stem in tokens(text):
        if stem not in found:
            word = text[start:end]
            if word.lower() not in QUIET and (len(word) > 1 or not word.isascii()):
                found[stem] = word
    return found


def all_stems(text: str) -> dict[str, str]:
    """Return the content words of a text, then the words inside its compound words: stem -> word."""
    found = stems(text)
    inner = parts(text[:LONGEST_BYTES])
    return found | {stem: word for stem, word in stems(inner).items() if stem not in found} if inner else found


def key(stem: str) -> int:
    """Return the number that stands for a stem in the store; the word cannot be read from it."""
    return crc32(stem.encode("utf-8", "replace"))


def place_key(path: str) -> int:
    """Return the number that stands for a file: of its name and its folder's name, so that every checkout agrees."""
    return crc32("/".join(path.replace("\\", "/").split("/")[-2:]).encode("utf-8", "replace"))


def paths(text: str) -> list[str]:
    """Return what looks like a file path in a text, such as the files of a stack trace; at most 60."""
    found = []
    for word in text[:LONGEST_BYTES].split():
        bare = word.strip("\"'`,;()[]{}<>").partition(":")[0]
        if "/" in bare and "." in bare.rpartition("/")[2]:
            found.append(bare)
    return found[:60]


def parts(text: str) -> str:
    """Return the words inside compound words, joined by spaces.

    For `refreshToken` that is both its parts; for a script without spaces every pair of neighbouring characters.
    """
    found: dict[str, None] = {}
    for word in text.split():
        if not word.isascii():
            _add_pairs(word, found)
        elif not (word.islower() or word.isupper() or word.istitle()):
            _add_humps(word, found)
    return " ".join(found)


def other_scripts(text: str) -> list[str]:
    """Return the words of a text that are not in Latin letters, each once: for rankings that read ASCII words alone.

    Of a script without spaces these are the pairs of neighbouring characters; of others words of three letters or more.
    """
    found: dict[str, None] = {}
    for word in "" if text.isascii() else text.lower()[:LONGEST_BYTES].split():
        if not word.isascii():
            _add_pairs(word, found)
            bare = "".join(sign if _is_other_letter(sign) else " " for sign in word)
            found.update(dict.fromkeys(piece for piece in bare.split() if len(piece) >= SHORTEST_OTHER))
    return list(found)


def _is_other_letter(sign: str) -> bool:
    """Whether a character is a letter of a script that is not Latin and has spaces between words."""
    return (
        sign > LAST_LATIN and sign.isalpha() and not _is_unspaced(sign) and not LATIN_MORE[0] <= sign <= LATIN_MORE[1]
    )


def script_length(text: str) -> int:
    """Return the length of a text, where a character of a script without spaces counts twice."""
    return len(text) if text.isascii() else len(text) + sum(map(_is_unspaced, text[:LONGEST_BYTES]))


def _add_pairs(word: str, found: dict[str, None]) -> None:
    run = ""
    for sign in word + " ":
        if _is_unspaced(sign):
            run += sign
        else:
            found.update(dict.fromkeys(run[at : at + 2] for at in range(len(run) - 1)))
            run = ""


def _is_unspaced(sign: str) -> bool:
    """Whether a character belongs to a script that puts no spaces between words."""
    return (
        "\u3040" <= sign <= "\u30ff"
        or "\u3400" <= sign <= "\u9fff"
        or "\uac00" <= sign <= "\ud7af"
        or ("\u0e00" <= sign <= "\u0eff" or "\U00020000" <= sign <= "\U0003ffff")
    )


def _add_humps(word: str, found: dict[str, None]) -> None:
    piece, pieces = "", []
    for before, sign in zip(" " + word, word, strict=False):
        if not sign.isalnum() or (sign.isupper() and before.islower()):
            pieces.append(piece)
            piece = ""
        if sign.isalnum():
            piece += sign
    pieces.append(piece)
    if sum(1 for piece in pieces if piece) > 1:
        found.update(dict.fromkeys(piece.lower() for piece in pieces if len(piece) > 2))

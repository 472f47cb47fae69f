"""The words of a text as recall compares them: stems, each known by a number. Import-light, because hooks ask.

Reading and asking go through the same functions, so both sides find the same words.
"""

from binascii import crc32

from recollect.model import stemmer
from recollect.model.stop_words import ASKING_WORDS, STOP_WORDS

MODEL = "l2_supercat_256/1"
"""Which vectors we compare; what another model made is as good as none."""
# The index of words: how it splits text, and its rank; a word of the title says more than one of the text.
TOKENIZER = ("porter", "unicode61")
POINTS = "bm25(memory_words, 2.0, 1.0, 1.5, 1.0, 1.0, 0.5, 1.0)"
MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
LONGEST_BYTES = 20_000
HEAD_WORDS = 120
"""How many words of a memory are compared."""
QUIET = STOP_WORDS | ASKING_WORDS


def stems(text: str) -> dict[str, str]:
    """Return the telling words of a text in their order, each once: stem → the word as it stands there."""
    text = text.encode("utf-8", "replace")[:LONGEST_BYTES].decode("utf-8", "ignore")
    found: dict[str, str] = {}
    for start, end, stem in stemmer.tokens(text):
        if stem not in found:
            word = text[start:end].replace('"', "").replace("\0", "")
            if word and word.lower() not in QUIET and (len(word) > 1 or not word.isascii()):
                found[stem] = word
    return found


def all_stems(text: str) -> dict[str, str]:
    """Return the telling words of a text, and then those inside its words."""
    found = stems(text)
    inner = parts(text[:LONGEST_BYTES])
    return found | {stem: word for stem, word in stems(inner).items() if stem not in found} if inner else found


def key(stem: str) -> int:
    """The number that stands for a stem: nobody reads a word out of it."""
    return crc32(stem.encode("utf-8", "replace"))


def place_key(path: str) -> int:
    """The number that stands for a file: its name and its folder's, wherever the checkout lies."""
    return crc32("/".join(path.replace("\\", "/").split("/")[-2:]).encode("utf-8", "replace"))


def paths(text: str) -> list[str]:
    """What looks like a file in a text: of a stack trace, the places that it went through."""
    found = []
    for word in text[:LONGEST_BYTES].split():
        bare = word.strip("\"'`,;()[]{}<>").partition(":")[0]
        if "/" in bare and "." in bare.rpartition("/")[2]:
            found.append(bare)
    return found[:60]


def parts(text: str) -> str:
    """Words that stand inside others: of `refreshToken` both, of a script without spaces every two neighbours."""
    found: dict[str, None] = {}
    for word in text.split():
        if not word.isascii():
            _add_pairs(word, found)
        elif not (word.islower() or word.isupper() or word.istitle()):
            _add_humps(word, found)
    return " ".join(found)


def _add_pairs(word: str, found: dict[str, None]) -> None:
    run = ""
    for sign in word + " ":
        if _is_unspaced(sign):
            run += sign
        else:
            found.update(dict.fromkeys(run[at : at + 2] for at in range(len(run) - 1)))
            run = ""


def _is_unspaced(sign: str) -> bool:
    """Whether it belongs to a script that puts no spaces between words."""
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

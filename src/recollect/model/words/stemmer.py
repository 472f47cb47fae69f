"""Split text into words and stem them exactly as SQLite's FTS5 tokenizer `porter unicode61` does. Import-light.

Recall compares stems with the terms of the full-text index, so both sides have to agree. Having the tokenizer here lets
hooks stem a prompt without a database, and lets another engine rank alike. Two parts:

- splitting (`unicode61`): letters and digits make words, everything else separates them. Words are folded to lower case
  and lose their diacritics. Beyond ASCII, `stemmer_tables` says what FTS5's own Unicode tables say.
- stemming (`porter`): Porter's algorithm of 1980, with the details in which FTS5 differs from the paper. FTS5 works on
  UTF-8 bytes; words of more than 64 or fewer than 3 bytes stay as they are.
"""

from recollect.lazy import load

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Mapping

    Step = Mapping[str, tuple[tuple[str, str], ...]]

SHORTEST_BYTES, LONGEST_BYTES = 3, 64
MARK = "\x01"
"""What a combining diacritic is folded to: inside a word it is dropped. No other character is folded to it."""

_ASCII_FOLD = "".join(chr(code).lower() if chr(code).isalnum() else " " for code in range(128))
_LETTER_CLASSES = "".join("v" if sign in "aeiou" else "y" if sign == "y" else "c" for sign in map(chr, range(256)))
"""By code: vowel, consonant, or y, which is either. Covers Latin-1, because a word may be read as its bytes."""

_STEMMABLE_LETTERS = "sye"
_STEMMABLE_ENDINGS = frozenset(
    ("ed", "ng", "al", "ul", "ll", "ic", "nt", "on", "ou", "sm", "er", "or", "ci", "gi", "li", "ti")
)
"""The last letter, or the last two, of every word that some step may change."""

# Each step: last two letters -> (suffix, replacement), tried in this order. The first suffix that fits decides.
_STEP_2: "Step" = {
    "al": (("ational", "ate"), ("tional", "tion")),
    "ci": (("enci", "ence"), ("anci", "ance")),
    "er": (("izer", "ize"),),
    "gi": (("logi", "log"),),
    "li": (("bli", "ble"), ("alli", "al"), ("entli", "ent"), ("eli", "e"), ("ousli", "ous")),
    "on": (("ization", "ize"), ("ation", "ate")),
    "or": (("ator", "ate"),),
    "sm": (("alism", "al"),),
    "ss": (("iveness", "ive"), ("fulness", "ful"), ("ousness", "ous")),
    "ti": (("aliti", "al"), ("iviti", "ive"), ("biliti", "ble")),
}
_STEP_3: "Step" = {
    "al": (("ical", "ic"),),
    "ss": (("ness", ""),),
    "te": (("icate", "ic"),),
    "ti": (("iciti", "ic"),),
    "ul": (("ful", ""),),
    "ve": (("ative", ""),),
    "ze": (("alize", "al"),),
}
_STEP_4: "Step" = {
    "al": (("al", ""),),
    "ce": (("ance", ""), ("ence", "")),
    "er": (("er", ""),),
    "ic": (("ic", ""),),
    "le": (("able", ""), ("ible", "")),
    "nt": (("ant", ""), ("ement", ""), ("ment", ""), ("ent", "")),
    "on": (("ion", ""),),
    "ou": (("ou", ""),),
    "sm": (("ism", ""),),
    "te": (("ate", ""),),
    "ti": (("iti", ""),),
    "us": (("ous", ""),),
    "ve": (("ive", ""),),
    "ze": (("ize", ""),),
}


def tokens(text: str, letters: "Container[str] | None" = None) -> list[tuple[int, int, str]]:
    """Return each word of a text as (start, end, stem), in order; start and end count characters of `text`.

    With `letters`, words that begin with another letter are left out: stemming is what takes time.
    """
    found = []
    start = 0
    folded = text.translate(_ASCII_FOLD if text.isascii() else load("recollect.model.words.stemmer_tables").FOLD)
    for word in folded.split(" "):
        if word:
            end = start + len(word)
            if MARK in word:
                start = end - len(word.lstrip(MARK))
                word = word.replace(MARK, "")  # noqa: PLW2901
            if word and (letters is None or word[0] in letters):
                found.append((start, end, stem(word)))
            start = end
        start += 1
    return found


def stem(word: str) -> str:
    """Return the stem of a word that is folded already: lower case, without diacritics."""
    if not word.isascii():
        return _stem_bytes(word)
    if word[-1:] not in _STEMMABLE_LETTERS and word[-2:] not in _STEMMABLE_ENDINGS:
        return word
    return _stem(word) if SHORTEST_BYTES <= len(word) <= LONGEST_BYTES else word


def _stem_bytes(word: str) -> str:
    """Stem a word beyond ASCII by its UTF-8 bytes, each of them a consonant, as FTS5 does."""
    given = word.encode("utf-8", "replace").decode("latin-1")
    if not SHORTEST_BYTES <= len(given) <= LONGEST_BYTES:
        return word
    stemmed = _stem(given)
    # A byte that is taken for one of two equal consonants may leave half a character behind.
    return word if stemmed == given else stemmed.encode("latin-1").decode("utf-8", "replace")


def _stem(given: str) -> str:
    word = _without_plural(given) if given[-1] == "s" else given
    shape = _shape(word)
    if word[-2:] == "ed" or word[-3:] == "ing":
        word = _without_past(word, shape)
    if word[-1] == "y" and shape.find("v", 0, len(word) - 1) >= 0:
        word = word[:-1] + "i"
    # A suffix is replaced by letters of the same classes, so `shape` stays true of whatever stands before a suffix.
    if word[-2:] in _STEP_2:
        word = _replace_suffix(word, shape, _STEP_2, 1)
    if word[-2:] in _STEP_3:
        word = _replace_suffix(word, shape, _STEP_3, 1)
    if word[-2:] in _STEP_4:
        word = _replace_suffix(word, shape, _STEP_4, 2)
    if word[-1] == "e":
        word = _without_last_e(word, shape if word is given else _shape(word))
    if word[-2:] == "ll" and shape.count("vc", 0, len(word) - 1) > 1:
        return word[:-1]
    return word


def _shape(word: str) -> str:
    """Return "v" for each vowel and "c" for each consonant; y is a vowel after a consonant. "vc" occurs m times."""
    shape = word.translate(_LETTER_CLASSES)
    at = shape.find("y")
    while at >= 0:
        shape = shape[:at] + ("c" if at == 0 or shape[at - 1] == "v" else "v") + shape[at + 1 :]
        at = shape.find("y", at + 1)
    return shape


def _without_plural(word: str) -> str:
    """Step 1a: take the plural's s or es away."""
    if word[-2] == "s":
        return word
    if word[-2] == "e" and ((len(word) > 4 and word[-4:-2] == "ss") or (len(word) > 3 and word[-3] == "i")):
        return word[:-2]
    return word[:-1]


def _without_past(word: str, shape: str) -> str:
    """Step 1b: take `ed` or `ing` away, and repair what is left: hoping -> hope, hopping -> hop."""
    size = len(word)
    if size > 3 and word[-3:] == "eed":
        return word[:-1] if shape.find("vc", 0, size - 3) >= 0 else word
    cut = size - (2 if word[-1] == "d" else 3)
    if cut < 1 or shape.find("v", 0, cut) < 0:
        return word
    word = word[:cut]
    if cut > 2 and word[-2:] in ("at", "bl", "iz"):
        return word + "e"
    if word[-1] == word[-2:-1] and word[-1] not in "aeioulsz":
        return word[:-1]
    if shape.count("vc", 0, cut) == 1 and _ends_short(word, shape):
        return word + "e"
    return word


def _replace_suffix(word: str, shape: str, step: "Step", least: int) -> str:
    """Replace the first suffix of a step that fits, if what stands before it has at least `least` times "vc"."""
    for suffix, replacement in step[word[-2:]]:
        cut = len(word) - len(suffix)
        if cut > 0 and word.endswith(suffix):
            if shape.count("vc", 0, cut) >= least and (suffix != "ion" or word[cut - 1] in "st"):
                return word[:cut] + replacement
            break
    return word


def _without_last_e(word: str, shape: str) -> str:
    """Step 5a: take a last e away where enough is left."""
    left = word[:-1]
    number = shape.count("vc", 0, len(left))
    return left if number > 1 or (number == 1 and not _ends_short(left, shape)) else word


def _ends_short(word: str, shape: str) -> bool:
    """Whether a word ends in consonant, vowel, consonant, and the last one is not w, x or y."""
    size = len(word)
    return size > 2 and shape[size - 3 : size] == "cvc" and word[-1] not in "wxy"

"""What a value looks like, judged without `re`: random, a password, an example. Import-light: hooks use it.

Texts are bytes read as Latin-1: one character for each byte, and quick to search.
"""

from recollect.policy.secrets import table

Spot = tuple[int, int, str]  # start and end of a credential, and the name of the rule that found it

BLANKS, QUOTES, CLOSERS, GAP = " \t\r\n", "\"'`\0", "*])}", " \t:=>(,[{*|"
NAME = table.LETTERS + table.DIGITS + "_-"
NUMBER = table.DIGITS + "_-"
FEWEST_DISTINCT = 6

_SHAM, _FILLER = tuple(table.SHAM.split()), frozenset(table.FILLER.split())
_CODE = ("::", "&lt;", "&gt;", "&amp;", "&#")
_SIGNS = "!#$%&*+=?^~"
_REFERENCES = (
    "{", "<", "$(", "%(", "/", "~/", "./", "../", "vault:", "arn:", "op:", "env:", "file:", "ssm:", "ref:", "sha256:",
)  # fmt: skip


def classes(**signs_of: str) -> bytes:
    """Build a table for `bytes.translate`: a letter for the characters of each class, a blank for all others."""
    found = bytearray(b" " * 256)
    for letter, signs in signs_of.items():
        for sign in signs.encode():
            found[sign] = ord(letter)
    return bytes(found)


_KINDS = classes(a=table.LOWER, A=table.UPPER, o=table.DIGITS)


def start_of(signs: str, text: str) -> str:
    """Return the longest beginning of a text that has only these characters."""
    return text[: len(text) - len(text.lstrip(signs))]


def end_of(signs: str, text: str) -> str:
    """Return the longest end of a text that has only these characters."""
    return text[len(text.rstrip(signs)) :]


def kinds(value: str) -> str:
    """Return a letter for each of the first 160 characters: `a` or `A` by case, `o` for a digit, else a blank."""
    return value[:160].encode("latin-1", "replace").translate(_KINDS).decode("latin-1")


def is_random(value: str) -> bool:
    """Whether a generator made a value: case and digits change too often for words.

    From one change to the next there are fewer than 3 characters on average, 3.4 in a value of 24 or more.
    """
    found = kinds(value)
    parts = found.split()
    changes = len(parts) + sum(map(found.count, ("ao", "oa", "Ao", "oA", "aA", "AAa")))
    if not value.strip(table.DIGITS + "abcdefABCDEF-"):
        return changes > 4 or (len(value) >= 24 and changes > 2 and "o" in found and "-" not in value)
    size = sum(map(len, parts))
    return size > 9 and size / changes < (3.0 if size < 24 else 3.4)


def is_scattered(value: str) -> bool:
    """Whether digits stand among letters in several places and nothing joins words; enough behind a name."""
    found = kinds(value)
    return " " not in found.strip() and sum(map(found.count, ("ao", "oa", "Ao", "oA"))) > 2


def is_dense(body: str, *, is_telling: bool) -> bool:
    """Whether what follows a prefix may be a token: not one character over and over, and not plain words.

    `is_telling` means that the prefix occurs nowhere else: then a digit or a capital is enough.
    """
    if len(set(body)) < FEWEST_DISTINCT or max(map(body.count, set(body[:40]))) * 2 > len(body) or "..." in body:
        return False
    found = kinds(body)
    if is_telling and ("o" in found or "A" in found):
        return True
    is_varied = "a" not in found or ("o" in found and "A" in found)
    is_cased = "a" in found and "A" in found and len(found) < 8 * found.count("aA")
    return is_varied or is_cased or is_random(body)


def is_sham(value: str, quote: str = "'") -> bool:
    """Whether a value stands for a credential: an example, a variable, a template, a path, a piece of code."""
    low, name = value[:160].lower(), value.partition("=")[0]
    if len(set(low)) < FEWEST_DISTINCT or low in _FILLER or any(map(low.__contains__, _SHAM)):
        return True
    is_variable = value[0] == "$" and not value.strip(NAME[:-1] + "$")
    if is_variable or low.startswith(_REFERENCES) or any(map(low.__contains__, _CODE)):
        return True
    if quote:
        return False
    is_pair = name != value and value.rstrip("=") != name and name.islower() and name.replace(".", "_").isidentifier()
    return is_pair or value[0] in "$~%@&-" or any(map(value.__contains__, ("[", "(", "self.", "\\", "::")))


def is_password(value: str, quote: str, *, is_given: bool) -> bool:
    """Whether a value is a password: assigned in quotes and no name, with symbols, or with digits and both cases."""
    if not 6 <= len(value) <= 200 or " " in value or (value.isalpha() and not is_given) or is_sham(value, quote):
        return False
    found = kinds(value)
    is_constant = "_" in value and "o" not in found and (value.islower() or value.isupper()) and value.isidentifier()
    if is_given and not is_constant and "password" not in value.lower():
        return True
    has_signs = any(map(value[1:-1].__contains__, _SIGNS))
    is_mixed = ("a" in found and "A" in found) or has_signs or is_random(value)
    return is_mixed and ("o" in found or has_signs) and ("a" in found or "A" in found)


def is_token(value: str, quote: str, *, is_given: bool) -> bool:
    """Whether a value is a token: random, or, where `is_given`, digits among letters of both cases."""
    if not 8 <= len(value) <= 4_000 or " " in value or is_sham(value, quote) or is_path(value):
        return False
    if ":" in value and value.partition(":")[0].islower() and value.partition(":")[0].isalpha():
        return False  # user:4711:permissions
    if not quote and "_" in value and len(value) < 24 and value.isidentifier() and (value.isupper() or value.islower()):
        return False  # a constant or a variable
    found = kinds(value)
    if "o" not in found or ("a" not in found and "A" not in found):
        return len(value) >= 16 and "o" not in found and is_random(value) and is_given
    if is_random(value) or (len(value) >= 16 and is_scattered(value)):
        return True
    is_joined = " " in found
    is_whole = len(value) >= 16 and not is_joined and (quote != "" or value.islower() or value.isupper())
    return is_given and (is_whole or ("a" in found and "A" in found and not is_slug(value)))


def is_path(value: str) -> bool:
    """Whether a value is a path of words: `src/auth/token2.py`."""
    pieces = value.replace("\\", "/").split("/")
    return len(pieces) > 1 and not is_random("".join(pieces))


def is_slug(value: str) -> bool:
    """Whether a value is words and numbers joined by hyphens, dots, colons or underscores: `claude-Sonnet-4-5`."""
    pieces = value.replace("_", "-").replace(".", "-").replace(":", "-").split("-")
    return len(pieces) > 1 and all(piece.isalpha() or piece.isdigit() or len(piece) < 4 for piece in pieces)

"""Clean, cut, slugify and hash text."""

import re
import unicodedata
from datetime import datetime

from recollect.lazy import load

SLUG_CHARS = 80
TITLE_CHARS = 120
SLUG = re.compile(r"^[a-z0-9]([a-z0-9-]{0,78}[a-z0-9])?$")
CONFLICT_MARKERS = re.compile(rb"^(<{7} |={7}$|>{7} )", re.MULTILINE)

# Line ends and tabs are layout; every other control character, and every character that hides or
# reorders text (zero-width, bidi, tags), can only mislead the reader.
_HIDDEN = "\u200b-\u200f\u2028-\u202f\u2060-\u2069\ufeff\U000e0000-\U000e007f"
_NOT_IN_A_BODY = re.compile(f"[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f{_HIDDEN}]")
# JavaScript cuts strings in the middle of an emoji; neither that half nor a NUL can be stored.
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")
_NOT_IN_A_LINE = re.compile(f"[\\x00-\\x1f\\x7f-\\x9f{_HIDDEN}]")


def new_uid(moment: datetime) -> str:
    """Return a new sortable id: 48 bits of milliseconds and 48 random bits, in hexadecimal."""
    random_part = load("secrets").token_hex(6)
    return f"{int(moment.timestamp() * 1000):012x}{random_part}"


def slugify(title: str) -> str:
    """Return lower-case ASCII words joined by hyphens, at most 80 characters; may be empty (B51)."""
    ascii_only = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", ascii_only.lower()).strip("-")[:SLUG_CHARS].strip("-")


def clean_line(text: str) -> str:
    """Return a text without control, zero-width and bidi characters, line ends, and white space around it."""
    return text.strip() if _is_plain(text) else _NOT_IN_A_LINE.sub("", text).strip()


def clean_body(text: str) -> str:
    """Return a text without control, zero-width and bidi characters; line ends and tabs stay."""
    return text if _is_plain(text) else _NOT_IN_A_BODY.sub("", text)


def _is_plain(text: str) -> bool:
    # Most text is, and this test is ten times faster than a search.
    return text.isascii() and text.isprintable()


def clean_title(title: str) -> str:
    """Return a title that cannot break an index line: no ` -> `, no `#tags:` (auto-fix 8 of seed 002)."""
    bare = clean_line(title)
    if "#" in bare:
        bare = re.sub(r"#tags:", "", bare, flags=re.IGNORECASE).strip()
    return re.sub(r" (?:-> )+", " - ", bare) if "->" in bare else bare


def clean_tag(tag: str) -> str:
    """Return a tag that cannot break an index line: no comma, arrow or `#tags:` (auto-fix 9 of seed 002)."""
    bare = clean_line(tag).lower()
    for mark in ("#tags:", "->", ","):
        bare = bare.replace(mark, " ")
    return " ".join(bare.split())


def storable(text: str) -> str:
    """Return text that a database and a UTF-8 file can hold: no NUL, no half of a surrogate pair."""
    return _UNSTORABLE.sub("\ufffd", text)


def cut(text: str, limit: int) -> str:
    """Return at most `limit` characters, with an ellipsis if something is missing."""
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"


def first_line(text: str) -> str:
    """Return the first line that is not blank; empty if there is none."""
    return next((line.strip() for line in text.splitlines() if line.strip()), "")


def sha256(text: str) -> str:
    """Return the digest by which equal texts are recognised (D9)."""
    digest: str = load("hashlib").sha256(text.encode()).hexdigest()
    return digest


def md5(data: bytes) -> str:
    """Return the revision hash for optimistic concurrency (seed 001: the file's MD5)."""
    digest: str = load("hashlib").md5(data, usedforsecurity=False).hexdigest()
    return digest


def has_conflict_markers(data: bytes) -> bool:
    """Whether a file contains git's conflict markers."""
    return len(set(CONFLICT_MARKERS.findall(data))) >= 2

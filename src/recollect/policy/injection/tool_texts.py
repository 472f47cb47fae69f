"""Memories as text for an agent that asked for them: a line each with a handle, or the whole. Pure.

The texts pass the governor and are escaped, as those that hooks inject (`cards`).
"""

from collections.abc import Iterable, Sequence

from recollect.model.age import age
from recollect.model.found_memory import FoundMemory
from recollect.policy.injection import cards, untrusted_text

LINE_CHARS = 200
WEAK = "?"
"""Stands before a memory that has too little in common with the question to be told by a hook."""
LEAST_CHARS = 200
CUT = "cut: set max_bytes for the whole."
LEFT_OFF = "{number} more left off: ask for fewer, or set max_bytes (now {bytes:,})."


def found_line(memory: FoundMemory, handle: str, now: float, excerpt: str) -> str:
    """Return a found memory as one line: handle, kind, age, title, the words that match, notes about linked ones."""
    quoted, trusted = cards.source(memory), memory.is_by_user
    if quoted:
        title, rest = f"quoted from {quoted}: {untrusted_text.quote(memory.title, cards.TITLE_CHARS)}", ""
    else:
        title = untrusted_text.line(memory.title, cards.TITLE_CHARS, trusted=trusted)
        rest = untrusted_text.line(excerpt, LINE_CHARS, trusted=trusted)
    mark = f"{WEAK} " if memory.verdict else ""
    kind = untrusted_text.attribute(memory.kind, 80)
    parts = [f"{mark}{handle}  {kind}  {age(memory.created, now)}  {title}", *([rest] if rest else [])]
    return "- " + " | ".join([*parts, *cards.notes(memory)])


def whole(memory: FoundMemory, handle: str, now: float, most_chars: int, more: Iterable[str] = ()) -> str:
    """Return a memory with its text, at most `most_chars` of it, and further lines about it, which are governed."""
    lines = [untrusted_text.line(line, LINE_CHARS * 4) for line in more]
    return "\n".join([f"{handle}:", cards.card(memory, now, most_chars), *(f"  {line}" for line in lines)])


def fitting(parts: Sequence[str], most_bytes: int) -> int:
    """Return how many of the parts fit into a number of bytes, each with a line end."""
    spent = 0
    for number, part in enumerate(parts):
        spent += len(part.encode("utf-8", "replace")) + 1
        if spent > most_bytes:
            return number
    return len(parts)


def whole_within(memory: FoundMemory, handle: str, now: float, most_bytes: int, more: Sequence[str]) -> str:
    """Return a memory as `whole` does, with as much of its text as fits; a last line says if it is cut."""
    chars = most_bytes
    text = whole(memory, handle, now, chars, more)
    while len(text.encode("utf-8", "replace")) > most_bytes and chars > LEAST_CHARS:
        chars = max(LEAST_CHARS, chars * 2 // 3)
        text = whole(memory, handle, now, chars, [*more, CUT])
    return text

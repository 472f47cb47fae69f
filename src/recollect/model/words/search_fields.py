"""The search fields of a memory besides its title, text and tags."""

from recollect.model.memory import Memory
from recollect.model.words import search_words
from recollect.model.words.search_words import MONTHS

MOST_FILES = 24


def found_by(memory: Memory) -> tuple[str, str, str]:
    """Return the author's name, the day as text, and the parts of words and paths."""
    return memory.actor, day(memory.created_at), parts(memory)


def day(created_at: str) -> str:
    """Return a date as people write it: `8 May 2023`; empty if it is no date."""
    year, month, number = created_at[:4], created_at[5:7], created_at[8:10]
    is_date = (year + month + number).isdigit() and 1 <= int(month) <= 12
    return f"{int(number)} {MONTHS[int(month) - 1].capitalize()} {year}" if is_date else ""


def parts(memory: Memory) -> str:
    """Return the parts of compound names, pairs of characters, and the files that the memory is about, as one text."""
    return " ".join((search_words.parts(f"{memory.title} {memory.text}"), *files(memory))).strip()


def files(memory: Memory) -> tuple[str, ...]:
    """Return the files that a memory is about: its anchors and the files modified, at most 24."""
    paths = (*(anchor.path for anchor in memory.anchors), *memory.files_modified)
    return tuple(dict.fromkeys(paths))[:MOST_FILES]

"""What a memory is found by besides its own words."""

from recollect.model import search_words
from recollect.model.memory import Memory
from recollect.model.search_words import MONTHS

MOST_FILES = 24


def found_by(memory: Memory) -> tuple[str, str, str]:
    """What a memory is found by besides its words: who said it, on which day, and the words inside its words."""
    return memory.actor, day(memory.created_at), parts(memory)


def day(created_at: str) -> str:
    """`8 May 2023`, as people write it."""
    year, month, number = created_at[:4], created_at[5:7], created_at[8:10]
    is_date = (year + month + number).isdigit() and 1 <= int(month) <= 12
    return f"{int(number)} {MONTHS[int(month) - 1].capitalize()} {year}" if is_date else ""


def parts(memory: Memory) -> str:
    """Names inside names, pairs of signs, and the files that it is about."""
    return " ".join((search_words.parts(f"{memory.title} {memory.text}"), *files(memory))).strip()


def files(memory: Memory) -> tuple[str, ...]:
    """The files that a memory is about: its anchors, and what was changed for it."""
    paths = (*(anchor.path for anchor in memory.anchors), *memory.files_modified)
    return tuple(dict.fromkeys(paths))[:MOST_FILES]

"""What a dialect has to say. For type checkers alone: hooks have no time to load protocols."""

from collections.abc import Mapping
from typing import Protocol


class Dialect(Protocol):
    """A client's module: tables, and one function that spells our answer."""

    NAME: str
    EVENTS: Mapping[str, str]
    HOOKED: Mapping[str, tuple[str | None, int]]
    FIELDS: Mapping[str, tuple[str, ...]]
    WRITING: tuple[str, ...]
    SHELLS: tuple[str, ...]
    MACHINE_PROMPTS: tuple[str, ...]
    CONTEXT_CHARS: int

    def reply(self, native: str, *, context: str = "", refusal: str = "", complaint: str = "") -> str:
        """What the client reads on standard output."""

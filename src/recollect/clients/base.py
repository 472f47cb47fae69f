"""What a dialect has to say. For type checkers alone: hooks have no time to load protocols."""

from collections.abc import Mapping
from typing import Any, Protocol


class Dialect(Protocol):
    """A client's module: tables, and three functions for what no table can say."""

    @property
    def NAME(self) -> str:  # noqa: N802
        """What a person calls it by."""

    @property
    def EVENTS(self) -> Mapping[str, str]:  # noqa: N802
        """Ours for each of the client's events."""

    @property
    def HOOKED(self) -> Mapping[str, tuple[str | None, int]]:  # noqa: N802
        """What `install` asks the client to send: event → (matcher, seconds that the client waits)."""

    @property
    def LISTENS(self) -> tuple[str, ...]:  # noqa: N802
        """The client's events whose `context` gets to the model."""

    @property
    def BLOCKS(self) -> tuple[str, ...]:  # noqa: N802
        """The client's events after which it goes on when it is told to, with `block`."""

    @property
    def FIELDS(self) -> Mapping[str, tuple[str, ...]]:  # noqa: N802
        """Ours for each of the client's fields; where several are named, the first that is there counts."""

    @property
    def DETAILS(self) -> Mapping[str, tuple[str, ...]]:  # noqa: N802
        """Fields that only the worker reads; the first that holds a text with something in it counts."""

    @property
    def WRITING(self) -> tuple[str, ...]:  # noqa: N802
        """Tools that change files."""

    @property
    def READING(self) -> tuple[str, ...]:  # noqa: N802
        """Tools that read a file."""

    @property
    def SEARCHING(self) -> tuple[str, ...]:  # noqa: N802
        """Tools that look through many."""

    @property
    def WEB(self) -> tuple[str, ...]:  # noqa: N802
        """Tools whose answers come from elsewhere."""

    @property
    def SHELLS(self) -> tuple[str, ...]:  # noqa: N802
        """Tools that run commands."""

    @property
    def MACHINE_PROMPTS(self) -> tuple[str, ...]:  # noqa: N802
        """How prompts begin that nobody typed."""

    @property
    def CONTEXT_CHARS(self) -> int:  # noqa: N802
        """More than this does not get to the model as it is."""

    def targets(self, tool: str, path: str, command: str) -> list[str]:
        """The files that a call of a writing tool changes, as the client spells them."""

    def failure(self, native: str, said: dict[str, Any]) -> str:
        """What went wrong with a tool call; empty if it worked."""

    def reply(self, native: str, *, context: str = "", refusal: str = "", complaint: str = "", block: str = "") -> str:
        """What the client reads on standard output."""

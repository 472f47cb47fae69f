"""The protocol of a dialect. For type checkers alone: hooks cannot spend the time to load it."""

from collections.abc import Mapping
from typing import Any, Protocol


class Dialect(Protocol):
    """A client's module: tables and three functions."""

    @property
    def NAME(self) -> str:  # noqa: N802
        """The client's name on the command line."""

    @property
    def EVENTS(self) -> Mapping[str, str]:  # noqa: N802
        """Our event for each of the client's events."""

    @property
    def HOOKED(self) -> Mapping[str, tuple[str | None, int]]:  # noqa: N802
        """The hooks that `install` registers: event → (matcher, timeout in seconds)."""

    @property
    def LISTENS(self) -> tuple[str, ...]:  # noqa: N802
        """The client's events whose `context` is shown to the model."""

    @property
    def BLOCKS(self) -> tuple[str, ...]:  # noqa: N802
        """The client's events at which `block` makes the agent continue its turn."""

    @property
    def BLOCKS_BY_EXIT_CODE(self) -> bool:  # noqa: N802
        """Whether a block is exit code 2 with the reason on standard error; else it is part of the JSON reply."""

    @property
    def READS_PLAIN_TEXT(self) -> bool:  # noqa: N802
        """Whether the client shows a context that is printed as plain text; else it reads JSON alone."""

    @property
    def FIELDS(self) -> Mapping[str, tuple[str, ...]]:  # noqa: N802
        """Our field → the client's fields; the first that is present counts."""

    @property
    def DETAILS(self) -> Mapping[str, tuple[str, ...]]:  # noqa: N802
        """Fields that only the worker reads; the first with a text that is not empty counts."""

    @property
    def WRITING(self) -> tuple[str, ...]:  # noqa: N802
        """Tools that change files."""

    @property
    def READING(self) -> tuple[str, ...]:  # noqa: N802
        """Tools that read a file."""

    @property
    def SEARCHING(self) -> tuple[str, ...]:  # noqa: N802
        """Tools that search files."""

    @property
    def WEB(self) -> tuple[str, ...]:  # noqa: N802
        """Tools whose output comes from the web."""

    @property
    def SHELLS(self) -> tuple[str, ...]:  # noqa: N802
        """Tools that run commands."""

    @property
    def MACHINE_PROMPTS(self) -> tuple[str, ...]:  # noqa: N802
        """Beginnings of prompts that no person typed."""

    @property
    def CONTEXT_CHARS(self) -> int:  # noqa: N802
        """The longest context, in characters, that the client shows to the model unchanged."""

    def targets(self, tool: str, path: str, command: str) -> list[str]:
        """Return the files that a call of a writing tool changes, as the client writes them."""

    def failure(self, native: str, said: dict[str, Any]) -> str:
        """Return the error of a tool call; empty if it worked."""

    def reply(self, native: str, *, context: str = "", refusal: str = "", complaint: str = "", block: str = "") -> str:
        """Return what the client reads on standard output."""

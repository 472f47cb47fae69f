"""The question that recall answers. Import-light."""

from recollect.model.recall_values import RecallScope

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


class Question:
    """A text to find memories for, with what is known about the session that asks."""

    __slots__ = ("earlier", "files", "scope", "settings", "text")

    def __init__(
        self, text: str, scope: RecallScope, *, files: "tuple[str, ...]" = (), earlier: str = "",
        settings: "Mapping[str, Any] | None" = None,
    ) -> None:  # fmt: skip
        self.text, self.scope = text, scope
        self.files = files
        """Files that the session works on."""
        self.earlier = earlier
        """The prompt before this one: its words count too where the question has few."""
        self.settings = settings or {}
        """Settings of the seeds' rankings by their full names; each profile has defaults."""

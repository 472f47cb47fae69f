"""What a hook answers, before a dialect spells it."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Reply:
    """Text for the model, a refusal, a complaint, and the receipt of what was shown."""

    __slots__ = ("complaint", "context", "is_off", "is_plain", "receipt", "refusal", "wants_worker")

    def __init__(self) -> None:
        self.context = self.refusal = self.complaint = ""
        self.is_off = self.is_plain = False
        """Whether the context is printed as it is: the seeds' own renderings are."""
        self.receipt: dict[str, Any] = {}
        self.wants_worker = False

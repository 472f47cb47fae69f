"""What a newer statement does to an older one."""

from enum import Enum


class Verdict(Enum):
    """What a newer statement does to an older one."""

    UNRELATED = "unrelated"
    REVERSED = "reversed"
    MAYBE_REPLACED = "maybe replaced"
    NARROWED = "narrowed"

"""Facts: subject, predicate and object (D13)."""

from typing import Annotated

from pydantic import Field

from recollect.model.content import Value
from recollect.model.memory import Share

FACT_PREFIX = "fact-"
Part = Annotated[str, Field(min_length=1, max_length=2_000)]


class Fact(Value):
    """A statement that holds, and its confidence."""

    uid: Annotated[str, Field(pattern=f"^{FACT_PREFIX}")]
    project: str
    subject: Part
    predicate: Part
    object: Part
    confidence: Share = 1.0
    source: str | None = None
    """The uid of the memory that the fact comes from."""
    created_at: str
    updated_at: str

    @property
    def image(self) -> str:
        """The fact as the store and the journal keep it: JSON on one line."""
        return self.model_dump_json(exclude_defaults=True)


def is_fact(uid: str) -> bool:
    """Whether a uid is that of a fact; all others are those of memories."""
    return uid.startswith(FACT_PREFIX)

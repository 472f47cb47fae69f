"""The filters of a search as a Query: apart, because most searches have none and the model loads slowly."""

from typing import Any

from recollect.model import clock
from recollect.model.query import Query


def query(filters: dict[str, Any]) -> Query:
    """Return the conditions that a person asked for."""
    return Query(
        statuses=(), kinds=tuple(filters["kinds"]), tags=tuple(filters["tags"]), concept=filters["concept"],
        file=filters["file"], session=filters["session"], created_since=clock.named(filters["since"]),
        created_before=clock.named(filters["until"]),
    )  # fmt: skip

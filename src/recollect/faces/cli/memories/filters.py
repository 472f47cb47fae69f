"""Turn the filter options of `recall` into a Query; a separate module, because importing the model is slow."""

from typing import Any

from recollect.model import clock
from recollect.model.query import Query


def query(filters: dict[str, Any]) -> Query:
    """Return the Query for the given filter options."""
    return Query(
        statuses=(), kinds=tuple(filters["kinds"]), tags=tuple(filters["tags"]), concept=filters["concept"],
        file=filters["file"], session=filters["session"], created_since=clock.parse_user_time(filters["since"]),
        created_before=clock.parse_user_time(filters["until"]),
    )  # fmt: skip

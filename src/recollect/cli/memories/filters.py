"""The filters of a search as a condition on rows: apart, because most searches have none and the model loads slowly."""

from typing import Any

from recollect.model import clock
from recollect.model.query import Query
from recollect.store.sqlite import conditions


def scope(filters: dict[str, Any]) -> tuple[str, tuple[object, ...]]:
    """SQL and its values for what a person asked for."""
    query = Query(
        statuses=(), kinds=tuple(filters["kinds"]), tags=tuple(filters["tags"]), concept=filters["concept"],
        file=filters["file"], session=filters["session"], created_since=clock.named(filters["since"]),
        created_before=clock.named(filters["until"]),
    )  # fmt: skip
    return conditions.scope(query)

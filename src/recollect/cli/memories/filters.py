"""Turn the filter options of `recall` into SQL; a module of its own, because it imports the model, which is slow."""

from typing import Any

from recollect.model import clock
from recollect.model.query import Query
from recollect.store.sqlite import conditions


def scope(filters: dict[str, Any]) -> tuple[str, tuple[object, ...]]:
    """Return an SQL condition on memories and its values for the given filter options."""
    query = Query(
        statuses=(), kinds=tuple(filters["kinds"]), tags=tuple(filters["tags"]), concept=filters["concept"],
        file=filters["file"], session=filters["session"], created_since=clock.named(filters["since"]),
        created_before=clock.named(filters["until"]),
    )  # fmt: skip
    return conditions.scope(query)

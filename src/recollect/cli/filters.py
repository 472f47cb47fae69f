"""The filters of a search as a condition on rows."""

from typing import Any

from recollect.errors import BadInput
from recollect.model import clock
from recollect.model.query import Query
from recollect.store import conditions


def scope(filters: dict[str, Any]) -> tuple[str, tuple[Any, ...]]:
    """SQL and its values for what a person asked for."""
    query = Query(
        statuses=(), kinds=tuple(filters["kinds"]), tags=tuple(filters["tags"]), concept=filters["concept"],
        file=filters["file"], session=filters["session"], created_since=_moment(filters["since"]),
        created_before=_moment(filters["until"]),
    )  # fmt: skip
    sql, values = conditions.where(query)
    return (sql, tuple(values)) if sql != conditions.EVERYTHING else ("", ())


def _moment(said: str | None) -> float | None:
    found = clock.seconds(said)
    if said and found is None:
        raise BadInput(f"not a time: {said}", fix="Use an ISO time such as 2026-01-31 or 2026-01-31T12:00:00Z.")
    return found

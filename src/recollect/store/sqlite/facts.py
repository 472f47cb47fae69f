"""The table of facts."""

from recollect.model import clock
from recollect.model.fact import Fact
from recollect.model.query import FactQuery
from recollect.store.sqlite.database import Rows


class FactTable:
    """Facts by identity, by their three parts, and by filter."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    def _facts(self, rest: str, *values: object) -> list[Fact]:
        return [Fact.model_validate_json(row[0]) for row in self._rows(f"SELECT image FROM facts WHERE {rest}", values)]

    def get(self, uid: str) -> Fact | None:
        """Return a fact by its identity; None if there is none."""
        return next(iter(self._facts("uid = ?", uid)), None)

    def same(self, fact: Fact) -> Fact | None:
        """Return the fact of the same project with the same subject, predicate and object; None if there is none."""
        where = "project = ? AND subject = ? AND predicate = ? AND object = ?"
        return next(iter(self._facts(where, fact.project, fact.subject, fact.predicate, fact.object)), None)

    def find(self, query: FactQuery) -> list[Fact]:
        """Return the facts that pass every filter, newest first (D13)."""
        parts, values = ["confidence >= ?"], list[object]([query.min_confidence])
        for column in ("project", "subject", "predicate", "object"):
            if (wanted := getattr(query, column)) is not None:
                parts.append(f"{column} = ?")
                values.append(wanted)
        if query.source is not None:
            parts.append("image ->> '$.source' = ?")
            values.append(query.source)
        limit = -1 if query.limit is None else query.limit
        return self._facts(f"{' AND '.join(parts)} ORDER BY updated DESC, rowid DESC LIMIT ?", *values, limit)

    def put(self, fact: Fact) -> None:
        """Insert a fact, or replace the one with its identity."""
        row = (fact.uid, fact.project, fact.subject, fact.predicate, fact.object, fact.confidence)
        self._rows(
            "REPLACE INTO facts VALUES (?, ?, ?, ?, ?, ?, ?, ?)", (*row, clock.seconds(fact.updated_at), fact.image)
        )

    def remove(self, uid: str) -> None:
        """Delete a fact."""
        self._rows("DELETE FROM facts WHERE uid = ?", (uid,))

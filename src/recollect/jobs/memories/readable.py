"""The memories that upkeep may change: those whose vault file cannot be read now are left alone."""

from recollect.model.query import Query
from recollect.model.rows.upkeep_row import UpkeepRow
from recollect.project_context import ProjectContext


def rows(context: ProjectContext, query: Query) -> list[UpkeepRow]:
    """Return what upkeep reads of the memories that pass a filter, without those whose file is damaged.

    Which files are damaged is known from the last scan.
    """
    found = context.store.upkeep_rows(query)
    if not context.vault.is_on:
        return found
    damaged = {file.uid for file in context.store.sightings(context.root) if file.problem or file.presence == "invalid"}
    return [row for row in found if row.uid not in damaged] if damaged else found

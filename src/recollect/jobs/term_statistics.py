"""The job `term-statistics`: count which words are frequent, so that hooks do not search for them."""

from recollect.jobs.job import JobInput
from recollect.store.protocols import Store

COUNTED = "worker:terms"
"""The setting that holds the number of memories at the last count."""
GROWTH, FEW = 1.1, 50


def is_behind(store: Store) -> bool:
    """Whether the number of memories has changed by more than a tenth and 50 since the last count."""
    number, counted = _number(store), int(store.setting(COUNTED) or 0)
    return number > counted * GROWTH + FEW or number < counted / GROWTH - FEW


def renew(work: JobInput) -> str:
    """Count the frequent words anew."""
    number = _number(work.store)
    with work.store.writing(durable=False):
        work.store.search_index.renew_term_statistics()
        work.store.set_setting(COUNTED, str(number))
    return f"counted the words of {number} memories"


def _number(store: Store) -> int:
    return sum(store.count().values())

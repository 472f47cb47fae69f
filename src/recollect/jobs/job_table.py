"""The table of due work. A new job is a row here and a function that does it; `recollect jobs` lists the rows.

The worker runs the rows in this order (`runner`). What is recorded of each run is in the store's settings.
"""

from recollect.errors import BadInput
from recollect.jobs import backup, expiry, pruning, term_statistics
from recollect.jobs.job import DAY_SECONDS, Job, JobInput
from recollect.lazy import load
from recollect.model.words.search_words import MODEL
from recollect.store.protocols import Store

DAILY = "every day"


def _lacks_vectors(store: Store) -> bool:
    return store.search_index.is_behind(MODEL)


def _reindex(work: JobInput) -> str:
    """Build what is missing; the module is loaded here because its imports (numpy) take long."""
    number = load("recollect.jobs.reindex").run(work.store, lambda _: None, hashed=work.config.log.vectors)
    return f"indexed {number} memories"


JOBS = (
    Job(
        name="backup",
        does="Copy the store to backups/; the last seven copies are kept.",
        due=DAILY,
        every_seconds=DAY_SECONDS,
        run=backup.back_up,
        needs=("store", "home folder"),
    ),
    Job(
        name="expiry",
        does="Erase the expired memories of every known project.",
        due=DAILY,
        every_seconds=DAY_SECONDS,
        run=expiry.expire_everywhere,
        needs=("project",),
    ),
    Job(
        name="pruning",
        does="Remove old session events, receipts and leftover files.",
        due=DAILY,
        every_seconds=DAY_SECONDS,
        run=pruning.prune,
        needs=("store", "home folder"),
        setting="capture.ttl_days",
    ),
    Job(
        name="term-statistics",
        does="Count which words are frequent; hooks do not search for those.",
        due="when the number of memories changed by over 10 % and 50",
        is_behind=term_statistics.is_behind,
        run=term_statistics.renew,
        needs=("store",),
    ),
    Job(
        name="reindex",
        does="Build missing search vectors.",
        due="when a memory has no search vectors",
        is_behind=_lacks_vectors,
        run=_reindex,
        needs=("store", "search vectors"),
        setting="recall.vectors",
        after_draining=True,
    ),
)


def find(name: str) -> Job:
    """Return the job of a name; raises BadInput, which lists the names that exist."""
    for job in JOBS:
        if job.name == name:
            return job
    names = ", ".join(job.name for job in JOBS)
    raise BadInput("there is no job of this name", target=name, fix=f"Choose one of: {names}.")

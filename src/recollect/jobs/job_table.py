"""The table of due work. A new job is a row here and a function that does it; `recollect jobs` lists the rows.

The worker runs the rows in this order (`runner`). What is recorded of each run is in the store's settings.
"""

from recollect.errors import BadInput
from recollect.jobs import backup, fullness, pruning, term_statistics
from recollect.jobs.job import DAY_SECONDS, Job, JobInput
from recollect.jobs.log import compact, scan, trim
from recollect.jobs.memories import compress, forget, limits, weigh
from recollect.jobs.plan import Plan
from recollect.lazy import load
from recollect.model.words.search_words import MODEL
from recollect.store.protocols import Store

DAILY = "every day"
HOUR_SECONDS = 3_600


def _lacks_vectors(store: Store) -> bool:
    return bool(store.search_index.missing(MODEL, 1))


def _reindex(work: JobInput) -> str:
    """Build what is missing; the module is loaded here because its imports (numpy) take long."""
    number = load("recollect.jobs.reindex").run(work.store, lambda _: None, hashed=work.config.log.vectors)
    return f"indexed {number} memories"


def _experiences(work: JobInput) -> Plan:
    """Plan new experiences; the module is loaded here because its imports (numpy) take long."""
    planned: Plan = load("recollect.jobs.log.experiences").plan(work)
    return planned


def _renew_verdicts(work: JobInput) -> str:
    """Check every memory of the project; loaded here because its patterns take long to compile."""
    return str(load("recollect.jobs.validation.validate").renew(work))


def _validate(work: JobInput) -> str:
    return str(load("recollect.jobs.validation.validate").run_scheduled(work))


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
        due="when many memories are new or gone",
        is_behind=term_statistics.is_behind,
        run=term_statistics.renew,
        needs=("store",),
    ),
    Job(
        name="expiry",
        does="Erase the expired memories of a project.",
        due=DAILY,
        every_seconds=DAY_SECONDS,
        plan=limits.plan_expiry,
        needs=("project",),
        scope="project",
    ),
    Job(
        name="limits",
        does="Retire memories beyond the limits of their kinds, such as the window of sessions.",
        due=DAILY,
        every_seconds=DAY_SECONDS,
        plan=limits.plan_limits,
        needs=("project",),
        scope="project",
        setting="save.max_per_kind",
    ),
    Job(
        name="collection",
        does="Remove the files of memories that were retired long ago.",
        due=DAILY,
        every_seconds=DAY_SECONDS,
        plan=limits.plan_collection,
        needs=("project",),
        scope="project",
        setting="forget.grace_days",
    ),
    Job(
        name="log-trim",
        does="Cut MEMORY.md to its limits.",
        due=DAILY,
        every_seconds=DAY_SECONDS,
        plan=trim.plan,
        needs=("project",),
        scope="project",
        setting="log.max_records",
    ),
    Job(
        name="weigh",
        does="Raise the importance of used memories, lower that of unused ones, archive old observations.",
        due="when a session ended",
        plan=weigh.plan,
        needs=("project",),
        scope="project",
        after_session=True,
        setting="forget.decay_rate",
    ),
    Job(
        name="compress",
        does="Make one summary of three or more old memories that say nearly the same, and archive those.",
        due="when a session ended",
        plan=compress.plan,
        needs=("project",),
        scope="project",
        after_session=True,
        setting="consolidate.min_age_days",
    ),
    Job(
        name="forget",
        does="Review the least used memories: archive what nobody misses, appreciate the others.",
        due="by forget.schedule",
        plan=forget.plan,
        needs=("project",),
        scope="project",
        schedule="forget.schedule",
        setting="forget.enabled",
        announces="Memory forgetting started",
    ),
    Job(
        name="compact-log",
        does="Merge old records of MEMORY.md into one record and LONGMEMORY.md.",
        due="by schedule, by size, after sessions",
        plan=compact.planned,
        run=compact.run,
        needs=("project",),
        scope="project",
        after_session=True,
        recurrence="log.compact_schedule",
        in_use_only=True,
        setting="log.compact",
    ),
    Job(
        name="experiences",
        does="Keep what recent turns and notes say that no experience says yet.",
        due="when a session ended",
        plan=_experiences,
        needs=("project",),
        scope="project",
        after_session=True,
        setting="consolidate.experiences",
    ),
    Job(
        name="log-scan",
        does="Find contradictions, old records and broken lines in MEMORY.md.",
        due="every hour of use",
        every_seconds=HOUR_SECONDS,
        run=scan.report,
        needs=("project",),
        scope="project",
        in_use_only=True,
    ),
    Job(
        name="fullness",
        does="Warn of limits of which 90 % is used.",
        due="every hour of use",
        every_seconds=HOUR_SECONDS,
        run=fullness.watch,
        needs=("project",),
        scope="project",
        in_use_only=True,
    ),
    Job(
        name="verdicts",
        does="Check whether the code that memories name is still there.",
        due="when a session started or ended",
        run=_renew_verdicts,
        needs=("project",),
        scope="project",
        after_session=True,
        setting="validation.enabled",
    ),
    Job(
        name="validate",
        does="Check some random memories against the checkout, and write logs/validation-<session>.log.",
        due="by validation.schedule",
        run=_validate,
        needs=("project", "home folder"),
        scope="project",
        schedule="validation.schedule",
        setting="validation.enabled",
        announces="Memory validation started",
    ),
    Job(
        name="reindex",
        does="Build missing search vectors.",
        due="when a memory has no search vectors",
        is_behind=_lacks_vectors,
        run=_reindex,
        needs=("store", "search vectors"),
        setting="recall.vectors",
        waits_for_drain=True,
    ),
)


def find(name: str) -> Job:
    """Return the job of a name; raises BadInput, which lists the names that exist."""
    for job in JOBS:
        if job.name == name:
            return job
    names = ", ".join(job.name for job in JOBS)
    raise BadInput("there is no job of this name", target=name, fix=f"Choose one of: {names}.")

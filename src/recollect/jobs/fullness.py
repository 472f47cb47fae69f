"""The job `fullness`: how full MEMORY.md, LONGMEMORY.md and the limits on memories are (C23)."""

from collections import Counter

from recollect import foreign_files
from recollect.formats import memory_log
from recollect.jobs.job import JobInput
from recollect.model.query import Query
from recollect.model.recall_values import EXPERIENCE
from recollect.policy.memories import fullness
from recollect.policy.memories.fullness import LimitUse
from recollect.project_context import ProjectContext
from recollect.vault import files
from recollect.write import vault_files

MOST_EXPERIENCES = 5_000
"""As `policy/memories/experiences.py` has it, which takes long to load."""


def watch(work: JobInput) -> str:
    """Return in a few words which limits of the project are nearly reached."""
    if work.project is None:
        raise ValueError("the job needs an open project")
    return fullness.report(measure(work.project))


def measure(context: ProjectContext) -> list[LimitUse]:
    """Return every limit that is set, and how much of it is used."""
    uses = [*_of_log(context), *_of_kinds(context)]
    return [use for use in uses if use.most]


def _of_log(context: ProjectContext) -> list[LimitUse]:
    rules = context.config.log
    source = vault_files.read_log(context) if rules.max_records or rules.max_chars else ""
    records = sum(line.memory is not None for line in memory_log.lines(source)) if source else 0
    long = files.look(context.vault.root / rules.long_memory)
    data = files.read(context.vault.root / rules.long_memory, foreign_files.LOG_BYTES) if long else b""
    return [
        LimitUse("MEMORY.md records", records, rules.max_records, "log.max_records"),
        LimitUse("MEMORY.md characters", len(source), rules.max_chars, "log.max_chars"),
        LimitUse(
            f"{rules.long_memory} characters", len(data.decode("utf-8", "replace")), rules.long_memory_chars,
            "log.long_memory_chars",
        ),
    ]  # fmt: skip


def _of_kinds(context: ProjectContext) -> list[LimitUse]:
    active = Counter[str]()
    for count in context.store.census(context.project):
        active[count.kind] += count.number if count.status == "active" else 0
    kinds, rules = context.kinds.values(), context.config
    fleeting = tuple(kind.name for kind in kinds if kind.fleeting)
    expiring = context.store.number(Query(context.project, kinds=fleeting, global_too=False, expiring=True))
    capped = [kind.name for kind in kinds if kind.capped and not kind.windowed]
    return [
        LimitUse("observations", expiring, rules.capture.max_memories, "capture.max_memories"),
        *(LimitUse(f"{kind} memories", active[kind], rules.save.max_per_kind, "save.max_per_kind") for kind in capped),
        LimitUse("experiences", active[EXPERIENCE], MOST_EXPERIENCES, "consolidate.experiences"),
    ]

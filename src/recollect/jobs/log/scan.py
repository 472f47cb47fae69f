"""The job `log-scan`: find contradictions, old records and broken lines in MEMORY.md (C5)."""

from dataclasses import dataclass, field

from recollect.formats import memory_log
from recollect.jobs.job import JobInput
from recollect.policy.memories import log_trimming
from recollect.policy.memories.log_trimming import Finding
from recollect.project_context import ProjectContext
from recollect.write import vault_files

MOST_NAMED = 2


@dataclass(frozen=True, slots=True)
class Scan:
    """The findings of a scan of the log."""

    records: int
    findings: list[Finding] = field(default_factory=list)
    stray: list[int] = field(default_factory=list)
    """The numbers of lines that look like records and are none."""

    @property
    def is_clean(self) -> bool:
        """Whether nothing was found."""
        return not self.findings and not self.stray

    def __str__(self) -> str:
        """The findings in a few words, the first of them by name."""
        found = [f"{finding.uid}: {finding.says}" for finding in self.findings]
        found += [f"line {number} is not a valid record" for number in self.stray]
        more = f" and {len(found) - MOST_NAMED} more" if len(found) > MOST_NAMED else ""
        named = f": {'; '.join(found[:MOST_NAMED])}{more}" if found else ""
        return f"{self.records} records, {len(found)} findings{named}"


def scan(context: ProjectContext) -> Scan:
    """Find contradictions and old records; other text in the file is ignored (C2, C5)."""
    lines = memory_log.lines(vault_files.read_log(context), project=context.project)
    found = [line.memory for line in lines if line.memory]
    return Scan(len(found), log_trimming.scan(found, context.kinds, context.clock()), log_trimming.stray(lines))


def report(work: JobInput) -> str:
    """Return in a few words what a scan of the project's log found; nothing is changed."""
    if work.project is None:
        raise ValueError("the job needs an open project")
    return str(scan(work.project)) if work.project.vault.logs else "no log is kept here"

"""The library's verbs on the log: MEMORY.md and one file a day (C1-C6)."""

from dataclasses import replace

from recollect.interop import logbook
from recollect.jobs.log import compact, scan
from recollect.jobs.log.compact import LogPlan
from recollect.jobs.log.scan import Scan
from recollect.model.memory import Memory, Sensitivity
from recollect.opening.open_project import OpenProject
from recollect.policy.log.compaction import Compaction, Limits
from recollect.project_context import ProjectContext
from recollect.setup import on_off
from recollect.write import commit, vault_files
from recollect.write.outcome import Outcome


class LogVerbs(OpenProject):
    """Append to the log, read it, trim and compact it, and look for contradictions in it."""

    def log(
        self, text: str, *, session: str, category: str = "note", sensitivity: Sensitivity | None = None
    ) -> Outcome:
        """Append a record to MEMORY.md and the day's file; raises SwitchedOff where memory is off."""  # C3
        on_off.check(self._context, self._folder, session)
        self.meet()
        context = self._context_with_log()
        outcome = logbook.append(context, text, session=session, category=category, sensitivity=sensitivity)
        merged = compact.after_append(context)
        return outcome.with_notes([str(merged)] if merged else [])

    def checkpoint(self, session: str) -> Outcome:
        """Append a checkpoint to the log before a session is compacted; raises SwitchedOff."""  # C4
        on_off.check(self._context, self._folder, session)
        context = self._context_with_log()
        return commit.commit(context, [logbook.checkpoint(context, session)])[0]

    def records(self, *, session: str | None = None, allow_secret: bool = False) -> list[Memory]:
        """Return the records of the log, oldest first."""  # C3
        vault_files.recover(self._context)
        wanted = self.session_id(session) if session else session
        return logbook.records(self._context, session=wanted, allow_secret=allow_secret)

    def trim_log(self, *, max_records: int = 0, max_chars: int = 0, archive: str = "") -> list[str]:
        """Remove the oldest records from MEMORY.md until it fits the limits; return the removed lines."""  # C6
        return logbook.trim(self._context_with_log(), max_records=max_records, max_chars=max_chars, archive=archive)

    def compact_log(
        self, *, min_age_days: int | None = None, max_records: int | None = None, max_chars: int | None = None
    ) -> Compaction:
        """Merge old turn summaries and notes of MEMORY.md into one record and LONGMEMORY.md.

        What is not given is as the settings `log.compact_*` say. Without a threshold any old record suffices. Return
        what was done, or why nothing was. Raises Refused where a check of the result fails: then nothing is changed.
        """
        return compact.compact(self._context_with_log(), self._limits(min_age_days, max_records, max_chars))

    def plan_log_compaction(
        self, *, min_age_days: int | None = None, max_records: int | None = None, max_chars: int | None = None
    ) -> LogPlan:
        """Return what `compact_log` would do; nothing is written."""
        vault_files.recover(self._context)
        return compact.plan(self._context_with_log(), self._limits(min_age_days, max_records, max_chars))

    def _limits(self, min_age_days: int | None, max_records: int | None, max_chars: int | None) -> Limits:
        said = {"min_age_days": min_age_days, "max_records": max_records, "max_chars": max_chars}
        given = {name: number for name, number in said.items() if number is not None}
        return replace(compact.limits_of(self._context.config), **given)

    def scan_log(self) -> Scan:
        """Find contradictions and old records in MEMORY.md."""  # C5
        vault_files.recover(self._context)
        return scan.scan(self._context)

    def _context_with_log(self) -> ProjectContext:
        """Return the context with the log's files switched on: a log verb writes them in every layout."""
        return replace(self._context, vault=replace(self._context.vault, logs=True))

"""The library's verbs on the log: MEMORY.md and one file a day (C1-C6)."""

from dataclasses import replace

from recollect.interop import logbook
from recollect.model.memory import Memory, Sensitivity
from recollect.opening.open_project import OpenProject
from recollect.project_context import ProjectContext
from recollect.setup import on_off
from recollect.write import commit
from recollect.write.outcome import Outcome


class LogVerbs(OpenProject):
    """Append to the log, read it, trim it, and look for contradictions in it."""

    def log(
        self, text: str, *, session: str, category: str = "note", sensitivity: Sensitivity | None = None
    ) -> Outcome:
        """Append a record to MEMORY.md and the day's file; raises SwitchedOff where memory is off."""  # C3
        on_off.check(self._context, self._folder, session)
        self.meet()
        return logbook.append(
            self._context_with_log(), text, session=session, category=category, sensitivity=sensitivity
        )

    def checkpoint(self, session: str) -> Outcome:
        """Append a checkpoint to the log before a session is compacted; raises SwitchedOff."""  # C4
        on_off.check(self._context, self._folder, session)
        context = self._context_with_log()
        return commit.commit(context, [logbook.checkpoint(context, session)])[0]

    def records(self, *, session: str | None = None, allow_secret: bool = False) -> list[Memory]:
        """Return the records of the log, oldest first."""  # C3
        wanted = self.session_id(session) if session else session
        return logbook.records(self._context, session=wanted, allow_secret=allow_secret)

    def trim_log(self, *, max_records: int = 0, max_chars: int = 0, archive: str = "") -> list[str]:
        """Remove the oldest records from MEMORY.md until it fits the limits; return the removed lines."""  # C6
        return logbook.trim(self._context_with_log(), max_records=max_records, max_chars=max_chars, archive=archive)

    def scan_log(self) -> logbook.Scan:
        """Find contradictions and old records in MEMORY.md."""  # C5
        return logbook.scan(self._context)

    def _context_with_log(self) -> ProjectContext:
        """Return the context with the log's files switched on: a log verb writes them in every layout."""
        return replace(self._context, vault=replace(self._context.vault, logs=True))

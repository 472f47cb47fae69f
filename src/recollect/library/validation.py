"""Workspace verbs for verdicts: check memories that name code against the checkout, and read what was found."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from recollect.lazy import load
from recollect.model.verdict import CheckedVerdict
from recollect.opening.open_project import OpenProject

if TYPE_CHECKING:
    from recollect.jobs.validation.validate import Validation


class ValidationVerbs(OpenProject):
    """Check whether what memories say about the code still holds here."""

    def validate(
        self, names: Sequence[str] = (), *, force: bool = False, amount: int | None = None, dry_run: bool = False
    ) -> "Validation":
        """Check memories against the checkout, and keep their verdicts unless it is a dry run.

        With `names` these memories; with `force` as many random ones as the scheduled check takes (`amount`, else the
        setting `validation.amount`; 0 means all), and a log of them; otherwise every memory of the project.
        """
        self.meet()
        self.look()
        work = load("recollect.jobs.validation.validate")
        if names:
            chosen = [self.find(name).memory for name in names]
            found: Validation = work.validate_these(self._context, chosen, dry_run=dry_run)
        elif force:
            found = work.validate_some(self._context, amount=amount, dry_run=dry_run)
        else:
            found = work.validate_all(self._context, dry_run=dry_run)
        return found

    def stale(self, *, all_projects: bool = False) -> dict[str, str]:
        """Return why active memories may no longer hold, by uid: code is gone, or a newer memory may replace them."""
        self.look()
        context = self._context
        listed: dict[str, str] = load("recollect.library.fast.fast_list").stale_reasons(
            self._folder, all_projects=all_projects, env=context.env, warn=context.warn
        )
        return listed

    def verdicts(self, uids: Sequence[str]) -> dict[str, CheckedVerdict]:
        """Return the verdicts on memories as the last check found them, by uid; those without one are left out."""
        return dict(self._context.store.verdicts.of(uids))

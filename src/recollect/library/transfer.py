"""The library's verbs that move memories in and out: import and export."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recollect import paths
from recollect.lazy import load
from recollect.opening.open_project import OpenProject

if TYPE_CHECKING:
    from recollect.interop.exporting import Export
    from recollect.interop.importing import Imported
    from recollect.pipeline.transcript_import import PastSessions


class TransferVerbs(OpenProject):
    """Import from files of ours, a seed system or Claude; export as JSON lines."""

    def import_from(self, place: str | os.PathLike[str], *, dry_run: bool = False, **how: Any) -> "Imported":  # noqa: ANN401
        """Import JSON lines, the files or database of another memory system, or Claude's notes.

        `how` takes the options of `importing.take_in`. Lines that cannot be read are set aside in the runtime folder.
        """
        if not dry_run:
            self.meet()
            self.look()
        aside = Path(paths.runtime(paths.home(self._context.env)))
        take_in = load("recollect.interop.importing").take_in
        imported: Imported = take_in(self._context, Path(place), aside=aside, dry_run=dry_run, **how)
        return imported

    def import_sessions(
        self, place: str | os.PathLike[str] | None = None, *, dry_run: bool = False, **how: Any,  # noqa: ANN401
    ) -> "PastSessions":  # fmt: skip
        """Import past sessions of this project: those that clients still keep, or those of a folder.

        `how` takes the options of `transcript_import.take_in`.
        """
        if not dry_run:
            self.meet()
            self.look()
        take_in = load("recollect.pipeline.transcript_import").take_in
        past: PastSessions = take_in(self._context, Path(place) if place else None, dry_run=dry_run, **how)
        return past

    def export(self, *, all_projects: bool = False, everything: bool = False) -> "Export":
        """Return every memory and fact as JSON lines; private and personal ones only with `everything`."""
        self.look()
        export = load("recollect.interop.exporting").export
        done: Export = export(self._context, all_projects=all_projects, everything=everything)
        return done

"""The steps of a scrub, and its report."""

from dataclasses import dataclass, field
from pathlib import Path

from recollect.errors import DiskRefused
from recollect.interop.scrub.originals import Originals
from recollect.interop.scrub.own_files import OwnFiles
from recollect.interop.scrub.renames import Renames
from recollect.interop.scrub.rewriting import FileRewriter
from recollect.interop.scrub.searching import LeakSearch
from recollect.interop.scrub.stored_texts import StoredTexts
from recollect.policy.secrets import leaks
from recollect.project.checkout import is_tracked
from recollect.project_context import ProjectContext
from recollect.write import compiled_rules

# Places that are not ours: where coding agents usually keep transcripts, below a person's home.
TRANSCRIPTS = (".claude/projects", ".claude/history.jsonl", ".codex/sessions", ".gemini/tmp", ".cursor/projects")
OUTSIDE = (
    ("transcripts of your coding agents ({transcripts})", "remove the sessions that name the value"),
    ("your own settings files, and your shell's history", "take it out there if you ever wrote it there"),
    ("git's history, and every clone and server that has it", "rewrite it, or count the value as published"),
    ("backups that you or a server made", "remove them, or wait until they expire"),
)
LAST_STEP = "Whatever was leaked is known: change the credential itself."


@dataclass(slots=True)
class Scrubbed:
    """Where the value was, and where it still is."""

    memories: list[str] = field(default_factory=list)
    rows: int = 0
    files: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    """Files that still hold the value, or would hold it still in a dry run."""
    in_git: list[str] = field(default_factory=list)
    """Files that git tracks: its history is not ours to rewrite."""
    restored: list[str] = field(default_factory=list)
    """Files that `uninstall` would put back: they have the placeholder in the value's place then."""
    not_looked_at: list[str] = field(default_factory=list)
    """What may hold the value too and is not ours to change, each with the next step."""


def scrub(context: ProjectContext, value: str, *, runtime: Path, home: Path | None, dry_run: bool = False) -> Scrubbed:
    """Remove a value from memories, vault, index, journal, backups and every other file of ours; then search again.

    `runtime` is our folder of drafts; `home` is our own folder if every file in it is ours, else None. Raises
    DiskRefused where a file or the store cannot be written.
    """
    leak = leaks.of(value)
    renames, files = Renames(leak), OwnFiles(context, runtime, home)
    originals = Originals(leak, context.store.home)
    search, stored = LeakSearch(leak, originals), StoredTexts(context, leak, renames, files)
    report = Scrubbed(not_looked_at=_outside())
    report.memories = [f"{memory.kind}/{memory.slug}" for memory in stored.holders()]
    report.files = [str(path) for path in files.all() if search.holds(path)]
    report.restored = originals.paths()
    report.in_git = [path for path in report.files if is_tracked(Path(path))]
    if dry_run:
        report.left = list(report.files)
        return report
    try:
        report.rows = stored.scrub()
        compiled_rules.compile_anew(context.store)
        FileRewriter(context, leak, renames, files, search, originals).scrub()
    except OSError as error:
        raise DiskRefused(f"the value could not be taken out everywhere: {error}", fix="Run it again.") from error
    report.left = [search.described(path) for path in files.all() if search.holds(path)]
    return report


def _outside() -> list[str]:
    """Return the places outside our folders that are not searched, each with what to do about it."""
    home = Path.home()
    known = [str(home / name) for name in TRANSCRIPTS if (home / name).exists()]
    transcripts = ", ".join(known) or "none in the usual places"
    return [f"{place.format(transcripts=transcripts)}: {step}" for place, step in OUTSIDE]

"""Checks of our own files: database, journal, permissions, search vectors."""

import os
import stat

from recollect.hooks.injection import rule_file
from recollect.model.words.search_words import MODEL
from recollect.project_context import ProjectContext
from recollect.setup.doctor.check import Check, well, wrong
from recollect.store import journal_mirror

WEEK_SECONDS = 7 * 86_400
REINSTALL = "Install recollect again with its dependencies."


def check_database(context: ProjectContext) -> Check:
    """Check that SQLite finds no damage; report the number of memories by status."""
    problems = context.store.problems()
    if problems:
        return wrong("store", "; ".join(problems[:3]), "Run `recollect doctor --repair`.")
    counts = context.store.count()
    numbers = ", ".join(f"{number} {status}" for status, number in sorted(counts.items())) or "no memories yet"
    return well("store", f"{numbers}; {context.store.location}")


def check_journal(context: ProjectContext) -> Check:
    """Check that the journal's file is there and that every line of it can be read."""
    if not context.journal.exists() and context.store.entries(limit=1):
        return wrong("journal", f"{context.journal} is missing", "The next change writes it anew, in full.")
    broken = [line for line in journal_mirror.read(context.journal) if isinstance(line, str)]
    if broken:
        fix = "Nothing is lost while the store is well; the lines name what a rebuild could not use."
        return wrong("journal", f"{len(broken)} lines cannot be read: {broken[0]}", fix)
    return well("journal", str(context.journal))


def check_permissions(context: ProjectContext) -> Check:
    """Check that no other user can read the store and the journal."""
    readable = [
        str(path)
        for path in (context.store.home, *context.store.live_files()[:1], context.journal)
        if os.name == "posix" and path.exists() and stat.S_IMODE(path.stat().st_mode) & 0o077
    ]
    if readable:
        return wrong("permissions", f"others can read {', '.join(readable)}", f"Run: chmod go= {' '.join(readable)}")
    return well("permissions", "only you can read the store")


def check_search(context: ProjectContext) -> Check:
    """Check that vectors can be compared; report how many memories have one and how this week's recalls went."""
    table = context.store.search_index
    known, missing = table.known_number(MODEL), table.missing_number(MODEL)
    says = f"{known:,} memories compared by meaning"
    says += f", {missing:,} by their words until the worker indexes them" if missing else ""
    states = context.store.sessions.recall_states(context.clock().timestamp() - WEEK_SECONDS)
    details = tuple(f"{number} recalls this week: {state}" for state, number in states.items())
    with context.store.recall_source() as source:
        is_loaded = source.load_vectors()
    if not is_loaded:
        return wrong("recall", f"by words alone: sqlite-vec cannot be loaded; {says}", REINSTALL, details)
    return well("recall", says, details=details)


def check_rules(context: ProjectContext) -> list[Check]:
    """Report how many rules are told by what they apply to; nothing where there is none."""
    compiled = rule_file.parse(rule_file.read(str(context.store.home)))
    here = [rule for rule in compiled.rules if rule.project in (context.project, "global")]
    details = tuple(f"{rule.text} ({', '.join((rule.activities or rule.commands or rule.files)[:3])})" for rule in here)
    return [well("rules", f"{len(here)} told with what they apply to", details=details)] if here else []

"""The tables of projects: names, checkouts, and the commits that prove which project a clone is."""

from dataclasses import astuple, fields, replace

from recollect.store.hook_reader.store_reader import CANONICAL, COMMITS
from recollect.store.sqlite.database import Rows
from recollect.store.values import KnownCheckout, ProjectCommits, is_commit

COLUMNS = ", ".join(field.name for field in fields(KnownCheckout))
HOLES = ", ".join("?" * len(fields(KnownCheckout)))
COMMITS_KEPT = 500
TABLES_OF_SESSIONS = ("sessions", "events", "receipts")


class ProjectTable:
    """Projects and their checkouts."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    def meet(self, checkout: KnownCheckout) -> None:
        """Remember a checkout, and its first commit as one of its project."""
        self._rows(f"REPLACE INTO checkouts ({COLUMNS}) VALUES ({HOLES})", astuple(checkout))
        if is_commit(checkout.root_commit):
            self._put_commit(checkout.project, checkout.root_commit, is_root=True)

    def checkouts(self) -> list[KnownCheckout]:
        """Return every checkout that is known."""
        rows = self._rows(f"SELECT {COLUMNS} FROM checkouts ORDER BY root", ())
        return [_as_booleans(KnownCheckout(*row)) for row in rows]

    def note_commit(self, project: str, commit: str) -> None:
        """Remember a commit that a clone of a project had checked out; the last 500 are kept."""
        self._put_commit(project, commit, is_root=False)
        newest = "(SELECT max(seen) FROM project_commits WHERE project = ?1)"
        self._rows(
            f"DELETE FROM project_commits WHERE project = ?1 AND NOT is_root AND seen <= {newest} - ?2",
            (project, COMMITS_KEPT),
        )

    def _put_commit(self, project: str, commit: str, *, is_root: bool) -> None:
        # A counter instead of a time, because only the order matters. A commit that is known as a root stays one.
        following = "1 + coalesce((SELECT max(seen) FROM project_commits WHERE project = ?1), 0)"
        self._rows(
            f"INSERT INTO project_commits VALUES (?1, ?2, ?3, {following}) "
            "ON CONFLICT DO UPDATE SET is_root = max(is_root, excluded.is_root), seen = excluded.seen",
            (project, commit, is_root),
        )

    def commits(self, project: str) -> ProjectCommits:
        """Return the commits with which clones of a project were seen, newest first."""
        rows = self._rows(COMMITS, (project,))
        roots = tuple(str(row[0]) for row in rows if row[1])
        return ProjectCommits(roots, tuple(str(row[0]) for row in rows if not row[1]))

    def alias(self, project: str, stands_for: str) -> None:
        """From now on, treat one name of a project as another."""
        self._rows("REPLACE INTO aliases VALUES (?, ?)", (project, stands_for))

    def canonical(self, project: str) -> str | None:
        """Return the name under which a project's memories are kept; None for a project never met."""
        found = self._rows(CANONICAL, (project,))
        return str(found[0][0]) if found else None

    def rename(self, old: str, new: str) -> None:
        """Move a project's sessions, events, receipts and tombstones to another."""
        for table in TABLES_OF_SESSIONS:
            self._rows(f"UPDATE {table} SET project = ? WHERE project = ?", (new, old))
        self._rows("UPDATE OR REPLACE tombstones SET project = ? WHERE project = ?", (new, old))


def _as_booleans(row: KnownCheckout) -> KnownCheckout:
    """Turn the numbers that SQLite keeps for booleans back into booleans."""
    return replace(row, trusted=bool(row.trusted), made_here=bool(row.made_here), vault_off=bool(row.vault_off))

"""The tables of projects: names, checkouts, and the commits that prove which project a clone is."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import astuple, fields, replace
from typing import TYPE_CHECKING

from recollect.store.hook_reader.store_reader import CANONICAL, COMMITS, ROOT_NAMES
from recollect.store.project_values import Joined, KnownCheckout, ProjectCommits, is_commit

if TYPE_CHECKING:
    from recollect.store.sqlite.database import Rows

COLUMNS = ", ".join(field.name for field in fields(KnownCheckout))
HOLES = ", ".join("?" * len(fields(KnownCheckout)))
COMMITS_KEPT = 500
NEW_TOMBSTONES = """
SELECT digest FROM tombstones WHERE project = ?1
    AND digest NOT IN (SELECT digest FROM tombstones WHERE project = ?2)
"""
NEW_COMMITS = """
SELECT commit_id FROM project_commits WHERE project = ?1
    AND commit_id NOT IN (SELECT commit_id FROM project_commits WHERE project = ?2)
"""
COPY_COMMITS = """
INSERT OR IGNORE INTO project_commits SELECT ?2, commit_id, is_root, seen FROM project_commits WHERE project = ?1
"""
# The checkouts of the first project whose remote names the second one without proof.
CLAIMS_OF_TARGET = """
SELECT root, unproven FROM checkouts WHERE project = ?1
    AND (unproven = ?2 OR unproven IN (SELECT project FROM aliases WHERE stands_for = ?2))
"""


class ProjectTable:
    """Projects and their checkouts."""

    def __init__(self, rows: "Rows") -> None:
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

    def root_names(self) -> list[str]:
        """Return the names that begin with `root:`, of projects and aliases; a part follows behind `//`."""
        return [str(row[0]) for row in self._rows(ROOT_NAMES, ())]

    def names(self) -> dict[str, str]:
        """Return every alias with the project that it stands for."""
        return dict(self._rows("SELECT project, stands_for FROM aliases ORDER BY project", ()))

    def sizes(self, *, no_kinds: Sequence[str] = ()) -> dict[str, int]:
        """Return the number of active memories of each project, `global` included, without those of some kinds."""
        where = "status = 'active' AND kind NOT IN (SELECT value FROM json_each(?))"
        sql = f"SELECT project, count(*) FROM memories WHERE {where} GROUP BY project"
        return dict(self._rows(sql, (json.dumps(list(no_kinds)),)))

    # -- joining ------------------------------------------------------------------------------------------------

    def join(self, source: str, target: str) -> Joined:
        """Move a project's names, checkouts, commits, sessions and tombstones to another; return what was moved."""
        both = (source, target)
        joined = Joined(
            source=source,
            target=target,
            names=self._names_of(source),
            checkouts=self._column("SELECT root FROM checkouts WHERE project = ?", source),
            proven=dict(self._rows(CLAIMS_OF_TARGET, both)),
            sessions=self._column("SELECT id FROM sessions WHERE project = ?", source),
            events=self._column("SELECT DISTINCT session FROM events WHERE project = ?", source),
            receipts=self._column("SELECT DISTINCT session FROM receipts WHERE project = ?", source),
            tombstones=self._column(NEW_TOMBSTONES, *both),
            commits=self._column(NEW_COMMITS, *both),
        )
        self._move(joined, source, target)
        for name in joined.names:
            self.alias(name, target)
        self._rows("DELETE FROM aliases WHERE project = ?", (target,))
        self._rows(COPY_COMMITS, both)
        self._set_claims(dict.fromkeys(joined.proven, ""))
        return joined

    def part(self, joined: Joined) -> None:
        """Take back what `join` moved; sessions that came later stay where they are."""
        self._move(joined, joined.target, joined.source)
        for name, before in joined.names.items():
            self._rows("DELETE FROM aliases WHERE project = ?", (name,))
            if before:
                self.alias(name, before)
        commits = "DELETE FROM project_commits WHERE project = ? AND commit_id IN (SELECT value FROM json_each(?))"
        self._rows(commits, (joined.target, json.dumps(joined.commits)))
        self._set_claims(joined.proven)

    def _names_of(self, source: str) -> dict[str, str | None]:
        """Return a project's name and its aliases, each with what it stands for."""
        aliases = self._column("SELECT project FROM aliases WHERE stands_for = ?", source)
        return {source: None, **dict.fromkeys(aliases, source)}

    def _move(self, joined: Joined, old: str, new: str) -> None:
        """Move the rows that a joining names from one project to another."""
        for table, column, keys in (
            ("checkouts", "root", joined.checkouts), ("sessions", "id", joined.sessions),
            ("events", "session", joined.events), ("receipts", "session", joined.receipts),
            ("tombstones", "digest", joined.tombstones),
        ):  # fmt: skip
            where = f"project = ? AND {column} IN (SELECT value FROM json_each(?))"
            self._rows(f"UPDATE {table} SET project = ? WHERE {where}", (new, old, json.dumps(keys)))

    def _set_claims(self, claims: Mapping[str, str]) -> None:
        for root, claim in claims.items():
            self._rows("UPDATE checkouts SET unproven = ? WHERE root = ?", (claim, root))

    def _column(self, sql: str, *values: str) -> tuple[str, ...]:
        return tuple(str(row[0]) for row in self._rows(sql, values))


def _as_booleans(row: KnownCheckout) -> KnownCheckout:
    """Turn the numbers that SQLite keeps for booleans back into booleans."""
    return replace(row, trusted=bool(row.trusted), made_here=bool(row.made_here), vault_off=bool(row.vault_off))

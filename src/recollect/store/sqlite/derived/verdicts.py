"""The table of verdicts on memories that name code. A trigger removes the verdict of a memory whose words change."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import astuple

from recollect.model.verdict import CheckedVerdict, Finding, Verdict
from recollect.store.sqlite.database import Rows

COLUMNS = "uid, state, says, doubts, findings, branch, head, root, at"
PUT = """
INSERT OR REPLACE INTO verdicts (id, state, says, doubts, findings, branch, head, root, at)
SELECT id, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9 FROM memories WHERE uid = ?1
"""


class VerdictTable:
    """Verdicts by memory."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    def of(self, uids: Sequence[str]) -> dict[str, CheckedVerdict]:
        """Return the verdicts on memories, by uid; a memory without one is left out."""
        sql = f"""SELECT {COLUMNS} FROM verdicts JOIN memories USING (id)
                  WHERE uid IN (SELECT value FROM json_each(?))"""
        found = [_checked(row) for row in self._rows(sql, (json.dumps(list(uids)),))]
        return {checked.uid: checked for checked in found}

    def of_project(self, project: str) -> dict[str, CheckedVerdict]:
        """Return the verdicts on the active memories of a project and the global ones, by uid."""
        sql = f"""SELECT {COLUMNS} FROM verdicts JOIN memories USING (id)
                  WHERE project IN (?, 'global') AND status = 'active'"""
        found = [_checked(row) for row in self._rows(sql, (project,))]
        return {checked.uid: checked for checked in found}

    def put(self, verdicts: Iterable[CheckedVerdict]) -> None:
        """Insert verdicts, or replace those on the same memories; one on a memory that is gone is left out."""
        for checked in verdicts:
            verdict = checked.verdict
            findings = json.dumps([astuple(finding) for finding in verdict.findings], ensure_ascii=False)
            row = (
                checked.uid, verdict.state, verdict.says, "\n".join(verdict.doubts), findings, checked.branch,
                checked.head, checked.root, checked.at,
            )  # fmt: skip
            self._rows(PUT, row)

    def remove(self, uids: Iterable[str]) -> None:
        """Delete the verdicts on memories."""
        for uid in uids:
            self._rows("DELETE FROM verdicts WHERE id = (SELECT id FROM memories WHERE uid = ?)", (uid,))


def _checked(row: tuple[object, ...]) -> CheckedVerdict:
    uid, state, says, doubts, findings, branch, head, root, at = row
    made = tuple(Finding(*parts) for parts in json.loads(str(findings)))
    verdict = Verdict(str(state), str(says), made, tuple(str(doubts).splitlines()))
    return CheckedVerdict(str(uid), verdict, str(branch), str(head), str(root), float(str(at)))

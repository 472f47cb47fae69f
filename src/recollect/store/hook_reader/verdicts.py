"""Verdicts on memories that name code, as hooks and recall read them: columns that the worker renews. Import-light."""

from recollect.store.hook_reader.connection import rows, value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from recollect.model.found_memory import FoundMemory
    from recollect.store.hook_reader.connection import apsw

VERDICTS_FROM = 10
"""The version of the store that has verdicts."""
STALE = "STALE"
SAID = ("STALE", "MOVED")
"""The states that are told beside a memory, with their reason."""
# A verdict counts on the branch that it was found on; ?1 is NULL where every branch counts.
COUNTS = "(?1 IS NULL OR branch = ?1)"


def are_kept(db: "apsw.Connection") -> bool:
    """Return whether the store has verdicts; the worker adds the table to an older one."""
    return int(value(db, "PRAGMA user_version")) >= VERDICTS_FROM


def stale_ids(db: "apsw.Connection", ids: "Iterable[int]", branch: str | None) -> "set[int]":
    """Return the numbers of those memories that name code which is gone."""
    listed = ",".join([str(number) for number in ids])
    if not listed or not are_kept(db):
        return set()
    sql = f"SELECT id FROM verdicts WHERE id IN ({listed}) AND state = '{STALE}' AND {COUNTS}"
    return {int(row[0]) for row in rows(db, sql, (branch,))}


def annotate(db: "apsw.Connection", found: "Sequence[FoundMemory]", branch: str | None) -> None:
    """Give found memories their verdicts, and notes with what is gone, where it moved, and what is doubtful."""
    if not found or not are_kept(db):
        return
    by_uid = {memory.uid: memory for memory in found}
    holes = ",".join("?" * len(by_uid))
    sql = f"""SELECT uid, state, says, doubts FROM verdicts JOIN memories USING (id)
              WHERE uid IN ({holes}) AND {COUNTS}""".replace("?1", "?" + str(len(by_uid) + 1))
    for uid, state, says, doubts in rows(db, sql, (*by_uid, branch)):
        memory = by_uid[uid]
        memory.code_state = state
        memory.notes += [f"{state.lower()}: {says}"] if state in SAID else []
        memory.notes += doubts.splitlines()


def of_uid(db: "apsw.Connection", uid: str) -> "tuple[str, ...] | None":
    """Return state, reason, doubts, findings as JSON, branch, commit and time of a verdict; None without one."""
    if not are_kept(db):
        return None
    sql = """SELECT state, says, doubts, findings, branch, head, at FROM verdicts JOIN memories USING (id)
             WHERE uid = ?"""
    found = rows(db, sql, (uid,))
    return found[0] if found else None


def stale_reasons(db: "apsw.Connection", uids: "Sequence[str]", branch: str | None) -> "dict[str, str]":
    """Return what is gone of the code that memories name, by uid; those without anything gone are left out."""
    if not uids or not are_kept(db):
        return {}
    sql = f"SELECT uid, says FROM verdicts JOIN memories USING (id) WHERE state = '{STALE}' AND {COUNTS}"
    found, wanted = dict(rows(db, sql, (branch,))), set(uids)
    return {uid: says for uid, says in found.items() if uid in wanted}

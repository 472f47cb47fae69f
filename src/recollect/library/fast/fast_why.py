"""What agents were told, from the rows of receipts, without loading the model's classes: for a cold `recollect why`."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from recollect.hooks.project_lookup import find_place
from recollect.library.fast import fast_reader, fast_show
from recollect.library.fast.fast_reader import Warn
from recollect.library.fast.fast_show import ShownMemory
from recollect.store.session_values import Receipt
from recollect.store.sqlite.memory_reader import MemoryReader


@dataclass(frozen=True, slots=True)
class Telling:
    """One occasion on which a memory was considered for an agent."""

    receipt: str
    at: float
    """Seconds since 1970."""
    session: str
    event: str
    is_told: bool
    why: str
    """What made it fit, if it was told; else why it was left out."""
    score: float


def telling(receipt: Receipt, uid: str) -> Telling:
    """Return what a receipt says about a memory."""
    candidate = next((row for row in receipt.candidates if row["uid"] == uid), {})
    is_told = uid in receipt.shown
    matched = f"matches {', '.join(candidate['matched'])}" if candidate.get("matched") else ""
    reason = candidate.get("why") or matched if is_told else candidate.get("verdict", "")
    score = float(candidate.get("score", 0.0))
    return Telling(receipt.id, receipt.at, receipt.session, receipt.event, is_told, reason, score)


class FastWhy:
    """The receipts of the project around a folder. Raises StoreError if the store cannot be opened."""

    def __init__(self, folder: Path, env: Mapping[str, str], warn: Warn) -> None:
        self._folder, self._env, self._warn = folder, env, warn
        self._reader: MemoryReader = fast_reader.open_or_make_store(folder, env, warn)

    def receipt(self, id: str | None) -> Receipt | None:
        """Return a receipt, by its id or the last one of this project; None if there is none."""
        project = find_place(self._reader, str(self._folder), self._env).project if id is None else None
        found = self._reader.sessions.receipts(id=id, project=project, limit=1)
        return found[0] if found else None

    def asked(self, receipt: Receipt) -> str:
        """Return what the prompt or tool call of a receipt said; empty where it is no longer kept."""
        found = self._reader.sessions.events(session=receipt.session, name=receipt.event, at=receipt.at, limit=1)
        return f"{found[0].tool} {found[0].about}".strip() if found else ""

    def short_ids(self, uids: list[str]) -> dict[str, str]:
        """Return a short id for each uid."""
        return self._reader.short_ids(uids)

    def short_session(self, session: str) -> str:
        """Return a short name for a session."""
        return self._reader.short_session(session)

    def memory(self, name: str) -> ShownMemory:
        """Return the memory of a name. Raises NotFound, which suggests others, or Ambiguous."""
        found = fast_show.find(self._folder, name, self._env, lambda _: None)  # warned when it was opened
        if found:
            return found
        with fast_reader.open_project(self._folder, self._env, self._warn) as workspace:
            return workspace.shown(name)[0]

    def told(self, uid: str, limit: int) -> list[Telling]:
        """Return when a memory was considered for an agent, newest first."""
        return [telling(receipt, uid) for receipt in self._reader.sessions.receipts_about(uid, limit)]

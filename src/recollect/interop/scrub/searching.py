"""Search a file for the value: its name, its bytes, the cells of a database, the originals in the manifest."""

from dataclasses import dataclass
from pathlib import Path

from recollect import foreign_files
from recollect.interop.scrub.originals import Originals
from recollect.policy.secrets import spellings
from recollect.policy.secrets.leaks import Leak
from recollect.store.sqlite import scrub as database

MOST_BYTES = 2_000_000_000  # the journal of many years; a file of ours that is longer is named, not rewritten
CHUNK_BYTES = 4_000_000
SQLITE_HEAD = b"SQLite format 3"


@dataclass(frozen=True, slots=True)
class LeakSearch:
    """Searches files for the value, in any case and any escaping."""

    leak: Leak
    originals: Originals

    def holds(self, path: Path) -> bool:
        """Whether a file holds the value; True for one that cannot be read or is too large, because nobody knows."""
        if self.leak.is_in(path.name):
            return True
        try:
            return is_too_large(path) or self.is_in_bytes(path) or bool(self._columns(path)) or self._is_manifest(path)
        except FileNotFoundError:
            return False
        except OSError:
            return True

    def described(self, path: Path) -> str:
        """Return a file that still holds the value as text, with the columns or the reason as far as known."""
        try:
            if is_too_large(path):
                return f"{path} (too large to be searched)"
            columns = self._columns(path)
        except OSError as error:
            return f"{path} (cannot be read: {foreign_files.why(error)})"
        return f"{path} ({', '.join(columns)})" if columns else str(path)

    def is_in_bytes(self, path: Path) -> bool:
        """Whether a file's bytes hold the value: read in chunks that overlap by the value's longest spelling."""
        overlap, before = spellings.longest(self.leak.value), b""
        for part in foreign_files.chunks(str(path), size=max(CHUNK_BYTES, 4 * overlap)):
            window = before + part
            if self.leak.is_in_bytes(window):
                return True
            before = window[-overlap:]
        return False

    def _columns(self, path: Path) -> list[str]:
        """Return the columns of a database that hold the value: a long text lies in pieces in the file."""
        return database.columns_with(path, self.leak.is_in) if is_database(path) else []

    def _is_manifest(self, path: Path) -> bool:
        return path == self.originals.manifest and bool(self.originals.paths())


def is_too_large(path: Path) -> bool:
    """Whether a file is longer than anything of ours: it is neither searched nor changed, and named instead."""
    return path.stat().st_size > MOST_BYTES and not is_database(path)


def is_database(path: Path) -> bool:
    """Whether a file begins like a SQLite database."""
    return next(foreign_files.chunks(str(path), size=len(SQLITE_HEAD)), b"") == SQLITE_HEAD

"""Verbs on the files that people read and write by hand: MEMORY.md, the daily files, LONGMEMORY.md, USER.md (C9)."""

from dataclasses import dataclass
from datetime import date

from recollect import foreign_files
from recollect.errors import BadInput, Conflict, Refused, UnreadableFile
from recollect.formats import memory_log
from recollect.formats.source import to_text
from recollect.model import text
from recollect.opening.open_project import OpenProject
from recollect.policy.secrets import detector
from recollect.vault import files
from recollect.vault.files import Writing
from recollect.vault.layouts import LOG, WARM
from recollect.write import vault_files

LONG_LOG, ABOUT_USER = "LONGMEMORY.md", "USER.md"
PLAIN = (LOG, LONG_LOG, ABOUT_USER)
MOST_BYTES = foreign_files.MEMORY_BYTES
ALLOWED = "path must be MEMORY.md, memory/YYYY-MM-DD.md, LONGMEMORY.md or USER.md"
NO_FILE = ""
"""The revision of a file that does not exist yet."""


@dataclass(frozen=True, slots=True)
class LogFile:
    """A file of the log, or one that the log could have."""

    path: str
    """From the project's root, with `/`."""
    bytes: int
    modified: float
    """Seconds since 1970; 0 for a file that does not exist."""


@dataclass(frozen=True, slots=True)
class FileText:
    """The text of a file, and the revision by which a later write notices that somebody else changed it."""

    path: str
    text: str
    revision: str
    redacted: bool = False
    """Whether a credential was taken out when it was written."""


class LogFileVerbs(OpenProject):
    """List, read and write the files of the log, and no others."""

    def daily_files(self) -> list[LogFile]:
        """Return the daily files, newest first."""
        found = [self._log_file(path) for path in reversed(self._context.vault.days()) if _is_day(path)]
        return [file for file in found if file.modified]

    def plain_files(self) -> list[LogFile]:
        """Return MEMORY.md, LONGMEMORY.md and USER.md, whether or not they exist."""
        return [self._log_file(path) for path in PLAIN]

    def read_log_file(self, path: str) -> FileText:
        """Return the text of one of these files, without credentials; empty where there is none.

        Raises BadInput for any other path, UnreadableFile for what is no plain text file.
        """
        check_log_path(path)
        place, root = self.root / path, self.root
        if files.look(place) is None:
            if files.oddity(place):
                raise UnreadableFile("cannot be read: it is not a regular file", target=path)
            return FileText(path, "", NO_FILE)
        data = files.read(place, MOST_BYTES, root=root)
        return FileText(path, detector.redact(to_text(data, target=path)), text.md5(data))

    def write_log_file(self, path: str, content: str, *, expect: str | None = None) -> FileText:
        """Write one of these files in one step, without credentials; return it as it is then.

        `expect` is the revision that was read, empty for a new file: raises Conflict if the file has another one by
        now. Raises BadInput for any other path and for a text that is too long, Refused in a clone that nobody trusted.
        """
        check_log_path(path)
        if self.standing.is_foreign:
            fix = "Look at it with `recollect trust --dry-run`, then run `recollect trust`."
            raise Refused("this clone is not trusted", target=path, code="UPDATE_ERROR", fix=fix)
        said = detector.redact(text.storable(content))
        data = said.encode()
        if len(data) > MOST_BYTES:
            raise BadInput(f"the text is longer than {MOST_BYTES:,} bytes", target=path, fix="Shorten it.")
        with vault_files.held(self._context):
            now = self.read_log_file(path).revision
            if expect is not None and expect != now:
                raise Conflict("the file changed since it was read", target=path, fix="Read it again, then edit it.")
            with Writing(self.root) as writing:
                writing.write(path, data)
        return FileText(path, said, text.md5(data), redacted=said != content)

    def _log_file(self, path: str) -> LogFile:
        look = files.look(self.root / path)
        return LogFile(path, look.size, look.mtime_ns / 1e9) if look else LogFile(path, 0, 0.0)


def check_log_path(path: str) -> None:
    """Raise BadInput for a path that is not exactly one of the log's files."""
    if path not in PLAIN and not _is_day(path):
        raise BadInput(ALLOWED, target=path, fix="Other files are edited in an editor.")


def _is_day(path: str) -> bool:
    """Whether a path is `memory/YYYY-MM-DD.md` with a day that exists."""
    name = path.removeprefix(f"{WARM}/")
    if name == path or not memory_log.is_daily_name(name):
        return False
    try:
        date.fromisoformat(name.removesuffix(".md"))
    except ValueError:
        return False
    return True

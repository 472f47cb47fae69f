"""Decode a file's bytes, for every format."""

from recollect.errors import UnreadableFile
from recollect.model import text


def to_text(data: bytes, *, target: object, encoding: str = "utf-8") -> str:
    """Return the text of a file; raises UnreadableFile if it has git's conflict markers or is not UTF-8."""
    if text.has_conflict_markers(data):
        fix = "Resolve the merge in this file, then run `recollect reconcile`."
        raise UnreadableFile("contains git's conflict markers", target=target, fix=fix)
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        raise UnreadableFile(f"not UTF-8 at byte {error.start}", target=target) from None

"""Find commits in a repository's object files, without starting git. Import-light, because hooks use it.

A commit is found as a loose object or in a pack, also where a pack stores it as a difference to another one. Objects
that lie outside of the repository's own git folder, by a link or as alternates, are not looked at.
"""

import hashlib
import os
import zlib

from recollect import foreign_files
from recollect.foreign_files import PlainFile

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from recollect.project.repository import Repository

COMMIT_BYTES = 1_000_000
HASHES = {40: hashlib.sha1, 64: hashlib.sha256}
MOST_PACKS = 500
"""How many packs are looked at: a hook has no time for more, and git itself joins them at 50."""
MOST_DIFFERENCES = 60
"""The longest chain of differences that is followed; git makes none longer than 50."""
INDEX_HEAD = b"\xfftOc\0\0\0\2"
COMMIT, OFFSET_DIFFERENCE, NAMED_DIFFERENCE = 1, 6, 7
INFLATED_CHUNK = 1 << 14


def is_clone_of(repository: "Repository", roots: "Sequence[str]", others: "Sequence[str]") -> bool:
    """Return whether a repository is a clone of a project whose first commits and some others are known.

    It must have one of the first commits. If history is cut off on one side, any known commit is enough.
    """
    is_cut_off = repository.is_shallow or not roots
    return holds_commit(repository, (*roots, *others) if is_cut_off else roots)


def holds_commit(repository: "Repository", commits: "Iterable[str]") -> bool:
    """Return whether a repository really has one of these commits.

    The content is hashed, because anybody can write an object under any name.
    """
    wanted = [commit for commit in dict.fromkeys(commits) if len(commit) in HASHES and commit.isalnum()]
    if not wanted or not repository.is_own:
        return False
    packs = list(_packs(repository.common))
    try:
        return any(_is_genuine(repository.common, packs, commit) for commit in wanted)
    finally:
        for pack in packs:
            pack.close()


def _is_genuine(common: str, packs: "list[_Pack]", commit: str) -> bool:
    stored = [_loose(common, commit)]
    stored += [pack.content(bytes.fromhex(commit)) for pack in packs] if not stored[0] else []
    return any(_name(content, len(commit)) == commit for content in stored if content)


def _name(content: bytes, digits: int) -> str:
    """Return the name that git gives a commit with this content."""
    return HASHES[digits](b"commit %d\0%s" % (len(content), content), usedforsecurity=False).hexdigest()


def _loose(common: str, commit: str) -> bytes:
    """Return the content of a commit that has a file of its own; empty if it has none."""
    try:
        path = os.path.join(common, "objects", commit[:2], commit[2:])
        data = foreign_files.read(path, root=common, most_bytes=COMMIT_BYTES)
        head, found, content = zlib.decompressobj().decompress(data, COMMIT_BYTES).partition(b"\0")
    except (OSError, zlib.error):
        return b""
    return content if found and head.startswith(b"commit ") else b""


def _packs(common: str) -> "Iterator[_Pack]":
    folder = os.path.join(common, "objects", "pack")
    try:
        with os.scandir(folder) as entries:
            names = [entry.name for entry, _ in zip(entries, range(4 * MOST_PACKS), strict=False)]
    except OSError:
        return
    for name in [name for name in names if name.endswith(".idx")][:MOST_PACKS]:
        try:
            yield _Pack(os.path.join(folder, name), common)
        except OSError:  # a link that leads out, a pipe, or gone by now
            continue


class _Pack:
    """A pack with its index. Both are read in small pieces, because they may have gigabytes."""

    def __init__(self, index: str, common: str) -> None:
        self._path, self._common = index.removesuffix(".idx") + ".pack", common
        self._index = PlainFile(index, root=common)
        self._file: PlainFile | None = None

    def close(self) -> None:
        """Close both files."""
        self._index.close()
        if self._file:
            self._file.close()

    def content(self, name: bytes) -> bytes:
        """Return the content of a commit; empty if the pack does not have it, or cannot be read."""
        try:
            offset = self._offset(name)
            if offset < 0:
                return b""
            self._file = self._file or PlainFile(self._path, root=self._common)
            return self._commit_at(self._file, offset, len(name), MOST_DIFFERENCES)
        except (OSError, ValueError, IndexError, OverflowError, zlib.error):
            return b""

    def _offset(self, name: bytes) -> int:
        """Return where an object begins in the pack; -1 if it is not there. The names in the index are sorted."""
        head = self._index.at(0, len(INDEX_HEAD) + 1_024)
        if not head.startswith(INDEX_HEAD):
            return -1
        fanout = [int.from_bytes(head[at : at + 4], "big") for at in range(len(INDEX_HEAD), len(head), 4)]
        low, high, total = fanout[name[0] - 1] if name[0] else 0, fanout[name[0]], fanout[255]
        names = len(INDEX_HEAD) + 1_024
        while low < high:
            middle = (low + high) // 2
            found = self._index.at(names + middle * len(name), len(name))
            if found == name:
                return self._listed_offset(names + total * (len(name) + 4), middle, total)
            low, high = (middle + 1, high) if found < name else (low, middle)
        return -1

    def _listed_offset(self, table: int, place: int, total: int) -> int:
        offset = int.from_bytes(self._index.at(table + 4 * place, 4), "big")
        if offset < 1 << 31:
            return offset
        return int.from_bytes(self._index.at(table + 4 * total + 8 * (offset - (1 << 31)), 8), "big")

    def _commit_at(self, file: PlainFile, offset: int, name_bytes: int, most: int) -> bytes:
        """Return the commit at an offset; raise ValueError if another kind of object is there."""
        if most == 0:
            raise ValueError("too many differences")
        data = file.at(offset, 64)
        kind, size, at = (data[0] >> 4) & 7, data[0] & 15, 1
        shift = 4
        while data[at - 1] & 0x80:
            size |= (data[at] & 0x7F) << shift
            shift, at = shift + 7, at + 1
        if size > COMMIT_BYTES:
            raise ValueError("too long for a commit")
        if kind == COMMIT:
            return _inflated(file, offset + at, size)
        if kind == OFFSET_DIFFERENCE:
            back, at = _distance(data, at)
            base = self._commit_at(file, offset - back, name_bytes, most - 1)
        elif kind == NAMED_DIFFERENCE:
            base = self._commit_at(file, self._offset(data[at : at + name_bytes]), name_bytes, most - 1)
            at += name_bytes
        else:
            raise ValueError("not a commit")
        return _patched(base, _inflated(file, offset + at, size))


def _distance(data: bytes, at: int) -> tuple[int, int]:
    """Return how far back the base of a difference lies, and where the number ends."""
    back = data[at] & 0x7F
    while data[at] & 0x80:
        at += 1
        back = ((back + 1) << 7) | (data[at] & 0x7F)
    return back, at + 1


def _inflated(file: PlainFile, offset: int, size: int) -> bytes:
    """Return `size` bytes that are stored compressed at an offset."""
    stream, content = zlib.decompressobj(), b""
    while len(content) < size and not stream.eof:
        data = file.at(offset, INFLATED_CHUNK)
        if not data:
            break
        content += stream.decompress(stream.unconsumed_tail + data, size - len(content))
        offset += len(data)
    return content


def _patched(base: bytes, difference: bytes) -> bytes:
    """Apply a difference: copies from the base, and new bytes."""
    _, at = _number(difference, 0)
    _, at = _number(difference, at)
    content = bytearray()
    while at < len(difference) and len(content) <= COMMIT_BYTES:
        order, at = difference[at], at + 1
        if not order & 0x80:
            content += difference[at : at + order]
            at += order
            continue
        given = [order >> bit & 1 for bit in range(7)]  # four bytes of the place, then three of the length
        numbers = [0] * 7
        for bit, is_given in enumerate(given):
            if is_given:
                numbers[bit], at = difference[at], at + 1
        start, size = int.from_bytes(numbers[:4], "little"), int.from_bytes(numbers[4:], "little")
        content += base[start : start + (size or 0x10000)]
    return bytes(content)


def _number(data: bytes, at: int) -> tuple[int, int]:
    """Return a number of seven bits a byte, lowest first, and where it ends."""
    number = shift = 0
    while True:
        number |= (data[at] & 0x7F) << shift
        shift, at = shift + 7, at + 1
        if not data[at - 1] & 0x80:
            return number, at

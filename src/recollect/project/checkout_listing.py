"""What a checkout holds: its files, and the lines of code that hold given names. One call of git for each question.

Without git the folder is walked, up to a number of files. Links are never followed: neither git nor the walk descends
into a folder that is a link, and a file that is one is not read.
"""

import hashlib
import os
import re
import stat
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from recollect import foreign_files
from recollect.project import git
from recollect.project.checkout import Checkout

MOST_FILES = 20_000
"""At most that many files are walked where there is no git."""
MOST_SEARCHED_BYTES = 60_000_000
FILE_BYTES = 1_000_000
"""A larger file is not searched without git, and never hashed."""
HASHED_BYTES = 4_000_000
LEFT_OUT = frozenset({".git", ".hg", ".svn", "node_modules", "__pycache__", ".venv", "venv", "target", "dist", "build"})
ENTRY = re.compile(rb"(?P<tag>[A-Z]) (?P<mode>\d{6}) (?P<blob>[0-9a-f]{40,64}) \d\t(?P<path>.*)", re.DOTALL)
SUBMODULE = b"160000"
REMOVED, OTHER = b"R", b"? "
# Generated text has very long lines, and nobody writes about it.
NOT_SEARCHED = ("*.min.js", "*.min.css", "*.map", "*.lock", "*.svg", "*.csv", "*.jsonl", "*.ipynb", "*.snap",
                "*-lock.json", "*-lock.yaml")  # fmt: skip


@dataclass(slots=True)
class Listing:
    """The files of a checkout, by their paths from its root."""

    files: dict[str, str] = field(default_factory=dict)
    """Every file that is there, with its blob's hash; empty for one that git does not keep."""
    gone: set[str] = field(default_factory=set)
    """Files that git keeps and somebody removed from the working tree."""


def listing(checkout: Checkout) -> Listing | None:
    """Return the files of a checkout; None where git fails."""
    if checkout.repository is None or not checkout.has_history:
        return Listing(dict.fromkeys(_walked(str(checkout.root)), ""))
    answer = git.ask(
        checkout.repository, "ls-files", "-z", "-t", "-s", "-d", "-o", "--exclude-standard", below=checkout.below
    )
    return None if answer is None else _parsed(answer)


def _parsed(answer: bytes) -> Listing:
    """Return the listing of `ls-files -t -s -d -o`; what is tracked and removed is listed twice."""
    found = Listing()
    for line in answer.split(b"\0"):
        match = ENTRY.fullmatch(line)
        if match and match["mode"] != SUBMODULE:
            path = os.fsdecode(match["path"])
            if match["tag"] == REMOVED:
                found.gone.add(path)
            else:
                found.files[path] = match["blob"].decode()
        elif line.startswith(OTHER) and not line.endswith(b"/"):
            found.files[os.fsdecode(line[2:])] = ""
    for path in found.gone:
        found.files.pop(path, None)
    return found


def _walked(root: str) -> Iterator[str]:
    """Yield the paths of regular files below a folder, at most MOST_FILES of them."""
    number = 0
    for folder, folders, names in os.walk(root, followlinks=False):
        folders[:] = [name for name in folders if name not in LEFT_OUT]
        for name in names:
            if number == MOST_FILES:
                return
            number += 1
            yield os.path.relpath(os.path.join(folder, name), root).replace(os.sep, "/")


def lines_with(checkout: Checkout, names: Sequence[str], files: Iterable[str]) -> list[tuple[str, str]] | None:
    """Return the lines of a checkout's files that hold one of the names as a word, each with its path.

    `files` are searched where there is no git. None where the search fails or finds more than 64 MB.
    """
    if not names:
        return []
    if checkout.repository is None or not checkout.has_history:
        return _searched(str(checkout.root), names, files)
    pattern = "|".join(sorted(map(re.escape, names), key=len, reverse=True))
    answer = git.ask(
        checkout.repository, "grep", "--untracked", "--no-textconv", "--no-color", "--full-name", "-I", "-E", "-w",
        "-z", "-f", "-", "--", ".", *(f":(exclude){glob}" for glob in NOT_SEARCHED), below=checkout.below,
        given=f"({pattern})\n".encode(), no_answer=1,
    )  # fmt: skip
    return None if answer is None else list(_split(answer, checkout.below))


def _split(answer: bytes, below: str) -> Iterator[tuple[str, str]]:
    """Yield path and line of each match; `--full-name` gives paths from git's top folder."""
    before = f"{below}/" if below else ""
    for row in answer.split(b"\n"):
        path, has_line, line = row.partition(b"\0")
        if has_line:
            yield os.fsdecode(path).removeprefix(before), line.decode("utf-8", "replace")


def _searched(root: str, names: Sequence[str], files: Iterable[str]) -> list[tuple[str, str]]:
    pattern = re.compile(rb"(?<![\w$])(?:" + b"|".join(re.escape(name.encode()) for name in names) + rb")(?![\w$])")
    found, spent = list[tuple[str, str]](), 0
    for path in files:
        data = read(root, path, FILE_BYTES) or b""
        spent += len(data)
        if spent > MOST_SEARCHED_BYTES:
            break
        if b"\0" not in data[:8_000] and pattern.search(data):
            lines = [line for line in data.split(b"\n") if pattern.search(line)]
            found += [(path, line.decode("utf-8", "replace")) for line in lines]
    return found


def read(root: str, path: str, most_bytes: int = FILE_BYTES) -> bytes | None:
    """Return the content of a file below a root; None where it is missing, too long, no plain file or leads out."""
    try:
        return foreign_files.read(os.path.join(root, path), root=root, most_bytes=most_bytes)
    except (OSError, ValueError):
        return None


def digest(root: str, path: str) -> str:
    """Return the hash by which git names a file's content; empty where it cannot be read."""
    data = read(root, path, HASHED_BYTES)
    if data is None:
        return ""
    return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def _is_something(place: str) -> bool:
    """Whether a path is a file, a link, or a folder that holds something: git leaves empty ones behind."""
    kind = stat.S_IFMT(os.lstat(place).st_mode)
    if kind == stat.S_IFDIR:
        with os.scandir(place) as entries:
            return next(entries, None) is not None
    return kind in (stat.S_IFREG, stat.S_IFLNK)


def look_for(root: str, paths: Iterable[str]) -> tuple[set[str], set[str]]:
    """Return which paths exist below a root, as files or folders, and which a link leads out of it."""
    there, outside = set[str](), set[str]()
    for path in paths:
        place = os.path.join(root, path)
        try:
            if not foreign_files.is_below(os.path.dirname(place), root):
                outside.add(path)
            elif _is_something(place):
                there.add(path)
        except (OSError, ValueError):
            continue
    return there, outside

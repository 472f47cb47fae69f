"""The diary of a commit that writes many files: what each file held before, kept until the database has committed.

A process that is killed in between leaves its diary. Whoever uses the vault next puts the files back, so that a job is
done as a whole or not at all. What was appended to a file since stays; one that was changed otherwise is left alone.
"""

import contextlib
import json
import os
import secrets
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from recollect import file_lock, foreign_files, machine
from recollect.errors import DiskRefused, RecollectError
from recollect.model import text
from recollect.vault import files

NAME, LINES = "unfinished-", "lines"


class Diary:
    """An open diary; its lock says that the process which writes it is alive."""

    def __init__(self, runtime: Path, root: Path, group: str, entries: int = 0) -> None:
        """Open the diary of a group of changes, of which the journal has so many entries already."""
        self._folder = runtime / f"{NAME}{group}"
        self._number = 0
        try:
            machine.make_folder(self._folder)
            flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
            self._lines = os.open(self._folder / LINES, flags, machine.FILE_MODE)
            file_lock.try_lock(self._lines)
            self._add({"root": str(root), "group": group, "entries": entries})
        except OSError as error:
            raise DiskRefused(f"cannot be written: {error.strerror or error}", target=self._folder) from error

    def before_write(self, place: Path, data: bytes | None) -> None:
        """Keep what a file holds before it is replaced by some bytes, or removed where they are None."""
        copy, mode = None, machine.FILE_MODE
        if files.look(place):
            self._number += 1
            copy, mode = str(self._number), place.stat().st_mode & 0o777
            files.write_new(self._folder / copy, files.read(place, foreign_files.LOG_BYTES), machine.FILE_MODE)
        new = None if data is None else text.md5(data)
        self._add({"place": str(place), "copy": copy, "mode": mode, "new": new, "length": len(data or b"")})

    def before_append(self, place: Path, size: int, data: bytes) -> None:
        """Note how long a file is before some bytes are appended to it."""
        mode = place.stat().st_mode & 0o777
        self._add({"place": str(place), "size": size, "mode": mode, "new": text.md5(data), "length": len(data)})

    def _add(self, line: dict[str, Any]) -> None:
        os.write(self._lines, (json.dumps(line) + "\n").encode())
        os.fsync(self._lines)

    def close(self) -> None:
        """Throw the diary away: the database has committed, or the files were put back."""
        shutil.rmtree(self._folder, ignore_errors=True)
        os.close(self._lines)


def recover(runtime: Path, root: Path, group_size: Callable[[str], int]) -> int:
    """Put back the files of commits below a root that were killed before the database had them; return how many.

    `group_size` returns how many entries of a group the journal has.
    """
    found = 0
    for folder in runtime.glob(f"{NAME}*") if runtime.is_dir() else ():
        with contextlib.suppress(OSError, ValueError, KeyError, RecollectError):
            found += _recover(folder, root, group_size)
    return found


def _recover(folder: Path, root: Path, group_size: Callable[[str], int]) -> int:
    handle = file_lock.take(str(folder / LINES))
    if handle is None:  # its process is alive
        return 0
    try:
        said = files.read(folder / LINES, foreign_files.LOG_BYTES).decode()
        whole = said.rpartition("\n")[0].splitlines()  # the last line may be half
        head, *lines = [json.loads(line) for line in whole] or [{"root": str(root), "group": "", "entries": 0}]
        if head["root"] != str(root):
            return 0
        is_committed = group_size(head["group"]) > head["entries"]
        done = 0 if is_committed else sum(_put_back(folder, line) for line in reversed(lines))
        for place in {Path(line["place"]).parent for line in lines}:
            files.sweep(place)
        shutil.rmtree(folder, ignore_errors=True)
        return done
    finally:
        os.close(handle)


def _put_back(folder: Path, line: dict[str, Any]) -> int:
    """Put a file back as it was, if it is still as the killed process left it; return 1 then, else 0."""
    place, start = Path(line["place"]), line.get("size", 0)
    end = start + line["length"]
    now = files.read(place, foreign_files.LOG_BYTES) if files.look(place) else None
    is_half = "size" in line and now is not None and start <= len(now) < end
    if not is_half and (None if now is None else text.md5(now[start:end])) != line["new"]:
        return 0
    added, copy = (now or b"")[end:], line.get("copy")
    before = files.read(folder / copy, foreign_files.LOG_BYTES) if copy else (now or b"")[:start]
    if copy or before + added:
        _replace(place, before + added, line["mode"])
    else:
        place.unlink(missing_ok=True)
    return 1


def _replace(place: Path, data: bytes, mode: int) -> None:
    machine.make_folder(place.parent)
    draft = place.with_name(f"{files.SCRATCH}{secrets.token_hex(6)}.tmp")
    files.write_new(draft, data, mode)
    draft.replace(place)

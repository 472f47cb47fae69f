"""The journal's mirror: the same entries as JSON lines beside the database, from which it can be rebuilt.

The last line says up to which entry the mirror is complete, so the next process adds what one that was killed did not
write.
"""

import json
import os
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

from recollect import machine
from recollect.errors import DiskRefused
from recollect.model.rows.file_id import is_file
from recollect.store.protocols.journal import Journal
from recollect.store.values import Entry

BATCH = 500
SMALL_FIELDS = tuple(field.name for field in fields(Entry) if field.name not in ("seq", "before", "after"))
TAIL_BYTES = 65_536
LOCK_SECONDS = 30.0


def append_missing_entries(store: Journal, path: Path) -> None:
    """Append the entries that the mirror lacks; raise DiskRefused where the disk does."""
    try:
        machine.make_folder(path.parent)
        with machine.lock(path, timeout_seconds=LOCK_SECONDS) as descriptor:
            _append(store, descriptor)
    except OSError as error:
        raise DiskRefused(f"the journal's mirror cannot be written: {error}", target=path) from error


def write_anew(store: Journal, path: Path) -> None:
    """Write the whole mirror again from the store, after entries in the middle of it changed; raises DiskRefused."""
    try:
        with machine.lock(path, timeout_seconds=LOCK_SECONDS) as descriptor:
            os.ftruncate(descriptor, 0)
            _append(store, descriptor)
    except OSError as error:
        raise DiskRefused(f"the journal's mirror cannot be written: {error}", target=path) from error


def old_mirrors(path: Path) -> list[Path]:
    """Return the mirrors of earlier databases, which `set_aside` renamed."""
    return sorted(path.parent.glob(f"{path.name}.old-*"))


def without_memory(data: bytes, uid: str) -> bytes:
    """Return the lines of a mirror without those of a memory, and of files that held a line of it."""
    lines = (line for line in data.split(b"\n") if line)
    return b"".join(line + b"\n" for line in lines if (found := _parse(line)) is None or not _names(found[1], uid))


def _names(entry: Entry, uid: str) -> bool:
    return entry.uid == uid or (is_file(entry.uid) and f'\\"{uid}\\"' in f"{entry.before}{entry.after}")


def set_aside(path: Path) -> Path | None:
    """Rename an old mirror, and return its new path; None if there is none."""
    if not path.exists():
        return None
    number = sum(1 for _ in path.parent.glob(f"{path.name}.old-*")) + 1
    return path.rename(path.with_name(f"{path.name}.old-{number}"))


def _append(store: Journal, descriptor: int) -> None:
    last = _last_seq(store, descriptor)
    name = store.store_id()
    while batch := store.entries_after(last, BATCH):
        lines = [_line(name, entry) for entry in batch]
        os.lseek(descriptor, 0, os.SEEK_END)
        data = b"".join(lines)
        while data:
            data = data[os.write(descriptor, data) :]
        last = batch[-1].seq


def _line(store_id: str, entry: Entry) -> bytes:
    values = {name: getattr(entry, name) for name in SMALL_FIELDS}
    small = json.dumps({"seq": entry.seq, "store": store_id, **values}, ensure_ascii=False)
    images = f', "before": {entry.before or "null"}, "after": {entry.after or "null"}}}'  # they are JSON on one line
    return (small[:-1] + images + "\n").encode("utf-8", "surrogatepass")


def _last_seq(store: Journal, descriptor: int) -> int:
    """Return the number of the last complete line; 0 if the line is not this store's. An incomplete one is cut off."""
    end = os.fstat(descriptor).st_size
    chunk, start = b"", end
    while start > 0 and chunk.count(b"\n") < 2:
        start = max(0, start - TAIL_BYTES)
        os.lseek(descriptor, start, os.SEEK_SET)
        chunk = os.read(descriptor, end - start)
    whole = chunk[: chunk.rfind(b"\n") + 1]
    if len(whole) < len(chunk):
        os.ftruncate(descriptor, start + len(whole))
    found = _parse(whole.rstrip(b"\n").rpartition(b"\n")[2])
    if found is None or found[0] != store.store_id():
        return 0
    theirs = store.entries_after(found[1].seq - 1, 1)
    if theirs and (theirs[0].group, theirs[0].uid) == (found[1].group, found[1].uid):
        return found[1].seq
    store.renew_id()  # a backup was put back: its numbers mean other changes now
    return 0


def _parse(line: bytes) -> tuple[str, Entry] | None:
    """Return the store's name and the entry of a line; None if it is not a journal line."""
    try:
        row = json.loads(line)
        images = {key: json.dumps(row[key], ensure_ascii=False) if row[key] else None for key in ("before", "after")}
        entry = Entry(**{field.name: row[field.name] for field in fields(Entry)} | images)
    except (ValueError, TypeError, KeyError):
        return None
    return str(row.get("store", "")), entry


def read(path: Path) -> Iterator[Entry | str]:
    """Yield every entry once, in order; for a line that cannot be read, the text that says which."""
    seen: set[tuple[str, int]] = set()
    try:
        lines = path.read_bytes().split(b"\n")
    except FileNotFoundError:
        return
    for number, line in enumerate(lines, 1):
        found = _parse(line) if line.strip() else None
        if found is None:
            if line.strip():
                yield f"{path}:{number} is not a journal line"
        elif (found[0], found[1].seq) not in seen:
            seen.add((found[0], found[1].seq))
            yield found[1]

"""Unpack what an earlier version left on a user's machine, as `scripts/make_upgrade_fixture.py` packed it."""

import hashlib
import json
import os
import sys
import tarfile
from pathlib import Path

import apsw
from builders import Box

import recollect

ARCHIVE = Path(__file__).with_name("version-0.1.tar.gz")
MADE_IN = "/tmp/recollect-upgrade"


def unpack(folder: Path) -> Box:
    """Unpack the fixture into a folder, and replace the paths in it by those of this machine."""
    with tarfile.open(ARCHIVE) as archive:
        archive.extractall(folder, filter="data")
    # The longer names first: each begins with the folder's own.
    places = {
        f"{MADE_IN}/python": sys.executable,
        f"{MADE_IN}/src": str(Path(recollect.__file__).parents[1]),
        f"{MADE_IN}/site-packages": str(Path(apsw.__file__).parents[1]),
        MADE_IN: str(folder),
    }
    for path in folder.rglob("*"):
        if path.is_file() and ".git" not in path.parts and path.suffix != ".db":
            _replace_in_text(path, places)
    for database in folder.rglob("*.db"):
        _replace_in_database(database, MADE_IN, str(folder))
    (folder / "store").chmod(0o700)  # unpacking gives folders the usual mode
    _renew_hashes(folder / "store" / "installs.json")
    return Box(folder, folder / "store", folder / "project")


def _replace_in_text(path: Path, places: dict[str, str]) -> None:
    data, stat = path.read_bytes(), path.stat()
    for old, new in places.items():
        data = data.replace(old.encode(), new.encode())
    if data != path.read_bytes():
        path.write_bytes(data)
        os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))


def _replace_in_database(database: Path, old: str, new: str) -> None:
    """Replace a path in every text of the ordinary tables; the search index follows by its triggers."""
    db = apsw.Connection(str(database))
    virtual = [str(row[0]) for row in db.execute("SELECT name FROM sqlite_master WHERE sql LIKE 'CREATE VIRTUAL%'")]
    for (table,) in db.execute("SELECT name FROM sqlite_master WHERE sql LIKE 'CREATE TABLE%'").fetchall():
        if table.startswith(("sqlite_", *virtual)):
            continue
        for row in db.execute(f'PRAGMA table_info("{table}")').fetchall():
            column = row[1]
            db.execute(
                f'UPDATE "{table}" SET "{column}" = replace("{column}", ?, ?) '
                f'WHERE typeof("{column}") = \'text\' AND instr("{column}", ?)',
                (old, new, old),
            )
    db.close()


def _renew_hashes(manifest: Path) -> None:
    """Recognise our files in the manifest again: their hashes changed with the paths in them."""
    content = json.loads(manifest.read_bytes())
    for install in content["installs"]:
        for file in install["files"]:
            file["wrote"] = [hashlib.sha256(Path(file["path"]).read_bytes()).hexdigest()]
    manifest.write_text(json.dumps(content, indent=1))

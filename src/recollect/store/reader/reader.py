"""The store as hooks see it: read, never written, and left alone when it is not of this version."""

import os

from recollect.lazy import load
from recollect.project import repository
from recollect.project.repository import Repository
from recollect.store.reader.engine import apsw

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from recollect.model.found_memory import FoundMemory

SCHEMA = 6  # as many as there are migrations
BUSY_MS = 50
MAPPED_BYTES = 1 << 30  # reading a page by a call of the system takes longer than using it
SNAPSHOT = "hook:"
KEY_FIELDS = "key_fields."
DESCRIBED = "recall.descriptions."
CONTENT = """
SELECT part.key, CASE part.type
    WHEN 'array' THEN (SELECT group_concat(coalesce(atom, value), '; ') FROM json_each(part.value))
    WHEN 'object' THEN '' ELSE part.atom END
FROM memories, json_each(image, '$.content') AS part WHERE uid = ?
"""
SELECTED = """uid, kind, slug, title, text, tags, cue, importance, hits, pinned, created, updated, session, project,
    coalesce(image->>'$.origin', 'user'), image->>'$.confidence', image->>'$.branch', image->>'$.scale'"""
SHOWN_SENSITIVITIES = ("public", "operational", "personal")  # D15: everything else is asked for by name or not at all
VISIBLE = f"""status = 'active' AND project IN (?1, 'global') AND (expires IS NULL OR expires > ?2)
    AND sensitivity IN {SHOWN_SENSITIVITIES}"""
# What an older program did not leave yet.
NEWER = {"recall.profile": "hybrid", "inject.experiences": False}
OFF_FOLDER, OFF_SESSION = "off:folder:", "off:session:"


class Unready(Exception):
    """The store cannot answer now; what is noted waits for it."""


def open_store(path: str) -> apsw.Connection:
    """The store for reading; Unready where there is none or another version wrote it."""
    if not os.path.exists(path):
        raise Unready("there is no store yet")
    db = apsw.Connection(path, flags=apsw.SQLITE_OPEN_READWRITE)
    db.set_busy_timeout(BUSY_MS)
    db.execute(f"PRAGMA mmap_size = {MAPPED_BYTES}")
    version = db.execute("PRAGMA user_version").get
    if version != SCHEMA:
        db.close()
        raise Unready(f"the store has version {version}, this program reads {SCHEMA}")
    return db


def rows(db: apsw.Connection, sql: str, values: "list[Any] | tuple[Any, ...]" = ()) -> "list[tuple[Any, ...]]":
    """What a question answers."""
    return db.execute(sql, values).fetchall()


class Place:
    """Where an agent works: its project, the checkout that is known there, and the settings in force."""

    __slots__ = ("project", "root", "settings", "unproven")

    def __init__(self, project: str, root: str, settings: "dict[str, Any]", unproven: str = "") -> None:
        self.project, self.root, self.settings = project, root, settings
        self.unproven = unproven
        """The project that the folder's remote names, where that is not believed."""


def find_place(db: apsw.Connection, folder: str, env: "Mapping[str, str]") -> Place:
    """Return the place of a folder: of a known checkout, a worktree of a known clone, or a clone that proves itself."""
    folder = os.path.realpath(folder)
    found = repository.around(folder)
    known = rows(db, "SELECT root, project, clone, unproven FROM checkouts")
    row = _of_clone(known, found, folder) if found else _of_folder(known, folder)
    if row:
        root, project, clone, unproven = row
        is_another = found is not None and clone == root  # it was met before there was a `.git`, and trusted as that
        return Place(project, root, _settings(db, "" if is_another else root, env), unproven)
    project, unproven = load("recollect.hooks.claims").find_project(db, found) if found else ("", "")
    return Place(project, "", _settings(db, "", env), unproven)


def _of_folder(known: "list[tuple[Any, ...]]", folder: str) -> "tuple[Any, ...] | None":
    """Return the known folder without git around a folder, the nearest first."""
    around = [row for row in known if row[2] == row[0] and _is_inside(folder, row[0])]
    return max(around, key=lambda row: len(row[0]), default=None)


def _of_clone(known: "list[tuple[Any, ...]]", found: Repository, folder: str) -> "tuple[Any, ...] | None":
    """Return the known checkout of a clone; in a monorepo the nearest part of it, and this worktree before others."""
    around = []
    for row in known:
        clone, _, below = row[2].partition("//")
        part = os.path.join(found.top, below) if below else found.top
        if clone == found.clone and _is_inside(folder, part):
            around.append((len(below), row[0] == part, row))
    if around:
        return max(around)[2]
    met_without_git = [row for row in known if row[2] == row[0] and _is_inside(row[0], found.top)]
    return _of_folder(met_without_git, folder)


def _is_inside(folder: str, root: str) -> bool:
    return bool(folder == root or folder.startswith(root.rstrip("/") + "/"))


def current_branch(folder: str) -> str:
    """Return the branch that is checked out around a folder; the commit where HEAD is detached."""
    found = repository.around(folder)
    return (found.branch() or found.head()) if found else ""


def _settings(db: apsw.Connection, root: str, env: "Mapping[str, str]") -> "dict[str, Any]":
    """The snapshot that the last full program left for this checkout; the environment comes before it."""
    best = "SELECT value FROM settings WHERE name IN (?1, ?2) ORDER BY length(name) DESC LIMIT 1"
    values: dict[str, Any] = dict(rows(db, f"SELECT key, atom FROM json_each(({best}))", (SNAPSHOT + root, SNAPSHOT)))
    if not values:
        raise Unready("no program has left its settings in the store yet")
    values = NEWER | values
    for name in values:
        said = env.get("RECOLLECT_" + name.upper().replace(".", "__"))
        if said is not None:
            values[name] = _literal(said)
    return values


def _literal(said: str) -> object:
    if said.lower() in ("true", "on", "yes", "false", "off", "no"):
        return said.lower() in ("true", "on", "yes")
    return int(said) if said.isdigit() else said


def says(db: apsw.Connection, place: Place, one: "FoundMemory", wanted: tuple[str, ...] = ()) -> str:
    """What a memory says beyond its title: its key fields (B32), or those that are wanted; else its text."""
    fields = {str(name): str(value) for name, value in rows(db, CONTENT, (one.uid,)) if value}
    chosen = wanted or str(place.settings.get(KEY_FIELDS + one.kind) or "").split(",")
    names = chosen if "text" not in fields else ["text"]
    told = [fields[name] for name in names if fields.get(name, one.title) != one.title]
    told = [said for said in told if not any(said != other and said in other for other in told)]
    return "\n".join(told)


def is_stale(place: Place) -> bool:
    """Whether a settings file changed since the snapshot was taken; the next worker takes a new one."""
    seen = str(place.settings.get("files", ""))
    return signature([line.split("\t")[0] for line in seen.splitlines()]) != seen


def signature(paths: list[str]) -> str:
    """What changes when one of these files does."""
    return "\n".join(f"{path}\t{_changed(path)}" for path in paths)


def _changed(path: str) -> int:
    try:
        return os.stat(path).st_mtime_ns
    except OSError:
        return 0


def off_because(db: apsw.Connection, folder: str, session: str) -> str:
    """Why agents have no memory here; empty where they have."""
    folder = os.path.realpath(folder)
    names = [OFF_SESSION + session, OFF_FOLDER + folder]
    while os.path.dirname(folder) != folder:
        folder = os.path.dirname(folder)
        names.append(OFF_FOLDER + folder)
    holes = ",".join("?" * len(names))
    found = db.execute(f"SELECT name FROM settings WHERE name IN ({holes}) LIMIT 1", names).get
    return f"{str(found).removeprefix('off:')} is switched off" if found else ""
